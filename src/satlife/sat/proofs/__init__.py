r"""Proofs of unsatisfiability: written by solvers, checked here and by external checkers.

:func:`solve_with_proof` makes a solver write a proof.  :func:`check_lrat` and, for small proofs,
:func:`check_drat` check it with this package alone; :func:`check_with` runs ``drat-trim``,
``lrat-check`` or ``cake_lpr``; :func:`check_proof` runs all that are installed.  Every checker
returns a :class:`Verdict`.

>>> from satlife.sat.formula import Formula
>>> formula = Formula.from_clauses([(1, 2), (-1, 2), (1, -2), (-1, -2)])
>>> import pathlib, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     proof = pathlib.Path(folder, "proof.lrat")
...     _ = proof.write_text("5 2 0 1 2 0\n6 0 5 3 4 0\n")
...     print(check_lrat(formula, proof))
valid
"""

from __future__ import annotations

from satlife.sat.proofs.checkers import (
    CAKE_LPR,
    DRAT_TRIM,
    LRAT_CHECK,
    SLOW_WITHOUT,
    TOOLS,
    Tool,
    ask_others,
    check_proof,
    check_with,
    find_tool,
    sniff_format,
    sum_up,
)
from satlife.sat.proofs.drat import ProofStep, check_drat, elaborate, read_drat
from satlife.sat.proofs.lrat import check_lrat
from satlife.sat.proofs.prover import proof_format, solve_with_proof
from satlife.sat.proofs.rup import check_in_time
from satlife.sat.proofs.trim import trim_lrat
from satlife.sat.proofs.verdict import Verdict

__all__ = [
    "CAKE_LPR",
    "DRAT_TRIM",
    "LRAT_CHECK",
    "SLOW_WITHOUT",
    "TOOLS",
    "ProofStep",
    "Tool",
    "Verdict",
    "ask_others",
    "check_drat",
    "check_in_time",
    "check_lrat",
    "check_proof",
    "check_with",
    "elaborate",
    "find_tool",
    "proof_format",
    "read_drat",
    "sniff_format",
    "solve_with_proof",
    "sum_up",
    "trim_lrat",
]
