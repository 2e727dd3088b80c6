"""The broker's stores: what is published once is there once, and survives a power cut."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from nats.aio.msg import Msg
from nats.js.errors import APIError, NoStreamResponseError

from satlife import still_life
from satlife.campaign.messages import Task
from satlife.cluster.queue import Access, connect, get_proof, jetstream, put_proof, remove_proof
from satlife.cluster.queue.board import TaskBoard
from satlife.cluster.queue.proofs import name_upload
from satlife.cluster.queue.pull import Pull
from satlife.cluster.queue.streams import (
    CHECKS,
    TASKS,
    WORKERS,
    Stores,
    check_subject,
    check_worker,
    checked_subject,
    prepare,
    proof_stream,
    results_stream,
)
from satlife.cluster.queue.uploads import Uploads
from satlife.errors import FormatError, UsageError
from satlife.machine import how_to_install
from tests.campaign.nats import Broker, broker
from tests.campaign.scene import SMALL, until
from tests.patience import PATIENCE

TASK_LIST = [Task(problem=still_life(box=f"{n}x{n}")) for n in range(1, 31)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path / "nats") as one:
        yield one


async def open_board(server: Broker) -> TaskBoard:
    board = TaskBoard(await connect(Access(servers=(server.url,))), "c0ffee", SMALL)
    await board.open()
    return board


async def count(board: TaskBoard, stream: str = TASKS) -> int:
    return int((await board.js.stream_info(stream)).state.messages)


async def is_empty(board: TaskBoard) -> bool:
    return await count(board) == 0


def test_a_task_published_twice_is_there_once(server: Broker) -> None:
    async def scene() -> None:
        board = await open_board(server)
        for again in (False, False, True):
            await board.publish([(task, 0) for task in TASK_LIST], again)
        assert await count(board) == len(TASK_LIST)
        await board.client.close()

    asyncio.run(scene())


def test_a_withdrawn_task_is_gone_and_the_others_are_delivered(server: Broker) -> None:
    # nats-server 2.9.10 delivers nothing more after a purge by subject; deletion is another matter.
    async def scene() -> None:
        board = await open_board(server)
        pull = Pull(board.client, TASKS, WORKERS)
        await pull.open()
        await board.publish([(task, 0) for task in TASK_LIST])
        first = await pull.fetch(3, 2)
        gone = [task.name for task in TASK_LIST[2:12]]
        await board.withdraw(gone)
        rest = await pull.fetch(100, 2)
        names = [message.subject.split(".")[3] for message in (*first, *rest)]
        assert [name for name in names if name in gone] == [TASK_LIST[2].name]
        assert sorted({*names} | {*gone}) == sorted(task.name for task in TASK_LIST)
        for message in (*first, *rest):
            await message.ack()
        await until(lambda: is_empty(board))
        await board.client.close()

    asyncio.run(scene())


def test_a_task_that_is_not_kept_alive_passes_on(server: Broker) -> None:
    async def scene() -> None:
        board = await open_board(server)
        await board.publish([(TASK_LIST[0], 0)])
        pull = Pull(board.client, TASKS, WORKERS)
        await pull.open()
        (message,) = await pull.fetch(10, 2)
        for _ in range(4):
            await asyncio.sleep(1)
            await message.in_progress()
        assert await pull.fetch(10, 0.2) == []
        (again,) = await pull.fetch(10, 2 * SMALL.lease)
        assert again.data == message.data
        assert again.metadata.num_delivered == 2
        await board.client.close()

    asyncio.run(scene())


def test_a_campaign_with_a_shorter_lease_takes_no_tasks_from_others(server: Broker) -> None:
    async def scene() -> None:
        board = await open_board(server)
        leases = []
        for lease in (30.0, 3.0, 40.0):
            await prepare(board.js, "c0ffee", replace(SMALL, lease=lease))
            leases.append((await board.js.consumer_info(TASKS, WORKERS)).config.ack_wait)
        assert leases == [30.0, 30.0, 40.0]
        await board.client.close()

    asyncio.run(scene())


def test_a_broker_that_is_killed_loses_nothing(server: Broker) -> None:
    async def scene() -> None:
        board = await open_board(server)
        await board.publish([(task, 0) for task in TASK_LIST])
        await board.js.publish("satlife.result.c0ffee.anna", b"a result")
        server.kill()
        server.start()
        results = []
        async with asyncio.timeout(120):
            while not results:  # a request that the broker never got is not answered
                results = await board.patiently(board.results, 10, 2.0)
        assert [message.data for message in results] == [b"a result"]
        assert await count(board) == len(TASK_LIST)
        assert await board.missing([(task, 0) for task in TASK_LIST]) == []
        await board.client.close()

    asyncio.run(scene())


def test_a_task_is_lost_when_the_results_that_had_come_are_recorded(server: Broker) -> None:
    """However many have come since; at every moment one of them waits."""

    async def scene() -> None:
        board = await open_board(server)
        out = [(task, 0) for task in TASK_LIST[:3]]
        await board.publish(out)
        await board.js.purge_stream(TASKS)
        assert await board.missing(out) == out, "no result waits"
        board._gone.clear()
        await board.js.publish("satlife.result.c0ffee.anna", b"perhaps of the first")
        assert await board.missing(out) == []
        (waiting,) = await board.results(1, 1.0)
        await board.js.publish("satlife.result.c0ffee.anna", b"came later")
        assert await board.missing(out) == [], "it may still be recorded"
        await waiting.ack_sync()
        assert await board.waiting() == 1
        assert await board.missing(out) == out
        tried_again = [(task, 1) for task, _ in out]
        assert await board.missing(tried_again) == [], "what waits may be of the second try"
        await board.client.close()

    asyncio.run(scene())


def test_a_result_whose_acknowledgement_was_lost_comes_again_when_called_for(
    server: Broker,
) -> None:
    async def scene() -> None:
        board = await open_board(server)
        await board.js.publish("satlife.result.c0ffee.anna.w1", b"a result")
        (taken,) = await board.results(10, PATIENCE)
        assert await board.results(10, 0.5) == []  # held back for a minute
        await board.recall()
        (again,) = await board.results(10, PATIENCE)
        assert again.data == taken.data == b"a result"
        await again.ack_sync()
        await board.recall()
        assert await board.waiting() == 0
        await board.client.close()

    asyncio.run(scene())


def test_a_check_stands_for_its_task_until_its_outcome_is_stored(server: Broker) -> None:
    async def scene() -> None:
        board = await open_board(server)
        out = [(TASK_LIST[0], 0)]
        name = TASK_LIST[0].name
        await board.order(check_subject("c0ffee", name, "anna-x-00"), b"a check")
        assert await board.checks() == [(name, "anna-x-00")]
        assert await board.missing(out) == await board.missing(out) == []
        # The outcome is stored before the check is acknowledged.
        await board.js.publish(checked_subject("c0ffee"), b"an outcome")
        await board.delete(CHECKS, check_subject("c0ffee", name, "anna-x-00"))
        assert await board.missing(out) == await board.missing(out) == []
        (outcome,) = await board.results(10, 1.0)
        await outcome.ack_sync()
        assert await board.missing(out) == out
        await board.client.close()

    asyncio.run(scene())


@pytest.mark.parametrize("size", [0, 1, 128 * 1024, 300_000])
def test_a_proof_comes_back_as_it_was_and_can_be_removed(
    server: Broker, tmp_path: Path, size: int
) -> None:
    async def scene() -> None:
        board = await open_board(server)
        proof, copy = tmp_path / "proof", tmp_path / "copy"
        proof.write_bytes(bytes(i % 251 for i in range(size)))
        name = "0123abcd-77"
        there = await put_proof(board.js, board.campaign, name, proof)
        assert await get_proof(board.js, board.campaign, name, copy) == there
        assert copy.read_bytes() == proof.read_bytes()
        # Another program that knows the format can read it, too.
        if size:
            store = await board.js.object_store("satlife-proofs-c0ffee")
            assert (await store.get(name)).data == proof.read_bytes()
        with pytest.raises(FormatError, match="the limit is"):
            await get_proof(board.js, board.campaign, name, copy, most=size - 1)
        await remove_proof(board.js, board.campaign, name)
        assert await count(board, proof_stream("c0ffee")) == 0
        with pytest.raises(FormatError, match="no proof"):
            await get_proof(board.js, board.campaign, name, copy)
        await board.client.close()

    asyncio.run(scene())


@pytest.mark.parametrize("name", ["", ">", "*", "a.b", "a b", "é", "x" * 300, "../../etc"])
def test_a_proof_has_a_plain_name(name: str) -> None:
    with pytest.raises(UsageError, match="is not"):
        asyncio.run(get_proof(None, "c0ffee", name, Path("nowhere")))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "a b", "a.*", ">", "a..b", ".a", "x" * 101])
def test_a_worker_has_a_plain_name(name: str) -> None:
    with pytest.raises(UsageError, match="is not"):
        check_worker(name)


@pytest.mark.parametrize("server", ["http://x", "nats://", "postgresql://x/y"])
def test_what_is_no_broker_is_said(server: str) -> None:
    with pytest.raises(UsageError, match="is not the address"):
        Access(servers=(server,))


@pytest.mark.parametrize(
    "words", ["worker", "campaign serve plan.toml", "campaign dispatch x.conf"]
)
def test_nats_is_asked_for_where_it_is_missing(words: str) -> None:
    code = "import sys; sys.modules['nats'] = None\nfrom satlife.cli.app import main\nmain()"
    ran = subprocess.run(
        [sys.executable, "-c", code, *words.split(), "--nats", "nats://127.0.0.1:4222"],
        capture_output=True,
        text=True,
        check=False,
    )
    hint = f"campaigns on many machines need nats-py: {how_to_install('cluster')}\n"
    assert (ran.returncode, ran.stdout, ran.stderr.endswith(hint)) == (2, "", True)


@pytest.mark.parametrize(
    "words", ["worker", "campaign serve", "campaign dispatch", "campaign volunteers"]
)
def test_help_needs_no_extra(words: str) -> None:
    code = "import sys; sys.modules['nats'] = None\nfrom satlife.cli.app import main\nmain()"
    ran = subprocess.run(
        [sys.executable, "-c", code, *words.split(), "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.startswith("Usage: "), ran.stderr) == (0, True, "")


def test_a_broker_that_comes_late_is_waited_for(tmp_path: Path) -> None:
    late = Broker(tmp_path / "nats")

    async def scene() -> None:
        waiting = asyncio.create_task(connect(Access(servers=(late.url,))))
        await asyncio.sleep(1)
        assert not waiting.done()
        await asyncio.to_thread(late.start)
        async with asyncio.timeout(120):
            client = await waiting
        js = jetstream(client)
        assert (await js.account_info()).streams == 0
        await client.close()

    try:
        asyncio.run(scene())
    finally:
        late.stop()


@pytest.mark.parametrize("bad", ["banana", "nats://h:99999", "nats://h:x", "nats://", "x://h:1"])
def test_what_is_no_address_is_refused(bad: str) -> None:
    with pytest.raises(UsageError, match="is not the address"):
        Access(servers=(bad,))


def test_the_place_has_no_password() -> None:
    access = Access(servers=("nats://bob:secret@h:4222", "localhost", "10.0.0.1:1"))
    assert access.place == "nats://h:4222, localhost, 10.0.0.1:1"


def test_credentials_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        Access(servers=("h:1",), credentials=str(tmp_path / "none")).check()


def refused(access: Access, **words: int) -> str:
    async def scene() -> None:
        client = await connect(access)
        try:
            board = TaskBoard(client, "c0ffee", Stores(**words))
            await board.patiently(board.open)
        finally:
            await client.close()

    with pytest.raises(UsageError) as caught:
        asyncio.run(scene())
    return str(caught.value)


def test_what_no_waiting_can_mend_is_refused_with_words(server: Broker, tmp_path: Path) -> None:
    assert "cluster of three" in refused(Access(servers=(server.url,)), replicas=3)
    secret = server.url.replace("nats://", "tls://")
    assert "does not use TLS" in refused(Access(servers=(secret,), password="x", user="y"))
    with broker(tmp_path / "plain", words=["--user", "bob", "--pass", "right"]) as plain:
        right = Access(servers=(plain.url,), user="bob", password="right")
        assert "start nats-server with -js" in refused(right)
        wrong = Access(servers=(plain.url,), user="bob", password="wrong")
        assert "wrong user or password" in refused(wrong)
        assert "--user" in refused(Access(servers=(plain.url,)))


def test_after_a_flush_the_server_has_all_that_was_sent(server: Broker) -> None:
    async def scene() -> None:
        access = Access(servers=(server.url,))
        first, second = await connect(access), await connect(access)

        async def answer(message: Msg) -> None:
            await message.respond(b"here")

        for number in range(60):
            await first.subscribe(f"satlife.test.{number}", cb=answer)
            await first.flush()
            reply = await second.request(f"satlife.test.{number}", timeout=PATIENCE)
            assert reply.data == b"here"
        await first.close()
        await second.close()

    asyncio.run(scene())


def test_a_campaign_has_one_recorder(server: Broker) -> None:
    async def scene() -> None:
        first, second = await open_board(server), await open_board(server)
        await first.claim()
        with pytest.raises(UsageError, match="already served"):
            await second.claim()
        await first.client.close()
        await second.claim()
        await second.client.close()

    asyncio.run(scene())


def test_a_disconnection_that_we_asked_for_is_not_told(
    server: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(kill: bool) -> None:
        board = await open_board(server)
        if kill:
            server.kill()
            await until(lambda: caplog.messages)
        await board.client.close()

    with caplog.at_level("INFO", logger="satlife"):
        asyncio.run(scene(kill=False))
        assert not caplog.messages
        asyncio.run(scene(kill=True))
    assert caplog.messages.count("no connection to the broker") == 1
    assert len(caplog.messages) == len(set(caplog.messages))


def test_a_campaign_that_is_over_takes_nothing_and_a_foreign_one_never_did(server: Broker) -> None:
    async def scene() -> None:
        board = await open_board(server)
        await board.js.publish("satlife.result.c0ffee.anna", b"a result")
        with pytest.raises(NoStreamResponseError):
            await board.js.publish("satlife.result.f00d.eve", b"a flood")
        await board.end()
        assert await count(board, results_stream("c0ffee")) == 1, "it is not recorded yet"
        (message,) = await board.results(10, 2.0)
        await message.ack_sync()
        await board.end()
        for subject in ("satlife.result.c0ffee.anna", "$O.satlife-proofs-c0ffee.C.x"):
            with pytest.raises(NoStreamResponseError):
                await board.js.publish(subject, b"too late")
        await board.client.close()

    asyncio.run(scene())


def test_an_upload_without_a_result_is_removed_and_a_full_store_names_its_users(
    server: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        client = await connect(Access(servers=(server.url,)))
        board = TaskBoard(client, "c0ffee", replace(SMALL, proof_bytes=500_000))
        await board.open()
        proof = tmp_path / "proof"
        proof.write_bytes(bytes(120_000))
        for user in ("eve", "eve", "eve", "anna"):
            await put_proof(board.js, "c0ffee", name_upload(user, "5fef" * 16), proof)
        board.uploads = Uploads(board.js, "c0ffee", orphan=0.5)
        await board.look_at_uploads()
        assert "nearly full, 0.5 of 0.5 MB: eve 75%, anna 25%" in caplog.text
        with pytest.raises(APIError, match="maximum bytes"):
            await put_proof(board.js, "c0ffee", name_upload("eve", "5fef" * 16), proof)
        await board.js.publish("satlife.result.c0ffee.eve", b"a result")
        await asyncio.sleep(0.6)
        await board.look_at_uploads()
        assert await count(board, proof_stream("c0ffee")) == 8, "a result waits, and may name them"
        (message,) = await board.results(10, 2.0)
        await message.ack_sync()
        await board.js.publish("satlife.result.c0ffee.eve", b"another result, of something later")
        await board.look_at_uploads()
        assert await count(board, proof_stream("c0ffee")) == 0
        assert caplog.text.count("removed an upload of eve") == 3
        await board.client.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(scene())


@pytest.mark.parametrize("is_alone", [True, False])
def test_a_cancelled_campaign_leaves_the_tasks_of_others(server: Broker, is_alone: bool) -> None:
    async def scene() -> None:
        board = await open_board(server)
        pull = Pull(board.client, TASKS, WORKERS)
        await pull.open()
        other = TaskBoard(board.client, "decade", SMALL)
        await other.open()
        await board.publish([(task, 0) for task in TASK_LIST])
        await pull.fetch(3, 2)  # a worker has some of them
        if not is_alone:
            await other.publish([(task, 0) for task in TASK_LIST[:5]])
        await board.end()
        assert await count(board) == (0 if is_alone else 5)
        await other.publish([(task, 0) for task in TASK_LIST[5:10]])
        assert len(await pull.fetch(100, 2)) == (5 if is_alone else 10), "they are still delivered"
        await board.client.close()

    asyncio.run(scene())
