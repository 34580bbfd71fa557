"""python/README.md says what is so: the values that stand beside its examples."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import c4lab


def blocks() -> list[str]:
    page = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_examples_have_the_values_that_stand_beside_them() -> None:
    names = {"c4lab": c4lab, "position": c4lab.Position("121212")}
    checked = 0
    for block in blocks():
        for line in block.split("\n"):
            found = re.fullmatch(r"((?:c4lab|position)\.\S.*?)\s+# (\[.*?\]|-?\d+|None)(?:[:;].*)?", line)
            if found:
                assert eval(found[1], names) == ast.literal_eval(found[2]), line
                checked += 1
    assert checked >= 8


def test_every_example_is_python() -> None:
    for block in blocks():
        ast.parse(block)
