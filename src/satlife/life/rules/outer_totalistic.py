"""Outer-totalistic rules: the next state depends on the cell and its number of living neighbours.

``B3/S23`` is Conway's: birth with 3 living neighbours, survival with 2 or 3. The older notation
``23/3`` has the survivals FIRST.

>>> OUTER_TOTALISTIC.write(OUTER_TOTALISTIC.read("23/3"))
'B3/S23'
"""

from __future__ import annotations

from typing import Final

from satlife.life.neighbourhood import BITS, CENTRE
from satlife.life.rules._totalistic import make_counting_family

OUTER_TOTALISTIC: Final = make_counting_family(
    "outer-totalistic",
    "B3/S23",
    "counts the eight neighbours",
    [bit for bit in BITS.values() if bit != CENTRE],
)
