"""What a worker's credentials allow, with the server configuration that we ship."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import nats
import nats.errors
import pytest
from nats.js.errors import Error as JetStreamError

from satlife.cluster.queue import Access, Stores, connect, jetstream, prepare
from satlife.errors import UsageError
from tests.campaign.nats import guarded_broker
from tests.campaign.scene import until

CAMPAIGN = "c0ffee"
TASKS, RESULTS = "satlife-tasks", f"satlife-results-{CAMPAIGN}"
SMALL = Stores(task_bytes=10**7, result_bytes=10**7, proof_bytes=10**7, lease=5)
REFUSED = (nats.errors.TimeoutError, JetStreamError, nats.errors.NoRespondersError)


class House:
    """A broker, its recorder and a worker, all connected."""

    def __init__(self, url: str, authority: Path) -> None:
        self.url = url.replace("nats://127.0.0.1", "tls://localhost")
        self.authority = str(authority)

    def access(self, user: str, password: str) -> Access:
        return Access(servers=(self.url,), user=user, password=password, authority=self.authority)

    def run(self, scene: Callable[[Any, Any], Awaitable[None]]) -> None:
        async def play() -> None:
            recorder = await connect(self.access("recorder", "records"))
            worker = await connect(self.access("worker", "works"))
            try:
                await prepare(jetstream(recorder), CAMPAIGN, SMALL)
                await scene(recorder, worker)
            finally:
                await worker.close()
                await recorder.close()

        asyncio.run(play())


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with guarded_broker(tmp_path_factory.mktemp("broker")) as (broker, authority):
        yield House(broker.url, authority)


async def messages(recorder: Any, stream: str) -> int:
    state = (await jetstream(recorder).stream_info(stream)).state
    return int(state.messages)


async def wait_for_messages(recorder: Any, stream: str, number: int) -> None:
    async def has_come() -> bool:
        return await messages(recorder, stream) == number

    await until(has_come)


def test_a_worker_pulls_a_task_keeps_it_answers_and_acknowledges(house: House) -> None:
    async def scene(recorder: Any, worker: Any) -> None:
        await jetstream(recorder).publish(f"satlife.task.{CAMPAIGN}.one.0.0", b"do this")
        js = jetstream(worker)
        (message,) = await (await js.pull_subscribe_bind("workers", TASKS)).fetch(1)
        assert message.data == b"do this"
        await message.in_progress()
        ack = await js.publish(f"satlife.result.{CAMPAIGN}.me", b"done")
        assert ack.stream == RESULTS
        await js.publish("$O.satlife-proofs-c0ffee.C.abc", b"a part of a proof")
        await message.ack()
        await worker.flush()
        await wait_for_messages(recorder, TASKS, 0)
        assert await messages(recorder, RESULTS) == 1

    house.run(scene)


def test_a_worker_hears_what_the_recorder_withdraws(house: House) -> None:
    async def scene(recorder: Any, worker: Any) -> None:
        heard = await worker.subscribe("satlife.control.>")
        await worker.flush()
        await recorder.publish(f"satlife.control.{CAMPAIGN}", b"leave it")
        assert (await heard.next_msg(20)).data == b"leave it"

    house.run(scene)


@pytest.mark.parametrize(
    "subject",
    [
        f"satlife.task.{CAMPAIGN}.forged.0.0",
        f"satlife.control.{CAMPAIGN}",
        "$JS.API.STREAM.PURGE.satlife-tasks",
        "$JS.API.STREAM.PURGE.satlife-results-c0ffee",
        "$JS.API.STREAM.PURGE.OBJ_satlife-proofs-c0ffee",
        "$JS.API.STREAM.DELETE.satlife-results-c0ffee",
        "$JS.API.STREAM.CREATE.mine",
        "$JS.API.STREAM.NAMES",
        "$JS.API.STREAM.INFO.satlife-results-c0ffee",
        "$JS.API.STREAM.MSG.GET.satlife-results-c0ffee",
        "$JS.API.STREAM.MSG.GET.satlife-tasks",
        "$JS.API.STREAM.MSG.GET.OBJ_satlife-proofs-c0ffee",
        "$JS.API.DIRECT.GET.satlife-results-c0ffee",
        "$JS.API.STREAM.MSG.DELETE.satlife-results-c0ffee",
        f"$JS.API.CONSUMER.MSG.NEXT.satlife-results-c0ffee.recorder-{CAMPAIGN}",
        f"$JS.API.CONSUMER.INFO.satlife-results-c0ffee.recorder-{CAMPAIGN}",
        "$JS.API.CONSUMER.DURABLE.CREATE.satlife-results-c0ffee.spy",
        "$JS.API.CONSUMER.CREATE.satlife-results-c0ffee",
        "$JS.API.CONSUMER.DELETE.satlife-tasks.workers",
        "$JS.API.INFO",
        f"$JS.ACK.satlife-results-c0ffee.recorder-{CAMPAIGN}.1.1.1.1.0",
        "$SYS.REQ.SERVER.PING",
        "elsewhere",
    ],
)
def test_a_worker_may_not_publish(house: House, subject: str) -> None:
    async def scene(recorder: Any, worker: Any) -> None:
        before = await messages(recorder, TASKS), await messages(recorder, RESULTS)
        spy = await recorder.subscribe(subject) if not subject.startswith("$") else None
        with pytest.raises(REFUSED):
            await worker.request(subject, b"", timeout=0.3)
        assert "permissions violation" in str(worker.last_error).lower()
        assert (await messages(recorder, TASKS), await messages(recorder, RESULTS)) == before
        if spy is not None:
            with pytest.raises(nats.errors.TimeoutError):
                await spy.next_msg(0.2)

    house.run(scene)


@pytest.mark.parametrize(
    "subject",
    [">", "satlife.result.>", "satlife.task.>", "_INBOX.>", "_INBOX_recorder.>", "$O.>", "$JS.>"],
)
def test_a_worker_may_not_listen(house: House, subject: str) -> None:
    async def scene(recorder: Any, worker: Any) -> None:
        heard = await worker.subscribe(subject)
        await worker.flush()
        await until(lambda: worker.last_error)
        assert "permissions violation" in str(worker.last_error).lower()
        js = jetstream(recorder)
        await js.publish(f"satlife.result.{CAMPAIGN}.other", b"a secret")
        name = f"recorder-{CAMPAIGN}"
        for message in await (await js.pull_subscribe_bind(name, RESULTS)).fetch(10):
            await message.ack()
        with pytest.raises(nats.errors.Error):
            await heard.next_msg(0.3)

    house.run(scene)


def test_a_worker_cannot_purge_by_the_subject_of_an_answer(house: House) -> None:
    # JetStream answers a publication with {"stream": …, "seq": n}. Sent to the subject of a purge
    # that would mean: remove all before n. In one account, without exports, it really does.
    async def scene(recorder: Any, worker: Any) -> None:
        js = jetstream(worker)
        for number in range(5):
            await js.publish(f"satlife.result.{CAMPAIGN}.me", b"%d" % number)
        before = await messages(recorder, RESULTS)
        for target in (RESULTS, TASKS):
            reply = f"$JS.API.STREAM.PURGE.{target}"
            await worker.publish(f"satlife.result.{CAMPAIGN}.me", b"trick", reply=reply)
        await worker.flush()
        await wait_for_messages(recorder, RESULTS, before + 2)

    house.run(scene)


def test_a_worker_cannot_roll_a_store_up(house: House) -> None:
    async def scene(recorder: Any, worker: Any) -> None:
        js = jetstream(worker)
        await js.publish("$O.satlife-proofs-c0ffee.C.first", b"a proof")
        before = await messages(recorder, f"OBJ_satlife-proofs-{CAMPAIGN}")
        with pytest.raises(REFUSED):
            await js.publish("$O.satlife-proofs-c0ffee.C.x", b"", headers={"Nats-Rollup": "all"})
        subject = f"satlife.result.{CAMPAIGN}.me"
        with pytest.raises(REFUSED):
            await js.publish(subject, b"", headers={"Nats-Rollup": "all"})
        assert await messages(recorder, f"OBJ_satlife-proofs-{CAMPAIGN}") == before

    house.run(scene)


def test_an_oversized_message_ends_the_connection_and_nothing_else(house: House) -> None:
    async def scene(recorder: Any, worker: Any) -> None:
        before = await messages(recorder, RESULTS)
        with pytest.raises(nats.errors.Error):
            await jetstream(worker).publish(f"satlife.result.{CAMPAIGN}.me", b"x" * 2_000_000)
        assert await messages(recorder, RESULTS) == before

    house.run(scene)


@pytest.mark.parametrize(("user", "password"), [("worker", "wrong"), ("nobody", "works")])
def test_a_stranger_is_refused_in_words(house: House, user: str, password: str) -> None:
    with pytest.raises(UsageError, match="refuses"):
        asyncio.run(connect(house.access(user, password)))


def test_without_our_authority_there_is_no_connection(house: House) -> None:
    access = Access(servers=(house.url,), user="worker", password="works")
    with pytest.raises(UsageError, match="certificate"):
        asyncio.run(connect(access))
