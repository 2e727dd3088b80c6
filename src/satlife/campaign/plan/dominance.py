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
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from satlife.campaign.plan.question import Question
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.search.formula.isometry import Isometry, symmetry_isometries
from satlife.search.problem.slow import MANY_RULES

_MOST_PAIRS = 1 << 18
"""Pairs of boxes in the cache, which all questions of a plan share."""


def embeds(question: Question, small: Box, large: Box) -> bool:
    """Return whether every solution in the small box gives one in the large box."""
    if not question.embeds or small.area > large.area:
        return False
    return _embeds(question.symmetry, question.motion, find_turns(question), small, large)


def find_turns(question: Question) -> tuple[Transform, ...]:
    """Return the turns that take solutions to solutions, if boxes and symmetry allow it."""
    bounded = {name for name, _ in question.bounds}
    return _turns(question.rule, question.motion, not bounded & {"width", "height"})


def _turns(rule: str, motion: str, may_swap: bool) -> tuple[Transform, ...]:
    """Return the turns that commute with rule and motion."""
    return _commuting(_rule_symmetries(rule), motion, may_swap)


@lru_cache(maxsize=4096)
def _commuting(turns: tuple[Transform, ...], motion: str, may_swap: bool) -> tuple[Transform, ...]:
    """Return those of the turns that commute with a motion."""
    moved = Motion(motion).displacement
    return tuple(
        turn
        for turn in turns
        if turn.apply_to_point(*moved) == moved and (may_swap or not turn.swaps_axes)
    )


@lru_cache(maxsize=MANY_RULES)
def _rule_symmetries(rule: str) -> tuple[Transform, ...]:
    return Rule(rule).symmetries


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
    """Remove whole periods, which change nothing for a pattern with this motion."""
    periods, dt = divmod(isometry.dt, motion.period)
    dx, dy = isometry.dx - periods * motion.dx, isometry.dy - periods * motion.dy
    return Isometry(isometry.transform, dx, dy, dt)


def _carries(given: frozenset[Isometry], wanted: frozenset[Isometry], by: Isometry) -> bool:
    """Return whether conjugation maps one set onto the other, which has the same size."""
    back = by.inverse
    return all(_compose(_compose(by, each), back) in wanted for each in given)
