"""The module that is compiled from `python/src`. `c4lab` exports its public part."""

from collections.abc import Iterable, Sequence
from typing import Final, final

BOARDS: Final[list[str]]
"""The boards that are searched, the standard one first."""
DEFAULT: Final[str]
"""The default variant."""
NO_SCORE: Final[int]
"""The value in arrays for no score: a column that cannot be played, or a search that reached its limit."""
TARGET_FEATURES: Final[str]
"""The features of the processor for which the module was compiled, with commas, without those detected at start."""
VERSION: Final[str]
"""The version of the package."""

Asked = tuple[str, int | None, float | None, bool]
"""The goal, the most nodes, the most seconds, and True if the table is kept."""

class Stopped(RuntimeError):
    """A search reached one of its limits. `nodes` is the number of its nodes."""

    nodes: int

@final
class Position:
    """A position: moves from the empty board, and the board that they lead to. It is immutable.

    Two positions are equal if their moves are equal; `key` is equal for all orders of moves that lead to one board.
    """

    def __new__(cls, moves: str | Iterable[int] | Position = "", board: str = "7x6") -> Position: ...
    @staticmethod
    def from_grid(rows: Sequence[Sequence[int]] | Sequence[int], board: str = "7x6") -> Position:
        """The position of rows of numbers, or of one list: the top row first, 0 empty, 1 the first player, 2 or -1 the second."""
    @staticmethod
    def from_uci(row: str) -> Position:
        """The position of a row of UCI's data set "Connect-4": 42 squares b, x, o, column by column from the bottom."""
    def to_grid(self) -> list[list[int]]:
        """The board as rows of numbers, the top row first: 0 empty, 1 the first player, 2 the second."""
    def play(self, column: int) -> Position:
        """The position after one more stone in a column, counted from 1."""
    @property
    def moves(self) -> str:
        """The moves as text, one digit each."""
    @property
    def columns(self) -> list[int]:
        """The moves as columns, counted from 1."""
    @property
    def ply(self) -> int:
        """Number of stones on the board."""
    @property
    def board(self) -> str:
        """Columns and rows, as in "7x6"."""
    @property
    def width(self) -> int:
        """Number of columns."""
    @property
    def height(self) -> int:
        """Number of rows."""
    @property
    def key(self) -> int:
        """A number that is equal for all orders of moves to the board, and different for every other board of this size."""
    @property
    def player(self) -> int:
        """The player to move: 1 or 2."""
    @property
    def winner(self) -> int | None:
        """The player who has four in a row, 1 or 2, or None."""
    @property
    def is_over(self) -> bool:
        """True if the game is over."""
    def legal(self) -> list[int]:
        """The columns that can be played, counted from 1, from left to right."""
    def can_play(self, column: int) -> bool:
        """True if a column, counted from 1, can be played."""
    def wins_by(self, column: int) -> bool:
        """True if a stone in a column, counted from 1, wins at once."""
    def mirror(self) -> Position:
        """The mirror image of the position."""
    def plies_left(self, score: int) -> int:
        """The plies to the end of the game with best play, the winning stone included, if the position has this score."""
    def diagram(self) -> str:
        """The board as a drawing, one line for each row: X is the first player, O the second."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Position], tuple[str, str]]: ...

@final
class Search:
    """Searches positions of one board with one variant. `c4lab.Solver` is the public class."""

    def __new__(cls, variant: str, board: str, table: int | str | None) -> Search: ...
    def solve(self, position: str | Iterable[int] | Position, asked: Asked) -> tuple[int, int]: ...
    def analyze(self, position: str | Iterable[int] | Position, asked: Asked) -> list[int | None]: ...
    def best_move(self, position: str | Iterable[int] | Position, asked: Asked) -> int | None: ...
    def best_line(self, position: str | Iterable[int] | Position, asked: Asked) -> list[int]: ...
    def many(
        self, positions: bytes, shape: tuple[bool, bool], asked: Asked, threads: int
    ) -> tuple[bytearray, bytearray]: ...
    def reset(self) -> None: ...
    @property
    def is_busy(self) -> bool: ...
    @property
    def variant(self) -> str: ...
    @property
    def board(self) -> str: ...
    @property
    def table_bytes(self) -> int: ...

def variants() -> list[tuple[str, str, list[tuple[str, str]], str | None, bool, list[str]]]: ...
