"""A problem's formula in an open solver: choose, build, open, solve, decode.

Every search by SAT, plain or not, goes this one way; only a race opens several solvers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from satlife.errors import UsageError
from satlife.life.cells import Cells
from satlife.sat import FormulaBuilder, Model, Progress, Refuted, Satisfied, find_solver
from satlife.sat.formula import IntArray
from satlife.sat.logic import TRUE
from satlife.sat.solver import OpenSolver, Solver
from satlife.search.engine.auto import Choice, choose
from satlife.search.engine.engine import GaveUp, Options, Run
from satlife.search.formula.build import BuiltFormula, build
from satlife.search.formula.classes import History
from satlife.search.formula.spacetime import SpaceTime

Also = Callable[[SpaceTime, FormulaBuilder], None]
"""Adds clauses that the problem does not ask for."""


class Attempt:
    """A problem's formula in an open solver."""

    def __init__(self, built: BuiltFormula, opened: OpenSolver, run: Run) -> None:
        self.built, self.opened, self.run = built, opened, run
        self.spacetime = built.spacetime

    def solve(self, assumptions: Sequence[int] = ()) -> History | None:
        """Return a solution, None if there is none; raise :class:`GaveUp` if it is undecided."""
        self.run.check()
        limits = self.run.limits
        if limits.conflicts is not None:  # they are for the whole search, as the time is
            limits = replace(limits, conflicts=max(0, limits.conflicts - self._conflicts))
        answer = self.opened.solve(assumptions, limits)
        self.run.details["conflicts"] = self.opened.statistics().conflicts
        match answer:
            case Satisfied(model):
                self.run.keep_evidence = lambda folder: keep_formula(self.built, model, folder)
                return decode(self.spacetime, model)
            case Refuted():
                return None
        raise GaveUp("stopped" if self.run.stopped.is_set() else str(answer))

    @property
    def _conflicts(self) -> int:
        return self.opened.statistics().conflicts or 0

    def core(self) -> tuple[int, ...]:
        """Return the assumptions that the last refutation used."""
        return self.opened.core()

    def add(self, clauses: IntArray) -> None:
        """Add clauses, for good."""
        self.opened.add(clauses)


@contextmanager
def attempt(
    spacetime: SpaceTime,
    run: Run,
    *,
    options: Options | None = None,
    also: Also | None = None,
    again: bool = False,
    may_break: bool = True,
    wrap: Callable[[Solver], Solver] | None = None,
) -> Iterator[Attempt]:
    """Choose, build and open; ``again`` asks for a solver that goes on after an answer."""
    # A program of its own can neither go on after an answer nor be wrapped.
    chosen = choose(spacetime, options or run.options, once=not again and wrap is None)
    solver = as_solver(chosen.solver)
    solver = wrap(solver) if wrap else solver
    if again and not (solver.abilities.incremental and solver.abilities.assumptions):
        raise UsageError(f"{solver.name} starts anew for every solution; use cadical")
    broken = chosen.break_symmetry and may_break
    built = build(spacetime, chosen.encoding, break_symmetry=broken, also=also)
    tell_built(run, built, chosen)
    run.check()
    with (
        solver.open(
            built.formula,
            limits=run.limits,
            seed=chosen.seed,
            progress=lambda news: tell_progress(run, solver.name, news),
        ) as opened,
        run.interrupting(opened.interrupt),
    ):
        yield Attempt(built, opened, run)


def as_solver(solver: str | Solver) -> Solver:
    """Return a solver, by its name or itself."""
    return find_solver(solver) if isinstance(solver, str) else solver


def built_details(built: BuiltFormula, choice: Choice) -> dict[str, object]:
    """Return what a formula's provenance says."""
    return {
        "solver": as_solver(choice.solver).name,
        "encoding": built.encoding,
        "breaks_symmetry": built.breaks_symmetry,
        "variables": built.formula.variables,
        "clauses": built.formula.clauses,
        "build_seconds": None,
        "seed": choice.seed,
    }


def tell_built(run: Run, built: BuiltFormula, choice: Choice) -> None:
    """Emit the event that a formula is ready."""
    run.built("sat", **(built_details(built, choice) | {"build_seconds": round(run.seconds, 6)}))


def tell_progress(run: Run, racer: str, news: Progress) -> None:
    """Emit the progress of a solver."""
    run.progress(racer, conflicts=news.conflicts, memory_bytes=news.memory_bytes)


def decode(spacetime: SpaceTime, model: Model) -> History:
    """Return the states of each generation's box in a model."""
    truth = np.append(model.truth, True)

    def live(t: int) -> Cells:
        literals = spacetime.generation(t)
        index = np.where(np.abs(literals) == TRUE, truth.size - 1, np.abs(literals))
        states: Cells = (truth[index] == (literals > 0)).astype(np.uint8)
        return states

    history = [live(t) for t in range(len(spacetime.boxes))]
    for age in range(1, spacetime.ages + 1):  # generation 0 has the states of dying cells too
        history[0] += (age + 1) * live(-age)
    return tuple(history)


def keep_formula(built: BuiltFormula, model: Model, folder: Path) -> None:
    """Keep a formula and its model, for us to look at."""
    from satlife.sat.files import write_formula  # noqa: PLC0415 - hardly ever

    write_formula(built.formula, folder / "formula.cnf.gz")
    np.save(folder / "model.npy", model.truth)
