"""A hostile worker: whatever it sends, nothing wrong is recorded, and the recorder stays up."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from satlife.campaign.core.events import CertifiedEvent, FoundEvent
from satlife.campaign.core.trust import check_pattern
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import (
    FailedResult,
    FoundResult,
    ImpossibleResult,
    UndecidedResult,
    encode,
)
from satlife.cluster.queue import put_proof
from satlife.cluster.queue.streams import campaign_word
from satlife.cluster.recorder import Recorder
from tests.campaign.nats import Broker, broker
from tests.campaign.scene import TINY, at_work, make_recorder, make_worker, stranger, until

PLAN = "prove = true\n" + TINY
BLOCK = ("oo", "oo")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path / "nats") as one:
        yield one


class Villain:
    """Publishes results of its own making."""

    def __init__(self, js: Any, recorder: Recorder) -> None:
        self.js = js
        self.recorder = recorder
        self.campaign = campaign_word(recorder.plan.name)

    async def send(self, *texts: bytes, worker: str = "villain") -> None:
        for text in texts:
            await self.js.publish(f"satlife.result.{self.campaign}.{worker}", text)
        await until(self.is_quiet)

    async def is_pending(self) -> bool:
        info = await self.js.consumer_info(
            f"satlife-results-{self.campaign}", f"recorder-{self.campaign}"
        )
        return bool(info.num_pending or info.num_ack_pending)

    def is_quiet(self) -> bool:
        return not self.recorder.intake.at_work and not self.recorder.intake.checking

    def task_in(self, box: str, kind: str = "still-life") -> str:
        tasks = (start.task for start in self.recorder.out.values())
        return next(t.name for t in tasks if t.problem.boxes == (box,) and t.problem.kind == kind)


async def settle(villain: Villain) -> None:
    async with asyncio.timeout(120):
        while await villain.is_pending() or not villain.is_quiet():
            await asyncio.sleep(0.05)


def check_all(where: Path) -> None:
    """Every find is one, and nothing is certified that is not so."""
    with open_ledger(str(where)) as ledger:
        for entry in ledger.events():
            event = entry.event
            if isinstance(event, FoundEvent | CertifiedEvent):
                task = ledger.task(event.name)
                assert task is not None
            if isinstance(event, FoundEvent):
                check_pattern(task.problem, event.generations)
            elif isinstance(event, CertifiedEvent):
                assert isinstance(solve_task(task, "", None), ImpossibleResult)


GARBAGE = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"answer": "found"}',
    b'{"answer": "pickled", "task": "x", "worker": "villain"}',
    b'{"answer": "failed", "task": 7, "worker": "villain"}',
    b'{"answer": "failed", "task": "x", "worker": "villain", "more": 1}',
    json.dumps({"answer": "failed", "task": "x" * 900_000, "worker": "villain"}).encode(),
    secrets.token_bytes(500_000),
    json.dumps({"answer": "failed", "task": "x", "worker": "villain", "seconds": 1e308}).encode(),
)


def test_garbage_is_refused_and_the_campaign_goes_on(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", PLAN)
        running = asyncio.create_task(recorder.run())
        await until(lambda: recorder.out)
        async with stranger(server.url) as js:
            villain = Villain(js, recorder)
            await villain.send(*GARBAGE)
            await settle(villain)
            assert recorder.intake.refused == len(GARBAGE)
            assert not running.done()
            async with at_work(make_worker(server.url)), asyncio.timeout(120):
                assert (await running).is_met

    asyncio.run(scene())
    check_all(tmp_path / "a.db")


def test_false_results_are_never_recorded_as_answers(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", PLAN)
        running = asyncio.create_task(recorder.run())
        await until(lambda: len(recorder.out) > 10)
        async with stranger(server.url) as js:
            villain = Villain(js, recorder)
            small, name = villain.task_in("1x1"), villain.task_in("3x3", "oscillator")
            who: dict[str, Any] = {"worker": "villain"}
            lies = [
                # Patterns that are none, or not of this box, or not drawn as they must be.
                FoundResult(task=small, generations=(("o",),), **who),
                FoundResult(task=name, generations=(BLOCK,), **who),
                FoundResult(task=name, generations=(("ooo",) * 3, ("...",) * 3), **who),
                FoundResult(task=small, generations=(), **who),
                FoundResult(task=small, generations=(("\0",),), **who),
                # Of rounds that there are not, under names that are none.
                UndecidedResult(task=small, round=99, **who),
                FailedResult(task=small, round=-1, **who),
                FoundResult(task="'; DROP TABLE tasks; --", generations=(("o",),), **who),
                FoundResult(task="\0" * 64, generations=(("o",),), **who),
                FoundResult(task="f" * 64, generations=(("o",),), **who),
                # Under the name of another.
                FailedResult(task=small, worker="honest"),
            ]
            await villain.send(*map(encode, lies))
            await settle(villain)
            with open_ledger(str(tmp_path / "a.db")) as ledger:
                assert ledger.counts().found == ledger.counts().impossible == 0
                assert next(ledger.findings(), None) is None
            assert recorder.intake.refused == 6
            async with at_work(make_worker(server.url)), asyncio.timeout(120):
                await running

    asyncio.run(scene())
    check_all(tmp_path / "a.db")


def test_a_false_proof_certifies_nothing(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        # In 2x2 there is a block: whoever says that there is none lies.
        plan = 'prove = true\n[[search]]\nkind = "still-life"\nboxes = ["2x2", "9x9"]\n'
        recorder = make_recorder(server.url, tmp_path / "a.db", plan)
        async with at_work(recorder), stranger(server.url) as js:
            await until(lambda: recorder.out)
            villain = Villain(js, recorder)
            name = villain.task_in("2x2")
            who: dict[str, Any] = {"task": name, "worker": "villain"}
            false = tmp_path / "false.proof"
            false.write_bytes(b"0\n")
            stored = await put_proof(js, villain.campaign, "villain-1", false)
            await villain.send(
                encode(ImpossibleResult(proof="villain-1", proof_hash=stored, **who)),
            )
            await settle(villain)
            with open_ledger(str(tmp_path / "a.db")) as ledger:
                state = ledger.state(name)
                assert state is not None
                assert not state.certified
                assert state.status != "impossible"
            # Proofs that are not there, or not as described: at most a claim is left.
            bucket = f"satlife-proofs-{villain.campaign}"
            meta = {"name": "x", "bucket": bucket, "nuid": "x", "digest": ""}
            for number, lie in enumerate(({"size": 10**15, "chunks": 1}, {"size": 5, "chunks": 9})):
                from satlife.cluster.queue.proofs import _meta

                subject = _meta(villain.campaign, f"lie-{number}")
                await js.publish(subject, json.dumps(meta | lie).encode())
            await js.publish(_meta(villain.campaign, "lie-2"), b"no description")
            proofs = ("lie-0", "lie-1", "lie-2", "missing", ">", "*.*", "../../x")
            await villain.send(*(encode(ImpossibleResult(proof=p, **who)) for p in proofs))
            await settle(villain)
            with open_ledger(str(tmp_path / "a.db")) as ledger:
                assert ledger.counts().certified == 0
                state = ledger.state(name)
                assert state is not None
                assert not state.certified
            assert recorder.board.client.is_connected

    asyncio.run(scene())


def test_a_result_sent_often_counts_once_also_when_nobody_gave_the_task(
    server: Broker, tmp_path: Path
) -> None:
    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", PLAN)
        async with at_work(recorder), stranger(server.url) as js:
            await until(lambda: len(recorder.out) > 10)
            villain = Villain(js, recorder)
            name = villain.task_in("2x2")
            found = encode(FoundResult(task=name, worker="villain", generations=(BLOCK,)))
            await villain.send(*[found] * 50)
            await settle(villain)

    asyncio.run(scene())

    def count(ledger: Ledger) -> int:
        return sum(isinstance(entry.event, FoundEvent) for entry in ledger.events())

    with open_ledger(str(tmp_path / "a.db")) as ledger:
        assert count(ledger) == 1
    check_all(tmp_path / "a.db")


def test_a_contradiction_is_loud_and_the_pattern_stands(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        plan = '[[search]]\nkind = "still-life"\nboxes = ["2x2", "9x9"]\n'
        recorder = make_recorder(server.url, tmp_path / "a.db", plan)
        async with at_work(recorder), stranger(server.url) as js:
            await until(lambda: recorder.out)
            villain = Villain(js, recorder)
            name = villain.task_in("2x2")
            await villain.send(encode(ImpossibleResult(task=name, worker="villain")))
            await settle(villain)
            found = FoundResult(task=name, worker="anna", generations=(BLOCK,))
            await villain.send(encode(found), worker="anna")
            await settle(villain)
            assert len(recorder.conductor.alarms) == 1
            assert "found by anna" in recorder.conductor.alarms[0]
            with open_ledger(str(tmp_path / "a.db")) as ledger:
                state = ledger.state(name)
                assert state is not None
                assert state.status == "found"
                assert state.contradicted

    asyncio.run(scene())
