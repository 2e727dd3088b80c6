"""Nothing is done literal by literal. Prints figures: ``pytest tests/sat/test_speed.py -s``.

The gates are wide, for noisy machines; they catch a loop in Python, not a slow day.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest

from satlife.sat import Block, Formula, Satisfied, find_format, find_solver, solve

T = TypeVar("T")
CLAUSES = 1_000_000
VARIABLES = 200_000


def timed(label: str, action: Callable[[], T]) -> tuple[T, float]:
    """Return a result and its processor time, which other processes hardly change."""
    start = time.process_time()
    result = action()
    seconds = time.process_time() - start
    print(f"\n{label}: {seconds:.2f} s", end="")  # noqa: T201
    return result, seconds


@pytest.fixture(scope="module")
def formula() -> Formula:
    rng = np.random.default_rng(1)
    signs = rng.choice(np.array([-1, 1], np.int32), (CLAUSES, 3))
    rows = rng.integers(1, VARIABLES + 1, (CLAUSES, 3), np.int32) * signs
    return Formula((Block.from_rows("random", rows),), VARIABLES)


def test_dimacs_both_ways(formula: Formula) -> None:
    file = io.BytesIO()
    dimacs = find_format("dimacs")
    _, writing = timed(f"DIMACS, write {CLAUSES:,} clauses", lambda: dimacs.write(formula, file))
    file.seek(0)
    back, reading = timed("DIMACS, read them", lambda: dimacs.read(file))
    assert back == formula
    # Python's own split into objects, which does a fraction of the work, as the measure.
    _, splitting = timed("bytes.split of the text", lambda: len(file.getvalue().split()))
    assert writing < 10 * splitting
    assert reading < 20 * splitting


def test_knuth_both_ways() -> None:
    file = io.BytesIO()
    knuth = find_format("knuth")
    few = Formula((Block.from_rows("", _rows(160_000, 20_000)),), 20_000)
    timed("Knuth, write 160,000 clauses", lambda: knuth.write(few, file))
    file.seek(0)
    back, reading = timed("Knuth, read them", lambda: knuth.read(file))
    assert back.clauses == few.clauses
    _, splitting = timed("bytes.split of the text", lambda: len(file.getvalue().split()))
    assert reading < 40 * splitting


def test_feeding_a_solver() -> None:
    few = Formula((Block.from_rows("", np.abs(_rows(200_000, 50_000))),), 50_000)
    answer, _ = timed("CaDiCaL, 200,000 easy clauses", lambda: solve(few))
    assert isinstance(answer, Satisfied)


def test_streaming_models() -> None:
    with find_solver("minisat").open(Formula(variables=11)) as opened:
        count, _ = timed("2048 models", lambda: sum(1 for _ in opened.models()))
    assert count == 2048


def _rows(clauses: int, variables: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    signs = rng.choice(np.array([-1, 1], np.int32), (clauses, 3))
    return rng.integers(1, variables + 1, (clauses, 3), np.int32) * signs
