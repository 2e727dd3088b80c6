"""Ships to the north in a strip of some width and of any length: is there one?

Row y of all p generations together is a letter.  Whether letters can follow each other is seen from
three of them, because the rule looks one row up and one down, and a ship that travels one cell
north has its generation p one row above generation 0.  So a ship is a walk of pairs of letters from
nothing to nothing.

A ship that moves one cell to the left as well is seen in rows that each begin a cell further right:
then it goes straight up, and what is around a cell lies askew.  One that moves several cells up for
one to the left is turned over: it moves one cell up and several to the left.
"""

from __future__ import annotations

import json
from itertools import product

from tests.reference.asked import TooLarge
from tests.reference.rules import Table, read_rules

Letter = tuple[int, ...]
"""A row of each generation, as a number."""
LARGEST = 30_000
"""Pairs of letters that are looked at."""


class Strip:
    """A width and a rule, of two states and without births from nothing."""

    def __init__(self, table: Table, width: int, mirrored: bool = False, askew: int = 0) -> None:
        self.table, self.width, self.askew = table, width, askew
        numbers = range(2**width)
        self.rows = [n for n in numbers if not mirrored or n == self._mirror(n)]
        self._becomes: dict[tuple[int, int, int], int | None] = {}

    def _mirror(self, row: int) -> int:
        return int(f"{row:0{self.width}b}"[::-1], 2)

    def becomes(self, above: int, row: int, below: int) -> int | None:
        """Return what a row becomes; None if something is born beside the strip."""
        three = above, row, below
        if three not in self._becomes:
            beside = self.askew + 1
            edge = "0" * 2 * beside
            bits = [f"{edge}{each:0{self.width}b}{edge}" for each in three]
            shifts = self.askew, 0, -self.askew
            nine = [
                [
                    line[x - 1 + shift : x + 2 + shift]
                    for line, shift in zip(bits, shifts, strict=True)
                ]
                for x in range(beside, self.width + 3 * beside)
            ]
            next_row = "".join(str(int(self.table[int("".join(each), 2)])) for each in nine)
            inside = next_row[beside:-beside]
            self._becomes[three] = (
                int(inside, 2) if next_row.count("1") == inside.count("1") else None
            )
        return self._becomes[three]

    def followers(self, one: Letter, other: Letter) -> list[Letter]:
        """Return the letters that can stand below two letters."""
        period = len(one)
        last = [
            (row, first)
            for row in self.rows
            if (first := self.becomes(one[-1], other[-1], row)) is not None
        ]
        middle = [
            [row for row in self.rows if self.becomes(one[t], other[t], row) == other[t + 1]]
            for t in range(period - 1)
        ]
        return [
            (first, *between, row)
            for row, first in last
            if first in middle[0]
            for between in product(*middle[1:])
        ]


def has_ship(problem: bytes | str) -> bool:
    """Whether a ship of one cell north in p generations exists, p at least 2, of any length.

    It may go north-west, too, or a cell west for several north, if it has no mirror.
    """
    fields = json.loads(problem)
    motion, width = fields["motion"], int(fields["boxes"][0].split("x")[0])
    period, mirrored = motion["period"], fields.get("symmetry", "C1") == "D2|"
    dx, dy = motion.get("dx", 0), motion["dy"]
    assert dy == -1 or dx == -1, "only one cell north, or west"
    askew = dx and -dy
    assert not askew or (dx == -1 and not mirrored), "not to the side"
    assert period > 1, "not at the speed of light"
    (table,) = read_rules(fields.get("rule", "B3/S23")).tables
    if askew > 1:
        order = [sum((n >> 3 * (i % 3) + i // 3 & 1) << i for i in range(9)) for n in range(512)]
        table = [table[n] for n in order]
    strip = Strip(table, width, mirrored, askew)
    nothing: Letter = (0,) * period
    waiting, seen = [(nothing, nothing)], {(nothing, nothing)}
    while waiting:
        one, other = waiting.pop()
        for below in strip.followers(one, other):
            if (one, other) != (nothing, nothing) and (other, below) == (nothing, nothing):
                return True
            if (other, below) not in seen:
                seen.add((other, below))
                waiting.append((other, below))
        if len(seen) > LARGEST:
            raise TooLarge(f"more than {LARGEST:,} pairs of letters")
    return False
