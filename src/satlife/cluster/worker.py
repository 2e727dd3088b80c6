"""A worker: takes tasks from a source, solves them in child processes, sends the results back.

A task is held until its result is stored; until then the worker keeps renewing its lease.  If the
worker dies, or is silent for the time of the lease, the broker delivers the task again
(``ack_wait`` in :mod:`satlife.cluster.queue.streams`); nothing here does so.
While the broker is unreachable, the worker keeps solving and holds its results.
"""

from __future__ import annotations

import asyncio
import logging
import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import nats.errors

from satlife.campaign.core.votes import name_user
from satlife.campaign.local.pool import FinishedTask
from satlife.campaign.messages import ImpossibleResult, Task
from satlife.cluster.operating.endpoint import process_metrics
from satlife.cluster.operating.exposition import counter, gauge
from satlife.cluster.queue import Access, Control
from satlife.cluster.queue.broker import Repeats
from satlife.cluster.queue.streams import check_worker
from satlife.cluster.source import (
    DEFAULT_LEASE,
    BusyError,
    DirectSource,
    HeldTask,
    Source,
    TooLateError,
)
from satlife.cluster.volunteer import VolunteerSource
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from satlife.cluster.checks.checker import Checker


# A pool of child processes for asynchronous code: a thread waits for them.


_BUSY, _ROOM = 0.05, 0.005
"""Seconds between checks for new orders: while all children are busy, and while some are idle."""


class Solving(Protocol):
    """The part of :class:`~satlife.campaign.local.pool.Pool` that a worker uses."""

    jobs: int

    @property
    def busy(self) -> int:
        """The number of tasks that are waiting or running."""

    def submit(self, task: Task, token: Hashable) -> None:
        """Add a task to the end of the queue."""

    def poll(self, timeout: float) -> list[FinishedTask]:
        """Wait for results."""

    def cancel(self, token: Hashable) -> bool:
        """End a task without a result."""

    def close(self) -> None:
        """End all children."""


class PoolThread:
    """A thread that runs a pool; it calls ``tell`` with results, or with a fatal error."""

    def __init__(
        self, pool: Solving, tell: Callable[[list[FinishedTask] | BaseException], None]
    ) -> None:
        self.pool = pool
        self._tell = tell
        self._orders: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="satlife-solvers", daemon=True)
        self._thread.start()

    def submit(self, task: Task, token: Hashable) -> None:
        """Solve a task."""
        self._orders.put(lambda: self.pool.submit(task, token))

    def cancel(self, token: Hashable) -> None:
        """End a task without a result."""
        self._orders.put(lambda: self.pool.cancel(token))

    def close(self) -> None:
        """End all tasks and the thread."""
        self._orders.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            while self._obey():
                if self.pool.busy:
                    patience = _BUSY if self.pool.busy >= self.pool.jobs else _ROOM
                    finished = self.pool.poll(patience)
                    if finished:
                        self._tell(finished)
        except BaseException as error:
            self._tell(error)
        finally:
            self.pool.close()

    def _obey(self) -> bool:
        """Carry out orders, waiting for one if the pool is idle; return False at the end."""
        is_idle = not self.pool.busy
        while True:
            try:
                order = self._orders.get(block=is_idle)
            except queue.Empty:
                return True
            if order is None:
                return False
            order()
            is_idle = False


log = logging.getLogger(__name__)

BATCH = 256
"""Maximum number of tasks held for each child."""
COVER = 0.5
"""Seconds of work to hold: short tasks come in batches, long ones singly."""
PULL = 5.0
"""Seconds for which a request for tasks stays open."""
PAUSE = 1.0
"""Seconds to wait after an error."""
LATER = 20.0
"""Seconds before tasks of a campaign that takes no results are delivered again."""


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
        """Take tasks from the queue, or, as a volunteer, from a dispatcher."""
        self.access = access
        self.name = check_worker(name)
        self.done = 0
        self.results: Counter[str] = Counter()
        """Results by kind."""
        self.solving = 0.0
        """Seconds spent on tasks, all children together."""
        self._pool = pool
        self._batch = batch
        self._idle = idle
        self._source = _choose(self.name, access, leaf=leaf)
        self._held: dict[str, HeldTask] = {}
        self._usual = 1.0
        self._room = asyncio.Event()
        self._stop = asyncio.Event()
        self._broken: BaseException | None = None
        self._deliveries: set[asyncio.Task[None]] = set()
        self._repeats = Repeats()

    @property
    def jobs(self) -> int:
        """The number of tasks that it can solve at the same time."""
        return self._pool.jobs

    @property
    def held(self) -> int:
        """The number of tasks that it holds."""
        return len(self._held)

    @property
    def delivering(self) -> int:
        """The number of results that the broker has not taken yet."""
        return len(self._deliveries)

    @property
    def is_connected(self) -> bool:
        """Whether the broker, or the dispatcher, is reachable."""
        return self._source.is_connected

    def stop(self) -> None:
        """Stop soon; the tasks that it holds go back to the queue."""
        self._stop.set()
        self._room.set()

    async def run(self) -> int:
        """Solve tasks; return their number."""
        loop = asyncio.get_running_loop()
        self._thread = PoolThread(
            self._pool, lambda news: _soon(loop, lambda: self._take_news(news))
        )
        try:
            await self._source.open(self._withdraw, self._stop)
        except asyncio.CancelledError:
            self._thread.close()
            return 0
        except BaseException:
            self._thread.close()
            raise
        keeper = asyncio.create_task(self._keep())
        try:
            await self._pull()
        finally:
            keeper.cancel()
            await asyncio.to_thread(self._thread.close)
            await self._let_go()
        if self._broken is not None:
            raise self._broken
        return self.done

    async def _pull(self) -> None:
        busy_at = time.monotonic()
        while not self._stop.is_set():
            free = self._wanted() - sum(not held.waits for held in self._held.values())
            if free <= 0:
                self._room.clear()
                await self._room.wait()
                continue
            fetching = asyncio.ensure_future(self._source.fetch(free, PULL))
            await self._until(fetching)
            try:
                if fetching.cancelled():
                    break
                for held in fetching.result():
                    await self._accept(held)
            except (nats.errors.Error, OSError, BusyError) as error:
                self._say("no tasks: %s", error)
                await self._pause()
            if self._held:
                busy_at = time.monotonic()
            elif self._idle is not None and time.monotonic() - busy_at >= self._idle:
                break

    async def _until(self, work: asyncio.Future[list[HeldTask]]) -> None:
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
        """Return the number of tasks to hold: enough for a moment, and one for each child."""
        ahead = math.ceil(COVER / max(self._usual, 1e-4))
        return self._pool.jobs * max(1, min(ahead, self._batch))

    async def _accept(self, taken: HeldTask) -> None:
        """Solve a task, unless it is already being solved, or its campaign takes no results now."""
        held = self._held.get(taken.token)
        if held is not None:
            # Our lease had expired, and the task was delivered to us again.
            held.handle = taken.handle
            return
        if any(each.waits and each.campaign == taken.campaign for each in self._held.values()):
            await self._source.give_back([taken], LATER)
            return
        self._held[taken.token] = taken
        self._thread.submit(taken.task, taken.token)

    def _take_news(self, news: list[FinishedTask] | BaseException) -> None:
        if isinstance(news, BaseException):
            self._broken = news
            self.stop()
            return
        for finished in news:
            self.results[str(type(finished.result).__struct_config__.tag)] += 1
            self.solving += finished.result.seconds
            held = self._held.get(str(finished.token))
            if held is not None:
                self._usual += (finished.result.seconds + 0.001 - self._usual) / 8
                delivery = asyncio.create_task(self._deliver(held, finished))
                self._deliveries.add(delivery)
                delivery.add_done_callback(self._deliveries.discard)

    async def _deliver(self, held: HeldTask, finished: FinishedTask) -> None:
        """Send a result, however long it takes."""
        result = msgspec.structs.replace(finished.result, worker=self.name)
        proof = finished.proof if isinstance(result, ImpossibleResult) else None
        try:
            while True:
                try:
                    await self._source.answer(held, result, proof)
                except TooLateError as error:
                    log.info("the answer to %s came too late: %s", result.task[:12], error)
                    break
                except (nats.errors.Error, OSError, BusyError) as error:
                    self._say("a result waits: %s", error)
                    # Without a connection, other campaigns cannot be served either.
                    held.waits = not isinstance(error, ConnectionError)
                    self._room.set()
                    await asyncio.sleep(PAUSE)
                else:
                    self.done += 1
                    break
        finally:
            if finished.proof is not None:
                finished.proof.unlink(missing_ok=True)
            if self._held.get(held.token) is held:
                del self._held[held.token]
            self._room.set()

    async def _keep(self) -> None:
        """Renew the leases, three times per lease."""
        kept = time.monotonic()
        while True:
            await asyncio.sleep(0.1)
            lease = min((held.lease for held in self._held.values()), default=DEFAULT_LEASE)
            if not self._held or time.monotonic() - kept < min(lease, DEFAULT_LEASE) / 3:
                continue
            kept = time.monotonic()
            with suppress(nats.errors.Error, OSError, BusyError, FormatError):
                await self._leave(await self._source.keep(tuple(self._held.values())))

    async def _withdraw(self, campaign: str, control: Control) -> None:
        """Stop tasks whose answers the recorder no longer needs."""
        await self._leave(
            [
                held
                for held in self._held.values()
                if held.campaign == campaign
                and (control.over or held.task.name in control.withdraw)
            ]
        )

    async def _leave(self, tasks: Sequence[HeldTask]) -> None:
        """Stop tasks whose leases are lost."""
        for held in tasks:
            if self._held.get(held.token) is held:
                log.info("task %s is no longer needed", held.task.name[:12])
                del self._held[held.token]
                self._thread.cancel(held.token)
                await self._source.drop(held)
        self._room.set()

    async def _let_go(self) -> None:
        """Return unfinished tasks, and disconnect."""
        for delivery in tuple(self._deliveries):
            delivery.cancel()
        with suppress(Exception):
            async with asyncio.timeout(3):
                await self._source.give_back(tuple(self._held.values()))
        await self._source.close()

    def _say(self, words: str, error: Exception) -> None:
        """Log an error, but not at every attempt."""
        text = words % (str(error) or type(error).__name__)
        if self._repeats.is_new(text):
            log.info("%s", text)


def _choose(name: str, access: Access, *, leaf: bool) -> Source:
    if not access.is_volunteer:
        return DirectSource(access, name, leaf=leaf)
    if access.user is None or name_user(name) != access.user:
        raise UsageError("a volunteer needs --user, and a --name that begins with it: alice.desk")
    return VolunteerSource(access, name)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Schedule a call in the event loop, if that is still running."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


# Monitoring of a worker or a checker: metrics and health.


@dataclass(frozen=True)
class WorkerWatch:
    """Metrics and health of a worker or a checker."""

    worker: Worker | Checker

    def lacks(self) -> Mapping[str, str]:
        """Return the unreachable parts, each with the reason."""
        return {} if self.worker.is_connected else {"broker": "not connected"}

    def metrics(self) -> list[Metric]:
        """Return the current metrics."""
        worker = self.worker
        return [
            gauge(
                "satlife_up", "Parts in reach.", {"broker": float(not self.lacks())}, label="part"
            ),
            gauge("satlife_worker_jobs", "Tasks that it can solve at a time.", worker.jobs),
            gauge("satlife_worker_tasks", "Tasks that it holds, in work or next.", worker.held),
            gauge(
                "satlife_worker_results_waiting",
                "Results that the broker has not taken yet.",
                worker.delivering,
            ),
            counter(
                "satlife_worker_results_total", "Results by kind.", worker.results, label="kind"
            ),
            counter(
                "satlife_worker_solving_seconds_total",
                "Seconds spent on tasks, all jobs together.",
                worker.solving,
            ),
            *process_metrics(),
        ]
