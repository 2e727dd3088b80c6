"""What a recorder and its checkers say to each other.

A check goes through a queue of its own.  Whoever has it says so now and then, by a request to the
recorder, and in the end sends what has become of it; the recorder replies whether it still waits.
The broker lets only recorders ask, and only checkers answer.

>>> from satlife.campaign.cluster.wire import read, write
>>> read(write(Word(proof="anna-5fef-00", worker="rack.node1")), Word, "a word").checked is None
True
"""

from __future__ import annotations

import msgspec

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import Budget, Cells
from satlife.search.problem import Problem


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
