"""A recorder ends soon after it is told to, whatever it is doing; and it goes on from there."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import msgspec
import pytest

from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import ClaimedEvent, Status
from satlife.campaign.ledger import Ledger, LedgerError, open_ledger
from satlife.campaign.messages import ImpossibleResult, decode_task, encode
from satlife.campaign.plan import Plan
from satlife.certificates.make.refute import refute
from satlife.cluster.queue import Access, connect, jetstream, put_proof
from satlife.cluster.queue.pull import Pull
from satlife.cluster.queue.streams import TASKS, WORKERS, result_subject
from tests.campaign.nats import Broker, broker
from tests.campaign.running import MARK, nothing_left
from tests.campaign.scene import TINY, finish, make_recorder
from tests.patience import PATIENCE

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
    {how}

{place} = hang
from satlife.cli.app import main
main()
"""
_SLEEP, _COMPUTE = "time.sleep(600)", "while True: pass"
PLACES = {
    "reading": ("from satlife.campaign.ledger import Ledger", "Ledger.rows", _SLEEP),
    "counting": ("from satlife.campaign.plan import Plan", "Plan.size", _SLEEP),
    "scheduling": ("from satlife.campaign.core.schedule import Schedule", "Schedule.take", _SLEEP),
    "writing": ("from satlife.campaign.ledger import Ledger", "Ledger.record", _SLEEP),
    "trusting": ("from satlife.cluster import intake", "intake.examine", _COMPUTE),
}
PROVED = 'prove = true\n[[search]]\nkind = "still-life"\nboxes = ["1x2"]\n'


no_signals = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGTERM")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path / "nats") as one:
        yield one


@contextmanager
def serving(server: Broker, tmp_path: Path, plan: str, program: str) -> Iterator[Popen[bytes]]:
    """A recorder in a process of its own, of which nothing is left at the end."""
    (tmp_path / "plan.toml").write_text(plan)
    words = ["campaign", "serve", str(tmp_path / "plan.toml"), "--nats", server.url]
    with nothing_left(str(tmp_path)):
        process = subprocess.Popen(
            [sys.executable, "-c", program, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {MARK: str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def terminate(process: Popen[bytes], mark: Path) -> None:
    """When the file is there, send SIGTERM, and see that the process ends soon."""
    end = time.monotonic() + 60
    while not mark.exists():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    begun = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait(PATIENCE)
    assert time.monotonic() - begun < MOST


async def answer_one(url: str, proof: Path | None = None, padding: int = 0) -> None:
    """Take a task, and say that it is impossible, with a proof if there is one."""
    client = await connect(Access(servers=(url,)))
    try:
        js = jetstream(client)
        tasks = Pull(client, TASKS, WORKERS)
        await tasks.open()
        async with asyncio.timeout(120):
            while not (messages := await tasks.fetch(1, 1)):
                pass
        task, campaign = decode_task(messages[0].data), messages[0].subject.split(".")[2]
        result = ImpossibleResult(task=task.name, worker="anna")
        if proof is not None:
            refute(task.problem, proof)
            # Small ones are checked in the recorder's process, others in a child.
            proof.write_bytes(proof.read_bytes() + b"c padding\n" * padding)
            await put_proof(js, campaign, "anna-1", proof)
            result = msgspec.structs.replace(result, proof="anna-1")
        await js.publish(result_subject(campaign, "anna"), encode(result))
    finally:
        await client.close()


@no_signals
@pytest.mark.parametrize("place", PLACES)
def test_sigterm_ends_a_recorder_that_is_at_work(
    server: Broker, tmp_path: Path, place: str
) -> None:
    imports, name, how = PLACES[place]
    mark = tmp_path / "mark"
    program = _PROGRAM.format(imports=imports, place=name, mark=str(mark), how=how)
    with serving(server, tmp_path, TINY, program) as process:
        if place == "trusting":
            asyncio.run(answer_one(server.url))
        terminate(process, mark)


@no_signals
@pytest.mark.parametrize("padding", [0, 200_000])
def test_sigterm_ends_a_recorder_that_checks_a_proof(
    server: Broker, tmp_path: Path, padding: int
) -> None:
    """Our own checker has accepted it; another one, a program, never ends."""
    mark = tmp_path / "mark"
    slow = tmp_path / "lrat-check"
    # Whoever dies within the moment before a program is watched leaves it behind.
    slow.write_text(f"#!/bin/sh\nsleep 0.5\ntouch {mark}\nexec sleep 600\n")
    slow.chmod(0o755)
    program = "from satlife.cli.app import main; main()"
    with serving(server, tmp_path, PROVED, program) as process:
        asyncio.run(answer_one(server.url, tmp_path / "proof", padding))
        terminate(process, mark)


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
