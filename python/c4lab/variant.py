"""The named variants."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native


@dataclass(frozen=True)
class Variant:
    """A named variant: a choice on every axis.

    `name[axis=value,...]` names any other choice, `name@64MiB` one with a table of that size.
    """

    name: str
    """Its name on the command line and in tables."""
    about: str
    """A description in one line."""
    spec: dict[str, str]
    """Its choice on every axis."""
    goals: tuple[str, ...]
    """Its goals: `strong` (the exact score), `weak` (the winner)."""
    is_exact: bool
    """True if its answers are always right, because it does not hash its keys."""
    unavailable: str | None
    """Why it is not measured on this machine, or None if it is."""

    def __str__(self) -> str:
        return self.name


def variants() -> list[Variant]:
    """All named variants, in the order of `c4lab list variants`.

    Example:
        >>> [variant.name for variant in variants()][:3]
        ['pons-03', 'pons-04', 'pons-05']
    """
    return [
        Variant(name, about, dict(spec), tuple(goals), is_exact, unavailable)
        for name, about, spec, unavailable, is_exact, goals in _native.variants()
    ]
