"""Choosing encoding, symmetry breaking and solver where nobody has chosen: one table.

It follows the benchmark (docs/benchmarks.md).  Whether a search is a hunt (something is likely to
be found) or a refutation is guessed from the number of cells that are free in generation 0: small
boxes are mostly empty of what one looks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from satlife.sat import CommandSolver, find_solver
from satlife.sat.solver import Solver
from satlife.search.encodings import ENCODINGS
from satlife.search.spacetime import SpaceTime
from satlife.search.transitions import TRUE

if TYPE_CHECKING:
    from satlife.search.find import How


@dataclass(frozen=True)
class Plan:
    """What to do."""

    encoding: str
    break_symmetry: bool
    solver: str | Solver
    seed: int | None = None

    @property
    def label(self) -> str:
        """The plan in a few words."""
        name = self.solver if isinstance(self.solver, str) else self.solver.name
        broken = ", symmetry broken" if self.break_symmetry else ""
        seed = f", seed {self.seed}" if self.seed is not None else ""
        return f"{name} on {self.encoding}{broken}{seed}"


@dataclass(frozen=True)
class Row:
    """One row of the table: up to so many free cells in generation 0."""

    free_cells: float
    encoding: str
    break_symmetry: bool
    solver: str
    why: str


TABLE: Final[tuple[Row, ...]] = (
    Row(40, "columns", True, "cadical", "small: refutations, 2 to 18 times faster when broken"),
    Row(float("inf"), "columns", False, "cadical", "large: hunts, which breaking slows down"),
)


PORTFOLIO: Final[tuple[tuple[str, bool | None, str], ...]] = (
    # encoding, symmetry breaking (None: what the table says), solver
    ("columns", None, "cadical"),
    ("direct", False, "kissat-sat"),
    ("columns", True, "kissat-unsat"),
    ("columns", False, "cadical"),
    ("knuth", True, "glucose"),
    ("direct", False, "cadical"),
)
"""Who runs in a race of several jobs, the first so many of them; after that, other seeds."""

STAND_INS: Final[dict[str, str]] = {"kissat-sat": "kissat", "kissat-unsat": "kissat"}
"""Solvers that are always there, for programs that may be missing."""


def choose(spacetime: SpaceTime, how: How) -> Plan:
    """Fill in what was left open."""
    row = _row(spacetime)
    return Plan(
        _encoding(spacetime, how.encoding or row.encoding, how),
        row.break_symmetry if how.break_symmetry is None else how.break_symmetry,
        how.solver or row.solver,
        how.seed,
    )


def choose_several(spacetime: SpaceTime, how: How) -> tuple[Plan, ...]:
    """Fill in what was left open, in as many ways as there are jobs; all plans are different."""
    row = _row(spacetime)
    plans: dict[Plan, None] = {}
    for seed in range(how.jobs):
        for encoding, wanted, solver in PORTFOLIO:
            broken = row.break_symmetry if wanted is None else wanted
            plan = Plan(
                _encoding(spacetime, how.encoding or encoding, how),
                broken if how.break_symmetry is None else how.break_symmetry,
                how.solver or _available(solver),
                (how.seed or 0) + seed if seed else how.seed,
            )
            if seed == 0 or takes_seed(plan.solver):
                plans.setdefault(plan)
    return tuple(plans)[: how.jobs]


def takes_seed(solver: str | Solver) -> bool:
    """Tell whether another seed makes another run."""
    return (find_solver(solver) if isinstance(solver, str) else solver).abilities.seed


def _row(spacetime: SpaceTime) -> Row:
    first = spacetime.generation(0)
    free = np.unique(np.abs(first[np.abs(first) != TRUE])).size
    return next(row for row in TABLE if free <= row.free_cells)


def _encoding(spacetime: SpaceTime, name: str, how: How) -> str:
    supported = [each.name for each in ENCODINGS if each.supports(spacetime.rule)]
    return name if how.encoding or name in supported else supported[0]


def _available(solver: str) -> str:
    found = find_solver(solver)
    missing = isinstance(found, CommandSolver) and not found.available
    return STAND_INS[solver] if missing else solver
