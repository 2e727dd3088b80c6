"""Hunters: incomplete searches for a first solution; they run in a child process.

A hunter is a generator: it works a little, then yields the amount of work and a solution, if it has
found one.  Hunters take turns, so that all do the same amount of work.  The amounts are nominal,
not measured, so that the same problem always gives the same solution.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from heapq import heapify, heappop, heappush
from typing import Final

from satlife.engine.engine import Options, Run
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
"""The solver: on formulas this small it is four times as fast as CaDiCaL."""
CONFLICTS: Final = 2000
"""Initial conflict budget of a restriction."""
CONFLICT_SECONDS: Final = 2e-5
TRY_SECONDS: Final = 0.01
"""Nominal time to build a formula and to load it into the solver."""
ROWS_SECONDS: Final = 0.5
"""Initial time budget of a width."""
ALLOWANCE: Final = 1.0
"""Seconds of processor time that hunting may use at least; more only as its share allows."""

Details = dict[str, object]
Step = tuple[float, Details, History | None]
"""Nominal seconds, details of the attempt, and a solution of the whole problem, if any."""
Hunter = Callable[[Problem], Iterator[Step]]


def hunt(
    text: bytes, share: float, tell: Callable[[Details], None]
) -> tuple[Details, History] | None:
    """Return the details of a find and a solution of the whole problem; runs in its own process."""
    problem, begun = Problem.from_json(text), (time.monotonic(), time.process_time())
    for _, details, history in take_turns(*(each(problem) for each in HUNTERS)):
        if history is not None:
            return details, history
        tell({"trying": details["restriction"]})
        _keep_share(*begun, share)
    return None


def take_turns(*hunters: Iterator[Step]) -> Iterator[Step]:
    """Yield the steps of all hunters, always that of the hunter who has worked least."""
    work = dict.fromkeys(hunters, 0.0)
    while work:
        hunter = min(work, key=work.__getitem__)
        step = next(hunter, None)
        if step is None:
            del work[hunter]
        else:
            work[hunter] += step[0]
            yield step


def run_soups(problem: Problem) -> Iterator[Step]:
    """Look for solutions among the descendants of small seeds."""
    for batch in soups(problem):
        yield batch.seconds, {"restriction": batch.where}, batch.history


def solve_restrictions(problem: Problem) -> Iterator[Step]:
    """Solve restrictions, small ones first.

    Each attempt has a budget of conflicts; an undecided restriction is tried again later with twice
    the budget, and one with a solution that was not wanted in another order.  A refuted restriction
    is not tried again, nor is any that it implies.
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
        details: Details = {"solver": SOLVER, "restriction": str(restriction)}
        if isinstance(answer, Satisfied):
            history = embed(problem, smaller, decode(spacetime, answer.model))
        if isinstance(answer, Refuted):
            refuted.append(restriction)
            details["refuted"] = True
        else:
            heappush(waiting, (2 * cost, number, 2 * budget, restriction))
        yield TRY_SECONDS + CONFLICT_SECONDS * conflicts, details, history


def search_rows(problem: Problem) -> Iterator[Step]:
    """Search for narrow ships row by row, if the extra ``fast`` is installed; budgets double."""
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
"""The hunters, in the order of their turns; each ends at once where it does not apply."""


def _find_by_rows(problem: Problem, budget: float) -> tuple[History | None, float]:
    """Return a ship, if any, and the nominal seconds: the whole budget if it ran out."""
    seconds = TRY_SECONDS
    with closing(ROWS.steps(problem, Run(Options()))) as steps:
        for step in steps:
            if not isinstance(step, float):
                return step, seconds
            seconds += step
            if seconds >= budget:
                return None, budget
    return None, seconds


def _keep_share(begun: float, before: float, share: float) -> None:
    """Sleep while this process has used more than its share of processor time since it began."""
    while True:
        used = time.process_time() - before
        excess = used - max(ALLOWANCE, share * (time.monotonic() - begun))
        if excess <= 0:
            return
        time.sleep(min(excess / share, 1.0))
