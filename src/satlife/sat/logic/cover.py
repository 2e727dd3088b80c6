"""Minimal clauses for a relation: its prime implicates, and the cheapest set that covers it.

The relation is over a product of short axes.  An axis is an ordered chain of k values in unary: its
k - 1 literals mean "at least 1", "at least 2", …; an axis of two values is one plain literal.  A
clause forbids a box, which is a product of intervals, one on each axis.  So a formula for the
relation is a set of boxes that cover everything forbidden and nothing allowed.  Some points are
free: they cannot occur, or are forbidden elsewhere, and may be covered or not.

First all maximal boxes are found on the lattice of intervals; for binary axes these are the prime
implicates of Quine and McCluskey's method.  Then :func:`choose` picks a cover with the fewest
literals.

>>> print(define([[0, 1], [1, 1]]))  # the output, in the last column, is "a or b"
[[ 0 -1  1]
 [-1  0  1]
 [ 1  1 -1]]

This is weighted set cover: each row is a clause, each column a point that some clause must forbid,
and the cost of a clause is its number of literals.  Dominated rows and columns are removed first,
which often settles everything (Coudert, "Two-level logic minimization: an overview", Integration
17, 1994).  The rest falls into independent parts, for each of which the core-guided MaxSAT solver
RC2 finds an optimal choice (Ignatiev, Morgado and Marques-Silva, JSAT 11, 2019).

RC2 has a limit, counted in conflicts and not in seconds, so that a formula is the same in every run
and on every machine.  Beyond it, a greedy choice is improved by large-neighbourhood search: some of
its rows are removed, and RC2 fills the gap in the best way, repeatedly.  That choice is small, but
may not be optimal.

>>> covers = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 0]], bool)
>>> choose(covers, np.array([2, 2, 2, 1])).tolist()
[0, 2]

:func:`define_through` finds clauses for a function of helper variables.  The inputs come in groups,
and every group has a number of *states* (three cells have eight).  Each state determines the values
of several literals: of the inputs themselves, and of helpers such as "at least two of them".  A
conjunction of a few of these literals selects some of the states, and a clause combines selections,
one in every group, that determine the output.  All selections that cannot be enlarged without more
literals are found, and the cheapest cover of the table by them is chosen.

>>> count = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]).sum(axis=1)
>>> view = np.stack([count >= 1, count >= 2], axis=1)  # "one of two lives", "both live"
>>> define_through(count == 1, [view]).tolist()  # the output is in the last column
[[-1, 1, 1], [1, 0, -1], [0, -1, -1]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

BoolArray = npt.NDArray[np.bool_]
IndexArray = npt.NDArray[np.intp]

CONFLICTS: Final = 1000
"""Conflict limit of RC2 for a part."""
ROUNDS: Final = 20
"""Rounds of improvement of a greedy choice."""
GAP: Final = 30
"""The approximate number of rows that are replaced in one round."""
GAP_CONFLICTS: Final = 300
"""Conflict limit of RC2 for a gap."""
AT_A_TIME: Final = 512
"""Sets that are compared with all earlier ones at a time."""


def choose(covers: BoolArray, costs: npt.NDArray[np.integer], *, quick: bool = False) -> IndexArray:
    """Return rows that together cover every column, at the minimum cost or close to it.

    Every column must be in some row, and every cost is at least 1.  A quick choice is greedy.
    """
    if quick:
        return np.sort(_choose_greedily(covers, costs))
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
    """Return the rows and columns that are left to decide, and the essential rows."""
    rows, columns = np.arange(covers.shape[0]), np.arange(covers.shape[1])
    needed: list[int] = []
    size = (-1, -1)
    while size != (len(rows), len(columns)):
        size = (len(rows), len(columns))
        rows = rows[_undominated(covers[np.ix_(rows, columns)], costs[rows])]
        # If every row that covers one column also covers another, the other is redundant.
        columns = columns[_undominated(~covers[np.ix_(rows, columns)].T, np.ones(len(columns)))]
        part = covers[np.ix_(rows, columns)]
        alone = np.flatnonzero(part[:, part.sum(axis=0) == 1].any(axis=1))
        needed += rows[alone].tolist()
        columns = columns[~part[alone].any(axis=0)]
        rows = np.delete(rows, alone)
        rows = rows[covers[np.ix_(rows, columns)].any(axis=1)]
    return rows, columns, needed


def _undominated(sets: BoolArray, costs: npt.NDArray[np.number]) -> IndexArray:
    """Return the sets that are not subsets of another set that costs no more."""
    # Larger and cheaper ones first: a set can only be dominated by an earlier one.
    order = np.lexsort((costs, -sets.sum(axis=1)))
    prices, count = costs[order], len(order)
    words = np.zeros((count, -(-sets.shape[1] // 64)), np.uint64)
    words.view(np.uint8)[:, : -(-sets.shape[1] // 8)] = np.packbits(sets[order], axis=1)
    kept = np.arange(0)
    for start in range(0, count, AT_A_TIME):
        block = np.arange(start, min(start + AT_A_TIME, count))
        # What dominates a set that dominates another one dominates that too, so those before the
        # block that are left are enough, and in the block itself all.
        earlier = np.concatenate([kept, block])
        dominates = prices[earlier, None] <= prices[block]
        dominates &= earlier[:, None] < block
        for word in words.T:
            dominates &= (word[block] & ~word[earlier, None]) == 0
        kept = np.concatenate([kept, block[~dominates.any(axis=0)]])
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
    """Return an optimal choice, or None if RC2 does not find one within its limit."""
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
    """Return a greedy choice, by columns covered per cost, without redundant rows."""
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
    """Return a choice that is no more expensive, by optimal replacement of some rows at a time."""
    shuffle = np.random.default_rng(0)
    for _ in range(ROUNDS):
        # Rows that overlap much are replaced together.
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


ClauseMatrix = npt.NDArray[np.int8]
"""Clauses as rows, slots as columns: 1 the literal itself, -1 its negation, 0 absent."""


def define(
    table: npt.ArrayLike, free: npt.ArrayLike | None = None, *, quick: bool = False
) -> ClauseMatrix:
    """Return clauses that make an output, the last slot, follow a table.

    Given values for all inputs, unit propagation alone finds the output.  Where ``free`` is true
    the inputs cannot occur, and the output may be anything.  ``quick`` is as in :func:`choose`.
    """
    value = np.asarray(table, bool)
    forbidden = np.stack([value, ~value], axis=-1)
    unbound = np.zeros(value.shape, bool) if free is None else np.asarray(free, bool)
    return forbid(forbidden, np.broadcast_to(unbound[..., None], forbidden.shape), quick=quick)


def forbid(
    forbidden: npt.ArrayLike, free: npt.ArrayLike | None = None, *, quick: bool = False
) -> ClauseMatrix:
    """Return clauses that exclude the forbidden points, and at most free points besides."""
    must = np.asarray(forbidden, bool)
    if free is None:
        may = must
    else:
        unbound = np.asarray(free, bool)
        must, may = must & ~unbound, must | unbound
    low, high = find_cover(must, may, quick=quick)
    return _exclude(low, high, must.shape)


def find_cover(
    must: BoolArray, may: BoolArray, *, quick: bool = False
) -> tuple[IndexArray, IndexArray]:
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
    chosen = order[choose(covers[order], literals[order] + 1, quick=quick)]
    return low[chosen], high[chosen]


def find_maximal_boxes(may: BoolArray) -> tuple[IndexArray, IndexArray]:
    """Return the maximal boxes inside ``may``."""
    inside = may
    intervals = [np.triu_indices(size) for size in may.shape]
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
        steps = [(number.get((a - 1, b)), number.get((a, b + 1))) for a, b in number]
        for larger in zip(*steps, strict=True):
            few = [k for k, step in enumerate(larger) if step is not None]
            result[few] &= ~boxes[[larger[k] for k in few]]
    corners = np.argwhere(maximal)
    low = np.stack([lows[corners[:, i]] for i, (lows, _) in enumerate(intervals)], axis=1)
    high = np.stack([highs[corners[:, i]] for i, (_, highs) in enumerate(intervals)], axis=1)
    return low, high


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


class _Selections(Struct, frozen=True, eq=False, dict=True):
    """The sets of states that conjunctions of a group's literals select, each once."""

    states: BoolArray
    """Shape (selections, states)."""
    literals: ClauseMatrix
    """Shape (selections, slots): 1 if the literal must be true, -1 if it must be false."""

    @cached_property
    def costs(self) -> IndexArray:
        """The number of literals of each selection."""
        costs: IndexArray = np.count_nonzero(self.literals, axis=1)
        return costs

    @cached_property
    def larger(self) -> list[IndexArray]:
        """For each selection, those that contain it at no extra cost."""
        contains = (self.states | ~self.states[:, None]).all(axis=2)
        contains &= (self.costs <= self.costs[:, None]) & ~np.eye(len(self.costs), dtype=np.bool_)
        return [np.flatnonzero(row) for row in contains]


def define_through(
    table: npt.ArrayLike, views: Sequence[BoolArray], *, quick: bool = False
) -> ClauseMatrix:
    """Return clauses that make an output, the last slot, follow a table.

    The table has an axis for each group, over its states.  A view has the shape (states, slots);
    the slots of the clauses are those of the views, one after the other.  Given values for all
    slots of the views, unit propagation alone finds the output.
    """
    value = np.asarray(table, bool)
    groups = [_select(tuple(map(tuple, np.asarray(view, bool).tolist()))) for view in views]
    return np.concatenate([_imply(value == out, groups, out, quick) for out in (True, False)])


@lru_cache(maxsize=8)
def _select(rows: tuple[tuple[bool, ...], ...]) -> _Selections:
    """Return the selections of a view, each with the fewest literals, sorted by their number."""
    view = np.array(rows, bool)
    states, slots = view.shape
    found = {(True,) * states: np.zeros(slots, np.int8)}
    layer = dict(found)
    while layer:
        longer: dict[tuple[bool, ...], ClauseMatrix] = {}
        for selected, literals in layer.items():
            for slot in range(slots):
                for sign in (1, -1):
                    smaller = np.array(selected) & (view[:, slot] == (sign > 0))
                    key = tuple(smaller.tolist())
                    if smaller.any() and key not in found and key not in longer:
                        longer[key] = literals.copy()
                        longer[key][slot] = sign
        found |= longer
        layer = longer
    return _Selections(np.array(list(found)), np.array(list(found.values()), np.int8))


def _imply(wanted: BoolArray, groups: list[_Selections], output: bool, quick: bool) -> ClauseMatrix:
    """Return the clauses that imply one value of the output."""
    if not wanted.any():
        return np.zeros((0, sum(each.literals.shape[1] for each in groups) + 1), np.int8)
    inside = wanted
    for axis, group in enumerate(groups):
        parts = np.moveaxis(inside, axis, 0)
        grown = np.stack([parts[selected].all(axis=0) for selected in group.states])
        inside = np.moveaxis(grown, 0, axis)
    products = np.argwhere(_maximal(inside, groups))
    covers = np.ones((len(products), *(1,) * wanted.ndim), bool)
    for axis, group in enumerate(groups):
        shape = [len(products), *(1,) * wanted.ndim]
        shape[axis + 1] = group.states.shape[1]
        covers = covers & group.states[products[:, axis]].reshape(shape)
    covers = covers.reshape(len(products), -1)[:, wanted.reshape(-1)]
    # One for the output, and one for the clause itself: of equally many literals, fewer clauses.
    costs = np.full(len(products), 2)
    for axis, group in enumerate(groups):
        costs += group.costs[products[:, axis]]
    chosen = products[choose(covers, costs, quick=quick)]
    literals = [-group.literals[chosen[:, axis]] for axis, group in enumerate(groups)]
    sign = np.full((len(chosen), 1), 1 if output else -1, np.int8)
    return np.concatenate([*literals, sign], axis=1)


def _maximal(inside: BoolArray, groups: list[_Selections]) -> BoolArray:
    """Return the products inside in which no factor has a larger replacement at no extra cost."""
    result = inside.copy()
    for axis, group in enumerate(groups):
        parts, kept = np.moveaxis(inside, axis, 0).copy(), np.moveaxis(result, axis, 0)
        for k, larger in enumerate(group.larger):
            kept[k] &= ~parts[larger].any(axis=0)
    return result
