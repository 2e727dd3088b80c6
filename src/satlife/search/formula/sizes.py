"""How large an encoding is for a rule: variables, clauses and literals of one transition.

>>> from satlife.search.formula.encodings import find_encoding
>>> measure(find_encoding("columns"), Rule("B3/S23"))
Size(variables=3.0, clauses=54.0, literals=220.0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from satlife.life.neighbourhood import OFFSETS
from satlife.life.rule import Rule
from satlife.sat.builder import FormulaBuilder
from satlife.search.formula.encodings import Encoding
from satlife.search.formula.transitions import Transitions

SIDE: Final = 8
"""Of the torus that is encoded: even, because what cells share may depend on their parity."""


@dataclass(frozen=True)
class Size:
    """What one transition takes, with nothing known around it."""

    variables: float
    """New ones, beside the cells."""
    clauses: float
    literals: float


def measure(encoding: Encoding, rule: Rule) -> Size:
    """Return the size of a step on a torus, where all cells share alike, for each cell."""
    now, then = np.arange(1, 2 * SIDE * SIDE + 1, dtype=np.int32).reshape(2, SIDE, SIDE)
    cells = np.stack([np.roll(now, (-dy, -dx), (0, 1)).reshape(-1) for dx, dy in OFFSETS], axis=1)
    y, x = np.divmod(np.arange(SIDE * SIDE), SIDE)
    builder = FormulaBuilder(variables=2 * SIDE * SIDE)
    places = np.stack([x, y, np.zeros_like(x)], axis=1)
    encoding.encode(Transitions(cells, then.reshape(-1), places), rule, builder)
    formula = builder.build()
    literals = sum(np.count_nonzero(block.literals) for block in formula.blocks)
    count = SIDE * SIDE
    return Size(
        (formula.variables - 2 * count) / count, formula.clauses / count, int(literals) / count
    )
