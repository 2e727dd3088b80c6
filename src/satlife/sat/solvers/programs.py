"""Solvers that are external programs: CaDiCaL, CryptoMiniSat, and Kissat, plain and tuned."""

from __future__ import annotations

from satlife.sat.solvers.command import CommandSolver, Dialect, ProofOption

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
    hint="put cadical on the PATH (https://github.com/arminbiere/cadical)",
    stand_in="cadical",
)


CRYPTOMINISAT = CommandSolver(
    "cryptominisat5",
    "the program cryptominisat5",
    ("cryptominisat5",),
    Dialect(conflicts=("--maxconfl", "{}"), seed=("--random", "{}")),
    hint="put cryptominisat5 on the PATH (https://github.com/msoos/cryptominisat)",
)


# https://github.com/arminbiere/kissat; the extra ``kissat`` installs it on Linux and macOS.


DIALECT = Dialect(
    conflicts=("--conflicts={}",),
    seed=("--seed={}",),
    conflicts_word=9,
    proof=ProofOption("drat", ("{}",)),
)


def _kissat(name: str, title: str, *options: str) -> CommandSolver:
    return CommandSolver(
        name,
        title,
        ("kissat", *options),
        DIALECT,
        hint="put kissat on the PATH (not on Windows)",
        extra="kissat",
        wheel="sage_wheels",
        stand_in="kissat",
    )


KISSAT = _kissat("kissat-binary", "the program kissat")
KISSAT_SAT = _kissat("kissat-sat", "the program kissat, tuned to find models", "--sat")
KISSAT_UNSAT = _kissat("kissat-unsat", "the program kissat, tuned to refute", "--unsat")
