"""The table of transitions: nine literals of one generation determine one of the next.

It connects space-time, which determines equal and known cells, with an encoding, which makes
clauses.

>>> from satlife.life.rule import LIFE
>>> row = [FALSE, 1, 2, FALSE, 3, 4, FALSE, FALSE, FALSE]
>>> mirrored = [2, 1, FALSE, 4, 3, FALSE, FALSE, FALSE, FALSE]
>>> table = Transitions(np.array([row, mirrored]), np.array([9, 9]), np.zeros((2, 3)))
>>> len(distinct(table, LIFE))
1
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.life.rule import Rule
from satlife.sat.formula import IntArray, expect_memory
from satlife.sat.logic import FALSE, RowNumbers, number_rows

if TYPE_CHECKING:
    from satlife.life.rulespaces import RuleSpace

ORIGIN: Final = "transition"
"""The origin of the clauses that an encoding adds."""
CENTRE: Final = 4
NEIGHBOURS: Final = (0, 1, 2, 3, 5, 6, 7, 8)


@dataclass(frozen=True, eq=False)
class Transitions:
    """Rows of nine cells and their successor, as literals; constants are TRUE and FALSE.

    A literal may be negative, and a variable may occur in a row more than once.
    """

    cells: IntArray
    """Shape (n, 9): NW, N, NE, W, C, E, SW, S, SE."""
    successors: IntArray
    """Shape (n,): the centre one generation later."""
    places: IntArray
    """Shape (n, 3): x, y, t of the centre, or of one of the centres that share this row."""
    earlier: IntArray = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """Shape (n, states - 2): the centre in the generations before."""

    def __post_init__(self) -> None:
        count = len(self.successors)
        if not self.earlier.size:
            object.__setattr__(self, "earlier", np.zeros((count, 0), np.int32))
        for name, shape in (
            ("cells", (count, 9)),
            ("successors", (count,)),
            ("places", (count, 3)),
            ("earlier", (count, self.earlier.shape[1])),
        ):
            array = np.asarray(getattr(self, name), np.int32)
            if array.shape != shape:
                raise UsageError(
                    f"{name} of {count} transitions must have shape {shape}, got {array.shape}"
                )
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.successors)

    def take(self, rows: RowNumbers | npt.NDArray[np.bool_]) -> Transitions:
        """Return some of the rows."""
        return Transitions(
            self.cells[rows], self.successors[rows], self.places[rows], self.earlier[rows]
        )


def distinct(transitions: Transitions, rule: Rule | RuleSpace) -> Transitions:
    """Return the first of each kind of row, in the order of occurrence.

    Under an outer-totalistic rule the order of the neighbours does not matter.  Rows of dead cells
    that stay dead are dropped.  The order is kept because solvers do better with a natural one.
    """
    cells, successors = transitions.cells, transitions.successors
    expect_memory(2 * (cells.nbytes + successors.nbytes))
    key = np.empty((len(transitions), 10 + transitions.earlier.shape[1]), np.int32)
    key[:, :9] = cells
    key[:, 9] = successors
    key[:, 10:] = np.sort(transitions.earlier, axis=1)
    if rule.is_outer_totalistic:
        key[:, :8] = np.sort(cells[:, NEIGHBOURS], axis=1)
        key[:, 8] = cells[:, CENTRE]
    first, _ = number_rows(key)
    if not rule.table[0]:
        first = first[(key[first, :10] != FALSE).any(axis=1)]
    return transitions if len(first) == len(transitions) else transitions.take(first)
