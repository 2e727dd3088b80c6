"""The program cadical; PySAT's CaDiCaL is in ``pysat.py``."""

from __future__ import annotations

from satlife.sat.solvers.command import CommandSolver
from satlife.sat.solvers.dialect import Dialect, ProofOption

CADICAL = CommandSolver(
    "cadical-binary",
    "the program cadical",
    ("cadical",),
    Dialect(
        conflicts=("-c", "{}"),
        seed=("--seed={}",),
        conflicts_word=8,
        proof=ProofOption("lrat", ("--lrat", "--no-binary", "{}"), since=2),
    ),
    how_to_get="put cadical on the PATH (https://github.com/arminbiere/cadical)",
    stand_in="cadical",
)
