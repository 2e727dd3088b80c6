"""Hunting: restrictions of a problem are tried in a child process, beside the whole problem.

Small restrictions come first.  Each try has a budget of conflicts; what it leaves undecided waits
for its turn with twice the budget.  What is refuted is not tried again, nor is what it implies.
A refutation of restrictions says nothing of the whole problem.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from typing import Final

from satlife.sat import Limits, Refuted, Satisfied, find_solver
from satlife.sat.solvers.confined import run_confined
from satlife.sat.solvers.inline import InlineSolver
from satlife.search.engine.attempt import decode
from satlife.search.engine.engine import Run
from satlife.search.engine.restrictions import Restriction, embed, restrictions
from satlife.search.formula.build import build
from satlife.search.formula.classes import History
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Problem

SOLVER: Final = "minisat22"
"""On formulas this small it is four times as fast as CaDiCaL."""
CONFLICTS: Final = 2000
"""The first budget."""
HEAD_START: Final = 0.3
"""Seconds that the whole problem has to itself; most are solved by then."""
ALLOWANCE: Final = 1.0
"""Seconds of processor time that hunting may take at once; after that it has its share."""
SHARE: Final = 0.25
"""Processor time for each second of every job: with it, a fifth of all."""


class Hunt:
    """What came of hunting."""

    found: History | None = None
    """A solution of the whole problem."""
    restriction: str = ""
    """Where it was found."""
    error: BaseException | None = None
    """Why hunting failed, which interrupts the run too."""


@contextmanager
def hunting(problem: Problem, run: Run) -> Iterator[Hunt]:
    """Hunt while this lasts; a find interrupts whatever the run is doing."""
    hunt, over = Hunt(), threading.Event()
    thread = threading.Thread(
        target=_hunt_beside, args=(problem, run, hunt, over), name="satlife-hunt", daemon=True
    )
    thread.start()
    try:
        yield hunt
    finally:
        over.set()
        thread.join()


def _hunt_beside(problem: Problem, run: Run, hunt: Hunt, over: threading.Event) -> None:
    if over.wait(HEAD_START):
        return
    try:
        tried = run_confined(
            "satlife.search.engine.hunting:try_restrictions",
            problem.to_json(),
            min(1.0, SHARE * run.options.jobs),
            limits=run.limits,
            on_news=lambda news: run.progress("restrictions", **news),
            stop=over,
        )
    except BaseException as error:
        hunt.error = error
    else:
        if not isinstance(tried, tuple):
            return  # nothing found, or no time or memory left: the whole problem decides
        hunt.restriction, hunt.found = tried
    run.interrupt_until(over)


def try_restrictions(
    text: bytes, share: float, tell: Callable[[dict[str, object]], None]
) -> tuple[str, History] | None:
    """Return a restriction that has a solution, and this as a solution of the whole; runs alone."""
    problem, begun, tries = Problem.from_json(text), time.monotonic(), 0
    solver = InlineSolver(find_solver(SOLVER))
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
        _keep_share(begun, share)
        tries += 1
        tell({"trying": str(restriction), "tried": tries, "refuted": len(refuted)})
        built = build(spacetime, None, break_symmetry=False)
        with solver.open(built.formula, seed=tries) as opened:
            answer = opened.solve((), Limits(conflicts=budget))
        match answer:
            case Satisfied(model):
                return str(restriction), embed(problem, smaller, decode(spacetime, model))
            case Refuted():
                refuted.append(restriction)
            case _:
                heappush(waiting, (2 * cost, number, 2 * budget, restriction))
    return None


def _keep_share(begun: float, share: float) -> None:
    """Wait while this process has had more than its share of processor time."""
    while True:
        excess = time.process_time() - ALLOWANCE - share * (time.monotonic() - begun)
        if excess <= 0:
            return
        time.sleep(min(excess / share, 1.0))
