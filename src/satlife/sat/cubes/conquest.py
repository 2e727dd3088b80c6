"""Solving a formula case by case, with several solvers at once.

The whole is tried first, by one solver; if it exceeds its budget of conflicts, it is split.
Every solver keeps what it learns from one case to the next, the first one also what it has learnt
from the whole.  A case has a budget too, a small part of all conflicts so far.  A refutation's core
often misses the last literals; then it settles other cases too.

>>> from satlife.sat.formula import Formula
>>> from satlife.sat.solvers import find_solver
>>> formula = Formula.from_clauses([(1, 2), (-1, 2), (1, -2), (-1, -2, 3), (-3, -1)])
>>> print(conquer(formula, [1, 2, 3], find_solver("cadical"), jobs=2))
refuted
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Reason
from satlife.sat.cubes.lookahead import Case, Look, Lookahead
from satlife.sat.cubes.loop import CaseProgress, Loop, Piles, Tried
from satlife.sat.formula import Formula
from satlife.sat.solver import Limits, OpenSolver, Solver

SMALLEST_BUDGET: Final = 2000
"""Conflicts: a case of fewer would cost more to hand over than to solve."""
SHARE: Final = 0.02
"""The budget of a case, as a share of all conflicts so far."""


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

    ``cases`` are those still open; together with what is known they cover everything.  ``fence`` is
    the budget of the whole, in conflicts.  ``keep`` is called with the open cases whenever one is
    settled or split.  The limits on seconds and conflicts are for everything together, the limit on
    memory is for each solver.
    """
    able = solver.abilities
    if not (able.assumptions and able.incremental and able.conflict_limit):
        raise SolverError(f"{solver.name} cannot go from case to case; cadical can")
    limits = limits or Limits()
    with Lookahead(formula, candidates) as lookahead:
        waiting = Piles(jobs)
        for case in reversed(cases):
            # The whole is looked at only if it must be split: most searches end before.
            whole = Look((), ranking=lookahead.candidates)
            waiting.push(0, lookahead.look(case) if case else whole)
        triers = [_Assumptions(formula, solver, seed, limits, fence) for _ in range(jobs)]
        loop = Loop(lookahead, waiting, triers, limits=limits, stop=stop, tell=progress, keep=keep)
        return loop.run()


class _Assumptions:
    """Tries cases under assumptions, by one solver that keeps what it learns."""

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
