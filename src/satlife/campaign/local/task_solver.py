"""Solve one task in this process; :mod:`satlife.campaign.local.pool` watches over it.

>>> from satlife import still_life
>>> result = solve_task(Task(problem=still_life(box="2x2")), "me", None)
>>> result.generations
(('oo', 'oo'),)
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from satlife.campaign.cases import (
    MOST_DECISIONS,
    MOST_REGIONS,
    USUAL_REST,
    find_rest,
    list_boxes,
    share_out,
)
from satlife.campaign.messages import (
    LARGEST_MESSAGE,
    LONGEST_WORDS,
    AnyResult,
    Case,
    FoundResult,
    ImpossibleResult,
    Region,
    SplitResult,
    Task,
    UndecidedResult,
)
from satlife.certificates.make.refute import check_proof, refute
from satlife.certificates.make.width_folder import UNPROBED, pack_states
from satlife.deadline import Deadline
from satlife.engine import Options, find, start
from satlife.engine.rows.closed_sets import refuse_width
from satlife.engine.rows.engine import RowEngine, compile_ahead
from satlife.engine.sat.cases import LEAVES, Casework, give_cells
from satlife.engine.sat.engine import CaseEngine, SatEngine
from satlife.kinds import oscillator
from satlife.problem import Problem
from satlife.problem.exact import place
from satlife.problem.outcome import (
    Drawing,
    Finding,
    Found,
    Impossible,
    Listed,
    Outcome,
    Undecided,
    draw,
    draw_states,
)
from satlife.rulemaps import Region as SettledRegion
from satlife.rulemaps import make_map
from satlife.rulemaps.maker import SOLVER
from satlife.sat import Limits
from satlife.sat.files.paths import hash_file
from satlife.sat.solver import Solver
from satlife.sat.solvers.pysat import InlineSolver, PysatSolver

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt


# The time of a task.
#
# Whether a task is split must not depend on what else its machine does: where many processes share
# a processor, easy cases would be split without end. So where a task may be split, its limit is
# processor time, and the clock is only a safety net.


PATIENCE: Final = 20.0
"""Time by the clock after which a task that may be split is given up, in time limits."""
_LEAST_LEFT: Final = 0.05
"""Part of the time limit that is not worth another attempt."""


def read_processor_clock() -> float:
    """Return the seconds of processor time of this process, and of children that have ended."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


class ProcessorTime:
    """The time that a task has left."""

    def __init__(self, task: Task) -> None:
        seconds = task.budget.seconds
        self._memory_bytes = task.budget.memory_bytes
        self.deadline = Deadline.after(
            seconds, read_processor_clock if task.split else time.monotonic
        )
        self._end = Deadline.after(None if seconds is None else PATIENCE * seconds)

    def spend(self, attempt: Callable[[Limits], Outcome]) -> Outcome:
        """Return the outcome of an attempt, repeated while only the clock has ended it.

        An attempt is limited by the clock.  The solver of a case keeps what it has learned, but a
        proof begins again; so the next attempt gets as much longer as this one was short of the
        processor.
        """
        slowness = 1.0
        while True:
            begun, spent = time.monotonic(), self.deadline.spent
            limit = None if self.deadline.left is None else self.deadline.left * slowness
            outcome = attempt(Limits(seconds=limit, memory_bytes=self._memory_bytes))
            passed = time.monotonic() - begun
            is_late = limit is not None and passed >= limit
            if not (isinstance(outcome, Undecided) and is_late and self._is_worthwhile):
                return outcome
            slowness = min(max(passed / max(self.deadline.spent - spent, 1e-3), 1.0), PATIENCE)

    @property
    def _is_worthwhile(self) -> bool:
        seconds, left = self.deadline.seconds, self.deadline.left
        has_time = seconds is None or left is None or left > _LEAST_LEFT * seconds
        return has_time and not self._end.is_over


# Solve a task that asks for every rule of a set: a map, or a region of one.
#
# A set whose rules do not all have the same answer is returned as regions: the settled ones with
# their answers, and the rest, split for others.


_MOST_BYTES: Final = LARGEST_MESSAGE * 3 // 4
"""Maximum bytes of the settled regions in one answer; the others are asked again."""


def solve_map(task: Task, worker: str) -> AnyResult | None:
    """Return the regions of a task's rules, or the one answer that all of them have.

    None means an ordinary search: for one rule, or for a proof that no rule has a solution.
    """
    problem = task.problem
    if not problem.has_open_rule:
        return None
    begun = time.monotonic()
    made = make_map(problem, timeout=task.budget.seconds)
    common: dict[str, Any] = {
        "task": task.name,
        "worker": worker,
        "round": task.round,
        "seconds": round(time.monotonic() - begun, 6),
        "solver": SOLVER,
    }
    # The last pattern of several may work in all rules.
    space = problem.parsed.space
    if whole := next((each for each in made.regions if each.rules == space), None):
        if whole.pattern is not None:
            return FoundResult(generations=draw_region(problem, whole), **common)
        return None if task.prove else ImpossibleResult(reason="refuted by the solver", **common)
    settled: list[Region] = []
    size = 0
    for region in made.regions[: MOST_REGIONS - USUAL_REST]:
        settled.append(write_region(problem, region))
        size += len(msgspec.json.encode(settled[-1]))
        if size > _MOST_BYTES:
            break
    rest = find_rest(problem, [region.rules for region in settled])
    return SplitResult(cases=(*settled, *rest), **common)


def write_region(problem: Problem, region: SettledRegion) -> Region:
    """Return a settled region as a case of a task."""
    if region.pattern is None:
        return Region(str(region.rules), is_impossible=True)
    return Region(str(region.rules), draw_region(problem, region))


def draw_region(problem: Problem, region: SettledRegion) -> tuple[Drawing, ...]:
    """Draw the generations of a region's pattern."""
    if region.pattern is None:
        return ()
    return tuple(
        draw_states(region.pattern[t].in_box(box)) for t, box in enumerate(problem.all_boxes)
    )


# Solve a task whose box has an open height, by rows; split it if it takes too long.


def solve_rows(task: Task, worker: str, proof: Path | None = None) -> AnyResult:
    """Search by rows within the task's budget; write the states of an exhausted search to a file.

    They are its proof, where the theorem of the check holds; elsewhere, the impossibility is
    claimed.  A task that needs a proof is not split, for the states of a share prove nothing.
    """
    hunts: list[Hunt] = []
    needs = proof if task.prove else None
    lacks = "a share of a search proves nothing" if task.shares else refuse_width(task.problem)
    engine = RowEngine(
        limit=None if needs is None or lacks else UNPROBED,
        shares=[msgspec.structs.astuple(share) for share in task.shares],
        on_begin=hunts.append,
    )
    if engine.refuses(task.problem) is None:
        compile_ahead(task.problem)  # outside the task's time
    begun = time.monotonic()
    deadline = ProcessorTime(task).deadline
    # The pool limits the memory.
    outcome = find(task.problem, engine=engine, timeout=deadline)
    proof_hash = None
    if needs is not None and isinstance(outcome, Impossible):
        lacks = lacks or _write_states(task, hunts[0], needs, deadline)
        proof_hash = None if lacks else hash_file(needs)
        reason = outcome.reason + (f"; no proof: {lacks}" if lacks else ", with all states")
        outcome = dataclasses.replace(outcome, reason=reason)
    common: dict[str, Any] = {
        "task": task.name,
        "worker": worker,
        "round": task.round,
        "seconds": round(time.monotonic() - begun, 6),
        "solver": engine.name,
    }
    match outcome:
        case Found(finding):
            return FoundResult(generations=draw(finding), **common)
        case Impossible(reason=reason):
            reason = f"{outcome.word}: {reason}"[:LONGEST_WORDS]
            return ImpossibleResult(reason=reason, proof_hash=proof_hash, **common)
    if task.split and hunts and not task.prove:
        cases = share_out(hunts[0].widths, hunts[0].counts.states, task.shares)
        if cases:
            return SplitResult(cases=cases, **common)
    del common["solver"]
    reason = outcome.reason[:LONGEST_WORDS]
    return UndecidedResult(reason=reason, budget=task.budget, **common)


def _write_states(task: Task, hunt: Hunt, proof: Path, deadline: Deadline) -> str:
    """Write the states of an exhausted search; return why they are not a proof, if they are not."""
    most = task.budget.proof_bytes

    def is_large() -> bool:
        return most is not None and proof.stat().st_size > most

    try:
        pack_states(proof, hunt, lambda: deadline.is_over or is_large())
    except MemoryError:
        lacks = "memory limit"
    else:
        lacks = "size limit" if is_large() else "time limit" if deadline.is_over else ""
    if not lacks and hunt.quotient.has_parts:  # where a ship of a part of the period is in the way
        lacks = check_proof(task.problem, proof, deadline.left).reason
    if lacks:
        proof.unlink(missing_ok=True)
    return lacks


def solve_task(task: Task, worker: str, proof: Path | None) -> AnyResult:
    """Solve a task within its budget, by the method that it needs."""
    if task.problem.has_open_height:
        return solve_rows(task, worker, proof)
    if task.every:
        answer = solve_map(task, worker)
        if answer is not None:
            return answer
        task = replace(task, split=task.split and not task.problem.has_open_rule)
    return solve_by_sat(task, worker, proof)


def solve_by_sat(task: Task, worker: str, proof: Path | None) -> AnyResult:
    """Solve a task within its budget; write the proof of an impossibility to ``proof`` if asked.

    The quick search comes first: its formula is small, and it starts no process.  A proof is about
    the audit formula, so it needs a second run; if that exceeds the budget, the impossibility is
    reported without a proof, as a claim.  A task that may be split is split instead, then and when
    the search itself exceeds the budget.  Then the time limit is one of processor time.
    """
    begun, allowance = time.monotonic(), ProcessorTime(task)
    outcome = allowance.spend(lambda limits: search_inline(task, limits))
    reason, proof_hash = "", None
    if isinstance(outcome, Impossible):
        reason = outcome.reason
        if task.prove and proof is not None:
            outcome, reason, proof_hash = _prove(task, proof, allowance, outcome)
    common: dict[str, Any] = {
        "task": task.name,
        "worker": worker,
        "round": task.round,
        "seconds": round(time.monotonic() - begun, 6),
        "solver": _solver_name(outcome),
    }
    match outcome:
        case Found(finding):
            return FoundResult(generations=_draw_whole(task, finding), **common)
        case Impossible() if not (task.prove and task.split and proof_hash is None):
            reason = reason[:LONGEST_WORDS]
            return ImpossibleResult(reason=reason, proof_hash=proof_hash, **common)
    reason = reason or outcome.reason
    if task.split:
        cases = split_task(task)
        common["seconds"] = round(time.monotonic() - begun, 6)
        if cases:
            return SplitResult(cases=cases, **common)
        if cases is None:
            return ImpossibleResult(reason="refuted by propagation", **common)
        reason += "; it cannot be split further"
    return UndecidedResult(reason=reason[:LONGEST_WORDS], budget=task.budget, **common)


def _draw_whole(task: Task, finding: Finding) -> tuple[Drawing, ...]:
    """Draw a solution in the box of the whole problem, wherever it was found."""
    if task.exact is None:
        return draw(finding)
    return tuple(map(draw_states, place(task.problem, finding.history)))


def split_task(task: Task, count: int = LEAVES) -> tuple[Case, ...] | None:
    """Return the cases of a task: () if it cannot be split, None if propagation refutes it.

    A whole box is split into exact boxes, and one of these by its cells.
    """
    return list_boxes(task) or split_cells(task, count)


def split_cells(task: Task, count: int = LEAVES) -> tuple[Case, ...] | None:
    """Split a task by its cells into about ``count`` cases; () and None as in split_task."""
    room = MOST_DECISIONS - len(task.cells)
    while room > 0 and count > 1:
        cases = _work_on(task.asked).split(task.cells, count)
        if cases is None or all(len(case) <= room for case in cases):
            return cases
        count //= 2  # a few cases are deeper than most
    return ()


def search_inline(task: Task, limits: Limits) -> Outcome:
    """Search as :func:`satlife.find` does, with the solver in this process."""
    # The pool limits the memory.
    problem, timeout = task.asked, limits.seconds
    if task.selection.is_everything:
        may_split = task.split or task.cells
        engine = CaseEngine(_work_on(problem), task.cells) if may_split else _INLINE
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
"""The problem last solved by cases: the next task is often another case of it."""


def _work_on(problem: Problem) -> Casework:
    if not _work or _work[0].problem != problem:
        for last in _work:
            last.close()
        _work[:] = [Casework(problem, wrap=_as_inline)]
    return _work[0]


def _prove(
    task: Task, proof: Path, allowance: ProcessorTime, quick: Impossible
) -> tuple[Outcome, str, str | None]:
    """Refute again, with a proof; return the outcome, its reason and the hash of the proof."""

    def attempt(limits: Limits) -> Outcome:
        options = Options(timeout=limits.seconds, memory=limits.memory_bytes)
        return refute(task.asked, proof, options, task.budget.proof_bytes, task.cells)

    outcome = allowance.spend(attempt)
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


REFERENCE_SECONDS: Final = 0.497
"""Seconds that the refutation below took on one processor of the reference machine."""


def measure_speed() -> float:
    """Return the speed of one processor here, relative to the reference machine of the fit."""
    task = Task(problem=oscillator(6, box="8x9", symmetry="D4+"))
    begun = time.process_time()
    search_inline(task, Limits(seconds=60))
    return REFERENCE_SECONDS / max(time.process_time() - begun, 1e-3)
