"""The progress of a campaign's schedule: with it, a restart costs what is open, not what is done.

It may safely be older than the ledger: tasks that were answered since are taken again, and the
ledger already has their answers.  It must never be newer than the ledger.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Saved(NamedTuple):
    """A question that is not done."""

    number: int
    """In the plan."""
    final: str
    """A set, as :func:`~satlife.campaign.core.frontier.write_set` writes it; so are the others."""
    undecided: str
    given_up: str
    claimants: tuple[str, ...] = ()
    """Users who called one of its boxes impossible, if that is asked again."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The open questions, and the number of the first question not opened yet."""

    questions: str
    """Identifies the plan's questions, their order, and what stops them; without a match, the
    numbers below mean nothing."""
    cursor: int
    stopped: tuple[int, ...] = ()
    """Searches that a find has ended."""
    open: tuple[Saved, ...] = ()

    @property
    def stops(self) -> tuple[str, ...]:
        """The stopping rules of the plan and its searches: the second word of ``questions``.

        >>> Checkpoint(questions="00ff first,never", cursor=0).stops
        ('first', 'never')
        """
        return tuple("".join(self.questions.split()[1:2]).split(","))

    def encode(self) -> str:
        """Return the checkpoint as JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def decode(cls, text: str) -> Checkpoint | None:
        """Read a checkpoint; None if another version of satlife wrote it."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError:
            return None
