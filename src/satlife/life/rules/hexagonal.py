"""Hexagonal rules: a cell counts six neighbours, as on a board of hexagons.

On the square grid, as in Golly, the corners north-east and south-west are not seen. The notation is
that of outer-totalistic rules, with an H at its end.

>>> HEXAGONAL_RULES.read("B2/S34H").table[[0b100_001_000, 0b001_000_100]].tolist()
[1, 0]
"""

from __future__ import annotations

from typing import Final

from satlife.life.neighbourhood import BITS, CENTRE, HEXAGONAL
from satlife.life.rules._totalistic import make_counting_family

HEXAGONAL_RULES: Final = make_counting_family(
    "hexagonal",
    "B2/S34H",
    "counts six neighbours: all but the north-east and the south-west",
    [BITS[offset] for offset in HEXAGONAL if BITS[offset] != CENTRE],
    "H",
)
