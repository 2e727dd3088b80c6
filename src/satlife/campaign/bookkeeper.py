r"""A conductor and its ledger: events go in, effects for a driver come out.

The drivers (:mod:`satlife.campaign.local.runner`, :mod:`satlife.cluster.recorder`) share this part:
record events and those that follow from them, look up tasks that the conductor does not know, try
finds against what was called impossible, and keep a checkpoint.  All calls may wait for the disk,
and belong to one thread.

>>> from satlife.campaign.core.events import FoundEvent
>>> from satlife.campaign.ledger import open_ledger
>>> plan = Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = ["2x2", "3x3"]')
>>> with open_ledger(":memory:") as ledger:
...     bookkeeper = Bookkeeper(plan, ledger)
...     (start,) = bookkeeper.take(1).start
...     bookkeeper.push([FoundEvent(start.task.name, "anna", 0, (("oo", "oo"),), "xs4_33")])
...     len(bookkeeper.drain().news), bookkeeper.conductor.is_done, ledger.counts().found
(2, True, 2)
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from typing import Final

from satlife.campaign.core.checkpoint import Checkpoint
from satlife.campaign.core.conductor import Conductor, Effects
from satlife.campaign.core.events import Event, FoundEvent, Status
from satlife.campaign.core.summary import Summary
from satlife.campaign.core.witnesses import Witnesses
from satlife.campaign.ledger import Ledger, TaskRow
from satlife.campaign.ledger.families import find_parents, read_families
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import WHOLE, Shard

BATCH: Final = 500
"""Maximum number of events in one transaction."""
INTERVAL: Final = 10.0
"""Seconds between checkpoints."""
SWEEP: Final = 2000
"""Answers that are tried against new finds with each checkpoint: some tenths of a second."""


class Bookkeeper:
    """Records for a conductor; resumes from the ledger."""

    def __init__(
        self,
        plan: Plan,
        ledger: Ledger,
        *,
        worker: str | None = None,
        stop: threading.Event | None = None,
        shard: Shard = WHOLE,
    ) -> None:
        """Read the open tasks of the ledger.

        A ``worker``, if given, gets all tasks.  Calls return early once ``stop`` is set.
        """
        self.ledger = ledger
        self._stop = stop or threading.Event()
        self._events: deque[Event] = deque()
        self._names: list[str] = []
        self._cases: list[Task] = []
        self._split: list[str] = []
        self._answered: dict[str, Event] = {}
        """Finds, and tasks that were called impossible, to be tried against each other."""
        self._sweep: Iterator[TaskRow] = iter(())
        """What was called impossible before the last finds came, and is still to be tried."""
        self._effects = Effects()
        self._is_clean = True
        self.may_take = True
        ledger.begin(plan.name, plan.to_toml(), lambda: shard.size(plan), str(shard))
        ledger.release(worker)
        counts = ledger.counts()
        text = ledger.checkpoint()
        checkpoint = None if text is None else Checkpoint.decode(text)
        self.conductor = Conductor(
            plan,
            worker=worker,
            checkpoint=checkpoint,
            is_cautious=bool(counts.total) and (checkpoint is None or ledger.has_merged()),
            has_found=bool(counts.found),
            shard=shard,
        )
        if counts.contradicted:  # the last run may have ended before all tasks above were updated
            late = (row for row in ledger.rows(Status.FOUND) if row.state.contradicted)
            self._cases += (row.task for row in late if row.task.may_be_case)
        self.conductor.recall(chain(ledger.rows(Status.QUEUED), ledger.rows(Status.SPLIT)))
        self._witnesses = Witnesses()
        for find in ledger.findings() if counts.found else ():
            event = FoundEvent(find.name, find.worker, 0, find.generations, find.identity)
            self._witnesses.add(find.problem, event)
        self._swept = self._sweeping = 0
        """The number of finds against which everything was tried in this run, or is being tried."""
        self._saved = time.monotonic()

    def push(self, events: Iterable[Event]) -> None:
        """Add events; :meth:`drain` records them."""
        self._events.extend(map(self.conductor.admit, events))

    def take(self, outstanding: int) -> Effects:
        """Fill up the outstanding tasks, record them, and return the effects.

        Afterwards ``may_take`` says whether another call could take more.
        """
        room = outstanding - self.conductor.load
        with self._unclean():
            self.may_take = room > 0 and self._accept(self.conductor.take(room))
        return self.drain()

    def adopt(self, outstanding: int) -> Effects:
        """Take tasks that others have queued in the ledger; return the effects."""
        room = outstanding - self.conductor.load
        queued = self.ledger.rows(Status.QUEUED)
        rows = (row for row in queued if row.name not in self.conductor.out)
        self._accept(self.conductor.adopt(islice(rows, max(room, 0))))
        return self.drain()

    def drain(self) -> Effects:
        """Record all pending events; return the effects left to the driver.

        After a :class:`~satlife.campaign.ledger.LedgerError`, the next call resumes.
        """
        while not self._stop.is_set():
            if self._events:
                some = [self._events[i] for i in range(min(BATCH, len(self._events)))]
                steps = self.ledger.record(some)
                with self._unclean():
                    for _ in some:
                        self._events.popleft()
                    self._accept(self.conductor.follow(some, steps))
                for event, step in zip(some, steps, strict=True):
                    is_refuted = step.state.status is Status.IMPOSSIBLE and len(self._witnesses)
                    if step.changed and (isinstance(event, FoundEvent) or is_refuted):
                        self._answered[event.name] = event
            elif self._answered:
                rows = list(self.ledger.find(self._answered))
                with self._unclean():
                    answered, self._answered = self._answered, {}
                    self._try_finds(rows, answered)
            elif self._names:
                rows = list(self.ledger.find(self._names))
                with self._unclean():
                    names, self._names = self._names, []
                    self._accept(self.conductor.learn(names, rows))
            elif self._cases:
                parents = find_parents(self.ledger, self._cases)
                with self._unclean():
                    self._cases.clear()
                    self._split += set(chain(*parents.values()))
            elif self._split:
                families = read_families(self.ledger, self._split)
                with self._unclean():
                    self._split.clear()
                    for row, rows in families:
                        self._accept(self.conductor.gather(row.task, row.state, rows))
            else:
                with self._unclean():
                    is_over = not self._accept(self.conductor.conclude())
                if is_over and not (self.conductor.is_done and self._sweep_on()):
                    break
        effects, self._effects = self._effects, Effects()
        return effects

    def save(self, *, now: bool = False) -> None:
        """Write a checkpoint, if it is due and no event is pending."""
        is_time = now or time.monotonic() - self._saved > INTERVAL
        is_waiting = bool(self._events or self._names or self._cases or self._split)
        if is_time and self._is_clean and not is_waiting:
            self.ledger.save_checkpoint(self.conductor.checkpoint().encode())
            self._sweep_on()
            self._saved = time.monotonic()

    def _try_finds(self, rows: Iterable[TaskRow], events: Mapping[str, Event]) -> None:
        """Take in finds, and add the events of finds that contradict an impossibility."""
        for row in rows:
            event = events.get(row.name)
            if isinstance(event, FoundEvent):
                self._witnesses.add(row.task.problem, event)
            elif row.state.status is Status.IMPOSSIBLE:
                self._events.extend(self._witnesses.contradict(row.task))

    def _sweep_on(self) -> bool:
        """Try some earlier impossibilities against later finds; return whether any are left."""
        if self._swept == len(self._witnesses):
            return False
        if self._sweeping == self._swept:
            self._sweeping = len(self._witnesses)
            self._sweep = self.ledger.rows(Status.IMPOSSIBLE)
        some = list(islice(self._sweep, SWEEP))
        self._try_finds(some, {})
        if len(some) < SWEEP and not self._events:
            self._swept = self._sweeping
        return self._swept < len(self._witnesses)  # finds may have come meanwhile

    @contextmanager
    def _unclean(self) -> Iterator[None]:
        """Write no more checkpoints if this is interrupted: an event may be lost."""
        was_clean, self._is_clean = self._is_clean, False
        yield
        self._is_clean = was_clean

    def summary(self, *, is_complete: bool) -> Summary:
        """Return the outcome of a run."""
        return self.conductor.summary(self.ledger.counts(), is_complete=is_complete)

    def _accept(self, effects: Effects) -> bool:
        """Keep the effects for the driver; return whether some are for the bookkeeper."""
        self._events.extend(effects.record)
        self._names += effects.look_up
        self._cases += effects.look_up_parents
        self._split += effects.look_up_cases
        self._effects.start += effects.start
        self._effects.withdraw += effects.withdraw
        self._effects.alarms += effects.alarms
        self._effects.poisoned += effects.poisoned
        self._effects.news += effects.news
        look_up = effects.look_up or effects.look_up_parents or effects.look_up_cases
        return bool(effects.record or look_up)
