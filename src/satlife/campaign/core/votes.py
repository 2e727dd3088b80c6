"""Votes: unchecked answers of users, of which several may be needed before one counts.

A user has one vote of each kind.  Ledgers keep the votes of a task as a text.

>>> votes = add_vote("", Vote.UNDECIDED, "bert.desk-2f")
>>> votes = add_vote(votes, Vote.CLAIMED, "anna")
>>> votes, list_voters(votes, Vote.CLAIMED)
('claimed:anna undecided:bert', ['anna'])
"""

from __future__ import annotations

from enum import StrEnum


class Vote(StrEnum):
    """What a user reports without evidence."""

    CLAIMED = "claimed"
    """Impossible, without a proof."""
    UNDECIDED = "undecided"
    FAILED = "failed"
    SPLIT = "split"
    """To be divided into cases."""


def name_user(worker: str) -> str:
    """Return the user of a worker: the first part of its name, which a broker enforces.

    >>> name_user("alice.desk-2f"), name_user("local")
    ('alice', 'local')
    """
    return "".join(worker.partition(".")[0].split()) or "?"


def add_vote(votes: str, vote: Vote, worker: str) -> str:
    """Add the vote of a worker's user."""
    return " ".join(sorted({*votes.split(), f"{vote}:{name_user(worker)}"}))


def count_votes(votes: str) -> int:
    """Return the number of votes of all kinds."""
    return len(votes.split())


def list_voters(votes: str, *kinds: Vote) -> list[str]:
    """Return the users with a vote of one of these kinds, or of any kind, each once."""
    pairs = (vote.split(":", 1) for vote in votes.split())
    return sorted({user for kind, user in pairs if not kinds or kind in kinds})
