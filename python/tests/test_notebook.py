"""The notebook of examples/ runs from its first cell to its last, and draws what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from c4lab import command

try:
    command.path()
except FileNotFoundError:
    pytest.skip("this build has no command", allow_module_level=True)
pytest.importorskip("matplotlib")
pytest.importorskip("pandas")
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")


def test_the_notebook_runs(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Few positions: that it runs is what is tested here.
    monkeypatch.setenv("C4LAB_LIMIT", "120")
    monkeypatch.setenv("C4LAB_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    notebook = nbformat.read(project / "examples/python/claim.ipynb", as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = "".join(
        output.get("text", "") for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
    )
    found = re.search(r"measured (\S+) \(95 % interval (\S+) to (\S+)\), published 2.03", printed)
    assert found, printed
    ratio, low, high = map(float, found.groups())
    assert low <= ratio <= high and low > 1, "the order is worth something on any positions"
    assert "</svg>" in (tmp_path / "runs/by-ply.svg").read_text()


def test_the_notebook_ships_without_output(project: Path) -> None:
    """A number in it would be one that nobody measured again."""
    notebook = json.loads((project / "examples/python/claim.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert cells and not any(cell["outputs"] or cell["execution_count"] for cell in cells)
