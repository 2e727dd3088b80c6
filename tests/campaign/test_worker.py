"""Recorder and worker from end to end, over a real broker and with real solvers."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from satlife import still_life
from satlife.campaign.core.events import ClaimedEvent
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.pool import FinishedTask
from satlife.campaign.local.runner import run
from satlife.campaign.messages import (
    FoundResult,
    ImpossibleResult,
    Task,
    decode_result,
    encode,
)
from satlife.campaign.plan import Plan
from satlife.cluster.queue import Access
from satlife.cluster.queue.pull import MOST_DELIVERIES
from satlife.cluster.queue.streams import campaign_word
from satlife.cluster.source import HeldTask, make_answer
from satlife.cluster.worker import Worker
from satlife.errors import UsageError
from tests.campaign.nats import Broker, broker
from tests.campaign.running import Command, nothing_left
from tests.campaign.scene import (
    SMALL,
    TINY,
    answers,
    at_work,
    finish,
    make_recorder,
    make_worker,
    until,
)
from tests.processes import children

ENDLESS = """
{stop}
[[search]]
kind = "oscillator"
periods = [5, 7]
boxes = "14x14"

[[search]]
kind = "still-life"
boxes = "{small}"
"""
"""Two tasks that take hours, and one that takes a moment."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path / "nats") as one:
        yield one


class Sleepers:
    """Stands in for a pool: every task takes so many seconds, and there is none."""

    def __init__(self, jobs: int = 1, seconds: float = 0.0) -> None:
        self.jobs, self.seconds = jobs, seconds
        self.line: list[tuple[float, Task, Any]] = []
        self.cancelled: list[Any] = []

    @property
    def busy(self) -> int:
        return len(self.line)

    def submit(self, task: Task, token: Any) -> None:
        self.line.append((time.monotonic() + self.seconds, task, token))

    def poll(self, timeout: float) -> list[FinishedTask]:
        end = time.monotonic() + timeout
        while time.monotonic() < end and all(at > time.monotonic() for at, _, _ in self.line):
            time.sleep(0.005)
        now = time.monotonic()
        done = [entry for entry in self.line if entry[0] <= now]
        self.line = [entry for entry in self.line if entry[0] > now]
        from satlife.campaign.messages import UndecidedResult

        return [
            FinishedTask(token, UndecidedResult(task=task.name, worker="x", reason="asleep"), None)
            for _, task, token in done
        ]

    def cancel(self, token: Any) -> bool:
        self.cancelled.append(token)
        self.line = [entry for entry in self.line if entry[2] != token]
        return True

    def close(self) -> None:
        self.line.clear()


def undisturbed(folder: Path, plan: str = TINY) -> dict[str, tuple[str, str]]:
    with open_ledger(str(folder / "local.db")) as ledger:
        run(Plan.from_toml(plan), ledger, jobs=1)
    return answers(folder / "local.db")


def test_a_campaign_over_the_broker_has_the_answers_of_a_local_one(
    server: Broker, tmp_path: Path
) -> None:
    summary = finish(server.url, tmp_path / "a.db")
    assert summary.is_met
    assert answers(tmp_path / "a.db") == undisturbed(tmp_path)


def test_impossibilities_are_certified_by_proofs_that_the_recorder_checks(
    server: Broker, tmp_path: Path
) -> None:
    plan = 'prove = true\n[[search]]\nkind = "oscillator"\nperiods = 3\nboxes = "4x4"\n'
    summary = finish(server.url, tmp_path / "a.db", plan)
    assert (summary.counts.certified, summary.counts.claimed) == (1, 0)


def test_results_wait_while_nobody_records(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", outstanding=5)
        async with at_work(recorder):
            await until(lambda: len(recorder.out) >= 5)
        worker = make_worker(server.url)
        async with at_work(worker):
            await until(lambda: worker.done >= 5)
        again = make_recorder(server.url, tmp_path / "a.db")
        async with at_work(make_worker(server.url)), asyncio.timeout(120):
            assert (await again.run()).is_met

    asyncio.run(scene())
    assert answers(tmp_path / "a.db") == undisturbed(tmp_path)


def test_a_worker_that_is_stopped_gives_its_tasks_back_at_once(
    server: Broker, tmp_path: Path
) -> None:
    async def scene() -> None:
        stores = replace(SMALL, lease=100)
        recorder = make_recorder(server.url, tmp_path / "a.db", outstanding=3, stores=stores)
        slow = Worker(Access(servers=(server.url,)), Sleepers(3, 1000), "slow")
        async with at_work(recorder):
            async with at_work(slow):
                await until(lambda: slow._pool.busy == 3)
            quick = Worker(Access(servers=(server.url,)), Sleepers(3), "quick")
            async with at_work(quick):
                await until(lambda: quick.done >= 3)  # in 30 s; the lease has 100

    asyncio.run(scene())


@pytest.mark.parametrize(("stop", "small"), [('stop = "first"', "2x2"), ("", "1x1")])
def test_a_find_or_a_person_ends_running_tasks(
    server: Broker, tmp_path: Path, stop: str, small: str
) -> None:
    from satlife.cluster.recorder import cancel_campaign

    async def scene() -> None:
        plan = ENDLESS.format(stop=stop, small=small)
        recorder = make_recorder(server.url, tmp_path / "a.db", plan)
        worker = make_worker(server.url, jobs=2)
        recording = asyncio.create_task(recorder.run())
        async with at_work(worker):
            if stop:
                async with asyncio.timeout(120):
                    summary = await recording
                assert summary.has_stopped_at_find
            else:
                await until(lambda: len(recorder.out) == 2 and worker._pool.busy == 2)
                await cancel_campaign(recorder.plan, recorder.access)
            await until(lambda: worker._pool.busy == 0)
        recorder.stop()
        await asyncio.gather(recording, return_exceptions=True)

    asyncio.run(scene())


def test_a_task_that_nobody_came_back_from_is_given_up_with_words(
    server: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satlife.cluster.source.MOST_DELIVERIES", 2)
    assert MOST_DELIVERIES > 2

    async def scene() -> None:
        plan = '[[search]]\nkind = "still-life"\nboxes = "9x9"\n'
        recorder = make_recorder(server.url, tmp_path / "a.db", plan)
        running = asyncio.create_task(recorder.run())
        for _ in range(9):
            if running.done():
                break
            worker = Worker(Access(servers=(server.url,)), Sleepers(1, 1000), "mortal")
            async with at_work(worker):
                await until(lambda w=worker: w._pool.busy or running.done())  # type: ignore[misc]
        async with asyncio.timeout(120):
            assert (await running).counts.failed == 1

    asyncio.run(scene())
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        assert any("no worker came back" in getattr(e.event, "log", "") for e in ledger.events())


def test_a_lost_task_is_published_again(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", reconcile=1.0)
        running = asyncio.create_task(recorder.run())

        async def is_published() -> bool:
            if not recorder.out:
                return False
            return bool((await recorder.board.js.stream_info("satlife-tasks")).state.messages)

        await until(is_published)
        await recorder.board.js.purge_stream("satlife-tasks")
        async with at_work(make_worker(server.url)), asyncio.timeout(120):
            assert (await running).is_met

    asyncio.run(scene())


def test_a_retried_task_is_picked_up_by_a_running_recorder(server: Broker, tmp_path: Path) -> None:
    from satlife.campaign.core.conductor import Start
    from satlife.campaign.core.events import RetriedEvent, Status

    plan = TINY + '\n[[search]]\nkind = "oscillator"\nperiods = 7\nboxes = "14x14"\n'

    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", plan, reconcile=1.0)
        sleepers = Worker(Access(servers=(server.url,)), Sleepers(1, 0.1), "sleepy", batch=1)
        async with at_work(recorder):
            async with at_work(sleepers):
                await until(lambda: sleepers.done >= 5)
            with open_ledger(str(tmp_path / "a.db")) as ledger:
                row = next(iter(ledger.rows(Status.UNDECIDED)))
                again = Task(problem=row.task.problem, round=1)
                ledger.record([RetriedEvent(again)])
            await until(lambda: recorder.out.get(row.name) == Start(again, 0))

    asyncio.run(scene())


def test_a_late_result_of_an_undecided_task_still_counts(server: Broker, tmp_path: Path) -> None:
    from tests.campaign.scene import stranger

    plan = '[[search]]\nkind = "still-life"\nboxes = ["2x2"]\n'
    plan += '[[search]]\nkind = "oscillator"\nperiods = 7\nboxes = "14x14"\n'

    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", plan)
        async with at_work(recorder), stranger(server.url) as js:
            await until(lambda: len(recorder.out) == 2)
            name = next(n for n, t in recorder.out.items() if t.task.problem.boxes == ("2x2",))
            word = campaign_word(recorder.plan.name)
            found = FoundResult(task=name, worker="late", generations=(("oo", "oo"),))
            for _ in range(3):
                await js.publish(f"satlife.result.{word}.late", encode(found))
            await until(lambda: name not in recorder.out)
            await asyncio.sleep(1)

    asyncio.run(scene())
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        assert [f.identity for f in ledger.findings()] == ["xs4_33"]
        kinds = [type(entry.event).__name__ for entry in ledger.events()]
        assert kinds.count("FoundEvent") == 1


def test_the_commands_work_together_and_leave_nothing(server: Broker, tmp_path: Path) -> None:
    mark = secrets.token_hex(8)
    (tmp_path / "plan.toml").write_text(TINY)
    nats = ["--nats", server.url]
    recorder = Command(
        mark, tmp_path / "r.log", ["campaign", "serve", str(tmp_path / "plan.toml"), *nats]
    )
    worker = Command(mark, tmp_path / "w.log", ["worker", *nats, "--jobs", "1", "--name", "w"])
    with nothing_left(mark):
        try:
            worker.start()
            recorder.start()
            assert recorder.wait(90) == 0, (tmp_path / "r.log").read_text()
            assert children(worker.pid)
            worker.kill()
        finally:
            recorder.stop()
            worker.stop()
    assert "found: blinker (xp2_7) by" in (tmp_path / "r.log").read_text()
    assert answers(tmp_path / "plan.db") == undisturbed(tmp_path)


@pytest.mark.parametrize("where", ["nowhere", "gone"])
def test_a_recorder_that_waits_for_the_broker_stops_at_once(
    server: Broker, tmp_path: Path, where: str
) -> None:
    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db")
        running = asyncio.create_task(recorder.run())
        if where == "gone":
            await until(lambda: recorder.out)
            server.kill()
        await asyncio.sleep(1)
        recorder.stop()
        async with asyncio.timeout(120):
            await asyncio.gather(running, return_exceptions=True)

    if where == "nowhere":
        server.kill()
    asyncio.run(scene())


def test_cancelling_without_a_broker_gives_up_or_heeds_the_stop(
    server: Broker, tmp_path: Path
) -> None:
    from satlife.cluster.recorder import cancel_campaign

    recorder = make_recorder(server.url, tmp_path / "a.db")

    async def stopped() -> None:
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(0.5, stop.set)
        async with asyncio.timeout(120):
            await cancel_campaign(recorder.plan, recorder.access, stop)

    # Nothing to cancel: that is well.
    asyncio.run(cancel_campaign(recorder.plan, recorder.access))
    server.kill()
    with pytest.raises(UsageError, match="nothing was cancelled"):
        asyncio.run(cancel_campaign(recorder.plan, recorder.access, patience=1.0))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stopped())


def test_a_proof_is_uploaded_once_and_left_out_if_it_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = Task(problem=still_life(box="1x2"), prove=True)
    proof = tmp_path / "proof"
    proof.write_bytes(b"0\n")
    result = ImpossibleResult(task=task.name, worker="anna", reason="refuted", proof_hash="00")
    uploads: list[Path] = []

    async def upload(path: Path) -> ImpossibleResult:
        uploads.append(path)
        return msgspec.structs.replace(result, proof="stored")

    async def answer(held: HeldTask, times: int) -> list[object]:
        texts = [await make_answer(held, result, proof, upload) for _ in range(times)]
        return [decode_result(text) for text in texts]

    held = HeldTask("c0ffee", task, 30.0, None)
    one, two = asyncio.run(answer(held, 2))
    assert one == two == msgspec.structs.replace(result, proof="stored")
    assert (uploads, held.is_uploaded) == ([proof], True)
    monkeypatch.setattr("satlife.cluster.source.LARGEST_PROOF", 1)
    held = HeldTask("c0ffee", task, 30.0, None)
    (left_out,) = asyncio.run(answer(held, 1))
    assert isinstance(left_out, ImpossibleResult)
    assert left_out.reason == "refuted; the proof has 2 bytes, too large to send"
    assert (left_out.proof, left_out.proof_hash, held.is_uploaded) == (None, None, False)


def test_a_claim_is_looked_at_by_another_worker_if_there_is_one(
    server: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anna alone answers everything; with bert there, the second look is his."""
    monkeypatch.setattr("satlife.cluster.source.AVOIDED", 8)  # however slow this machine is
    plan = (
        'recheck = true\n[[search]]\nkind = "ship"\nspeeds = "c/5"\nboxes = ["3x3", "3x4", "4x4"]\n'
    )

    async def play(where: Path, second: str) -> list[str]:
        recorder = make_recorder(server.url, where, plan)
        running = asyncio.ensure_future(recorder.run())
        async with at_work(make_worker(server.url, "anna.a")):
            await until(lambda: any(start.task.avoid for start in recorder.out.values()))
            async with at_work(make_worker(server.url, second)):
                assert (await running).is_complete
        with open_ledger(str(where)) as ledger:
            (name,) = (row.name for row in ledger.rows() if row.task.avoid)
            events = [entry.event for entry in ledger.events() if entry.event.name == name]
        return [event.worker for event in events if isinstance(event, ClaimedEvent)]

    assert asyncio.run(play(tmp_path / "a.db", "bert.a")) == ["bert.a"]
    monkeypatch.setattr("satlife.cluster.source.AVOIDED", 1)
    (worker,) = asyncio.run(play(tmp_path / "b.db", "anna.b"))
    assert worker.startswith("anna.")
