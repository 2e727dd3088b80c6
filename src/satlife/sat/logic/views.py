"""Few clauses for a function whose inputs are seen through helpers.

The inputs come in groups, and every group has a number of *states* (three cells have eight).  For
each state the value of several literals is known: of the inputs themselves, and of helpers such as
"at least two of them".  A conjunction of a few of these literals selects some of the states, and a
clause is such a selection in every group that determines the output.

All selections that cannot be made larger without more literals are found, and the cheapest of them
that cover the table are chosen.

>>> count = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]).sum(axis=1)
>>> view = np.stack([count >= 1, count >= 2], axis=1)  # "one of two lives", "both live"
>>> define_through(count == 1, [view]).tolist()  # the output is in the last column
[[-1, 1, 1], [1, 0, -1], [0, -1, -1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from satlife.sat.logic.choosing import choose
from satlife.sat.logic.cover import BoolArray, ClauseMatrix, IndexArray


@dataclass(frozen=True, eq=False)
class _Selections:
    """What conjunctions of a group's literals select, each set of states once."""

    states: BoolArray
    """Shape (selections, states)."""
    literals: ClauseMatrix
    """Shape (selections, slots): 1 if the literal must be true, -1 if it must be false."""

    @property
    def costs(self) -> IndexArray:
        """The number of literals of each."""
        costs: IndexArray = np.count_nonzero(self.literals, axis=1)
        return costs


def define_through(table: npt.ArrayLike, views: Sequence[BoolArray]) -> ClauseMatrix:
    """Return clauses that make an output, the last slot, follow a table.

    The table has an axis for each group, over its states.  A view has the shape (states, slots);
    the slots of the clauses are those of the views, one after the other.  Given values for all
    slots of the views, unit propagation alone finds the output.
    """
    value = np.asarray(table, bool)
    groups = [_select(np.asarray(view, bool)) for view in views]
    return np.concatenate([_imply(value == output, groups, output) for output in (True, False)])


def _select(view: BoolArray) -> _Selections:
    """Return the selections, with fewest literals for each, those with fewer literals first."""
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


def _imply(wanted: BoolArray, groups: list[_Selections], output: bool) -> ClauseMatrix:
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
    chosen = products[choose(covers, costs)]
    literals = [-group.literals[chosen[:, axis]] for axis, group in enumerate(groups)]
    sign = np.full((len(chosen), 1), 1 if output else -1, np.int8)
    return np.concatenate([*literals, sign], axis=1)


def _maximal(inside: BoolArray, groups: list[_Selections]) -> BoolArray:
    """Return the products inside of which no factor can be replaced by a larger, cheaper one."""
    result = inside.copy()
    for axis, group in enumerate(groups):
        parts, kept = np.moveaxis(inside, axis, 0), np.moveaxis(result, axis, 0)
        for k, selected in enumerate(group.states):
            contains = (group.states | ~selected).all(axis=1)
            larger = np.flatnonzero(contains & (group.costs <= group.costs[k]))
            kept[k] &= ~parts[larger[larger != k]].any(axis=0)
    return result
