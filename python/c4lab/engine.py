"""An engine: a solver or a player of your own, in Python, that the laboratory measures.

An engine is a foreign program: the laboratory writes positions to its stdin, one in each line, and reads one line for
each answer from its stdout. This module makes such a program from a Python class or function in a file:

    c4lab measure --variants champion --test-sets end-easy --engine mine='python3 -m c4lab.engine solver.py Mine' \\
        --engine-key mine.request='{moves} {goal}' --engine-key mine.version='python3 -m c4lab.engine solver.py Mine --version'
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TextIO

from ._native import Position

Answers = Literal["score", "scores", "move"]
"""The answers of an engine: the score of a position, the scores of all columns, or a column."""


class Engine:
    """The base of solvers and players of your own.

    Write one of three methods: `score`, `scores`, or `move`. `score` is enough for everything: in a game, the move
    after which the opponent's score is lowest is played. An engine with `move` alone can play, but not be measured.

    An engine runs in a process of its own, where it is made without arguments: load its data in `__init__`. Its output
    goes to stderr, which is the log in its folder. An exception makes a failed row, with the reason.

    Example:
        class Mine(c4lab.Engine):
            def score(self, position):
                return my_search(position.moves)
    """

    goal: str = "strong"
    """The goal of the current position: "strong", the exact score, or "weak", the winner. Set before each call."""
    nodes: int | None = None
    """The nodes of the last search. If `score` sets it, the laboratory shows it beside its own counts."""
    version: str | None = None
    """The version, which the laboratory keeps with every row. The default is the digest of the source."""

    def score(self, position: Position) -> int:
        """The score of a position that is not over, from the side to move."""
        scores = self.scores(position)
        return max(score for score in scores if score is not None)

    def scores(self, position: Position) -> list[int | None]:
        """The score of every column; None for a column that cannot be played. The first one is column 1."""
        raise NotImplementedError(f"{type(self).__name__} has none of score, scores, move")

    def move(self, position: Position) -> int:
        """The column to play, counted from 1."""
        raise NotImplementedError(f"{type(self).__name__} does not play by itself")

    def reset(self) -> None:
        """Clears earlier positions. Called for the line `reset`, between two positions, outside of all times."""

    @staticmethod
    def of(function: Callable[[Position], Any], answers: Answers = "score") -> Engine:
        """The engine of a function that takes a Position and returns the answer that `answers` names."""
        engine = Engine()
        setattr(engine, answers, function)
        return engine


def opened(file: str, name: str, answers: Answers) -> tuple[Engine, str]:
    """The engine of a class or a function in a file, and its version."""
    sys.path.insert(0, str(Path(file).resolve().parent))
    # The module is not __main__, so that the file does not run as a script.
    spec = importlib.util.spec_from_file_location("c4lab_engine", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file}: no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules["c4lab_engine"] = module
    spec.loader.exec_module(module)
    found = getattr(module, name)
    if isinstance(found, type) and issubclass(found, Engine):
        engine = found()
    elif callable(found) and not isinstance(found, type):
        engine = Engine.of(found, answers)
    else:
        raise TypeError(f"{name} in {file}: not an Engine or a function of a position, but {found!r}")
    return engine, engine.version or f"{name} {hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]}"


def answer(engine: Engine, line: str, answers: Answers, board: str) -> str:
    """The answer to a line, which is `reset`, or moves and an optional goal."""
    words = line.split()
    if words == ["reset"]:
        engine.reset()
        return "ready"
    moves, engine.goal = words[0], words[1] if len(words) > 1 else "strong"
    position = Position(moves, board)
    engine.nodes = None
    if answers == "move":
        return f"{moves} {int(engine.move(position))}"
    if answers == "scores":
        scores = engine.scores(position)
        return f"{moves} {' '.join('.' if score is None else str(int(score)) for score in scores)}"
    score = int(engine.score(position))
    return f"{moves} {score}" if engine.nodes is None else f"{moves} {score} {int(engine.nodes)}"


def serve(engine: Engine, lines: TextIO, out: TextIO, answers: Answers, board: str) -> None:
    """Answers each line of `lines`."""
    for line in lines:
        print(answer(engine, line, answers, board), file=out, flush=True)


def _main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m c4lab.engine", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="a Python file")
    parser.add_argument("name", help="a class of Engine, or a function of a position, in it")
    parser.add_argument("--answers", choices=["score", "scores", "move"], default="score", help="the kind of its answers")
    parser.add_argument("--board", default="7x6", help="columns and rows")
    parser.add_argument("--version", action="store_true", help="print the engine's version")
    asked = parser.parse_args()
    # The engine's own output must not mix with answers.
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        engine, version = opened(asked.file, asked.name, asked.answers)
        if asked.version:
            print(version, file=out)
        else:
            serve(engine, sys.stdin, out, asked.answers, asked.board)
    except KeyboardInterrupt:
        return 130
    except Exception:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    # An engine's file imports this module as c4lab.engine, so its `_main` must be that module's, not that of __main__.
    from c4lab import engine as _ourselves

    sys.exit(_ourselves._main())
