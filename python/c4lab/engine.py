"""An engine: a solver or a player of your own, in Python, that takes part in `measure` and `match`.

The laboratory knows foreign programs: it asks on stdin, one position a line, and reads one answer a line from stdout. Here such a
program is made of a Python class or function. `python -m c4lab.engine FILE NAME` is that program; `measure` and `match` write this
command for you.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import pickle
import shlex
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TextIO

from ._native import Position

Answers = Literal["score", "scores", "move"]
"""What an engine answers with: the score of a position, the scores of all columns, a column."""


class Engine:
    """The base of solvers and players of your own.

    Write one of three methods. `score` is enough for everything: whoever plays takes the move after which the opponent's score is
    lowest. `move` alone is a player, which `match` can ask and `measure` cannot.

    An engine runs in a process of its own. There it is made without arguments, if it is a class; so what it needs it loads in
    `__init__`. Whatever it prints goes to the log of its folder. An exception in it is a failed row, with the reason.

    Example:
        class Mine(c4lab.Engine):
            def score(self, position):
                return my_search(position.moves)

        c4lab.measure(["champion"], ["middle-easy"], engines={"mine": Mine}, limit=100)
    """

    goal: str = "strong"
    """What is asked for now: "strong", the exact score, or "weak", who wins. Set before each question."""
    nodes: int | None = None
    """Nodes of the last search. Set it in `score`, and the laboratory shows them beside its own."""
    version: str | None = None
    """The version, which the laboratory keeps with every row. Unless it is set, the digest of the source is one."""

    def score(self, position: Position) -> int:
        """The score of a position that is not over, from the side to move, as everywhere in c4lab."""
        scores = self.scores(position)
        return max(score for score in scores if score is not None)

    def scores(self, position: Position) -> list[int | None]:
        """The score of every column; None where nothing can be played. The first one is column 1."""
        raise NotImplementedError(f"{type(self).__name__} has none of score, scores, move")

    def move(self, position: Position) -> int:
        """The column to play, counted from 1."""
        raise NotImplementedError(f"{type(self).__name__} does not play by itself")

    def reset(self) -> None:
        """Forgets earlier positions. Called between two positions, outside of any time, where it is written."""

    @staticmethod
    def of(function: Callable[[Position], Any], answers: Answers = "score") -> Engine:
        """The engine of a function that takes a Position and gives what `answers` says."""
        return _Function(function, answers)


class _Function(Engine):
    """An engine that is one function."""

    def __init__(self, function: Callable[[Position], Any], answers: Answers) -> None:
        if answers not in ("score", "scores", "move"):
            raise ValueError(f"answers={answers!r}: write 'score', 'scores' or 'move'")
        self.function, self.answers = function, answers
        setattr(self, answers, function)


def can(engine: type[Engine] | Engine, method: str) -> bool:
    """Whether an engine has a method of its own."""
    if isinstance(engine, _Function):
        return engine.answers == method
    kind = engine if isinstance(engine, type) else type(engine)
    return getattr(kind, method) is not getattr(Engine, method)


def answers_of(engine: type[Engine] | Engine, *, plays: bool) -> Answers:
    """What an engine answers with, where it plays or where it is measured."""
    order: tuple[Answers, ...] = ("move", "scores", "score") if plays else ("score", "scores")
    for method in order:
        if can(engine, method):
            return method if plays else "score"
    name = engine.__name__ if isinstance(engine, type) else type(engine).__name__
    what = "it plays, and tells no score" if can(engine, "move") else "it has none of score, scores, move"
    raise ValueError(f"engine {name}: {what}")


def command(engine: Any, *, plays: bool, board: str, folder: Path, name: str) -> tuple[str, dict[str, str]]:
    """The command that runs an engine, and the keys of its table.

    A class or a function that stands in a file is named; anything else is pickled into the folder.
    """
    if isinstance(engine, str):
        return engine, {}
    if not isinstance(engine, Engine) and not (isinstance(engine, type) and issubclass(engine, Engine)):
        if isinstance(engine, type) or not callable(engine):
            raise TypeError(f"engine {name}: an Engine, a function of a position, or a command was asked for, not {engine!r}")
        engine = Engine.of(engine)
    answers = answers_of(engine, plays=plays)
    words = [sys.executable, "-m", "c4lab.engine", *_named(engine, folder, name), "--answers", answers]
    if board != "7x6":
        words += ["--board", board]
    keys = {"request": "{moves} {goal}", "version": shlex.join([*words, "--version"])}
    if plays:
        keys["answer"] = f"{{moves}} {{{answers}}}" + (" [{nodes}]" if answers == "score" else "")
    if can(engine, "reset"):
        keys["reset"] = '{ line = "reset", answer = "ready" }'
    return shlex.join(words), keys


def _named(engine: type[Engine] | Engine, folder: Path, name: str) -> list[str]:
    """The words that name an engine for another process: a file or a module, and a name in it; or a file alone, which is pickled."""
    target: Any = engine.function if isinstance(engine, _Function) and engine.answers == "score" else engine
    if isinstance(target, type) or inspect.isfunction(target):
        path = target.__qualname__
        module = sys.modules.get(target.__module__)
        if "<" not in path and module is not None:
            if target.__module__ != "__main__":
                return [f"module:{target.__module__}", path]
            file = getattr(module, "__file__", None)
            if file is not None and Path(file).is_file():
                return [os.path.abspath(file), path]
    try:
        import cloudpickle

        pickled = cloudpickle.dumps(engine)
    except ImportError:
        raise ImportError(
            f"engine {name}: it stands in no file, so another process cannot import it. Put it into a file, or install cloudpickle "
            "(pip install cloudpickle)"
        ) from None
    file = folder / f"{name}.pickle"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(pickled)
    return [os.path.abspath(file)]


def opened(place: str, path: str | None) -> tuple[Engine, str]:
    """The engine that some words name, and its version."""
    if path is None:
        # Written by `command` of this user, a moment ago.
        data = Path(place).read_bytes()
        found, source = pickle.loads(data), data
    elif place.startswith("module:"):
        module = importlib.import_module(place.removeprefix("module:"))
        found, source = _attribute(module, path), Path(module.__file__ or os.devnull).read_bytes()
    else:
        sys.path.insert(0, str(Path(place).parent))
        # Not as __main__: what a script does when it is run is not done.
        spec = importlib.util.spec_from_file_location("c4lab_engine", place)
        if spec is None or spec.loader is None:
            raise ImportError(f"{place}: no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules["c4lab_engine"] = module
        spec.loader.exec_module(module)
        found, source = _attribute(module, path), Path(place).read_bytes()
    engine = found() if isinstance(found, type) else found if isinstance(found, Engine) else Engine.of(found)
    return engine, engine.version or f"{path or type(engine).__name__} {hashlib.sha256(source).hexdigest()[:12]}"


def _attribute(module: Any, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name)
    return module


def answer(engine: Engine, line: str, answers: str, board: str) -> str:
    """The answer to a line: moves and a goal, or `reset`."""
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


def serve(engine: Engine, lines: TextIO, out: TextIO, answers: str, board: str) -> None:
    """Answers line by line, until there is no more."""
    for line in lines:
        print(answer(engine, line, answers, board), file=out, flush=True)


def _main() -> int:
    import argparse

    parser = argparse.ArgumentParser(prog="python -m c4lab.engine", description=__doc__)
    parser.add_argument("place", help="a Python file, module:NAME, or a file that is pickled")
    parser.add_argument("name", nargs="?", help="a class or a function in it")
    parser.add_argument("--answers", choices=["score", "scores", "move"], default="score")
    parser.add_argument("--board", default="7x6", help="columns and rows")
    parser.add_argument("--version", action="store_true", help="print the engine's version")
    asked = parser.parse_args()
    # What the engine prints is no answer.
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        engine, version = opened(asked.place, asked.name)
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
    # The classes of an engine know this file as c4lab.engine, and so must it itself.
    from c4lab import engine as _ourselves

    sys.exit(_ourselves._main())
