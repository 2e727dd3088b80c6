"""The table of transitions: nine literals of one generation give one literal of the next.

This is what stands between space-time and an encoding: the first knows which cells are the same
cell, or known; the second knows clauses. Nothing here knows why two cells are the same.

>>> from satlife.life.rule import LIFE
>>> row = [FALSE, 1, 2, FALSE, 3, 4, FALSE, FALSE, FALSE]
>>> mirrored = [2, 1, FALSE, 4, 3, FALSE, FALSE, FALSE, FALSE]
>>> table = Transitions(np.array([row, mirrored]), np.array([9, 9]), np.zeros((2, 3)))
>>> len(distinct(table, LIFE))
1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.life.rule import Rule
from satlife.sat.formula import IntArray

TRUE: Final = 2**30
"""The literal that is always true; no variable is as large."""
FALSE: Final = -TRUE
"""The literal that is always false: a cell that is certainly dead."""

CENTRE: Final = 4
NEIGHBOURS: Final = (0, 1, 2, 3, 5, 6, 7, 8)

RowNumbers = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Transitions:
    """Rows of nine cells and their successor, as literals; constants are TRUE and FALSE.

    A literal may be negative, and one variable may stand in a row more than once.
    """

    cells: IntArray
    """Shape (n, 9): NW, N, NE, W, C, E, SW, S, SE."""
    successors: IntArray
    """Shape (n,): the centre one generation later."""
    places: IntArray
    """Shape (n, 3): x, y, t of the centre, or of one of the centres that this row stands for."""

    def __post_init__(self) -> None:
        count = len(self.successors)
        for name, shape in (
            ("cells", (count, 9)),
            ("successors", (count,)),
            ("places", (count, 3)),
        ):
            array = np.asarray(getattr(self, name), np.int32)
            if array.shape != shape:
                raise UsageError(f"{name} of {count} transitions have shape {array.shape}")
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.successors)

    def take(self, rows: RowNumbers | npt.NDArray[np.bool_]) -> Transitions:
        """Keep some of the rows."""
        return Transitions(self.cells[rows], self.successors[rows], self.places[rows])


def distinct(transitions: Transitions, rule: Rule) -> Transitions:
    """Keep one of each kind of row, the first, in the order in which they come.

    Under an outer-totalistic rule the order of the neighbours does not matter. Rows that say no
    more than that nothing comes of nothing go too. Solvers like a natural order, so it is kept.
    """
    cells, successors = transitions.cells, transitions.successors
    key = np.empty((len(transitions), 10), np.int32)
    key[:, :9] = cells
    key[:, 9] = successors
    if rule.is_outer_totalistic:
        key[:, :8] = np.sort(cells[:, NEIGHBOURS], axis=1)
        key[:, 8] = cells[:, CENTRE]
    first, _ = number_rows(key)
    if not rule.table[0]:
        first = first[(key[first] != FALSE).any(axis=1)]
    return transitions if len(first) == len(transitions) else transitions.take(first)


def number_rows(keys: IntArray) -> tuple[RowNumbers, RowNumbers]:
    """Number the distinct rows in the order of their first occurrence.

    Gives the first row of each number, and the number of each row.

    >>> first, number = number_rows(np.array([[3, 4], [1, 2], [3, 4]], np.int32))
    >>> first.tolist(), number.tolist()
    ([0, 1], [0, 1, 0])
    """
    if len(keys) == 0:
        none = np.zeros(0, np.intp)
        return none, none
    # Sorting rows as such is many times slower than sorting one number for each; but different
    # rows may have the same number, so the outcome is checked.
    hashes = _hash(keys)
    order = np.argsort(hashes)
    ordered = hashes[order]
    first, number = _number_runs(order, ordered[1:] != ordered[:-1])
    if not np.array_equal(keys, keys[first[number]]):
        order = np.lexsort(keys.T)
        first, number = _number_runs(order, (keys[order[1:]] != keys[order[:-1]]).any(axis=1))
    return first, number


def _hash(keys: IntArray) -> npt.NDArray[np.uint64]:
    # Multiplicative hashing by 2**64 over the golden ratio (Knuth, TAOCP 6.4).
    multiplier = 0x9E3779B97F4A7C15
    total = np.zeros(len(keys), np.uint64)
    for column in keys.T:
        total ^= total >> np.uint64(29)
        total *= np.uint64(multiplier)
        total += column.astype(np.uint64)
    return total * np.uint64(multiplier)


def _number_runs(
    order: RowNumbers, changes: npt.NDArray[np.bool_]
) -> tuple[RowNumbers, RowNumbers]:
    """Number sorted runs by where they occur first; ``changes`` marks a run's end."""
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])
    first = np.minimum.reduceat(order, starts)
    by_first = np.argsort(first)
    rank = np.empty(len(first), np.intp)
    rank[by_first] = np.arange(len(first))
    number = np.empty(len(order), np.intp)
    number[order] = np.repeat(rank, np.diff(np.append(starts, len(order))))
    return first[by_first], number
