"""Dominance: which answers follow from the answers in other boxes.

If every solution in one box gives a solution in another, then *found* in the first is *found* in
the second, and *impossible* in the second is *impossible* in the first.

>>> from satlife.campaign.plan.question import Question
>>> mirrored = Question("oscillator", "B3/S23", "p2", "D2|")
>>> small, wider, wide = (Box.parse(text) for text in ("3x3", "4x3", "5x3"))
>>> embeds(mirrored, small, wider), embeds(mirrored, small, wide)
(False, True)

**Theorem.** Let T be an isometry of the plane: one of the rule's own symmetries, then a shift.  Let
it take the small box into the large one, let it commute with the motion, and let it turn the
symmetry asked for about the small box into the same symmetry about the large one, as sets of
isometries of space-time.  Then T takes every solution in the small box to one in the large box.

*Proof.* T commutes with the rule (shifts always do), so the generations of the image follow from
each other.  They lie in T(small), hence in the large box, and everything around them is dead, as
before; so does generation p if it must (``include_last``).  The image moves as asked because T
commutes with the motion, and it is symmetric because its symmetries are the conjugates by T.  The
constraints concern numbers that T does not change: whether the pattern is empty, its periods, the
population of a generation, its rotor, its stator, the area of its envelope.  So a bound on them,
upper, lower or exact, holds for the image too.  Width and height of the envelope change places when
T swaps the axes; such a T is not used if one of them is bounded.  ∎

So a box without symmetry may lie anywhere in a larger one, and turned if rule and motion allow it.
A symmetry about the centre needs the same parity of widths, of heights, or of both; a symmetry
about a diagonal needs nothing.  The theorem is not used on a torus (a pattern that fills one does
not fill a slightly larger one), nor for a problem that is given with known cells.

A box may be asked only for what does not fit the smaller boxes: an exact box, as in
:mod:`satlife.problem.exact`.  *Found* is about the whole box, and implies what it always does.
*Impossible* is about the exact box; it implies the same of the box turned, if that asks for as much
or less, and nothing else.

An :class:`Embedding` holds the dominance between all boxes of a question, as bit sets that
questions share.  Bit i of a set is box i.  With 1,600 boxes, a set takes 200 bytes, and a union or
an intersection takes less than a microsecond.

>>> from satlife.campaign.plan.axes import read_boxes
>>> boxes = read_boxes(["2x2", "2x3", "3x2", "4x4"])
>>> embedding = find_embedding(Group(0, Question("oscillator", "B3/S23", "p2"), boxes))
>>> bin(embedding.above(0)), bin(embedding.below(3)), bin(embedding.twins(1))
('0b1110', '0b111', '0b100')

Whether one box embeds in another depends on little: how much room the large box leaves on each
axis, unturned and turned, and which boxes are squares.  The symmetries of a box are isometries
whose shifts are linear in its width and height, and the places that are tried leave no room, half
of it or all of it on a side.  So a larger room decides like one of 2 or 3 cells, by its parity.
One pair of boxes is decided for all pairs that are alike; ``tests/campaign/test_embedding.py``
compares all symmetries, motions and rules with the definition.

The cost of a question is that of all its boxes that are tried if nothing is found:

>>> from satlife.campaign.plan.axes import read_boxes
>>> group = Group(0, Question("oscillator", "B3/S23", "p2"), read_boxes(["4x6", "6x4", "5x5"]))
>>> [str(box) for box in find_turned(group)]
['6x4']
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.campaign.plan.question import Group, Question, rule_symmetries
from satlife.formula.isometry import Isometry, symmetry_isometries
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.problem.exact import Sides, turn_sides

_MOST_PAIRS = 1 << 18
"""Number of pairs of boxes in the cache, which all questions of a plan share."""


def embeds(question: Question, small: Box, large: Box) -> bool:
    """Return whether every solution in the small box gives one in the large box."""
    if not question.embeds or small.area > large.area:
        return False
    return _embeds(question.symmetry, question.motion, find_turns(question), small, large)


def find_turns(question: Question) -> tuple[Transform, ...]:
    """Return the turns that take solutions to solutions, if boxes and symmetry allow it."""
    may_swap = not {name for name, _ in question.bounds} & {"width", "height"}
    return _find_commuting(rule_symmetries(question.rule), question.motion, may_swap)


@lru_cache(maxsize=4096)
def _find_commuting(
    turns: tuple[Transform, ...], motion: str, may_swap: bool
) -> tuple[Transform, ...]:
    """Return the turns that commute with a motion."""
    moved = Motion.parse(motion).displacement
    return tuple(
        turn
        for turn in turns
        if turn.apply_to_point(*moved) == moved and (may_swap or not turn.swaps_axes)
    )


@lru_cache(maxsize=_MOST_PAIRS)
def _embeds(
    symmetry: str, motion: str, turns: tuple[Transform, ...], small: Box, large: Box
) -> bool:
    wanted = _symmetries(symmetry, motion, large)
    given = _symmetries(symmetry, motion, small)
    return any(
        _carries(given, wanted, Isometry(turn, dx, dy))
        for turn in turns
        for dx, dy in _places(small.transformed(turn), large)
    )


def _places(small: Box, large: Box) -> Iterable[tuple[int, int]]:
    """Return shifts of the small box into the large one: to its corners, edges and centre.

    Other places add nothing: a centre or an axis forces a place in the middle, and the diagonal of
    a square goes through two corners.
    """
    rooms = (large.width - small.width, large.height - small.height)
    if min(rooms) < 0:
        return ()
    across, down = ({0, room // 2, room} for room in rooms)
    left, top = large.x - small.x, large.y - small.y
    return ((left + dx, top + dy) for dx, dy in product(sorted(across), sorted(down)))


@lru_cache(maxsize=4096)
def _symmetries(symmetry: str, motion: str, box: Box) -> frozenset[Isometry]:
    """Return the isometries that the symmetry requires in a box, up to whole periods."""
    moved = Motion.parse(motion)
    generators = symmetry_isometries(Symmetry(symmetry), box, moved)
    found, new = {Isometry(Transform("identity"))}, set(generators)
    while new - found:
        found |= new
        new = {_reduce(_compose(g, h), moved) for g in found for h in generators}
    return frozenset(found)


def _compose(outer: Isometry, inner: Isometry) -> Isometry:
    x, y = outer.transform.apply_to_point(inner.dx, inner.dy)
    return Isometry(
        outer.transform * inner.transform, x + outer.dx, y + outer.dy, outer.dt + inner.dt
    )


def _reduce(isometry: Isometry, motion: Motion) -> Isometry:
    """Remove whole periods, which change nothing for a pattern with this motion."""
    periods, dt = divmod(isometry.dt, motion.period)
    dx, dy = isometry.dx - periods * motion.dx, isometry.dy - periods * motion.dy
    return Isometry(isometry.transform, dx, dy, dt)


def _carries(given: frozenset[Isometry], wanted: frozenset[Isometry], by: Isometry) -> bool:
    """Return whether conjugation maps one set onto the other, which has the same size."""
    back = by.inverse
    return all(_compose(_compose(by, each), back) in wanted for each in given)


Numbers = npt.NDArray[np.int32]

_MOST_BITS: Final = 1 << 23
"""Bits of the sets that an embedding caches: a megabyte."""
_UNKNOWN: Final = -1
_ALIKE: Final = 5**4 * 4 * 4
"""Number of kinds of pairs of boxes; see :meth:`Embedding._keys`."""


class Embedding:
    """The embeddings between the boxes of a question; made by :func:`find_embedding`."""

    def __init__(
        self, question: Question, boxes: tuple[Box, ...], sides: tuple[Sides, ...] = ()
    ) -> None:
        self.question = question
        self.boxes = boxes
        self.sides = sides
        """The sides of each box that a solution must fill; empty if boxes are asked as a whole."""
        self._widths = np.array([box.width for box in boxes], np.int32)
        self._heights = np.array([box.height for box in boxes], np.int32)
        self._decided = np.full(_ALIKE, _UNKNOWN, np.int8)
        self._above: dict[int, int] = {}
        self._below: dict[int, int] = {}

    @property
    def symmetry(self) -> str:
        """The symmetry of the question."""
        return self.question.symmetry

    def above(self, index: int) -> int:
        """Return the other boxes in which this box embeds."""
        if index not in self._above:
            self._remember(self._above, index, self._find(index, is_small=True))
        return self._above[index]

    def below(self, index: int) -> int:
        """Return the other boxes that embed in this box."""
        if index not in self._below:
            self._remember(self._below, index, self._find(index, is_small=False))
        return self._below[index]

    def refuted(self, index: int) -> int:
        """Return the other boxes that are impossible if this one is."""
        sides = self.sides[index] if self.sides else ()
        if not sides:
            return self.below(index)
        twins, refuted = self.twins(index), 0  # at most three: turned, and asked again as a whole
        while twins:
            twin = twins.bit_length() - 1
            twins ^= 1 << twin
            refuted |= _asks_less(self.sides[twin], sides) << twin
        return refuted

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


def _asks_less(turned: Sides, sides: Sides) -> bool:
    """Whether a box asks for no more than the same box turned: it must fill the same sides."""
    return set(turn_sides(turned)) >= set(sides)


Embeddings = dict[tuple[str, str, tuple[Transform, ...], int, bool], Embedding]
"""Embeddings by what determines them; a key ends with the id of the boxes, and whether these are
exact."""


def find_embedding(group: Group, among: Embeddings | None = None) -> Embedding | None:
    """Return the embedding of a question, from ``among`` if possible; None if no box embeds."""
    asked, boxes = group.asked, group.boxes
    if not isinstance(asked, Question) or not asked.embeds:
        return None
    among = {} if among is None else among
    key = asked.symmetry, asked.motion, find_turns(asked), id(boxes), bool(group.sides)
    if key not in among:
        among[key] = Embedding(asked, boxes, group.sides)
    return among[key]


def total_cost(
    group: Group, limit: float | None = None, *, prove: bool = False, speed: float = 1.0
) -> float:
    """Estimate the seconds of a question's tasks on one processor, if all are impossible.

    A box that is another one turned is not tried, and no task takes longer than the limit.
    ``speed`` is the speed of this machine relative to the one on which the fit was made.
    """
    most = math.inf if limit is None else limit
    turned = find_turned(group)
    return sum(
        min(group.cost(index, prove=prove) / speed, most)
        for index in range(len(group))
        if not turned or group.boxes[index] not in turned
    )


def find_turned(group: Group) -> frozenset[Box]:
    """Return the boxes whose answers follow from the same box turned, also in the group."""
    places = {box: n for n, box in enumerate(group.boxes)}
    pairs = [
        (box, other)
        for box in group.boxes
        if box.width > box.height and (other := Box(0, 0, box.height, box.width)) in places
    ]
    if group.sides:
        sides = {box: group.sides[place] for box, place in places.items()}
        pairs = [(box, other) for box, other in pairs if _asks_less(sides[box], sides[other])]
    # Whether a turn takes solutions to solutions does not depend on the size.
    if not pairs or not isinstance(group.asked, Question) or not embeds(group.asked, *pairs[0]):
        return frozenset()
    return frozenset(box for box, _ in pairs)
