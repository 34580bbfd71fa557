"""Engines that tests ask: each stands in this file, and is run by another process."""

from __future__ import annotations

import sys

import c4lab


class Champion(c4lab.Engine):
    """A solver: the champion, asked from Python."""

    def __init__(self) -> None:
        self.solver = c4lab.Solver(keep=True)
        print("what an engine prints is no answer")

    def score(self, position: c4lab.Position) -> int:
        score = self.solver.solve(position, goal=self.goal)
        self.nodes = self.solver.nodes
        return score

    def reset(self) -> None:
        self.solver.reset()


class Columns(c4lab.Engine):
    """A solver that tells the scores of all columns."""

    version = "columns 1"

    def scores(self, position: c4lab.Position) -> list[int | None]:
        return c4lab.analyze(position)


class Left(c4lab.Engine):
    """A player: the first column that has room."""

    def move(self, position: c4lab.Position) -> int:
        return position.legal()[0]


class Wrong(c4lab.Engine):
    """A solver that sees draws only."""

    def score(self, position: c4lab.Position) -> int:
        return 0


class Raises(c4lab.Engine):
    """A solver that fails at some positions."""

    def score(self, position: c4lab.Position) -> int:
        if position.ply > 34:
            raise ArithmeticError("too many stones for me")
        return c4lab.solve(position)


class Without(c4lab.Engine):
    """Nothing."""


def function(position: c4lab.Position) -> int:
    """A solver that is a function."""
    return c4lab.solve(position)


if __name__ == "__main__":
    # A script that measures its own class: the process that asks it must not do so again.
    measured = c4lab.measure(["champion"], ["end-easy"], engines={"ours": Champion}, limit=5, out=sys.argv[1])
    print(measured.status, [row["wrong"] for row in measured.summary])
