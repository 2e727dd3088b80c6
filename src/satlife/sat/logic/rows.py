"""Numbering the distinct rows of an array: the step by which equal parts of a formula are shared.

>>> first, number = number_rows(np.array([[3, 4], [1, 2], [3, 4]], np.int32))
>>> first.tolist(), number.tolist()
([0, 1], [0, 1, 0])
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

RowNumbers = npt.NDArray[np.intp]


def number_rows(keys: npt.NDArray[np.signedinteger]) -> tuple[RowNumbers, RowNumbers]:
    """Return the first row of each kind, in the order of occurrence, and the kind of each row."""
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


def _hash(keys: npt.NDArray[np.signedinteger]) -> npt.NDArray[np.uint64]:
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
