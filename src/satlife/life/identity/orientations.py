"""A pattern in every orientation that its rule does not tell apart.

>>> len(list(orientations(Pattern.from_rle("bo$2bo$3o!"))))
8
"""

from __future__ import annotations

from collections.abc import Iterator

from satlife.life.cells import Cells
from satlife.life.hexagonal import turn_hexagonally
from satlife.life.pattern import Pattern


def orientations(pattern: Pattern) -> Iterator[Cells]:
    """Yield the cells as the rule's symmetries turn and mirror them: eight, or twelve for hexagons.

    The first is the pattern itself.
    """
    if pattern.rule.hexagonal_symmetries:
        for matrix in pattern.rule.hexagonal_symmetries:
            yield turn_hexagonally(matrix, pattern.cells)
    else:
        for transform in pattern.rule.symmetries:
            yield transform.apply_to_array(pattern.cells)
