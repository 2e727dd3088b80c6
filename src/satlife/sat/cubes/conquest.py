"""The loop over cases: take an open case, try it, and split it if it exceeds its budget.

Three things vary and are parameters: how a case is tried (a :class:`Trier` for each worker), where
open cases are kept (:class:`Piles`, or :class:`OnePile`), and the callbacks.

:func:`conquer` tries cases under assumptions, with several solvers at once.  The whole is tried
first, by one solver; if it exceeds its budget of conflicts, it is split.  Every solver keeps what
it learns from one case to the next, the first one also what it has learnt from the whole.  A case
has a budget too, a small share of all conflicts so far.  A refutation's core often misses the last
literals; then it settles other cases too.

>>> from satlife.sat.formula import Formula
>>> from satlife.sat.solvers import find_solver
>>> formula = Formula.from_clauses([(1, 2), (-1, 2), (1, -2), (-1, -2, 3), (-3, -1)])
>>> print(conquer(formula, [1, 2, 3], find_solver("cadical"), jobs=2))
refuted
"""

from __future__ import annotations

import math
import queue
import threading
import time
from bisect import insort_left
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Protocol

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Reason, Refuted, Undecided
from satlife.sat.cubes.lookahead import Case, Look, Lookahead
from satlife.sat.formula import Formula
from satlife.sat.solver import Limits, OpenSolver, Solver

SMALLEST_BUDGET: Final = 2000
"""The least budget of a case, in conflicts; easier cases cost more to hand over than to solve."""
SHARE: Final = 0.02
"""The budget of a case, as a share of all conflicts so far."""
LEVELS: Final = 3
"""Levels of a split; with several at once, few inner cases are tried."""
PATIENCE: Final = 2.0
"""Seconds for the last tries to end when they are interrupted."""
_POLL: Final = 0.05


class Tried(NamedTuple):
    """The result of a try."""

    answer: Answer
    """The answer; the core of a refutation is a part of the case that suffices for it."""
    effort: float
    """The work done, in the unit of the budget: conflicts, or seconds."""


class Trier(Protocol):
    """A worker's method of trying cases."""

    exceeded: Reason
    """The reason given for a case that exceeds its budget."""

    def try_case(self, look: Look, spent: float) -> Tried:
        """Try a case, with a budget if it can be split; ``spent`` is the effort so far."""

    def interrupt(self) -> None:
        """Interrupt the current try, if any, from another thread."""

    def close(self) -> None:
        """Release all resources."""


class Piles:
    """The waiting cases, in a pile for each worker.

    A worker takes the newest case from its own pile, so it stays in one part of the tree, where
    what its solver has learnt is of use; going through all cases in one common order, two solvers
    did up to twice the work of one.  A worker whose pile is empty takes the oldest case of the
    largest pile.

    >>> piles = Piles(2)
    >>> for literal in (1, 2, 3):
    ...     piles.push(0, Look((literal,)))
    >>> piles.take(0).case, piles.take(1).case, piles.open
    ((3,), (1,), ((2,),))
    >>> piles.settle(frozenset([2]))
    >>> piles.settled, piles.open
    (1, ())
    """

    def __init__(self, workers: int) -> None:
        self._piles: tuple[deque[Look], ...] = tuple(deque() for _ in range(workers))
        self._cores: list[frozenset[int]] = []
        self.settled = 0
        """The number of cases dropped because a core settles them."""

    def push(self, worker: int, look: Look) -> None:
        """Put a case on a worker's pile, unless a core settles it or look-ahead refutes it."""
        if look.is_refuted:
            return
        if self.is_settled(look):
            self.settled += 1
        else:
            self._piles[worker].append(look)

    def take(self, worker: int) -> Look | None:
        """Return the next case for a worker; None if no case waits."""
        if self._piles[worker]:
            return self._piles[worker].pop()
        largest = max(self._piles, key=len)
        return largest.popleft() if largest else None

    def settle(self, core: frozenset[int]) -> None:
        """Drop all cases that contain a core: literals that cannot all be true."""
        self._cores.append(core)
        for pile in self._piles:
            before = len(pile)
            kept = [look for look in pile if not core <= frozenset(look.case)]
            pile.clear()
            pile.extend(kept)
            self.settled += before - len(pile)

    def is_settled(self, look: Look) -> bool:
        """Return whether a core settles a case."""
        literals = frozenset(look.case)
        return any(core <= literals for core in self._cores)

    def __len__(self) -> int:
        return sum(map(len, self._piles))

    @property
    def open(self) -> tuple[Case, ...]:
        """The waiting cases, in the order in which their own workers would take them."""
        return tuple(look.case for pile in self._piles for look in reversed(pile))


class OnePile(Piles):
    """One pile for all workers, refuted cases included; those with most free candidates first."""

    def __init__(self) -> None:
        super().__init__(1)

    def push(self, worker: int, look: Look) -> None:
        """Add a case below those that have as many free candidates."""
        insort_left(self._piles[0], look, key=lambda each: each.free)

    def take(self, worker: int) -> Look | None:
        """Return the case with the most free candidates; None if no case waits."""
        return super().take(0)


@dataclass(frozen=True, slots=True)
class CaseProgress:
    """Progress of a loop."""

    seconds: float
    spent: float
    """The effort of all tries: conflicts, or seconds."""
    settled: int
    """The number of refuted cases."""
    open: int
    """The number of cases that are waiting or being tried."""


class Loop:
    """Tries the open cases, one for each worker at a time."""

    def __init__(
        self,
        lookahead: Lookahead,
        waiting: Piles,
        triers: Sequence[Trier],
        *,
        limits: Limits | None = None,
        stop: threading.Event | None = None,
        tell: Callable[[CaseProgress], None] | None = None,
        keep: Callable[[tuple[Case, ...]], None] | None = None,
    ) -> None:
        """Prepare the loop; the limits on seconds and conflicts are for all cases together.

        ``tell`` is called repeatedly with the progress, ``keep`` with the open cases whenever one
        is settled or split.
        """
        self.lookahead, self.waiting, self.triers = lookahead, waiting, triers
        self.limits, self.stop = limits or Limits(), stop or threading.Event()
        self.tell, self.keep = tell, keep
        self.trying: dict[int, Look] = {}
        self.spent: float = 0
        self.refuted = 0
        self._begun = time.monotonic()
        self._inbox: queue.SimpleQueue[tuple[int, Tried | BaseException]] = queue.SimpleQueue()

    def run(self) -> Answer:
        """Return the first answer that decides the formula, or why it is undecided."""
        workers = [_Worker(index, each, self._inbox) for index, each in enumerate(self.triers)]
        try:
            while True:
                for worker in workers:
                    self._employ(worker)
                if not self.trying:
                    return Refuted()
                if (reason := self._reason_to_end()) is not None:
                    return Undecided(reason)
                with suppress(queue.Empty):
                    if (answer := self._hear(*self._inbox.get(timeout=_POLL))) is not None:
                        return answer
                self._tell()
        finally:
            _dismiss(workers)

    def _employ(self, worker: _Worker) -> None:
        """Start an idle worker on its next case, if one waits."""
        if worker.index not in self.trying:
            look = self.waiting.take(worker.index)
            if look is not None:
                self.trying[worker.index] = look
                worker.orders.put((look, self.spent))

    def _hear(self, index: int, tried: Tried | BaseException) -> Answer | None:
        """Process the result of a try; return the final answer, if any."""
        look = self.trying.pop(index)
        if isinstance(tried, BaseException):
            raise tried
        self.spent += tried.effort
        match tried.answer:
            case Refuted(core):
                self.refuted += 1
                if len(core) < len(look.case):
                    self.waiting.settle(frozenset(core))
                if not core:  # the cases of the other workers are settled too
                    self.trying.clear()
            case Undecided(reason) if self._may_split(look, reason, self.triers[index]):
                self._split(index, look)
            case answer:
                return answer
        if self.keep is not None:
            tried_now = (each for each in self.trying.values() if not self.waiting.is_settled(each))
            self.keep((*(each.case for each in tried_now), *self.waiting.open))
        return None

    def _may_split(self, look: Look, reason: Reason, trier: Trier) -> bool:
        """Return whether a case has exceeded its own budget, not an overall limit."""
        most = self.limits.conflicts
        return (
            reason is trier.exceeded and bool(look.ranking) and (most is None or self.spent < most)
        )

    def _split(self, index: int, look: Look) -> None:
        """Split a case, the whole into several for each worker; the hardest comes next."""
        levels = LEVELS
        if not look.case:
            levels = max(levels, math.ceil(math.log2(4 * len(self.triers))))
            look = self.lookahead.look(())
        for leaf in sorted(self.lookahead.split(look, levels), key=lambda each: each.free):
            self.waiting.push(index, leaf)

    def _reason_to_end(self) -> Reason | None:
        if self.stop.is_set():
            return Reason.INTERRUPTED
        return Reason.TIME_LIMIT if self.limits.since(self._begun).seconds == 0 else None

    def _tell(self) -> None:
        if self.tell is not None:
            seconds = time.monotonic() - self._begun
            settled, count = self.refuted + self.waiting.settled, len(self.waiting)
            self.tell(CaseProgress(seconds, self.spent, settled, count + len(self.trying)))


class _Worker:
    """A thread that tries cases, one at a time."""

    def __init__(
        self,
        index: int,
        trier: Trier,
        inbox: queue.SimpleQueue[tuple[int, Tried | BaseException]],
    ) -> None:
        self.index, self.trier, self._inbox = index, trier, inbox
        self.orders: queue.SimpleQueue[tuple[Look, float] | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="satlife-case", daemon=True)
        self.thread.start()

    def _work(self) -> None:
        tried: Tried | BaseException
        while (order := self.orders.get()) is not None:
            try:
                tried = self.trier.try_case(*order)
            except BaseException as error:
                tried = error
            self._inbox.put((self.index, tried))


def _dismiss(workers: Sequence[_Worker]) -> None:
    """Interrupt all tries until they end; an interrupt just before a try has no effect."""
    for each in workers:
        each.orders.put(None)
    end = time.monotonic() + PATIENCE
    while any(each.thread.is_alive() for each in workers) and time.monotonic() < end:
        for each in workers:
            each.trier.interrupt()
            each.thread.join(_POLL)
    for each in workers:
        each.trier.close()


def conquer(
    formula: Formula,
    candidates: Iterable[int],
    solver: Solver,
    *,
    jobs: int = 1,
    cases: Sequence[Case] = ((),),
    fence: int = 0,
    limits: Limits | None = None,
    seed: int | None = None,
    progress: Callable[[CaseProgress], None] | None = None,
    keep: Callable[[tuple[Case, ...]], None] | None = None,
    stop: threading.Event | None = None,
) -> Answer:
    """Solve a formula by cases, ``jobs`` of them at a time, split on the candidates.

    ``cases`` are those still open; all others must be settled.  ``fence`` is the budget of
    the whole, in conflicts.  ``keep`` is called with the open cases whenever one is settled or
    split.  The limits on seconds and conflicts are for all cases together, the limit on memory is
    for each solver.
    """
    able = solver.abilities
    if not (able.assumptions and able.incremental and able.conflict_limit):
        raise SolverError(f"{solver.name} cannot go from case to case; cadical can")
    limits = limits or Limits()
    with Lookahead(formula, candidates) as lookahead:
        waiting = Piles(jobs)
        for case in reversed(cases):
            # Look-ahead on the whole is delayed until it must be split: most searches end before.
            whole = Look((), ranking=lookahead.candidates)
            waiting.push(0, lookahead.look(case) if case else whole)
        triers = [_Assumptions(formula, solver, seed, limits, fence) for _ in range(jobs)]
        loop = Loop(lookahead, waiting, triers, limits=limits, stop=stop, tell=progress, keep=keep)
        return loop.run()


class _Assumptions:
    """Tries cases under assumptions, with one incremental solver."""

    exceeded = Reason.CONFLICT_LIMIT

    def __init__(
        self, formula: Formula, solver: Solver, seed: int | None, limits: Limits, fence: int
    ) -> None:
        self._formula, self._solver, self._seed = formula, solver, seed
        self._limits, self._fence = limits, fence
        self._begun = time.monotonic()
        self._opened: OpenSolver | None = None

    def try_case(self, look: Look, spent: float) -> Tried:
        """Solve the formula with a case's literals assumed; the effort is in conflicts."""
        limits = self._budget(look, spent)
        if self._opened is None:
            self._opened = self._solver.open(self._formula, seed=self._seed)
        before = self._opened.statistics().conflicts or 0
        answer = self._opened.solve(look.case, limits)
        return Tried(answer, max(0, (self._opened.statistics().conflicts or 0) - before))

    def _budget(self, look: Look, spent: float) -> Limits:
        least = SMALLEST_BUDGET if look.case else max(SMALLEST_BUDGET, self._fence)
        budget = max(least, int(SHARE * spent)) if look.ranking else None
        if self._limits.conflicts is not None:
            left = max(0, self._limits.conflicts - int(spent))
            budget = left if budget is None else min(budget, left)
        return replace(self._limits.since(self._begun), conflicts=budget)

    def interrupt(self) -> None:
        """Interrupt the solver."""
        if self._opened is not None:
            self._opened.interrupt()

    def close(self) -> None:
        """Close the solver."""
        if self._opened is not None:
            self._opened.close()
