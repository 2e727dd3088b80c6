"""A liar among honest workers, over a real broker: the campaign ends right, and names the liar."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from satlife.campaign.core.events import ClaimedEvent, Status
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.runner import run
from satlife.campaign.messages import (
    AnyResult,
    FailedResult,
    ImpossibleResult,
    Task,
    UndecidedResult,
    encode,
)
from satlife.campaign.plan import Plan
from satlife.campaign.retry import retry_claims, revoke
from satlife.cluster.queue.streams import campaign_word
from tests.campaign.nats import Broker, broker
from tests.campaign.scene import TINY, answers, at_work, make_recorder, make_worker, stranger, until

EVE = "eve.laptop"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path / "nats") as one:
        yield one


def truth(tmp_path: Path) -> dict[str, tuple[str, str]]:
    with open_ledger(str(tmp_path / "truth.db")) as ledger:
        run(Plan.from_toml(TINY), ledger, jobs=1)
    return answers(tmp_path / "truth.db")


def say_impossible(task: Task) -> AnyResult:
    return ImpossibleResult(task=task.name, worker=EVE)


def say_undecided(task: Task) -> AnyResult:
    return UndecidedResult(task=task.name, worker=EVE)


def say_failed(task: Task) -> AnyResult:
    return FailedResult(task=task.name, worker=EVE, log="no")


@pytest.mark.parametrize(
    ("head", "lie"),
    [
        ("quorum = 2", say_impossible),
        ("quorum = 2", say_undecided),
        ("quorum = 2", say_failed),
        ("quorum = 2\nprove = true", say_impossible),
    ],
)
def test_one_liar_neither_ends_nor_halts_a_campaign(
    server: Broker, tmp_path: Path, head: str, lie: Callable[[Task], AnyResult]
) -> None:
    where = tmp_path / "a.db"

    async def scene() -> None:
        recorder = make_recorder(server.url, where, f"{head}\n{TINY}", reconcile=0.3)
        running = asyncio.create_task(recorder.run())
        await until(lambda: len(recorder.out) > 10)
        lied: set[str] = set()

        async def go_on_lying() -> None:
            subject = f"satlife.result.{campaign_word(recorder.plan.name)}.{EVE}"
            async with stranger(server.url) as js:
                while not running.done():
                    for start in list(recorder.out.values()):
                        lied.add(start.task.name)
                        await js.publish(subject, encode(lie(start.task)))
                    await asyncio.sleep(0.3)

        lying = asyncio.create_task(go_on_lying())
        await until(lambda: len(lied) > 10)
        honest = [make_worker(server.url, name) for name in ("anna.desk", "bert.desk")]
        try:
            async with at_work(*honest), asyncio.timeout(300):
                assert (await running).is_complete
        finally:
            await asyncio.gather(lying, return_exceptions=True)

    asyncio.run(scene())
    assert answers(where) == truth(tmp_path)
    if "prove" in head:
        with open_ledger(str(where)) as ledger:
            assert ledger.counts().claimed == 0


def test_a_revoked_user_is_refused_and_named(
    server: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    where = tmp_path / "a.db"
    plan = Plan.from_toml(TINY)
    tasks = [plan.task(group, i) for group in plan.groups() for i in range(len(group))]
    with open_ledger(str(where)) as ledger:
        ledger.begin(plan.name, plan.to_toml())
        ledger.add(tasks)
        ledger.record([ClaimedEvent(task.name, EVE) for task in tasks])
        assert ledger.counts().claimed == len(tasks)
        assert revoke(ledger, "eve") == len(tasks)
        assert ledger.counts().queued == len(tasks)

    async def scene() -> None:
        recorder = make_recorder(server.url, where, TINY)
        running = asyncio.create_task(recorder.run())
        await until(lambda: len(recorder.out) > 10)
        async with stranger(server.url) as js:
            subject = f"satlife.result.{campaign_word(plan.name)}.{EVE}"
            for task in tasks[:5]:
                await js.publish(subject, encode(say_impossible(task)))
            await until(lambda: recorder.intake.refused == 5)
        async with at_work(make_worker(server.url)), asyncio.timeout(300):
            assert (await running).is_met

    with caplog.at_level(logging.WARNING):
        asyncio.run(scene())
    assert answers(where) == truth(tmp_path)
    assert sum("the user eve was revoked" in record.message for record in caplog.records) == 5


def test_what_follows_from_a_revoked_claim_is_queued_again() -> None:
    plan = Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = "1x1..1x4"')
    with open_ledger(":memory:") as ledger:
        run(plan, ledger, jobs=1)
        states = {row.task.problem.boxes[0]: row.state for row in ledger.rows()}
        assert {state.status for state in states.values()} == {Status.IMPOSSIBLE}
        claims = ledger.counts().claimed
        assert (claims, ledger.counts().implied) == (4, 0)
        assert retry_claims(ledger) == 4
        summary = run(plan, ledger, jobs=1)
        assert (summary.is_met, ledger.counts().impossible) == (True, 4)
    wide = Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = ["1x1", "1x2", "2x1"]')
    with open_ledger(":memory:") as ledger:
        run(wide, ledger, jobs=1)
        assert ledger.counts().implied == 1
        assert retry_claims(ledger) == 3
        assert ledger.counts().queued == 3
        assert run(wide, ledger, jobs=1).is_met
