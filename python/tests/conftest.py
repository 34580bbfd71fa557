"""What several tests share."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import c4lab

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def project() -> Path:
    """The checkout that the tests stand in."""
    return PROJECT


@pytest.fixture(scope="session")
def end_easy() -> list[tuple[str, int]]:
    """Positions and their scores, of a shipped set."""
    return lines_of("end-easy")


def lines_of(name: str) -> list[tuple[str, int]]:
    """The lines of a shipped set."""
    lines = (PROJECT / "test-sets" / f"{name}.txt").read_text().split("\n")
    pairs = [line.split() for line in lines if line]
    return [(moves, int(score)) for moves, score in pairs]


def random_position(seed: int, plies: int, board: str = "7x6") -> c4lab.Position:
    """A position of random play; one with fewer stones where the game ends before."""
    draw = random.Random(seed)
    position = c4lab.Position("", board)
    for _ in range(plies):
        child = position.play(draw.choice(position.legal()))
        if child.is_over:
            break
        position = child
    return position
