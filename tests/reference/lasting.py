"""Oscillators of a width and of any height: how high the lowest one is.

Row y of all p generations together is a letter, as for ships (``unbounded.py``); an oscillator is a
walk of pairs of letters from nothing to nothing, one letter longer at a time.  Every walk is
followed, whatever its mirror image, its phase, or how it is read from below.
"""

from __future__ import annotations

import json
from itertools import count, product

from tests.reference.asked import TooLarge
from tests.reference.rules import read_rules
from tests.reference.unbounded import Letter, Strip

LARGEST = 20_000
"""Pairs of letters that are looked at."""


def find_least_height(problem: bytes | str) -> int | None:
    """Return the number of rows of the lowest oscillator in a width; None if there is none."""
    fields = json.loads(problem)
    p, width = fields["motion"]["period"], int(fields["boxes"][0].split("x")[0])
    symmetry, kinds = fields.get("symmetry", "C1"), [each["type"] for each in fields["constraints"]]
    (table,) = read_rules(fields.get("rule", "B3/S23")).tables
    strip = Strip(table, width, symmetry == "D2|")
    rows = [row for row in strip.rows if "gutter" not in kinds or not row >> width // 2 & 1]
    parts = [p // q for q in range(2, p + 1) if p % q == 0]

    def lacks(letter: Letter) -> frozenset[int]:
        """Return the parts of the period that a row does not have; 0 if it is not empty.

        Where a cell must have the whole period, all or none: whether one has no part of it.
        """
        columns = [[row >> x & 1 for row in letter] for x in range(width)]
        found = [{n for n in parts if each[n:] + each[:n] != each} for each in columns]
        if "full-period" in kinds and parts:
            return frozenset(parts if set(parts) in found else ())
        return frozenset(set().union(*found) | ({0} if any(letter) else set()))

    def below(one: Letter, other: Letter) -> list[Letter]:
        ways = [
            [row for row in rows if strip.becomes(one[t], other[t], row) == other[(t + 1) % p]]
            for t in range(p)
        ]
        found = product(*ways)
        if symmetry != "C1:D2|":
            return list(found)
        half = p // 2
        mirrored = {row: int(f"{row:0{width}b}"[::-1], 2) for row in rows}
        return [c for c in found if all(mirrored[c[t]] == c[t + half] for t in range(half))]

    nothing: Letter = (0,) * p
    wanted = set(parts) or {0}
    start = nothing, nothing, frozenset[int]()
    level, seen = {start}, {start}
    for steps in count(1):
        after = set()
        for one, other, had in level:
            for letter in below(one, other):
                state = other, letter, had | lacks(letter)
                if state not in seen:
                    seen.add(state)
                    after.add(state)
        if any(state[:2] == (nothing, nothing) and wanted <= state[2] for state in after):
            return steps - 2
        if not after:
            return None
        if len(seen) > LARGEST:
            raise TooLarge(f"more than {LARGEST:,} pairs of letters")
        level = after
    raise AssertionError("counting has no end")
