// Sorting: numbers by their value, names as people count; what is missing comes last either way.
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

// Paper cannot be clicked.
window.addEventListener('beforeprint', () => all('details.sheet,details.facts').forEach((part) => { part.open = true; }));
