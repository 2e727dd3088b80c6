"""Formulas and looks at processes that several tests of this folder share."""

from __future__ import annotations

import itertools
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from satlife.sat import Formula
from tests.processes import is_running


def _pigeonhole(holes: int) -> Formula:
    """One pigeon more than holes: refuted, and hard for resolution (Haken 1985)."""

    def at(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    somewhere = [[at(p, h) for h in range(holes)] for p in range(holes + 1)]
    alone = [
        [-at(p, h), -at(q, h)]
        for h in range(holes)
        for p, q in itertools.combinations(range(holes + 1), 2)
    ]
    return Formula.from_clauses(somewhere + alone)


def _random_3sat(variables: int, clauses: int, seed: int) -> Formula:
    chance = random.Random(seed)
    return Formula.from_clauses(
        [
            [chance.choice((-1, 1)) * v for v in chance.sample(range(1, variables + 1), 3)]
            for _ in range(clauses)
        ],
        variables=variables,
    )


def _gone_within(pid: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while is_running(pid):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def pigeonhole() -> Callable[[int], Formula]:
    return _pigeonhole


@pytest.fixture
def random_3sat() -> Callable[[int, int, int], Formula]:
    return _random_3sat


@pytest.fixture
def gone_within() -> Callable[[int, float], bool]:
    return _gone_within


@pytest.fixture
def no_files_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files, which the test finds as empty as it was."""
    monkeypatch.setenv("TMPDIR", os.fspath(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path
