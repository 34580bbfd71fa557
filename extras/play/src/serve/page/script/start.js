// The page as a whole: from one position to the next, keys, and the first look.
const show = (moves, isNew = true) => {
  state.moves = moves;
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
at('new').addEventListener('click', () => show(''));
at('best').addEventListener('click', () => {
  const best = bestColumns();
  if (best.length) play(best[0]);
});
at('go').addEventListener('submit', (event) => {
  event.preventDefault();
  const moves = at('moves').value.trim();
  show(moves === '-' ? '' : moves);
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
at('size').addEventListener('change', () => {
  state.size = at('size').value.split('x').map(Number);
  show('');
});
at('again').addEventListener('click', () => {
  list();
  show(state.moves, false);
});
addEventListener('popstate', () => {
  readAddress();
  show(state.moves, false);
});
const list = async () => {
  try {
    const choices = await (await fetch('/choices')).json();
    at('names').replaceChildren(...choices.variants.map((it) => made('option', { value: it.name }, it.about)));
    at('size').replaceChildren(...choices.boards.map((name) => made('option', {}, name)));
    at('size').value = sizeName();
    const answer = await fetch('/records');
    const told = await answer.json();
    at('records-said').textContent = answer.ok
      ? `Records of ${told.folder}, each as its report; a large one takes some seconds.`
      : `No records: ${told.error}. c4lab serve --results FOLDER`;
    at('records-list').replaceChildren(...(told.records ?? []).map((name) => made('li', {},
      made('a', { href: `/record?${new URLSearchParams({ name })}` }, name))));
  } catch (error) {
    lost(error);
  }
};
readAddress();
list();
show(state.moves, false);
