"""Whole boxes: what follows from the answers for exact boxes about everything in a box.

"None with exactly 7x9" is not "none in 7x9": that needs the smaller boxes too.

>>> from satlife.campaign.plan.axes import read_boxes
>>> from satlife.campaign.plan.dominance import find_embedding
>>> from satlife.campaign.plan.question import Group, Question, find_all_sides
>>> question, boxes = Question("ship", "B3/S23", "c/3"), read_boxes(["4x4", "5x4", "5x5"])
>>> embedding = find_embedding(Group(0, question, boxes, find_all_sides(question, boxes)))
>>> [bin(bits) for bits in find_whole(embedding, found=0, impossible=0b110)]
['0b0', '0b0']
>>> [bin(bits) for bits in find_whole(embedding, found=0, impossible=0b111)]
['0b0', '0b111']

**Theorem.** Let no solution in a box fill all sides in a set S.  If for each side in S there is
none in the next smaller fitting box on that side, then there is none in the box.

*Proof.* A solution in the box does not fill some side in S.  By :mod:`satlife.problem.exact` its
envelope has a fitting size, so that it fits the next smaller box on that side.  ∎

So a box without such sides is settled by its own answer, and others follow from small to large.
What is settled for a whole box also settles other boxes by dominance, turned ones included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from satlife.life.box import Box
from satlife.life.symmetry import Symmetry
from satlife.problem.exact import Sides, find_smaller, fits


class Boxes(Protocol):
    """Boxes, the small ones first, and which of them embed in which."""

    boxes: tuple[Box, ...]
    sides: tuple[Sides, ...]

    @property
    def symmetry(self) -> str:
        """The symmetry of the question."""

    def above(self, index: int) -> int:
        """Return the other boxes in which this box embeds."""

    def below(self, index: int) -> int:
        """Return the other boxes that embed in this box."""


class Unturned:
    """Boxes whose sizes alone are known: they embed unturned, by their parities."""

    def __init__(self, symmetry: str, boxes: Sequence[Box], sides: Sequence[Sides]) -> None:
        self.symmetry = symmetry
        self.boxes = tuple(boxes)
        self.sides = tuple(sides)

    def above(self, index: int) -> int:
        """Return the other boxes in which this box embeds."""
        return self._collect(index, is_small=True)

    def below(self, index: int) -> int:
        """Return the other boxes that embed in this box."""
        return self._collect(index, is_small=False)

    def _collect(self, index: int, *, is_small: bool) -> int:
        symmetry, own = Symmetry(self.symmetry), self.boxes[index]
        bits = 0
        for other, box in enumerate(self.boxes):
            pair = (own, box) if is_small else (box, own)
            bits |= (other != index and fits(symmetry, *pair)) << other
        return bits


def find_whole(
    among: Boxes, *, found: int, impossible: int, asked_whole: int = 0
) -> tuple[int, int]:
    """Return the boxes with a find in them, and those without any solution, as bit sets.

    ``found`` and ``impossible`` are the boxes with these answers to what was asked there: for
    ``asked_whole`` everything in the box, for the others what fills their sides.
    """
    symmetry = Symmetry(among.symmetry)
    places = {box: index for index, box in enumerate(among.boxes)}
    needs: dict[int, int] = {}
    for index, box in enumerate(among.boxes):
        if found >> index & 1:
            found |= among.above(index)
        if impossible >> index & 1:
            smaller = find_smaller(symmetry, box)
            is_whole = not among.sides or asked_whole >> index & 1
            sides = () if is_whole else among.sides[index]
            below = [places.get(smaller[side]) if side in smaller else None for side in sides]
            if None not in below:
                needs[index] = sum({1 << each for each in below if each is not None})
    none, before = 0, -1
    while none != before:
        before = none
        for index, needed in needs.items():
            if not none >> index & 1 and needed & none == needed:
                none |= 1 << index | among.below(index)
    return found, none & ~found
