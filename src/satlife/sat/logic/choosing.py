"""Choosing the cheapest sets that cover everything.

A cover of a small function by clauses is such a choice: each row is a clause, each column a case
that some clause must deal with, and a clause costs its literals.  Rows and columns that do not
matter are removed first, which often settles all (Coudert, "Two-level logic minimization: an
overview", Integration 17, 1994).  What is left falls into independent parts.  For each of them RC2,
which is a core-guided MaxSAT solver, finds the best choice (Ignatiev, Morgado and Marques-Silva,
JSAT 11, 2019).

RC2 has a limit, counted in conflicts and not in seconds, so that a formula is the same in every run
and on every machine.  Beyond it, a greedy choice is improved: some of its rows are taken out, and
RC2 puts in the best ones for the gap, again and again.  That choice is small, and may not be best.

>>> covers = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 0]], bool)
>>> choose(covers, np.array([2, 2, 2, 1])).tolist()
[0, 2]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
IndexArray = npt.NDArray[np.intp]

CONFLICTS: Final = 1000
"""How hard RC2 tries to find the best choice for a part."""
ROUNDS: Final = 20
"""How often a choice that may not be best is improved."""
GAP: Final = 30
"""About how many rows are taken out and put in again, in one round."""
GAP_CONFLICTS: Final = 300
"""How hard RC2 tries to fill a gap."""


def choose(covers: BoolArray, costs: npt.NDArray[np.integer]) -> IndexArray:
    """Return rows that together cover every column, at the least cost or close to it.

    Every column must be in some row, and every cost is at least 1.
    """
    rows, columns, needed = _reduce(covers, costs)
    chosen = list(needed)
    for part_rows, part_columns in _split(covers, rows, columns):
        part = covers[np.ix_(part_rows, part_columns)]
        best = _solve(part, costs[part_rows], CONFLICTS)
        if best is None:
            best = _improve(part, costs[part_rows], _choose_greedily(part, costs[part_rows]))
        chosen += part_rows[best].tolist()
    return np.sort(np.array(chosen, np.intp))


def _reduce(
    covers: BoolArray, costs: npt.NDArray[np.integer]
) -> tuple[IndexArray, IndexArray, list[int]]:
    """Return the rows and columns that are left to decide, and the rows that are needed anyway."""
    rows, columns = np.arange(covers.shape[0]), np.arange(covers.shape[1])
    needed: list[int] = []
    size = (-1, -1)
    while size != (len(rows), len(columns)):
        size = (len(rows), len(columns))
        rows = rows[_undominated(covers[np.ix_(rows, columns)], costs[rows])]
        # Whoever covers a column's rows' least set covers the larger ones too.
        columns = columns[_undominated(~covers[np.ix_(rows, columns)].T, np.ones(len(columns)))]
        part = covers[np.ix_(rows, columns)]
        alone = np.flatnonzero(part[:, part.sum(axis=0) == 1].any(axis=1))
        needed += rows[alone].tolist()
        columns = columns[~part[alone].any(axis=0)]
        rows = np.delete(rows, alone)
        rows = rows[covers[np.ix_(rows, columns)].any(axis=1)]
    return rows, columns, needed


def _undominated(sets: BoolArray, costs: npt.NDArray[np.number]) -> IndexArray:
    """Return the sets that are not part of another one that costs no more."""
    # Larger and cheaper ones first: a set can only be dominated by an earlier one.
    order = np.lexsort((costs, -sets.sum(axis=1)))
    prices = costs[order]
    words = np.zeros((len(sets), -(-sets.shape[1] // 64)), np.uint64)
    words.view(np.uint8)[:, : -(-sets.shape[1] // 8)] = np.packbits(sets[order], axis=1)
    missing = ~words  # of the sets that are kept, in the first places
    kept: list[int] = []
    for k, price in enumerate(prices.tolist()):
        count = len(kept)
        beyond = (words[k] & missing[:count]).any(axis=1)
        if (beyond | (prices[kept] > price)).all():
            missing[count] = missing[k]
            kept.append(k)
    return np.sort(order[kept])


def _split(
    covers: BoolArray, rows: IndexArray, columns: IndexArray
) -> Iterator[tuple[IndexArray, IndexArray]]:
    """Yield the independent parts: no row of one covers a column of another."""
    part = covers[np.ix_(rows, columns)]
    left = np.ones(len(columns), bool)
    while left.any():
        inside = np.zeros(len(columns), bool)
        inside[np.argmax(left)] = True
        members = part[:, inside].any(axis=1)
        reached = -1
        while reached < (reached := int(inside.sum())):
            inside = np.logical_or.reduce(part[members], axis=0)
            members = np.logical_or.reduce(part[:, inside], axis=1)
        yield rows[members], columns[inside]
        left &= ~inside


def _solve(covers: BoolArray, costs: npt.NDArray[np.integer], conflicts: int) -> IndexArray | None:
    """Return the cheapest choice, or None if RC2 does not find it within its limit."""
    from pysat.examples.rc2 import RC2Stratified  # noqa: PLC0415 - most covers are settled without it
    from pysat.formula import WCNF  # noqa: PLC0415

    formula = WCNF()
    for column in covers.T:
        formula.append((np.flatnonzero(column) + 1).tolist())
    for row, cost in enumerate(costs.tolist(), 1):
        formula.append([-row], weight=cost)
    with RC2Stratified(formula) as solver:
        solver.oracle.conf_budget(conflicts)
        model = solver.compute(expect_interrupt=True)
    if model is None:
        return None
    return np.array([row - 1 for row in model if 0 < row <= len(covers)], np.intp)


def _choose_greedily(covers: BoolArray, costs: npt.NDArray[np.integer]) -> IndexArray:
    """Return always the row that covers most for its cost, without those not needed in the end."""
    left = np.ones(covers.shape[1], bool)
    gain = covers.sum(axis=1)
    chosen: list[int] = []
    while left.any():
        best = int(np.argmax(gain / costs))
        chosen.append(best)
        fresh = left & covers[best]
        gain = gain - covers[:, fresh].sum(axis=1)
        left &= ~fresh
    times = covers[chosen].sum(axis=0)
    for row in sorted(chosen, key=lambda row: -int(costs[row])):
        if (times[covers[row]] > 1).all():
            chosen.remove(row)
            times -= covers[row]
    return np.array(chosen, np.intp)


def _improve(covers: BoolArray, costs: npt.NDArray[np.integer], chosen: IndexArray) -> IndexArray:
    """Return a choice that is no more expensive, by filling gaps in the best way."""
    shuffle = np.random.default_rng(0)
    for _ in range(ROUNDS):
        # Rows that cover much of the same belong to one gap.
        centre = covers[shuffle.choice(chosen)]
        near = (covers[chosen] & centre).sum(axis=1) + shuffle.random(len(chosen))
        order = np.argsort(-near)
        kept, gap = chosen[order[GAP:]], chosen[order[:GAP]]
        columns = np.flatnonzero(~covers[kept].any(axis=0))
        rows = np.flatnonzero(covers[:, columns].any(axis=1))
        filled = _solve(covers[np.ix_(rows, columns)], costs[rows], GAP_CONFLICTS)
        if filled is not None and costs[rows[filled]].sum() <= costs[gap].sum():
            chosen = np.concatenate([kept, rows[filled]])
    return chosen
