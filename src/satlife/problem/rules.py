"""The rule of a problem as a text: one rule, or a set of rules.

``B3[4]/S2[3]`` asks for a pattern and a rule of the set.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from satlife.life.rule import Rule
from satlife.problem.statement import read_open

LETTERS: Final = ".o" + "".join(chr(ord("A") + n) for n in range(1, 24))
"""How the states of a cell are drawn: dead, alive, and dying with the letters of RLE files."""
MANY_RULES: Final = 1 << 14
"""Rules that are remembered: a campaign goes through all of its rules for every motion."""


@lru_cache(maxsize=MANY_RULES)
def read_ordinary(text: str) -> str | None:
    """Return the canonical notation of a rule with two states and without B0; otherwise None.

    >>> read_ordinary("23/3"), read_ordinary("B2/S/3"), read_ordinary("B3[4]/S23")
    ('B3/S23', None, None)
    """
    if read_open(text) is not None:
        return None
    rule = Rule(text)
    return None if rule.states > 2 or rule.table[0] else str(rule)
