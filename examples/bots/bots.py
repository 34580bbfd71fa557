"""The solver of G. Vandewiele, "Creating the (nearly) perfect connect-four bot with limited move time and file size", in plain CPython.

Its forms, each with one more technique: `baseline`, alpha-beta on bit strings, `cache`, `early-win`, `any-win`, and `final`, its last
one as far as the article tells. They are the variants bot-baseline to bot-final of c4lab, node by node (but a dictionary forgets no
position). Only the standard library is used.

    python3 bots.py baseline 2252576253462244111563365343671351441    moves, score, nodes
    python3 bots.py --rate                                          how many nodes CPython makes in a second

--rate prints the nodes of each form in a second, the median over several positions: the limits of experiments/budget-cpython.toml
and of experiments/claims/bot.toml.
"""

import statistics
import sys
import time

WIDTH, HEIGHT = 7, 6
STRIDE = HEIGHT + 1
CELLS = WIDTH * HEIGHT
BOTTOM = sum(1 << column * STRIDE for column in range(WIDTH))
BOARD = BOTTOM * ((1 << HEIGHT) - 1)
COLUMNS = [((1 << HEIGHT) - 1) << column * STRIDE for column in range(WIDTH)]
CENTRE_FIRST = [3, 2, 4, 1, 5, 0, 6]


def connected_four(position):
    """Whether the stones of a side hold four in a row. Square = column * STRIDE + row."""
    for step in (STRIDE, STRIDE - 1, STRIDE + 1, 1):
        pairs = position & position >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class Stopped(Exception):
    """The search had its nodes, or its time."""


class Baseline:
    """Alpha-beta from left to right: a node looks whether the stone just played has won. The score, from the mover's side."""

    def __init__(self, until=None):
        self.nodes, self.until = 0, until

    def count(self):
        self.nodes += 1
        if self.until is not None and self.nodes % 256 == 0 and time.perf_counter() > self.until:
            raise Stopped

    def solve(self, position, mask):
        return self.search(position, mask, mask.bit_count(), -21, 21)

    def search(self, position, mask, ply, alpha, beta):
        self.count()
        if connected_four(position ^ mask):
            return -((CELLS + 2 - ply) // 2)
        if ply == CELLS:
            return 0
        playable = mask + BOTTOM & BOARD
        for column in COLUMNS:
            move = playable & column
            if move:
                score = -self.search(position ^ mask, mask | move, ply + 1, -beta, -alpha)
                if score >= beta:
                    return score
                alpha = max(alpha, score)
        return alpha


class Cache(Baseline):
    """The same with a cache: for a position, the least and the most score that are known."""

    window = (-21, 21)

    def solve(self, position, mask):
        self.cache = {}
        return self.search(position, mask, mask.bit_count(), *self.window)

    def look(self, position, mask, ply, playable):
        """The score, if it is known without a search, and the moves to search."""
        if connected_four(position ^ mask):
            return -((CELLS + 2 - ply) // 2), []
        return (0 if ply == CELLS else None), [playable & column for column in COLUMNS if playable & column]

    def search(self, position, mask, ply, alpha, beta):
        self.count()
        score, moves = self.look(position, mask, ply, mask + BOTTOM & BOARD)
        if score is not None:
            return score
        least, most = self.cache.get(position + mask, (-CELLS, CELLS))
        alpha, beta = max(alpha, least), min(beta, most)
        if alpha >= beta:
            return least if least >= beta else most
        for move in moves:
            score = -self.search(position ^ mask, mask | move, ply + 1, -beta, -alpha)
            if score >= beta:
                self.cache[position + mask] = (score, CELLS)
                return score
            alpha = max(alpha, score)
        self.cache[position + mask] = (-CELLS, alpha)
        return alpha


class EarlyWin(Cache):
    """The end is seen a move before: a node looks whether a stone of the mover wins."""

    def look(self, position, mask, ply, playable):
        moves = [playable & column for column in COLUMNS if playable & column]
        if any(connected_four(position | move) for move in moves):
            return (CELLS + 1 - ply) // 2, []
        return (0 if ply == CELLS else None), moves


class AnyWin(EarlyWin):
    """Who wins: any path that wins will do."""

    window = (-1, 1)

    def solve(self, position, mask):
        score = super().solve(position, mask)
        return (score > 0) - (score < 0)


class Final(AnyWin):
    """Moves that lose at once are left out, the centre comes first."""

    def solve(self, position, mask):
        playable = mask + BOTTOM & BOARD
        if any(connected_four(position | playable & column) for column in COLUMNS):
            return 1
        return super().solve(position, mask)

    def look(self, position, mask, ply, playable):
        opponent = position ^ mask
        threats = [column for column in range(WIDTH) if connected_four(opponent | playable & COLUMNS[column])]
        moves = [playable & COLUMNS[column] for column in threats or CENTRE_FIRST]
        # Not below a square that the opponent wins on.
        moves = [move for move in moves if move and not connected_four(opponent | move << 1 & BOARD)]
        if len(threats) > 1 or not moves:
            return -((CELLS - ply) // 2), []
        return (0 if ply >= CELLS - 2 else None), moves


FORMS = {"baseline": Baseline, "cache": Cache, "early-win": EarlyWin, "any-win": AnyWin, "final": Final}


def board(moves):
    """The stones of the side to move, and all stones."""
    position = mask = 0
    for column in map(int, moves):
        move = mask + BOTTOM & COLUMNS[column - 1]
        position, mask = position ^ mask, mask | move
    return position, mask


def rate(form, moves, seconds=1.0):
    """Nodes in a second, on a position that takes longer."""
    begun = time.perf_counter()
    solver = form(until=begun + seconds)
    try:
        solver.solve(*board(moves))
    except Stopped:
        pass
    return solver.nodes / (time.perf_counter() - begun)


if __name__ == "__main__":
    if sys.argv[1:] == ["--rate"]:
        # Early positions, so that no search ends before the second does.
        starts = ["", "4", "44", "43", "2642", "474732334"]
        print(f"CPython {sys.version.split()[0]}")
        for name, form in FORMS.items():
            rates = [rate(form, moves) for moves in starts]
            print(f"{name}: {statistics.median(rates):.0f} nodes a second ({min(rates):.0f} to {max(rates):.0f})")
    elif len(sys.argv) > 2 and sys.argv[1] in FORMS:
        for moves in sys.argv[2:]:
            solver = FORMS[sys.argv[1]]()
            print(moves, solver.solve(*board(moves.replace("-", ""))), solver.nodes)
    else:
        sys.exit(__doc__)
