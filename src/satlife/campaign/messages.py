"""What a campaign's parts say to each other: a task to a worker, a result back.

Both are validated JSON of bounded size, never code: a worker may be a stranger's machine.

>>> from satlife.search import still_life
>>> task = Task(problem=still_life(box="3x3"), bounds=Bounds(seconds=60))
>>> decode_task(encode(task)) == task
True
>>> decode_result(b'{"answer": "found"}')
Traceback (most recent call last):
satlife.errors.FormatError: not a result: Object missing required field `task`
"""

from __future__ import annotations

from typing import Any

import msgspec

from satlife.errors import FormatError, UsageError
from satlife.search.problem import Problem
from satlife.search.problem.documents import decode_json

LARGEST_MESSAGE = 1_000_000
"""Bytes of a task or result; NATS itself takes no more by default."""

LONGEST_WORDS = 4_000
"""Characters of a reason or a log that are kept."""


class Bounds(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """When a worker shall give a task up; None is never."""

    seconds: float | None = None
    memory_bytes: int | None = None
    proof_bytes: int | None = None


class Task(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A problem to be solved, and how hard to try; its name is the problem's."""

    problem: Problem
    bounds: Bounds = Bounds()
    prove: bool = False
    """An impossibility must come with a proof."""
    round: int = 0
    """Grows with every longer attempt at an undecided task."""

    @property
    def name(self) -> str:
        """The problem's hash."""
        return self.problem.name


class Result(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="answer",
):
    """What a worker says of a task; the kinds are below."""

    task: str
    """The problem's name."""
    worker: str
    round: int = 0
    seconds: float = 0.0
    solver: str = ""


class FoundResult(Result, frozen=True, kw_only=True, tag="found"):
    """A pattern; it counts after the recorder's own check."""

    generations: tuple[tuple[str, ...], ...]
    """The rows of each generation's box, of ``o`` and ``.``."""


class ImpossibleResult(Result, frozen=True, kw_only=True, tag="impossible"):
    """There is none; only claimed, until the recorder has checked a proof."""

    reason: str = ""
    proof: str | None = None
    """The name under which the proof is stored, if there is one."""
    proof_hash: str | None = None
    """SHA-256 of the proof, in hexadecimal."""


class UndecidedResult(Result, frozen=True, kw_only=True, tag="undecided"):
    """Not within the bounds."""

    reason: str = ""
    bounds: Bounds = Bounds()


class FailedResult(Result, frozen=True, kw_only=True, tag="failed"):
    """The worker could not do it: its solver died, its memory ran out, a bug."""

    log: str = ""


AnyResult = FoundResult | ImpossibleResult | UndecidedResult | FailedResult


def encode(message: Task | AnyResult) -> bytes:
    """Write a message as JSON, always the same way."""
    return msgspec.json.encode(message, order="sorted")


def decode_task(text: bytes) -> Task:
    """Read a task; what is wrong with it is a :class:`~satlife.errors.FormatError`."""
    task: Task = _decode(text, Task, "a task")
    return task


def decode_result(text: bytes) -> AnyResult:
    """Read a result; what is wrong with it is a :class:`~satlife.errors.FormatError`."""
    result: AnyResult = _decode(text, AnyResult, "a result")
    return result


def _decode(text: bytes, kind: Any, what: str) -> Any:
    if len(text) > LARGEST_MESSAGE:
        raise FormatError(f"not {what}: {len(text):,} bytes, {LARGEST_MESSAGE:,} are the most")
    try:
        return decode_json(text, kind, what)
    except FormatError:
        raise
    except UsageError as error:
        raise FormatError(f"not {what}: {error}") from None
