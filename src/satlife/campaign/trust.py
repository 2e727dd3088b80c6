"""What a worker says, and what the recorder makes of it: no worker's word counts unchecked.

A pattern is simulated here, again, before it is found.  An impossibility is certified only with a
proof that was checked here; without one it is claimed.

>>> from satlife.campaign.messages import ImpossibleResult
>>> from satlife.search import still_life
>>> task = Task(problem=still_life(box="3x3"))
>>> type(examine(task, ImpossibleResult(task=task.name, worker="anna"))).__name__
'Claimed'
>>> rows = ("oo.", "oo.", "..o")
>>> examine(task, FoundResult(task=task.name, worker="bert", generations=(rows,))).log
'the solution fails its check: cell (1, 1) of generation 1 does not follow from generation 0'
"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np

from satlife.campaign.messages import (
    LONGEST_WORDS,
    AnyResult,
    FailedResult,
    FoundResult,
    ImpossibleResult,
    Task,
    UndecidedResult,
)
from satlife.campaign.state import Certified, Claimed, Event, Failed, Found, Undecided
from satlife.errors import FormatError, UsageError
from satlife.life import Pattern, Rule
from satlife.life.identity import apgcode
from satlife.life.rule import LIFE
from satlife.sat.files.paths import hash_file
from satlife.search.checking.verify import VerificationError, verify
from satlife.search.problem import Problem
from satlife.search.problem.drawing import History, read_history

CHECK_SECONDS = 3600.0
"""That the check of a stranger's proof may take, unless another limit is given."""
CHECK_MEMORY = 4 << 30
"""Bytes that it may take."""
LONGEST_NAME = 200
"""Characters of a worker's or solver's name that are kept."""


def examine(
    task: Task,
    result: AnyResult,
    proof: Path | None = None,
    *,
    check_seconds: float | None = None,
) -> Event:
    """Say what a result amounts to; one that does not belong to the task is refused.

    A proof that is not checked within ``check_seconds`` (by default, an hour) leaves the answer
    claimed.

    An answer to an earlier round of the task is as good as one to the last; a failure or a lack of
    an answer is not.
    """
    if result.task != task.name:
        raise UsageError(f"a result for {_clean(result.task)}, not for the task {task.name}")
    is_answer = isinstance(result, FoundResult | ImpossibleResult)
    if result.round != task.round and not (is_answer and 0 <= result.round < task.round):
        raise UsageError(f"a result of round {result.round}; the task is in round {task.round}")
    match result:
        case FoundResult():
            return _examine_found(task, result)
        case ImpossibleResult():
            return _examine_impossible(task, result, proof, check_seconds)
        case UndecidedResult():
            return Undecided(
                *_heading(result),
                reason=_cut(result.reason),
                bounds=task.bounds,
                seconds=_seconds(result),
            )
        case FailedResult():
            return Failed(*_heading(result), log=_cut(result.log))


def _examine_found(task: Task, result: FoundResult) -> Event:
    try:
        history = check_pattern(task.problem, result.generations)
    except (FormatError, VerificationError) as error:
        return Failed(*_heading(result), log=_cut(str(error)))
    return Found(
        *_heading(result),
        generations=result.generations,
        identity=identify_finding(task.problem, history),
        seconds=_seconds(result),
        solver=_clean(result.solver),
    )


def _examine_impossible(
    task: Task, result: ImpossibleResult, proof: Path | None, check_seconds: float | None
) -> Event:
    if proof is None:
        return _claim(result, result.reason)
    from satlife.search.certificates.refute import check_proof  # noqa: PLC0415 - only where there are proofs

    try:
        proof_hash = hash_file(proof)
    except OSError as error:
        raise UsageError(f"the proof cannot be read: {error}") from None
    if result.proof_hash not in (None, proof_hash):
        return Failed(*_heading(result), log="the proof is not the one whose hash was given")
    seconds = CHECK_SECONDS if check_seconds is None else check_seconds
    verdict = check_proof(task.problem, proof, seconds, CHECK_MEMORY)
    if not verdict.decided:
        return _claim(result, f"{verdict}; {result.reason}")
    if not verdict.valid:
        worker = _clean(result.worker)
        return Failed(*_heading(result), log=_cut(f"the proof of {worker} is {verdict}"))
    return Certified(
        *_heading(result),
        proof_hash=proof_hash,
        checker=verdict.checker,
        seconds=_seconds(result),
        solver=_clean(result.solver),
    )


def _claim(result: ImpossibleResult, reason: str) -> Claimed:
    return Claimed(
        *_heading(result),
        reason=_cut(reason),
        seconds=_seconds(result),
        solver=_clean(result.solver),
    )


def check_pattern(problem: Problem, generations: tuple[tuple[str, ...], ...]) -> History:
    """Read a solution's rows and verify it.

    What is no drawing of the problem's boxes is a :class:`~satlife.errors.FormatError`, what is no
    solution a :class:`~satlife.search.checking.verify.VerificationError`.
    """
    history = read_history(problem, generations)
    verify(problem, history)
    return history


def identify_finding(problem: Problem, history: History) -> str:
    """Name the object, the same in every box, place, orientation and phase.

    That is its apgcode, with the rule if it is not Life's (``xp2_7/b36s23``).  Where there is none
    (on a torus, of a parent, or if it is too large) it is a hash of the first phase, the same in
    every orientation that the rule does not tell apart.
    """
    box = problem.all_boxes[0]
    pattern = Pattern.from_array(history[0], box.x, box.y, Rule(problem.rule))
    if problem.motion is not None and problem.boundary == "dead" and not problem.exempt:
        try:
            code = apgcode(pattern, generations=2 * problem.steps)
        except UsageError:  # it moves on with a turn, or it is empty
            code = ""
        if code.startswith("x"):
            rule = pattern.rule
            return code if rule == LIFE else f"{code}/{str(rule).lower().replace('/', '')}"
    return _hash_phase(pattern)


def _hash_phase(pattern: Pattern) -> str:
    turned = (turn.apply_to_array(pattern.cells) for turn in pattern.rule.symmetries)
    first = min((cells.shape, np.ascontiguousarray(cells).tobytes()) for cells in turned)
    return hashlib.sha256(f"{pattern.rule} {first[0]} ".encode() + first[1]).hexdigest()


def _heading(result: AnyResult) -> tuple[str, str, int]:
    return result.task, _clean(result.worker), result.round


def _clean(words: str) -> str:
    """Keep a stranger's name short and on one line."""
    return "".join(c if c.isprintable() else "?" for c in words[:LONGEST_NAME])


def _cut(words: str) -> str:
    return words.replace("\0", "?")[:LONGEST_WORDS]


def _seconds(result: AnyResult) -> float:
    return result.seconds if math.isfinite(result.seconds) and result.seconds > 0 else 0.0
