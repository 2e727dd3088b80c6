"""Turn a worker's result into an event: nothing that a worker reports counts unchecked.

A pattern is simulated again here before it counts as found.  An impossibility is certified only by
a proof that was checked, here or by a checker that the operator trusts; otherwise it is claimed.
Cases must cover their task.

>>> from satlife.campaign.messages import ImpossibleResult
>>> from satlife import still_life
>>> task = Task(problem=still_life(box="3x3"))
>>> type(examine(task, ImpossibleResult(task=task.name, worker="anna"))).__name__
'ClaimedEvent'
>>> rows = ("oo.", "oo.", "..o")
>>> examine(task, FoundResult(task=task.name, worker="bert", generations=(rows,))).log
'the solution fails its check: cell (1, 1) of generation 1 does not follow from generation 0'
"""

from __future__ import annotations

import hashlib
import math

import msgspec
import numpy as np
from msgspec.structs import replace

from satlife.campaign.cases import check_cases, find_split, has_pattern, list_cases
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    SplitEvent,
    UndecidedEvent,
)
from satlife.campaign.messages import (
    LONGEST_WORDS,
    AnyResult,
    FailedResult,
    FoundResult,
    ImpossibleResult,
    SplitResult,
    Task,
    UndecidedResult,
)
from satlife.errors import FormatError, UsageError
from satlife.life import Pattern
from satlife.life.identity import apgcode
from satlife.life.rule import LIFE
from satlife.problem import Problem
from satlife.problem.exact import is_in_part
from satlife.problem.outcome import History, make_pattern, read_history
from satlife.verifier.generations import VerificationError
from satlife.verifier.verify import settle_rule, verify

LONGEST_NAME = 200
"""Maximum length of a worker's or solver's name; the rest is cut off."""


class Checked(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The result of checking a proof; not valid if anything went wrong."""

    is_valid: bool = False
    is_decided: bool = True
    """Whether the check finished within its limits."""
    reason: str = ""
    """Why the proof is not valid, or not decided."""
    proof_hash: str = ""
    """SHA-256 of the proof that was checked, in hexadecimal."""
    checker: str = ""
    """The programs that checked the proof."""
    seconds: float = 0.0
    """The time of a check that is not decided."""


def check_belongs(task: Task, result: AnyResult) -> None:
    """Raise :class:`~satlife.errors.UsageError` if a result does not belong to the task.

    An answer from an earlier round counts, and so does a split with a pattern in it; a failure or
    an "undecided" from an earlier round does not.
    """
    if result.task != task.name:
        raise UsageError(f"a result for {_clean(result.task)}, not for the task {task.name}")
    is_answer = isinstance(result, FoundResult | ImpossibleResult)
    if isinstance(result, SplitResult):
        is_answer = has_pattern(result.cases)
    if result.round != task.round and not (is_answer and 0 <= result.round < task.round):
        raise UsageError(f"a result of round {result.round}; the task is in round {task.round}")


def examine(task: Task, result: AnyResult, checked: Checked | None = None) -> Event:
    """Return the event for a result, given the check of its proof.

    A result that does not belong to the task is a :class:`~satlife.errors.UsageError`.  An answer
    whose proof could not be checked within limits stays a claim.
    """
    check_belongs(task, result)
    match result:
        case FoundResult():
            return _examine_found(task, result)
        case ImpossibleResult():
            return _examine_impossible(result, checked)
        case UndecidedResult():
            return UndecidedEvent(
                *_heading(result),
                reason=_cut(result.reason),
                budget=task.budget,
                seconds=_seconds(result),
            )
        case SplitResult():
            return _examine_split(task, result)
        case FailedResult():
            return FailedEvent(*_heading(result), log=_cut(result.log))


def _examine_split(task: Task, result: SplitResult) -> Event:
    """Check that the cases cover the task, and check their patterns; a split needs no trust."""
    split = replace(task, cases=result.cases)
    try:
        if not (task.split or task.every):
            raise UsageError("it was split, and the plan does not ask for that")
        check_cases(split)
        list_cases(split)
        refuse_patterns(split, result.worker)
    except UsageError as error:
        return FailedEvent(*_heading(result), log=_cut(str(error)))
    return SplitEvent(split, _clean(result.worker), _seconds(result))


def refuse_patterns(split: Task, worker: str = "") -> None:
    """Raise :class:`~satlife.errors.UsageError` if a pattern of a case fails its check."""
    for child, told in find_split(split).find_answers(split, worker):
        if isinstance(told, FoundResult):
            event = _examine_found(child, told)
            if isinstance(event, FailedEvent):
                raise UsageError(event.log)


def _examine_found(task: Task, result: FoundResult) -> Event:
    try:
        problem, history = check_find(task, result.generations)
    except (FormatError, VerificationError) as error:
        return FailedEvent(*_heading(result), log=_cut(str(error)))
    if reason := task.selection.refusal(problem, history):
        return FailedEvent(*_heading(result), log=_cut(reason))
    return FoundEvent(
        *_heading(result),
        generations=result.generations,
        identity=identify_finding(problem, history),
        seconds=_seconds(result),
        solver=_clean(result.solver),
        elsewhere=is_elsewhere(task, history),
    )


def is_elsewhere(task: Task, history: History) -> bool:
    """Whether a task asks for an exact box, and a solution in its box is not one of that part."""
    return task.exact is not None and not is_in_part(task.exact, history)


def _examine_impossible(result: ImpossibleResult, checked: Checked | None) -> Event:
    if checked is None:
        return _claim(result, result.reason)
    if not checked.is_decided:
        return _claim(result, f"not checked: {checked.reason}; {result.reason}")
    if result.proof_hash not in (None, checked.proof_hash):
        checked = Checked(reason="it does not match its hash")
    if not checked.is_valid:
        words = f"the proof of {_clean(result.worker)} is not valid: {checked.reason}"
        return FailedEvent(*_heading(result), log=_cut(words))
    return CertifiedEvent(
        *_heading(result),
        proof_hash=checked.proof_hash,
        checker=_clean(checked.checker),
        seconds=_seconds(result),
        solver=_clean(result.solver),
    )


def _claim(result: ImpossibleResult, reason: str) -> ClaimedEvent:
    return ClaimedEvent(
        *_heading(result),
        reason=_cut(reason),
        seconds=_seconds(result),
        solver=_clean(result.solver),
    )


def check_find(task: Task, generations: tuple[tuple[str, ...], ...]) -> tuple[Problem, History]:
    """Read and verify a solution of a task; return it with the problem that it solves.

    For a set of rules, that is the problem for the least rule in which it is a solution.
    """
    history = check_pattern(task.problem, generations, every=task.every)
    return settle_rule(task.problem, history), history


def check_pattern(
    problem: Problem, generations: tuple[tuple[str, ...], ...], *, every: bool = False
) -> History:
    """Read the rows of a solution and verify it; with ``every``, in every rule of a set.

    Raise :class:`~satlife.errors.FormatError` if they do not draw the problem's boxes, and
    :class:`~satlife.verifier.generations.VerificationError` if they are not a solution.
    """
    history = read_history(problem, generations)
    verify(problem, history, every=every)
    return history


def identify_finding(problem: Problem, history: History) -> str:
    """Return an object's identity: the same in every box, place, orientation and phase.

    It is the apgcode, followed by the rule unless that is Life (``xp2_7/b36s23``).  Objects without
    an apgcode (on a torus, parents, very large objects) get a hash of their first phase, which is
    the same in every orientation that the rule treats alike.
    """
    pattern = make_pattern(problem, history, 0)
    if problem.motion is not None and problem.boundary == "dead" and not problem.exempt:
        try:
            code = apgcode(pattern, generations=2 * problem.steps)
        except UsageError:  # its motion includes a turn, or it is empty
            code = ""
        if code.startswith("x"):
            rule = pattern.rule
            return code if rule == LIFE else f"{code}/{rule.slug}"
    return _hash_phase(pattern)


def _hash_phase(pattern: Pattern) -> str:
    turned = (turn.apply_to_array(pattern.cells) for turn in pattern.rule.symmetries)
    first = min((cells.shape, np.ascontiguousarray(cells).tobytes()) for cells in turned)
    return hashlib.sha256(f"{pattern.rule} {first[0]} ".encode() + first[1]).hexdigest()


def _heading(result: AnyResult) -> tuple[str, str, int]:
    return result.task, _clean(result.worker), result.round


def _clean(words: str) -> str:
    """Return an untrusted name, short and on one line."""
    return "".join(c if c.isprintable() else "?" for c in words[:LONGEST_NAME])


def _cut(words: str) -> str:
    return words.replace("\0", "?")[:LONGEST_WORDS]


def _seconds(result: AnyResult) -> float:
    return result.seconds if math.isfinite(result.seconds) and result.seconds > 0 else 0.0
