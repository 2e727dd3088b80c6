"""Counts of objects, by apgcode and name, as a census lists them.

>>> from satlife.life.rule import LIFE
>>> print(*tally(Counter({"xp2_7": 4, "xs4_33": 8}), LIFE), sep=", ")
8 × block, 4 × blinker
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from satlife.life.identity.names import find_object_name
from satlife.life.rule import Rule


@dataclass(frozen=True)
class Tally:
    """How many there are of an object."""

    count: int
    code: str
    """Its apgcode."""
    name: str | None
    """What people call it, if it has a name."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as numbers and texts for JSON."""
        return {"count": self.count, "apgcode": self.code, "name": self.name}

    def __str__(self) -> str:
        return f"{self.count} × {self.name or self.code}"


def tally(codes: Counter[str], rule: Rule) -> tuple[Tally, ...]:
    """Return the counts with names, the most frequent object first."""
    ordered = sorted(codes.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Tally(count, code, find_object_name(code, rule)) for code, count in ordered)
