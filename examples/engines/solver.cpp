// A solver of Connect Four that c4lab can ask: put your own search in the place of `score`.
//
// It reads one position a line and answers each with one line: the moves, the score, the nodes. Try it:
//
//     c++ -O2 -std=c++17 -o my-solver examples/engines/solver.cpp
//     c4lab check ./my-solver

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <unordered_map>

using Bits = std::uint64_t;

constexpr int WIDTH = 7, HEIGHT = 6, SQUARES = WIDTH * HEIGHT;
constexpr int STEP = HEIGHT + 1;  // bits from one column to the next: six squares and one that stays empty
constexpr int CENTRE_FIRST[WIDTH] = {3, 2, 4, 1, 5, 0, 6};

std::uint64_t nodes = 0;
std::unordered_map<Bits, int> table;

bool has_four(Bits stones) {
  for (int shift : {1, STEP, STEP - 1, STEP + 1}) {
    Bits pairs = stones & (stones >> shift);
    if (pairs & (pairs >> (2 * shift))) return true;
  }
  return false;
}

// The score from the side to move, if it lies between alpha and beta; else a bound of it. `mover` has a bit for each stone of the
// side to move, `both` a bit for each stone. 0 is a draw, a win is 22 minus the number of the winner's stones, a loss the same below 0.
int score(Bits mover, Bits both, int count, int alpha, int beta) {
  ++nodes;
  if (count == SQUARES) return 0;
  Bits moves[WIDTH];
  int playable = 0;
  for (int column : CENTRE_FIRST) {
    Bits all = ((Bits{1} << HEIGHT) - 1) << (column * STEP);
    Bits square = (both + (Bits{1} << (column * STEP))) & ~both & all;
    if (!square) continue;
    if (has_four(mover | square)) return (SQUARES + 1 - count) / 2;
    moves[playable++] = square;
  }
  // The stones of one side and all stones, as one number that no other position has.
  Bits key = mover + both;
  auto known = table.find(key);
  int most = known == table.end() ? (SQUARES - 1 - count) / 2 : known->second;
  if (beta > most) {
    beta = most;
    if (alpha >= beta) return beta;
  }
  for (int index = 0; index < playable; ++index) {
    int found = -score(both ^ mover, both | moves[index], count + 1, -beta, -alpha);
    if (found >= beta) return found;
    alpha = std::max(alpha, found);
  }
  table[key] = alpha;
  return alpha;
}

int main(int count, char** arguments) {
  if (count > 1 && std::string(arguments[1]) == "--version") {
    std::cout << "example-cpp 1.0\n";
    return 0;
  }
  std::string moves;
  while (std::cin >> moves) {
    Bits mover = 0, both = 0;
    int stones = 0;
    for (char digit : moves) {
      if (digit == '-') continue;  // the empty board
      mover ^= both;
      both |= both + (Bits{1} << ((digit - '1') * STEP));
      ++stones;
    }
    nodes = 0;
    table.clear();
    int found = score(mover, both, stones, -21, 21);
    // endl flushes: c4lab waits for the answer.
    std::cout << moves << ' ' << found << ' ' << nodes << std::endl;
  }
}
