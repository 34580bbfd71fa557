// Small things that every part uses.
const at = (id) => document.getElementById(id);
// An element with attributes and children; text is text, never markup.
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

// What is shown: kept in the address, so that every position is a link.
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
// What the address says. The server says what is wrong with it.
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
