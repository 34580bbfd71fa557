"""docs/PYTHON.md says what is so: values beside its examples, and the calls that users of other packages find again."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import c4lab


@pytest.fixture(scope="module")
def page() -> str:
    return (Path(__file__).resolve().parents[2] / "docs/PYTHON.md").read_text(encoding="utf-8")


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_examples_have_the_values_that_stand_beside_them(page: str) -> None:
    names = {"c4lab": c4lab, "position": c4lab.Position("121212")}
    checked = 0
    for block in blocks(page):
        for line in block.split("\n"):
            found = re.fullmatch(r"((?:c4lab|position)\.\S.*?)\s+# (\[.*?\]|-?\d+|None)(?:[:;].*)?", line)
            if found:
                assert eval(found[1], names) == ast.literal_eval(found[2]), line
                checked += 1
    assert checked >= 8


def test_every_example_is_python(page: str) -> None:
    for block in blocks(page):
        ast.parse(block)


def test_every_call_of_the_table_is_there(page: str) -> None:
    rows = [line.split(" | ")[-1] for line in page.split("\n") if line.startswith("| ") and "c4lab |" not in line]
    kinds = {"position": c4lab.Position, "solver": c4lab.Solver, "Position": c4lab.Position, "c4lab": c4lab}
    called = [match for row in rows for code in re.findall(r"`([^`]+)`", row) for match in re.findall(r"(\w+)\.([a-z_]\w*)", code)]
    assert len(called) > 25
    for name, attribute in called:
        assert hasattr(kinds[name], attribute), f"{name}.{attribute}"
