"""Dominance: which boxes' answers follow from which.

If every solution in one box gives a solution in another, then *found* in the first is *found* in
the second, and *impossible* in the second is *impossible* in the first.

>>> from satlife.campaign.group import Question
>>> mirrored = Question("oscillator", "B3/S23", "p2", "D2|")
>>> small, wider, wide = (Box.parse(text) for text in ("3x3", "4x3", "5x3"))
>>> embeds(mirrored, small, wider), embeds(mirrored, small, wide)
(False, True)

**Theorem.** Let T be an isometry of the plane: one of the rule's own symmetries, then a shift.  Let
it take the small box into the large one, let it commute with the motion, and let it turn the
symmetry asked for about the small box into the same symmetry about the large one, as sets of
isometries of space-time.  Then T takes every solution in the small box to one in the large box.

*Proof.* T commutes with the rule (shifts always do), so the generations of the image follow from
each other.  They lie in T(small), so in the large box, and all around them is dead, as before;
generation p, too, if it must (``include_last``).  The image moves as asked since T commutes with
the motion, and is symmetric since its symmetries are the conjugates by T.  The constraints ask for
numbers of the pattern itself, which T does not change: whether it is empty, its periods, the
population of a generation, its rotor, its stator, the area of its envelope.  So any bounds on them
are the same bounds, upper, lower or exact ones.  Width and height of the envelope change places
when T swaps the axes; with a bound on one of them such T are not used.  ∎

So a box without symmetry may lie anywhere in a larger one, and turned if rule and motion allow; a
symmetry about the centre asks for the same parity of widths, of heights, or of both; one about a
diagonal asks for nothing.  No such thing is used on a torus (a pattern that fills one does not fill
a slightly larger one), or for a problem that is given with known cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from satlife.campaign.group import Question
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.search.formula.isometry import Isometry, symmetry_isometries

_MOST_PAIRS = 1 << 18
"""Pairs of boxes that are remembered: all questions of a plan share them."""


def embeds(question: Question, small: Box, large: Box) -> bool:
    """Tell whether every solution in the small box gives one in the large box."""
    if question.kind == "agar" or small.area > large.area:
        return False
    bounded = {name for name, _ in question.bounds}
    turns = _turns(question.rule, question.motion, not bounded & {"width", "height"})
    return _embeds(question.symmetry, question.motion, turns, small, large)


@lru_cache(maxsize=4096)
def _turns(rule: str, motion: str, may_swap: bool) -> tuple[Transform, ...]:
    """Return the turns that commute with rule and motion."""
    moved = Motion(motion).displacement
    return tuple(
        turn
        for turn in Rule(rule).symmetries
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
    """Return shifts of the small box into the large one: into its corners, edges and centre.

    Other places add nothing: what a centre or an axis forces is a place in the middle, and a
    diagonal of a square goes through two corners.
    """
    rooms = (large.width - small.width, large.height - small.height)
    if min(rooms) < 0:
        return ()
    across, down = ({0, room // 2, room} for room in rooms)
    left, top = large.x - small.x, large.y - small.y
    return ((left + dx, top + dy) for dx, dy in product(sorted(across), sorted(down)))


@lru_cache(maxsize=4096)
def _symmetries(symmetry: str, motion: str, box: Box) -> frozenset[Isometry]:
    """Return all of the isometries that the symmetry asks for in a box, but for whole periods."""
    moved = Motion(motion)
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
    """Take whole periods away; what remains says the same of a pattern that has the motion."""
    periods, dt = divmod(isometry.dt, motion.period)
    dx, dy = isometry.dx - periods * motion.dx, isometry.dy - periods * motion.dy
    return Isometry(isometry.transform, dx, dy, dt)


def _carries(given: frozenset[Isometry], wanted: frozenset[Isometry], by: Isometry) -> bool:
    """Tell whether conjugation takes one set to the other; they have as many elements."""
    back = by.inverse
    return all(_compose(_compose(by, each), back) in wanted for each in given)
