"""Conquering a formula case by case, with several solvers at once.

Every solver keeps what it learns from one case to the next.  A case has a budget of conflicts, a
small part of all conflicts so far; if it exceeds its budget, it is split by several decisions at
once, so few inner cases are tried.  The case with the most free candidates comes first, which
keeps the solvers busy to the end.  A refutation's core often misses the last decisions; then it
settles other cases too.

>>> from satlife.sat.formula import Formula
>>> from satlife.sat.solvers import find_solver
>>> formula = Formula.from_clauses([(1, 2), (-1, 2), (1, -2), (-1, -2, 3), (-3, -1)])
>>> print(conquer(formula, [1, 2, 3], find_solver("cadical"), jobs=2))
refuted
"""

from __future__ import annotations

import heapq
import math
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Reason, Refuted, Satisfied, Undecided
from satlife.sat.dividing.lookahead import Look, Lookahead
from satlife.sat.formula import Formula
from satlife.sat.solver import Limits, OpenSolver, Solver

Decisions = tuple[int, ...]

SMALLEST_BUDGET: Final = 2000
"""Conflicts: a case of fewer would cost more to hand over than to solve."""
PART: Final = 0.02
"""The budget of a case, as a part of all conflicts so far."""
LEVELS: Final = 3
"""Decisions by which a case is split."""
_POLL: Final = 0.05


@dataclass(frozen=True, slots=True)
class CaseProgress:
    """Progress of a conquest."""

    seconds: float
    conflicts: int
    settled: int
    """Cases that are refuted."""
    open: int
    """Cases that wait or are being tried."""


def conquer(
    formula: Formula,
    candidates: Iterable[int],
    solver: Solver,
    *,
    jobs: int = 1,
    cases: Sequence[Decisions] = ((),),
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Callable[[CaseProgress], None] | None = None,
    keep: Callable[[tuple[Decisions, ...]], None] | None = None,
    stop: threading.Event | None = None,
) -> Answer:
    """Solve a formula by cases, ``jobs`` of them at a time, split on the candidates.

    ``cases`` are those still open; together with what is known they cover everything.  ``keep`` is
    called with the open cases whenever one is settled.  The limits on seconds and conflicts are for
    everything together, the limit on memory is for each solver.
    """
    able = solver.abilities
    if not (able.assumptions and able.incremental and able.conflict_limit):
        raise SolverError(f"{solver.name} cannot go from case to case; cadical can")
    with Lookahead(formula, candidates) as lookahead:
        conquest = _Conquest(lookahead, limits or Limits(), stop or threading.Event())
        conquest.progress, conquest.keep = progress, keep
        for decisions in cases:
            conquest.push(lookahead.look(decisions))
        if jobs > 1 and tuple(cases) == ((),):
            conquest.divide_root(jobs)
        return conquest.run(formula, solver, jobs, seed)


@dataclass(frozen=True, slots=True)
class _Report:
    """What a solver says of the case that it was given."""

    index: int
    look: Look
    answer: Answer | BaseException
    conflicts: int


class _Conquest:
    """The open cases, and the solvers that work on them."""

    def __init__(self, lookahead: Lookahead, limits: Limits, stop: threading.Event) -> None:
        self.lookahead, self.limits, self.stop = lookahead, limits, stop
        self.progress: Callable[[CaseProgress], None] | None = None
        self.keep: Callable[[tuple[Decisions, ...]], None] | None = None
        self.begun = time.monotonic()
        self.deadline = math.inf if limits.seconds is None else self.begun + limits.seconds
        self.waiting: list[tuple[int, int, Look]] = []
        self.trying: dict[int, Look] = {}
        self.cores: list[frozenset[int]] = []
        self.conflicts = self.settled = self.pushed = 0
        self.inbox: queue.SimpleQueue[_Report] = queue.SimpleQueue()

    def push(self, look: Look | None) -> None:
        """Add a case; None is one that look-ahead has refuted."""
        if look is None:
            self.settled += 1
            return
        self.pushed += 1
        heapq.heappush(self.waiting, (-look.free, self.pushed, look))

    def divide_root(self, jobs: int) -> None:
        """Split the whole at once, so that every solver has something to do."""
        levels = max(LEVELS, math.ceil(math.log2(4 * jobs)))
        waiting, self.waiting = self.waiting, []
        for _, _, look in waiting:
            for part in self.lookahead.split(look, levels):
                self.push(part)

    def run(self, formula: Formula, solver: Solver, jobs: int, seed: int | None) -> Answer:
        """Run the solvers until a case is satisfied, none is left, or a limit is reached."""
        crew = [_Soldier(index, formula, solver, seed, self) for index in range(jobs)]
        try:
            idle = list(reversed(crew))
            while True:
                while idle and (look := self._next()) is not None:
                    self.trying[idle[-1].index] = look
                    idle.pop().orders.put((look, self._limits(look)))
                if not self.trying:
                    return Refuted()
                if (reason := self._reason_to_end()) is not None:
                    return Undecided(reason)
                with suppress(queue.Empty):
                    report = self.inbox.get(timeout=_POLL)
                    idle.append(crew[report.index])
                    if (answer := self._hear(report)) is not None:
                        return answer
                self._tell()
        finally:
            _dismiss(crew)

    def _next(self) -> Look | None:
        """Return the next case that no core settles."""
        while self.waiting:
            look = heapq.heappop(self.waiting)[2]
            if not self._is_settled(look):
                return look
            self.settled += 1
        return None

    def _is_settled(self, look: Look) -> bool:
        decided = frozenset(look.decisions)
        return any(core <= decided for core in self.cores)

    def _limits(self, look: Look) -> Limits:
        budget = max(SMALLEST_BUDGET, int(PART * self.conflicts)) if look.ranking else None
        if self.limits.conflicts is not None:
            left = max(0, self.limits.conflicts - self.conflicts)
            budget = left if budget is None else min(budget, left)
        return replace(self.limits.since(self.begun), conflicts=budget)

    def _hear(self, report: _Report) -> Answer | None:
        """Take a report; return the answer if it decides everything, or nothing more can be."""
        look = self.trying.pop(report.index)
        self.conflicts += report.conflicts
        match report.answer:
            case BaseException() as error:
                raise error
            case Satisfied():
                return report.answer
            case Refuted(core):
                self.settled += 1
                if len(core) < len(look.decisions):
                    self.cores.append(frozenset(core))
                    self._drop_settled()
                self._save()
            case Undecided(Reason.CONFLICT_LIMIT) if self._has_conflicts_left():
                for part in self.lookahead.split(look, LEVELS):
                    self.push(part)
            case _:
                self.push(look)
                return report.answer
        return None

    def _has_conflicts_left(self) -> bool:
        return self.limits.conflicts is None or self.conflicts < self.limits.conflicts

    def _drop_settled(self) -> None:
        before = len(self.waiting)
        self.waiting = [each for each in self.waiting if not self._is_settled(each[2])]
        heapq.heapify(self.waiting)
        self.settled += before - len(self.waiting)

    def _reason_to_end(self) -> Reason | None:
        if self.stop.is_set():
            return Reason.INTERRUPTED
        return Reason.TIME_LIMIT if time.monotonic() >= self.deadline else None

    def _save(self) -> None:
        if self.keep is not None:
            looks = [look for _, _, look in sorted(self.waiting, key=lambda each: each[1])]
            self.keep(tuple(look.decisions for look in (*self.trying.values(), *looks)))

    def _tell(self) -> None:
        if self.progress is not None:
            seconds = time.monotonic() - self.begun
            count = len(self.waiting) + len(self.trying)
            self.progress(CaseProgress(seconds, self.conflicts, self.settled, count))


class _Soldier:
    """A thread with a solver of its own, which tries the cases that it is given."""

    def __init__(
        self, index: int, formula: Formula, solver: Solver, seed: int | None, conquest: _Conquest
    ) -> None:
        self.index = index
        self.orders: queue.SimpleQueue[tuple[Look, Limits] | None] = queue.SimpleQueue()
        self.opened: OpenSolver | None = None
        self.thread = threading.Thread(
            target=self._work,
            args=(formula, solver, seed, conquest.inbox),
            name="satlife-case",
            daemon=True,
        )
        self.thread.start()

    def _work(
        self,
        formula: Formula,
        solver: Solver,
        seed: int | None,
        inbox: queue.SimpleQueue[_Report],
    ) -> None:
        answer: Answer | BaseException
        while (order := self.orders.get()) is not None:
            look, limits = order
            before = 0
            try:
                if self.opened is None:
                    self.opened = solver.open(formula, seed=seed)
                before = self.opened.statistics().conflicts or 0
                answer = self.opened.solve(look.decisions, limits)
            except BaseException as error:
                answer = error
            done = (self.opened.statistics().conflicts or 0) if self.opened else 0
            inbox.put(_Report(self.index, look, answer, max(0, done - before)))


def _dismiss(crew: Sequence[_Soldier]) -> None:
    """End the solvers; one that has just been given a case is interrupted again and again."""
    for each in crew:
        each.orders.put(None)
    end = time.monotonic() + 2
    while any(each.thread.is_alive() for each in crew) and time.monotonic() < end:
        for each in crew:
            if each.opened is not None:
                each.opened.interrupt()
            each.thread.join(_POLL)
    for each in crew:
        if each.opened is not None:
            each.opened.close()
