// Variants side by side: a row each.
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
