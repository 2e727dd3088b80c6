"""Attacks of a volunteer, over a real broker, beside honest ones: the campaign ends right.

How fast the honest ones are meanwhile is measured by ``just attacks`` (bench/attacks.py).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from satlife.campaign.core.events import CertifiedEvent, Event, QueuedEvent
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.pool import Pool
from satlife.campaign.plan import Plan
from satlife.cli.campaign.commands import merge_files
from satlife.cluster.dispatch.desk import Quota
from satlife.cluster.queue.broker import give_up
from tests.campaign.attacks import ATTACKS, attack_on
from tests.campaign.nats import Broker, plain_broker
from tests.campaign.scene import TINY, answers, at_work
from tests.campaign.strangers import (
    Honest,
    Truth,
    connected,
    staged,
    volunteer,
)

PLAN = f"quorum = 2\n{TINY}"
QUOTA = Quota(tasks=16, hold=1.5, uploads=2, cooling=1.0, again=2.0)

NAMED = {
    "false impossible": "false: eve claimed",
    "undecided": "futile: eve hardly answers",
    "failed": "futile: eve hardly answers",
    "false finds": "false: the answer of eve",
    "hoarding": "quota: eve has",
    "pull and return": "futile: eve hardly answers",
    "flood": "flood: eve sends",
    "fill the store": "refused eve: 1 of your proofs wait",
    "old version": "refused eve: the dispatcher speaks version 2",
}
"""What the log says of the user."""


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return Truth.of(TINY, tmp_path_factory.mktemp("truth") / "truth.db")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with plain_broker(tmp_path / "nats") as one:
        yield one


def check(where: Path, truth: Truth) -> None:
    said = {name: status for name, (_, status) in answers(where).items()}
    assert said == {name: str(status) for name, status in truth.statuses.items()}


@pytest.mark.parametrize("name", ATTACKS)
def test_the_campaign_ends_right(
    server: Broker, tmp_path: Path, truth: Truth, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with staged(server, tmp_path, PLAN, QUOTA) as stage, connected(server) as eve:
            attack = asyncio.create_task(attack_on(eve, name))
            try:
                # Eve comes first, so that she has her way with some tasks.
                await asyncio.sleep(0.7)
                honest = [
                    volunteer(server, user, Honest(truth, 0.01))
                    for user in ("anna.desk", "bert.desk")
                ]
                async with at_work(*honest), asyncio.timeout(120):
                    assert (await stage.running).is_met
            finally:
                await give_up(attack)
            assert len(stage.dispatcher.desk.user("eve").held) <= QUOTA.tasks

    with caplog.at_level(logging.INFO):
        asyncio.run(scene())
    check(tmp_path / "a.db", truth)
    assert NAMED[name] in caplog.text
    assert "failed" not in {status for _, status in answers(tmp_path / "a.db").values()}


def test_a_liar_and_a_prover(server: Broker, tmp_path: Path) -> None:
    """With prove, one honest volunteer is enough, whatever the others say."""
    plan = 'prove = true\n[[search]]\nkind = "still-life"\nboxes = ["2x2", "1x3", "3x1"]\n'

    async def scene() -> None:
        async with staged(server, tmp_path, plan) as stage, connected(server) as eve:
            attack = asyncio.create_task(attack_on(eve, "false impossible"))
            await asyncio.sleep(0.5)
            anna = volunteer(server, "anna.desk", Pool(1, worker="anna.desk"))
            try:
                async with at_work(anna), asyncio.timeout(120):
                    summary = await stage.running
            finally:
                await give_up(attack)
            assert summary.is_met
            assert (summary.counts.found, summary.counts.claimed) == (1, 0)

    asyncio.run(scene())


def test_a_forged_ledger_is_refused_and_named(
    server: Broker, tmp_path: Path, truth: Truth, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> None:
        async with staged(server, tmp_path, PLAN) as stage:
            honest = [volunteer(server, f"{u}.desk", Honest(truth)) for u in ("anna", "bert")]
            async with at_work(*honest), asyncio.timeout(120):
                assert (await stage.running).is_met

    asyncio.run(scene())
    plan = Plan.from_toml(PLAN)
    (tmp_path / "plan.toml").write_text(PLAN)
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        tasks = [row.task for row in ledger.rows()]
    forged: list[Event] = [QueuedEvent(task) for task in tasks]
    forged += [CertifiedEvent(task.name, "eve", 0, "0" * 64, "drat-trim") for task in tasks]
    head = {"format": "satlife-ledger", "version": 1, "plan": plan.name}
    lines = [json.dumps(head | {"plan_text": plan.to_toml()}).encode()]
    lines += [
        b'{"time":%d,"event":%s}' % (time, msgspec.json.encode(event))
        for time, event in enumerate(forged, 1)
    ]
    (tmp_path / "eve.jsonl").write_bytes(b"\n".join(lines))
    clean, _ = merge_files(
        str(tmp_path / "plan.toml"),
        str(tmp_path / "a.db"),
        (str(tmp_path / "eve.jsonl"),),
        trust=False,
    )
    assert not clean
    assert "claimed to be impossible by eve" in capsys.readouterr().err
    check(tmp_path / "a.db", truth)
