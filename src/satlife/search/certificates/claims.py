"""What a certificate claims of a problem: values that can be written down and read again.

Each claim names what must be refuted to believe it (:mod:`.obligations`), what must be simulated
(:mod:`.witnesses`), and is put into words by :mod:`.statement`.
"""

from __future__ import annotations

from typing import Any, cast

import msgspec

from satlife.search.problem.documents import decode_json
from satlife.search.problem.drawing import Drawing


class NoneExists(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="none"):
    """The problem has no solution."""


class BestClaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="best"):
    """No solution is better than this one, by the goals in their order."""

    goals: tuple[str, ...]
    """``minimize population@0``, ``maximize rotor`` …; ``population`` alone is ``population@0``."""
    values: tuple[int, ...]
    found: tuple[Drawing, ...]
    """The generations of a solution that reaches the values."""


class Complete(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="all"):
    """Every solution is one of these, or counts as the same as one of them."""

    images: bool
    """Whether each stands for its class, or for itself alone."""
    found: tuple[tuple[Drawing, ...], ...]
    """The generations of each solution."""


class Needed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell of an orphan, and a solution for all the others without it."""

    x: int
    y: int
    parent: Drawing


class Core(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="core"):
    """An orphan of which no cell can be left out: without any one of them there is a parent."""

    needed: tuple[Needed, ...]


Claim = NoneExists | BestClaim | Complete | Core


def encode_claim(claim: Claim) -> bytes:
    """Write a claim as JSON, always the same way."""
    return msgspec.json.format(msgspec.json.encode(claim, order="sorted"), indent=1) + b"\n"


def decode_claim(text: bytes) -> Claim:
    """Read a claim; what is wrong with it is a :class:`FormatError`."""
    kind: Any = Claim  # a union, which no type of a type covers
    return cast("Claim", decode_json(text, kind, "a claim"))
