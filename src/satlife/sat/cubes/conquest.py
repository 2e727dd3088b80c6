"""The loop over cases: take an open case, try it, and split it where that pays.

Three things vary and are parameters: how a case is tried (a :class:`Trier` for each worker), where
open cases are kept (:class:`Piles`, or :class:`OnePile`), and the callbacks.  A :class:`Divider`
has the formulas, and splits cases.  Most have one formula; a problem that consists of parts has one
for each, and its cases are those of all parts.

:func:`conquer` tries cases under assumptions, with several solvers at once.  The whole is tried
first, by one solver; if it exceeds its budget of conflicts, it is split.  A solver keeps what it
learns from one case of a formula to the next.  A case is split only if a worker has nothing to do,
and if it has taken more than a small share of all conflicts so far; a search that is saved splits
any case that has taken so many, since only settled cases are saved.  A refutation's core often
misses the last literals; then it settles other cases too.

>>> from satlife.sat.cubes.in_order import InOrder
>>> from satlife.sat.formula import Formula
>>> from satlife.sat.solvers import find_solver
>>> formula = Formula.from_clauses([(1, 2), (-1, 2), (1, -2), (-1, -2, 3), (-3, -1)])
>>> print(conquer(InOrder(formula, [1, 2, 3]), find_solver("cadical"), jobs=2).answer)
refuted
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
from bisect import insort_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Protocol

from msgspec import structs

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Reason, Refuted, Undecided
from satlife.sat.cubes.in_order import Case, Look
from satlife.sat.formula import Formula
from satlife.sat.solver import Limits, OpenSolver, Solver

SMALLEST_BUDGET: Final = 10_000
"""The least budget of a case, in conflicts; easier cases cost more to hand over than to solve."""
SHARE: Final = 0.02
"""The budget of a case, as a share of all conflicts so far."""
LEAVES: Final = 4
"""Number of cases, for each worker, into which a case is split."""
MOST_CASES: Final = 100_000
"""Maximum number of cases of a loop; then none is split any more."""
PATIENCE: Final = 2.0
"""Seconds for the last tries to end when they are interrupted."""
_POLL: Final = 0.05


class Tried(NamedTuple):
    """The result of a try."""

    answer: Answer
    """The answer; the core of a refutation is a part of the case that suffices for it."""
    effort: float
    """The work done, in the unit of the budget: conflicts, or bytes of proof."""


class Trier(Protocol):
    """A worker's method of trying cases."""

    exceeded: Reason
    """The reason given for a case that exceeds its budget."""

    def try_case(self, look: Look, spent: float, may_end: Callable[[], bool]) -> Tried:
        """Try a case; ``spent`` is the effort of all cases so far.

        With its budget exceeded, the try ends if ``may_end`` says so, and the case is split.
        """

    def interrupt(self) -> None:
        """Interrupt the current try, if any, from another thread."""

    def close(self) -> None:
        """Release all resources."""


class Divider(Protocol):
    """The formulas of a loop, and their cases."""

    def formula_of(self, part: int) -> Formula:
        """Return one of the formulas."""

    def look(self, case: Case) -> Look:
        """Return a case of the first formula."""

    def split(self, look: Look, count: int) -> list[Look]:
        """Split a case into about ``count`` cases that cover it; refuted ones may be missing."""

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
    >>> piles.settle(0, (2,))
    >>> piles.settled, piles.open
    (1, ())
    """

    def __init__(self, workers: int) -> None:
        self._piles: tuple[deque[Look], ...] = tuple(deque() for _ in range(workers))
        self._cores: list[tuple[int, frozenset[int]]] = []
        self.settled = 0
        """The number of cases dropped because a core settles them."""

    def push(self, worker: int, look: Look) -> None:
        """Put a case on a worker's pile, unless a core settles it or propagation refutes it."""
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

    def settle(self, part: int, core: Case) -> None:
        """Drop all cases of a formula that contain a core: literals that cannot all be true."""
        self._cores.append((part, frozenset(core)))
        for pile in self._piles:
            before = len(pile)
            kept = [look for look in pile if not self.is_settled(look)]
            pile.clear()
            pile.extend(kept)
            self.settled += before - len(pile)

    def is_settled(self, look: Look) -> bool:
        """Return whether a core settles a case."""
        literals = frozenset(look.case)
        return any(part == look.part and core <= literals for part, core in self._cores)

    def __len__(self) -> int:
        return sum(map(len, self._piles))

    def __iter__(self) -> Iterator[Look]:
        return itertools.chain(*self._piles)

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
    """The effort of all tries: conflicts, or bytes of proof."""
    settled: int
    """The number of refuted cases."""
    open: int
    """The number of cases that are waiting or being tried."""
    parts: frozenset[int] = frozenset()
    """Parts of the whole that have such cases."""


class Loop:
    """Tries the open cases, one for each worker at a time."""

    def __init__(
        self,
        divider: Divider,
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
        self.divider, self.waiting, self.triers = divider, waiting, triers
        self.limits, self.stop = limits or Limits(), stop or threading.Event()
        self.tell, self.keep = tell, keep
        self.trying: dict[int, Look] = {}
        self.spent: float = 0
        self.refuted = 0
        self.made = len(waiting)
        """The number of cases so far."""
        self.decided: Look | None = None
        """The case that has a model."""
        self._begun = time.monotonic()
        self._inbox: queue.SimpleQueue[tuple[int, Tried | BaseException]] = queue.SimpleQueue()

    def run(self) -> Answer:
        """Return the first answer that decides the formula, or why it is undecided."""
        workers = [_Worker(index, each, self._inbox) for index, each in enumerate(self.triers)]
        try:
            while True:
                for worker in workers:
                    self._employ(worker)
                if not self._is_open:
                    return Refuted()
                if (reason := self._reason_to_end()) is not None:
                    return Undecided(reason)
                with suppress(queue.Empty):
                    if (answer := self._hear(*self._inbox.get(timeout=_POLL))) is not None:
                        return answer
                self._tell()
        finally:
            _dismiss(workers)

    @property
    def _is_open(self) -> bool:
        """Whether a case waits, or is being tried that no core settles."""
        settled = map(self.waiting.is_settled, self.trying.values())
        return len(self.waiting) > 0 or not all(settled)

    def _employ(self, worker: _Worker) -> None:
        """Start an idle worker on its next case, if one waits."""
        if worker.index not in self.trying:
            look = self.waiting.take(worker.index)
            if look is not None:
                self.trying[worker.index] = look
                worker.orders.put((look, self.spent, self.may_end))

    def may_end(self) -> bool:
        """Whether a try that exceeds its budget ends: to be saved, or to give others work."""
        is_idle = len(self.trying) < len(self.triers) and not len(self.waiting)
        return (is_idle or self.keep is not None) and self.made < MOST_CASES

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
                    self.waiting.settle(look.part, core)
            case Undecided(reason) if self._may_split(look, reason, self.triers[index]):
                self._split(index, look)
            case answer:
                self.decided = look
                return answer
        if self.keep is not None:
            tried_now = (each for each in self.trying.values() if not self.waiting.is_settled(each))
            self.keep((*(each.case for each in tried_now), *self.waiting.open))
        return None

    def _may_split(self, look: Look, reason: Reason, trier: Trier) -> bool:
        """Return whether a case has exceeded its own budget, not an overall limit."""
        most = self.limits.conflicts
        return reason is trier.exceeded and look.free > 0 and (most is None or self.spent < most)

    def _split(self, index: int, look: Look) -> None:
        """Split a case, the whole for all workers; the hardest comes next."""
        leaves = self.divider.split(look, LEAVES * len(self.triers))
        self.made += len(leaves)
        for number, leaf in enumerate(sorted(leaves, key=lambda each: each.free)):
            worker = index if look.case else number % len(self.triers)
            # What could not be split is tried without a budget.
            self.waiting.push(worker, replace(leaf, free=0) if len(leaves) == 1 else leaf)

    def _reason_to_end(self) -> Reason | None:
        if self.stop.is_set():
            return Reason.INTERRUPTED
        return Reason.TIME_LIMIT if self.limits.since(self._begun).seconds == 0 else None

    def _tell(self) -> None:
        if self.tell is not None:
            seconds = time.monotonic() - self._begun
            settled = self.refuted + self.waiting.settled
            left = [*self.waiting, *self.trying.values()]
            parts = frozenset(look.part for look in left)
            self.tell(CaseProgress(seconds, self.spent, settled, len(left), parts))


class _Worker:
    """A thread that tries cases, one at a time."""

    def __init__(
        self,
        index: int,
        trier: Trier,
        inbox: queue.SimpleQueue[tuple[int, Tried | BaseException]],
    ) -> None:
        self.index, self.trier, self._inbox = index, trier, inbox
        self.orders: queue.SimpleQueue[tuple[Look, float, Callable[[], bool]] | None] = (
            queue.SimpleQueue()
        )
        work = copy_context().run  # with the limits of this thread
        self.thread = threading.Thread(
            target=work, args=(self._work,), name="satlife-case", daemon=True
        )
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


class Conquered(NamedTuple):
    """The answer for all cases."""

    answer: Answer
    part: int = 0
    """The number of the formula that has the model, if there is one."""


def conquer(
    divider: Divider,
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
) -> Conquered:
    """Solve a formula by cases, ``jobs`` of them at a time.

    ``cases`` are those still open; all others must be settled.  ``fence`` is the budget of
    the whole, in conflicts.  ``keep`` is called with the open cases whenever one is settled or
    split.  The limits on seconds and conflicts are for all cases together, the limit on memory is
    for each solver.
    """
    able = solver.abilities
    if not (able.assumptions and able.incremental and able.conflict_limit):
        raise SolverError(f"{solver.name} cannot go from case to case; cadical can")
    limits = limits or Limits()
    with closing(divider):
        waiting = Piles(jobs)
        for case in reversed(cases):
            # Most searches end before the whole must be split; so nothing is propagated there.
            waiting.push(0, divider.look(case) if case else Look((), free=1))
        triers = [_Assumptions(divider, solver, seed, limits, fence) for _ in range(jobs)]
        loop = Loop(divider, waiting, triers, limits=limits, stop=stop, tell=progress, keep=keep)
        answer = loop.run()
        return Conquered(answer, loop.decided.part if loop.decided else 0)


class _Assumptions:
    """Tries cases under assumptions, with an incremental solver for the formula at hand."""

    exceeded = Reason.CONFLICT_LIMIT

    def __init__(
        self, divider: Divider, solver: Solver, seed: int | None, limits: Limits, fence: int
    ) -> None:
        self._divider, self._solver, self._seed = divider, solver, seed
        self._limits, self._fence = limits, fence
        self._begun = time.monotonic()
        self._part = -1
        self._opened: OpenSolver | None = None

    def try_case(self, look: Look, spent: float, may_end: Callable[[], bool]) -> Tried:
        """Solve the formula with a case's literals assumed; the effort is in conflicts.

        The try continues until the case is settled or another worker is idle.
        """
        opened = self._open(look.part)
        before, effort = opened.statistics().conflicts or 0, 0
        is_whole = not (look.case or look.part)
        budget = max(SMALLEST_BUDGET, self._fence if is_whole else int(SHARE * spent))
        while True:
            answer = opened.solve(look.case, self._limit(look, budget, spent + effort))
            effort = max(0, (opened.statistics().conflicts or 0) - before)
            limited = isinstance(answer, Undecided) and answer.reason is self.exceeded
            at_end = self._limits.conflicts is not None and spent + effort >= self._limits.conflicts
            if not limited or at_end or (is_whole and self._fence) or may_end():
                return Tried(answer, effort)

    def _open(self, part: int) -> OpenSolver:
        """Return the solver with a formula; one at a time, since most are finished for good."""
        if self._opened is None or part != self._part:
            self.close()
            self._opened = self._solver.open(self._divider.formula_of(part), seed=self._seed)
            self._part = part
        return self._opened

    def _limit(self, look: Look, budget: int, spent: float) -> Limits:
        wanted = budget if look.free else None
        if self._limits.conflicts is not None:
            left = max(0, self._limits.conflicts - int(spent))
            wanted = left if wanted is None else min(wanted, left)
        return structs.replace(self._limits.since(self._begun), conflicts=wanted)

    def interrupt(self) -> None:
        """Interrupt the solver."""
        if (opened := self._opened) is not None:
            opened.interrupt()

    def close(self) -> None:
        """Close the solver."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None
