"""Rules as bit-parallel circuits: one operation steps the cells of 64 columns at once.

A *plane* is an array of 64-bit words indexed ``[row, tile]``; a bit of a word is a cell, the lowest
one the leftmost. A rule becomes a straight list of operations on planes: for rules that count, an
adder gives the number of neighbours in four planes, and a decision diagram of the rule's table
gives the next state; for other rules the diagram asks for all nine cells.

>>> from satlife.life.rule import LIFE
>>> blinker = np.array([[0], [0], [0b01110], [0], [0]], dtype=np.uint64)
>>> [f"{int(word):05b}" for word in build_step(LIFE)(blinker)[:, 0]]
['00100', '00100', '00100']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.neighbourhood import BITS
from satlife.life.rule import Rule

Plane: TypeAlias = NDArray[np.uint64]
Step: TypeAlias = Callable[[Plane], Plane]
"""From H rows to the H - 2 rows between them; the outermost columns of the result mean nothing."""

_Table: TypeAlias = tuple[int | None, ...]
"""The value of a function for each of its arguments; ``None`` where the argument cannot occur."""

_ONE: Final = np.uint64(1)
_ZERO_NODE: Final = -1
_ONE_NODE: Final = -2


def can_step(rule: Rule) -> bool:
    """Whether a rule runs bit-parallel: two states, and a background that does not flash."""
    return rule.states == 2 and not rule.is_strobing


@lru_cache(maxsize=32)
def build_step(rule: Rule) -> Step:
    """Build the function that steps all cells of a plane by one generation."""
    if not can_step(rule):
        raise UsageError(
            f"{rule} does not run bit-parallel: it has more than two states, or B0 without S8"
        )
    [phase] = rule.phases
    if phase.count_table is None:
        decide = _Diagram(tuple(phase.table.tolist())).evaluate
        return lambda plane: decide(_nine_planes(plane))
    counts = phase.count_table.tolist()
    # The argument's bits: the count of the neighbours, the eight first, and the cell itself.
    table = tuple(
        counts[9 * (index & 1) + (index >> 1)] if index >> 1 <= 8 else None for index in range(32)
    )
    decide = _Diagram(table).evaluate
    return lambda plane: decide(_count_planes(plane))


def _nine_planes(plane: Plane) -> list[Plane]:
    """Return the planes of the nine neighbours, in the order of the bits of a rule's index."""
    height = len(plane) - 2
    shifted = {-1: plane << _ONE, 0: plane, 1: plane >> _ONE}
    return [shifted[dx][1 + dy : 1 + dy + height] for dx, dy in BITS]


def _count_planes(plane: Plane) -> list[Plane]:
    """Return how many neighbours live, as the planes of 8, 4, 2 and 1, and the cells themselves."""
    west, east = plane << _ONE, plane >> _ONE
    sides, both = west ^ east, west & east
    low, high = sides ^ plane, both | (sides & plane)  # of three cells in a row
    above, below, beside = low[:-2], low[2:], sides[1:-1]
    odd = above ^ below
    ones = odd ^ beside
    carry = (above & below) | (odd & beside)
    one, other = high[:-2] ^ high[2:], both[1:-1] ^ carry
    twos = one ^ other
    first, second, third = high[:-2] & high[2:], both[1:-1] & carry, one & other
    return [first & second, first ^ second ^ third, twos, ones, plane[1:-1]]


class _Diagram:
    """A reduced decision diagram of a table, as a list of operations on planes."""

    def __init__(self, table: _Table) -> None:
        self.inputs = len(table).bit_length() - 1
        self.operations: list[tuple[Callable[..., Plane], int, int]] = []
        self._places: dict[object, int] = {}
        self.result = self._place(table, 0)

    def evaluate(self, planes: Sequence[Plane]) -> Plane:
        """Compute the table's value for every bit; ``planes[0]`` is the argument's highest bit."""
        if self.result < 0:
            constant = 0 if self.result == _ZERO_NODE else np.iinfo(np.uint64).max
            return np.full_like(planes[0], constant)
        values = list(planes)
        for function, left, right in self.operations:
            values.append(function(values[left], values[right]))
        return values[self.result]

    def _place(self, table: _Table, variable: int) -> int:
        """Return where the value of a table is among the inputs and results."""
        if 1 not in table:
            return _ZERO_NODE
        if 0 not in table:
            return _ONE_NODE
        half = len(table) // 2
        low, high = table[:half], table[half:]
        if all(a is None or b is None or a == b for a, b in zip(low, high, strict=True)):
            merged = tuple(b if a is None else a for a, b in zip(low, high, strict=True))
            return self._place(merged, variable + 1)
        if (variable, table) not in self._places:
            places = self._place(low, variable + 1), self._place(high, variable + 1)
            self._places[variable, table] = self._choose(variable, *places)
        return self._places[variable, table]

    def _choose(self, variable: int, low: int, high: int) -> int:
        """Return the place of ``high`` where the variable is 1, and of ``low`` where it is 0."""
        if low == _ZERO_NODE:
            return variable if high == _ONE_NODE else self._add(np.bitwise_and, variable, high)
        if high == _ONE_NODE:
            return self._add(np.bitwise_or, variable, low)
        if high == _ZERO_NODE or low == _ONE_NODE:
            inverse = self._add(_invert, variable, variable)
            if high == _ZERO_NODE:
                return inverse if low == _ONE_NODE else self._add(np.bitwise_and, inverse, low)
            return self._add(np.bitwise_or, inverse, high)
        differs = self._add(np.bitwise_xor, low, high)
        return self._add(np.bitwise_xor, low, self._add(np.bitwise_and, variable, differs))

    def _add(self, function: Callable[..., Any], left: int, right: int) -> int:
        key = (function, min(left, right), max(left, right))
        if key not in self._places:
            self.operations.append((function, left, right))
            self._places[key] = self.inputs + len(self.operations) - 1
        return self._places[key]


def _invert(plane: Plane, _: Plane) -> Plane:
    return ~plane
