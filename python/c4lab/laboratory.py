"""Measuring and playing: the laboratory, asked from Python.

The command does the work, in a process of its own: it alone times and checks, so a number is the same whoever asked for it. What it
writes lies in a folder, and is read from there.
"""

from __future__ import annotations

import csv
import datetime
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from . import command
from .engine import Engine
from .engine import command as engine_command
from .samples import load
from .variant import Variant

AnyEngine = type[Engine] | Engine | Callable[..., Any] | str
"""A class or an instance of Engine, a function of a Position that gives a score, or the command of a program."""

_WRONG, _INCOMPLETE = 4, 5


@dataclass(frozen=True)
class Measurement:
    """What was measured: a folder with rows, as `c4lab measure` writes it."""

    folder: Path
    """The folder. Every command that reads one can go on with it: `c4lab rank FOLDER`, `c4lab report FOLDER --html page.html`."""
    status: Literal["ok", "failed", "wrong", "incomplete"]
    """Whether all answers were right; or an engine failed somewhere, some score was wrong, some limit of the run was reached."""
    messages: str
    """What the command said on its way."""

    def samples(self, frame: Literal["pandas", "polars"] | None = None) -> Any:
        """All rows as a frame: `c4lab.load`."""
        return load(self.folder, frame)

    @property
    def summary(self) -> list[dict[str, Any]]:
        """A row for each set, goal and variant: means in nanoseconds and nodes, speed-ups beside the first variant with 95 %
        intervals. docs/FORMAT.md describes the keys of `summary.csv`. What is not available is None."""
        with open(self.folder / "summary.csv", encoding="utf-8", newline="") as file:
            return [{key: _value(key, text) for key, text in row.items()} for row in csv.DictReader(file)]


@dataclass(frozen=True)
class Games:
    """Games that were played: a folder with rows, as `c4lab match` writes it."""

    folder: Path
    """The folder, which holds `games.csv`."""
    messages: str
    """What the command said on its way."""

    @property
    def results(self) -> dict[str, dict[str, int]]:
        """How many games each player won, drew and lost, as {"champion": {"won": 9, "drawn": 1, "lost": 0}, ...}."""
        rows = self.rows
        names = dict.fromkeys(name for row in rows for name in (row["first"], row["second"]))
        results = {name: {"won": 0, "drawn": 0, "lost": 0} for name in names}
        for row in rows:
            ends = {"1-0": ("won", "lost"), "0-1": ("lost", "won"), "1/2": ("drawn", "drawn")}[row["result"]]
            for name, end in zip((row["first"], row["second"]), ends):
                results[name][end] += 1
        return results

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each game. docs/FORMAT.md describes the keys. What is not available is None."""
        with open(self.folder / "games.csv", encoding="utf-8", newline="") as file:
            return [{key: _value(key, text) for key, text in row.items()} for row in csv.DictReader(file)]


_NUMBERS = {"positions", "ok", "wrong", "limited", "failed", "short", "schema_version", "game", "seed"}
_TEXTS = {"set", "variant", "goal", "apart", "opening", "moves", "first", "second", "result", "end", "reason", "git_rev", "ended_at"}


def _value(key: str, text: str) -> Any:
    """A field with its type."""
    if text == "":
        return None
    if key in _TEXTS:
        return text
    return int(text) if key in _NUMBERS or text.lstrip("-").isdigit() else float(text)


def measure(
    variants: Iterable[str | Variant] | str | Variant | None = None,
    test_sets: Iterable[str | os.PathLike[str]] | str | None = None,
    *,
    experiment: str | os.PathLike[str] | None = None,
    engines: Mapping[str, AnyEngine] | None = None,
    goal: Literal["strong", "weak"] | None = None,
    limit: int | None = None,
    repetitions: int | None = None,
    processes: int | None = None,
    table: str | None = None,
    board: str | None = None,
    time_limit: str | float | None = None,
    node_limit: int | None = None,
    seed: int | None = None,
    counters: bool = False,
    out: str | os.PathLike[str] | None = None,
) -> Measurement:
    """Measures variants, and engines of your own, in turn on the same positions. Every score is checked.

    The command `c4lab measure` does it; its help and docs/METHODOLOGY.md say how. Let nothing else run meanwhile.

    Args:
        variants: their names; the first one is what the others are compared with.
        test_sets: names of shipped sets ("end-easy", "by-ply", ...) or files.
        experiment: instead, or to be changed by the rest: the name of an experiment that ships, or a file.
        engines: your own, by name: a class of Engine, a function of a Position that gives its score, or a command.
        goal: "strong" for exact scores, "weak" for who wins.
        limit: the most positions of each set.
        repetitions, processes: passes over the sets, and fresh processes that each make them.
        table: size of tables that a variant does not fix: "64MiB".
        board: columns and rows of the sets, as in "8x7".
        time_limit, node_limit: the most of one search: seconds or text as in "10s", and a number of nodes.
        seed: the seed of the order.
        counters: also count what tables do, in a pass that is not timed.
        out: the folder. One that was begun is completed. A new one in runs/ unless named.

    Raises:
        ValueError: something that the command refuses; its own words.
        FileNotFoundError: this package was built without the command.
        KeyboardInterrupt: Ctrl-C. The folder keeps what was measured; the same call with `out` goes on.

    Warns (RuntimeWarning) where a score was wrong, or an engine failed: rows say where.

    Example:
        found = c4lab.measure(["pons-11", "pons-12"], ["middle-easy"], limit=100)
        found.summary[1]["speedup"]
    """
    folder = _folder(out, "measure")
    words = ["measure"]
    if experiment is not None:
        words.append(os.fspath(experiment))
    _list(words, "--variants", variants)
    _list(words, "--test-sets", test_sets)
    for option, value in (
        ("--goal", goal),
        ("--limit", limit),
        ("--repetitions", repetitions),
        ("--processes", processes),
        ("--tt", table),
        ("--board", board),
        ("--time-limit", _duration("time_limit", time_limit)),
        ("--node-limit", node_limit),
        ("--seed", seed),
    ):
        _option(words, option, value)
    if counters:
        words.append("--counters")
    words += _engines(engines or {}, plays=False, board=board or "7x6", folder=folder)
    ended = command.run([*words, "--out", str(folder), "--quiet", "--format", "csv"])
    states: dict[int, Literal["ok", "failed", "wrong", "incomplete"]]
    states = {0: "ok", 1: "failed", _WRONG: "wrong", _INCOMPLETE: "incomplete"}
    if ended.status not in states or not (folder / "summary.csv").is_file():
        raise _refused(ended)
    if ended.status in (1, _WRONG):
        warnings.warn(ended.stderr.strip(), RuntimeWarning, stacklevel=2)
    return Measurement(folder, states[ended.status], ended.stderr)


def match(
    one: str | Variant,
    other: str | Variant,
    *,
    games: int = 100,
    engines: Mapping[str, AnyEngine] | None = None,
    opening_moves: int = 4,
    goal: Literal["strong", "weak"] | None = None,
    move_time: str | float | None = None,
    node_limit: int | None = None,
    board: str | None = None,
    referee: bool = False,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
) -> Games:
    """Lets two players play. Each opening is played twice, with sides changed.

    Args:
        one, other: variants, names of `engines`, "random" (any move), or "random-best" (any of the best moves).
        games: how many; an even number.
        engines: your own, by name; see Engine.
        opening_moves: how many random moves an opening is.
        goal: "strong" for the fastest win, "weak" for any.
        move_time: the longest that a move may take: seconds, or text as in "1s". An engine that is late loses.
        node_limit: the most nodes of each search of a variant; what it plays then is a guess.
        board: columns and rows.
        referee: whether the champion says which moves gave away a win or a draw.
        seed: the seed of openings and chance.
        out: the folder. One that was begun is completed. A new one in runs/ unless named.

    Raises:
        ValueError: something that the command refuses; its own words.
        FileNotFoundError: this package was built without the command.
        KeyboardInterrupt: Ctrl-C. The folder keeps the games that ended.

    Example:
        class Left(c4lab.Engine):
            def move(self, position):
                return position.legal()[0]

        c4lab.match("champion", "left", engines={"left": Left}, games=10).results
    """
    folder = _folder(out, "match")
    words = ["match", str(one), str(other), "--games", str(games), "--openings", f"random:{opening_moves}"]
    for option, value in (
        ("--goal", goal),
        ("--move-time", _duration("move_time", move_time)),
        ("--node-limit", node_limit),
        ("--board", board),
        ("--seed", seed),
    ):
        _option(words, option, value)
    if referee:
        words.append("--referee")
    words += _engines(engines or {}, plays=True, board=board or "7x6", folder=folder)
    ended = command.run([*words, "--out", str(folder), "--quiet", "--format", "csv"])
    if ended.status not in (0, _INCOMPLETE):
        raise _refused(ended)
    return Games(folder, ended.stderr)


def _folder(out: str | os.PathLike[str] | None, name: str) -> Path:
    """The folder that is named, or a new one."""
    if out is not None:
        return Path(out)
    moment = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H-%M-%S-%f")
    return Path("runs") / f"{name}-{moment}"


def _list(words: list[str], option: str, values: Iterable[Any] | str | Variant | None) -> None:
    """Adds an option with a list."""
    if values is None:
        return
    listed = [values] if isinstance(values, (str, Variant)) else list(values)
    words += [option, ",".join(value if isinstance(value, str) else str(value) for value in listed)]


def _duration(name: str, value: str | float | None) -> str | None:
    """A time as the command reads it, of a text or a number of seconds."""
    if value is None or isinstance(value, str):
        return value
    # One year: not a number and infinity are no time either.
    if not 0 <= value <= 366 * 86400:
        raise ValueError(f'{name}={value}: a number of seconds, or text as in "10s"')
    return f"{int(value)}s" if value == int(value) else f"{round(value * 1e9)}ns"


def _option(words: list[str], option: str, value: Any) -> None:
    """Adds an option with a value, if there is one."""
    if value is not None:
        words += [option, str(value)]


def _engines(engines: Mapping[str, AnyEngine], *, plays: bool, board: str, folder: Path) -> list[str]:
    """The words that name engines."""
    words: list[str] = []
    for name, engine in engines.items():
        text, keys = engine_command(engine, plays=plays, board=board, folder=folder / "engines", name=name)
        words += ["--engine", f"{name}={text}"]
        for key, value in keys.items():
            words += ["--engine-key", f"{name}.{key}={value}"]
    return words


def _refused(ended: command.Ended) -> Exception:
    """What a command that did nothing said of it."""
    said = ended.stderr.strip() or f"c4lab ended with status {ended.status}"
    return ValueError(said) if ended.status == 2 else RuntimeError(said)
