"""Rules of the von Neumann neighbourhood: a cell counts its four orthogonal neighbours.

The notation is that of outer-totalistic rules, with a V at its end.

>>> VON_NEUMANN_RULES.read("B2/S013V").table[[0b010_001_000, 0b101_000_000]].tolist()
[1, 0]
"""

from __future__ import annotations

from typing import Final

from satlife.life.neighbourhood import BITS, CENTRE, VON_NEUMANN
from satlife.life.rules._totalistic import make_counting_family

VON_NEUMANN_RULES: Final = make_counting_family(
    "von-neumann",
    "B2/S013V",
    "counts the four orthogonal neighbours",
    [BITS[offset] for offset in VON_NEUMANN if BITS[offset] != CENTRE],
    "V",
)
