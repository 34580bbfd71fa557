// The table of positions: sorted and filtered as a whole, shown a page at a time.
const ROWS = 50;
const Positions = class {
  constructor(part) {
    this.points = data[Number(part.dataset.ground)];
    this.part = part;
    this.table = part.querySelector('table');
    [this.from, this.by, this.falling, this.name] = [0, 0, false, part.dataset.ground];
    part.querySelector('.some').remove();
    this.panel = make('div', '', { class: 'panel', role: 'status', hidden: '' });
    this.form = this.controls();
    part.querySelector('.table').before(this.form);
    part.querySelector('.table').after(this.pager(), this.panel);
    // Nothing is made before somebody looks.
    part.addEventListener('toggle', () => part.open && this.draw());
    const variant = document.getElementById('variant');
    variant.addEventListener('input', () => part.open && this.draw());
    if (part.open) this.draw();
  }
  controls() {
    const form = make('form', '', { class: 'choose' });
    const field = (name, text, element) => {
      const label = make('label', `${text} `);
      label.append(element);
      form.append(label);
      this[name] = element;
    };
    const select = (options) => {
      const element = make('select');
      options.forEach((text) => element.append(make('option', text)));
      return element;
    };
    field('moves', 'Moves begin with', make('input', '', { type: 'search', inputmode: 'numeric', placeholder: '44', size: 8 }));
    const states = new Set(this.points.ids.map((_, index) => this.status(index)));
    field('state', 'Status', select(['all', ...states]));
    field('measure', 'Show', select(['times', 'nodes', `times faster than ${this.points.variants[0]}`]));
    form.addEventListener('input', () => { this.from = 0; this.draw(); });
    form.addEventListener('submit', (event) => event.preventDefault());
    return form;
  }
  pager() {
    const pager = make('p', '', { class: 'pager' });
    const step = (text, by) => {
      const button = make('button', text, { type: 'button', class: 'plain' });
      button.addEventListener('click', () => { this.from += by; this.draw(); });
      return button;
    };
    [this.back, this.where, this.on] = [step('back', -ROWS), make('output'), step('on', ROWS)];
    pager.append(this.back, this.where, this.on);
    return pager;
  }
  fault(variant, index) {
    const faults = this.points.faults[variant];
    return faults && faults[index];
  }
  // The worst of all variants.
  status(index) {
    let state = 'ok';
    for (const variant of this.points.variants.keys()) {
      const fault = this.fault(variant, index);
      if (fault === 'wrong') return fault;
      if (fault) state = 'failed';
      else if (this.points.time[variant][index] < 0 && state === 'ok') state = 'limited';
    }
    return state;
  }
  // What a variant took: a number to sort by, null without one, and the text.
  cell(variant, index) {
    const fault = this.fault(variant, index);
    if (fault) return [null, fault];
    const [ns, nodes] = [this.points.time[variant][index], this.points.nodes[variant][index]];
    if (ns === 0) return [null, '-'];
    if (this.measure.selectedIndex === 1) return nodes < 0 ? [null, '-'] : [nodes, four(nodes)];
    if (this.measure.selectedIndex === 0) return [Math.abs(ns), ns < 0 ? `limit, ${time(-ns)}` : time(ns)];
    const base = Math.abs(this.points.time[0][index]);
    const isAlike = this.points.at_run_time[0] === this.points.at_run_time[variant];
    if (!base || !isAlike) return [null, '-'];
    return [base / Math.abs(ns), `${four(base / Math.abs(ns))}x`];
  }
  columns() {
    const { ids, plies, moves, scores, variants } = this.points;
    const words = document.getElementById('variant').value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (name) => words.every((word) => name.toLowerCase().includes(word));
    const number = (value) => [value, value === null ? '-' : String(value)];
    const own = [...variants.entries()].filter(([, name]) => fits(name));
    return [
      { name: 'line', of: (index) => number(ids[index]) },
      { name: 'stones', of: (index) => number(plies[index]) },
      { name: 'moves', isText: true, of: (index) => (moves[index] ? [moves[index], moves[index]] : [null, 'not published']) },
      { name: 'score', of: (index) => number(scores[index]) },
      { name: 'status', isText: true, of: (index) => [this.status(index), this.status(index)] },
      ...own.map(([variant, name]) => ({ name, of: (index) => this.cell(variant, index) })),
    ];
  }
  // The numbers of the positions that are asked for, sorted.
  kept(column) {
    const { ids, moves } = this.points;
    const [begin, state] = [this.moves.value.trim(), this.state.value];
    const fits = (index) => moves[index].startsWith(begin) && (state === 'all' || this.status(index) === state);
    const keyed = [...ids.keys()].filter(fits).map((index) => [column.of(index)[0], index]);
    keyed.sort(([one], [other]) => {
      if (one === null || other === null) return (one === null) - (other === null);
      return this.falling ? compare(other, one) : compare(one, other);
    });
    return keyed.map(([, index]) => index);
  }
  draw() {
    const columns = this.columns();
    if (this.by >= columns.length) this.by = 0;
    const kept = this.kept(columns[this.by]);
    this.from = Math.min(Math.max(0, this.from), Math.max(0, kept.length - 1));
    this.from -= this.from % ROWS;
    const head = make('tr');
    head.append(...columns.map((column, place) => this.head(column, place)));
    this.table.tHead.replaceChildren(head);
    const rows = kept.slice(this.from, this.from + ROWS).map((index) => this.row(columns, index));
    this.table.tBodies[0].replaceChildren(...rows);
    const last = this.from + rows.length;
    this.where.textContent = kept.length ? `${this.from + 1} to ${last} of ${kept.length}` : 'no position';
    this.back.disabled = this.from === 0;
    this.on.disabled = last >= kept.length;
  }
  head({ name, isText }, place) {
    const heading = make('th', '', { scope: 'col', 'data-name': name, ...(isText ? { class: 'name' } : {}) });
    if (place === this.by) heading.setAttribute('aria-sort', this.falling ? 'descending' : 'ascending');
    const button = make('button', name, { type: 'button' });
    button.addEventListener('click', () => {
      this.falling = place === this.by && !this.falling;
      [this.by, this.from] = [place, 0];
      this.draw();
      this.table.tHead.rows[0].cells[place].querySelector('button').focus();
    });
    heading.append(button);
    return heading;
  }
  row(columns, index) {
    const row = make('tr');
    row.append(...columns.map(({ isText, of }, place) => {
      const text = of(index)[1];
      const cell = make('td', place ? text : '', isText ? { class: 'name' } : {});
      if (place === 0) {
        const button = make('button', text, { type: 'button', class: 'plain', 'aria-label': `Board of line ${text}` });
        button.addEventListener('click', () => this.show(index));
        cell.append(button);
      }
      return cell;
    }));
    return row;
  }
  // The board of a position, and what is known of it.
  show(index) {
    const { ids, plies, moves, scores } = this.points;
    const facts = make('div', '', { class: 'facts' });
    const score = scores[index] === null ? '' : `, score ${scores[index]}`;
    facts.append(make('p', `Position ${ids[index]}, ${plies[index]} stones${score}`));
    facts.append(make('p', moves[index] ? `Moves ${moves[index]}` : 'Its moves are not in this record.'));
    const rows = moves[index] ? board(moves[index]) : null;
    const close = make('button', 'close', { type: 'button', class: 'plain' });
    close.addEventListener('click', () => { this.panel.hidden = true; });
    this.panel.replaceChildren(...(rows ? [diagram(rows)] : []), facts, close);
    this.panel.hidden = false;
  }
};
all('.positions').forEach((part) => new Positions(part));
