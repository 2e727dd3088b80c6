"""Two campaigns on one broker: what one cannot take does not stop the volunteers of the other."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nats.js.errors import APIError

from satlife.campaign.messages import ImpossibleResult, encode
from satlife.campaign.plan import Plan
from satlife.cluster import protocol
from satlife.cluster.dispatch.desk import Quota
from satlife.cluster.queue import connect, jetstream
from satlife.cluster.queue.streams import result_subject
from satlife.cluster.recorder import Recorder
from satlife.cluster.worker import Worker
from tests.campaign.nats import Broker, plain_broker
from tests.campaign.scene import SMALL, at_work, until
from tests.campaign.strangers import (
    Honest,
    Truth,
    access,
    connected,
    staged,
    volunteer,
)

ONE = '[[search]]\nkind = "still-life"\nboxes = "1x1..4x4"\n'
OTHER = '[[search]]\nkind = "oscillator"\nperiods = 2\nboxes = "3x3..6x6"\n'
"""All of them are found, so one user is enough."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with plain_broker(tmp_path / "nats") as one:
        yield one


@contextlib.asynccontextmanager
async def served(server: Broker, where: Path, plan: str) -> AsyncIterator[asyncio.Task[Any]]:
    """A recorder of another campaign; what it comes to."""
    there = access(server, "recorder")
    recorder = Recorder(Plan.from_toml(plan), str(where), there, stores=SMALL, reconcile=2.0)
    running = asyncio.create_task(recorder.run())
    try:
        await until(lambda: recorder.out)
        yield running
    finally:
        recorder.stop()
        await asyncio.gather(running, return_exceptions=True)


def test_proofs_that_one_campaign_has_not_checked_do_not_count_in_another(
    server: Broker, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with (
            staged(server, tmp_path, ONE, Quota(uploads=1)),
            served(server, tmp_path / "b.db", OTHER),
            connected(server) as eve,
        ):
            leases = (await eve.lease(30)).leases
            first, second = {leased.campaign: leased for leased in leases}.values()

            async def upload(leased: protocol.Leased) -> protocol.Reply:
                return await eve.upload(leased.lease, 0, b"x" * 100)

            assert not (await upload(first)).refused
            again = next(x for x in leases if x.campaign == first.campaign and x is not first)
            assert "1 of your proofs wait" in (await upload(again)).refused
            assert not (await upload(second)).refused

    asyncio.run(scene())


@pytest.mark.parametrize("is_volunteer", [True, False])
def test_results_that_one_campaign_cannot_take_do_not_stop_another(
    server: Broker, tmp_path: Path, is_volunteer: bool
) -> None:
    """The recorder of the first is away, and its store is full."""
    truth = Truth.of(ONE, tmp_path / "one.db")
    others = Truth.of(OTHER, tmp_path / "other.db")
    truth.patterns |= others.patterns

    async def scene() -> None:
        full = replace(SMALL, result_bytes=3000)
        async with staged(server, tmp_path, ONE, Quota(tasks=4), stores=full) as stage:
            board = stage.recorder.board
            stage.recorder.stop()
            await asyncio.gather(stage.running, return_exceptions=True)
            stray = ImpossibleResult(task="00" * 32, worker="eve", reason="x" * 500)
            client = await connect(access(server, "recorder"))
            subject = result_subject(board.campaign, stray.worker)
            with contextlib.suppress(APIError):  # maximum bytes exceeded
                for _ in range(100):
                    await jetstream(client).publish(subject, encode(stray))
            with pytest.raises(APIError, match="maximum bytes"):
                await jetstream(client).publish(subject, encode(stray))
            await client.close()
            pool = Honest(truth)
            worker = (
                volunteer(server, "anna.desk", pool)
                if is_volunteer
                else Worker(access(server, "worker"), pool, "worker.own", batch=2)
            )
            async with served(server, tmp_path / "b.db", OTHER) as running, at_work(worker):
                async with asyncio.timeout(120):
                    assert (await running).is_met

    asyncio.run(scene())


def test_tasks_that_wait_for_another_user_do_not_stop_another_campaign(
    server: Broker, tmp_path: Path
) -> None:
    """The only volunteer has said all she can of the first."""
    truth = Truth.of(OTHER, tmp_path / "other.db")
    plan = f"quorum = 2\n{ONE.replace('1x1..4x4', '1x1..1x250')}"

    async def scene() -> None:
        async with staged(server, tmp_path, plan, Quota(rate=10**5)) as stage:
            worker = volunteer(server, "anna.desk", Honest(truth))
            async with at_work(worker):
                await until(lambda: worker.done >= len(stage.recorder.out) == 250)
                async with served(server, tmp_path / "b.db", OTHER) as running:
                    async with asyncio.timeout(120):
                        assert (await running).is_met

    asyncio.run(scene())
