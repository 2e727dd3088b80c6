"""What recorder, workers, checkers and dispatcher say to each other: JSON of bounded size.

What a recorder and its checkers say to each other.

A check goes through a queue of its own.  Whoever has it says so now and then, by a request to the
recorder, and in the end sends what has become of it; the recorder replies whether it still waits.
The broker lets only recorders ask, and only checkers answer.

>>> from satlife.cluster.protocol import read, write
>>> read(write(Word(proof="anna-5fef-00", worker="rack.node1")), Word, "a word").checked is None
True

What a volunteer's worker and the dispatcher say to each other: requests and one reply.

A user may publish under ``satlife.ask.USER`` and nowhere else, which the broker enforces; so the
subject says who asks.  All messages are validated JSON of bounded size, except a part of a proof,
which is bytes with two headers.

>>> ask_subject("alice", "lease"), read_ask_subject("satlife.ask.alice.lease")
('satlife.ask.alice.lease', ('alice', 'lease'))
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import LARGEST_MESSAGE, Budget
from satlife.errors import FormatError
from satlife.problem import Cells, Problem
from satlife.problem.documents import decode_json

M = TypeVar("M", bound=msgspec.Struct)


def read(text: bytes, kind: type[M], what: str) -> M:
    """Read a message; raise :class:`~satlife.errors.FormatError` if it is not one."""
    if len(text) > LARGEST_MESSAGE:
        raise FormatError(f"not {what}: {len(text):,} bytes; the limit is {LARGEST_MESSAGE:,}")
    return decode_json(text, kind, what)


def write(message: msgspec.Struct) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)


class CheckMessage(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One direction of the conversation."""


class CheckRequest(CheckMessage, frozen=True, kw_only=True):
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


class Word(CheckMessage, frozen=True, kw_only=True):
    """A checker has a check in hand, or is done with it."""

    proof: str
    worker: str
    checked: Checked | None = None
    """What became of it; None while it is in work."""
    failed: str = ""
    """Why the checker could not check it at all; somebody else should."""


class CheckReply(CheckMessage, frozen=True, kw_only=True):
    """What the recorder says to that."""

    is_awaited: bool
    """Whether it waits for this check."""


PROTOCOL = 1
"""Increases when an older worker would misunderstand something."""
ASK = "satlife.ask"
PRESENCE = "satlife.dispatcher"
"""Where a dispatcher answers that it is there."""
VERDICTS = "satlife.verdict"
"""Where recorders say what became of the answers of users."""
LEASE = "Satlife-Lease"
PART = "Satlife-Part"
"""Headers of a part of a proof: for which lease, and which part."""


class LeaseMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One direction of the conversation; unknown fields are those of a later version."""


class LeaseRequest(LeaseMessage, frozen=True, kw_only=True):
    """A request for tasks."""

    worker: str
    most: int
    protocol: int = 0


class LeaseList(LeaseMessage, frozen=True, kw_only=True):
    """Leases that are still worked on, or (to ``back``) returned."""

    leases: tuple[str, ...]


class LeaseAnswer(LeaseMessage, frozen=True, kw_only=True):
    """The result of a lease; the proof, if there is one, has been uploaded for that lease."""

    lease: str
    result: msgspec.Raw
    uploaded: bool = False


class Leased(LeaseMessage, frozen=True, kw_only=True):
    """A leased task."""

    lease: str
    campaign: str
    task: msgspec.Raw
    silence: float
    """Seconds without a word after which the lease is lost."""
    hold: float
    """Seconds after which it is lost in any case."""


class Reply(LeaseMessage, frozen=True, kw_only=True):
    """The answer to any request."""

    leases: tuple[Leased, ...] = ()
    over: tuple[str, ...] = ()
    """Leases whose answers are not needed, or not accepted, any more."""
    refused: str = ""
    """Why not; empty if all is well."""
    wait: float = 0.0
    """Seconds to wait before asking again; 0 after a refusal says that asking again is no use."""


class UserVerdict(LeaseMessage, frozen=True, kw_only=True):
    """What a recorder has found out about a user's answers."""

    user: str
    good: int = 0
    """Answers that are right: simulated, proved, or confirmed by enough users."""
    bad: int = 0
    """Messages that were refused."""
    lies: int = 0
    """Patterns and proofs that fail their check, and impossibilities that were found."""


def ask_subject(user: str, verb: str) -> str:
    """Return the subject of a user's requests of one sort."""
    return f"{ASK}.{user}.{verb}"


def read_ask_subject(subject: str) -> tuple[str, str]:
    """Return user and verb."""
    _, _, user, verb = subject.split(".")
    return user, verb


# Messages from the recorder to all workers: stop these tasks, or all of them.
#
# They are not stored: a worker that misses one does needless work, and nothing goes wrong.  The
# recorder therefore sends each of them more than once.


LARGEST_CONTROL = 500_000


class Control(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tasks whose answers are no longer needed."""

    withdraw: tuple[str, ...] = ()
    """Names of problems."""
    over: bool = False
    """Whether the whole campaign is over."""


def encode_control(control: Control) -> bytes:
    """Return it as JSON."""
    return msgspec.json.encode(control)


def decode_control(text: bytes) -> Control:
    """Read it; what is wrong with it is a :class:`~satlife.errors.FormatError`."""
    if len(text) > LARGEST_CONTROL:
        raise FormatError(f"not a control message: {len(text):,} bytes")
    return decode_json(text, Control, "a control message")
