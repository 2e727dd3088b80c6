"""Conquering a formula case by case, with several solvers at once.

The whole is tried first, by one solver; if it exceeds its budget of conflicts, it is divided.
Every solver keeps what it learns from one case to the next, the first one also what it has learnt
from the whole.  A case has a budget too, a small part of all conflicts so far; if it exceeds its
budget, it is split by several decisions at once, so few inner cases are tried.  A refutation's core
often misses the last decisions; then it settles other cases too.

>>> from satlife.sat.formula import Formula
>>> from satlife.sat.solvers import find_solver
>>> formula = Formula.from_clauses([(1, 2), (-1, 2), (1, -2), (-1, -2, 3), (-3, -1)])
>>> print(conquer(formula, [1, 2, 3], find_solver("cadical"), jobs=2))
refuted

The open cases of a conquest: which solver takes which, and which ones a core settles.

Every solver has a pile of its own and takes the newest case from it.  So it stays in one part of
the tree, where what it has learnt is of use; going through all cases in one common order, two
solvers did up to twice the work of one.  A solver whose pile is empty takes the oldest case of the
largest pile.

>>> piles = Piles(2)
>>> for decision in (1, 2, 3):
...     piles.push(0, Look((decision,), (), ()))
>>> piles.take(0).decisions, piles.take(1).decisions, piles.open
((3,), (1,), ((2,),))
>>> piles.settle(frozenset([2]))
>>> piles.settled, piles.open
(1, ())
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Reason, Refuted, Satisfied, Undecided
from satlife.sat.cubes.lookahead import Look, Lookahead
from satlife.sat.formula import Formula
from satlife.sat.solver import Limits, OpenSolver, Solver

Decisions = tuple[int, ...]


class Piles:
    """A pile of cases for each solver."""

    def __init__(self, solvers: int) -> None:
        self._piles: tuple[deque[Look], ...] = tuple(deque() for _ in range(solvers))
        self._cores: list[frozenset[int]] = []
        self.settled = 0
        """Cases that were dropped because a core settles them."""

    def push(self, solver: int, look: Look) -> None:
        """Put a case on a solver's pile, unless it is settled."""
        if self.is_settled(look):
            self.settled += 1
        else:
            self._piles[solver].append(look)

    def take(self, solver: int) -> Look | None:
        """Return the next case for a solver; None if no case is open."""
        if self._piles[solver]:
            return self._piles[solver].pop()
        largest = max(self._piles, key=len)
        return largest.popleft() if largest else None

    def settle(self, core: frozenset[int]) -> None:
        """Drop all cases whose decisions contain a core: decisions that cannot all be true."""
        self._cores.append(core)
        for pile in self._piles:
            before = len(pile)
            kept = [look for look in pile if not core <= frozenset(look.decisions)]
            pile.clear()
            pile.extend(kept)
            self.settled += before - len(pile)

    def is_settled(self, look: Look) -> bool:
        """Return whether a core settles a case."""
        decided = frozenset(look.decisions)
        return any(core <= decided for core in self._cores)

    def __len__(self) -> int:
        return sum(map(len, self._piles))

    @property
    def open(self) -> tuple[Decisions, ...]:
        """The cases that wait, in the order in which they would be taken by their own solvers."""
        return tuple(look.decisions for pile in self._piles for look in reversed(pile))


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
    fence: int = 0,
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Callable[[CaseProgress], None] | None = None,
    keep: Callable[[tuple[Decisions, ...]], None] | None = None,
    stop: threading.Event | None = None,
) -> Answer:
    """Solve a formula by cases, ``jobs`` of them at a time, split on the candidates.

    ``cases`` are those still open; together with what is known they cover everything.  ``fence`` is
    the budget of the whole, in conflicts.  ``keep`` is called with the open cases whenever one is
    settled or split.  The limits on seconds and conflicts are for everything together, the limit on
    memory is for each solver.
    """
    able = solver.abilities
    if not (able.assumptions and able.incremental and able.conflict_limit):
        raise SolverError(f"{solver.name} cannot go from case to case; cadical can")
    with Lookahead(formula, candidates) as lookahead:
        conquest = _Conquest(lookahead, jobs, limits or Limits(), stop or threading.Event())
        conquest.fence, conquest.progress, conquest.keep = fence, progress, keep
        for decisions in reversed(cases):
            # The whole is looked at only if it must be split: most searches end before.
            whole = Look((), (), lookahead.candidates)
            conquest.push(0, lookahead.look(decisions) if decisions else whole)
        return conquest.run(formula, solver, seed)


@dataclass(frozen=True, slots=True)
class _Report:
    """What a solver says of the case that it was given."""

    index: int
    look: Look
    answer: Answer | BaseException
    conflicts: int


class _Conquest:
    """The open cases, and the solvers that work on them."""

    def __init__(
        self, lookahead: Lookahead, jobs: int, limits: Limits, stop: threading.Event
    ) -> None:
        self.lookahead, self.jobs, self.limits, self.stop = lookahead, jobs, limits, stop
        self.fence = 0
        self.progress: Callable[[CaseProgress], None] | None = None
        self.keep: Callable[[tuple[Decisions, ...]], None] | None = None
        self.begun = time.monotonic()
        self.deadline = math.inf if limits.seconds is None else self.begun + limits.seconds
        self.waiting = Piles(jobs)
        self.trying: dict[int, Look] = {}
        self.conflicts = self.refuted = 0
        self.inbox: queue.SimpleQueue[_Report] = queue.SimpleQueue()

    def push(self, index: int, look: Look | None) -> None:
        """Add a case for a solver; None is one that look-ahead has refuted."""
        if look is None:
            self.refuted += 1
        else:
            self.waiting.push(index, look)

    def run(self, formula: Formula, solver: Solver, seed: int | None) -> Answer:
        """Run the solvers until a case is satisfied, none is left, or a limit is reached."""
        crew = [_Soldier(index, formula, solver, seed, self.inbox) for index in range(self.jobs)]
        try:
            while True:
                for soldier in crew:
                    self._employ(soldier)
                if not self.trying:
                    return Refuted()
                if (reason := self._reason_to_end()) is not None:
                    return Undecided(reason)
                with suppress(queue.Empty):
                    report = self.inbox.get(timeout=_POLL)
                    if (answer := self._hear(report)) is not None:
                        return answer
                self._tell()
        finally:
            _dismiss(crew)

    def _employ(self, soldier: _Soldier) -> None:
        """Start an idle solver on its next case, if one is open."""
        if soldier.index in self.trying or (look := self.waiting.take(soldier.index)) is None:
            return
        self.trying[soldier.index] = look
        soldier.orders.put((look, self._limits(look)))

    def _limits(self, look: Look) -> Limits:
        least = SMALLEST_BUDGET if look.decisions else max(SMALLEST_BUDGET, self.fence)
        budget = max(least, int(PART * self.conflicts)) if look.ranking else None
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
                self.refuted += 1
                if len(core) < len(look.decisions):
                    self.waiting.settle(frozenset(core))
                if not core:  # what the others are trying is settled too
                    self.trying.clear()
                self._save()
            case Undecided(Reason.CONFLICT_LIMIT) if self._has_conflicts_left():
                self._split(report.index, look)
            case _:
                self.push(report.index, look)
                return report.answer
        return None

    def _has_conflicts_left(self) -> bool:
        return self.limits.conflicts is None or self.conflicts < self.limits.conflicts

    def _split(self, index: int, look: Look) -> None:
        """Split a case, the whole into several parts for each solver; the hardest comes next."""
        if look.decisions:
            parts = self.lookahead.split(look, LEVELS)
        else:
            whole = self.lookahead.look(())
            levels = max(LEVELS, math.ceil(math.log2(4 * self.jobs)))
            parts = [] if whole is None else self.lookahead.split(whole, levels)
        for part in sorted(parts, key=lambda each: each.free):
            self.push(index, part)
        self._save()

    def _reason_to_end(self) -> Reason | None:
        if self.stop.is_set():
            return Reason.INTERRUPTED
        return Reason.TIME_LIMIT if time.monotonic() >= self.deadline else None

    def _save(self) -> None:
        if self.keep is not None:
            tried = [each for each in self.trying.values() if not self.waiting.is_settled(each)]
            self.keep((*(look.decisions for look in tried), *self.waiting.open))

    def _tell(self) -> None:
        if self.progress is not None:
            seconds = time.monotonic() - self.begun
            settled, count = self.refuted + self.waiting.settled, len(self.waiting)
            self.progress(CaseProgress(seconds, self.conflicts, settled, count + len(self.trying)))


class _Soldier:
    """A thread with a solver of its own, which tries the cases that it is given."""

    def __init__(
        self,
        index: int,
        formula: Formula,
        solver: Solver,
        seed: int | None,
        inbox: queue.SimpleQueue[_Report],
    ) -> None:
        self.index = index
        self.orders: queue.SimpleQueue[tuple[Look, Limits] | None] = queue.SimpleQueue()
        self.opened: OpenSolver | None = None
        self.thread = threading.Thread(
            target=self._work,
            args=(formula, solver, seed, inbox),
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
