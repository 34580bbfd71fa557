// A moment, or until the signal says that nobody waits any more.
const moment = (milliseconds, signal) => new Promise((go, leave) => {
  const timer = setTimeout(go, milliseconds);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    leave(signal.reason);
  }, { once: true });
});
// Asks until the server has a place: other pages search, too.
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
// Answers of the server: lines of JSON that come one by one. Who goes on to another position leaves them; then the search stops.
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
// The server is gone, or the network within this machine is.
const lost = (error) => {
  at('problem').hidden = false;
  at('problem').firstElementChild.textContent = `The server does not answer (${error.message}). Start c4lab serve again.`;
};

// What is known of the position that is shown.
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
