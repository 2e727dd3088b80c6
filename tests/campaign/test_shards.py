"""Several recorders: shards that share nothing, and one that comes back too late."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from itertools import chain
from pathlib import Path

import pytest

from satlife import still_life
from satlife.campaign.core.events import ClaimedEvent, Status
from satlife.campaign.core.schedule import Schedule
from satlife.campaign.core.summary import Summary
from satlife.campaign.ledger import FencedError, export, merge, open_ledger
from satlife.campaign.local.runner import run
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import Shard
from satlife.errors import UsageError
from tests.campaign.nats import broker
from tests.campaign.postgres import PostgresServer
from tests.campaign.running import Command
from tests.campaign.scene import TINY, at_work, finish, make_recorder, make_worker, until
from tests.patience import PATIENCE

PLAN = """
[[search]]
kind = "oscillator"
periods = "2..9"
symmetries = ["C4", "D4+", "D8"]
boxes = "3x3..5x5"
"""


def take_all(plan: Plan, shard: Shard) -> list[str]:
    schedule, names = Schedule(plan, shard=shard), []
    while tasks := schedule.take(50):
        names += [task.name for task in tasks]
        for task in tasks:
            schedule.tell(task.name, Status.FAILED)
    return names


@pytest.mark.parametrize("count", [1, 2, 5])
def test_shards_are_a_plan_in_parts(count: int) -> None:
    plan = Plan.from_toml(PLAN)
    parts = [take_all(plan, Shard(index, count)) for index in range(1, count + 1)]
    names = list(chain(*parts))
    assert len(names) == len(set(names)) == plan.size()
    assert [Shard(i, count).size(plan) for i in range(1, count + 1)] == list(map(len, parts))


@pytest.mark.parametrize("text", ["", "2", "0/2", "3/2", "1/0", "a/b", "1/9999", "-1/2"])
def test_wrong_shards_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="shard"):
        Shard.parse(text)


def test_a_ledger_is_of_one_shard() -> None:
    plan = Plan.from_toml(PLAN)
    with open_ledger(":memory:") as ledger:
        ledger.begin(plan.name, "", shard="1/2")
        with pytest.raises(UsageError, match="is of shard 1/2, not of 2/2"):
            ledger.begin(plan.name, "", shard="2/2")


def test_who_has_lost_a_ledger_writes_nothing(tmp_path: Path) -> None:
    where = str(tmp_path / "a.db")
    task = Task(problem=still_life(box="3x3"))
    with open_ledger(where) as old, open_ledger(where) as new:
        old.hold("anna")
        old.add([task])
        new.hold("bert")
        for write in (
            lambda: old.record([ClaimedEvent(task.name, "w")]),
            lambda: old.save_checkpoint("{}"),
            lambda: old.lease("w", 1),
            old.check_hold,
        ):
            with pytest.raises(FencedError, match="taken over by bert"):
                write()
        assert new.counts().queued == 1
        assert new.checkpoint() is None
        new.record([ClaimedEvent(task.name, "w")])
        with open_ledger(where) as reader:  # who never held it, such as campaign retry, may write
            reader.add_revoked("eve")


def test_two_shards_over_one_broker_have_the_answers_of_the_whole(tmp_path: Path) -> None:
    places = [str(tmp_path / f"{index}.db") for index in (1, 2)]

    async def play(url: str) -> list[Summary]:
        recorders = [
            make_recorder(url, place, TINY, shard=Shard(index, 2))
            for index, place in enumerate(places, 1)
        ]
        async with at_work(make_worker(url)), asyncio.timeout(120):
            return await asyncio.gather(*(recorder.run() for recorder in recorders))

    with broker(tmp_path / "nats") as nats:
        for summary in asyncio.run(play(nats.url)):
            assert summary.is_met
    with open_ledger(":memory:") as joined, open_ledger(":memory:") as whole:
        for place in places:
            with open_ledger(place) as ledger:
                assert ledger.counts().total == ledger.planned() > 0
                merge(joined, export(ledger))
        run(Plan.from_toml(TINY), whole, jobs=1)
        states = [{r.name: r.state for r in each.rows()} for each in (joined, whole)]
        assert states[0].keys() == states[1].keys()
        for here, there in ((states[0][name], states[1][name]) for name in states[0]):
            # An exact box is not asked once a smaller one has a find; or it was, just before.
            assert here.elsewhere or there.elsewhere or here.status is there.status


@pytest.mark.skipif(sys.platform == "win32", reason="stops a process by signals")
def test_a_recorder_that_was_stopped_and_goes_on_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(TINY)
    with PostgresServer("fsync=off") as server, broker(tmp_path / "nats") as nats:
        where = server.new_ledger()
        words = ["campaign", "serve", str(tmp_path / "plan.toml"), "--nats", nats.url]
        old = Command("old", tmp_path / "log", words, variables={"SATLIFE_LEDGER": where})
        old.start()
        try:
            asyncio.run(until(lambda: has_tasks(where)))
            os.kill(old.pid, signal.SIGSTOP)
            assert finish(nats.url, where).is_met
            before = len_log(where)
            os.kill(old.pid, signal.SIGCONT)
            assert old.wait(PATIENCE) != 0
        finally:
            os.kill(old.pid, signal.SIGCONT) if old.code is None else None
            old.kill()
        assert len_log(where) == before
        assert "was taken over by" in (tmp_path / "log").read_text()


def has_tasks(where: str) -> bool:
    try:
        with open_ledger(where, create=False) as ledger:
            return ledger.counts().queued > 0
    except UsageError:
        return False


def len_log(where: str) -> int:
    with open_ledger(where) as ledger:
        return sum(1 for _ in ledger.lines())
