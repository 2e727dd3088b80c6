"""How far a campaign has come, where finds end searches: what is not needed is not left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import ClaimedEvent, FoundEvent
from satlife.campaign.ledger import open_ledger
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.results import collect, read_progress
from tests.cli.running import run

STOP = 'stop = "first"\n'
MANY = '[[search]]\nkind = "oscillator"\nperiods = "2..4"\nboxes = "3x3..5x5"\n'
STILL = '[[search]]\nkind = "still-life"\nboxes = "1x1..1x4"\n'


def found(task: Task) -> FoundEvent:
    return FoundEvent(task.name, "me", 0, (("ooo",),), "xp2_7")


@pytest.mark.parametrize("text", [STOP + MANY, MANY + STOP, STOP + MANY + STILL])
def test_after_the_first_find_nothing_is_left(text: str) -> None:
    plan = Plan.from_toml(text)
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger, worker="me")
        first, *_ = books.take(3).start
        assert read_progress(ledger).left == plan.size()
        books.push([found(first.task)])
        books.drain()
        books.save(now=True)
        assert books.conductor.is_done
        progress = read_progress(ledger)
        assert (progress.planned, progress.left, progress.share) == (plan.size(), 0, 1.0)
        assert progress.needless == plan.size() - progress.done > 0
        assert collect(ledger).open == 0


def test_what_another_search_asks_is_left() -> None:
    plan = Plan.from_toml(MANY + STOP + STILL)
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger, worker="me")
        starts = books.take(99).start
        find = next(start.task for start in starts if start.task.problem.kind == "oscillator")
        books.push([found(find)])
        books.drain()
        books.save(now=True)
        progress = read_progress(ledger)
        assert progress.left == 4
        for start in starts:
            if start.task.problem.kind == "still-life":
                books.push([ClaimedEvent(start.task.name, "me")])
        books.drain()
        books.save(now=True)
        assert books.conductor.is_done
        assert read_progress(ledger).left == 0


def test_without_a_stop_everything_is_left_that_has_no_answer() -> None:
    plan = Plan.from_toml(MANY)
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger, worker="me")
        first, *_ = books.take(3).start
        books.push([found(first.task)])
        books.drain()
        books.save(now=True)
        progress = read_progress(ledger)
        assert (progress.done, progress.left, progress.needless) == (9, 18, 0)
        assert collect(ledger).open == 18


def test_status_after_a_stop_is_complete_and_a_watch_ends(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(MANY + STOP)
    assert run("satlife", "campaign", "run", str(plan), "--jobs", "1").returncode == 0
    words = run("satlife", "campaign", "status", str(plan), "--watch").stdout.decode()
    assert "of 27 (100%); " in words
    assert "not needed: a find has ended their search" in words
    assert "time left   0.0 s" in words
    status = json.loads(run("satlife", "campaign", "status", str(plan), "--json").stdout)
    assert status["eta_seconds"] == 0
    assert status["done"] + status["needless"] == status["planned"] == 27
