"""The states of an exhausted search: whether they prove that a width has no ship.

The set of all states is closed: whatever may follow one of them is another, or is refuted.  The
audit checks that by its own reading of the rule (:mod:`satlife.audit.widths`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from satlife.audit.widths import WIDEST, RowRule, Runs, States, hypotheses, width_complaints
from satlife.engine.rows.quotients import make_quotient
from satlife.problem import Problem

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt

QUICK_CELLS: Final = 6
QUICK_STATES: Final = 5_000
"""Free cells of a row, and states, up to which the audit checks them in a fraction of a second."""
_SORTED: Final = 1 << 18
"""States that are sorted together, or a few more."""


def is_refutation(problem: Problem, hunt: Hunt) -> bool:
    """Whether the audit accepts the states as a proof; False where that would take long."""
    is_quick = hunt.quotient.bits <= QUICK_CELLS and hunt.count <= QUICK_STATES
    if not is_quick or hunt.dropped or hunt.front or refuse_width(problem):
        return False
    runs = sort_states(hunt.parents[: hunt.count], hunt.rows[: hunt.count], hunt.quotient.period)
    return not any(width_complaints(RowRule(problem), runs))


def refuse_width(problem: Problem) -> str:
    """Return why the states of an exhausted search are not a proof; empty if they are one."""
    for holds, why in hypotheses(problem):
        if not holds:
            return why
    cells = make_quotient(problem).bits
    return f"rows of {cells} free cells are too wide, {WIDEST} is the most" * (cells > WIDEST)


def sort_states(parents: npt.NDArray[np.int32], rows: npt.NDArray[np.uint16], period: int) -> Runs:
    """Return the states of a tree of nodes as runs: those that begin with a row, sorted."""
    nodes = np.arange(len(rows), dtype=np.int32)
    for _ in range(2 * period - 2):
        nodes = parents[nodes]
    begins = rows[parents[nodes]].astype(np.uint32) << 16 | rows[nodes]
    order = np.argsort(begins, kind="stable").astype(np.int32)
    begins = begins[order]

    def runs(row: int) -> Iterator[States]:
        first, last = np.searchsorted(begins, np.array([row << 16, row + 1 << 16], np.uint32))
        if first == last:
            return
        cuts = np.flatnonzero(np.diff(begins[first:last])) + first + 1  # between second rows
        wanted = np.searchsorted(cuts, np.arange(first + _SORTED, last, _SORTED))
        for low, high in pairwise([first, *np.unique(cuts[wanted[wanted < len(cuts)]]), last]):
            states = np.empty((high - low, 2 * period), np.uint16)
            nodes = order[low:high]
            for i in range(2 * period - 1, -1, -1):
                states[:, i], nodes = rows[nodes], parents[nodes]
            states = states[np.lexsort(states.T[::-1])]
            new = np.ones(len(states), bool)  # a glide may reach a state twice
            new[1:] = (states[1:] != states[:-1]).any(axis=1)
            yield states[new]

    return runs
