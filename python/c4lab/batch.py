"""Many positions as bytes for the search: lines of text, or a byte for each square."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._native import Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    ManyPositions = Iterable[str | Position] | npt.NDArray[np.integer[Any]] | npt.NDArray[np.str_]


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def packed(positions: ManyPositions, board: str) -> tuple[bytes, bool]:
    """The bytes of many positions, and True if they are boards.

    Raises TypeError or ValueError if they are neither texts nor boards of this size. The message has the types.
    """
    import numpy as np

    width, height = (int(number) for number in board.split("x"))
    asked = f"n positions were asked for: texts of moves, or an array of whole numbers of shape (n, {height}, {width})"
    if isinstance(positions, (str, bytes, Position)):
        raise TypeError(f"{asked}; not one {type(positions).__name__}")
    # A column of a frame is an array.
    array: Any = positions.to_numpy() if hasattr(positions, "to_numpy") else positions
    if not isinstance(array, np.ndarray):
        try:
            listed = list(positions)
        except TypeError:
            raise TypeError(f"{asked}; not {type(positions).__name__}") from None
        if not listed or isinstance(listed[0], (str, Position)):
            return _lines(listed, board, asked), False
        array = _array(listed, asked)
    if array.dtype.kind in "OUST":
        if array.ndim != 1:
            raise ValueError(f"{asked}; not an array of texts of shape {array.shape}")
        return _lines(array.tolist(), board, asked), False
    if array.dtype.kind not in "iub":
        raise TypeError(f"{asked}; not an array of {array.dtype}")
    if array.ndim != 3 or array.shape[1:] != (height, width):
        # A file of moves without a type for its column is read as numbers.
        hint = '. Moves that were read as numbers: read them as text, dtype={"moves": str}' if array.ndim == 1 else ""
        raise ValueError(f"{asked}; not shape {array.shape}{hint}")
    squares = array.astype(np.int8)
    if not np.array_equal(squares, array):
        raise ValueError(f"{asked}, with 0, 1, 2 and -1 alone: {array.max()} is none of them")
    return squares.tobytes(), True


def _array(positions: list[Any], asked: str) -> Any:
    """The array of a list of boards."""
    import numpy as np

    try:
        return np.asarray(positions)
    except ValueError:
        raise ValueError(f"{asked}; not a list of different shapes") from None


def _lines(positions: list[Any], board: str, asked: str) -> bytes:
    """Texts as lines, each with its end."""
    try:
        text = "\n".join(positions)
    except TypeError:
        text = "\n".join(_moves(index, position, board, asked) for index, position in enumerate(positions))
    if not positions:
        return b""
    if text.count("\n") != len(positions) - 1:
        place = next(index for index, position in enumerate(positions) if "\n" in str(position))
        raise ValueError(f"position {place} ({str(positions[place])[:80]!r}): a line end is no move")
    return (text + "\n").encode("utf-8", "replace")


def _moves(index: int, position: Any, board: str, asked: str) -> str:
    """The text of a position in a list."""
    if isinstance(position, Position):
        if position.board != board:
            raise ValueError(f"position {index}: a position of {position.board}, not of {board}")
        return position.moves
    if isinstance(position, bytes):
        return position.decode("utf-8", "replace")
    if isinstance(position, str):
        return position
    raise TypeError(f"{asked}; position {index} is {type(position).__name__}")
