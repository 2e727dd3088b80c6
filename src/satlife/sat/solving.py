"""Solving a formula once, with any solver."""

from __future__ import annotations

from collections.abc import Iterable

from satlife.sat.answer import Answer
from satlife.sat.formula import Formula
from satlife.sat.solver import Limits, ProgressCallback, Solver
from satlife.sat.solvers import find_solver


def solve(
    formula: Formula,
    solver: str | Solver = "cadical",
    *,
    limits: Limits | None = None,
    assumptions: Iterable[int] = (),
    seed: int | None = None,
    progress: ProgressCallback | None = None,
) -> Answer:
    """Solve a formula once.

    >>> print(solve(Formula.from_clauses([(1,), (-1,)])))
    refuted
    """
    chosen = find_solver(solver) if isinstance(solver, str) else solver
    with chosen.open(formula, limits=limits, seed=seed, progress=progress) as opened:
        return opened.solve(assumptions)
