"""The program cryptominisat5."""

from __future__ import annotations

from satlife.sat.solvers.command import CommandSolver
from satlife.sat.solvers.dialect import Dialect

CRYPTOMINISAT = CommandSolver(
    "cryptominisat5",
    "the program cryptominisat5",
    ("cryptominisat5",),
    Dialect(conflicts=("--maxconfl", "{}"), seed=("--random", "{}")),
    how_to_get="put cryptominisat5 on the PATH (https://github.com/msoos/cryptominisat)",
)
