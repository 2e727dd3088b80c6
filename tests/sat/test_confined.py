"""Functions of ours in a child process: limits hold for everything they do."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from satlife.errors import InternalError, RuleError
from satlife.sat import Limits, Reason, Undecided
from satlife.sat.solvers.confined import run_confined
from tests.patience import PATIENCE

CHORES = "tests.sat.chores"


def test_the_value_and_the_news_come_back() -> None:
    heard: list[int] = []
    assert run_confined(f"{CHORES}:count", [1, 2, 3], on_news=heard.append) == 6
    assert heard == [1, 2, 3]


def test_time_is_kept_where_nobody_looks_at_the_clock() -> None:
    begun = time.monotonic()
    answer = run_confined(f"{CHORES}:spin", limits=Limits(seconds=1))
    assert answer == Undecided(Reason.TIME_LIMIT)
    assert time.monotonic() - begun < PATIENCE


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the parent looks, now and then")
def test_memory_is_kept() -> None:
    limits = Limits(memory_bytes=100_000_000)
    assert run_confined(f"{CHORES}:fill", 10**8, limits=limits) == Undecided(Reason.MEMORY_LIMIT)
    assert run_confined(f"{CHORES}:fill", 10**4, limits=limits) == 10**4


def test_nothing_is_left_of_one_that_was_killed() -> None:
    told: list[str] = []

    def interrupt(folder: str) -> None:
        assert Path(folder, "file").exists()
        told.append(folder)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_confined(f"{CHORES}:make_a_file_and_wait", on_news=interrupt)
    assert not Path(told[0]).parent.exists()


def test_errors_are_raised_as_they_were_there() -> None:
    with pytest.raises(RuleError, match="not a rule"):
        run_confined("satlife.life:Rule", "B99/SX")
    with pytest.raises(InternalError, match="ZeroDivisionError"):
        run_confined("operator:truediv", 1, 0)


def test_one_that_dies_has_decided_nothing() -> None:
    answer = run_confined("os:abort")
    assert isinstance(answer, Undecided)
    assert answer.reason is Reason.DIED
