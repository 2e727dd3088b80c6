"""Formulas and solvers; knows nothing of Life.

>>> from satlife.sat import Formula, solve
>>> answer = solve(Formula.from_clauses([(1, 2), (-1,)]))
>>> print(answer, answer.model.literals())
satisfied [-1  2]
"""

from __future__ import annotations

from collections.abc import Iterable

from satlife.sat.answer import Answer, Model, Reason, Refuted, Satisfied, Undecided
from satlife.sat.builder import FormulaBuilder
from satlife.sat.files import (
    FORMATS,
    Format,
    detect_format,
    dumps,
    find_format,
    loads,
    read_formula,
    write_formula,
)
from satlife.sat.formula import Block, Formula
from satlife.sat.portfolio import Outcome, RaceEntry, RaceProgress, RaceResult, race
from satlife.sat.solver import (
    Abilities,
    Limits,
    Models,
    OpenSolver,
    Progress,
    ProgressCallback,
    Solver,
    Statistics,
)
from satlife.sat.solvers import (
    SOLVERS,
    CommandSolver,
    ScriptedSolver,
    command_solver,
    find_solver,
)


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


__all__ = [
    "FORMATS",
    "SOLVERS",
    "Abilities",
    "Answer",
    "Block",
    "CommandSolver",
    "Format",
    "Formula",
    "FormulaBuilder",
    "Limits",
    "Model",
    "Models",
    "OpenSolver",
    "Outcome",
    "Progress",
    "ProgressCallback",
    "RaceEntry",
    "RaceProgress",
    "RaceResult",
    "Reason",
    "Refuted",
    "Satisfied",
    "ScriptedSolver",
    "Solver",
    "Statistics",
    "Undecided",
    "command_solver",
    "detect_format",
    "dumps",
    "find_format",
    "find_solver",
    "loads",
    "race",
    "read_formula",
    "solve",
    "write_formula",
]
