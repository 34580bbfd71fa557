// The board: a button a column. Letters say whose a stone is; colours only repeat it.
// The stones of a line of moves: columns of 'X' and 'O', from the bottom. Nothing where they do not fit.
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
// How a square looks: a stone, or a sign on an empty square.
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

// The buttons stay as long as the board keeps its size: whoever presses one presses the one that was drawn.
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
// Forgets what the columns were worth.
const clearWorths = () => [...at('columns').children].forEach((button, index) => {
  button.classList.remove('best');
  button.lastElementChild.textContent = '';
  nameColumn(index + 1);
});
// What a screen reader says of a column: its stones from the bottom, and its score when it is known.
const nameColumn = (column, said = '') => {
  const stones = stonesOf(state.moves)?.[column - 1] ?? [];
  const button = at('columns').children[column - 1];
  const held = stones.length ? `from the bottom ${stones.join(' ')}` : 'empty';
  const isFull = stones.length === state.size[1];
  button.setAttribute('aria-label', `Column ${digit(column)}, ${held}${isFull ? ', full' : ''}${said ? `. ${said}` : ''}`);
  button.setAttribute('aria-disabled', String(isFull || analysis.isOver));
};
// The board of a drawing, with its signs: nothing to press.
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
