"""The program kissat, as it is and tuned; PySAT's Kissat is in ``pysat.py``.

https://github.com/arminbiere/kissat; the extra ``kissat`` installs it on Linux and macOS.
"""

from __future__ import annotations

from satlife.sat.solvers.command import CommandSolver
from satlife.sat.solvers.dialect import Dialect, ProofOption

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
        how_to_get="pip install 'satlife[kissat]', or put kissat on the PATH (not on Windows)",
        wheel="sage_wheels",
        stand_in="kissat",
    )


KISSAT = _kissat("kissat-binary", "the program kissat")
KISSAT_SAT = _kissat("kissat-sat", "the program kissat, tuned to find models", "--sat")
KISSAT_UNSAT = _kissat("kissat-unsat", "the program kissat, tuned to refute", "--unsat")
