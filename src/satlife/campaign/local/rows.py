"""Solve a task whose box has an open height, by rows; a task that takes too long is shared out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from satlife.campaign.messages import (
    LONGEST_WORDS,
    AnyResult,
    FoundResult,
    ImpossibleResult,
    SplitResult,
    Task,
    UndecidedResult,
)
from satlife.campaign.parts.rows import share_out
from satlife.sat.solvers.confined import run_confined
from satlife.search.engine import find
from satlife.search.engine.rows import RowEngine
from satlife.search.problem.drawing import draw
from satlife.search.problem.outcome import Found, Impossible

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt


def solve_rows(task: Task, worker: str) -> AnyResult:
    """Search by rows within the task's budget.

    A search that runs dry is exhausted: that there is nothing is the engine's word, not a proof.
    """
    _compile()
    begun = time.monotonic()
    hunts: list[Hunt] = []
    engine = RowEngine(
        shares=[msgspec.structs.astuple(share) for share in task.shares], on_begin=hunts.append
    )
    # The pool watches the memory.
    outcome = find(task.problem, engine=engine, timeout=task.budget.seconds)
    said: dict[str, Any] = {
        "task": task.name,
        "worker": worker,
        "round": task.round,
        "seconds": round(time.monotonic() - begun, 6),
        "solver": engine.name,
    }
    match outcome:
        case Found(finding):
            return FoundResult(generations=draw(finding), **said)
        case Impossible(reason=reason):
            return ImpossibleResult(reason=f"exhausted: {reason}"[:LONGEST_WORDS], **said)
    if task.split and hunts:
        cases = share_out(hunts[0].widths, hunts[0].counts.states, task.shares)
        if cases:
            return SplitResult(cases=cases, **said)
    del said["solver"]
    reason = outcome.reason[:LONGEST_WORDS]
    return UndecidedResult(reason=reason, budget=task.budget, **said)


def _compile() -> None:
    """Compile once for this machine, in a process of its own; that is not the task's time."""
    from satlife.rows import is_available  # noqa: PLC0415 - the engine says what is missing

    if is_available():
        from satlife.rows.compiling import is_compiled  # noqa: PLC0415 - needs numba

        if not is_compiled():
            run_confined("satlife.rows.compiling:compile_all")
