"""The recorder of a campaign on many machines: publishes tasks, records results.

Everything that must not be lost is in the ledger or with the broker, so the recorder may die at any
moment; the next one reads the ledger and continues.  A result is acknowledged only when it is in
the ledger.  While the broker or the database is unreachable, the recorder waits.

Nothing that a worker reports counts unchecked: see :mod:`satlife.campaign.core.trust`.  Patterns
are simulated here; proofs are checked by checkers (:mod:`~satlife.campaign.cluster.checks.checker`)
if there are any, otherwise here.
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
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.cluster.intake import Intake
from satlife.campaign.cluster.patient_ledger import PatientLedger
from satlife.campaign.cluster.queue import Access, Stores, connect, disconnect
from satlife.campaign.cluster.queue.board import Board
from satlife.campaign.cluster.queue.names import campaign_word
from satlife.campaign.cluster.queue.waiting import give_up, heed
from satlife.campaign.core.conductor import Conductor, Effects, News, Start
from satlife.campaign.core.events import Event
from satlife.campaign.core.summary import Summary
from satlife.campaign.kept_proofs import KeptProofs
from satlife.campaign.ledger import Ledger
from satlife.campaign.local.checking import LIMITS
from satlife.campaign.messages import Budget
from satlife.campaign.operating.seen import Seen
from satlife.campaign.plan import Plan
from satlife.campaign.plan.shard import WHOLE, Shard
from satlife.errors import UsageError

if TYPE_CHECKING:
    from nats.aio.client import Client

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
"""Most tasks that are taken at a time."""
FAREWELL = 1.5
"""Seconds for the last words to the ledger after an order to stop."""
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
        """Limits of the check of a proof."""
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
        """What decides; it belongs to the thread of the ledger once that is open."""
        return self._bookkeeper.conductor

    def stop(self) -> None:
        """Stop soon; workers continue, and their results wait with the broker."""
        self._halt.set()
        self._stop.set()
        self._news.set()

    async def run(self) -> Summary:
        """Record; return how it ended."""
        try:
            check = partial(Ledger.check_plan, plan_name=self.plan.name, shard=str(self.shard))
            await heed(self._stop, self.ledger.ask(check))
            client = await connect(self.access, self._stop)
            try:
                word = campaign_word(self.plan.name, self.shard.word)
                self.board = Board(client, word, self.stores)
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
        feeding = asyncio.create_task(self._feed())
        loops = [feeding, *map(asyncio.ensure_future, (self.intake.run(), self._tick()))]
        stopped = asyncio.ensure_future(self._stop.wait())
        try:
            done, _ = await asyncio.wait([*loops, stopped], return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()
        finally:
            await give_up(*loops, stopped)
            await self.intake.close()
        is_complete = feeding in done
        if is_complete:
            await heed(self._stop, self.board.patiently(self.board.end))
        return await self._end(is_complete)

    async def _end(self, is_complete: bool) -> Summary:
        """Write a checkpoint, and return how it ended; hurry after an order to stop."""
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
        """Write events into the ledger, and do what follows from them."""
        self._bookkeeper.push(events)
        await self._carry_out(await self._ask(self._bookkeeper.drain))

    async def _carry_out(self, effects: Effects) -> None:
        """Do what the conductor wants."""
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
        """Keep the queue filled, until nothing is left to do."""
        books = self._bookkeeper
        while True:
            self._news.clear()
            if self.outstanding - self.conductor.load > self.outstanding // 4:
                # In steps, so that answers are recorded in between.
                wanted = min(self.outstanding, self.conductor.load + STEP)
                await self._carry_out(await self._ask(partial(books.take, wanted)))
                if books.may_take:
                    continue
            if await self._ask(self._is_done) and not self.intake.checking:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._news.wait()

    def _is_done(self) -> bool:
        return self.conductor.is_done

    def _names_out(self) -> tuple[str, ...]:
        return tuple(self.conductor.out)

    # Now and then

    async def _tick(self) -> None:
        """Repeat withdrawals, look for lost tasks, and report, now and then."""
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
        """Leave in the ledger who works and what was refused, for ``campaign status``."""
        report = self.seen.report(out=len(self.out), checking=len(self.intake.checking))
        await self.ledger.ask(lambda ledger: ledger.save_report(report.encode()))

    async def _reconcile(self) -> None:
        """Publish again what the broker has lost, and publish what somebody else has queued."""
        names = await self._ask(self._names_out)
        lost = await self.board.patiently(self.board.missing, names)
        if lost and not self.intake.at_work:
            again = [start for name in lost if (start := self.out.get(name)) is not None]
            log.info("%d tasks were lost by the broker; published again", len(again))
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
                board = Board(client, campaign_word(plan.name, shard.word), Stores())
                await heed(stop, board.patiently(board.answers))
        except TimeoutError:
            words = f"no answer from the broker at {access.place} in {patience:g} s"
            raise UsageError(f"{words}; nothing was cancelled") from None
        await heed(stop, board.patiently(board.end))
    finally:
        if client is not None:
            await disconnect(client)
