// Elements of pages, formats of numbers, and the data. Everything is in the page; nothing is loaded.
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

// Formats of numbers.
const four = (value) => value === 0 ? '0' : Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 9 });
const time = (ns) => {
  const [size, unit] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']].find(([size]) => ns >= size) || [1, 'ns'];
  return `${four(ns / size)} ${unit}`;
};

// The page of an attribution has no data.
const store = document.getElementById('data');
const data = store ? JSON.parse(store.textContent) : [];
const size = store ? store.dataset.board.split('x').map(Number) : [];
// Sorting: numbers by value, names with their digits as numbers. Missing values come last in both directions.
const key = (row, column) => {
  const cell = row.cells[column];
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  const text = cell.textContent.trim();
  return text === '' || text === '-' ? null : text;
};
const compare = (one, other) => typeof one === 'number' && typeof other === 'number'
  ? one - other : String(one).localeCompare(String(other), 'en', { numeric: true });
const sort = (table, column) => {
  const heading = table.tHead.rows[0].cells[column];
  const falling = heading.getAttribute('aria-sort') === 'ascending';
  all('th', table).forEach((th) => th.removeAttribute('aria-sort'));
  heading.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
  const rows = [...table.tBodies[0].rows].map((row) => [key(row, column), row]);
  rows.sort(([one], [other]) => {
    if (one === null || other === null) return (one === null) - (other === null);
    return falling ? compare(other, one) : compare(one, other);
  });
  table.tBodies[0].append(...rows.map(([, row]) => row));
};
all('.sheet table').forEach((table) => {
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const label = heading.textContent.trim() === '' ? { 'aria-label': heading.dataset.name } : {};
    const button = make('button', heading.textContent, { type: 'button', ...label });
    button.addEventListener('click', () => sort(table, column));
    heading.replaceChildren(button);
  });
});

// Filtering: sections and tables by set and goal, rows by what their names contain.
const form = document.getElementById('filter');
if (form) {
  const [set, goal, variant, count] = ['set', 'goal', 'variant', 'count'].map((id) => document.getElementById(id));
  const sets = new Set([...set.options].map((option) => option.value).filter(Boolean));
  const fits = (wanted, value) => wanted === '' || value === undefined || value === wanted;
  const filterColumns = (table) => {
    const own = [...table.tHead.rows[0].cells].filter((heading) => heading.dataset.ofSet !== undefined);
    own.forEach((heading) => {
      const hide = !fits(set.value, heading.dataset.ofSet) || !fits(goal.value, heading.dataset.ofGoal);
      [...table.rows].forEach((row) => { row.cells[heading.cellIndex].hidden = hide; });
    });
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const name = heading.textContent.trim();
      if (!sets.has(name)) return;
      const hide = set.value !== '' && name !== set.value;
      heading.hidden = hide;
      [...table.tBodies[0].rows].forEach((row) => { row.cells[column].hidden = hide; });
    });
  };
  const filterRows = (table) => {
    const names = [...table.tHead.rows[0].cells].map((heading) => heading.dataset.name);
    const [ofSet, ofGoal] = [names.indexOf('set'), names.indexOf('goal')];
    const words = variant.value.toLowerCase().split(/\s+/).filter(Boolean);
    const of = (row, column) => (column < 0 ? undefined : row.cells[column].textContent);
    return [...table.tBodies[0].rows].map((row) => {
      const text = all('.name', row).map((cell) => cell.textContent).join(' ').toLowerCase();
      const show = fits(set.value, of(row, ofSet)) && fits(goal.value, of(row, ofGoal))
        && words.every((word) => text.includes(word));
      row.hidden = !show;
      return show;
    });
  };
  const filter = () => {
    all('[data-set],[data-goal]').forEach((part) => {
      part.hidden = !fits(set.value, part.dataset.set) || !fits(goal.value, part.dataset.goal);
    });
    let [shown, rows] = [0, 0];
    all('.sheet').forEach((sheet) => {
      const table = sheet.querySelector('table');
      filterColumns(table);
      const kept = filterRows(table);
      rows += kept.length;
      shown += sheet.closest('[hidden]') ? 0 : kept.filter(Boolean).length;
    });
    count.textContent = `${shown} of ${rows} rows`;
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  filter();
}

// Unfolds everything for printing, since paper cannot be clicked.
window.addEventListener('beforeprint', () => all('details.sheet,details.facts').forEach((part) => { part.open = true; }));
// The board after `moves`, top row first; null if the moves do not fit the board.
const board = (moves) => {
  const [width, height] = size;
  const columns = Array.from({ length: width }, () => []);
  const digits = moves === '-' ? [] : [...moves];
  for (const [ply, digit] of digits.entries()) {
    const column = columns[Number(digit) - 1];
    if (!column || column.length === height) return null;
    column.push({ first: ply % 2 === 0, last: ply === digits.length - 1 });
  }
  return Array.from({ length: height }, (_, row) => columns.map((column) => column[height - 1 - row]));
};
const diagram = (rows) => {
  const text = rows.map((row) => row.map((stone) => (stone ? (stone.first ? 'X' : 'O') : '.')).join(' ')).join(', ');
  const [width, height] = size.map((squares) => 10 * squares);
  const svg = drawn('svg', { class: 'board', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': text });
  svg.append(drawn('rect', { width, height, rx: 4 }));
  rows.forEach((row, y) => row.forEach((stone, x) => {
    const place = { cx: 10 * x + 5, cy: 10 * y + 5 };
    svg.append(drawn('circle', { ...place, r: 4, class: stone ? (stone.first ? 'first' : 'second') : 'empty' }));
    if (stone && stone.last) svg.append(drawn('circle', { ...place, r: 2, class: 'last' }));
  }));
  return svg;
};
// A scatter: the page has its axes; the script draws the dots of the chosen pair.
class Scatter {
  constructor(figure, measure, owner) {
    this.svg = figure.querySelector('svg');
    this.measure = measure;
    this.owner = owner;
    const number = (name) => Number(this.svg.dataset[name]);
    const [low, high] = [Math.log(number('low')), Math.log(number('high'))];
    const along = (value, from, to) => {
      const share = (Math.log(Math.max(value, 1e-9)) - low) / (high - low);
      return from + Math.min(1, Math.max(0, share)) * (to - from);
    };
    this.x = (value) => along(value, number('left'), number('right'));
    this.y = (value) => along(value, number('bottom'), number('top'));
    all('.dots,.limited,.nothing', this.svg).forEach((part) => part.remove());
    this.dots = drawn('path', { class: 'dots' });
    this.limited = drawn('path', { class: 'limited' });
    this.mark = drawn('circle', { class: 'chosen', r: 7, fill: 'none', visibility: 'hidden' });
    this.svg.append(this.dots, this.limited, this.mark);
    this.svg.setAttribute('tabindex', '0');
    this.svg.setAttribute('role', 'application');
    this.svg.setAttribute('aria-roledescription', 'scatter plot: arrow keys go from position to position');
    this.svg.addEventListener('pointermove', (event) => this.point(event));
    this.svg.addEventListener('pointerdown', (event) => this.point(event));
    this.svg.addEventListener('keydown', (event) => this.step(event));
  }
  draw(points, base, variant) {
    const times = points.time;
    // Times of dynamic variants are compared only with each other.
    const alike = points.at_run_time[base] === points.at_run_time[variant];
    const known = (index) => this.measure === 'time'
      ? alike && times[base][index] !== 0 && times[variant][index] !== 0
      : [base, variant].every((one) => times[one][index] > 0 && points.nodes[one][index] >= 0);
    const value = (one, index) => Math.abs(points[this.measure][one][index]);
    this.places = points.ids.map((_, index) => index).filter(known).map((index) => ({
      index, x: this.x(value(base, index)), y: this.y(value(variant, index)),
      limited: times[base][index] < 0 || times[variant][index] < 0,
      ratio: value(base, index) / value(variant, index),
    })).sort((one, other) => one.ratio - other.ratio || one.index - other.index);
    const path = (places, steps) => places.map(steps).join('');
    this.dots.setAttribute('d', path(this.places.filter((place) => !place.limited),
      ({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`));
    this.limited.setAttribute('d', path(this.places.filter((place) => place.limited),
      ({ x, y }) => `M${(x - 3).toFixed(1)} ${(y - 3).toFixed(1)}l6 6m0 -6l-6 6`));
    this.svg.querySelector('.x-title').textContent = `${this.measure} of ${points.variants[base]}`;
    this.svg.querySelector('.y-title').textContent = `${this.measure} of ${points.variants[variant]}`;
  }
  point(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let [nearest, least] = [null, 14 * 14];
    for (const place of this.places) {
      const distance = (place.x - x) ** 2 + (place.y - y) ** 2;
      if (distance < least) [nearest, least] = [place, distance];
    }
    if (nearest) this.owner.choose(nearest.index);
  }
  step(event) {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || this.places.length === 0) return;
    event.preventDefault();
    const now = this.places.findIndex((place) => place.index === this.owner.chosen);
    const next = now < 0 && Math.abs(steps[event.key]) === 1 ? 0 : now + steps[event.key];
    this.owner.choose(this.places[Math.min(this.places.length - 1, Math.max(0, next))].index);
  }
  show(index) {
    const place = this.places.find((one) => one.index === index);
    this.mark.setAttribute('visibility', place ? 'visible' : 'hidden');
    if (place) ['x', 'y'].forEach((axis) => this.mark.setAttribute(`c${axis}`, place[axis]));
  }
}

// The scatters of a group, the menus of variants, and the panel with the position of a dot.
class Pairs {
  constructor(part) {
    this.points = data[Number(part.dataset.group)];
    this.panel = part.querySelector('.panel');
    const drawn = ['time', 'nodes'].filter((measure) => part.querySelector(`.scatter-${measure}`));
    this.scatters = drawn.map((measure) => new Scatter(part.querySelector(`.scatter-${measure}`), measure, this));
    const choose = part.querySelector('.choose');
    this.selects = ['across', 'upright'].map((axis, number) => {
      const label = make('label', `${axis} `);
      const select = make('select');
      this.points.variants.forEach((name, index) => select.append(make('option', name, { value: index })));
      select.value = this.points.pair[number];
      select.addEventListener('change', () => this.draw());
      label.append(select);
      choose.append(label);
      return select;
    });
    choose.hidden = this.panel.hidden = false;
    this.draw();
  }
  pair() { return this.selects.map((select) => Number(select.value)); }
  draw() {
    const [base, variant] = this.pair();
    this.scatters.forEach((scatter) => scatter.draw(this.points, base, variant));
    if (this.chosen === undefined) {
      this.panel.replaceChildren(make('p', 'Point at a dot, or go from dot to dot with the arrow keys: its position is shown here.'));
    } else {
      this.choose(this.chosen);
    }
  }
  choose(index) {
    this.chosen = index;
    this.scatters.forEach((scatter) => scatter.show(index));
    const { ids, plies, moves } = this.points;
    const facts = make('div', '', { class: 'facts' });
    facts.append(make('p', `Position ${ids[index]}, ${plies[index]} stones`, { class: 'position' }));
    facts.append(make('p', moves[index] ? `Moves ${moves[index]}` : 'Its moves are not in this record.'));
    this.pair().forEach((one) => facts.append(make('p', this.took(one, index))));
    const ratio = this.ratio(index);
    if (ratio) facts.append(make('p', ratio));
    const rows = moves[index] ? board(moves[index]) : null;
    this.panel.replaceChildren(...(rows ? [diagram(rows)] : []), facts);
  }
  took(one, index) {
    const [ns, nodes, name] = [this.points.time[one][index], this.points.nodes[one][index], this.points.variants[one]];
    if (ns === 0) return `${name}: no time`;
    if (ns < 0) return `${name}: reached its limit, counts with ${time(-ns)}`;
    return `${name}: ${time(ns)}${nodes < 0 ? '' : `, ${four(nodes)} nodes`}`;
  }
  ratio(index) {
    const kinds = this.pair().map((one) => this.points.at_run_time[one]);
    if (kinds[0] !== kinds[1]) return 'Their times are not compared: only one is a dynamic variant.';
    const [base, variant] = this.pair().map((one) => Math.abs(this.points.time[one][index]));
    if (!base || !variant) return '';
    const name = this.points.variants[this.pair()[1]];
    return base < variant ? `${name} is ${four(variant / base)} times slower` : `${name} is ${four(base / variant)} times faster`;
  }
}
all('.scatter').forEach((part) => new Pairs(part));
