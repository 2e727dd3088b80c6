"""Solve one task in this process; :mod:`satlife.campaign.local.pool` watches over it.

>>> from satlife.search import still_life
>>> result = solve_task(Task(problem=still_life(box="2x2")), "me", None)
>>> result.generations
(('oo', 'oo'),)
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from satlife.campaign.cases import MOST_DECISIONS, give_cells
from satlife.campaign.local.maps import solve_map
from satlife.campaign.local.rows import solve_rows
from satlife.campaign.messages import (
    LONGEST_WORDS,
    AnyResult,
    Cells,
    FoundResult,
    ImpossibleResult,
    SplitResult,
    Task,
    UndecidedResult,
)
from satlife.sat import Limits
from satlife.sat.files.paths import hash_file
from satlife.sat.solver import Solver
from satlife.sat.solvers.inline import InlineSolver
from satlife.sat.solvers.pysat import PysatSolver
from satlife.search.engine import Options, find, start
from satlife.search.engine.casework import LEVELS, Casework
from satlife.search.engine.sat import SatEngine
from satlife.search.problem import Problem
from satlife.search.problem.drawing import draw
from satlife.search.problem.open_rule import is_open
from satlife.search.problem.outcome import Found, Impossible, Listed, Outcome, Undecided


def solve_task(task: Task, worker: str, proof: Path | None) -> AnyResult:
    """Solve a task within its budget, in the way that it needs."""
    if task.problem.has_open_height:
        return solve_rows(task, worker)
    if task.every:
        answer = solve_map(task, worker)
        if answer is not None:
            return answer
        task = replace(task, split=task.split and not is_open(task.problem))
    return solve_by_sat(task, worker, proof)


def solve_by_sat(task: Task, worker: str, proof: Path | None) -> AnyResult:
    """Solve a task within its budget; write the proof of an impossibility to ``proof`` if asked.

    The quick search comes first: its formula is small, and it starts no process.  A proof is about
    the audit formula, so it needs a second run; if that exceeds the budget, the impossibility is
    reported without a proof, as a claim.  A task that may be split is split instead, then and when
    the search itself exceeds the budget.
    """
    begun = time.monotonic()
    limits = Limits(seconds=task.budget.seconds, memory_bytes=task.budget.memory_bytes)
    outcome = search_inline(task, limits)
    reason, proof_hash = "", None
    if isinstance(outcome, Impossible):
        reason = outcome.reason
        if task.prove and proof is not None:
            outcome, reason, proof_hash = _prove(task, proof, limits.since(begun), outcome)
    said: dict[str, Any] = {
        "task": task.name,
        "worker": worker,
        "round": task.round,
        "seconds": round(time.monotonic() - begun, 6),
        "solver": _solver_name(outcome),
    }
    match outcome:
        case Found(finding):
            return FoundResult(generations=draw(finding), **said)
        case Impossible() if not (task.prove and task.split and proof_hash is None):
            return ImpossibleResult(
                reason=reason[:LONGEST_WORDS],
                proof_hash=proof_hash,
                **said,
            )
    words = reason or outcome.reason
    if task.split:
        cases = split_task(task)
        said["seconds"] = round(time.monotonic() - begun, 6)
        if cases:
            return SplitResult(cases=cases, **said)
        if cases is None:
            return ImpossibleResult(reason="refuted by look-ahead", **said)
        words += "; it cannot be split further"
    return UndecidedResult(reason=words[:LONGEST_WORDS], budget=task.budget, **said)


def split_task(task: Task, levels: int = LEVELS) -> tuple[Cells, ...] | None:
    """Return the cases of a task: () if it cannot be split, None if look-ahead refutes it."""
    room = min(levels, MOST_DECISIONS - len(task.cells))
    return _work_on(task.problem).split(task.cells, room) if room > 0 else ()


def search_inline(task: Task, limits: Limits) -> Outcome:
    """Search as :func:`satlife.find` does, with the solver in this process."""
    # The pool watches the memory.
    problem, timeout = task.problem, limits.seconds
    if task.selection.is_everything:
        may_divide = task.split or task.cells
        engine = _work_on(problem).engine(task.cells) if may_divide else _INLINE
        return find(problem, engine=engine, timeout=timeout)
    problem = give_cells(problem, task.cells)
    wanted = task.selection.wanted(problem)
    with start(problem, engine=_INLINE, wanted=wanted, limit=1, timeout=timeout) as search:
        found = next((event for event in search if isinstance(event, Found)), None)
        listed = search.result()
    if found is not None:
        return found
    if not isinstance(listed, Listed):
        raise AssertionError("a listing ends as one")
    left_out = ", ".join(f"{number} {why}" for why, number in listed.skipped.items())
    reason = f"{listed.reason}; left out: {left_out}" if left_out else listed.reason
    answer = Impossible if listed.complete else Undecided
    return answer(problem, reason, listed.provenance)


def _as_inline(solver: Solver) -> Solver:
    return InlineSolver(solver) if isinstance(solver, PysatSolver) else solver


_INLINE = SatEngine(wrap=_as_inline)
_work: list[Casework] = []
"""The problem that was last solved by cases: the next task is often another case of it."""


def _work_on(problem: Problem) -> Casework:
    if not _work or _work[0].problem != problem:
        for last in _work:
            last.close()
        _work[:] = [Casework(problem, wrap=_as_inline)]
    return _work[0]


def _prove(
    task: Task, proof: Path, limits: Limits, quick: Impossible
) -> tuple[Outcome, str, str | None]:
    """Refute again, with a proof; return the outcome, its reason and the hash of the proof."""
    from satlife.search.certificates.refute import refute  # noqa: PLC0415 - few campaigns prove

    options = Options(timeout=limits.seconds, memory=limits.memory_bytes)
    outcome = refute(task.problem, proof, options, task.budget.proof_bytes, task.cells)
    match outcome:
        case Impossible():
            return outcome, outcome.reason, hash_file(proof)
        case Undecided():
            proof.unlink(missing_ok=True)
            return quick, f"{quick.reason}; no proof: {outcome.reason}", None
    return outcome, "", None


def _solver_name(outcome: Outcome) -> str:
    provenance = outcome.finding.provenance if isinstance(outcome, Found) else outcome.provenance
    return "" if provenance is None else str(provenance.details.get("solver", provenance.engine))
