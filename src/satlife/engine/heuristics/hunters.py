"""Hunters: ways to a first find that look at a part of a problem; they run in a child process.

A hunter is a generator: it works a little, yields how much work that was, and what it has found, if
anything.  They take turns, so that each has done the same amount of work.  The amounts are nominal,
not measured, so that the same problem gives the same find again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from heapq import heapify, heappop, heappush
from typing import Final

from satlife.engine.engine import GaveUp, Options, Run
from satlife.engine.heuristics.restrictions import Restriction, embed, restrictions, ship_widths
from satlife.engine.heuristics.soups import soups
from satlife.engine.rows.engine import ROWS
from satlife.engine.sat.attempt import decode
from satlife.formula.build import build
from satlife.formula.classes import History
from satlife.formula.spacetime import SpaceTime
from satlife.problem import Problem
from satlife.sat import Limits, Refuted, Satisfied, find_solver
from satlife.sat.solvers.pysat import InlineSolver

SOLVER: Final = "minisat22"
"""On formulas this small it is four times as fast as CaDiCaL."""
CONFLICTS: Final = 2000
"""The first budget of a restriction."""
CONFLICT_SECONDS: Final = 2e-5
TRY_SECONDS: Final = 0.01
"""To build a formula and to feed the solver, nominally."""
STATE_SECONDS: Final = 2e-6
"""For a state of the search by rows."""
ROWS_SECONDS: Final = 0.5
"""The first budget of a width."""
ALLOWANCE: Final = 1.0
"""Seconds of processor time that hunting may take at once; after that it has its share."""

Details = dict[str, object]
Step = tuple[float, Details, History | None]
"""Nominal seconds, what was tried, and a solution of the whole problem."""
Hunter = Callable[[Problem], Iterator[Step]]


def hunt(
    text: bytes, share: float, tell: Callable[[Details], None]
) -> tuple[Details, History] | None:
    """Return how something was found, and a solution of the whole problem; runs alone."""
    problem, begun = Problem.from_json(text), (time.monotonic(), time.process_time())
    hunters = [each(problem) for each in HUNTERS]
    work = dict.fromkeys(hunters, 0.0)
    while work:
        _keep_share(*begun, share)
        hunter = min(work, key=work.__getitem__)
        step = next(hunter, None)
        if step is None:
            del work[hunter]
            continue
        seconds, details, history = step
        work[hunter] += seconds
        if history is not None:
            return details, history
        tell({"trying": details["restriction"]})
    return None


def run_soups(problem: Problem) -> Iterator[Step]:
    """Look for solutions among what small seeds become."""
    for batch in soups(problem):
        yield batch.seconds, {"restriction": batch.where}, batch.history


def solve_restrictions(problem: Problem) -> Iterator[Step]:
    """Solve restrictions, small ones first.

    Each try has a budget of conflicts; what it leaves undecided waits for its turn with twice the
    budget.  What is refuted is not tried again, nor is what it implies.
    """
    solver, tries = InlineSolver(find_solver(SOLVER)), 0
    refuted: list[Restriction] = []
    torus = problem.boundary == "torus"
    waiting = [
        (CONFLICTS * each.orbits**2, number, CONFLICTS, each)
        for number, each in enumerate(restrictions(problem))
    ]
    heapify(waiting)
    while waiting:
        cost, number, budget, restriction = heappop(waiting)
        if any(each.implies(restriction, torus=torus) for each in refuted):
            continue
        smaller = restriction.apply(problem)
        spacetime = None if smaller is None else SpaceTime(smaller)
        if smaller is None or spacetime is None or spacetime.clash:
            continue
        tries += 1
        built = build(spacetime, None, break_symmetry=False)
        with solver.open(built.formula, seed=tries) as opened:
            answer = opened.solve((), Limits(conflicts=budget))
            conflicts = opened.statistics().conflicts or 0
        history = None
        match answer:
            case Satisfied(model):
                history = embed(problem, smaller, decode(spacetime, model))
            case Refuted():
                refuted.append(restriction)
            case _:
                heappush(waiting, (2 * cost, number, 2 * budget, restriction))
        details: Details = {"solver": SOLVER, "restriction": str(restriction)}
        yield TRY_SECONDS + CONFLICT_SECONDS * conflicts, details, history


def search_rows(problem: Problem) -> Iterator[Step]:
    """Search narrow ships row by row, if the extra ``ships`` is there; budgets double here too."""
    widths = [
        (each, smaller)
        for each in ship_widths(problem)
        if (smaller := each.apply(problem)) is not None and ROWS.refuses(smaller) is None
    ]
    budget = ROWS_SECONDS
    while widths:
        waiting = []
        for restriction, smaller in widths:
            history, seconds = _find_by_rows(smaller, budget)
            if seconds == budget:
                waiting.append((restriction, smaller))
            whole = None if history is None else embed(problem, smaller, history)
            yield seconds, {"restriction": f"rows, {restriction}"}, whole
        widths, budget = waiting, 2 * budget


HUNTERS: Final[tuple[Hunter, ...]] = (run_soups, solve_restrictions, search_rows)
"""They take turns, the first of them first; each ends at once where it cannot help."""


def _find_by_rows(problem: Problem, budget: float) -> tuple[History | None, float]:
    """Return a ship, if there is one, and the nominal seconds: the budget if it was too small."""
    run, history = _Budget(Options(), until=time.process_time() + budget), None
    try:
        with closing(ROWS.solutions(problem, run)) as solutions:
            history = next(solutions, None)
    except GaveUp:
        if run.is_over:
            return None, budget
    states = run.details.get("states", 0)
    return history, TRY_SECONDS + STATE_SECONDS * (states if isinstance(states, int) else 0)


class _Budget(Run):
    """A run that gives up when this process has had its time."""

    def __init__(self, options: Options, until: float) -> None:
        super().__init__(options)
        self.until = until

    @property
    def is_over(self) -> bool:
        return time.process_time() > self.until

    def check(self) -> None:
        if self.is_over:
            raise GaveUp("time limit")


def _keep_share(begun: float, before: float, share: float) -> None:
    """Wait while this process has had more than its share of processor time since it began."""
    while True:
        used = time.process_time() - before
        excess = used - ALLOWANCE - share * (time.monotonic() - begun)
        if excess <= 0:
            return
        time.sleep(min(excess / share, 1.0))
