"""Connect Four: exact scores of positions, and the samples of a laboratory that measures solvers.

Positions are moves: text with one digit a move, columns counted from 1. Scores are from the side to move: 0 is a draw,
above 0 a win, below 0 a loss. On the standard board a win is 22 minus the number of the winner's stones.

    >>> import c4lab
    >>> c4lab.solve("44455554221")
    -15
    >>> c4lab.analyze("3642756176227637211322113551637574556")
    [None, None, 2, -2, None, None, None]

Contents: `solve`, `analyze`, `best_move`, `best_line` for one position; `Solver` for a chosen variant, board and table,
and for many positions at once, as NumPy arrays; `Position`; `variants`; `load` for samples as a frame; `Engine` for a
solver of your own that the laboratory measures. `python -m c4lab` is the laboratory's command.
"""

from ._native import BOARDS, NO_SCORE, Position, Stopped
from ._native import VERSION as __version__
from .engine import Engine
from .samples import load
from .solver import Solutions, Solver, analyze, best_line, best_move, solve
from .variant import Variant, variants

__all__ = [
    "BOARDS",
    "NO_SCORE",
    "Engine",
    "Position",
    "Solutions",
    "Solver",
    "Stopped",
    "Variant",
    "__version__",
    "analyze",
    "best_line",
    "best_move",
    "load",
    "solve",
    "variants",
]
