// Parts of pages, numbers as people read them, and the data. Everything is in the page already; nothing is loaded.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (name, text = '', attributes = {}) => {
  const element = document.createElement(name);
  element.textContent = text;
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
};
const drawn = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
};

// Numbers as people read them.
const four = (value) => value === 0 ? '0' : Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 9 });
const time = (ns) => {
  const [size, unit] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']].find(([size]) => ns >= size) || [1, 'ns'];
  return `${four(ns / size)} ${unit}`;
};

// An attribution has no data: its page holds none.
const store = document.getElementById('data');
const data = store ? JSON.parse(store.textContent) : [];
const size = store ? store.dataset.board.split('x').map(Number) : [];
