"""The dispatcher: leases, quotas, and what a volunteer may not do, over a real broker."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import nats.errors
import pytest

from satlife.campaign.local.pool import Pool
from satlife.campaign.messages import (
    Budget,
    FoundResult,
    ImpossibleResult,
    Region,
    SplitResult,
    Task,
    Terms,
    UndecidedResult,
    encode,
)
from satlife.cli.campaign.dispatch import watch_users
from satlife.cli.campaign.volunteers import read_volunteers, write_volunteers
from satlife.cluster import protocol
from satlife.cluster.dispatch.answers import Answers
from satlife.cluster.dispatch.desk import Desk, Offer, Quota, RefusalError, Standing
from satlife.cluster.dispatch.dispatcher import Dispatcher
from satlife.cluster.dispatch.record import Record
from satlife.cluster.protocol import Reply
from satlife.cluster.queue import Access
from satlife.cluster.queue.proofs import list_proofs
from satlife.cluster.source import BusyError, HeldTask
from satlife.cluster.volunteer import Door, VolunteerSource
from satlife.errors import FormatError, UsageError
from satlife.kinds import still_life
from tests.campaign.nats import Broker, plain_broker
from tests.campaign.scene import TINY, answers, at_work, until
from tests.campaign.strangers import (
    Eve,
    Honest,
    Truth,
    access,
    connected,
    door_of,
    served,
    staged,
    users,
    volunteer,
)
from tests.patience import PATIENCE

STILL = '[[search]]\nkind = "still-life"\nboxes = ["2x2", "1x3"]\n'
BLOCK = (("oo", "oo"),)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with plain_broker(tmp_path / "nats") as one:
        yield one


def offer(name: str = "5fef", quorum: int = 1) -> Offer:
    return Offer("c0ffee", name, 0, b"{}", "reply", 30.0, Terms(quorum=quorum))


# The desk


def test_a_user_gets_a_task_once_in_a_round_and_the_quota_shrinks_with_the_reputation() -> None:
    desk = Desk(Quota(tasks=8))
    assert desk.room("eve", 0.0) == 4
    lease = desk.grant("eve", "eve.a", offer(), 0.0)
    assert not desk.may_have("eve", offer(), 0.0)
    assert desk.may_have("anna", offer(), 0.0)
    desk.end(lease, "returned", 1.0)
    assert not desk.may_have("eve", offer(), 600.0), "others come first"
    assert desk.may_have("eve", offer(), 602.0)
    assert desk.room("eve", 1.0) == 3, "its place is kept for a while"
    assert desk.room("eve", 11.0) == 4
    desk.judge("eve", lies=1)
    assert desk.room("eve", 11.0) == 1
    desk.judge("eve", lies=2)
    with pytest.raises(RefusalError, match="wrong too often"):
        desk.room("eve", 11.0)
    desk.judge("anna", good=100)
    assert desk.room("anna", 0.0) == 7
    desk.end(desk.grant("anna", "anna.a", offer(), 1.0), "undecided", 1e6)
    assert not desk.may_have("anna", offer(), 1e9), "nobody answers twice"


def test_checks_to_no_end_cost_a_place_for_as_long_again_and_reputation() -> None:
    desk = Desk(Quota(tasks=8, uploads=8))
    assert (desk.room("eve", 0.0), desk.quota.waiting(desk.user("eve").standing)) == (4, 4)
    desk.judge("eve", bad=desk.charge("eve", 3600.0, 0.0))
    assert desk.user("eve").standing == Standing(bad=6)
    assert desk.room("eve", 1.0) == 0, "one place is left, and it is taken"
    assert desk.room("eve", 3601.0) == 1
    assert desk.quota.waiting(desk.user("eve").standing) == 1
    desk.judge("anna", good=98, bad=desk.charge("anna", 3600.0, 0.0))
    assert desk.room("anna", 1.0) == 6, "one large proof is not a crime"


def test_a_claim_is_looked_at_by_others_if_there_are_any() -> None:
    desk = Desk(Quota())
    offer = Offer("c0ffee", "5fef", 0, b"{}", "reply", 30.0, avoid=("eve", "mallory"))
    for user in ("eve", "mallory"):
        desk.user(user).asked = 0.0
    assert desk.may_have("eve", offer, now=1.0), "nobody else is there"
    desk.user("anna").asked = 1.0
    assert not desk.may_have("eve", offer, now=2.0)
    assert desk.may_have("anna", offer, now=2.0)
    lease = desk.grant("anna", "anna.x", offer, now=2.0)
    desk.end(lease, "returned", now=3.0)
    assert desk.may_have("eve", offer, now=4.0), "the only other one has given it back"


def test_what_nobody_can_check_is_passed_on_when_enough_users_say_it() -> None:
    desk = Desk(Quota(), quorum=2)
    lie = ImpossibleResult(task="5fef", worker="eve.a")
    first = desk.grant("eve", "eve.a", offer(), 0.0)
    assert desk.weigh(first, lie) == []
    desk.end(first, "impossible", 1.0)
    second = desk.grant("anna", "anna.a", offer(), 1.0)
    assert desk.weigh(second, UndecidedResult(task="5fef", worker="anna.a")) == []
    said = desk.weigh(second, ImpossibleResult(task="5fef", worker="anna.a"))
    assert [name for name, _ in said] == [first.id, second.id]
    found = FoundResult(task="5fef", worker="eve.a", generations=BLOCK)
    third = desk.grant("eve", "eve.a", offer("other"), 0.0)
    assert desk.weigh(third, found) == [(third.id, found)]
    strict = desk.grant("eve", "eve.a", offer("more", quorum=3), 0.0)
    assert desk.weigh(strict, lie) == [(strict.id, lie)], "the recorder counts by itself"


def test_a_lease_is_lost_by_silence_and_by_the_longest_hold() -> None:
    desk = Desk(Quota(hold=100.0))
    lease = desk.grant("eve", "eve.a", offer(), 0.0)
    for now in (20.0, 40.0, 60.0, 80.0, 99.0):
        assert desk.keep("eve", [lease.id], now) == []
        assert desk.expire(now) == []
    assert desk.keep("anna", [lease.id], 99.0) == [lease.id], "it is not hers"
    desk.excuse(1000.0)
    assert desk.expire(101.0) == [lease], "the hold has no excuse"
    assert desk.keep("eve", [lease.id], 101.0) == [lease.id]
    other = desk.grant("eve", "eve.a", offer("other"), 0.0)
    desk.excuse(10.0)
    assert desk.expire(39.0) == []
    assert desk.expire(41.0) == [other]


def test_a_record_survives_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    where = tmp_path / "dispatch.db"
    desk = Desk(Quota())
    with Record(str(where)) as record:
        leases = [desk.grant("eve", "eve.a", offer(name), 0.0) for name in ("one", "two")]
        record.grant(leases)
        record.end(leases[0], "expired")
        record.judge("eve", Standing(1.5, 2, 3))
    assert where.stat().st_mode & 0o077 == 0
    with Record(str(where)) as record:
        ((name, user, worker, kept, age),) = record.held()
        assert (name, user, worker, kept.name) == (leases[1].id, "eve", "eve.a", "two")
        assert age < 60
        assert record.tally() == {"eve": {"expired": 1, "held": 1}}
        assert record.standings() == {"eve": Standing(1.5, 2, 3)}
        assert [held.name for _, held in record.had(10)] == ["two"]
    (tmp_path / "other").write_bytes(b"not a database, but long enough to be one" * 100)
    with pytest.raises(UsageError, match="not a record"):
        Record(str(tmp_path / "other"))


MARK = "5e884898" * 8


def test_a_list_of_volunteers_is_read_as_it_is_written() -> None:
    users = {"alice": MARK, "bert-2": "0" * 64}
    assert read_volunteers(write_volunteers(users)) == users
    head = write_volunteers({})
    assert read_volunteers(head) == {}
    for name in ("recorder", "a b", "eve.x", "*", ">", "", 'x"', "a.b > *"):
        with pytest.raises(UsageError, match="not a valid name"):
            write_volunteers({name: MARK})
        with pytest.raises(UsageError, match="not a valid name"):
            read_volunteers(f"{head}{json.dumps(name)} = {MARK!r}\n")
    for text in ("VOLUNTEERS { users: [] }", 'alice = "secret"', "alice = 1", "alice = 'abc'"):
        with pytest.raises(FormatError, match=r"volunteers, as|no hash"):
            read_volunteers(head + text)
    for cut in ("", head[:20], f"alice = '{MARK}'\n"):
        with pytest.raises(FormatError, match="it begins with '# Volunteers"):
            read_volunteers(cut)


def test_a_list_of_volunteers_that_cannot_be_read_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "volunteers.toml"
    text = write_volunteers({"alice": MARK})
    path.write_text(text)
    users = watch_users(path)
    assert users() == {"alice": MARK}
    for number, wrong in enumerate((b"", text.encode()[:-3], b"\xff" + text.encode(), None), 1):
        if wrong is None:
            path.unlink()
        else:
            path.write_bytes(wrong)
        assert users() == users() == {"alice": MARK}
        warnings = [each for each in caplog.messages if "stay as they were" in each]
        assert len(warnings) == number, "each change is logged once"
    path.write_text(write_volunteers({"bert": MARK}))
    assert users() == {"bert": MARK}
    path.write_bytes(b"\xff")
    with pytest.raises(ValueError, match="utf-8"):
        watch_users(path)()


# The service


def test_volunteers_finish_a_campaign_with_real_solvers_and_proofs(
    server: Broker, tmp_path: Path
) -> None:
    plan = f"prove = true\n{STILL}"

    async def scene() -> None:
        async with staged(server, tmp_path, plan) as stage:
            worker = volunteer(server, "anna.desk", Pool(1, worker="anna.desk"))
            async with at_work(worker), asyncio.timeout(120):
                summary = await stage.running
        assert summary.is_met
        assert summary.counts.certified == 1
        assert worker.done == 2

    asyncio.run(scene())
    with Record(str(tmp_path / "dispatch.db")) as record:
        assert record.tally() == {"anna": {"found": 1, "proved": 1}}


def test_only_the_holder_of_a_live_lease_can_answer_it(
    server: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with (
            staged(server, tmp_path, f"quorum = 2\n{STILL}", Quota(hold=1.0)) as stage,
            connected(server) as eve,
            connected(server, "anna") as anna,
        ):
            (leased, *_) = (await anna.lease(1)).leases
            task = anna.task(leased)
            truth = ImpossibleResult(task=task.name, worker="anna.laptop")
            stolen = ImpossibleResult(task=task.name, worker="eve.laptop")
            assert (await eve.answer(leased.lease, stolen)).refused == "you do not hold this lease"
            assert "not one for this lease" in (await anna.answer(leased.lease, stolen)).refused
            assert (await eve.upload(leased.lease, 0, b"x")).refused
            assert (await eve.ask("proof", b"x", "PUT")).refused
            assert not (await anna.upload(leased.lease, 0, b"x")).refused
            names = await list_proofs(stage.recorder.board.js, leased.campaign)
            assert [name.split("-")[0] for name in names] == ["anna"]
            await until(lambda: not stage.dispatcher.desk.leases)
            assert (await anna.keep([leased.lease])).over == (leased.lease,)
            assert (await anna.answer(leased.lease, truth)).refused
            assert not await list_proofs(stage.recorder.board.js, leased.campaign)

    with caplog.at_level(logging.INFO):
        asyncio.run(scene())
    assert "refused eve: you do not hold this lease" in caplog.text
    assert "anna has lost a lease" in caplog.text


def test_a_dispatcher_that_is_started_again_honours_its_leases(
    server: Broker, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with staged(server, tmp_path, STILL) as stage, connected(server, "anna") as anna:
            leases = (await anna.lease(2)).leases
            assert len(leases) == 2
            stage.dispatcher.stop()
            await until(lambda: not stage.dispatcher.is_connected)
            with Record(str(tmp_path / "dispatch.db")) as record:
                next_one = served(server, Dispatcher(access(server, "recorder"), users, record))
                async with at_work(next_one):
                    await until(lambda: next_one.dispatcher._is_open)
                    await asyncio.sleep(0.1)
                    assert (await anna.keep([one.lease for one in leases])).over == ()
                    block = next(one for one in leases if anna.task(one).problem.boxes == ("2x2",))
                    found = FoundResult(
                        task=anna.task(block).name, worker="anna.laptop", generations=BLOCK
                    )
                    assert not (await anna.answer(block.lease, found)).refused
                    await until(lambda: stage.recorder.conductor.has_found)

    asyncio.run(scene())


def test_a_lease_that_was_lost_with_a_dispatcher_is_offered_again(
    server: Broker, tmp_path: Path
) -> None:
    """A killed dispatcher may have written a lease of which its user never heard."""

    async def scene() -> None:
        async with staged(server, tmp_path, STILL) as stage, connected(server, "anna") as anna:
            before = {anna.task(one).name for one in (await anna.lease(2)).leases}
            stage.dispatcher.stop()
            await until(lambda: not stage.dispatcher.is_connected)
            with Record(str(tmp_path / "dispatch.db")) as record:
                next_one = served(server, Dispatcher(access(server, "recorder"), users, record))
                async with at_work(next_one):
                    await until(lambda: next_one.dispatcher._is_open)
                    again: set[str] = set()
                    async with asyncio.timeout(PATIENCE):
                        while not before <= again:
                            leases = (await anna.lease(9)).leases
                            again |= {anna.task(one).name for one in leases}
                            await asyncio.sleep(0.2)
                    assert next_one.desk.user("anna").standing == Standing()

    asyncio.run(scene())


def test_a_word_that_waits_for_others_survives_a_restart(server: Broker, tmp_path: Path) -> None:
    """The plan asks for no quorum, so the dispatcher counts; who has spoken cannot do so again."""

    async def say(user: str) -> None:
        async with connected(server, user) as one:
            async with asyncio.timeout(120):
                while True:
                    leases = (await one.lease(2)).leases
                    mine = [each for each in leases if one.task(each).problem.boxes == ("1x3",)]
                    await one.back(each.lease for each in leases if each not in mine)
                    if mine:
                        break
                    await asyncio.sleep(0.1)
            result = ImpossibleResult(task=one.task(mine[0]).name, worker=one.worker)
            assert not (await one.answer(mine[0].lease, result)).refused

    async def scene() -> None:
        async with staged(server, tmp_path, STILL) as stage:
            await say("anna")
            stage.dispatcher.stop()
            await until(lambda: not stage.dispatcher.is_connected)
            with Record(str(tmp_path / "dispatch.db")) as record:
                next_one = served(server, Dispatcher(access(server, "recorder"), users, record))
                async with at_work(next_one):
                    await until(lambda: next_one.dispatcher._is_open)
                    await say("bert")
                    await until(lambda: stage.recorder.seen.answers["claimed"])
                assert list(record.words(10)) == [], "it is passed on"

    asyncio.run(scene())


def test_a_second_dispatcher_is_refused(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        from satlife.cluster.dispatch.dispatcher import Dispatcher

        async with staged(server, tmp_path, STILL):
            with Record(":memory:") as record:
                second = Dispatcher(access(server, "recorder"), users, record)
                with pytest.raises(UsageError, match="already running"):
                    await second.run()

    asyncio.run(scene())


def test_each_region_of_a_map_counts_as_20_kilobytes(server: Broker, tmp_path: Path) -> None:
    plan = '[[search]]\nkind = "still-life"\nboxes = "2x2"\nmap = true\nrules = "B3/S[2]3[4]"\n'

    async def scene() -> None:
        quota = Quota(bytes=70_000)
        async with staged(server, tmp_path, plan, quota), connected(server) as eve:
            (leased,) = (await eve.lease(1)).leases

            def split(*rules: str) -> SplitResult:
                cases = tuple(map(Region, rules))
                return SplitResult(task=eve.task(leased).name, worker=eve.worker, cases=cases)

            four = split("B3/S23", "B3/S3", "B3/S234", "B3/S34")
            assert "70,000 bytes of this hour" in (await eve.answer(leased.lease, four)).refused
            three = split("B3/S23", "B3/S3", "B3/S234")
            assert "leave 1 rule out" in (await eve.answer(leased.lease, three)).refused

    asyncio.run(scene())


def test_uploads_stay_within_the_quota(server: Broker, tmp_path: Path) -> None:
    quota = Quota(uploads=1, bytes=300_000)

    async def scene() -> None:
        async with staged(server, tmp_path, STILL, quota) as stage, connected(server) as eve:
            one, two = (await eve.lease(2)).leases

            async def upload(leased: Any, number: int, size: int) -> protocol.Reply:
                return await eve.upload(leased.lease, number, secrets.token_bytes(size))

            assert "send it again, from part 0" in (await upload(one, 3, 10)).refused
            assert "1 to 131,072 bytes" in (await upload(one, 0, 0)).refused
            assert "at most 131,072 bytes" in (await upload(one, 0, 200_000)).refused
            assert not (await upload(one, 0, 100_000)).refused
            assert not (await upload(one, 0, 100_000)).refused, "from the beginning"
            assert "in their order" in (await upload(one, 3, 10)).refused
            reply = await upload(two, 0, 10)
            assert "1 of your proofs wait" in reply.refused
            assert reply.wait
            reply = await upload(one, 1, 110_000)
            assert "300,000 bytes of this hour" in reply.refused
            names = await list_proofs(stage.recorder.board.js, one.campaign)
            assert list(names.values()) == [1]

    asyncio.run(scene())


def test_a_proof_that_was_lost_with_a_dispatcher_is_asked_for_again(
    server: Broker, tmp_path: Path
) -> None:
    async def scene() -> None:
        plan = f"prove = true\n{STILL}"
        async with staged(server, tmp_path, plan) as stage, connected(server, "anna") as anna:
            leases = (await anna.lease(2)).leases
            (leased,) = (each for each in leases if b"1x3" in bytes(each.task))
            said = ImpossibleResult(task=anna.task(leased).name, worker=anna.worker)
            assert not (await anna.upload(leased.lease, 0, b"1 0\n")).refused
            stage.dispatcher.stop()
            await until(lambda: not stage.dispatcher.is_connected)
            with Record(str(tmp_path / "dispatch.db")) as record:
                next_one = served(server, Dispatcher(access(server, "recorder"), users, record))
                async with at_work(next_one):
                    await until(lambda: next_one.dispatcher._is_open)
                    reply = await anna.upload(leased.lease, 1, b"2 0\n")
                    assert (reply.lost, reply.wait > 0) == (True, True)
                    reply = await anna.answer(leased.lease, said, uploaded=True)
                    assert (reply.lost, reply.wait > 0) == (True, True)
                    assert not (await anna.upload(leased.lease, 0, b"1 0\n")).refused
                    assert not (await anna.answer(leased.lease, said, uploaded=True)).refused
                    assert record.tally() == {"anna": {"held": 1, "proved": 1}}

    asyncio.run(scene())


def test_a_volunteer_sends_a_lost_proof_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(_: Door, method: str, path: str, *rest: Any) -> Reply:
        asked.append(f"{method} {path}")
        if method == "PUT":
            return Reply()
        is_first = len([each for each in asked if each.startswith("POST")]) == 1
        lost = Reply(refused="the proof is not here", wait=1.0, lost=True)
        return Reply(answers=(lost if is_first else Reply(),))

    monkeypatch.setattr(Door, "ask", ask)
    (tmp_path / "proof").write_bytes(b"0\n")
    task = Task(problem=still_life(box="1x2"), prove=True)
    result = ImpossibleResult(task=task.name, worker="anna.desk")
    held = HeldTask("c0ffee", task, 30.0, "90ab")

    async def scene() -> None:
        door = Access(servers=("https://x.example",), user="anna", password="x", role="volunteer")
        source = VolunteerSource(door, "anna.desk")
        with pytest.raises(BusyError, match="not here"):
            await source.answer(held, result, tmp_path / "proof")
        await source.answer(held, result, tmp_path / "proof")

    asyncio.run(scene())
    assert asked == ["PUT /v2/proof/90ab/0", "POST /v2/answer"] * 2


def test_a_lease_has_one_answer(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        async with staged(server, tmp_path, STILL) as stage, connected(server) as eve:
            (leased,) = (await eve.lease(1)).leases
            who = {"task": eve.task(leased).name, "worker": eve.worker}
            results = (UndecidedResult(**who), FoundResult(generations=BLOCK, **who))
            twice = tuple(
                protocol.LeaseAnswer(lease=leased.lease, result=msgspec.Raw(encode(each)))
                for each in results
            )
            text = protocol.write(protocol.LeaseAnswers(answers=twice))
            assert (await eve.ask("answer", text)).refused == "a lease has one answer"
            assert stage.dispatcher.desk.leases.keys() == {leased.lease}

    asyncio.run(scene())


def test_an_answer_that_cannot_be_recorded_is_taken_later(
    server: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    async def scene() -> None:
        async with staged(server, tmp_path, STILL) as stage, connected(server) as eve:
            leases = (await eve.lease(2)).leases
            block = next(one for one in leases if eve.task(one).problem.boxes == ("2x2",))
            found = FoundResult(task=eve.task(block).name, worker=eve.worker, generations=BLOCK)
            with monkeypatch.context() as patched:
                patched.setattr(Record, "end", fail)
                reply = await eve.answer(block.lease, found)
                assert (reply.refused, reply.wait) == (
                    "the dispatcher cannot write its record",
                    30.0,
                )
            assert not (await eve.answer(block.lease, found)).refused
            assert stage.dispatcher.record.tally() == {"eve": {"found": 1, "held": 1}}

    asyncio.run(scene())


def test_work_is_kept_while_other_requests_of_its_user_wait(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        async with staged(server, tmp_path, STILL) as stage, connected(server) as eve:
            (leased,) = (await eve.lease(1)).leases
            async with stage.dispatcher._turns["eve"]:
                keeping = asyncio.create_task(eve.keep([leased.lease]))
                await until(keeping.done)
            assert not keeping.result().over

    asyncio.run(scene())


def test_a_silent_broker_is_waited_for_once(
    server: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of answers that come together, those after the first would wait as long."""
    calls: list[str] = []

    async def fail(_: Answers, user: str, said: protocol.LeaseAnswer) -> Any:
        calls.append(said.lease)
        raise nats.errors.TimeoutError

    monkeypatch.setattr(Answers, "answer", fail)

    async def scene() -> None:
        async with staged(server, tmp_path, STILL), connected(server) as eve:
            answers = tuple(
                protocol.LeaseAnswer(lease=name, result=msgspec.Raw(b"{}")) for name in "abc"
            )
            text = protocol.write(protocol.LeaseAnswers(answers=answers))
            replies = (await eve.ask("answer", text)).answers
            assert [reply.wait for reply in replies] == [5.0] * 3

    asyncio.run(scene())
    assert calls == ["a"]


def test_leases_whose_reply_was_lost_are_given_again(
    server: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, given = Door.ask, []

    def lose(door: Door, method: str, path: str, *rest: Any) -> Reply:
        reply = ask(door, method, path, *rest)
        given.append({leased.lease for leased in reply.leases})
        if len(given) == 1:
            raise ConnectionError("reset")
        return reply

    monkeypatch.setattr(Door, "ask", lose)

    async def scene() -> None:
        async with staged(server, tmp_path, TINY):
            source = VolunteerSource(door_of(server, "anna"), "anna.desk")
            with pytest.raises(ConnectionError):
                await source.fetch(1, 5.0)
            (again,) = await source.fetch(1, 5.0)
            (other,) = await source.fetch(1, 5.0)
            assert given == [{again.handle}, {again.handle}, {other.handle}]
            assert again.handle != other.handle
            await source.close()

    asyncio.run(scene())


async def send_proof(eve: Eve) -> str:
    """Answer that there is nothing in 1x3, with a proof that is not small; return the task."""
    leases = (await eve.lease(2)).leases
    (leased,) = (each for each in leases if b"1x3" in bytes(each.task))
    assert not (await eve.upload(leased.lease, 0, b"1 2 3 0\n" * 10_000)).refused
    said = ImpossibleResult(task=eve.task(leased).name, worker=eve.worker, proof="x")
    assert not (await eve.answer(leased.lease, said, uploaded=True)).refused
    return said.task


def test_a_proof_that_cannot_be_checked_in_time_is_charged(server: Broker, tmp_path: Path) -> None:
    async def scene() -> None:
        words = {"checking": Budget(seconds=0.001)}
        plan = f"prove = true\n{STILL}"
        async with staged(server, tmp_path, plan, **words) as stage, connected(server) as eve:
            await send_proof(eve)
            user = stage.dispatcher.desk.user("eve")
            await until(lambda: user.standing.bad)
            assert (user.standing, len(user.cooling)) == (Standing(bad=1), 1)

    asyncio.run(scene())


def test_a_proof_that_nobody_asked_for_does_not_replace_a_quorum(
    server: Broker, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with staged(server, tmp_path, STILL) as stage, connected(server) as eve:
            task = await send_proof(eve)
            board = stage.recorder.board
            assert await list_proofs(board.js, board.campaign) == {}
            past = next(each for key, each in stage.dispatcher.desk._past.items() if task in key)
            assert past.words.keys() == {"eve"}, "it waits for another user"

    asyncio.run(scene())


def test_volunteers_and_trusted_workers_share_a_campaign(server: Broker, tmp_path: Path) -> None:
    truth = Truth.of(TINY, tmp_path / "truth.db")

    async def scene() -> None:
        from satlife.cluster.worker import Worker

        async with staged(server, tmp_path, TINY) as stage:
            own = Worker(access(server, "worker"), Honest(truth, 0.01), "worker.own")
            theirs = volunteer(server, "anna.desk", Honest(truth, 0.01))
            begun = time.monotonic()
            async with at_work(own, theirs), asyncio.timeout(120):
                assert (await stage.running).is_met
            assert time.monotonic() - begun < PATIENCE

    asyncio.run(scene())
    assert {name: status for name, (_, status) in answers(tmp_path / "a.db").items()} == {
        name: str(status) for name, status in truth.statuses.items()
    }
