"""A solver of Connect Four that c4lab can ask: put your own search in the place of `score`.

It reads one position a line and answers each with one line: the moves, the score, the nodes. Try it:

    c4lab check 'python3 examples/engines/solver.py'
"""

import sys

WIDTH, HEIGHT = 7, 6
STEP = HEIGHT + 1  # bits from one column to the next: six squares and one that stays empty
CENTRE_FIRST = sorted(range(WIDTH), key=lambda column: abs(2 * column - WIDTH + 1))
nodes = 0
table = {}


def has_four(stones):
    """Whether four stones lie in a row: upright, across, or in one of the diagonals."""
    for shift in (1, STEP, STEP - 1, STEP + 1):
        pairs = stones & (stones >> shift)
        if pairs & (pairs >> (2 * shift)):
            return True
    return False


def score(mover, both, alpha, beta):
    """The score of a position from the side to move, if it lies between alpha and beta; else a bound of it.

    mover has a bit for each stone of the side to move, both a bit for each stone. 0 is a draw. A win is 22 minus the number of
    the winner's stones, a loss the same number below 0.
    """
    global nodes
    nodes += 1
    count = both.bit_count()
    if count == WIDTH * HEIGHT:
        return 0
    moves = []
    for column in CENTRE_FIRST:
        square = (both + (1 << (column * STEP))) & ~both & (((1 << HEIGHT) - 1) << (column * STEP))
        if square:
            if has_four(mover | square):
                return (WIDTH * HEIGHT + 1 - count) // 2
            moves.append(square)
    # Nobody wins with this stone: so the best that there can be comes two stones later.
    most = table.get((mover, both), (WIDTH * HEIGHT - 1 - count) // 2)
    if beta > most:
        beta = most
        if alpha >= beta:
            return beta
    for square in moves:
        found = -score(both ^ mover, both | square, -beta, -alpha)
        if found >= beta:
            return found
        alpha = max(alpha, found)
    table[mover, both] = alpha
    return alpha


def read(moves):
    """The stones of the side to move, and all stones, after some moves: a digit each, columns from 1, `-` for none."""
    mover = both = 0
    for digit in moves.replace("-", ""):
        column = int(digit) - 1
        mover ^= both
        both |= both + (1 << (column * STEP))
    return mover, both


def main():
    global nodes
    if "--version" in sys.argv:
        print("example-python 1.0")
        return
    for line in sys.stdin:
        moves = line.strip()
        nodes = 0
        table.clear()
        mover, both = read(moves)
        # Every answer is flushed: c4lab waits for it.
        print(moves, score(mover, both, -21, 21), nodes, flush=True)


main()
