"""Samples as a frame: the rows of a measurement, joined with their process, variant and position, in typed columns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

# The types of columns, which docs/FORMAT.md describes. Other columns are text. Any number may be missing, which NumPy's
# whole numbers cannot express. Names are few different texts in many rows.
_NAMES = ("process", "set", "variant", "goal", "status", "machine_id", "git_rev", "set_sha256", "geometry", "spec", "tt_state", "code", "clock")
_SMALL = ("schema_version", "number", "ply", "threads", "book", "repetition", "block_order", "expected_score", "score")
_LARGE = (
    *("position_id", "batch", "nodes", "wall_ns", "cpu_ns", "engine_nodes", "engine_ns"),
    *("seed", "limit_ns", "limit_nodes", "resolution_ns", "tt_bytes"),
)
_TRUTHS = ("dirty", "dynamic")
_TIMES = ("started_at",)
# The files beside the samples, and the columns that they share with the rows.
_SIDES = (("processes", ["process"]), ("variants", ["process", "variant"]), ("positions", ["set", "position_id"]))


def _file(folder: Path, name: str) -> Path | None:
    """The file of a table in a folder. In a record it is compressed."""
    return next((file for file in (folder / f"{name}.csv", folder / f"{name}.csv.gz") if file.is_file()), None)


def load(folder: str | os.PathLike[str], frame: Literal["pandas", "polars"] | None = None) -> Any:
    """The samples of a folder of `c4lab measure`, or of a record, as a frame. A row is one search. Searches beside a
    pause, which were made again (status skipped), are left out.

    Each row is joined with its process, its variant and its position. docs/FORMAT.md describes the columns. Times are
    in nanoseconds. `moves` are text, so that no position is read as a number; names are categories; whole numbers may
    be missing; `started_at` is a time in UTC.

    Args:
        folder: the folder, or its file of samples.
        frame: "pandas" or "polars"; by default the installed one, pandas first.

    Raises:
        FileNotFoundError: there are no samples.
        ImportError: the library of `frame`, or either of them, is not installed.
        ValueError: the file holds no samples, or `frame` has another value.

    Example:
        rows = c4lab.load("results/2026-11-23-ladder")
        rows[rows.status == "ok"].groupby(["set", "goal", "variant"]).wall_ns.mean()
    """
    place = Path(folder)
    samples = place if place.is_file() else _file(place, "samples")
    if samples is None:
        raise FileNotFoundError(f"{place}: no samples.csv or samples.csv.gz: no folder of a measurement, or no record")
    if frame is None:
        frame = _installed()
    if frame not in ("pandas", "polars"):
        raise ValueError(f"frame={frame!r}: write 'pandas' or 'polars'")
    files = [(_file(samples.parent, name), keys) for name, keys in _SIDES]
    sides = [(file, keys) for file, keys in files if file is not None]
    return _pandas(samples, sides) if frame == "pandas" else _polars(samples, sides)


def _check(file: Path, columns: Any) -> None:
    missing = {"process", "variant", "status", "wall_ns"}.difference(columns)
    if missing:
        raise ValueError(f"{file}: no samples: there is no column {', '.join(sorted(missing))}")


def _installed() -> Literal["pandas", "polars"]:
    import importlib.util

    if importlib.util.find_spec("pandas"):
        return "pandas"
    if importlib.util.find_spec("polars"):
        return "polars"
    raise ImportError("samples are loaded into a frame of pandas or polars: install one of them (pip install pandas)")


def _pandas(file: Path, sides: list[tuple[Path, list[str]]]) -> Any:
    import pandas

    def read(file: Path) -> Any:
        # All as text first, so that an empty column gets its type, too.
        return pandas.read_csv(file, dtype=str, keep_default_na=False, na_values=[""])

    rows = read(file)
    _check(file, rows.columns)
    rows = rows[rows.status != "skipped"]
    for side, keys in sides:
        rows = rows.merge(read(side), on=keys, how="left")
    for name in rows.columns.intersection([*_SMALL, *_LARGE]):
        rows[name] = pandas.to_numeric(rows[name], dtype_backend="numpy_nullable")
    for names, kind in ((_NAMES, "category"), (_SMALL, "Int32"), (_LARGE, "Int64")):
        rows = rows.astype({name: kind for name in rows.columns.intersection(names)})
    for name in rows.columns.intersection(_TRUTHS):
        rows[name] = rows[name].map({"true": True, "false": False}).astype("boolean")
    for name in rows.columns.intersection(_TIMES):
        rows[name] = pandas.to_datetime(rows[name], utc=True, format="ISO8601")
    return rows


def _polars(file: Path, sides: list[tuple[Path, list[str]]]) -> Any:
    import polars

    rows = polars.read_csv(file, infer_schema_length=0)
    _check(file, rows.columns)
    rows = rows.filter(polars.col("status") != "skipped").with_row_index("row")
    for side, keys in sides:
        rows = rows.join(polars.read_csv(side, infer_schema_length=0), on=keys, how="left")
    # A join does not keep the order.
    rows = rows.sort("row").drop("row")
    kinds = [(_NAMES, polars.Categorical), (_SMALL, polars.Int32), (_LARGE, polars.Int64)]
    casts = [polars.col(name).cast(kind) for names, kind in kinds for name in names if name in rows.columns]
    truths = [polars.col(name) == "true" for name in _TRUTHS if name in rows.columns]
    times = [polars.col(name).str.to_datetime(time_zone="UTC") for name in _TIMES if name in rows.columns]
    return rows.with_columns([*casts, *truths, *times])
