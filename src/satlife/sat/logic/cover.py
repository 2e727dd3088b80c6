"""Few clauses for a small relation.

The relation is over a product of short axes.  An axis is an ordered chain of k values in unary: its
k - 1 literals mean "at least 1", "at least 2", …; an axis of two values is one plain literal.  A
clause forbids a box, which is a product of intervals, one on each axis.  So a formula for the
relation is a set of boxes that cover everything forbidden and nothing allowed.  Some points are
free: they cannot occur, or are forbidden elsewhere, and may be covered or not.

First all maximal boxes are found on the lattice of intervals; for binary axes these are the prime
implicates of Quine and McCluskey's method.  Then the boxes with the fewest literals are chosen that
cover everything (see :mod:`satlife.sat.logic.choosing`).

>>> print(define([[0, 1], [1, 1]]))  # the output, in the last column, is "a or b"
[[ 0 -1  1]
 [-1  0  1]
 [ 1  1 -1]]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from satlife.sat.logic.choosing import choose

BoolArray = npt.NDArray[np.bool_]
IndexArray = npt.NDArray[np.intp]
ClauseMatrix = npt.NDArray[np.int8]
"""Clauses as rows, slots as columns: 1 the literal itself, -1 its negation, 0 absent."""


def define(table: npt.ArrayLike, free: npt.ArrayLike | None = None) -> ClauseMatrix:
    """Return clauses that make an output, the last slot, follow a table.

    Given values for all inputs, unit propagation alone finds the output.  Where ``free`` is true
    the inputs cannot occur, and the output may be anything.
    """
    value = np.asarray(table, bool)
    forbidden = np.stack([value, ~value], axis=-1)
    unbound = np.zeros(value.shape, bool) if free is None else np.asarray(free, bool)
    return forbid(forbidden, np.broadcast_to(unbound[..., None], forbidden.shape))


def forbid(forbidden: npt.ArrayLike, free: npt.ArrayLike | None = None) -> ClauseMatrix:
    """Return clauses that exclude the forbidden points, and otherwise only free ones."""
    must = np.asarray(forbidden, bool)
    if free is None:
        may = must
    else:
        unbound = np.asarray(free, bool)
        must, may = must & ~unbound, must | unbound
    low, high = find_cover(must, may)
    return _exclude(low, high, must.shape)


def find_cover(must: BoolArray, may: BoolArray) -> tuple[IndexArray, IndexArray]:
    """Return the lowest and highest corners of boxes inside ``may`` that cover ``must``."""
    low, high = find_maximal_boxes(may)
    points = np.argwhere(must)
    covers = np.ones((len(low), len(points)), bool)
    for axis in range(must.ndim):
        place = points[:, axis]
        covers &= (low[:, axis, None] <= place) & (place <= high[:, axis, None])
    useful = covers.any(axis=1)
    low, high, covers = low[useful], high[useful], covers[useful]
    # One more for the clause itself: of equally many literals, fewer clauses.
    literals = (low > 0).sum(axis=1) + (high < np.array(must.shape) - 1).sum(axis=1)
    order = np.argsort(literals, kind="stable")  # short clauses come first
    chosen = order[choose(covers[order], literals[order] + 1)]
    return low[chosen], high[chosen]


def find_maximal_boxes(may: BoolArray) -> tuple[IndexArray, IndexArray]:
    """Return all boxes inside ``may`` that are not part of a larger one."""
    inside = may
    intervals = [_intervals(size) for size in may.shape]
    for axis, (lows, highs) in enumerate(intervals):
        # The interval [a, b] is [a, b - 1] and the point b; it begins with the points themselves.
        parts = np.moveaxis(inside, axis, 0)
        grown = np.empty((len(lows), *parts.shape[1:]), bool)
        for k, (a, b) in enumerate(zip(lows, highs, strict=True)):
            grown[k] = parts[b] if a == b else grown[k - 1] & parts[b]
        inside = np.moveaxis(grown, 0, axis)
    maximal = inside.copy()
    for axis, (lows, highs) in enumerate(intervals):
        # Every part of a box inside ``may`` is inside, so one step on one axis decides.
        number = {ends: k for k, ends in enumerate(zip(lows, highs, strict=True))}
        boxes, result = np.moveaxis(inside, axis, 0), np.moveaxis(maximal, axis, 0)
        for (a, b), k in number.items():
            for larger in ((a - 1, b), (a, b + 1)):
                if larger in number:
                    result[k] &= ~boxes[number[larger]]
    corners = np.argwhere(maximal)
    low = np.stack([np.array(lows)[corners[:, i]] for i, (lows, _) in enumerate(intervals)], axis=1)
    high = np.stack([np.array(ends)[corners[:, i]] for i, (_, ends) in enumerate(intervals)], 1)
    return low.astype(np.intp), high.astype(np.intp)


def _intervals(size: int) -> tuple[Sequence[int], Sequence[int]]:
    pairs = [(a, b) for a in range(size) for b in range(a, size)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def _exclude(low: IndexArray, high: IndexArray, shape: tuple[int, ...]) -> ClauseMatrix:
    """Return the clause that excludes each box: below its low end, or above its high end."""
    clauses = np.zeros((len(low), sum(shape) - len(shape)), np.int8)
    first = 0
    for axis, size in enumerate(shape):
        for value in range(1, size):
            slot = first + value - 1
            clauses[low[:, axis] == value, slot] = -1
            clauses[high[:, axis] == value - 1, slot] = 1
        first += size - 1
    return clauses
