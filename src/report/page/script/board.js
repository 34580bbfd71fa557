// The board that moves lead to: the top row first. Nothing where they do not fit the board.
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
