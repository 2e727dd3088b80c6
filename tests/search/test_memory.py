"""A memory limit holds while a formula is built, too, and not only for the solver."""

from __future__ import annotations

import subprocess
import sys

import pytest

from satlife.engine import find
from satlife.kinds import still_life
from satlife.problem.outcome import Undecided
from satlife.sat.formula import FormulaBuilder, FormulaTooLargeError, limit_building
from satlife.sat.logic.cardinality import add_counter
from satlife.sat.solvers.memory import limit_growth

SEARCH = """
import resource, sys
import satlife
from satlife.cli.group import run
from satlife.kinds import still_life

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

satlife.find(still_life(box="4x4"))  # everything is loaded
before = peak()
sys.argv[1:] = "still-life --box 60x60 --maximize population --memory 100M".split()
try:
    run()
finally:
    print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="getrusage counts kilobytes on Linux")
def test_a_search_that_is_limited_stays_within_its_memory() -> None:
    """It took 953 MB, with a limit of 300."""
    words = [sys.executable, "-c", SEARCH]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "undecided (memory limit, while the formula was built)" in done.stderr
    assert int(done.stdout) <= 110  # MB


def test_a_small_search_is_not_limited() -> None:
    outcome = find(still_life(box="6x6", population=">=17"), memory="100M")
    assert not isinstance(outcome, Undecided)


def test_a_counter_that_is_too_large_is_not_begun() -> None:
    builder = FormulaBuilder()
    cells = builder.new_variables(20_000)
    with limit_building(limit_growth(50_000_000)), pytest.raises(FormulaTooLargeError):
        add_counter(builder, cells)
    with limit_building(limit_growth(50_000_000)):
        add_counter(builder, cells[:100])
    small = FormulaBuilder()
    add_counter(small, small.new_variables(100))  # no limit is left
    with limit_building(limit_growth(None)):
        small.expect(1 << 60)
