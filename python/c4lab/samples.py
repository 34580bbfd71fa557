"""Samples as a frame: the rows of a measurement, with the type that each column has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

# What a column is: docs/FORMAT.md describes them. Numbers may be missing in any row, which NumPy's own whole numbers cannot say.
_TEXTS = ("cell_id", "run_id", "binary_sha256", "moves", "warnings")
# Few different texts in many rows.
_NAMES = (
    "machine_id",
    "git_rev",
    "set",
    "set_sha256",
    "geometry",
    "variant",
    "spec",
    "goal",
    "tt_state",
    "code",
    "status",
)
_SMALL = (
    "schema_version",
    "process",
    "ply",
    "threads",
    "book",
    "repetition",
    "block_order",
    "expected_score",
    "score",
    "inner_repetitions",
)
_LARGE = (
    "position_id",
    "tt_bytes",
    "batch",
    "seed",
    "limit_ns",
    "limit_nodes",
    "nodes",
    "wall_ns",
    "cpu_ns",
    "engine_nodes",
    "engine_ns",
)
_TRUTHS = ("dirty",)
_TIMES = ("started_at",)
COLUMNS = frozenset((*_TEXTS, *_NAMES, *_SMALL, *_LARGE, *_TRUTHS, *_TIMES, "inner_timing"))
"""All columns that a file of samples has or had."""


def file_of(folder: str | os.PathLike[str]) -> Path:
    """The file of samples of a folder of a measurement, or of a record."""
    place = Path(folder)
    if place.is_file():
        return place
    for name in ("samples.csv", "samples.csv.gz"):
        if (place / name).is_file():
            return place / name
    raise FileNotFoundError(f"{place}: no samples.csv or samples.csv.gz: no folder of a measurement, or no record")


def load(folder: str | os.PathLike[str], frame: Literal["pandas", "polars"] | None = None) -> Any:
    """The samples of a folder of `c4lab measure`, or of a record, as a frame. A row is one search.

    docs/FORMAT.md describes the columns. Times are in nanoseconds. `moves` are text, so a position is never taken for a number; names
    are categories; whole numbers may be missing; `started_at` is a time in UTC.

    Args:
        folder: the folder, or the file of samples itself.
        frame: "pandas" or "polars"; the one that is installed, pandas first.

    Raises:
        FileNotFoundError: there are no samples.
        ImportError: neither library is installed, or not the one that was named.
        ValueError: the file holds no samples; another name of a frame.

    Example:
        rows = c4lab.load("results/2026-11-23-ladder")
        rows[rows.status == "ok"].groupby(["set", "goal", "variant"]).wall_ns.mean()
    """
    file = file_of(folder)
    if frame is None:
        frame = _installed()
    if frame == "pandas":
        rows = _pandas(file)
    elif frame == "polars":
        rows = _polars(file)
    else:
        raise ValueError(f"frame={frame!r}: write 'pandas' or 'polars'")
    missing = {"variant", "status", "wall_ns"}.difference(rows.columns)
    if missing:
        raise ValueError(f"{file}: no samples: there is no column {', '.join(sorted(missing))}")
    return rows


def _installed() -> Literal["pandas", "polars"]:
    import importlib.util

    if importlib.util.find_spec("pandas"):
        return "pandas"
    if importlib.util.find_spec("polars"):
        return "polars"
    raise ImportError("samples are loaded into a frame of pandas or polars: install one of them (pip install pandas)")


def _pandas(file: Path) -> Any:
    import pandas

    # All as text first: a column that is empty has its type all the same.
    rows = pandas.read_csv(file, dtype=str, keep_default_na=False, na_values=[""])
    types: dict[str, Any] = {}
    for names, kind in ((_NAMES, "category"), (_SMALL, "Int32"), (_LARGE, "Int64"), (("inner_timing",), "category")):
        types.update({name: kind for name in names if name in rows})
    for name in rows.columns.intersection([*_SMALL, *_LARGE]):
        rows[name] = pandas.to_numeric(rows[name], dtype_backend="numpy_nullable")
    rows = rows.astype(types)
    for name in rows.columns.intersection(_TRUTHS):
        rows[name] = rows[name].map({"true": True, "false": False}).astype("boolean")
    for name in rows.columns.intersection(_TIMES):
        rows[name] = pandas.to_datetime(rows[name], utc=True, format="ISO8601")
    return rows


def _polars(file: Path) -> Any:
    import polars

    schema: dict[str, Any] = {}
    for names, kind in (
        (_TEXTS, polars.String),
        (_NAMES, polars.Categorical),
        (("inner_timing",), polars.Categorical),
        (_SMALL, polars.Int32),
        (_LARGE, polars.Int64),
        (_TRUTHS, polars.Boolean),
        (_TIMES, polars.String),
    ):
        schema.update({name: kind for name in names})
    rows = polars.read_csv(file, schema_overrides=schema, infer_schema_length=0)
    times = [name for name in _TIMES if name in rows.columns]
    return rows.with_columns([polars.col(name).str.to_datetime(time_zone="UTC") for name in times])
