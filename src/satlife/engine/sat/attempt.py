"""A problem's formula in an open solver: choose, build, open, solve, decode.

Every search by SAT takes this path; only a race opens several solvers at once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from satlife.engine.engine import GaveUp, Options, Run
from satlife.errors import UsageError
from satlife.formula.build import OPEN_ENCODING, BuiltFormula, build
from satlife.formula.classes import History
from satlife.formula.encodings import ENCODINGS
from satlife.formula.spacetime import SpaceTime
from satlife.life.cells import Cells
from satlife.problem.constraints import Bound
from satlife.sat import (
    Answer,
    Formula,
    FormulaBuilder,
    Model,
    Progress,
    Refuted,
    Satisfied,
    find_solver,
)
from satlife.sat import Undecided as NoAnswer
from satlife.sat.answer import Reason
from satlife.sat.formula import IntArray
from satlife.sat.logic import TRUE
from satlife.sat.solver import OpenSolver, Solver
from satlife.sat.solvers.pysat import PysatSolver

# The table of the default encoding, symmetry breaking and solver.
#
# It follows the benchmark (docs/benchmarks.md). Whether a search is a hunt (a solution is likely)
# or a refutation is guessed from the number of free cells: small boxes mostly have no solution.
# Breaking symmetry pays in refutations; in hunts it costs most where shifts in time are broken.


class Choice(Struct, frozen=True):
    """The choice of encoding, symmetry breaking, solver and seed."""

    encoding: str
    break_symmetry: bool
    solver: str | Solver
    seed: int | None = None

    @property
    def label(self) -> str:
        """The choice in a few words."""
        name = self.solver if isinstance(self.solver, str) else self.solver.name
        broken = ", symmetry broken" if self.break_symmetry else ""
        seed = f", seed {self.seed}" if self.seed is not None else ""
        return f"{name} on {self.encoding}{broken}{seed}"


class Case(Struct, frozen=True):
    """Features of a search, known before it begins."""

    free_cells: int
    """Free cells of generation 0, each orbit of the symmetry counted once."""
    cells: int
    """Free cells of all generations."""
    period: int
    """0 if there is no motion: parents, orphans, pieces of space-time."""
    moves: bool
    symmetric: bool
    bounded: bool
    """Whether the population or another number is bounded."""
    programs: bool = False
    """Whether a non-incremental external solver suffices, and kissat is installed."""


class Row(Struct, frozen=True):
    """One row of the table: a condition on searches, and the choice for them."""

    searches: str
    applies: Callable[[Case], bool]
    encoding: str
    break_symmetry: bool
    solver: str
    hunts: bool
    """Whether a solution is likely, so that restrictions are worth their time."""
    divides: bool = True
    """Whether several jobs divide a refutation; where they did, it cost twice the work."""
    first: str = ""
    """A solver that tries the same formula first, for :func:`count_first` conflicts."""


LARGE: Final = 16_000
"""Free cells of all generations; their formula has about a million clauses."""


TABLE: Final[tuple[Row, ...]] = (
    Row("formulas of more than a million clauses, where kissat's program is installed",
        lambda case: case.cells > LARGE and case.programs,
        "columns", False, "kissat-binary", True),
    Row("oscillators with at most 40 free cells",
        lambda case: case.period > 1 and not case.moves and case.free_cells <= 40,
        "columns", True, "glucose", False),
    Row("larger oscillators",
        lambda case: case.period > 1 and not case.moves,
        "columns", False, "cadical195", True, first="glucose"),
    Row("ships with at most 120 free cells, 60 with a symmetry",
        lambda case: case.moves and case.free_cells <= (60 if case.symmetric else 120),
        "columns", True, "glucose", False),
    Row("other ships",
        lambda case: case.moves,
        "columns", False, "cadical", True, first="glucose"),
    Row("still lifes with a bound",
        lambda case: case.period == 1 and case.bounded,
        "columns", True, "cadical", False, divides=False),
    Row("ancestors with fewer than 1,000 cells",
        lambda case: case.period == 0 and case.cells < 1000,
        "columns", False, "cadical195", False, first="glucose"),
    Row("other ancestors",
        lambda case: case.period == 0,
        "columns", False, "cadical", True, first="glucose"),
    Row("all others",
        lambda _: True,
        "columns", False, "cadical", True, first="glucose"),
)  # fmt: skip
"""The first row that applies decides."""


PORTFOLIO: Final[tuple[tuple[str, bool, str], ...]] = (
    # encoding, symmetry breaking, solver
    ("direct", False, "kissat-sat"),
    ("columns", True, "kissat-unsat"),
    ("columns", False, "cadical"),
    ("knuth", True, "glucose"),
    ("direct", False, "cadical"),
)
"""Competitors of the single-job choice in a race; further jobs repeat them with other seeds."""

HEAD_START: Final = 0.5
"""Seconds during which the single-job choice runs alone; most searches are done by then."""
FENCE: Final = 15_000
"""Conflicts before a search that is likely to be refuted is split; less than a second."""


SHORT: Final = 20_000
"""Conflicts of the first try by another solver, at most: what it finds, it mostly finds at once."""
SHORT_WORK: Final = 1_500_000_000
"""The same, times the literals of the formula: a conflict in a large one takes longer."""
SMALL: Final = 100_000
"""Literals of a formula that is tried in this process first."""
QUICK: Final = 3_500
"""Conflicts of that try, which take about as long as starting a child."""


def choose(spacetime: SpaceTime, how: Options, *, once: bool = True) -> Choice:
    """Fill in the open options; unless ``once``, choose an incremental solver."""
    row = _row(spacetime, once=once and how.conflicts is None)
    return Choice(
        _encoding(spacetime, how.encoding or row.encoding, how),
        row.break_symmetry if how.break_symmetry is None else how.break_symmetry,
        how.solver or row.solver,
        how.seed,
    )


def choose_first(spacetime: SpaceTime, how: Options) -> Options | None:
    """Return the options of the first try; None where the table has none, or one is given."""
    if how.solver is not None or how.conflicts is not None or how.save is not None:
        return None
    first = _row(spacetime).first
    return dataclasses.replace(how, solver=first) if first else None


def count_first(formula: Formula) -> int:
    """Return the conflicts of the first try."""
    literals = sum(block.literals.size for block in formula.blocks)
    return min(SHORT, SHORT_WORK // max(1, literals))


def choose_several(spacetime: SpaceTime, how: Options) -> tuple[Choice, ...]:
    """Return the single-job choice and its competitors in a race, one for each job."""
    alone = choose(spacetime, how)
    others = [
        Choice(
            _encoding(spacetime, how.encoding or encoding, how),
            broken if how.break_symmetry is None else how.break_symmetry,
            how.solver or _available(solver),
        )
        for encoding, broken, solver in PORTFOLIO
    ]
    choices: dict[Choice, None] = {}
    for seed in range(how.jobs):
        for each in (alone, *others):
            if seed == 0 or takes_seed(each.solver):
                choices.setdefault(replace(each, seed=(how.seed or 0) + seed if seed else how.seed))
    return tuple(choices)[: how.jobs]


def takes_seed(solver: str | Solver) -> bool:
    """Return whether the solver takes a seed."""
    return (find_solver(solver) if isinstance(solver, str) else solver).abilities.seed


def wants_restrictions(spacetime: SpaceTime, how: Options) -> bool:
    """Whether to try restrictions too: as the option says, else in hunts without a seed."""
    if how.restrictions is None:
        return how.seed is None and how.conflicts is None and _row(spacetime).hunts
    return how.restrictions


def is_hunt(spacetime: SpaceTime) -> bool:
    """Whether a solution is likely; otherwise a refutation is."""
    return _row(spacetime).hunts


def is_best_alone(spacetime: SpaceTime) -> bool:
    """Whether one solver refutes it with less work than several that divide it, or race."""
    return not _row(spacetime).divides


def _row(spacetime: SpaceTime, *, once: bool = True) -> Row:
    case = look_at(spacetime)
    if once and case.cells > LARGE:  # only then is it worth looking for programs
        case = replace(case, programs=find_solver("kissat-binary").available)
    return next(row for row in TABLE if row.applies(case))


def look_at(spacetime: SpaceTime) -> Case:
    """Return the features of a search that the table depends on."""
    problem = spacetime.problem
    first = spacetime.generation(0)
    motion = problem.motion
    return Case(
        free_cells=len(set(np.abs(first[np.abs(first) != TRUE]).tolist())),
        cells=spacetime.variables,
        period=motion.period if motion else 0,
        moves=motion is not None and (motion.dx, motion.dy) != (0, 0),
        symmetric=problem.symmetry != "C1",
        bounded=any(isinstance(constraint, Bound) for constraint in problem.constraints),
    )


def _encoding(spacetime: SpaceTime, name: str, how: Options) -> str:
    if spacetime.space is not None:
        if how.encoding is not None:
            raise UsageError(
                f"{spacetime.space} is a set of rules, which has an encoding of its own; "
                "leave encoding out"
            )
        return OPEN_ENCODING
    supported = [each.name for each in ENCODINGS if each.supports(spacetime.rule)]
    return name if how.encoding or name in supported else supported[0]


def _available(solver: str) -> str:
    found = find_solver(solver)
    return solver if found.available else found.stand_in


REFUTED: Final = "refuted by the solver"
"""Why there is no solution."""

Also = Callable[[SpaceTime, FormulaBuilder], None]
"""Adds clauses beyond those of the problem."""


class Attempt:
    """A problem's formula in an open solver."""

    def __init__(self, built: BuiltFormula, opened: OpenSolver, run: Run) -> None:
        self.built, self.opened, self.run = built, opened, run
        self.spacetime = built.spacetime
        self._before = opened.statistics().conflicts or 0
        """Conflicts of earlier searches with the same solver."""

    def solve(self, assumptions: Sequence[int] = ()) -> History | None:
        """Return a solution, None if there is none; raise :class:`GaveUp` if it is undecided."""
        self.run.check()
        limits = self.run.limits
        if limits.conflicts is not None:  # a limit of the whole search, as the time is
            limits = replace(limits, conflicts=max(0, limits.conflicts - (self._conflicts or 0)))
        return self._read(self.opened.solve(assumptions, limits))

    def solve_within(self, conflicts: int) -> tuple[bool, History | None]:
        """Search on for some conflicts; return whether that decides it, and a solution, if any."""
        self.run.check()
        answer = self.opened.solve((), replace(self.run.limits, conflicts=conflicts))
        if answer == NoAnswer(Reason.CONFLICT_LIMIT):
            return False, None
        return True, self._read(answer)

    def _read(self, answer: Answer) -> History | None:
        """Return the solution in an answer; raise :class:`GaveUp` if it is undecided."""
        self.run.details["conflicts"] = self._conflicts
        match answer:
            case Satisfied(model):
                self.run.keep_evidence = lambda folder: keep_formula(self.built, model, folder)
                return decode(self.spacetime, model)
            case Refuted():
                return None
        raise GaveUp("stopped" if self.run.stopped.is_set() else str(answer))

    @property
    def _conflicts(self) -> int | None:
        """Conflicts of this search so far; None if the solver does not count them."""
        count = self.opened.statistics().conflicts
        return None if count is None else count - self._before

    def core(self) -> tuple[int, ...]:
        """Return the failed assumptions of the last refutation."""
        return self.opened.core()

    def add(self, clauses: IntArray) -> None:
        """Add clauses permanently."""
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
    built: BuiltFormula | None = None,
) -> Iterator[Attempt]:
    """Choose, build and open; with ``again``, the solver is incremental.

    ``built`` is the formula where it has been built already, by the same choice.
    """
    # An external solver is neither incremental nor can it be wrapped.
    chosen = choose(spacetime, options or run.options, once=not again and wrap is None)
    solver = as_solver(chosen.solver)
    solver = wrap(solver) if wrap else solver
    if again and not (solver.abilities.incremental and solver.abilities.assumptions):
        raise UsageError(f"{solver.name} starts anew for every solution; use cadical")
    if built is None:
        broken = chosen.break_symmetry and may_break
        built = build(spacetime, chosen.encoding, break_symmetry=broken, also=also)
    tell_built(run, built, chosen)
    run.check()
    if wrap is None:
        solver = make_quick(chosen.solver, built.formula)
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


def make_quick(given: str | Solver, formula: Formula) -> Solver:
    """Return a solver that tries a small formula in this process before it starts a child.

    A solver that the caller has made is used as it is.

    A child takes 110 ms of processor time to start, many searches take less than 10; and so few
    conflicts in so small a formula need neither a limit on memory nor an interrupt.
    """
    solver = as_solver(given)
    size = sum(block.literals.size for block in formula.blocks)
    if not isinstance(solver, PysatSolver) or solver is given or size > SMALL:
        return solver
    able = solver.abilities.incremental and solver.abilities.conflict_limit
    return dataclasses.replace(solver, quick=QUICK) if able else solver


def as_solver(solver: str | Solver) -> Solver:
    """Return the solver of a name; a solver is returned as it is."""
    return find_solver(solver) if isinstance(solver, str) else solver


def built_details(built: BuiltFormula, choice: Choice) -> dict[str, object]:
    """Return the details of a formula for its provenance."""
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
    """Emit a ``Built`` event for a formula."""
    run.built("sat", **(built_details(built, choice) | {"build_seconds": round(run.seconds, 6)}))


def tell_progress(run: Run, racer: str, news: Progress) -> None:
    """Emit the progress of a solver."""
    run.progress(racer, **name_progress(news))


def name_progress(news: Progress) -> dict[str, object]:
    """Return the progress of a solver as named values; those that are unknown are 0 or None."""
    return {
        "conflicts": news.conflicts,
        "processor_seconds": news.processor_seconds,
        "memory_bytes": news.memory_bytes,
    }


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
    """Save a formula and its model for debugging."""
    from satlife.sat.files import write_formula  # noqa: PLC0415 - hardly ever

    write_formula(built.formula, folder / "formula.cnf.gz")
    np.save(folder / "model.npy", model.truth)
