// What the search of one variant did.
let chosen = '';
const choose = (name) => {
  chosen = name;
  drawTable();
  drawExplanation();
};
const legendOf = (legend) => legend.flatMap((it) => [made('dt', {}, it.sign), made('dd', {}, it.means)]);
const drawLegend = (legend) => {
  at('marks').hidden = !legend.length;
  at('marks').replaceChildren(...legendOf(legend));
};
const drawingOf = (drawing) => {
  const isHere = drawing.moves === (state.moves || '-');
  const next = isHere
    ? made('button', { type: 'button' }, 'Show on the board')
    : made('a', { href: address(drawing.moves === '-' ? '' : drawing.moves) }, 'Go to this position');
  if (isHere) next.addEventListener('click', () => {
    marks = drawing.marks;
    drawBoard();
    drawLegend(drawing.legend);
    at('board').scrollIntoView();
  });
  const figure = made('figure', {}, made('figcaption', {}, drawing.title));
  if (drawing.marks.length) figure.append(figureOf(drawing), made('dl', { class: 'legend' }, ...legendOf(drawing.legend)));
  if (drawing.note) figure.append(made('p', { class: 'note' }, drawing.note));
  if (drawing.marks.length) figure.append(next);
  return figure;
};
const pliesOf = (plies) => {
  const heads = ['stones', 'nodes', 'win', 'forced', 'zugzwang', 'bound', 'table', 'search', 'asked', 'known'];
  const row = (one) => made('tr', {}, ...heads.map((head) => made('td', { class: 'number' }, grouped(one[head]))));
  return made('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Nodes by stones on the board' }, made('table', {},
    made('thead', {}, made('tr', {}, ...heads.map((head) => made('th', { scope: 'col', class: 'number' }, head)))),
    made('tbody', {}, ...plies.map(row))));
};
const drawExplanation = () => {
  const run = runs.get(chosen);
  const told = run?.explanation;
  if (!told) {
    at('told').replaceChildren(made('p', { class: 'note' }, state.variants.length ? 'Nothing yet.' : 'Add a variant.'));
    return;
  }
  const parts = [made('h3', {}, `${chosen} found ${told.score}, in ${grouped(told.nodes)} node${told.nodes === 1 ? '' : 's'}`)];
  if (told.without_search) parts.push(made('p', {}, told.without_search));
  const questions = told.questions.map((it) => made('li', {},
    `${it.asked} ${it.proved}${it.value === null ? '' : `, by ${it.ended_by ?? 'search'}`}, in ${grouped(it.nodes)} node${it.nodes === 1 ? '' : 's'}`));
  if (questions.length) parts.push(made('p', {}, 'Questions of the root:'), made('ol', {}, ...questions));
  if (told.drawings.length) parts.push(made('div', { class: 'figures' }, ...told.drawings.map(drawingOf)));
  if (told.plies.length) {
    parts.push(made('details', {}, made('summary', {}, 'Nodes by stones on the board, and what ended them'), pliesOf(told.plies)));
  }
  parts.push(made('details', {}, made('summary', {}, 'The same as text'), made('pre', { tabindex: '0' }, run.text)));
  at('told').replaceChildren(...parts);
};
