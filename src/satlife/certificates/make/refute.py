"""Refuting a problem with a proof, and checking such a proof: both on the audit formula.

A box of any height has no formula; its proof is a file of states, from a search by rows.

The formula asks for the least solution under all symmetries of the problem; a case of the problem
adds its given cells.  So the proofs of all cases of a tree refer to one formula.

>>> from satlife.kinds import still_life
>>> problem = still_life(box="2x2", population="<=3")
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     outcome = refute(problem, Path(folder, "proof"))
...     print(type(outcome).__name__, check_proof(problem, Path(folder, "proof")))
Impossible valid
"""

from __future__ import annotations

import sys
import threading
import time
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from satlife.audit.rule_clauses import count_ages
from satlife.audit.symmetries import choose_maps
from satlife.audit.tree import Case
from satlife.certificates.check.states import judge_runs
from satlife.certificates.claims import NoneExists, estimate_clauses
from satlife.certificates.obligations import Obligation, obligations, split_off
from satlife.engine.engine import Options
from satlife.errors import UsageError
from satlife.life.rulespaces import read_rules
from satlife.problem import Cells, Problem
from satlife.problem.outcome import Finding, Found, Impossible, Outcome, Provenance, Undecided
from satlife.sat import Limits, Model, Refuted, Satisfied, find_solver
from satlife.sat import proofs as sat_proofs
from satlife.sat.formula import Formula
from satlife.sat.proofs import Verdict, solve_with_proof
from satlife.sat.solver import Solver
from satlife.sat.solvers.confined import run_confined
from satlife.verifier.verify import verify

ENCODING = "audit"

PROVER = "cadical195"
"""The solver that writes proofs.  Over the refuted tasks of the benchmark, solving with a proof
took 2.1 times the processor time of the plain answer at the median with CaDiCaL 1.9.5, and 2.4 with
3.0.0.  Kissat is often as fast, but writes DRAT; making LRAT of that takes longer than solving.
"""

SMALL = 1_000_000
"""Maximum bytes of a proof checked without a child process, which would take half a second."""
FEW = 200_000
"""Maximum clauses of a formula that is built without a child process."""


@lru_cache(maxsize=1)
def make_whole(problem: Problem) -> Obligation:
    """Return the obligation for "no solution": to refute that there is a least one."""
    (whole,) = obligations(problem, NoneExists(), choose=lambda each: choose_maps(each.said))
    return whole


def make_formula(problem: Problem, cells: Cells = ()) -> Formula:
    """Return the formula of a problem, or of one of its cases; the last formula is cached."""
    whole = make_whole(problem)
    return split_off(whole, make_case(whole, cells), "case").formula if cells else whole.formula


def make_case(whole: Obligation, cells: Cells) -> Case:
    """Return the literals of cells."""
    variable = whole.whole.variable
    return tuple(variable(f"x{x}y{y}t0") * (1 if alive else -1) for x, y, alive in cells)


def refute(
    problem: Problem,
    proof: Path,
    options: Options | None = None,
    most_bytes: int | None = None,
    cells: Cells = (),
) -> Outcome:
    """Solve the audit formula; if it is refuted, leave the proof in the file."""
    options = (options or Options()).starting_now()
    begun = time.monotonic()
    formula = make_formula(problem, cells)
    solver = choose_prover(options)
    answer = solve_with_proof(formula, solver, proof, options.limits(), most_bytes)
    provenance = prover_provenance(solver, time.monotonic() - begun, formula)
    match answer:
        case Satisfied(model):
            return Found(check_audit(problem, formula, model, provenance))
        case Refuted():
            return Impossible(problem, "refuted, with a proof", provenance)
        case undecided:
            return Undecided(problem, str(undecided), provenance)


def check_proof(
    problem: Problem,
    proof: Path,
    seconds: float | None = None,
    memory_bytes: int | None = None,
    stop: threading.Event | None = None,
    cells: Cells = (),
) -> Verdict:
    """Check a proof that a problem, or a case, has no solution, against a rebuilt formula.

    That of a box of any height is a file of states, and holds for every case.

    The time limit covers everything, the memory limit the check and each external checker.  All but
    small proofs by SAT, which cannot cost much memory, are checked in a child process, which is
    killed when another thread sets ``stop``.
    """
    try:
        size = proof.stat().st_size
    except OSError as error:
        raise UsageError(f"the proof cannot be opened: {error}") from None
    begun = time.monotonic()
    if not problem.has_open_height and size <= SMALL and estimate_clauses(problem) <= FEW:
        return check_here(problem, proof, seconds, memory_bytes, begun, cells)
    checked = run_confined(
        f"{__name__}:check_here",
        problem,
        proof.absolute(),
        seconds,
        memory_bytes,
        begun,
        cells,
        limits=Limits(seconds=seconds, memory_bytes=memory_bytes),
        stop=stop,
    )
    return checked if isinstance(checked, Verdict) else Verdict(False, str(checked), decided=False)


def check_here(
    problem: Problem,
    proof: Path,
    seconds: float | None,
    memory_bytes: int | None,
    begun: float,
    cells: Cells = (),
) -> Verdict:
    """Check a proof in this process; the time counts from ``begun``."""
    if problem.has_open_height:
        with proof.open("rb") as file:  # of any size: time is limited, and memory does not grow
            wrong = judge_runs(file, problem, sys.maxsize)
        return Verdict(not wrong, "; ".join(wrong), seconds=time.monotonic() - begun)
    formula = make_formula(problem, cells)
    left = None if seconds is None else max(0.0, begun + seconds - time.monotonic())
    return sat_proofs.check_proof(formula, proof, seconds=left, memory_bytes=memory_bytes)[0]


def prover_provenance(
    solver: Solver, seconds: float, *formulas: Formula, breaks_symmetry: bool = False
) -> Provenance:
    """Return how a refutation of audit formulas was obtained."""
    details = {
        "solver": solver.name,
        "encoding": ENCODING,
        "breaks_symmetry": breaks_symmetry,
        "variables": max((formula.variables for formula in formulas), default=0),
        "clauses": max((formula.clauses for formula in formulas), default=0),
    }
    return Provenance("sat", seconds, details)


def choose_prover(options: Options) -> Solver:
    """Return the solver that writes the proof: :data:`PROVER`, unless the options name another."""
    chosen = options.solver or PROVER
    solver = find_solver(chosen) if isinstance(chosen, str) else chosen
    sat_proofs.proof_format(solver)
    if options.encoding:
        raise UsageError("a proof is of the plain formula: it cannot be combined with --encoding")
    if options.save is not None:
        raise UsageError("--save keeps a search without a proof: it cannot be combined with one")
    return solver


def check_audit(
    problem: Problem, formula: Formula, model: Model, provenance: Provenance
) -> Finding:
    """Decode and verify a model of the audit formula."""
    history = decode_audit(problem, formula, model)
    verify(problem, history)
    return Finding(problem, history, provenance)


def decode_audit(
    problem: Problem, formula: Formula, model: Model
) -> tuple[npt.NDArray[np.uint8], ...]:
    """Return the states of each generation's box in a model of the audit formula."""

    def live(t: int) -> npt.NDArray[np.uint8]:
        box = problem.all_boxes[max(t, 0)]
        rows = [
            [model.truth[formula.variable(f"x{x}y{y}t{t}")] for x in range(box.x, box.right)]
            for y in range(box.y, box.bottom)
        ]
        return np.array(rows, np.uint8)

    history = [live(t) for t in range(problem.generations)]
    if problem.motion is None:  # generation 0 has the states of dying cells too
        for age in range(1, count_ages(read_rules(problem.rule)) + 1):
            history[0] += np.uint8(age + 1) * live(-age)
    return tuple(history)
