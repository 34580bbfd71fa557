"""Solving: one position, or many at once."""

from __future__ import annotations

import operator
import os
import threading
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native, batch
from ._native import Position
from .variant import Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

AnyPosition = str | Iterable[int] | Position
"""Text with a digit for each move, columns as numbers (both count from 1), or a Position."""


MOST_THREADS = 1024
"""The most threads of one call. Each has a table of its own."""


class Solutions(NamedTuple):
    """The answers to many positions, in their order."""

    scores: npt.NDArray[np.int8]
    """The score of each position, from the side to move; `NO_SCORE` if its search reached a limit."""
    nodes: npt.NDArray[np.uint64]
    """The nodes that each search entered."""


class Solver:
    """Solves positions of one board with one variant.

    A search runs without the interpreter's lock, so that other Python threads can run. Ctrl-C ends it with
    KeyboardInterrupt. A Solver runs one search at a time: make one for each thread, or give it many positions at once.
    A copy, also by `pickle` in another process, is a new Solver with an empty table.

    Args:
        variant: its name, with optional changes and settings: "pons-12", "champion[order=centre]", "champion@1GiB".
        board: columns and rows. `c4lab.BOARDS` lists the boards that are searched.
        table: the size of the table of each thread, unless the variant fixes it: "1GiB", "40MB", or a number of bytes.
        keep: True keeps the table from one position to the next. False clears it, so that the nodes of a position do
            not depend on earlier ones, as in all results of the project. True finds similar positions faster, and nodes
            depend on earlier searches.

    Raises:
        ValueError: an unknown variant, board or size.
        MemoryError: there is not enough memory for the table.

    Example:
        >>> solver = Solver("pons-12")
        >>> solver.solve("3642756176227637211322113551637574556")
        2
        >>> solver.solve_many(["44444415", "222222111111"], goal="weak").scores.tolist()
        [1, 0]
    """

    def __init__(
        self,
        variant: str | Variant = _native.DEFAULT,
        board: str = "7x6",
        table: int | str | None = None,
        *,
        keep: bool = False,
    ) -> None:
        self._search = _native.Search(str(variant), board, table)
        self._table = table
        self._keep = keep
        self._nodes = 0
        _made.add(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"variant": self.variant, "board": self.board, "table": self._table, "keep": self._keep}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Solver.__init__(self, **state)

    @property
    def variant(self) -> str:
        """The name of the variant, as given."""
        return self._search.variant

    @property
    def board(self) -> str:
        """Columns and rows."""
        return self._search.board

    @property
    def table_bytes(self) -> int:
        """The bytes of the table of one thread; 0 without a table. Some tables grow."""
        return self._search.table_bytes

    @property
    def nodes(self) -> int:
        """The nodes of the last `solve`, until its end or a limit."""
        return self._nodes

    def __repr__(self) -> str:
        board = "" if self.board == "7x6" else f", board={self.board!r}"
        return f"Solver({self.variant!r}{board})"

    def solve(
        self,
        position: AnyPosition,
        *,
        goal: str = "strong",
        node_limit: int | None = None,
        time_limit: float | None = None,
    ) -> int:
        """The score of a position, from the side to move.

        Args:
            position: text ("4453"), columns ([4, 4, 5, 3]) or a Position.
            goal: "strong" for the exact score, "weak" for who wins: 1, 0 or -1.
            node_limit: the most nodes of the search.
            time_limit: the most seconds of the search.

        Raises:
            ValueError: no position of this board, or a goal that the variant does not have.
            Stopped: a limit was reached. The exception has the `nodes` until then.
            KeyboardInterrupt: Ctrl-C. The Solver can search the next position.
        """
        try:
            score, self._nodes = self._search.solve(position, (goal, node_limit, time_limit, self._keep))
        except _native.Stopped as stopped:
            self._nodes = stopped.nodes
            raise
        return score

    def analyze(
        self,
        position: AnyPosition,
        *,
        goal: str = "strong",
        node_limit: int | None = None,
        time_limit: float | None = None,
    ) -> list[int | None]:
        """The score of every column, column 1 first, from the side to move; None for a column that cannot be played.

        The limits are those of each column. See `solve` for arguments and errors.
        """
        return self._search.analyze(position, (goal, node_limit, time_limit, self._keep))

    def best_move(
        self,
        position: AnyPosition,
        *,
        goal: str = "strong",
        node_limit: int | None = None,
        time_limit: float | None = None,
    ) -> int | None:
        """The column, from 1, of the best move nearest to the centre. None if the game is over.

        The limits are those of each search. See `solve` for arguments and errors.
        """
        return self._search.best_move(position, (goal, node_limit, time_limit, self._keep))

    def best_line(
        self,
        position: AnyPosition,
        *,
        goal: str = "strong",
        node_limit: int | None = None,
        time_limit: float | None = None,
    ) -> list[int]:
        """The columns, from 1, of a line of best play to the end of the game.

        The limits are those of each search. See `solve` for arguments and errors.
        """
        return self._search.best_line(position, (goal, node_limit, time_limit, self._keep))

    def solve_many(
        self,
        positions: batch.ManyPositions,
        *,
        goal: str = "strong",
        node_limit: int | None = None,
        time_limit: float | None = None,
        threads: int | None = None,
    ) -> Solutions:
        """Scores and nodes of many positions.

        Args:
            positions: n positions. Text of moves: a list, an array of shape (n,), a column of a frame. Or boards: an
                array of whole numbers of shape (n, height, width), the top row first, with 0 for an empty square, 1 for
                the first player, 2 or -1 for the second.
            goal, node_limit, time_limit: as in `solve`, for each position.
            threads: the number of threads, each with a table of its own: at most 1024, by default the number of cores.

        Returns:
            Arrays of shape (n,): `scores` (int8) and `nodes` (uint64). After a limit a score is `NO_SCORE`.

        Raises:
            TypeError: neither text nor whole numbers.
            ValueError: another shape, or an illegal position; the message has its index.
            KeyboardInterrupt: Ctrl-C.
        """
        scores, nodes = self._many(positions, False, (goal, node_limit, time_limit, self._keep), threads)
        return Solutions(scores, nodes)

    def analyze_many(
        self,
        positions: batch.ManyPositions,
        *,
        goal: str = "strong",
        node_limit: int | None = None,
        time_limit: float | None = None,
        threads: int | None = None,
    ) -> npt.NDArray[np.int8]:
        """The scores of all columns of many positions: an array of shape (n, width), of type int8.

        A column that cannot be played has `NO_SCORE`. If the search of a column reached a limit, its whole row has
        `NO_SCORE`. See `solve_many` for arguments and errors.
        """
        scores, _ = self._many(positions, True, (goal, node_limit, time_limit, self._keep), threads)
        return scores.reshape(-1, int(self.board.split("x")[0]))

    def reset(self) -> None:
        """Clears the table. Only a Solver with `keep=True` holds earlier positions."""
        self._search.reset()

    def _many(
        self, positions: batch.ManyPositions, columns: bool, asked: _native.Asked, threads: int | None
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint64]]:
        import numpy as np

        threads = batch.cores() if threads is None else operator.index(threads)
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads={threads}: at least one, at most {MOST_THREADS}")
        packed, grids = batch.packed(positions, self.board)
        scores, nodes = self._search.many(packed, (grids, columns), asked, threads)
        return np.frombuffer(scores, np.int8), np.frombuffer(nodes, "<u8").astype(np.uint64, copy=False)


_made: weakref.WeakSet[Solver] = weakref.WeakSet()
"""Every Solver of this process."""


def _after_fork() -> None:
    """Replaces the searches of other threads in a forked process, which does not have these threads."""
    for solver in list(_made):
        if solver._search.is_busy:
            solver._search = _native.Search(solver._search.variant, solver._search.board, solver._table)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

_ours = threading.local()

_MOST_KEPT = 4
"""The most solvers that the functions keep for each thread. Each has a table."""


def _solver(variant: str | Variant | None, position: AnyPosition, board: str | None) -> Solver:
    """The solver of this thread for a variant and a board."""
    board = board or (position.board if isinstance(position, Position) else "7x6")
    if variant is None:
        variant = _native.DEFAULT
    solvers: dict[tuple[str, str], Solver] = _ours.__dict__.setdefault("solvers", {})
    key = (str(variant), board)
    # The solver that was used last is the last one.
    solver = solvers.pop(key, None) or Solver(variant, board)
    if len(solvers) >= _MOST_KEPT:
        del solvers[next(iter(solvers))]
    solvers[key] = solver
    return solver


def solve(
    position: AnyPosition, *, goal: str = "strong", variant: str | Variant | None = None, board: str | None = None
) -> int:
    """The score of a position, from the side to move: 0 is a draw, above 0 a win, below 0 a loss.

    Args:
        position: text with a digit a move ("4453"), columns ([4, 4, 5, 3]) or a Position. Columns count from 1.
        goal: "strong" for the exact score, "weak" for who wins: 1, 0 or -1.
        variant: the variant that solves it, by default the champion.
        board: columns and rows, by default those of the Position, or else "7x6".

    Raises:
        ValueError: no position of this board. The message names the ply and the reason.
        KeyboardInterrupt: Ctrl-C ends the search.

    Example:
        >>> solve("44455554221")
        -15
    """
    return _solver(variant, position, board).solve(position, goal=goal)


def analyze(
    position: AnyPosition, *, goal: str = "strong", variant: str | Variant | None = None, board: str | None = None
) -> list[int | None]:
    """The score of every column, column 1 first, from the side to move; None for a column that cannot be played.

    See `solve` for arguments and errors.

    Example:
        >>> analyze("44")
        [-3, -3, -2, 1, -2, -3, -3]
    """
    return _solver(variant, position, board).analyze(position, goal=goal)


def best_move(
    position: AnyPosition, *, goal: str = "strong", variant: str | Variant | None = None, board: str | None = None
) -> int | None:
    """The column, from 1, of the best move nearest to the centre. None if the game is over.

    See `solve` for arguments and errors.

    Example:
        >>> best_move("44")
        4
    """
    return _solver(variant, position, board).best_move(position, goal=goal)


def best_line(
    position: AnyPosition, *, goal: str = "strong", variant: str | Variant | None = None, board: str | None = None
) -> list[int]:
    """The columns, from 1, of a line of best play to the end of the game.

    See `solve` for arguments and errors.

    Example:
        >>> best_line("121212")
        [1]
    """
    return _solver(variant, position, board).best_line(position, goal=goal)
