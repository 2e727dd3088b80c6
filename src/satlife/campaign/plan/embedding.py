"""Dominance between all boxes of a question, as sets of bits that its questions share.

Bit i of a set is box i.  With 1,600 boxes, a set takes 200 bytes, and it takes less than a
microsecond to unite or intersect two sets.

>>> from satlife.campaign.plan.axes import read_boxes
>>> question = Question("oscillator", "B3/S23", "p2")
>>> boxes = read_boxes(["2x2", "2x3", "3x2", "4x4"])
>>> embedding = find_embedding(question, boxes)
>>> bin(embedding.above(0)), bin(embedding.below(3)), bin(embedding.twins(1))
('0b1110', '0b111', '0b100')

Whether one box embeds in another (see :mod:`satlife.campaign.plan.dominance`) depends on little:
how much room the large box leaves on each axis, unturned and turned, and which boxes are squares.
The symmetries of a box are isometries whose shifts are linear in its width and height, and the
places that are tried leave no room, half of it or all of it on a side.  So a larger room decides
like one of 2 or 3 cells, by its parity.  One pair of boxes is decided for all pairs that are alike;
``tests/campaign/test_embedding.py`` compares all symmetries, motions and rules with the definition.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.campaign.plan.dominance import embeds, find_turns
from satlife.campaign.plan.question import Question
from satlife.life.box import Box
from satlife.life.transforms import Transform

Numbers = npt.NDArray[np.int32]

_MOST_BITS: Final = 1 << 23
"""Bits of the sets that an embedding remembers: a megabyte."""
_UNKNOWN: Final = -1
_ALIKE: Final = 5**4 * 4 * 4
"""Kinds of pairs of boxes; see :meth:`Embedding._keys`."""


class Embedding:
    """Which boxes of a question embed in which; ask :func:`find_embedding` for it."""

    def __init__(self, question: Question, boxes: tuple[Box, ...]) -> None:
        self.question = question
        self.boxes = boxes
        self._widths = np.array([box.width for box in boxes], np.int32)
        self._heights = np.array([box.height for box in boxes], np.int32)
        self._decided = np.full(_ALIKE, _UNKNOWN, np.int8)
        self._above: dict[int, int] = {}
        self._below: dict[int, int] = {}

    def above(self, index: int) -> int:
        """Return the other boxes in which a solution in this box gives one."""
        if index not in self._above:
            self._remember(self._above, index, self._find(index, is_small=True))
        return self._above[index]

    def below(self, index: int) -> int:
        """Return the other boxes whose solutions give one in this box."""
        if index not in self._below:
            self._remember(self._below, index, self._find(index, is_small=False))
        return self._below[index]

    def twins(self, index: int) -> int:
        """Return the boxes that are this one, turned."""
        return self.above(index) & self.below(index)

    def _remember(self, sets: dict[int, int], index: int, found: int) -> None:
        if (len(sets) + 1) * len(self.boxes) > _MOST_BITS:
            sets.clear()
        sets[index] = found

    def _find(self, index: int, *, is_small: bool) -> int:
        own = self._widths[index], self._heights[index]
        others = self._widths, self._heights
        keys = self._keys(*own, *others) if is_small else self._keys(*others, *own)
        while True:
            holds = self._decided[keys]
            unknown = np.flatnonzero(holds == _UNKNOWN)
            if not unknown.size:
                break
            pair = self.boxes[index], self.boxes[unknown[0]]
            self._decided[keys[unknown[0]]] = embeds(
                self.question, *(pair if is_small else pair[::-1])
            )
        holds[index] = 0
        return int.from_bytes(np.packbits(holds, bitorder="little").tobytes(), "little")

    @staticmethod
    def _keys(
        width: Numbers | np.int32,
        height: Numbers | np.int32,
        larger_width: Numbers | np.int32,
        larger_height: Numbers | np.int32,
    ) -> Numbers:
        """Return numbers that are equal for pairs of boxes that are alike."""
        key = (width == height) + 2 * (larger_width == larger_height)
        key = 4 * key + 2 * (width & 1) + (height & 1)
        for room in (
            larger_width - width,
            larger_height - height,
            larger_width - height,
            larger_height - width,
        ):
            key = 5 * key + np.where(room < 0, 0, 1 + np.minimum(room, 2 + (room & 1)))
        return np.asarray(key, np.int32)


Embeddings = dict[tuple[str, str, tuple[Transform, ...], int], Embedding]
"""Embeddings by what decides them; the last of the key is the id of the boxes."""


def find_embedding(
    question: Question, boxes: tuple[Box, ...], among: Embeddings | None = None
) -> Embedding | None:
    """Return the embedding of a question, one of those there if possible; None if none embeds."""
    if not question.embeds:
        return None
    among = {} if among is None else among
    key = question.symmetry, question.motion, find_turns(question), id(boxes)
    if key not in among:
        among[key] = Embedding(question, boxes)
    return among[key]
