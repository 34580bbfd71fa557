'use strict';
(() => {
// Functions that all parts use.
const at = (id) => document.getElementById(id);
// An element with attributes and children. Text children are never read as markup.
const made = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const time = (microseconds) => {
  if (microseconds < 1e3) return `${microseconds} us`;
  if (microseconds < 1e6) return `${(microseconds / 1e3).toPrecision(3)} ms`;
  return `${(microseconds / 1e6).toPrecision(3)} s`;
};
// A column's digit: 1 to 9, then a, b, c.
const digit = (column) => column.toString(36);
const complain = (id, text) => {
  at(id).textContent = text;
  at(id).hidden = !text;
};

// The shown position and variants. The address holds them, so that every position is a link.
const state = { moves: '', size: [7, 6], variants: [] };
const sizeName = () => state.size.join('x');
const FIRST_VARIANTS = ['champion', 'pons-12'];
const MOST_VARIANTS = 4;
const address = (moves = state.moves) => {
  const query = new URLSearchParams();
  if (moves) query.set('moves', moves);
  if (sizeName() !== '7x6') query.set('board', sizeName());
  if (state.variants.join() !== FIRST_VARIANTS.join()) {
    state.variants.forEach((name) => query.append('variant', name));
    if (!state.variants.length) query.set('variant', '');
  }
  const text = query.toString();
  return text ? `/?${text}` : '/';
};
// Reads the state from the address. The server finds errors in it.
const readAddress = () => {
  const query = new URLSearchParams(location.search);
  const moves = query.get('moves') ?? '';
  state.moves = moves === '-' ? '' : moves.slice(0, 80);
  const size = /^(\d{1,2})x(\d{1,2})$/.exec(query.get('board') ?? '');
  const [width, height] = size ? [Number(size[1]), Number(size[2])] : [7, 6];
  state.size = width >= 1 && width <= 12 && height >= 1 && height <= 12 ? [width, height] : [7, 6];
  const named = query.getAll('variant');
  const chosen = named.length ? named.filter(Boolean) : FIRST_VARIANTS;
  state.variants = [...new Set(chosen)].slice(0, MOST_VARIANTS);
};
// The board: a button for each column. Letters name the player of a stone; colours only repeat them.
// The stones of a line of moves: columns of 'X' and 'O', from the bottom. null if the moves do not fit the board.
const stonesOf = (moves) => {
  const [width, height] = state.size;
  const columns = Array.from({ length: width }, () => []);
  for (const [ply, letter] of [...moves].entries()) {
    const column = columns[parseInt(letter, 36) - 1];
    if (!column || column.length === height) return null;
    column.push(ply % 2 ? 'O' : 'X');
  }
  return columns;
};
// The class and text of a square with a stone, or with a sign on an empty square.
const look = (stone, isLast, sign) => ({
  name: ['square', stone ?? '', isLast ? 'last' : '', sign ? 'marked' : ''].filter(Boolean).join(' '),
  text: sign ?? stone ?? '',
});
const square = (stone, sign) => {
  const { name, text } = look(stone, false, sign);
  return made('span', { class: name }, text);
};
let marks = [];
const markAt = (column, row) => marks.find((mark) => mark.column === column && mark.row === row)?.sign;

// Keeps the buttons while the board keeps its size, so that a redraw does not replace a button that is being pressed.
const buildBoard = () => {
  const [width, height] = state.size;
  const columns = [...at('columns').children];
  if (columns.length === width && columns[0].querySelectorAll('.square').length === height) return;
  at('columns').replaceChildren(...Array.from({ length: width }, (_, index) => {
    const squares = Array.from({ length: height }, () => square());
    const button = made('button', { type: 'button', class: 'column', 'data-column': index + 1 },
      made('span', { class: 'head' }, digit(index + 1)), ...squares, made('span', { class: 'worth' }));
    button.addEventListener('click', () => play(index + 1));
    return button;
  }));
};
const drawBoard = () => {
  buildBoard();
  const stones = stonesOf(state.moves) ?? stonesOf('');
  const last = state.moves ? parseInt(state.moves.at(-1), 36) : 0;
  stones.forEach((column, index) => {
    const squares = at('columns').children[index].querySelectorAll('.square');
    squares.forEach((element, from) => {
      const row = state.size[1] - from, stone = column[row - 1];
      const isLast = index + 1 === last && row === column.length;
      const { name, text } = look(stone, isLast, stone ? undefined : markAt(index + 1, row));
      element.className = name;
      element.textContent = text;
    });
  });
};
// Clears the scores of the columns.
const clearWorths = () => [...at('columns').children].forEach((button, index) => {
  button.classList.remove('best');
  button.lastElementChild.textContent = '';
  nameColumn(index + 1);
});
// The text of a column for screen readers: its stones from the bottom, and its score if it is known.
const nameColumn = (column, said = '') => {
  const stones = stonesOf(state.moves)?.[column - 1] ?? [];
  const button = at('columns').children[column - 1];
  const held = stones.length ? `from the bottom ${stones.join(' ')}` : 'empty';
  const isFull = stones.length === state.size[1];
  button.setAttribute('aria-label', `Column ${digit(column)}, ${held}${isFull ? ', full' : ''}${said ? `. ${said}` : ''}`);
  button.setAttribute('aria-disabled', String(isFull || analysis.isOver));
};
// The board of a drawing, with its signs and without buttons.
const figureOf = (drawing) => {
  const rows = drawing.rows.map((row) => [...row]);
  const height = rows.length;
  const sign = (column, row) => drawing.marks.find((mark) => mark.column === column && mark.row === row)?.sign;
  const columns = rows[0].map((_, index) => made('div', { class: 'column' },
    made('span', { class: 'head' }, digit(index + 1)),
    ...rows.map((row, line) => square(row[index] === '.' ? undefined : row[index], sign(index + 1, height - line)))));
  const signs = drawing.marks.map((mark) => `${mark.sign} at column ${digit(mark.column)}, row ${mark.row}`).join('; ');
  const stones = rows.map((row) => row.join(' ')).join(', ');
  return made('div', { class: 'columns', role: 'img', 'aria-label': `Rows from the top: ${stones}. Signs: ${signs || 'none'}` }, ...columns);
};

const play = (column) => {
  const stones = stonesOf(state.moves);
  if (analysis.isOver || !stones || !stones[column - 1] || stones[column - 1].length === state.size[1]) return;
  show(state.moves + digit(column));
};
const takeBack = () => state.moves && show(state.moves.slice(0, -1));
// Plays the move again that was taken back last.
const forward = () => state.line.length > state.moves.length && show(state.line.slice(0, state.moves.length + 1));
// Waits for `milliseconds`, or until `signal` aborts the wait.
const moment = (milliseconds, signal) => new Promise((go, leave) => {
  const timer = setTimeout(go, milliseconds);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    leave(signal.reason);
  }, { once: true });
});
// Repeats a request until the server has a place for the search, because other pages search, too.
const asked = async (path, signal, each) => {
  const start = performance.now();
  for (;;) {
    const answer = await fetch(path, { signal });
    if (answer.status !== 503) return answer;
    await answer.body?.cancel();
    each({ kind: 'queued', milliseconds: performance.now() - start });
    await moment(1000, signal);
  }
};
// Reads the answer of the server, lines of JSON that come one by one. A page that shows another position aborts the
// request, and the server stops the search.
const read = async (path, signal, each) => {
  const answer = await asked(path, signal, each);
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    throw Object.assign(new Error(told.error ?? `the server says ${answer.status}`), { isTold: true, status: answer.status });
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '', isWhole = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const told = JSON.parse(line);
      isWhole ||= told.kind === 'done' || told.kind === 'stopped';
      each(told);
    }
  }
  if (!isWhole) throw new Error('the answer broke off');
};
// Shows that the server cannot be reached.
const lost = (error) => {
  at('problem').hidden = false;
  at('problem').firstElementChild.textContent = `The server does not answer (${error.message}). Start c4lab serve again.`;
};

// The scores of the shown position, as far as they are known.
const analysis = { isOver: false, scores: [], stop: null };
const analyze = async () => {
  const stop = new AbortController();
  analysis.stop = stop;
  Object.assign(analysis, { isOver: false, scores: [] });
  const query = new URLSearchParams({ moves: state.moves, board: sizeName() });
  const said = { position: (it) => {
    analysis.isOver = it.is_over;
    at('turn').textContent = it.turn;
    clearWorths();
  }, score: (it) => {
    at('score').textContent = analysis.isOver ? it.words : `Score ${it.score}: ${it.words}`;
    if (!analysis.isOver) at('state').textContent = 'Looking at the columns ...';
  }, column: (it) => tellColumn(it), line: (it) => {
    at('line').replaceChildren('Best play: ', made('a', { href: address(state.moves + it.moves) }, it.moves), `. ${it.end}`);
  }, searching: (it) => {
    at('state').textContent = `Searching for ${(it.milliseconds / 1000).toFixed(1)} s ...`;
  }, queued: (it) => {
    at('state').textContent = `Waiting for other searches for ${(it.milliseconds / 1000).toFixed(0)} s: close other pages, or c4lab serve --searches`;
  }, done: () => {
    at('state').textContent = '';
  }, stopped: (it) => {
    at('state').textContent = `Stopped: ${it.reason}`;
  } };
  try {
    await read(`/analyze?${query}`, stop.signal, (it) => stop.signal.aborted || said[it.kind]?.(it));
  } catch (error) {
    if (stop.signal.aborted) return;
    at('state').textContent = '';
    if (error.isTold) complain('moves-wrong', error.message);
    else lost(error);
  }
};
const tellColumn = ({ column, score, words }) => {
  analysis.scores[column] = score;
  const known = analysis.scores.filter((one) => one !== undefined);
  const best = Math.max(...known);
  analysis.scores.forEach((one, index) => {
    const button = at('columns').children[index - 1];
    button?.classList.toggle('best', one === best);
    if (button && one !== undefined) button.lastElementChild.textContent = one === best ? `★${one}` : one;
  });
  nameColumn(column, `Score ${score}, ${words}`);
  const columns = bestColumns().map(digit);
  at('columns-said').textContent = `Best ${columns.length > 1 ? 'columns' : 'column'} so far: ${columns.join(', ')}.`;
  const playable = stonesOf(state.moves).filter((one) => one.length < state.size[1]).length;
  if (known.length === playable) at('columns-said').textContent = at('columns-said').textContent.replace(' so far', '');
};
const bestColumns = () => {
  const best = Math.max(...analysis.scores.filter((one) => one !== undefined));
  return [...analysis.scores.keys()].filter((column) => analysis.scores[column] === best);
};
// The table of variants, a row for each.
const runs = new Map();
const drawTable = () => {
  const rows = state.variants.map((name) => {
    const run = runs.get(name) ?? {};
    const tell = made('button', { type: 'button', 'aria-pressed': String(chosen === name) }, 'Show');
    tell.setAttribute('aria-label', `What the search of ${name} did`);
    tell.disabled = !run.explanation;
    tell.addEventListener('click', () => choose(name));
    const away = made('button', { type: 'button', 'aria-label': `Take ${name} away` }, '×');
    away.addEventListener('click', () => changeVariants(state.variants.filter((other) => other !== name)));
    const word = run.stopped ?? (run.answer ? run.answer.words : run.waiting ?? 'Searching ...');
    const score = run.answer && !run.stopped ? `${run.answer.score}${run.answer.goal === 'weak' ? ' (who wins)' : ''}` : '';
    return made('tr', { 'data-variant': name }, made('th', { scope: 'row' }, name),
      made('td', {}, made('strong', {}, score), ' ', made('span', { class: score ? 'words' : '' }, word)),
      made('td', { class: 'number' }, run.answer ? grouped(run.answer.nodes) : ''),
      made('td', { class: 'number' }, run.answer ? time(run.answer.microseconds) : ''),
      made('td', {}, tell), made('td', {}, away));
  });
  const body = at('table').tBodies[0];
  const focus = document.activeElement?.getAttribute('aria-label');
  const hadFocus = body.contains(document.activeElement);
  body.replaceChildren(...rows);
  if (hadFocus) [...body.querySelectorAll('button')].find((one) => one.getAttribute('aria-label') === focus)?.focus();
};
const solve = async (name) => {
  const run = { stop: new AbortController() };
  runs.set(name, run);
  const query = new URLSearchParams({ moves: state.moves, board: sizeName(), variant: name });
  const said = { answer: (it) => {
    run.answer = it;
  }, explanation: (it) => {
    run.explanation = it.explanation;
    run.text = it.text;
  }, searching: (it) => {
    run.waiting = `Searching for ${(it.milliseconds / 1000).toFixed(1)} s ...`;
  }, queued: () => {
    run.waiting = 'Waiting for other searches ...';
  }, stopped: (it) => {
    run.stopped = `Stopped: ${it.reason}`;
  } };
  try {
    await read(`/solve?${query}`, run.stop.signal, (it) => {
      if (run.stop.signal.aborted) return;
      said[it.kind]?.(it);
      drawTable();
      if (it.kind === 'explanation' && chosen === name) drawExplanation();
    });
  } catch (error) {
    if (run.stop.signal.aborted) return;
    run.stopped = error.message;
    if (error.isTold && !/^(moves|board):/.test(error.message)) complain('variant-wrong', error.message);
    if (!error.isTold) lost(error);
    drawTable();
  }
};
const solveAll = () => {
  runs.forEach((run) => run.stop.abort());
  runs.clear();
  state.variants.forEach(solve);
  drawTable();
};
const changeVariants = (names) => {
  const gone = state.variants.filter((name) => !names.includes(name));
  const fresh = names.filter((name) => !state.variants.includes(name));
  state.variants = names;
  history.replaceState(null, '', address());
  gone.forEach((name) => {
    runs.get(name)?.stop.abort();
    runs.delete(name);
  });
  complain('variant-wrong', '');
  if (!names.includes(chosen)) chosen = names[0] ?? '';
  fresh.forEach(solve);
  drawTable();
  drawExplanation();
  at('link').href = address();
};
// The explanation of the search of one variant.
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
  parts.push(made('details', {}, made('summary', {}, 'The explanation as text'), made('pre', { tabindex: '0' }, run.text)));
  at('told').replaceChildren(...parts);
};
// Changes of the position, keys, and the start of the page.
const show = (moves, isNew = true) => {
  state.moves = moves;
  if (!state.line?.startsWith(moves)) state.line = moves;
  at('forward').disabled = state.line === moves;
  if (isNew) history.pushState(null, '', address());
  analysis.stop?.abort();
  marks = [];
  drawLegend([]);
  complain('moves-wrong', '');
  at('problem').hidden = true;
  ['score', 'line', 'columns-said', 'turn', 'state'].forEach((id) => at(id).replaceChildren());
  at('moves').value = moves;
  at('link').href = address();
  document.title = `c4lab: ${moves || 'explore'}`;
  if (at('size').options.length) at('size').value = sizeName();
  analysis.isOver = false;
  drawBoard();
  clearWorths();
  if (!state.variants.includes(chosen)) chosen = state.variants[0] ?? '';
  solveAll();
  drawExplanation();
  analyze();
};
const isTyping = (target) => target.closest?.('input, select, textarea');
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
  const column = /^[1-9abc]$/.test(event.key) ? parseInt(event.key, 36) : 0;
  if (column && column <= state.size[0]) {
    play(column);
  } else if (event.key === 'Backspace' || event.key === 'u') {
    event.preventDefault();
    takeBack();
  } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const columns = [...at('columns').children], place = columns.indexOf(document.activeElement);
    if (place < 0) return;
    event.preventDefault();
    columns[(place + (event.key === 'ArrowLeft' ? columns.length - 1 : 1)) % columns.length].focus();
  }
});
at('back').addEventListener('click', takeBack);
at('forward').addEventListener('click', forward);
const anew = () => {
  state.line = '';
  show('');
};
at('new').addEventListener('click', anew);
at('best').addEventListener('click', () => {
  const best = bestColumns();
  if (best.length) play(best[0]);
});
// Moves that the server refuses leave the board as it is.
at('go').addEventListener('submit', async (event) => {
  event.preventDefault();
  const moves = at('moves').value.trim();
  try {
    const answer = await fetch(`/choices?${new URLSearchParams({ moves, board: sizeName() })}`);
    if (answer.ok) show(moves === '-' ? '' : moves);
    else complain('moves-wrong', (await answer.json()).error);
  } catch (error) {
    lost(error);
  }
});
at('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const name = at('variant').value.trim();
  if (!name || state.variants.includes(name)) return;
  if (state.variants.length === MOST_VARIANTS) {
    complain('variant-wrong', `At most ${MOST_VARIANTS} variants: take one away first.`);
    return;
  }
  at('variant').value = '';
  changeVariants([...state.variants, name]);
});
at('size').addEventListener('change', async () => {
  state.size = at('size').value.split('x').map(Number);
  await list();
  anew();
});
const begin = async () => {
  await list();
  show(state.moves, false);
};
at('again').addEventListener('click', begin);
addEventListener('popstate', () => {
  readAddress();
  begin();
});
// Lists what the server offers, and takes variants away that the board does not have.
const known = new Set(FIRST_VARIANTS);
const list = async () => {
  try {
    const answer = await fetch(`/choices?board=${sizeName()}`);
    const choices = await (answer.ok ? answer : await fetch('/choices')).json();
    const names = choices.variants.map((it) => it.name);
    names.forEach((name) => known.add(name));
    state.variants = state.variants.filter((name) => names.includes(name) || !known.has(name));
    at('names').replaceChildren(...choices.variants.map((it) => made('option', { value: it.name }, it.about)));
    at('size').replaceChildren(...choices.boards.map((name) => made('option', {}, name)));
    at('size').value = sizeName();
  } catch (error) {
    lost(error);
  }
};
readAddress();
begin();
})();
