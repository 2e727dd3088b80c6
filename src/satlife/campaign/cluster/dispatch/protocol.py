"""What a volunteer's worker and the dispatcher say to each other: requests and one reply.

A user may publish under ``satlife.ask.USER`` and nowhere else, which the broker enforces; so the
subject says who asks.  All messages are validated JSON of bounded size, except a part of a proof,
which is bytes with two headers.

>>> ask_subject("alice", "lease"), read_ask_subject("satlife.ask.alice.lease")
('satlife.ask.alice.lease', ('alice', 'lease'))
"""

from __future__ import annotations

import msgspec

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


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One direction of the conversation; unknown fields are those of a later version."""


class LeaseRequest(Message, frozen=True, kw_only=True):
    """A request for tasks."""

    worker: str
    most: int
    protocol: int = 0


class LeaseList(Message, frozen=True, kw_only=True):
    """Leases that are still worked on, or (to ``back``) returned."""

    leases: tuple[str, ...]


class Answer(Message, frozen=True, kw_only=True):
    """The result of a lease; the proof, if there is one, has been uploaded for that lease."""

    lease: str
    result: msgspec.Raw
    uploaded: bool = False


class Leased(Message, frozen=True, kw_only=True):
    """A leased task."""

    lease: str
    campaign: str
    task: msgspec.Raw
    silence: float
    """Seconds without a word after which the lease is lost."""
    hold: float
    """Seconds after which it is lost in any case."""


class Reply(Message, frozen=True, kw_only=True):
    """The answer to any request."""

    leases: tuple[Leased, ...] = ()
    over: tuple[str, ...] = ()
    """Leases whose answers are not needed, or not accepted, any more."""
    refused: str = ""
    """Why not; empty if all is well."""
    wait: float = 0.0
    """Ask again after so many seconds; 0 after a refusal says that asking again is no use."""


class Verdict(Message, frozen=True, kw_only=True):
    """What a recorder has found out about a user's answers."""

    user: str
    good: int = 0
    """Answers that are right: simulated, proved, or confirmed by a quorum."""
    bad: int = 0
    """Messages that were refused."""
    lies: int = 0
    """Patterns that are none, proofs that prove nothing, impossibilities that were found."""


def ask_subject(user: str, verb: str) -> str:
    """Return the subject of a user's requests of one sort."""
    return f"{ASK}.{user}.{verb}"


def read_ask_subject(subject: str) -> tuple[str, str]:
    """Return user and verb."""
    _, _, user, verb = subject.split(".")
    return user, verb
