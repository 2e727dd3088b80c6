"""Searching: a problem in, an outcome out, and every found pattern checked.

>>> from satlife.search.kinds import ship
>>> match search(ship("c/4d", box="4x4")):
...     case Found(finding):
...         print(finding.pattern.population)
...     case Impossible() | Undecided():
...         print("no glider")
5
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from satlife.sat import (
    Answer,
    Model,
    Refuted,
    Satisfied,
    Statistics,
    find_solver,
)
from satlife.sat import Undecided as NoAnswer
from satlife.sat.files import write_formula
from satlife.sat.solver import OpenSolver, Solver
from satlife.search.auto import Plan, choose, choose_several
from satlife.search.build import Built, build
from satlife.search.how import How
from satlife.search.outcome import Finding, Found, Impossible, Outcome, Provenance, Undecided
from satlife.search.problem import Problem
from satlife.search.spacetime import SpaceTime
from satlife.search.transitions import TRUE
from satlife.search.verify import VerificationError, verify


def search(problem: Problem | SpaceTime, how: How | None = None) -> Outcome:
    """Find a pattern, or say that there is none, or that it could not be decided."""
    how = how or How()
    begun = time.monotonic()
    spacetime = problem if isinstance(problem, SpaceTime) else SpaceTime(problem)
    if spacetime.clash:
        return Impossible(spacetime.problem, spacetime.clash)
    if how.jobs > 1:
        return _race(spacetime, how, begun)
    plan = choose(spacetime, how)
    built = _build(spacetime, plan, how)
    built_after = time.monotonic() - begun
    if how.on_built:
        how.on_built(built)
    with _open(built, plan, how) as solver:
        answer = solver.solve(limits=how.limits.since(begun))
        provenance = make_provenance(built, plan, built_after, solver.statistics())
    return _outcome(built, answer, provenance)


def _race(spacetime: SpaceTime, how: How, begun: float) -> Outcome:
    """Let several plans run against each other; formulas that are the same are built once."""
    from satlife.sat import RaceEntry, race  # noqa: PLC0415 - only a race needs it

    plans = choose_several(spacetime, how)
    built = {(plan.encoding, plan.break_symmetry): _build(spacetime, plan, how) for plan in plans}
    built_after = time.monotonic() - begun
    formulas = [built[plan.encoding, plan.break_symmetry] for plan in plans]
    if how.on_built:
        how.on_built(formulas[0])
    entries = [
        RaceEntry(plan.label, each.formula, _solver(plan), plan.seed)
        for plan, each in zip(plans, formulas, strict=True)
    ]
    progress = how.progress
    result = race(
        entries,
        jobs=how.jobs,
        limits=how.limits.since(begun),
        progress=(lambda _entry, news: progress(news)) if progress else None,
    )
    winner = result.winner or 0
    statistics = Statistics(seconds=result.seconds)
    provenance = make_provenance(formulas[winner], plans[winner], built_after, statistics)
    return _outcome(formulas[winner], result.answer, provenance)


def _outcome(built: Built, answer: Answer, provenance: Provenance) -> Outcome:
    problem = built.spacetime.problem
    match answer:
        case Satisfied(model):
            return Found(check(built, model, provenance))
        case Refuted():
            return Impossible(problem, "refuted by the solver", provenance)
        case NoAnswer():
            return Undecided(problem, str(answer), provenance)


def find_all(problem: Problem, how: How | None = None) -> Iterator[Finding]:
    """Yield every solution, as plain models: symmetric copies too, whatever ``how`` says.

    The iteration ends when there are no more; limits that end it early raise nothing, so ask
    :func:`search` where "no more" must be certain.
    """
    how = how or How()
    spacetime = SpaceTime(problem)
    if spacetime.clash:
        return
    plan = replace(choose(spacetime, how), break_symmetry=False)
    begun = time.monotonic()
    built = _build(spacetime, plan, how)
    built_after = time.monotonic() - begun
    with _open(built, plan, how) as solver:
        cells = range(1, spacetime.variables + 1)
        for model in solver.models(cells):
            provenance = make_provenance(built, plan, built_after, solver.statistics())
            yield check(built, model, provenance)


def decode(spacetime: SpaceTime, model: Model) -> tuple[npt.NDArray[np.uint8], ...]:
    """Return the states of each generation's box in a model."""
    truth = np.append(model.truth, True)
    history = []
    for t in range(len(spacetime.boxes)):
        literals = spacetime.generation(t)
        index = np.where(np.abs(literals) == TRUE, truth.size - 1, np.abs(literals))
        history.append((truth[index] == (literals > 0)).astype(np.uint8))
    return tuple(history)


def check(built: Built, model: Model, provenance: Provenance) -> Finding:
    """Decode and verify a model; one that fails keeps its formula for us to look at."""
    problem = built.spacetime.problem
    history = decode(built.spacetime, model)
    try:
        verify(problem, history)
    except VerificationError as error:
        folder = Path(tempfile.mkdtemp(prefix="satlife-failed-"))
        write_formula(built.formula, folder / "formula.cnf.gz")
        (folder / "problem.json").write_bytes(problem.to_json())
        np.save(folder / "model.npy", model.truth)
        raise VerificationError(f"{error} (kept in {folder})") from None
    return Finding(problem, history, provenance)


def _build(spacetime: SpaceTime, plan: Plan, how: How) -> Built:
    return build(spacetime, plan.encoding, break_symmetry=plan.break_symmetry, also=how.also)


def _solver(plan: Plan) -> Solver:
    return find_solver(plan.solver) if isinstance(plan.solver, str) else plan.solver


def _open(built: Built, plan: Plan, how: How) -> OpenSolver:
    return _solver(plan).open(
        built.formula, limits=how.limits, seed=plan.seed, progress=how.progress
    )


def make_provenance(
    built: Built, plan: Plan, build_seconds: float, statistics: Statistics
) -> Provenance:
    """Say how an answer was come by."""
    return Provenance(
        solver=plan.solver if isinstance(plan.solver, str) else plan.solver.name,
        encoding=built.encoding,
        breaks_symmetry=built.breaks_symmetry,
        variables=built.formula.variables,
        clauses=built.formula.clauses,
        build_seconds=build_seconds,
        solve_seconds=statistics.seconds,
        conflicts=statistics.conflicts,
        seed=plan.seed,
    )
