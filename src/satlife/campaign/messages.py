"""The messages of a campaign: a task goes to a worker, a result comes back.

Both are validated JSON of bounded size, never code: a worker need not be trusted.

>>> from satlife import still_life
>>> task = Task(problem=still_life(box="3x3"), budget=Budget(seconds=60))
>>> decode_task(encode(task)) == task
True
>>> decode_result(b'{"answer": "found"}')
Traceback (most recent call last):
satlife.errors.FormatError: not a result: Object missing required field `task`
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import msgspec

from satlife.campaign.selection import Selection
from satlife.errors import FormatError, UsageError
from satlife.problem import Cells, Problem
from satlife.problem.documents import decode_json
from satlife.problem.exact import ExactBox, check_part, narrow

LARGEST_MESSAGE = 1_000_000
"""Maximum bytes of a task or result; by default NATS accepts no more."""

LONGEST_WORDS = 4_000
"""Maximum characters kept of a reason or a log."""


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="of", tag="rows"):
    """The ships with one of every ``count`` nodes of a level of a search by rows."""

    level: int
    """The number of rows that lead to the nodes."""
    number: int
    """The number of this share, from 0 on."""
    count: int
    """The total number of shares."""


class Region(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="of",
    tag="rules",
):
    """A set of rules, with the answer for all of them if it is known."""

    rules: str
    generations: tuple[tuple[str, ...], ...] = ()
    """A pattern that works in all of them: the rows of each generation's box."""
    is_impossible: bool = False
    """Whether none of them is claimed to have a pattern."""


Case = Cells | Share | Region | ExactBox
"""A part of a task; :mod:`satlife.campaign.cases` has the kinds."""


class Budget(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Limits for a worker on a task; None is unlimited."""

    seconds: float | None = None
    memory_bytes: int | None = None
    proof_bytes: int | None = None


class Terms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Effort and conditions of an answer, which a plan sets for all of its tasks."""

    budget: Budget = Budget()
    prove: bool = False
    """Whether an impossibility needs a proof."""
    quorum: int = 1
    """The number of users who must call a task impossible, or give it up, before that counts."""
    split: bool = False
    """Whether a worker that reaches the time limit answers with cases instead of giving up."""


class Task(Terms, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A problem to solve, with its terms."""

    problem: Problem
    round: int = 0
    """Increases with every longer attempt at an undecided task."""
    selection: Selection = Selection()
    """The finds that count."""
    exact: ExactBox | None = None
    """The part of its problem that is asked for, by the size of the envelope; see
    :mod:`satlife.problem.exact`."""
    cells: Cells = ()
    """The given cells, if it is a case of its problem: all decisions above it.  They are cells of
    the box that is asked for."""
    parent: str = ""
    """The name of the parent task, if this one is a case."""
    cases: tuple[Case, ...] = ()
    """The cases into which it was split; :mod:`satlife.campaign.cases` makes tasks of them."""
    shares: tuple[Share, ...] = ()
    """The part of a search by rows, the first levels first; everything if empty."""
    every: bool = False
    """Whether every rule of the problem's set needs an answer, as in a map, and not one of them."""
    question: str = ""
    """How a person asked it: the form of a page, as JSON."""
    avoid: tuple[str, ...] = ()
    """Users whose claims it looks at again: others get it, if there are any."""

    def __post_init__(self) -> None:
        if self.exact is not None:
            if not self.selection.is_everything or self.every or self.shares:
                raise UsageError("a task with an exact box asks for any solution, by SAT")
            check_part(self.problem, self.exact)

    @cached_property
    def asked(self) -> Problem:
        """The problem to solve: its problem, or the part of it in its own box.

        A find is a solution of the whole problem, in the whole box; an impossibility is about the
        part only.
        """
        return self.problem if self.exact is None else narrow(self.problem, self.exact)

    @cached_property
    def name(self) -> str:
        """The name of the problem, which is its hash; for any other task, a hash of all fields."""
        name = self.selection.name(self.problem.name)
        parts = (self.exact, self.shares, self.cells, "every rule" if self.every else "")
        more = [each for each in parts if each]
        if not more:
            return name
        text = msgspec.json.encode(more, order="sorted")
        return hashlib.sha256(name.encode() + text).hexdigest()

    @property
    def is_part(self) -> bool:
        """Whether it asks for a part of its problem: as a case, or as one box of several."""
        return bool(self.exact or self.shares or self.cells)

    @property
    def may_be_case(self) -> bool:
        """Whether it can be a case of another task: a part of its problem, or a map in a map."""
        return self.is_part or self.every


class Result(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="answer",
):
    """A worker's report on a task; the kinds are below."""

    task: str
    """The name of the task."""
    worker: str
    round: int = 0
    seconds: float = 0.0
    solver: str = ""


class FoundResult(Result, frozen=True, kw_only=True, tag="found"):
    """A pattern; it counts once the recorder has checked it."""

    generations: tuple[tuple[str, ...], ...]
    """The rows of each generation's box, in ``o`` and ``.``."""


class ImpossibleResult(Result, frozen=True, kw_only=True, tag="impossible"):
    """There is no such pattern: a claim until the recorder has checked a proof."""

    reason: str = ""
    proof: str | None = None
    """The name of the stored proof, if there is one."""
    proof_hash: str | None = None
    """SHA-256 of the proof, in hexadecimal."""


class UndecidedResult(Result, frozen=True, kw_only=True, tag="undecided"):
    """The budget was spent without an answer."""

    reason: str = ""
    budget: Budget = Budget()


class SplitResult(Result, frozen=True, kw_only=True, tag="split"):
    """The task exceeds its time limit, and is split into cases, which are tasks themselves."""

    cases: tuple[Case, ...]


class FailedResult(Result, frozen=True, kw_only=True, tag="failed"):
    """The worker failed: its solver died, it ran out of memory, or it has a bug."""

    log: str = ""


AnyResult = FoundResult | ImpossibleResult | UndecidedResult | SplitResult | FailedResult


def encode(message: Task | AnyResult) -> bytes:
    """Return a message as JSON; equal messages give equal bytes."""
    return msgspec.json.encode(message, order="sorted")


def decode_task(text: bytes) -> Task:
    """Read a task; raise :class:`~satlife.errors.FormatError` if it is invalid."""
    task: Task = _decode(text, Task, "a task")
    return task


def decode_result(text: bytes) -> AnyResult:
    """Read a result; raise :class:`~satlife.errors.FormatError` if it is invalid."""
    result: AnyResult = _decode(text, AnyResult, "a result")
    return result


def _decode(text: bytes, kind: Any, what: str) -> Any:
    if len(text) > LARGEST_MESSAGE:
        raise FormatError(f"not {what}: {len(text):,} bytes; the limit is {LARGEST_MESSAGE:,}")
    try:
        return decode_json(text, kind, what)
    except FormatError:
        raise
    except UsageError as error:
        raise FormatError(f"not {what}: {error}") from None
