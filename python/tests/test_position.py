"""Positions: what is read, what is refused, and grids."""

from __future__ import annotations

import copy
import pickle

import pytest
from conftest import random_position

import c4lab
from c4lab import Position


def test_text_numbers_and_positions_are_read() -> None:
    import numpy

    position = Position("4453")
    assert position == Position([4, 4, 5, 3]) == Position((4, 4, 5, 3)) == Position(position)
    assert position == Position(numpy.array([4, 4, 5, 3]))
    assert (position.moves, position.columns, position.ply, str(position)) == ("4453", [4, 4, 5, 3], 4, "4453")
    assert Position() == Position("") == Position("-") == Position([])
    assert repr(position) == "Position('4453')".replace("'", '"')
    assert eval(repr(Position("88", "8x6"))) == Position("88", board="8x6")
    assert position != Position("4453", "8x6") and position != "4453"


def test_positions_are_values() -> None:
    position = Position("44")
    assert position.play(4) == Position("444") and position == Position("44")
    assert len({position, Position("44"), Position("45")}) == 2
    assert pickle.loads(pickle.dumps(position)) == copy.deepcopy(position) == position
    assert pickle.loads(pickle.dumps(Position("8", "8x6"))).board == "8x6"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(position, protocol)) == position
    with pytest.raises(AttributeError):
        position.moves = "45"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("moves", "board", "said"),
    [
        ("44x", "7x6", "ply 3: 'x' is not a column (1 to 7)"),
        ("448", "7x6", "ply 3: '8' is not a column (1 to 7)"),
        ("1111111", "7x6", "ply 7: column 1 is full"),
        ("12121213", "7x6", "ply 8: the game is already won"),
        ([4, 0], "7x6", "ply 2: 0 is not a column (1 to 7)"),
        ([4, -9], "7x6", "ply 2: -9 is not a column (1 to 7)"),
        ("4", "7y6", "board: \"7y6\" is no size of a board"),
        ("4", "20x20", "board: 20x20: columns are named 1 to 9, a, b, c: at most 12"),
        (Position("4", "8x6"), "7x6", "a position of 8x6, not of 7x6"),
    ],
)
def test_what_is_no_position_says_why(moves: object, board: str, said: str) -> None:
    with pytest.raises(ValueError) as error:
        Position(moves, board)  # type: ignore[arg-type]
    assert said in str(error.value)


@pytest.mark.parametrize("moves", [4, 4.5, object(), [4, "x"], [4.5], b"44", [None]])
def test_what_is_of_another_type_is_told_so(moves: object) -> None:
    with pytest.raises(TypeError, match="a position is text"):
        Position(moves)  # type: ignore[arg-type]


def test_boards_that_are_the_same_have_the_same_key() -> None:
    assert Position("123") != Position("321") and Position("123").key == Position("321").key
    keys: dict[int, list[list[int]]] = {}
    for board in ("7x6", "9x6"):
        for seed in range(300):
            position = random_position(seed, seed % 20, board)
            assert keys.setdefault(position.key, position.to_grid()) == position.to_grid()
            assert Position.from_grid(position.to_grid()).key == position.key
        keys.clear()
    assert len({Position(moves).key for moves in ("", "1", "2", "11", "12", "21", "111")}) == 7


def test_any_number_is_asked_for_as_a_column() -> None:
    position = Position("44")
    assert not position.can_play(-1) and not position.wins_by(-1) and not position.can_play(1 << 40)


@pytest.mark.parametrize("rows", ["0", 3, [[0.5]], [["x"]], None])
def test_what_is_no_grid_is_told_what_is(rows: object) -> None:
    with pytest.raises(TypeError, match=r"rows of whole numbers were asked for, the top row first"):
        Position.from_grid(rows)  # type: ignore[arg-type]


def test_the_game_is_played() -> None:
    position = Position("121212")
    assert (position.player, position.winner, position.is_over) == (1, None, False)
    assert position.wins_by(1) and not position.wins_by(3) and not position.wins_by(8) and not position.wins_by(0)
    won = position.play(1)
    assert (won.winner, won.is_over, won.legal(), won.can_play(3)) == (1, True, [], False)
    assert Position("1273").winner is None
    assert Position("1212127").play(2).winner == 2
    assert Position("111111").legal() == [2, 3, 4, 5, 6, 7]
    assert Position("1273").mirror() == Position("7615")
    with pytest.raises(ValueError, match="ply 8: the game is already won"):
        won.play(3)


def test_a_score_says_how_long_the_game_lasts() -> None:
    assert Position().plies_left(1) == 41
    assert Position("121212").plies_left(18) == 1 and Position("12121").plies_left(-18) == 2
    assert Position("12").plies_left(0) == 40 and Position("1212121").plies_left(-18) == 0
    for score in (19, -19, 1000, -(10**6)):
        with pytest.raises(ValueError, match="scores lie between -18 and 18"):
            Position("121212").plies_left(score)


def test_grids_lead_back_to_their_boards() -> None:
    for seed in range(50):
        for board in c4lab.BOARDS:
            position = random_position(seed, seed % 45, board)
            grid = position.to_grid()
            found = Position.from_grid(grid)
            assert found.to_grid() == grid and found.ply == position.ply and found.player == position.player
            assert Position.from_grid([[-1 if square == 2 else square for square in row] for row in grid]) == found
            assert Position.from_grid([square for row in grid for square in row], board) == found
            if board == "7x6":
                columns = [["bxo"[row[column]] for row in reversed(grid)] for column in range(7)]
                assert Position.from_uci(",".join(square for column in columns for square in column) + ",win") == found
            drawn = [line.split() for line in position.diagram().split("\n")]
            assert [[".XO"[square] for square in row] for row in grid] == drawn


def test_boards_of_games_that_are_over_lead_back() -> None:
    import random

    ended = 0
    for seed in range(300):
        draw, position = random.Random(seed), Position()
        while not position.is_over:
            position = position.play(draw.choice(position.legal()))
        found = Position.from_grid(position.to_grid())
        assert (found.to_grid(), found.winner, found.is_over) == (position.to_grid(), position.winner, True)
        ended += position.winner is not None
    assert ended > 200


def test_what_is_no_board_says_why() -> None:
    empty = [[0] * 7 for _ in range(6)]

    def board(*changes: tuple[int, int, int]) -> list[list[int]]:
        rows = [row[:] for row in empty]
        for row, column, stone in changes:
            rows[row - 1][column - 1] = stone
        return rows

    for rows, said in [
        (board((5, 3, 1)), "row 5, column 3: a stone above an empty square"),
        (board((6, 3, 3)), "row 6, column 3: 3 is none of 0, 1, 2 and -1"),
        (board((6, 3, 300)), "row 6, column 3: 127 is none of"),
        (board((6, 3, 2)), "0 stones of the first player and 1 of the second"),
        (board((6, 3, 1), (6, 4, 1)), "2 stones of the first player and 0 of the second"),
        (board((6, 1, 2), (5, 1, 1), (6, 2, 2), (5, 2, 1)), "no order of moves leads to this board"),
        ([[0] * 7, [0] * 6], "row 2: 6 squares, the first row has 7"),
        ([0] * 41, "41 squares; the board 7x6 has 42"),
        ([0] * 49, "49 squares; the board 7x6 has 42"),
        ([], "board: 0x0"),
    ]:
        with pytest.raises(ValueError) as error:
            Position.from_grid(rows)
        assert said in str(error.value), rows
    with pytest.raises(TypeError):
        Position.from_grid([["x"]])  # type: ignore[list-item]
    for row in ("", "b,x", ",".join("b" * 41), ",".join("b" * 41 + "X"), ",".join("b" + "x" * 1 + "b" * 40)):
        with pytest.raises(ValueError):
            Position.from_uci(row)


def test_two_rows_of_four_have_no_order_of_moves() -> None:
    rows = [[0] * 7 for _ in range(4)] + [[2, 2, 2, 2, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0]]
    with pytest.raises(ValueError, match="without a win before"):
        Position.from_grid(rows)
