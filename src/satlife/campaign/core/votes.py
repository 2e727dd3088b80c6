"""Votes: what users say that nobody has checked, one of each kind for each user.

They are kept as a text, ``claimed:anna undecided:bert``.

>>> add_vote("", "undecided", "bert.desk-2f"), voters("claimed:anna undecided:bert", "claimed")
('undecided:bert', ['anna'])
"""

from __future__ import annotations


def name_user(worker: str) -> str:
    """Return the user of a worker: the first part of its name, to which a broker ties the user.

    >>> name_user("alice.desk-2f"), name_user("local")
    ('alice', 'local')
    """
    return "".join(worker.partition(".")[0].split()) or "?"


def add_vote(votes: str, what: str, worker: str) -> str:
    """Add the word of a worker's user."""
    return " ".join(sorted({*votes.split(), f"{what}:{name_user(worker)}"}))


def voters(votes: str, *what: str) -> list[str]:
    """Return the users who have said one of these things, or anything, each once."""
    pairs = (vote.split(":", 1) for vote in votes.split())
    return sorted({user for kind, user in pairs if not what or kind in what})
