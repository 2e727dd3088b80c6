"""How to search, as opposed to what for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from satlife.sat import FormulaBuilder, Limits, ProgressCallback
from satlife.sat.solver import Solver
from satlife.search.build import Built
from satlife.search.spacetime import SpaceTime


@dataclass(frozen=True, kw_only=True)
class How:
    """How to search; none of it changes what is asked.  None leaves the choice to ``auto``."""

    solver: str | Solver | None = None
    encoding: str | None = None
    break_symmetry: bool | None = None
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    jobs: int = 1
    progress: ProgressCallback | None = None
    on_built: Callable[[Built], None] | None = None
    """Called when the formula is ready, before the solver starts."""
    also: Callable[[SpaceTime, FormulaBuilder], None] | None = None
    """Adds clauses that are known from elsewhere to lose nothing."""
