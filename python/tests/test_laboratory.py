"""The laboratory from Python: the command, engines, samples."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

import c4lab
from c4lab import command

try:
    command.path()
except FileNotFoundError:
    pytest.skip("this build has no command", allow_module_level=True)

ENGINES = Path(__file__).parent / "engines.py"


def asked(*words: str) -> list[str]:
    """The program that is an engine of engines.py."""
    return [sys.executable, "-m", "c4lab.engine", str(ENGINES), *words]


def measure(out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command_line = [sys.executable, "-m", "c4lab", "measure", "--repetitions", "1", *words, "--quiet", "--out", str(out)]
    return subprocess.run(command_line, capture_output=True, text=True, check=False)


def test_python_m_is_the_command() -> None:
    for words in ([sys.executable, "-m", "c4lab"], [str(command.path())]):
        ran = subprocess.run([*words, "solve", "44455554221"], capture_output=True, text=True, check=True)
        assert ran.stdout.split()[:2] == ["44455554221", "-15"]
    bad = subprocess.run([sys.executable, "-m", "c4lab", "solve", "49"], capture_output=True, text=True, check=False)
    assert bad.returncode == 1 and "ply 2" in bad.stderr


def test_the_command_and_the_module_are_of_one_version() -> None:
    version = subprocess.run([str(command.path()), "--version"], capture_output=True, text=True, check=True).stdout
    assert version.startswith(f"c4lab {c4lab.__version__} ")


def test_an_engine_answers_line_by_line() -> None:
    lines = "44455554221 strong\nreset\n44455554221 weak\n44\n"
    for name, words, answers in [
        ("function", [], ["44455554221 -15", "ready", "44455554221 -15", "44 1"]),
        ("Left", ["--answers", "move"], ["44455554221 1", "ready", "44455554221 1", "44 1"]),
        ("Columns", ["--answers", "scores"], None),
    ]:
        ran = subprocess.run(asked(name, *words), input=lines, capture_output=True, text=True, check=True)
        assert answers is None or ran.stdout.splitlines() == answers
    assert ran.stdout.splitlines()[3] == "44 -3 -3 -2 1 -2 -3 -3"
    champion = subprocess.run(asked("Champion"), input=lines, capture_output=True, text=True, check=True)
    assert [line.split()[:2] for line in champion.stdout.splitlines()][::2] == [["44455554221", "-15"], ["44455554221", "-1"]]
    assert "no answer" in champion.stderr


def test_an_engine_has_a_version() -> None:
    versions = [subprocess.check_output(asked(name, "--version"), text=True) for name in ("Columns", "Champion")]
    assert versions[0] == "columns 1\n" and versions[1].startswith("Champion ") and len(versions[1].split()[1]) == 12


def test_engines_are_measured(tmp_path: Path) -> None:
    words = [word for name in ("Champion", "function") for word in ("--engine", f"{name}={' '.join(asked(name))}")]
    keys = ["--engine-key", "Champion.request={moves} {goal}", "--engine-key", 'Champion.reset={ line = "reset", answer = "ready" }']
    ran = measure(tmp_path / "m", "--variants", "champion", "--test-sets", "end-easy", "--limit", "20", *words, *keys)
    assert ran.returncode == 0, ran.stderr
    rows = c4lab.load(tmp_path / "m", "pandas").set_index(["variant", "position_id"])
    assert set(rows.status) == {"ok"} and len(rows) == 60
    # It forgets between positions, so it takes the nodes that it takes inside.
    assert rows.loc["Champion"].engine_nodes.tolist() == rows.loc["champion"].nodes.tolist()


def test_an_engine_that_raises_is_a_failed_row(tmp_path: Path) -> None:
    engine = ["--engine", f"e={' '.join(asked('Raises'))}"]
    ran = measure(tmp_path / "m", "--variants", "champion", "--test-sets", "end-easy", "--limit", "20", *engine)
    rows = c4lab.load(tmp_path / "m", "pandas")
    rows = rows[rows.variant == "e"]
    assert ran.returncode == 1 and set(rows.status) == {"ok", "error"}


def test_samples_have_the_right_types(tmp_path: Path) -> None:
    words = ["--variants", "pons-12,champion", "--test-sets", "end-easy,empty-board", "--limit", "3", "--node-limit", "1000"]
    assert measure(tmp_path / "m", *words).returncode == 0
    with open(tmp_path / "m/samples.csv", encoding="utf-8", newline="") as file:
        raw = [row for row in csv.DictReader(file) if row["status"] != "skipped"]
    pandas, polars = c4lab.load(tmp_path / "m"), c4lab.load(tmp_path / "m/samples.csv", "polars")
    assert list(pandas.columns) == polars.columns and len(pandas) == len(polars) == len(raw) == 8
    # What stands in the files beside the samples is joined.
    assert {*raw[0], "moves", "spec", "machine_id"} <= set(pandas.columns)
    kinds = {name: str(kind) for name, kind in pandas.dtypes.items()}
    assert kinds["wall_ns"] == kinds["nodes"] == kinds["cpu_ns"] == kinds["engine_ns"] == kinds["seed"] == "Int64"
    assert kinds["score"] == "Int32" and kinds["variant"] == kinds["status"] == kinds["spec"] == "category"
    assert kinds["dirty"] == "boolean" and kinds["started_at"].startswith("datetime64[") and "UTC" in kinds["started_at"]
    assert str(polars.schema["wall_ns"]) == "Int64" and str(polars.schema["dirty"]) == "Boolean"
    assert str(polars.schema["started_at"]).startswith("Datetime")
    for index, row in enumerate(raw):
        for name, text in row.items():
            for value in (pandas[name].iloc[index], polars[name][index]):
                missing = str(value) in ("None", "<NA>", "NaT", "nan")
                assert missing == (text == ""), (name, text, value)
                if not missing and name != "started_at":
                    assert str(value) == text, (name, text, value)
    assert "-" in set(pandas.moves) and set(polars["status"]) == {"ok", "node_limit"}


def test_records_are_loaded(project: Path) -> None:
    for frame in ("pandas", "polars"):
        rows = c4lab.load(project / "results/2026-11-23-ladder", frame)  # type: ignore[arg-type]
        assert len(rows) > 1000
        assert (rows["wall_ns"] > 0).all()


def test_what_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no folder of a measurement"):
        c4lab.load(tmp_path)
    other = tmp_path / "samples.csv"
    other.write_text("a,b\n1,2\n")
    for frame in ("pandas", "polars"):
        with pytest.raises(ValueError, match="no samples: there is no column"):
            c4lab.load(tmp_path, frame)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="write 'pandas' or 'polars'"):
        c4lab.load(tmp_path, "numpy")  # type: ignore[arg-type]
