"""How fast the Python package is, beside the command: two numbers, for a machine that does nothing else meanwhile.

    python3 examples/python/speed.py [POSITIONS] [MILLIONS]

1. The champion on begin-medium: the time of `Solver.solve` in Python divided by the time that `c4lab measure` takes for the same
   positions, both on one thread, in turn; the median of five rounds.
2. Positions of end-easy a second: `solve_many` with a million lines of moves, on all threads and on two.

The answer is CSV. Node counts of both ways must be equal, or the program ends with status 1.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import c4lab
from c4lab import batch

ROUNDS = 5


def beside_the_command(limit: int) -> tuple[float, bool]:
    """Python's time divided by the command's, and whether both took the same nodes."""
    ratios, nodes = [], set()
    solver = c4lab.Solver()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            found = c4lab.measure(["champion"], ["begin-medium"], limit=limit, out=Path(folder) / str(number)).samples()
            lines = found.moves.tolist()
            spent = total = 0
            for moves in lines:
                begun = time.perf_counter_ns()
                solver.solve(moves)
                spent += time.perf_counter_ns() - begun
                total += solver.nodes
            ratios.append(spent / int(found.wall_ns.sum()))
            nodes |= {total, int(found.nodes.sum())}
    return statistics.median(ratios), len(nodes) == 1


def positions_a_second(count: int, threads: int) -> float:
    """End-easy positions a second, over a list of so many."""
    with tempfile.TemporaryDirectory() as folder:
        lines = c4lab.measure(["champion"], ["end-easy"], limit=1000, out=Path(folder) / "m").samples().moves.tolist()
    many = (lines * (count // len(lines) + 1))[:count]
    solver = c4lab.Solver()
    solver.solve_many(many[:1000], threads=threads)
    begun = time.perf_counter()
    solver.solve_many(many, threads=threads)
    return count / (time.perf_counter() - begun)


def main() -> int:
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    count = int(float(sys.argv[2]) * 1_000_000) if len(sys.argv) > 2 else 1_000_000
    ratio, is_same = beside_the_command(limit)
    print("what,value")
    print(f"begin-medium time beside the command,{ratio:.4f}")
    print(f"end-easy positions a second on two threads,{positions_a_second(count, 2):.0f}")
    print(f"end-easy positions a second on all threads,{positions_a_second(count, batch.cores()):.0f}")
    if not is_same:
        print("nodes differ: this is another solver than the command's", file=sys.stderr)
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
