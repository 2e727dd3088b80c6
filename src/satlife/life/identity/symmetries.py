"""The symmetry of a pattern, by Catagolue's sixteen names.

The name is read off the group of transforms that leave the pattern as it is: ``C`` if all of them
turn it, ``D`` if some reflect it; the order of the group; ``+`` or ``x`` if the mirrors are only
orthogonal or only diagonal; and how many cells meet in the centre, or in the mirror.

>>> find_symmetry(Pattern.from_rle("3o!")), find_symmetry(Pattern.from_rle("b3o$3o!"))
('D4_+1', 'C2_4')

Which symmetries there are, and which boxes fit them, is in :mod:`satlife.life.symmetry`.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from satlife.life.box import Box
from satlife.life.hexagonal import turn_hexagonally
from satlife.life.pattern import Pattern
from satlife.life.transforms import Transform


def find_symmetries(pattern: Pattern) -> tuple[Transform, ...]:
    """Find the transforms, about the middle of its box, that leave a pattern as it is.

    Only those count that its rule respects. Then the answer is the same in all generations of an
    object that recurs.
    """
    cells = pattern.cells
    return tuple(
        transform
        for transform in pattern.rule.symmetries
        if np.array_equal(transform.apply_to_array(cells), cells)
    )


def find_symmetry(pattern: Pattern) -> str:
    """Return Catagolue's name for the symmetry of a pattern; C3, C6, D6 or D12 in hexagonal rules.

    >>> find_symmetry(Pattern.from_rle("2o$obo$b2o!").with_rule("B2/S34H"))
    'D12'
    """
    maps = pattern.rule.hexagonal_symmetries
    kept = [m for m in maps if np.array_equal(turn_hexagonally(m, pattern.cells), pattern.cells)]
    squares = find_symmetries(pattern)
    if len(kept) > len(squares):  # thirds and sixths of a turn, which Catagolue's names do not have
        mirrored = any(a * d - b * c < 0 for (a, b), (c, d) in kept)
        return f"{'D' if mirrored else 'C'}{len(kept)}"
    return name_symmetry(squares, pattern.box)


def name_symmetry(group: Collection[Transform], box: Box) -> str:
    """Name a group of transforms that take a box to itself.

    >>> name_symmetry([Transform("identity"), Transform("flip-left-right")], Box(0, 0, 4, 9))
    'D2_+2'
    """
    mirrors = [transform for transform in group if transform.determinant < 0]
    name = f"{'D' if mirrors else 'C'}{len(group)}"
    kinds = {"x" if mirror.swaps_axes else "+" for mirror in mirrors}
    # An axis that some transform reverses has a middle: one cell, or the line between two.
    straight = [transform.matrix for transform in group if not transform.swaps_axes]
    middles = [
        2 - size % 2
        for axis, size in enumerate((box.width, box.height))
        if any(matrix[axis][axis] < 0 for matrix in straight)
    ]
    kind = kinds.pop() if len(kinds) == 1 else ""
    middle = str(np.prod(middles)) if middles else ""
    return f"{name}_{kind}{middle}" if kind or middle else name
