"""The laboratory from Python: measuring, playing, engines, samples."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import engines
import pytest

import c4lab
from c4lab import command

try:
    command.path()
except FileNotFoundError:
    pytest.skip("this build has no command", allow_module_level=True)


def test_python_m_is_the_command() -> None:
    for words in ([sys.executable, "-m", "c4lab"], [str(command.path())]):
        ran = subprocess.run([*words, "solve", "44455554221"], capture_output=True, text=True, check=True)
        assert ran.stdout.split()[:2] == ["44455554221", "-15"]
    bad = subprocess.run([sys.executable, "-m", "c4lab", "solve", "49"], capture_output=True, text=True, check=False)
    assert bad.returncode == 1 and "ply 2" in bad.stderr


def test_the_command_and_the_module_are_of_one_version() -> None:
    version = subprocess.run([str(command.path()), "--version"], capture_output=True, text=True, check=True).stdout
    assert version.startswith(f"c4lab {c4lab.__version__} ")


def test_variants_are_measured(tmp_path: Path) -> None:
    found = c4lab.measure(["pons-11", c4lab.variants()[-1], "pons-12"], "end-easy", limit=10, out=tmp_path / "m")
    assert (found.status, found.folder) == ("ok", tmp_path / "m")
    summary = found.summary
    assert [row["variant"] for row in summary] == ["pons-11", str(c4lab.variants()[-1]), "pons-12"]
    assert all(row["positions"] == row["ok"] == 10 and row["wrong"] == 0 for row in summary)
    assert isinstance(summary[0]["mean_nodes"], (int, float)) and summary[0]["engine_nodes"] is None
    solver = c4lab.Solver("pons-12")
    rows = found.samples("pandas")
    ours = rows[rows.variant == "pons-12"]
    assert solver.solve_many(ours.moves).nodes.tolist() == ours.nodes.tolist()
    # The same again measures nothing, and more adds what is missing.
    assert len(c4lab.measure(["pons-11"], "end-easy", limit=5, out=tmp_path / "n").samples()) == 5
    assert len(c4lab.measure(["pons-11"], "end-easy", limit=5, repetitions=2, out=tmp_path / "n").samples()) == 10


def test_what_the_command_refuses_is_told(tmp_path: Path) -> None:
    for call in (
        lambda: c4lab.measure(["pons-1"], ["end-easy"], out=tmp_path / "m"),
        lambda: c4lab.measure(["pons-12"], ["end"], out=tmp_path / "m"),
        lambda: c4lab.match("champion", "nobody", out=tmp_path / "m"),
        lambda: c4lab.match("champion", "random", games=3, out=tmp_path / "m"),
    ):
        with pytest.raises((ValueError, RuntimeError), match="c4lab: "):
            call()
    assert not (tmp_path / "m" / "samples.csv").exists()


def test_engines_are_measured(tmp_path: Path) -> None:
    mine = {"class": engines.Champion, "columns": engines.Columns, "function": engines.function}
    found = c4lab.measure(["champion"], ["end-easy"], engines=mine, limit=20, out=tmp_path / "m")
    assert found.status == "ok" and [row["variant"] for row in found.summary] == ["champion", *mine]
    assert all(row["ok"] == 20 for row in found.summary)
    rows = found.samples("pandas").set_index(["variant", "position_id"])
    # It forgets between positions, so it takes the nodes that it takes inside.
    assert rows.loc["class"].engine_nodes.tolist() == rows.loc["champion"].nodes.tolist()
    assert rows.loc["columns"].spec.iloc[0].startswith("version=columns 1,")
    assert "no answer" in (tmp_path / "m/engines/class.log").read_text()


def test_a_wrong_engine_is_never_fast(tmp_path: Path) -> None:
    with pytest.warns(RuntimeWarning, match="wrong"):
        found = c4lab.measure(["champion"], ["end-easy"], engines={"wrong": engines.Wrong}, limit=20, out=tmp_path / "m")
    row = found.summary[1]
    assert found.status == "wrong" and row["wrong"] > 0 and row["variant"] == "wrong"


def test_an_engine_that_raises_is_a_failed_row(tmp_path: Path) -> None:
    with pytest.warns(RuntimeWarning):
        found = c4lab.measure(["champion"], ["end-easy"], engines={"e": engines.Raises}, limit=20, out=tmp_path / "m")
    rows = found.samples("pandas")
    rows = rows[rows.variant == "e"]
    assert found.status == "failed" and set(rows[rows.ply > 34].status) == {"error"} and set(rows[rows.ply <= 34].status) == {"ok"}
    assert "too many stones for me" in (tmp_path / "m/engines/e.log").read_text()


def test_engines_that_stand_in_no_file(tmp_path: Path) -> None:
    pytest.importorskip("cloudpickle")
    addend = 0
    mine = {"closure": lambda position: c4lab.solve(position) + addend, "instance": engines.Columns()}
    found = c4lab.measure(["champion"], ["end-easy"], engines=mine, limit=5, out=tmp_path / "m")
    assert found.status == "ok" and len(found.summary) == 3


def test_a_script_measures_its_own_class(tmp_path: Path, project: Path) -> None:
    script = [sys.executable, str(project / "python/tests/engines.py"), str(tmp_path / "m")]
    ran = subprocess.run(script, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.stdout == "ok [0, 0]\n", ran.stderr


def test_what_is_no_engine_is_told(tmp_path: Path) -> None:
    for engine, error, said in [
        (engines.Left, ValueError, "engine Left: it plays, and tells no score"),
        (engines.Without, ValueError, "engine Without: it has none of score, scores, move"),
        (5, TypeError, "engine mine: an Engine, a function of a position, or a command"),
        (int, TypeError, "engine mine: an Engine"),
    ]:
        with pytest.raises(error, match=said):  # type: ignore[call-overload]
            c4lab.measure(["champion"], ["end-easy"], engines={"mine": engine}, out=tmp_path / "m")  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="write 'score', 'scores' or 'move'"):
        c4lab.Engine.of(engines.function, "best")  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError, match="Without has none of"):
        engines.Without().score(c4lab.Position())


def test_games_are_played(tmp_path: Path) -> None:
    mine = {"left": engines.Left, "columns": engines.Columns, "solver": engines.Champion}
    for name in ("left", "columns", "solver"):
        played = c4lab.match("champion", name, engines=mine, games=4, opening_moves=14, referee=True, out=tmp_path / name)
        assert len(played.rows) == 4 and not any(row["reason"] for row in played.rows)
        slips = [row["slips_second"] if row["second"] == name else row["slips_first"] for row in played.rows]
        assert name == "left" or slips == [0, 0, 0, 0]
        assert {row["first"] for row in played.rows} == {"champion", name}
        results = played.results
        assert set(results) == {"champion", name} and sum(results[name].values()) == 4
        assert results["champion"]["won"] == results[name]["lost"] == sum(
            row["result"] == ("1-0" if row["first"] == "champion" else "0-1") for row in played.rows
        )
    again = c4lab.match("champion", "left", engines=mine, games=6, opening_moves=14, referee=True, out=tmp_path / "left")
    assert len(again.rows) == 6


def test_a_function_plays(tmp_path: Path) -> None:
    player = c4lab.Engine.of(engines.Left().move, "move")
    pytest.importorskip("cloudpickle")
    played = c4lab.match("random", "f", engines={"f": player}, games=2, opening_moves=6, out=tmp_path / "m")
    assert [row["end"] for row in played.rows] == ["four", "four"] or len(played.rows) == 2


def test_samples_have_the_right_types(tmp_path: Path) -> None:
    found = c4lab.measure(["pons-12", "champion"], ["end-easy", "empty-board"], limit=3, node_limit=1000, out=tmp_path / "m")
    with open(found.folder / "samples.csv", encoding="utf-8", newline="") as file:
        raw = list(csv.DictReader(file))
    pandas, polars = c4lab.load(found.folder), c4lab.load(found.folder / "samples.csv", "polars")
    assert list(pandas.columns) == polars.columns == list(raw[0]) and len(pandas) == len(polars) == len(raw) == 8
    assert set(pandas.columns) <= c4lab.samples.COLUMNS
    kinds = {name: str(kind) for name, kind in pandas.dtypes.items()}
    assert kinds["wall_ns"] == kinds["nodes"] == kinds["cpu_ns"] == kinds["engine_ns"] == "Int64"
    assert kinds["score"] == kinds["book"] == "Int32" and kinds["variant"] == kinds["status"] == "category"
    assert kinds["dirty"] == "boolean" and kinds["started_at"].startswith("datetime64[") and "UTC" in kinds["started_at"]
    assert str(polars.schema["wall_ns"]) == "Int64" and str(polars.schema["dirty"]) == "Boolean"
    assert str(polars.schema["started_at"]).startswith("Datetime")
    for index, row in enumerate(raw):
        for name, text in row.items():
            for value in (pandas[name].iloc[index], polars[name][index]):
                missing = str(value) in ("None", "<NA>", "NaT", "nan")
                assert missing == (text == ""), (name, text, value)
                if not missing and name not in ("dirty", "started_at"):
                    assert str(value) == text, (name, text, value)
    assert "-" in set(pandas.moves) and set(polars["status"]) == {"ok", "node_limit"}


def test_records_are_loaded(project: Path) -> None:
    for record in ("2026-11-23-ladder", "2026-11-21-champion-original"):
        for frame in ("pandas", "polars"):
            rows = c4lab.load(project / "results" / record, frame)  # type: ignore[arg-type]
            assert len(rows) > 1000 and set(rows.columns) <= c4lab.samples.COLUMNS
            assert (rows["wall_ns"] > 0).all()


def test_what_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no folder of a measurement"):
        c4lab.load(tmp_path)
    other = tmp_path / "samples.csv"
    other.write_text("a,b\n1,2\n")
    for frame in ("pandas", "polars"):
        with pytest.raises(ValueError, match="no samples: there is no column cell_id, status, variant, wall_ns"):
            c4lab.load(tmp_path, frame)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="write 'pandas' or 'polars'"):
        c4lab.load(tmp_path, "numpy")  # type: ignore[arg-type]


def test_all_columns_are_described(project: Path) -> None:
    """The types know every column of docs/FORMAT.md, and no other but those of older schemas."""
    text = (project / "docs/FORMAT.md").read_text(encoding="utf-8").split("## Reading samples")[0]
    described = {
        name.strip()
        for line in text.split("\n")
        if line.startswith("| ") and not line.startswith(("| column", "| ---"))
        for name in line.split("|")[1].split(",")
    }
    assert c4lab.samples.COLUMNS == described | {"inner_repetitions", "inner_timing"}
