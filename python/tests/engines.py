"""Engines that tests ask: each stands in this file, and is run by another process."""

from __future__ import annotations

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


class Raises(c4lab.Engine):
    """A solver that fails at some positions."""

    def score(self, position: c4lab.Position) -> int:
        if position.ply > 34:
            raise ArithmeticError("too many stones for me")
        return c4lab.solve(position)


def function(position: c4lab.Position) -> int:
    """A solver that is a function."""
    return c4lab.solve(position)


if __name__ == "__main__":
    raise AssertionError("a script with an engine is not run as one")
