"""Checkpoints: how far a schedule has come, so that a restart costs what is open, not what is done.

A checkpoint may be older than the ledger, and nothing goes wrong: what was answered since is taken
again, and the ledger already has the answer.  It must never be newer than the ledger.

>>> write_set(0b10_0000_0111), read_set("0-2,9") == 0b10_0000_0111
('0-2,9', True)
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from satlife.campaign.core.frontier import members


class Saved(NamedTuple):
    """A question that is not done, by its number in the plan; sets as in :func:`write_set`."""

    number: int
    final: str
    undecided: str
    given_up: str


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The questions that are open, and the first that has not been opened."""

    questions: str
    """Identifies the plan's questions in their order, and what stops them; otherwise the numbers
    below mean nothing."""
    cursor: int
    stopped: tuple[int, ...] = ()
    """Searches that a find has ended."""
    open: tuple[Saved, ...] = ()

    def encode(self) -> str:
        """Return it as JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def decode(cls, text: str) -> Checkpoint | None:
        """Read it; None if it is of another version of satlife."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError:
            return None


def write_set(bits: int) -> str:
    """Return a set as spans of its members."""
    spans: list[list[int]] = []
    for index in members(bits):
        if spans and spans[-1][1] == index - 1:
            spans[-1][1] = index
        else:
            spans.append([index, index])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in spans)


def read_set(text: str) -> int:
    """Read a set; the opposite of :func:`write_set`."""
    bits = 0
    for span in text.split(",") if text else ():
        first, _, last = span.partition("-")
        bits |= (1 << (int(last or first) + 1)) - (1 << int(first))
    return bits
