"""A recorder ends soon after it is told to, whatever it is doing; and it goes on from there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import ClaimedEvent, Status
from satlife.campaign.ledger import Ledger, LedgerError, open_ledger
from satlife.campaign.plan import Plan
from tests.campaign.nats import Broker, broker
from tests.campaign.scene import TINY, finish, make_recorder

MOST = 5.0
"""Seconds from SIGTERM to the end of the process."""
SQUARES = """
[[search]]
kind = "oscillator"
periods = "2..4"
boxes = ["3x3", "4x4", "5x5", "6x6"]
"""

# The real command, but for one function of a ledger or of trust, which never returns.
_PROGRAM = """
import pathlib, sys, time
{imports}

def hang(*_, **__):
    pathlib.Path({mark!r}).touch()
    time.sleep(600)

{place} = hang
from satlife.cli.app import main
main()
"""
PLACES = {
    "reading": ("from satlife.campaign.ledger import Ledger", "Ledger.rows"),
    "counting": ("from satlife.campaign.plan import Plan", "Plan.size"),
    "scheduling": ("from satlife.campaign.core.schedule import Schedule", "Schedule.take"),
    "writing": ("from satlife.campaign.ledger import Ledger", "Ledger.record"),
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path / "nats") as one:
        yield one


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGTERM")
@pytest.mark.parametrize("place", PLACES)
def test_sigterm_ends_a_recorder_that_is_at_work(
    server: Broker, tmp_path: Path, place: str
) -> None:
    imports, name = PLACES[place]
    (tmp_path / "plan.toml").write_text(TINY)
    mark = tmp_path / "mark"
    program = _PROGRAM.format(imports=imports, place=name, mark=str(mark))
    words = ["campaign", "serve", str(tmp_path / "plan.toml"), "--nats", server.url]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ,
    )
    try:
        end = time.monotonic() + 60
        while not mark.exists():
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        assert time.monotonic() - begun < MOST
    finally:
        process.kill()
        process.wait()


def test_a_recorder_leaves_a_checkpoint_and_goes_on_from_it(
    server: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = tmp_path / "a.db"
    assert finish(server.url, where).is_met
    with open_ledger(str(where)) as ledger:
        assert ledger.checkpoint() is not None
        assert ledger.planned() == Plan.from_toml(TINY).size()

    def read_all(_: Ledger, status: Status | None = None) -> Iterator[object]:
        assert status in (Status.QUEUED, Status.SPLIT), "a restart reads what is open"
        return iter(())

    monkeypatch.setattr(Ledger, "rows", read_all)
    recorder = make_recorder(server.url, where)
    ledger = open_ledger(str(where))
    with ledger:
        assert Bookkeeper(recorder.plan, ledger).conductor.is_done


class Flaky:
    """A ledger that cannot be used at every second call."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.calls = ledger, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.ledger, name)

    def record(self, *words: object) -> object:
        self.calls += 1
        if self.calls % 2:
            raise LedgerError("away")
        return self.ledger.record(*words)  # type: ignore[arg-type]


def test_a_bookkeeper_loses_nothing_while_the_ledger_is_away() -> None:
    plan = Plan.from_toml(SQUARES)
    with open_ledger(":memory:") as ledger:
        bookkeeper = Bookkeeper(plan, ledger)
        bookkeeper.ledger = Flaky(ledger)  # type: ignore[assignment]
        out: list[str] = []
        failures = 0
        while not bookkeeper.conductor.is_done:
            try:
                effects = bookkeeper.take(4)
            except LedgerError:
                failures += 1
                continue
            out += [start.task.name for start in effects.start]
            if out:
                bookkeeper.push([ClaimedEvent(out.pop(), "anna")])
                try:
                    out += [start.task.name for start in bookkeeper.drain().start]
                except LedgerError:
                    failures += 1
        assert failures > 5
        assert ledger.counts().impossible == plan.size()


def test_no_checkpoint_is_written_while_something_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.from_toml(SQUARES)
    with open_ledger(":memory:") as ledger:
        bookkeeper = Bookkeeper(plan, ledger)
        (start, *_) = bookkeeper.take(4).start
        bookkeeper.push([ClaimedEvent(start.task.name, "anna")])
        bookkeeper.save(now=True)
        assert ledger.checkpoint() is None
        bookkeeper.drain()
        bookkeeper.save(now=True)
        assert ledger.checkpoint() is not None

        def fail(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(type(bookkeeper.conductor), "follow", fail)
        before = ledger.checkpoint()
        bookkeeper.push([ClaimedEvent(start.task.name, "anna")])
        with pytest.raises(KeyboardInterrupt):
            bookkeeper.drain()
        bookkeeper.save(now=True)
        assert ledger.checkpoint() == before, "what follows may be lost"
