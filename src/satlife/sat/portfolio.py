"""Solving a formula: once, or as a race of solvers, seeds or formulas until one decides.

SAT run times have heavy tails, so two different runs often end sooner than the better one of them
alone.  The formulas may differ (other encodings, with and without symmetry breaking) as long as
either all of them have a model or none has.  Entries that share a formula should share the object,
which is not copied.

>>> from satlife.sat.solvers import find_solver
>>> formula = Formula.from_clauses([(1, 2), (-1,), (-2,)])
>>> result = race([RaceEntry(name, formula, find_solver(name)) for name in ("cadical", "glucose")])
>>> print(result.answer)
refuted
"""

from __future__ import annotations

import math
import os
import queue
import re
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from satlife.errors import InternalError, UsageError
from satlife.machine import count_processors
from satlife.sat.answer import Answer, Reason, Refuted, Satisfied, Undecided
from satlife.sat.files import write_formula
from satlife.sat.formula import Formula
from satlife.sat.solver import Limits, OpenSolver, Progress, ProgressCallback, Solver
from satlife.sat.solvers import find_solver

_POLL = 0.05
"""Seconds between checks, and between calls of ``interrupt``."""
_PATIENCE = 2.0
"""Seconds for the losers to end; one that is still building its formula is left running."""


@dataclass(frozen=True, slots=True)
class RaceEntry:
    """A competitor in a race: a solver and its formula."""

    label: str
    """A name that is unique among the entries."""
    formula: Formula | Callable[[], Formula]
    """A formula, or a function that builds it; the function is called in a thread."""
    solver: Solver
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one entry."""

    label: str
    answer: Answer
    """Undecided (interrupted) if the entry was stopped or never started."""
    seconds: float
    """Time since its own start, including the time to build its formula."""


@dataclass(frozen=True, slots=True)
class RaceResult:
    """The result of a race."""

    answer: Answer
    """The first decision; if there is none, Undecided with the reasons of all entries."""
    winner: int | None
    """The entry that decided, counted from 0; None if none did."""
    seconds: float
    outcomes: tuple[Outcome, ...]
    """The results of all entries, in order."""

    @property
    def label(self) -> str | None:
        """The winner's label."""
        return None if self.winner is None else self.outcomes[self.winner].label


RaceProgress = Callable[[RaceEntry, Progress], None]


def race(
    entries: Iterable[RaceEntry],
    *,
    jobs: int | None = None,
    head_start: float = 0.0,
    limits: Limits | None = None,
    progress: RaceProgress | None = None,
    keep: str | os.PathLike[str] | None = None,
    stop: threading.Event | None = None,
) -> RaceResult:
    """Run entries, ``jobs`` at a time (default: one per processor), until one of them decides.

    The first entry runs alone for ``head_start`` seconds, unless it gives up earlier.  The limit on
    seconds is for the whole race, the other limits are for each entry.  When this returns or
    raises, the other entries have ended.  ``progress`` is called in the thread of the caller.  When
    another thread sets ``stop``, the race ends undecided.  Two decisions that contradict each other
    raise InternalError, and both formulas are kept in the folder ``keep`` (default: a new temporary
    one).
    """
    runners = tuple(entries)
    if not runners:
        raise UsageError("a race needs at least one entry")
    if len({entry.label for entry in runners}) < len(runners):
        raise UsageError("two entries of a race have the same label; give each its own")
    if jobs is not None and jobs < 1:
        raise UsageError(f"a race needs at least 1 job, got {jobs}")
    for entry in runners:
        entry.solver.require()
    course = _Race(
        runners, jobs or count_processors(), limits or Limits(), stop or threading.Event()
    )
    course.head_start = head_start
    try:
        course.run(progress)
    finally:
        course.cancel()
    course.check(keep)
    return course.result()


@dataclass(frozen=True, slots=True)
class _Finish:
    """An entry's final report."""

    index: int
    answer: Answer | BaseException
    seconds: float
    formula: Formula | None = None
    """The formula, if the entry decided; it is saved if another entry contradicts it."""


class _Race:
    """The state of a race; the threads of the entries change only ``opened``, and report."""

    def __init__(
        self, entries: tuple[RaceEntry, ...], jobs: int, limits: Limits, stop: threading.Event
    ) -> None:
        self.entries = entries
        self.stop = stop
        self.jobs = jobs
        self.limits = limits
        self.head_start = 0.0
        self.start = time.monotonic()
        self.deadline = math.inf if limits.seconds is None else self.start + limits.seconds
        self.waiting = deque(range(len(entries)))
        self.running: dict[int, threading.Thread] = {}
        self.opened: dict[int, OpenSolver] = {}
        self.finished: dict[int, _Finish] = {}
        self.winner: int | None = None
        self.seconds = 0.0
        self.cancelled = False
        self.inbox: queue.SimpleQueue[_Finish | tuple[int, Progress]] = queue.SimpleQueue()

    def run(self, progress: RaceProgress | None) -> None:
        """Start entries and wait until one has decided or all have ended."""
        # A solver keeps its time limit, but a function that builds a formula does not.
        while self.winner is None and time.monotonic() < self.deadline + _PATIENCE / 4:
            while self.waiting and len(self.running) < self._lanes:
                index = self.waiting.popleft()
                self.running[index] = threading.Thread(
                    target=self._enter, args=(index,), name="satlife-race", daemon=True
                )
                self.running[index].start()
            if not self.running or self.stop.is_set():
                break
            news = self._receive()
            if isinstance(news, tuple) and progress is not None:
                progress(self.entries[news[0]], news[1])
            elif isinstance(news, _Finish) and isinstance(news.answer, BaseException):
                raise news.answer
        self.seconds = time.monotonic() - self.start

    @property
    def _lanes(self) -> int:
        """Return the number of entries that may run now."""
        return self.jobs if time.monotonic() >= self.start + self.head_start else 1

    def cancel(self) -> None:
        """Stop the entries that are still running, and wait for them."""
        self.cancelled = True
        end = time.monotonic() + _PATIENCE
        while self.running and time.monotonic() < end:
            # Repeatedly, since an interrupt just before a call of solve has no effect.
            for opened in tuple(self.opened.values()):
                opened.interrupt()
            self._receive()

    def check(self, keep: str | os.PathLike[str] | None) -> None:
        """Raise an InternalError if one entry was satisfied and another refuted."""
        finishes = self.finished.values()
        yes = next((one for one in finishes if isinstance(one.answer, Satisfied)), None)
        no = next((one for one in finishes if isinstance(one.answer, Refuted)), None)
        if yes is None or no is None:
            return
        folder = Path(tempfile.mkdtemp(prefix="satlife-race-") if keep is None else keep)
        folder.mkdir(parents=True, exist_ok=True)
        answers = []
        for one in (yes, no):
            label = self.entries[one.index].label
            path = folder / f"{one.index}-{re.sub(r'[^A-Za-z0-9._-]+', '-', label)}.cnf"
            if one.formula is not None:
                write_formula(one.formula, path)
            answers.append(f"{label} says {one.answer} ({path})")
        holds = "satisfies" if _model_holds(yes) else "does not satisfy"
        raise InternalError(f"{' but '.join(answers)}; the model {holds} its formula")

    def result(self) -> RaceResult:
        """Return the result from the reports of all entries."""
        outcomes = tuple(map(self._outcome, range(len(self.entries))))
        if self.winner is not None:
            return RaceResult(outcomes[self.winner].answer, self.winner, self.seconds, outcomes)
        undecided = [one.answer for one in outcomes if isinstance(one.answer, Undecided)]
        # The first reason in enumeration order: more time or memory may help, but a crash recurs.
        reason = min((answer.reason for answer in undecided), key=list(Reason).index)
        detail = "; ".join(f"{one.label}: {one.answer}" for one in outcomes)
        return RaceResult(Undecided(reason, detail), None, self.seconds, outcomes)

    def _outcome(self, index: int) -> Outcome:
        label = self.entries[index].label
        finish = self.finished.get(index)
        if finish is not None:
            answer = finish.answer
            if isinstance(answer, BaseException):
                answer = Undecided(Reason.DIED, str(answer))
            return Outcome(label, answer, finish.seconds)
        late = time.monotonic() >= self.deadline and self.winner is None
        reason = Reason.TIME_LIMIT if late else Reason.INTERRUPTED
        return Outcome(label, Undecided(reason, "" if index in self.running else "not started"), 0)

    def _receive(self) -> _Finish | tuple[int, Progress] | None:
        try:
            news = self.inbox.get(timeout=_POLL)
        except queue.Empty:
            return None
        if isinstance(news, _Finish):
            self.finished[news.index] = news
            self.running.pop(news.index).join()
            if self.winner is None and isinstance(news.answer, Satisfied | Refuted):
                self.winner = news.index
        return news

    def _enter(self, index: int) -> None:
        """Run one entry in its thread, and report when its solver has ended."""
        start, formula = time.monotonic(), None
        answer: Answer | BaseException
        try:
            answer, formula = self._solve(index)
        except BaseException as error:
            answer = error
        self.inbox.put(_Finish(index, answer, time.monotonic() - start, formula))

    def _solve(self, index: int) -> tuple[Answer, Formula | None]:
        entry = self.entries[index]
        formula = entry.formula if isinstance(entry.formula, Formula) else entry.formula()
        if self.cancelled:
            return Undecided(Reason.INTERRUPTED), None
        limits = self.limits
        if limits.seconds is not None:
            limits = structs.replace(limits, seconds=max(0.0, self.deadline - time.monotonic()))
        with entry.solver.open(
            formula,
            limits=limits,
            seed=entry.seed,
            progress=lambda progress: self.inbox.put((index, progress)),
        ) as opened:
            self.opened[index] = opened
            try:
                interrupted = Undecided(Reason.INTERRUPTED)
                answer = interrupted if self.cancelled else opened.solve()
            finally:
                del self.opened[index]
        return answer, None if isinstance(answer, Undecided) else formula


def _model_holds(finish: _Finish) -> bool:
    answer, formula = finish.answer, finish.formula
    if not isinstance(answer, Satisfied) or formula is None:
        return False
    return answer.model.variables >= formula.variables and answer.model.satisfies(formula)


def solve(
    formula: Formula,
    solver: str | Solver = "cadical",
    *,
    limits: Limits | None = None,
    assumptions: Iterable[int] = (),
    seed: int | None = None,
    progress: ProgressCallback | None = None,
) -> Answer:
    """Solve a formula once.

    >>> print(solve(Formula.from_clauses([(1,), (-1,)])))
    refuted
    """
    chosen = find_solver(solver) if isinstance(solver, str) else solver
    with chosen.open(formula, limits=limits, seed=seed, progress=progress) as opened:
        return opened.solve(assumptions)
