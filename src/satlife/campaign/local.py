"""Running a campaign on this machine: child processes and a ledger, no server.

>>> from satlife.campaign.ledger import open_ledger
>>> plan = Plan.from_toml('''
... [[search]]
... kind = "still-life"
... boxes = "1x1..3x3"
... ''')
>>> with open_ledger(":memory:") as ledger:
...     summary = run(plan, ledger, jobs=1)
>>> summary.is_complete, summary.counts.found, summary.counts.impossible, summary.counts.implied
(True, 4, 5, 5)

Answers are in the ledger a twentieth of a second after they were given, at the latest, so a run
that is killed loses only what its children were at, and the next run goes on.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from satlife.campaign.ledger import Counts, Ledger
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.pool import Finished, Pool
from satlife.campaign.schedule import Schedule
from satlife.campaign.state import (
    FINAL,
    Alarm,
    Event,
    Leased,
    Publish,
    Queued,
    Status,
    Step,
    Withdraw,
)
from satlife.campaign.trust import examine
from satlife.errors import UsageError

WORKER = "local"
"""Our name in the ledger."""

_POLL = 0.5
_BATCH = 1000
"""Events in one transaction, at the most."""
_AHEAD, _FURTHEST = 2, 32
"""Tasks in line for each child: so that none waits for the ledger; more if they are short."""
_COVER = 0.05
"""Seconds of work in line for each child; for so long results may wait to be recorded together."""
_CHECKS = 0.02
"""Seconds between looks at the threads that check proofs."""

News = Callable[[Event, Step], None]
"""Is called with every event that changed something."""


@dataclass(frozen=True)
class Summary:
    """How a run ended."""

    counts: Counts
    is_complete: bool
    """Whether the plan has been gone through, or a find has ended it as wished."""
    has_stopped_at_find: bool
    alarms: tuple[str, ...] = ()
    """Contradictions, which somebody must look at."""

    @property
    def is_met(self) -> bool:
        """Whether every task has a final answer, or the find is there that was to end it."""
        open_ends = self.counts.undecided + self.counts.failed
        return self.is_complete and (self.has_stopped_at_find or not open_ends)


def check_ledger(ledger: Ledger, plan: Plan, place: str) -> None:
    """Refuse a ledger that belongs to another plan."""
    there = ledger.plan_name()
    if there is not None and there != plan.name:
        raise UsageError(
            f"the ledger {place} belongs to the plan {there[:12]}, not to {plan.name[:12]}; "
            "give another ledger, or that plan"
        )


def run(
    plan: Plan,
    ledger: Ledger,
    jobs: int,
    on_news: News | None = None,
    stop: threading.Event | None = None,
    *,
    proofs: Path | None = None,
) -> Summary:
    """Go through a plan until its end, or until ``stop`` is set; go on where the ledger ends.

    ``proofs`` is a folder for proofs until they are checked.
    """
    if jobs < 1:
        raise UsageError(f"a run needs at least one job, got {jobs}")
    ledger.begin(plan.name, plan.to_toml())
    ledger.release(WORKER)
    with Pool(jobs, worker=WORKER, folder=proofs) as pool:
        runner = _Runner(plan, ledger, pool, on_news)
        try:
            runner.recall()
            runner.run(stop or threading.Event())
        finally:
            pool.close()
            ledger.release(WORKER)
    return runner.summary()


class _Runner:
    """The loop; what it holds in hand is nothing that the ledger does not know."""

    def __init__(self, plan: Plan, ledger: Ledger, pool: Pool, on_news: News | None) -> None:
        self.plan = plan
        self.ledger = ledger
        self.pool = pool
        self.on_news = on_news
        self.schedule = Schedule(plan)
        self.in_hand: dict[str, Task] = {}
        self.rounds: dict[str, Task] = {}
        """Tasks that were queued for a longer round."""
        self.examined: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()
        self.checking = 0
        self.usual_seconds = 1.0
        self.has_found = False
        self.alarms: list[str] = []

    def recall(self) -> None:
        """Tell the schedule what the ledger knows already."""
        for row in self.ledger.rows():
            status = row.state.status
            self.has_found |= status is Status.FOUND
            if status is Status.QUEUED and row.task.round > 0:
                self.rounds[row.name] = row.task
            self.record(self.schedule.tell_state(row.name, row.state))

    def run(self, stop: threading.Event) -> None:
        """Take, solve, record, until nothing is left."""
        while not stop.is_set():
            self.take()
            if not self.in_hand and not self.checking:
                break
            self.listen()

    def listen(self) -> None:
        """Collect results for a moment, as long as the children have enough to do; record them.

        A transaction waits for the disk, a millisecond or more; short tasks share one.
        """
        events: list[Event] = []
        end = time.monotonic() + _POLL
        while (left := end - time.monotonic()) > 0:
            finished = self.pool.poll(min(left, _CHECKS) if self.checking else left)
            if finished and not events:
                end = min(end, time.monotonic() + _COVER)
            events += [event for each in finished for event in self.examine(each)]
            events += self.take_examined()
            if events and self.pool.busy <= self.pool.jobs:
                break
        self.record(events)

    def take(self) -> None:
        """Fill the line."""
        short = math.ceil(_COVER / max(self.usual_seconds, 1e-4))
        line = self.pool.jobs * min(max(short, _AHEAD), _FURTHEST)
        if self.pool.busy + self.checking > line // 2:
            return
        while tasks := self.schedule.take(line - self.pool.busy - self.checking):
            tasks = [self.rounds.get(task.name, task) for task in tasks]
            events: list[Event] = [Queued(task) for task in tasks]
            events += [Leased(task.name, WORKER, task.round) for task in tasks]
            steps = self.write(events)[len(tasks) :]
            for task, step in zip(tasks, steps, strict=True):
                if step.state.status is Status.LEASED:
                    self.submit(task)
                else:  # another search of the plan has asked the same, and has its answer
                    self.record(self.schedule.tell_state(task.name, step.state))
            if self.in_hand:
                break
        self.record(self.schedule.news())

    def submit(self, task: Task) -> None:
        """Give a task to the children."""
        self.in_hand[task.name] = task
        self.pool.submit(task, task.name)

    def examine(self, finished: Finished) -> list[Event]:
        """Check a result; the check of a proof may take long, and has a thread of its own."""
        task = self.in_hand[str(finished.token)]
        self.usual_seconds += (finished.result.seconds - self.usual_seconds) / 16
        if finished.proof is None:
            return [examine(task, finished.result)]
        self.checking += 1
        threading.Thread(
            target=self._examine_proof, args=(task, finished), name="satlife-proof", daemon=True
        ).start()
        return []

    def _examine_proof(self, task: Task, finished: Finished) -> None:
        try:
            self.examined.put(examine(task, finished.result, finished.proof))
        except BaseException as error:
            self.examined.put(error)
        finally:
            if finished.proof is not None:
                finished.proof.unlink(missing_ok=True)

    def take_examined(self) -> list[Event]:
        """Collect what the threads have checked."""
        events: list[Event] = []
        while self.checking and not self.examined.empty():
            self.checking -= 1
            checked = self.examined.get()
            if isinstance(checked, BaseException):
                raise checked
            events.append(checked)
        return events

    def record(self, events: Sequence[Event]) -> None:
        """Write events down, and do what follows from them."""
        while events:
            followed: list[Event] = []
            for event, step in zip(events, self.write(events), strict=True):
                followed += self.follow(event, step)
            for name in self.schedule.unwanted():
                self.cancel(name)
            events = followed

    def write(self, events: Sequence[Event]) -> list[Step]:
        """Write events down, in transactions of bounded size."""
        steps: list[Step] = []
        for first in range(0, len(events), _BATCH):
            steps += self.ledger.record(events[first : first + _BATCH])
        return steps

    def follow(self, event: Event, step: Step) -> Sequence[Event]:
        """Tell the schedule, and obey the instructions; return what is implied."""
        if step.changed and self.on_news is not None:
            self.on_news(event, step)
        task = self.in_hand.pop(event.name, None)
        for instruction in step.instructions:
            match instruction:
                case Alarm(name, words):
                    self.alarms.append(f"{name}: {words}")
                case Withdraw(name):
                    self.cancel(name)
                case Publish() if task is not None:
                    self.again(task)
                    return ()
        self.has_found |= step.state.status is Status.FOUND
        if task is None and step.state.status not in FINAL:
            return ()
        return self.schedule.tell_state(event.name, step.state)

    def again(self, task: Task) -> None:
        """Try a task once more whose child has died."""
        self.write([Leased(task.name, WORKER, task.round)])
        self.submit(task)

    def cancel(self, name: str) -> None:
        """Let a task go whose answer is no longer needed."""
        self.in_hand.pop(name, None)
        self.pool.cancel(name)

    def summary(self) -> Summary:
        """Say how it ended."""
        is_first = self.plan.stop == "first"
        return Summary(
            self.ledger.counts(),
            self.schedule.finished,
            is_first and self.has_found,
            tuple(self.alarms),
        )
