"""What comes late, is lost on its way, or comes back: over a real broker."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from satlife import still_life
from satlife.campaign.core.events import Status
from satlife.campaign.ledger import open_ledger
from satlife.campaign.maps import read_maps
from satlife.campaign.messages import (
    AnyResult,
    FoundResult,
    ImpossibleResult,
    Region,
    SplitResult,
    Task,
    encode,
)
from satlife.cluster.dispatch import supply
from satlife.cluster.intake import Intake
from satlife.cluster.protocol import decode_control
from satlife.cluster.queue import Access, Control
from satlife.cluster.queue.broker import give_up
from satlife.cluster.queue.streams import TASKS, control_subject, result_subject
from satlife.cluster.source import DirectSource
from tests.campaign.nats import Broker, broker
from tests.campaign.scene import TINY, at_work, make_recorder, make_worker, stranger, until
from tests.campaign.test_agreement import BLINKER, LIFE, MAP, PLAN

BLOCK = (("oo", "oo"),)
STILL = '[[search]]\nkind = "still-life"\nboxes = "2x2"\n'
STILL_LIFE = Task(problem=still_life(box="2x2"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path / "nats") as one:
        yield one


async def publish(js: Any, campaign: str, result: AnyResult) -> None:
    await js.publish(result_subject(campaign, result.worker), encode(result))


@contextlib.asynccontextmanager
async def told_over(client: Any, campaign: str) -> Any:
    """Something to wait for: the recorder says that the campaign is over."""
    over = asyncio.Event()

    async def hear(message: Any) -> None:
        control: Control = decode_control(message.data)
        if control.over:
            over.set()

    await client.subscribe(control_subject(campaign), cb=hear)
    await client.flush()
    yield over


# Results that come late


@pytest.mark.parametrize(
    ("plan", "task", "late"),
    [
        (STILL, STILL_LIFE, {"generations": BLOCK}),
        (
            PLAN,
            MAP,
            {"cases": (Region(LIFE, BLINKER), Region("B23/S[1]23"), Region("B3/S123"))},
        ),
    ],
    ids=["a pattern", "a pattern in a split"],
)
def test_a_find_that_comes_late_overrides(
    server: Broker, tmp_path: Path, plan: str, task: Task, late: dict[str, Any]
) -> None:
    """The campaign is over when it comes: somebody has said that it is impossible."""

    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", plan)
        running = asyncio.create_task(recorder.run())
        await until(lambda: task.name in recorder.out)
        campaign = recorder.board.campaign
        async with stranger(server.url) as js, told_over(recorder.board.client, campaign) as over:
            await publish(js, campaign, ImpossibleResult(task=task.name, worker="eve"))
            await over.wait()
            kind = FoundResult if "generations" in late else SplitResult
            await publish(js, campaign, kind(task=task.name, worker="anna", **late))
        async with at_work(make_worker(server.url)), asyncio.timeout(120):
            summary = await running
        assert summary.is_complete
        assert any("found" in words for words in summary.alarms)

    asyncio.run(scene())
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        state = ledger.state(task.name)
        assert state is not None
        assert state.status is Status.FOUND
        assert state.contradicted
        if task.every:
            (made,) = read_maps(ledger)
            assert made.is_complete, "the rules that nobody had answered were asked"


def test_results_that_wait_with_the_broker_are_read_by_the_next_recorder(
    server: Broker, tmp_path: Path
) -> None:
    """Even by one that has nothing else to do."""

    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", STILL)
        running = asyncio.create_task(recorder.run())
        await until(lambda: STILL_LIFE.name in recorder.out)
        async with stranger(server.url) as js:
            lie = ImpossibleResult(task=STILL_LIFE.name, worker="eve")
            await publish(js, recorder.board.campaign, lie)
            await until(lambda: not recorder.out)
            recorder.stop()
            await asyncio.gather(running, return_exceptions=True)
            found = FoundResult(task=STILL_LIFE.name, worker="anna", generations=BLOCK)
            await publish(js, recorder.board.campaign, found)
        summary = await make_recorder(server.url, tmp_path / "a.db", STILL).run()
        assert (summary.counts.found, summary.counts.impossible) == (1, 0)

    asyncio.run(scene())


# Tasks that are lost


def test_lost_tasks_are_queued_again_while_other_answers_arrive(
    server: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Intake._take

    async def take_slowly(intake: Intake, messages: Any) -> None:
        await asyncio.sleep(0.2)  # so that at every moment a result waits
        await take(intake, messages)

    monkeypatch.setattr(Intake, "_take", take_slowly)

    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", TINY, reconcile=1.0)
        async with at_work(recorder), stranger(server.url) as js:
            await until(lambda: len(recorder.out) > 5)
            board = recorder.board

            async def chatter() -> None:
                while True:
                    stray = ImpossibleResult(task="00" * 32, worker="chatter")
                    await publish(js, board.campaign, stray)
                    await asyncio.sleep(0.04)

            talking = asyncio.create_task(chatter())
            await until(lambda: recorder.intake.refused > 10)
            lost = list(recorder.out)[:3]
            for name in lost:
                await board.delete(TASKS, f"satlife.task.{board.campaign}.{name}.>")
            async with asyncio.timeout(120):
                while True:
                    there = {subject.split(".")[3] for subject in await board._subjects()}
                    if there.issuperset(lost):
                        break
                    assert await board.waiting()
                    await asyncio.sleep(0.1)
            await give_up(talking)

    asyncio.run(scene())


# Tasks that come back


@pytest.mark.parametrize("by", ["workers", "volunteers"])
def test_a_task_that_was_returned_thirty_times_is_solved_by_the_next(
    server: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    monkeypatch.setattr(supply, "AWAY", 0.001)

    async def nothing(*_: object) -> None:
        pass

    async def return_it(client: Any) -> int:
        if by == "workers":
            source = DirectSource(Access(servers=(server.url,)), "leaver")
            await source.open(nothing, asyncio.Event())
            held = await source.fetch(10, 1.0)
            await source.give_back(held)
            await source.close()
            return len(held)
        shelf = supply.Supply(client)
        await shelf.open()
        offers, _ = await shelf.pull(10, lambda _: True, lambda _: True)
        for offer in offers:
            shelf.put(offer)
        await shelf.close()
        return len(offers)

    async def scene() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", STILL, reconcile=0.5)
        running = asyncio.create_task(recorder.run())
        await until(lambda: STILL_LIFE.name in recorder.out)
        returns = 0
        async with asyncio.timeout(120):
            while returns < 30:
                returns += await return_it(recorder.board.client)
                await asyncio.sleep(0.02)
            async with at_work(make_worker(server.url)):
                summary = await running
        assert (summary.counts.found, summary.counts.failed) == (1, 0)

    asyncio.run(scene())
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        assert [entry.event.__struct_config__.tag for entry in ledger.events()] == [
            "queued",
            "found",
        ]
