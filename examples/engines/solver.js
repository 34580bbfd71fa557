// A solver of Connect Four that c4lab can ask: put your own search in the place of `score`.
//
// It reads one position a line and answers each with one line: the moves, the score, the nodes. Try it:
//
//     c4lab check 'node examples/engines/solver.js'

"use strict";

const readline = require("readline");

const WIDTH = 7, HEIGHT = 6, SQUARES = WIDTH * HEIGHT;
const CENTRE_FIRST = [3, 2, 4, 1, 5, 0, 6];
// A square is column * STEP + row; the square above each column, and those beside the board, stay empty.
const STEP = HEIGHT + 3, FIRST = 4 * STEP;

let nodes = 0;
const table = new Map();
// 0 where nobody is, 1 for the first player, 2 for the second.
const board = new Uint8Array(STEP * (WIDTH + 8));
const heights = new Uint8Array(WIDTH);

const at = (column, row) => FIRST + column * STEP + row;

// Whether a stone of a player on a square completes four in a row.
function wins(square, player) {
  for (const step of [1, STEP, STEP - 1, STEP + 1]) {
    let count = 1;
    for (let other = square + step; board[other] === player; other += step) count++;
    for (let other = square - step; board[other] === player; other -= step) count++;
    if (count >= 4) return true;
  }
  return false;
}

// The score from the side to move, if it lies between alpha and beta; else a bound of it. 0 is a draw, a win is 22 minus the number of the
// winner's stones, a loss the same below 0.
function score(count, alpha, beta) {
  nodes++;
  if (count === SQUARES) return 0;
  const player = 1 + (count % 2);
  for (let column = 0; column < WIDTH; column++) {
    if (heights[column] < HEIGHT && wins(at(column, heights[column]), player)) return (SQUARES + 1 - count) >> 1;
  }
  const key = String.fromCharCode(...board.subarray(FIRST, FIRST + WIDTH * STEP));
  const most = table.get(key) ?? (SQUARES - 1 - count) >> 1;
  if (beta > most) {
    beta = most;
    if (alpha >= beta) return beta;
  }
  for (const column of CENTRE_FIRST) {
    if (heights[column] === HEIGHT) continue;
    const square = at(column, heights[column]++);
    board[square] = player;
    const found = -score(count + 1, -beta, -alpha);
    board[square] = 0;
    heights[column]--;
    if (found >= beta) return found;
    alpha = Math.max(alpha, found);
  }
  table.set(key, alpha);
  return alpha;
}

function answer(line) {
  const moves = line.trim();
  board.fill(0);
  heights.fill(0);
  let count = 0;
  for (const digit of moves.replace("-", "")) {
    const column = Number(digit) - 1;
    board[at(column, heights[column]++)] = 1 + (count++ % 2);
  }
  nodes = 0;
  table.clear();
  const found = score(count, -21, 21);
  // A line at a time is written at once: c4lab waits for it.
  process.stdout.write(`${moves} ${found} ${nodes}\n`);
}

if (process.argv.includes("--version")) console.log("example-javascript 1.0");
else readline.createInterface({ input: process.stdin }).on("line", answer);
