"""Many positions at once: every kind of array that holds them, and what is said of those that do not."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from conftest import lines_of, random_position

import c4lab
from c4lab import NO_SCORE, Position, Solver

MOVES = [moves for moves, _ in lines_of("end-easy")]
SCORES = [score for _, score in lines_of("end-easy")]


def test_texts_of_every_kind() -> None:
    import pandas
    import polars

    solver = Solver()
    some, scores = MOVES[:40], SCORES[:40]
    for positions in (
        some,
        tuple(some),
        iter(some),
        np.array(some),
        np.array(some, dtype=object),
        np.array(some, dtype="S"),
        [Position(moves) for moves in some],
        [*map(Position, some[:20]), *some[20:]],
        pandas.Series(some),
        pandas.Series(some, dtype="string"),
        polars.Series(some),
    ):
        found = solver.solve_many(positions)  # type: ignore[arg-type]
        assert found.scores.tolist() == scores, type(positions)
        assert (found.scores.dtype, found.nodes.dtype, found.nodes.shape) == (np.int8, np.uint64, (40,))
    assert found.scores.flags.writeable


def test_threads_answer_as_one_does() -> None:
    solver = Solver()
    one = solver.solve_many(MOVES, threads=1)
    assert one.scores.tolist() == SCORES
    for threads in (2, 3, 7, 1000):
        found = solver.solve_many(MOVES[: 300 if threads > 10 else 1000], threads=threads)
        count = len(found.scores)
        assert (found.scores == one.scores[:count]).all() and (found.nodes == one.nodes[:count]).all()
    with pytest.raises(ValueError, match="threads=0: at least one"):
        solver.solve_many(MOVES, threads=0)
    with pytest.raises(ValueError, match="threads=100000: at least one, at most 1024"):
        solver.solve_many(MOVES, threads=100_000)
    with pytest.raises(TypeError, match="integer"):
        solver.solve_many(MOVES, threads=1.5)  # type: ignore[arg-type]


def test_boards_are_positions() -> None:
    solver = Solver()
    boards = np.array([Position(moves).to_grid() for moves in MOVES[:200]])
    assert boards.shape == (200, 6, 7)
    for array in (boards, boards.astype(np.uint8), boards.astype(np.float64).astype(np.int16), boards.tolist()):
        assert solver.solve_many(array).scores.tolist() == SCORES[:200]
    signs = np.where(boards == 2, -1, boards).astype(np.int8)
    assert solver.solve_many(signs).scores.tolist() == SCORES[:200]
    # A view that is not contiguous.
    assert solver.solve_many(boards[::2, :, ::-1]).scores.tolist() == SCORES[:200:2]
    other = np.array([random_position(seed, 30, "8x6").to_grid() for seed in range(20)])
    assert solver.solve_many(np.empty((0, 6, 7), int)).scores.shape == (0,)
    assert len(Solver(board="8x6").solve_many(other).scores) == 20


def test_columns_of_many() -> None:
    solver = Solver()
    scores = solver.analyze_many(MOVES[:50])
    assert (scores.shape, scores.dtype) == ((50, 7), np.int8)
    for moves, row, score in zip(MOVES, scores.tolist(), SCORES):
        assert row == [NO_SCORE if found is None else found for found in solver.analyze(moves)]
        assert max(row) == score
    assert solver.analyze_many([]).shape == (0, 7)
    assert solver.analyze_many([""], node_limit=10).tolist() == [[NO_SCORE] * 7]


def test_no_positions_and_the_empty_board() -> None:
    solver = Solver(board="6x5")
    assert solver.solve_many([]).scores.shape == (0,)
    assert solver.solve_many(["", "-", Position(board="6x5")]).scores.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("positions", "error", "said"),
    [
        ("4455", TypeError, "not one str"),
        (Position("44"), TypeError, "not one Position"),
        (5, TypeError, "not int"),
        (None, TypeError, "not NoneType"),
        (np.zeros((3, 6, 7)), TypeError, "not an array of float64"),
        (np.zeros((3, 6, 7), complex), TypeError, "not an array of complex128"),
        (np.zeros((6, 7), int), ValueError, "not shape (6, 7)"),
        (np.zeros((3, 7, 6), int), ValueError, "not shape (3, 7, 6)"),
        (np.zeros((3, 1, 6, 7), int), ValueError, "not shape (3, 1, 6, 7)"),
        (np.array([44, 45]), ValueError, "not shape (2,)"),
        (np.array([["44", "45"]]), ValueError, "not an array of texts of shape (1, 2)"),
        ([44, 45], ValueError, 'not shape (2,). Moves that were read as numbers: read them as text, dtype={"moves": str}'),
        ([1.5], TypeError, "not an array of float64"),
        ([[1], [1, 2]], ValueError, "not a list of different shapes"),
        (["44", 45], TypeError, "position 1 is int"),
        (["44", None], TypeError, "position 1 is NoneType"),
        (["44", float("nan")], TypeError, "position 1 is float"),
        (np.full((1, 6, 7), 300), ValueError, "300 is none of them"),
        (np.full((1, 6, 7), 9), ValueError, "position 0: row 1, column 1: 9 is none of 0, 1, 2 and -1"),
        (["44", "44x"], ValueError, "position 1 (\"44x\"): ply 3: 'x' is not a column (1 to 7)"),
        (["44", "4\n4"], ValueError, "position 1 ('4\\n4'): a line end is no move"),
        (["44", "4\ud800"], ValueError, "position 1"),
        (["44\r4"], ValueError, "position 0"),
        ([Position("4", "8x6")], ValueError, "position 0: a position of 8x6, not of 7x6"),
    ],
)
def test_another_shape_or_type_is_told(positions: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=re.escape(said)) as told:
        Solver().solve_many(positions)
    if "was asked" not in said and "position" not in said and "none of" not in said:
        assert "(n, 6, 7)" in str(told.value)


def test_the_first_bad_position_of_many_is_named() -> None:
    many = MOVES * 20
    many[12345] = "49"
    with pytest.raises(ValueError, match=r'position 12345 \("49"\): ply 2'):
        Solver().solve_many(many)
    many[300] = "1111111"
    with pytest.raises(ValueError, match=r"position (300|12345)"):
        Solver().solve_many(many, threads=2)


def test_a_million_positions() -> None:
    solver = Solver()
    found = solver.solve_many(MOVES * 1000)
    assert (found.scores.reshape(1000, 1000) == np.array(SCORES, np.int8)).all()
    assert len(np.unique(found.nodes.reshape(1000, 1000), axis=0)) == 1
    assert c4lab.NO_SCORE not in found.scores
