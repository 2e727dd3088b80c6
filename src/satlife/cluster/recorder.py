"""The recorder of a campaign on many machines: publishes tasks, records results.

Everything that must not be lost is in the ledger or with the broker, so the recorder may die at any
moment; the next one reads the ledger and continues.  A result is acknowledged only when it is in
the ledger.  While the broker or the database is unreachable, the recorder waits.

Nothing that a worker reports counts unchecked: see :mod:`satlife.campaign.core.trust`.  Patterns
are simulated here; proofs are checked by checkers (:mod:`~satlife.cluster.checks.checker`), one of
which is in this process, for campaigns without others.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import nats.errors
from nats.aio.client import Client

from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.conductor import Conductor, Effects, News, Start
from satlife.campaign.core.events import Event, Status
from satlife.campaign.core.summary import Summary, TaskCounts
from satlife.campaign.ledger import Ledger
from satlife.campaign.messages import Budget
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import WHOLE, Shard
from satlife.campaign.proofs import LIMITS, KeptProofs
from satlife.cluster.checks.checker import Checker
from satlife.cluster.intake import Intake
from satlife.cluster.operating.endpoint import process_metrics
from satlife.cluster.operating.exposition import gauge
from satlife.cluster.operating.seen import Seen
from satlife.cluster.patient_ledger import PatientLedger
from satlife.cluster.queue import Access, Stores, connect, disconnect
from satlife.cluster.queue.board import TaskBoard
from satlife.cluster.queue.broker import give_up, heed
from satlife.cluster.queue.streams import BrokerStream, campaign_word, survey
from satlife.errors import UsageError

if TYPE_CHECKING:
    from prometheus_client.core import Metric


log = logging.getLogger(__name__)
T = TypeVar("T")

OUTSTANDING = 2000
"""Tasks in the queue or with workers; with more, implied answers come too late to save work."""
TICK = 0.5
"""Seconds between repetitions of recent withdrawals."""
RECONCILE = 20.0
"""Seconds between searches for lost tasks."""
REPORT = 10.0
"""Seconds between reports in the ledger."""
STEP = 500
"""Maximum number of tasks taken at a time."""
FAREWELL = 1.5
"""Final-write timeout after an order to stop, in seconds."""
PATIENCE = 10.0
"""Seconds to wait for the broker when a campaign is cancelled."""


class Recorder:
    """Records until the plan is done or :meth:`stop` is called."""

    def __init__(
        self,
        plan: Plan,
        where: str,
        access: Access,
        *,
        stores: Stores | None = None,
        outstanding: int = OUTSTANDING,
        checking: Budget = LIMITS,
        reconcile: float = RECONCILE,
        shard: Shard = WHOLE,
        keep: KeptProofs | None = None,
        on_news: News | None = None,
        on_tick: Callable[[Recorder], None] | None = None,
    ) -> None:
        self.plan = plan
        self.where = where
        self.access = access
        self.stores = stores or Stores()
        self.outstanding = outstanding
        self.checking = checking
        """Limits of a proof check."""
        self.reconcile = reconcile
        self.shard = shard
        self.keep = keep
        self.on_news = on_news
        self.on_tick = on_tick
        self.out: Mapping[str, Start] = {}
        """Tasks that are in the queue or with workers."""
        self._halt = threading.Event()
        self._stop = asyncio.Event()
        self._news = asyncio.Event()
        self.seen = Seen()
        self.ledger = PatientLedger(where, self._stop, self.seen)

    @property
    def conductor(self) -> Conductor:
        """The conductor; it belongs to the thread of the ledger once that is open."""
        return self._bookkeeper.conductor

    def stop(self) -> None:
        """Stop soon; workers continue, and their results wait with the broker."""
        self._halt.set()
        self._stop.set()
        self._news.set()

    async def run(self) -> Summary:
        """Record until the end; return the outcome."""
        try:
            check = partial(Ledger.check_plan, plan_name=self.plan.name, shard=str(self.shard))
            await heed(self._stop, self.ledger.ask(check))
            client = await connect(self.access, self._stop)
            try:
                word = campaign_word(self.plan.name, self.shard.word)
                self.board = TaskBoard(client, word, self.stores)
                await heed(self._stop, self.board.patiently(self.board.claim))
                # A recorder that does not answer may only be slow: from here on it is locked out.
                self._bookkeeper = await heed(self._stop, self.ledger.ask(self._begin))
                self.out = self.conductor.out
                self.intake = Intake(
                    self.board,
                    self.ledger,
                    self.out.get,
                    self.record,
                    self.checking,
                    self.seen,
                    self.keep,
                )
                return await self._run()
            finally:
                await disconnect(client)
        finally:
            await self.ledger.close()

    def _begin(self, ledger: Ledger) -> Bookkeeper:
        ledger.hold(f"{socket.gethostname()}, process {os.getpid()}")
        return Bookkeeper(self.plan, ledger, stop=self._halt, shard=self.shard)

    async def _run(self) -> Summary:
        await heed(self._stop, self.board.patiently(self.board.open))
        self.intake.revoked = await self.ledger.ask(Ledger.revoked)
        # Never interrupted before the end: a result that was taken but not recorded would be
        # delivered again only after a minute.
        taking = asyncio.ensure_future(self.intake.run())
        helping = asyncio.ensure_future(Checker.beside(self.access, self.board.client).help())
        try:
            while is_complete := await self._work(taking):
                is_over = await heed(self._stop, self.board.patiently(self.board.end))
                if is_over and await self._ask(self._is_done):
                    break
                log.info("results have come late; they are recorded, too")
                await heed(self._stop, self.board.patiently(self.board.open))
        finally:
            await give_up(taking, helping)
        return await self._end(is_complete)

    async def _work(self, taking: asyncio.Future[None]) -> bool:
        """Record until nothing is left to do; return False after an order to stop."""
        feeding, ticking = map(asyncio.ensure_future, (self._feed(), self._tick()))
        stopped = asyncio.ensure_future(self._stop.wait())
        loops: list[asyncio.Future[Any]] = [feeding, ticking, stopped]
        try:
            done, _ = await asyncio.wait([*loops, taking], return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()
        finally:
            await give_up(*loops)
        return feeding in done

    async def _end(self, is_complete: bool) -> Summary:
        """Write a checkpoint, and return the outcome; hurry after an order to stop."""
        report = self.seen.report(checking=len(self.intake.checking)).encode()

        def end(ledger: Ledger) -> Summary:
            self._bookkeeper.save(now=True)
            ledger.save_report(report)
            return self._bookkeeper.summary(is_complete=is_complete)

        try:
            async with asyncio.timeout(FAREWELL if self._stop.is_set() else None):
                return await self.ledger.ask(end)
        except TimeoutError:
            raise asyncio.CancelledError from None

    async def _ask(self, call: Callable[[], T]) -> T:
        """Call the bookkeeper or its conductor, in the thread of the ledger."""
        return await self.ledger.ask(lambda _: call())

    async def record(self, events: Sequence[Event]) -> None:
        """Write events into the ledger, and carry out their effects."""
        self._bookkeeper.push(events)
        await self._carry_out(await self._ask(self._bookkeeper.drain))

    async def _carry_out(self, effects: Effects) -> None:
        """Carry out the effects that the conductor asks for."""
        self._report(effects)
        if effects.start:
            await self.board.patiently(self.board.publish, effects.start)
        if effects.withdraw:
            await self.board.patiently(self.board.withdraw, effects.withdraw)
        if effects.news:
            self._news.set()

    def _report(self, effects: Effects) -> None:
        for event, step in effects.news:
            self.seen.note(event)
            self.board.verdicts.note(event, step)
            if self.on_news is not None:
                self.on_news(event, step)
        for alarm in effects.alarms:
            self.seen.contradictions += 1
            log.error("CONTRADICTION: %s: %s", alarm.name, alarm.words)
        for poison in effects.poisoned:
            log.warning("task %s has failed: %s", poison.name[:12], poison.log.strip()[-200:])

    async def _feed(self) -> None:
        """Keep the queue filled until no task is left."""
        books = self._bookkeeper
        while True:
            self._news.clear()
            if self.outstanding - self.conductor.load > self.outstanding // 4:
                # In steps, so that answers are recorded in between.
                wanted = min(self.outstanding, self.conductor.load + STEP)
                await self._carry_out(await self._ask(partial(books.take, wanted)))
                if books.may_take:
                    continue
            if await self._ask(self._is_done) and await self._is_drained():
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._news.wait()

    async def _is_drained(self) -> bool:
        """Whether every result is recorded and nothing is left to do: one may come late."""
        waiting = await self.board.patiently(self.board.waiting)
        return not waiting and await self._ask(self._is_done)

    def _is_done(self) -> bool:
        return self.conductor.is_done

    def _list_out(self) -> list[Start]:
        return list(self.conductor.out.values())

    # Periodic work

    async def _tick(self) -> None:
        """Periodically repeat withdrawals, look for lost tasks, and report."""
        looked = reported = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            await self.board.patiently(self.board.repeat)
            await self.ledger.ask(Ledger.check_hold)
            await self._ask(self._bookkeeper.save)
            if time.monotonic() - reported > REPORT:
                await self._save_report()
                reported = time.monotonic()
            if self.on_tick is not None:
                self.on_tick(self)
            if time.monotonic() - looked > self.reconcile:
                await self._reconcile()
                looked = time.monotonic()

    async def _save_report(self) -> None:
        """Write a report on workers and refusals into the ledger, for ``campaign status``."""
        report = self.seen.report(out=len(self.out), checking=len(self.intake.checking))
        await self.ledger.ask(lambda ledger: ledger.save_report(report.encode()))

    async def _reconcile(self) -> None:
        """Republish tasks that the broker has lost, and publish tasks that others have queued."""
        out = await self._ask(self._list_out)
        lost = await self.board.patiently(self.board.missing, out)
        again = [start for start in lost if self.out.get(start[0].name) == start]
        if again:
            log.info("%d tasks have left the queue without an answer; published again", len(again))
            await self.board.patiently(self.board.publish, again, again=True)
        await self.board.patiently(self.board.look_at_uploads)
        self.intake.revoked = await self.ledger.ask(Ledger.revoked)
        counts = await self.ledger.ask(Ledger.counts)
        if self.conductor.load < min(counts.queued + counts.open_cases, self.outstanding):
            adopt = partial(self._bookkeeper.adopt, self.outstanding)
            await self._carry_out(await self._ask(adopt))


async def cancel_campaign(
    plan: Plan,
    access: Access,
    stop: asyncio.Event | None = None,
    patience: float = PATIENCE,
    shard: Shard = WHOLE,
) -> None:
    """Remove a plan's tasks from the queue, and stop those that workers have."""
    client: Client | None = None
    try:
        try:
            async with asyncio.timeout(patience):
                client = await connect(access, stop)
                board = TaskBoard(client, campaign_word(plan.name, shard.word), Stores())
                await heed(stop, board.patiently(board.answers))
        except TimeoutError:
            words = f"no answer from the broker at {access.place} in {patience:g} s"
            raise UsageError(f"{words}; nothing was cancelled") from None
        if not await heed(stop, board.patiently(board.end)):
            log.info("results that came late wait with the broker; the next recorder reads them")
    finally:
        if client is not None:
            await disconnect(client)


# Monitoring of a recorder: metrics, health, and the report in the ledger.
#
# A periodic survey asks the broker and the ledger; a scrape only reads the last survey, so that it
# never waits, however often it comes.


INTERVAL: Final = 5.0
"""Seconds between surveys."""
REPORT_PATIENCE: Final = 4.0
"""Seconds to wait for an answer from the broker."""
OVERDUE: Final = 30.0
"""Seconds without an answer after which a part counts as unreachable."""


@dataclass
class RecorderWatch:
    """Metrics and health of a recorder."""

    recorder: Recorder
    _counts: TaskCounts | None = None
    _planned: int | None = None
    _bytes: tuple[int, int | None] | None = None
    """The size of the ledger, and what is free beside it."""
    _asking: asyncio.Future[_Looked] | None = None
    _streams: Mapping[str, BrokerStream] = field(default_factory=dict)
    _asked: float = field(default_factory=time.monotonic)
    """When the broker answered last."""
    _told: float = field(default_factory=time.monotonic)
    """When the ledger answered last."""

    async def run(self) -> NoReturn:
        """Survey until cancelled."""
        try:
            while True:
                await asyncio.gather(self._survey_broker(), self._survey_ledger())
                await asyncio.sleep(INTERVAL)
        finally:
            if self._asking is not None:
                self._asking.cancel()

    async def _survey_broker(self) -> None:
        board = getattr(self.recorder, "board", None)
        if board is None:
            return
        with suppress(nats.errors.Error, OSError, TimeoutError):
            async with asyncio.timeout(REPORT_PATIENCE):
                self._streams = await survey(board.js, board.campaign)
                self._asked = time.monotonic()

    async def _survey_ledger(self) -> None:
        # One query at a time: a ledger that hangs must not collect waiting threads.
        if self._asking is None:
            self._asking = asyncio.ensure_future(self.recorder.ledger.ask(_look))
        done, _ = await asyncio.wait([self._asking], timeout=REPORT_PATIENCE)
        if done:
            asked, self._asking = self._asking, None
            with suppress(UsageError):  # the recorder itself handles it
                self._counts, self._planned, self._bytes = asked.result()
                self._told = time.monotonic()

    def lacks(self) -> Mapping[str, str]:
        """Return the unreachable parts, each with the reason."""
        now = time.monotonic()
        parts = {"broker": now - self._asked, "ledger": now - self._told}
        return {
            part: f"no answer for {seconds:.0f} s"
            for part, seconds in parts.items()
            if seconds > OVERDUE
        }

    def metrics(self) -> list[Metric]:
        """Return the current metrics."""
        now = time.monotonic()
        intake = getattr(self.recorder, "intake", None)
        found = [
            gauge("satlife_up", "Parts in reach.", self._up(), label="part"),
            gauge(
                "satlife_survey_age_seconds",
                "Time since a part has answered the recorder's survey.",
                {"broker": now - self._asked, "ledger": now - self._told},
                label="part",
            ),
            gauge("satlife_tasks_out", "Tasks queued or leased now.", len(self.recorder.out)),
            gauge("satlife_tasks_out_limit", "The most of them.", self.recorder.outstanding),
            gauge(
                "satlife_checks_running",
                "Proofs being checked or waiting for it.",
                len(intake.checking) if intake is not None else 0,
            ),
            gauge(
                "satlife_workers", "Workers heard of in ten minutes.", self.recorder.seen.workers()
            ),
            *self._tasks(),
            *self._broker(),
            *self.recorder.seen.metrics(),
            *process_metrics(),
        ]
        size, free = self._bytes or (None, None)
        if size is not None:
            found.append(gauge("satlife_ledger_bytes", "Size of the ledger.", size))
        if free is not None:
            found.append(gauge("satlife_ledger_free_bytes", "Free space on its disk.", free))
        return found

    def _up(self) -> dict[str, float]:
        lacks = self.lacks()
        return {part: float(part not in lacks) for part in ("broker", "ledger")}

    def _tasks(self) -> list[Metric]:
        counts = self._counts
        if counts is None:
            return []
        states = {status.value: getattr(counts, status.value) for status in Status}
        found = [
            gauge("satlife_tasks", "Tasks by state.", states, label="state"),
            gauge(
                "satlife_impossible_tasks",
                "Impossible tasks by evidence.",
                {"certified": counts.certified, "claimed": counts.claimed},
                label="by",
            ),
            gauge("satlife_contradicted_tasks", "Tasks with a contradiction.", counts.contradicted),
            gauge(
                "satlife_cases",
                "Cases of tasks that were split.",
                {"open": counts.open_cases, "closed": counts.cases - counts.open_cases},
                label="state",
            ),
            gauge("satlife_findings", "Different objects found.", counts.findings),
        ]
        if self._planned is not None:
            found.append(gauge("satlife_tasks_planned", "Tasks of the plan.", self._planned))
        return found

    def _broker(self) -> list[Metric]:
        streams = self._streams

        def each(name: str, help_: str, what: str) -> Metric:
            values = {stream: getattr(state, what) for stream, state in streams.items()}
            return gauge(name, help_, values, label="stream")

        if not streams:
            return []
        return [
            each("satlife_stream_messages", "Messages on the broker.", "messages"),
            each("satlife_stream_bytes", "Bytes on the broker.", "size"),
            each("satlife_stream_limit_bytes", "Bytes that it may hold.", "limit"),
            each("satlife_lag", "Messages that wait for a reader.", "waiting"),
            each("satlife_leases", "Messages taken and not acknowledged.", "leased"),
            each("satlife_requests_waiting", "Requests with nothing to take.", "asking"),
            each("satlife_redelivered", "Leased messages delivered again.", "again"),
        ]


_Looked = tuple[TaskCounts, int | None, tuple[int, int | None]]


def _look(ledger: Ledger) -> _Looked:
    return ledger.counts(), ledger.planned(), (ledger.store.size(), ledger.store.free())
