"""Scores: the same as those of the shipped sets, of every variant, one by one and many at once."""

from __future__ import annotations

import re

import pytest
from conftest import lines_of, random_position

import c4lab
from c4lab import NO_SCORE, Position, Solver


def test_scores_are_those_of_the_sets() -> None:
    solver = Solver()
    for name in ("end-easy", "middle-easy", "begin-easy"):
        for moves, score in lines_of(name)[:100]:
            assert solver.solve(moves) == score, moves
            assert solver.solve(moves, goal="weak") == (score > 0) - (score < 0)


def test_nodes_are_those_of_the_command(project: object) -> None:
    """The totals of champion and pons-12 that are pinned for the shipped sets."""
    import csv
    from pathlib import Path

    with open(Path(str(project)) / "tests/data/node-totals.csv", encoding="utf-8", newline="") as file:
        pinned = {(row["set"], row["variant"], row["goal"]): row for row in csv.DictReader(file)}
    for variant in ("champion", "pons-12"):
        row = pinned["end-easy", variant, "strong"]
        positions = [moves for moves, _ in lines_of("end-easy")][: int(row["positions"])]
        assert int(Solver(variant).solve_many(positions).nodes.sum()) == int(row["nodes"]), variant


@pytest.mark.parametrize("variant", [variant for variant in c4lab.variants() if not variant.unavailable], ids=str)
def test_every_variant_answers(variant: c4lab.Variant, end_easy: list[tuple[str, int]]) -> None:
    late = [pair for pair in end_easy if len(pair[0]) >= 34][:10]
    solver = Solver(variant, table=None)
    goal = variant.goals[0]
    found = solver.solve_many([moves for moves, _ in late], goal=goal).scores.tolist()
    assert found == [score if goal == "strong" else (score > 0) - (score < 0) for _, score in late]
    if "strong" not in variant.goals:
        with pytest.raises(ValueError, match="serves only the goal weak"):
            solver.solve(late[0][0])
        with pytest.raises(ValueError, match="serves only the goal weak"):
            solver.solve_many([late[0][0]])


def test_functions_answer_what_solvers_do() -> None:
    for seed in range(40):
        position = random_position(seed, 18 + seed % 24)
        solver = Solver()
        score = c4lab.solve(position)
        assert score == solver.solve(position) == solver.solve(position.moves) == solver.solve(position.columns)
        columns = c4lab.analyze(position)
        assert [column for column in range(1, 8) if columns[column - 1] is not None] == position.legal()
        assert max(found for found in columns if found is not None) == score
        best = c4lab.best_move(position)
        assert best is not None and columns[best - 1] == score
        line = c4lab.best_line(position)
        assert line[0] == best and len(line) == position.plies_left(score)
        end = Position(position.columns + line)
        assert end.is_over and (end.winner or 0) == (0 if score == 0 else position.player if score > 0 else 3 - position.player)


def test_a_game_that_is_over_has_a_score_and_no_move() -> None:
    over = "1212121"
    assert (c4lab.solve(over), c4lab.analyze(over), c4lab.best_move(over), c4lab.best_line(over)) == (-18, [None] * 7, None, [])


def test_other_boards() -> None:
    boards = ["7x6", "4x4", "6x5", "7x7", "9x6", "8x7", "12x4", "8x8"]
    assert set(boards) <= set(c4lab.BOARDS)
    for board in boards:
        width, height = map(int, board.split("x"))
        position = random_position(3, max(width * height - 18, 4), board)
        solver = Solver("champion", board)
        score = solver.solve(position)
        # The published table of pons-12 cannot tell keys of 56 bits and more apart.
        other = "pons-12" if width * (height + 1) < 56 else "pons-12-table-wide"
        assert score == Solver(other, board).solve(position.moves) == c4lab.solve(position)
        assert score == c4lab.solve(position.moves, board=board) == c4lab.solve(position, variant=other)
        assert solver.board == board and len(solver.analyze(position)) == position.width
    position = random_position(3, 20, "6x5")
    assert c4lab.solve(position) == c4lab.solve(position, variant="champion[order=centre]")
    with pytest.raises(ValueError, match="no search of this choice was built for 9x6: there are pons-12-table-wide and champion"):
        Solver("champion[order=centre]", board="9x6")
    with pytest.raises(ValueError, match="no search was built for 5x3"):
        Solver(board="5x3")


def test_what_there_is_not_is_told() -> None:
    for error, said, call in [
        (ValueError, 'no variant "pons"', lambda: Solver("pons")),
        (ValueError, "no axis", lambda: Solver("champion[colour=red]")),
        (ValueError, "has no size to choose", lambda: Solver("pons-12", table="1MiB")),
        (ValueError, "table \"lots\": not a size", lambda: Solver(table="lots")),
        (TypeError, "table", lambda: Solver(table=1.5)),  # type: ignore[arg-type]
        (ValueError, 'goal "fast": write strong or weak', lambda: Solver().solve("44", goal="fast")),
        (ValueError, "time_limit -1: a number of seconds", lambda: Solver().solve("44", time_limit=-1)),
        (ValueError, "time_limit NaN", lambda: Solver().solve("44", time_limit=float("nan"))),
        (TypeError, "time_limit: a number of seconds, 0 or more, not str", lambda: Solver().solve("44", time_limit="1s")),  # type: ignore[arg-type]
        (ValueError, "node_limit -1: a whole number, 0 to", lambda: Solver().solve("44", node_limit=-1)),
        (TypeError, "node_limit: a whole number, 0 to 18446744073709551615, not float", lambda: Solver().solve("44", node_limit=1.5)),  # type: ignore[arg-type]
        (TypeError, "goal: write strong or weak, not NoneType", lambda: Solver().solve("44", goal=None)),  # type: ignore[arg-type]
        (ValueError, "table -5: a whole number", lambda: Solver(table=-5)),
        (TypeError, "table: a whole number, 0 to 18446744073709551615, not bool", lambda: Solver(table=True)),
        (ValueError, "ply 3: 'x'", lambda: Solver().solve("44x")),
        (TypeError, "a position is text", lambda: Solver().solve(None)),  # type: ignore[arg-type]
        (ValueError, "cannot tell keys of 56 bits apart", lambda: Solver("pons-12", "7x7")),
        (MemoryError, "memory", lambda: Solver("pons-12-table-wide", table=1 << 60)),
    ]:
        with pytest.raises(error, match=re.escape(said)):  # type: ignore[call-overload]
            call()  # type: ignore[no-untyped-call]


def test_limits_stop_a_search_and_leave_the_solver_fit() -> None:
    solver = Solver()
    with pytest.raises(c4lab.Stopped) as stopped:
        solver.solve("", node_limit=1000)
    assert str(stopped.value) == "node limit reached after 1000 nodes"
    assert stopped.value.nodes == 1000 == solver.nodes
    with pytest.raises(c4lab.Stopped, match="time limit reached"):
        solver.solve("", time_limit=0.0)
    with pytest.raises(c4lab.Stopped):
        solver.analyze("4", node_limit=10)
    found = solver.solve_many(["", "44455554221"], node_limit=500)
    assert found.scores.tolist() == [NO_SCORE, -15] and found.nodes.tolist()[0] == 500
    assert solver.solve("44455554221") == -15


def test_a_copy_is_a_solver_of_its_own() -> None:
    import copy
    import pickle

    solver, late = Solver("pons-12-table-wide", "8x6", "1MiB", keep=True), random_position(3, 30, "8x6")
    for made in (copy.copy(solver), copy.deepcopy(solver), pickle.loads(pickle.dumps(solver))):
        assert made._search is not solver._search
        assert (made.variant, made.board, made._keep) == ("pons-12-table-wide", "8x6", True)
        assert made.table_bytes == solver.table_bytes <= 1 << 20
        assert made.solve(late) == solver.solve(late)


def test_functions_keep_few_solvers() -> None:
    """Each has a table: a loop over all variants must not fill the memory."""
    from c4lab import solver as module

    module._ours.__dict__.clear()
    names = [variant.name for variant in c4lab.variants() if variant.name.startswith("champion-order")]
    assert len(names) > module._MOST_KEPT
    for name in names:
        assert c4lab.solve("44455554221", variant=name) == -15
    assert [key for key, _ in module._ours.solvers] == names[-module._MOST_KEPT :]
    kept = module._ours.solvers[names[-module._MOST_KEPT], "7x6"]
    c4lab.solve("44455554221", variant=names[-module._MOST_KEPT])
    c4lab.solve("44455554221", variant=names[0])
    assert module._ours.solvers[names[-module._MOST_KEPT], "7x6"] is kept, "the oldest goes, by its last use"


def test_a_table_that_is_kept_answers_the_same() -> None:
    kept, cold = Solver(keep=True), Solver()
    positions = [moves for moves, _ in lines_of("middle-easy")[:50]]
    first = [kept.solve(moves) for moves in positions]
    nodes = []
    for moves, score in zip(positions, first):
        assert kept.solve(moves) == score == cold.solve(moves)
        nodes.append((kept.nodes, cold.nodes))
    assert sum(kept for kept, _ in nodes) < sum(cold for _, cold in nodes)
    kept.reset()
    cold_again = kept.solve(positions[0]), kept.nodes
    assert cold_again == (cold.solve(positions[0]), cold.nodes)
    assert repr(kept) == "Solver('champion')" and kept.table_bytes > 0


def test_variants_are_those_of_the_command() -> None:
    named = c4lab.variants()
    assert len({variant.name for variant in named}) == len(named) and "champion" in map(str, named)
    champion = next(variant for variant in named if variant.name == "champion")
    assert champion.spec["search"] == "children" and champion.is_exact and champion.goals == ("strong", "weak")
    assert all(set(variant.spec) == set(champion.spec) for variant in named)
    assert any(not variant.is_exact for variant in named)
