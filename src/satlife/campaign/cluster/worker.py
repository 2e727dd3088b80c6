"""A worker: pulls tasks from the broker, solves them in child processes, publishes results.

A task is acknowledged only when the broker has its result; until then the worker keeps telling the
broker that it is still working.  If the worker dies, or is silent for the time of the lease, the
task goes to another.  While the broker is unreachable, the worker keeps solving and holds its
results.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from satlife.campaign.cluster.pool_thread import PoolThread, Solving
from satlife.campaign.cluster.queue import (
    Access,
    connect,
    decode_control,
    disconnect,
    jetstream,
    put_proof,
)
from satlife.campaign.cluster.queue.names import (
    LEAF_SUBJECT,
    LEASE_HEADER,
    TASKS,
    WORKERS,
    check_worker,
    read_task_subject,
    result_subject,
)
from satlife.campaign.cluster.queue.proofs import LARGEST_PROOF
from satlife.campaign.cluster.queue.pulling import Pull
from satlife.campaign.cluster.queue.waiting import Repeats
from satlife.campaign.local.pool import Finished
from satlife.campaign.messages import (
    LARGEST_MESSAGE,
    AnyResult,
    FailedResult,
    ImpossibleResult,
    Task,
    decode_task,
    encode,
)
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

log = logging.getLogger(__name__)

BATCH = 256
"""Most tasks held for each child."""
COVER = 0.5
"""Seconds of work to hold: short tasks come in batches, long ones singly."""
DEFAULT_LEASE = 30.0
MOST_DELIVERIES = 25
"""A task that was delivered more often and never answered may be what kills the workers."""
PULL = 5.0
"""Seconds that a request for tasks stays open."""
PAUSE = 1.0
"""Seconds to wait after an error."""


@dataclass(eq=False)
class _Held:
    """A task that this worker holds."""

    message: Msg
    campaign: str
    task: Task
    lease: float


class Worker:
    """Works until :meth:`stop` is called, or until it has been idle for ``idle`` seconds."""

    def __init__(
        self,
        access: Access,
        pool: Solving,
        name: str,
        *,
        batch: int = BATCH,
        idle: float | None = None,
        leaf: bool = False,
    ) -> None:
        self.access = access
        self.name = check_worker(name)
        self.done = 0
        self._pool = pool
        self._batch = batch
        self._idle = idle
        self._leaf = leaf
        self._held: dict[str, _Held] = {}
        self._usual = 1.0
        self._room = asyncio.Event()
        self._stop = asyncio.Event()
        self._broken: BaseException | None = None
        self._deliveries: set[asyncio.Task[None]] = set()
        self._repeats = Repeats()

    def stop(self) -> None:
        """Stop soon; the tasks that it holds go back to the queue."""
        self._stop.set()
        self._room.set()

    async def run(self) -> int:
        """Solve tasks; return how many."""
        loop = asyncio.get_running_loop()
        self._thread = PoolThread(
            self._pool, lambda news: _soon(loop, lambda: self._take_news(news))
        )
        try:
            client = await connect(self.access, self._stop)
        except asyncio.CancelledError:
            self._thread.close()
            return 0
        except BaseException:
            self._thread.close()
            raise
        keeper = asyncio.create_task(self._keep())
        try:
            self._js = jetstream(client)
            if not (self._leaf or client._server_info.get("jetstream")):
                log.warning(
                    "the broker has no JetStream; start nats-server with -js, or use --leaf"
                )
            await client.subscribe("satlife.control.>", cb=self._obey)
            await self._pull(client)
        finally:
            keeper.cancel()
            await asyncio.to_thread(self._thread.close)
            await self._let_go(client)
        if self._broken is not None:
            raise self._broken
        return self.done

    async def _pull(self, client: Client) -> None:
        import nats.errors  # noqa: PLC0415  # an extra

        tasks = Pull(client, TASKS, WORKERS, LEAF_SUBJECT if self._leaf else None)
        await tasks.open()
        busy_at = time.monotonic()
        while not self._stop.is_set():
            if client.is_closed:
                raise UsageError("the broker has closed the connection")
            free = self._wanted() - len(self._held)
            if free <= 0:
                self._room.clear()
                await self._room.wait()
                continue
            fetching = asyncio.ensure_future(tasks.fetch(free, PULL))
            await self._until(fetching)
            try:
                if fetching.cancelled():
                    break
                for message in fetching.result():
                    await self._accept(message)
            except (nats.errors.Error, OSError) as error:
                self._say("no tasks: %s", error)
                await self._pause()
            if self._held:
                busy_at = time.monotonic()
            elif self._idle is not None and time.monotonic() - busy_at >= self._idle:
                break

    async def _until(self, work: asyncio.Future[list[Msg]]) -> None:
        """Wait until the work is done or :meth:`stop` is called."""
        stopped = asyncio.ensure_future(self._stop.wait())
        both: list[asyncio.Future[Any]] = [work, stopped]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not work.done():
            work.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.wait([work])

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PAUSE):
                await self._stop.wait()

    def _wanted(self) -> int:
        """Return how many tasks to hold: enough for a moment, and one for each child."""
        ahead = math.ceil(COVER / max(self._usual, 1e-4))
        return self._pool.jobs * max(1, min(ahead, self._batch))

    async def _accept(self, message: Msg) -> None:
        """Accept a task; return what we cannot read, for a worker that may understand it."""
        try:
            campaign, name, turn = read_task_subject(message.subject)
            deliveries = message.metadata.num_delivered or 1
            if deliveries > MOST_DELIVERIES:
                log.warning("task %s was delivered %d times; given up", name[:12], deliveries)
                words = f"delivered {deliveries - 1} times, and no worker came back with a result"
                failed = FailedResult(task=name, worker=self.name, round=turn, log=words)
                await self._publish(campaign, failed)
                await message.ack()
                return
            task = decode_task(message.data)
            if task.name != name or task.round != turn:
                raise FormatError("its subject names another task")
            lease = float((message.headers or {}).get(LEASE_HEADER, DEFAULT_LEASE))
        except ValueError as error:
            log.warning("not a task: %s", error)
            await message.nak(delay=30)
            return
        token = f"{campaign}.{name}.{turn}"
        held = self._held.get(token)
        if held is not None:
            # Our lease had expired, and the task was delivered to us again.
            held.message = message
            return
        self._held[token] = _Held(message, campaign, task, lease)
        self._thread.submit(task, token)

    def _take_news(self, news: list[Finished] | BaseException) -> None:
        if isinstance(news, BaseException):
            self._broken = news
            self.stop()
            return
        for finished in news:
            held = self._held.get(str(finished.token))
            if held is not None:
                self._usual += (finished.result.seconds + 0.001 - self._usual) / 8
                delivery = asyncio.create_task(self._deliver(held, finished))
                self._deliveries.add(delivery)
                delivery.add_done_callback(self._deliveries.discard)

    async def _deliver(self, held: _Held, finished: Finished) -> None:
        """Publish a result, however long it takes; then acknowledge the task."""
        try:
            result = msgspec.structs.replace(finished.result, worker=self.name)
            await self._publish(held.campaign, result, finished)
            await self._quietly(held.message.ack())
            self.done += 1
        finally:
            if finished.proof is not None:
                finished.proof.unlink(missing_ok=True)
            if self._held.get(str(finished.token)) is held:
                del self._held[str(finished.token)]
            self._room.set()

    async def _publish(
        self, campaign: str, result: AnyResult, finished: Finished | None = None
    ) -> None:
        import nats.errors  # noqa: PLC0415  # an extra

        # The same at every attempt, so the broker keeps one; nobody can guess it.
        headers = {"Nats-Msg-Id": secrets.token_hex(16)}
        subject = result_subject(campaign, self.name)
        while True:
            try:
                if isinstance(result, ImpossibleResult) and finished and finished.proof:
                    result = await self._store_proof(result, finished)
                    finished = None
                text = encode(result)
                if len(text) > LARGEST_MESSAGE:
                    words = f"the result has {len(text):,} bytes; the limit is {LARGEST_MESSAGE:,}"
                    text = encode(_failed(result, words))
                await self._js.publish(subject, text, headers=headers)
            except (nats.errors.Error, OSError) as error:
                self._say("a result waits: %s", error)
                await asyncio.sleep(PAUSE)
            else:
                return

    async def _store_proof(self, result: ImpossibleResult, finished: Finished) -> ImpossibleResult:
        assert finished.proof is not None
        size = finished.proof.stat().st_size
        if size > LARGEST_PROOF:
            reason = f"{result.reason}; the proof has {size:,} bytes, which is too large to send"
            return msgspec.structs.replace(result, reason=reason, proof_hash=None)
        # A new name at every attempt, so that parts of two never mix.
        name = f"{result.task}-{secrets.token_hex(8)}"
        proof_hash = await put_proof(self._js, name, finished.proof)
        return msgspec.structs.replace(result, proof=name, proof_hash=proof_hash)

    async def _keep(self) -> None:
        """Report to the broker, three times per lease, that the work goes on."""
        while True:
            lease = min((held.lease for held in self._held.values()), default=DEFAULT_LEASE)
            await asyncio.sleep(max(0.1, min(lease, DEFAULT_LEASE) / 3))
            for held in tuple(self._held.values()):
                await self._quietly(held.message.in_progress())

    async def _obey(self, message: Msg) -> None:
        """Stop tasks whose answers the recorder no longer needs."""
        try:
            control = decode_control(message.data)
        except FormatError as error:
            log.warning("%s", error)
            return
        campaign = message.subject.rpartition(".")[2]
        for token, held in tuple(self._held.items()):
            named = control.over or held.task.name in control.withdraw
            if held.campaign == campaign and named:
                log.info("task %s is no longer needed", held.task.name[:12])
                del self._held[token]
                self._thread.cancel(token)
                await self._quietly(held.message.ack())
        self._room.set()

    async def _let_go(self, client: Client) -> None:
        """Return tasks that are not done, and close the connection."""
        for delivery in tuple(self._deliveries):
            delivery.cancel()
        for held in self._held.values():
            await self._quietly(held.message.nak())
        with suppress(Exception):
            async with asyncio.timeout(3):
                await client.flush(2)
        await disconnect(client)

    def _say(self, words: str, error: Exception) -> None:
        """Log an error, but not at every attempt."""
        text = words % (str(error) or type(error).__name__)
        if self._repeats.is_new(text):
            log.info("%s", text)

    async def _quietly(self, word: Awaitable[None]) -> None:
        """Send it if possible; if it is lost, the lease expires, and that is all."""
        import nats.errors  # noqa: PLC0415  # an extra

        with suppress(nats.errors.Error, OSError):
            await word


def _failed(result: AnyResult, words: str) -> FailedResult:
    return FailedResult(task=result.task, worker=result.worker, round=result.round, log=words)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call it in the event loop, if that is still running."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
