"""What a recorder and its checkers say to each other.

A check goes through a queue of its own.  Whoever has it says so now and then, by a request to the
recorder, and in the end sends what has become of it; the recorder replies whether it still waits.
The broker lets only recorders ask, and only checkers answer.

>>> read(write(Word(proof="anna-5fef-00", worker="rack.node1")), Word, "a word").checked is None
True
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import LARGEST_MESSAGE, Budget, Cells
from satlife.errors import FormatError
from satlife.search.problem import Problem
from satlife.search.problem.documents import decode_json


class Message(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One direction of the conversation."""


class Check(Message, frozen=True, kw_only=True):
    """A proof to check."""

    problem: Problem
    """What it is said to refute."""
    cells: Cells = ()
    """The cells that are given, if it is about a case."""
    proof: str
    """Its name in the campaign's store."""
    proof_hash: str | None = None
    limits: Budget
    """Time and memory for the check, and the size of the largest proof."""


class Word(Message, frozen=True, kw_only=True):
    """A checker has a check in hand, or is done with it."""

    proof: str
    worker: str
    checked: Checked | None = None
    """What became of it; None while it is in work."""
    failed: str = ""
    """Why the checker could not check it at all; somebody else should."""


class Reply(Message, frozen=True, kw_only=True):
    """What the recorder says to that."""

    is_awaited: bool
    """Whether it waits for this check."""


M = TypeVar("M", bound=Message)


def write(message: Message) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)


def read(text: bytes, kind: type[M], what: str) -> M:
    """Read a message; raise :class:`~satlife.errors.FormatError` if it is not one."""
    if len(text) > LARGEST_MESSAGE:
        raise FormatError(f"not {what}: {len(text):,} bytes; the limit is {LARGEST_MESSAGE:,}")
    found: Any = decode_json(text, kind, what)
    return found  # type: ignore[no-any-return]
