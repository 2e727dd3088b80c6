"""The recorder of a campaign on many machines: tasks out to the broker, results into the ledger.

All that must not be lost is in the ledger or with the broker, so the recorder may die at any
moment; the next one asks the ledger and goes on.  A result is acknowledged when it is in the
ledger, not before.  While the broker or the database is away, the recorder waits.

A worker's word is never taken: see :mod:`satlife.campaign.trust`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from satlife.campaign.book import Book
from satlife.campaign.intake import BATCH, Intake
from satlife.campaign.ledger import Ledger
from satlife.campaign.local import News, Summary
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.queue import Access, Stores, connect, disconnect
from satlife.campaign.queue.board import Board
from satlife.campaign.queue.names import campaign_word
from satlife.campaign.queue.proofs import LARGEST_PROOF
from satlife.campaign.queue.waiting import give_up, heed
from satlife.campaign.schedule import Schedule
from satlife.campaign.state import (
    RUNNING,
    Alarm,
    Event,
    Poison,
    Publish,
    Queued,
    Status,
    Step,
    Withdraw,
)
from satlife.errors import UsageError

if TYPE_CHECKING:
    from nats.aio.client import Client

log = logging.getLogger(__name__)

OUTSTANDING = 2000
"""Tasks in the queue or with workers; more make implied answers come too late to save work."""
TICK = 0.5
"""Seconds between withdrawals that are said again."""
RECONCILE = 20.0
"""Seconds between looks for tasks that were lost."""
PATIENCE = 10.0
"""Seconds to wait for the broker when a campaign is to be cancelled."""


class Recorder:
    """Records until the plan is done, or until it is told to stop."""

    def __init__(
        self,
        plan: Plan,
        where: str,
        access: Access,
        *,
        stores: Stores | None = None,
        outstanding: int = OUTSTANDING,
        proof_bytes: int = LARGEST_PROOF,
        check_seconds: float | None = None,
        reconcile: float = RECONCILE,
        on_news: News | None = None,
        on_tick: Callable[[Recorder], None] | None = None,
    ) -> None:
        self.plan = plan
        self.where = where
        self.access = access
        self.stores = stores or Stores()
        self.outstanding = outstanding
        self.proof_bytes = proof_bytes
        self.check_seconds = check_seconds
        self.reconcile = reconcile
        self.on_news = on_news
        self.on_tick = on_tick
        self.alarms: list[str] = []
        self.out: dict[str, Task] = {}
        """Published, and not answered."""
        self.has_found = False
        self._rounds: dict[str, Task] = {}
        self._deaths: dict[str, int] = {}
        self._stop = asyncio.Event()
        self._news = asyncio.Event()
        self.book = Book(where, self._stop)

    def stop(self) -> None:
        """Stop soon; workers go on, and what they find waits with the broker."""
        self._stop.set()
        self._news.set()

    async def run(self) -> Summary:
        """Record; say at the end how it stands."""
        try:
            await self._recall()
            client = await connect(self.access, self._stop)
            try:
                self.board = Board(client, campaign_word(self.plan.name), self.stores)
                self.intake = Intake(
                    self.board,
                    self.book,
                    self.out,
                    self.record,
                    self.proof_bytes,
                    self.check_seconds,
                )
                return await self._run()
            finally:
                await disconnect(client)
        finally:
            await self.book.close()

    async def _run(self) -> Summary:
        await heed(self._stop, self.board.patiently(self.board.claim))
        await heed(self._stop, self.board.patiently(self.board.open))
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
        counts = await self.book.ask(Ledger.counts)
        first = self.plan.stop == "first" and self.has_found
        return Summary(counts, is_complete, first, tuple(self.alarms))

    async def _recall(self) -> None:
        """Tell the schedule what the ledger knows already."""

        def read(ledger: Ledger) -> list[Event]:
            ledger.begin(self.plan.name, self.plan.to_toml())
            ledger.release()
            # From the beginning, if the database went away in the middle.
            self.schedule = Schedule(self.plan)
            implied: list[Event] = []
            for row in ledger.rows():
                self._learn(row.task, row.state.status, row.state.deaths)
                implied += self.schedule.tell_state(row.name, row.state)
            return implied

        await self.record(await self.book.ask(read))

    def _learn(self, task: Task, status: Status, deaths: int) -> None:
        self.has_found |= status is Status.FOUND
        if status in RUNNING and task.round:
            self._rounds[task.name] = task
        if status in RUNNING and deaths:
            self._deaths[task.name] = deaths

    async def record(self, events: Sequence[Event]) -> None:
        """Write events down, and do what follows from them."""
        while events:
            some, rest = events[:BATCH], events[BATCH:]
            steps = await self.book.ask(Ledger.record, some)
            followed: list[Event] = []
            again: list[tuple[Task, int]] = []
            needless: list[str] = []
            for event, step in zip(some, steps, strict=True):
                followed += self._follow(event, step, again, needless)
            needless += [name for name in self.schedule.unwanted() if self.out.pop(name, None)]
            if again:
                await self.board.patiently(self.board.publish, again)
            if needless:
                await self.board.patiently(self.board.withdraw, needless)
            events = [*followed, *rest]
            self._news.set()

    def _follow(
        self, event: Event, step: Step, again: list[tuple[Task, int]], needless: list[str]
    ) -> Sequence[Event]:
        """Tell the schedule, sort the instructions; return what is implied."""
        if step.changed and self.on_news is not None:
            self.on_news(event, step)
        name, status = event.name, step.state.status
        self.has_found |= status is Status.FOUND
        for instruction in step.instructions:
            match instruction:
                case Alarm(_, words):
                    log.error("CONTRADICTION: %s: %s", name, words)
                    self.alarms.append(f"{name}: {words}")
                case Withdraw():
                    if name in self.out:
                        needless.append(name)
                case Poison(_, words):
                    log.warning("task %s has failed: %s", name[:12], words.strip()[-200:])
                    needless.append(name)
                case Publish() if name in self.out:
                    again.append((self.out[name], step.state.deaths))
        if status in RUNNING:
            self._deaths[name] = step.state.deaths
            return ()
        self.out.pop(name, None)
        self._deaths.pop(name, None)
        self._rounds.pop(name, None)
        return self.schedule.tell_state(name, step.state)

    # Tasks out

    async def _feed(self) -> None:
        """Keep the queue filled, until nothing is left to do."""
        while True:
            self._news.clear()
            room = self.outstanding - len(self.out)
            if room > self.outstanding // 4:
                await self._publish(self.schedule.take(room))
            implied = self.schedule.news()
            await self.record(implied)
            if not self.out and not self.intake.checking and self.schedule.finished:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._news.wait()

    async def _publish(self, tasks: Sequence[Task]) -> None:
        """Write tasks down as queued, then publish them."""
        tasks = [self._rounds.get(task.name, task) for task in tasks]
        for first in range(0, len(tasks), BATCH):
            some = tasks[first : first + BATCH]
            events: list[Event] = [Queued(task) for task in some]
            steps = await self.book.ask(Ledger.record, events)
            fresh: list[tuple[Task, int]] = []
            for task, step in zip(some, steps, strict=True):
                if step.state.status in RUNNING:
                    self.out[task.name] = task
                    fresh.append((task, self._deaths.get(task.name, 0)))
                else:  # another search of the plan has asked the same, and has its answer
                    await self.record(self.schedule.tell_state(task.name, step.state))
            await self.board.patiently(self.board.publish, fresh)

    # Now and then

    async def _tick(self) -> None:
        """Say withdrawals again; look for what was lost; report."""
        looked = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            await self.board.patiently(self.board.repeat)
            if self.on_tick is not None:
                self.on_tick(self)
            if time.monotonic() - looked > self.reconcile:
                await self._reconcile()
                looked = time.monotonic()

    async def _reconcile(self) -> None:
        """Publish again what the broker has lost, and what somebody else has queued."""
        lost = await self.board.patiently(self.board.missing, tuple(self.out))
        if lost and not self.intake.at_work:
            again = [(self.out[n], self._deaths.get(n, 0)) for n in lost if n in self.out]
            log.info("%d tasks were lost on their way; published again", len(again))
            await self.board.patiently(self.board.publish, again, again=True)
        counts = await self.book.ask(Ledger.counts)
        if counts.queued > len(self.out) and len(self.out) < self.outstanding:
            await self._adopt()

    async def _adopt(self) -> None:
        """Publish what is queued in the ledger and not by us: retried, or merged."""

        def read(ledger: Ledger) -> list[tuple[Task, int]]:
            rows = (row for row in ledger.rows(Status.QUEUED) if row.name not in self.out)
            return [(row.task, row.state.deaths) for row in islice(rows, self.outstanding)]

        orphans = await self.book.ask(read)
        orphans = [(task, deaths) for task, deaths in orphans if task.name not in self.out]
        self.out.update((task.name, task) for task, _ in orphans)
        await self.board.patiently(self.board.publish, orphans)


async def cancel_campaign(
    plan: Plan, access: Access, stop: asyncio.Event | None = None, patience: float = PATIENCE
) -> None:
    """Take a plan's tasks out of the queue, and have the workers leave those they have."""
    client: Client | None = None
    try:
        try:
            async with asyncio.timeout(patience):
                client = await connect(access, stop)
                board = Board(client, campaign_word(plan.name), Stores())
                await heed(stop, board.patiently(board.answers))
        except TimeoutError:
            words = f"no answer from the broker at {access.place} in {patience:g} s"
            raise UsageError(f"{words}; nothing was cancelled") from None
        await heed(stop, board.patiently(board.end))
    finally:
        if client is not None:
            await disconnect(client)
