"""Run a campaign on this machine: child processes and a ledger, no server.

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

Answers are in the ledger within a twentieth of a second.  So a run that is killed loses only what
its children were working on, and the next run continues from there.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.conductor import Effects, News
from satlife.campaign.core.events import CertifiedEvent, Event
from satlife.campaign.core.summary import Summary
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import Ledger, is_file, open_ledger
from satlife.campaign.local.pool import FinishedTask, Pool
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import WHOLE, Shard
from satlife.campaign.proofs import KeptProofs, check_file
from satlife.errors import UsageError
from satlife.lock import only_runner

WORKER = "local"
"""The worker's name in the ledger."""

_POLL = 0.5
_AHEAD, _FURTHEST = 2, 32
"""Minimum and maximum number of queued tasks for each child, so that none waits for the ledger."""
_COVER = 0.05
"""Seconds of queued work for each child; results may wait as long to share a transaction."""
_CHECKS = 0.02
"""Seconds between checks of the proof-checking threads."""


def run(
    plan: Plan,
    ledger: Ledger,
    jobs: int | None,
    on_news: News | None = None,
    stop: threading.Event | None = None,
    *,
    proofs: Path | None = None,
    keep: KeptProofs | None = None,
    shard: Shard = WHOLE,
) -> Summary:
    """Run a plan, or a shard, until its end or until ``stop`` is set; resume from the ledger.

    ``jobs`` is the number of children (None: one for each processor); ``proofs`` is a folder for
    proofs until they are checked, and ``keep`` takes those that are valid.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"a run needs at least one job, got {jobs}")
    stop = stop or threading.Event()
    bookkeeper = Bookkeeper(plan.for_one_user(), ledger, worker=WORKER, shard=shard)
    with Pool(jobs, worker=WORKER, folder=proofs) as pool:
        try:
            _Runner(bookkeeper, pool, on_news, keep).run(stop)
        finally:
            pool.close()
            bookkeeper.save(now=True)
            ledger.release(WORKER)
    return bookkeeper.summary(is_complete=bookkeeper.conductor.is_done)


class _Runner:
    """The driver of a conductor on this machine; it holds nothing that is not in the ledger."""

    def __init__(
        self,
        bookkeeper: Bookkeeper,
        pool: Pool,
        on_news: News | None,
        keep: KeptProofs | None = None,
    ) -> None:
        self.bookkeeper = bookkeeper
        self.keep = keep
        self.conductor = bookkeeper.conductor
        self.pool = pool
        self.on_news = on_news
        self.examined: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()
        self.checking = 0
        self.turns = threading.Semaphore(pool.jobs)  # a check may take as much memory as a search
        self.usual_seconds = 1.0

    def run(self, stop: threading.Event) -> None:
        """Take, solve and record tasks until none is left."""
        while not stop.is_set():
            self.take()
            if not self.conductor.out and not self.checking:
                break
            self.listen()
            self.bookkeeper.save()

    def take(self) -> None:
        """Submit enough tasks to keep the children busy for a moment."""
        short = math.ceil(_COVER / max(self.usual_seconds, 1e-4))
        line = self.pool.jobs * min(max(short, _AHEAD), _FURTHEST)
        while self.conductor.load <= line // 2:
            self.carry_out(self.bookkeeper.take(line))
            if not self.bookkeeper.may_take:
                break

    def listen(self) -> None:
        """Collect results as long as the children have enough to do, then record them.

        A transaction waits for the disk, a millisecond or more, so short tasks share one.
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
        self.bookkeeper.push(events)
        self.carry_out(self.bookkeeper.drain())

    def carry_out(self, effects: Effects) -> None:
        """Carry out the effects that the conductor asks for."""
        for task, _ in effects.start:
            self.pool.submit(task, task.name)
        for name in effects.withdraw:
            self.pool.cancel(name)
        if self.on_news is not None:
            for event, step in effects.news:
                self.on_news(event, step)

    def examine(self, finished: FinishedTask) -> list[Event]:
        """Return the events of a result; a proof is checked in a thread, and its event is later."""
        self.usual_seconds += (finished.result.seconds - self.usual_seconds) / 16
        start = self.conductor.out.get(str(finished.token))
        if start is None:
            return []
        if finished.proof is None:
            return [examine(start.task, finished.result)]
        self.checking += 1
        threading.Thread(
            target=self._examine_proof,
            args=(start.task, finished, finished.proof),
            name="satlife-proof",
            daemon=True,
        ).start()
        return []

    def _examine_proof(self, task: Task, finished: FinishedTask, proof: Path) -> None:
        try:
            proof_hash = getattr(finished.result, "proof_hash", None)
            with self.turns:
                checked = check_file(task.asked, proof, proof_hash, cells=task.cells)
            event = examine(task, finished.result, checked)
            if self.keep is not None and isinstance(event, CertifiedEvent):
                self.keep.keep(task.name, proof)
            self.examined.put(event)
        except BaseException as error:
            self.examined.put(error)
        finally:
            proof.unlink(missing_ok=True)

    def take_examined(self) -> list[Event]:
        """Return the events of proofs that have been checked."""
        events: list[Event] = []
        while self.checking and not self.examined.empty():
            self.checking -= 1
            checked = self.examined.get()
            if isinstance(checked, BaseException):
                raise checked
            events.append(checked)
        return events


# The surroundings of a run on this machine: an open ledger, a lock, a folder for proofs.


@contextmanager
def open_for_one(plan: Plan, place: str) -> Iterator[tuple[Ledger, Path | None]]:
    """Open a plan's ledger for one runner at a time; yield it and the folder for proofs.

    A ledger in a database has no folder beside it: then the folder is None.
    """
    with ExitStack() as stack:
        proofs: Path | None = None
        if is_file(place):
            if Path(place).exists():  # a wrong plan is an error even while another run is at work
                with open_ledger(place) as ledger:
                    ledger.check_plan(plan.name)
            stack.enter_context(only_runner(Path(f"{place}.lock")))
            proofs = Path(f"{place}.proofs")
            stack.callback(_remove_proofs, proofs)
        ledger = stack.enter_context(open_ledger(place))
        ledger.check_plan(plan.name)
        yield ledger, proofs


def _remove_proofs(folder: Path) -> None:
    """Remove unchecked proofs of this run, or of one that was killed."""
    if folder.is_dir():
        for proof in folder.glob("*.proof"):
            proof.unlink(missing_ok=True)
        folder.rmdir()
