"""A search by cases: divided on cells of generation 0, conquered by several solvers.

So a refutation uses all processors, and a search can be saved and go on later.  A tree of cases
means the same for every encoding, since cells have names.
"""

from __future__ import annotations

import threading

import numpy as np

from satlife.errors import UsageError
from satlife.sat import Satisfied, Undecided
from satlife.sat.dividing import CaseProgress, conquer
from satlife.sat.logic import TRUE
from satlife.search.engine import auto
from satlife.search.engine.attempt import (
    Also,
    as_solver,
    decode,
    keep_formula,
    tell_built,
)
from satlife.search.engine.engine import GaveUp, Run
from satlife.search.engine.saved_cases import SavedCases
from satlife.search.formula.build import build
from satlife.search.formula.classes import History
from satlife.search.formula.spacetime import SpaceTime


def can_divide(spacetime: SpaceTime, run: Run) -> bool:
    """Return whether there is something to divide, and a solver that goes from case to case."""
    able = as_solver(auto.choose(spacetime, run.options, once=False).solver).abilities
    return bool(candidates(spacetime)) and (
        able.assumptions and able.incremental and able.conflict_limit
    )


def candidates(spacetime: SpaceTime) -> list[int]:
    """Return the variables of generation 0, one for each orbit of free cells."""
    first = np.abs(spacetime.generation(0)).ravel()
    return list(dict.fromkeys(first[first != TRUE].tolist()))


def divide(spacetime: SpaceTime, run: Run, also: Also | None = None) -> History | None:
    """Return a solution, None if there is none; raise :class:`GaveUp` if it is undecided."""
    chosen = auto.choose(spacetime, run.options, once=False)
    solver = as_solver(chosen.solver)
    if not can_divide(spacetime, run):
        raise UsageError(f"{solver.name} starts anew for every case; use cadical to save a search")
    built = build(spacetime, chosen.encoding, break_symmetry=chosen.break_symmetry, also=also)
    tell_built(run, built, chosen)
    path = run.options.save
    saved = None
    if path is not None:
        saved = SavedCases(path, spacetime, breaks_symmetry=built.breaks_symmetry)
        saved.keep(saved.open)  # a file that cannot be written is told before the search
    stop = threading.Event()

    def tell(news: CaseProgress) -> None:
        run.details |= {"conflicts": news.conflicts, "cases": news.settled}
        run.progress(
            f"{run.options.jobs} x {solver.name}" if run.options.jobs > 1 else solver.name,
            conflicts=news.conflicts,
            cases=f"{news.settled} of {news.settled + news.open}",
        )

    with run.interrupting(stop.set):
        answer = conquer(
            built.formula,
            candidates(spacetime),
            solver,
            jobs=run.options.jobs,
            cases=((),) if saved is None else saved.open,
            fence=auto.FENCE,
            limits=run.limits,
            seed=chosen.seed,
            progress=tell,
            keep=None if saved is None else saved.keep,
            stop=stop,
        )
    match answer:
        case Satisfied(model):
            run.keep_evidence = lambda folder: keep_formula(built, model, folder)
            return decode(spacetime, model)
        case Undecided():
            raise GaveUp("stopped" if run.stopped.is_set() else str(answer))
    return None
