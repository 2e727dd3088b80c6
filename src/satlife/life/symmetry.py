r"""Symmetries of a pattern in its box, in space and in space-time.

The sixteen static classes have Catagolue's names.  The digit after the underscore gives the centre,
and so the boxes that fit: ``C4_1`` turns about a cell (odd square boxes), ``C4_4`` about a corner
of cells (even ones).  The older names (``C4``, ``D4+`` …) leave the centre to the box.

>>> Symmetry("C4_1").check("8x8")
Traceback (most recent call last):
satlife.errors.UsageError: C4_1 needs an odd square box, got 8x8; use C4_4

``H:G`` is a symmetry with a time operation: every phase has the symmetry H, and the elements of G
outside H map the pattern onto a later phase.  If G has k times as many elements as H, that is the
phase p/k later.  For a ship the image moves on by a k-th of the displacement: a glide.

>>> symmetry = Symmetry("D4+:D8")
>>> symmetry.factor, symmetry.describe()
(2, 'D4+, and a quarter-turn each half period')

All products and subgroups come from the arithmetic of :class:`~satlife.life.Transform`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final

from msgspec import Struct

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.transforms import IDENTITY, TRANSFORMS, Transform

Group = frozenset[Transform]


def generate(transforms: Iterable[Transform]) -> Group:
    """Return the group that the transforms generate."""
    group, new = frozenset([IDENTITY]), frozenset(transforms)
    while not new <= group:
        group |= new
        new = frozenset(g * h for g in group for h in group)
    return group


def _group(*names: str) -> Group:
    return generate(map(Transform, names))


# Shell-safe spellings: v(ertical), h(orizontal), b(ackslash), s(lash).
_GROUPS: Final[dict[str, Group]] = {
    "C1": _group(),
    "C2": _group("half-turn"),
    "C4": _group("quarter-turn-clockwise"),
    "D2|": _group("flip-left-right"),
    "D2-": _group("flip-top-bottom"),
    "D2\\": _group("flip-diagonal"),
    "D2/": _group("flip-antidiagonal"),
    "D4+": _group("flip-left-right", "flip-top-bottom"),
    "D4x": _group("flip-diagonal", "flip-antidiagonal"),
    "D8": _group("flip-left-right", "flip-diagonal"),
}
SPELLINGS: Final[dict[str, str]] = {"D2v": "D2|", "D2h": "D2-", "D2b": "D2\\", "D2s": "D2/"}
"""Names that need no quotes in a shell, and the usual ones."""


class _Class(Struct, frozen=True):
    """A static class: a group and the boxes that fit it."""

    name: str
    group: str
    parities: frozenset[tuple[int, int]]
    """The values of (width mod 2, height mod 2) that fit."""
    boxes: str

    def fits(self, box: Box) -> bool:
        square = box.width == box.height or not needs_square(_GROUPS[self.group])
        return square and (box.width % 2, box.height % 2) in self.parities


def needs_square(group: Group) -> bool:
    """Return whether some element swaps rows and columns."""
    return any(g.swaps_axes for g in group)


_ANY = frozenset((w, h) for w in (0, 1) for h in (0, 1))
_ODD, _EVEN, _MIXED = frozenset([(1, 1)]), frozenset([(0, 0)]), frozenset([(0, 1), (1, 0)])

CLASSES: Final[tuple[_Class, ...]] = (
    _Class("C1", "C1", _ANY, "any box"),
    _Class("C2_1", "C2", _ODD, "a box of odd width and height"),
    _Class("C2_2", "C2", _MIXED, "a box with one odd and one even side"),
    _Class("C2_4", "C2", _EVEN, "a box of even width and height"),
    _Class("C4_1", "C4", _ODD, "an odd square box"),
    _Class("C4_4", "C4", _EVEN, "an even square box"),
    _Class("D2_+1", "D2|", frozenset([(1, 0), (1, 1)]), "a box of odd width"),
    _Class("D2_+2", "D2|", frozenset([(0, 0), (0, 1)]), "a box of even width"),
    _Class("D2_x", "D2\\", _ANY, "a square box"),
    _Class("D4_+1", "D4+", _ODD, "a box of odd width and height"),
    _Class("D4_+2", "D4+", _MIXED, "a box with one odd and one even side"),
    _Class("D4_+4", "D4+", _EVEN, "a box of even width and height"),
    _Class("D4_x1", "D4x", _ODD, "an odd square box"),
    _Class("D4_x4", "D4x", _EVEN, "an even square box"),
    _Class("D8_1", "D8", _ODD, "an odd square box"),
    _Class("D8_4", "D8", _EVEN, "an even square box"),
)
"""The sixteen static classes; the mirror of D2_+1 and D2_+2 is the vertical axis."""

_OLDER: Final[tuple[_Class, ...]] = tuple(
    _Class(name, name, _ANY, "a square box" if needs_square(group) else "any box")
    for name, group in _GROUPS.items()
)
OLDER_NAMES: Final[dict[str, str]] = {
    "C2": "half-turn",
    "C4": "quarter-turn",
    "D2|": "left-right mirror, vertical axis; for the shell also D2v",
    "D2-": "top-bottom mirror, horizontal axis; also D2h",
    "D2\\": "mirror across the diagonal \\; for the shell also D2b",
    "D2/": "mirror across the diagonal /; also D2s",
    "D4+": "both mirrors",
    "D4x": "both diagonal mirrors",
    "D8": "all rotations and reflections",
}
"""The older names, whose centre follows from the box, with their meanings."""

_BY_NAME: Final = {each.name: each for each in (*_OLDER, *CLASSES)}


# Thirds and sixths of a turn, and the mirrors between, in Catagolue's names too (C3_1, D2_xo …).
_HEXAGONAL: Final = re.compile("(C3|C6|D6|D12)(_.*)?|D2_xo")


@dataclass(frozen=True, init=False)
class Symmetry:
    """A symmetry by its name: ``C4_1``, ``D2|``, or with a time operation ``C1:C2``."""

    static: str
    """The class of every phase."""
    temporal: str
    """The class of the pattern in space-time; often the same."""

    def __init__(self, name: str) -> None:
        static, _, temporal = name.strip().partition(":")
        object.__setattr__(self, "static", _find(static).name)
        object.__setattr__(self, "temporal", _find(temporal or static).name)
        lower, upper = _BY_NAME[self.static], _BY_NAME[self.temporal]
        if upper != lower and not _is_above(upper, lower):
            style = CLASSES if lower in CLASSES else _OLDER  # partners with the same style of names
            partners = [each.name for each in style if _is_above(each, lower)]
            raise UsageError(
                f"{name}: no single time operation leads from {self.static} to {self.temporal}; "
                f"{self.static} can be combined with {', '.join(partners) or 'none'}"
            )

    @property
    def group(self) -> Group:
        """The transforms that preserve every phase."""
        return _GROUPS[_BY_NAME[self.static].group]

    @property
    def full_group(self) -> Group:
        """The transforms that preserve every phase or map it onto a later one."""
        return _GROUPS[_BY_NAME[self.temporal].group]

    @property
    def factor(self) -> int:
        """The number k, such that the time operation acts every p/k generations; 1 without one."""
        return len(self.full_group) // len(self.group)

    @property
    def time_operation(self) -> Transform | None:
        """The transform after p/k generations, if there is one."""
        return _find_generator(self.group, self.full_group) if self.factor > 1 else None

    def check(self, box: Box | str) -> None:
        """Raise :class:`~satlife.errors.UsageError` unless the box fits; name those that do."""
        box = Box.parse(box) if isinstance(box, str) else box
        for name in (self.static, self.temporal):
            wanted = _BY_NAME[name]
            if not wanted.fits(box):
                others = [c.name for c in CLASSES if c.group == wanted.group and c.fits(box)]
                hint = f"; use {' or '.join(others)}" if others else ""
                raise UsageError(f"{name} needs {wanted.boxes}, got {box}{hint}")

    @property
    def boxes(self) -> str:
        """A description of the boxes that fit."""
        return _BY_NAME[self.temporal].boxes

    def describe(self) -> str:
        """Describe the symmetry and its time operation."""
        return ", and ".join(filter(None, (self.static, self._describe_time())))

    def explain(self) -> str:
        """Return the name with its meaning.

        >>> Symmetry("D8").explain(), Symmetry("C1:C2").explain()
        ('D8 (all rotations and reflections)', 'C1:C2 (a half-turn each half period)')
        """
        meaning = OLDER_NAMES.get(_BY_NAME[self.static].group, "").partition(";")[0]
        meaning = ", and ".join(filter(None, (meaning, self._describe_time())))
        return f"{self} ({meaning})" if meaning else str(self)

    def _describe_time(self) -> str:
        if self.time_operation is None:
            return ""
        share = {2: "half", 4: "quarter"}[self.factor]
        return f"{_PHRASES[str(self.time_operation)]} each {share} period"

    def __str__(self) -> str:
        return self.static if self.static == self.temporal else f"{self.static}:{self.temporal}"

    def __repr__(self) -> str:
        return f"Symmetry({str(self)!r})"


_PHRASES: Final[dict[str, str]] = {
    "half-turn": "a half-turn",
    "quarter-turn-clockwise": "a quarter-turn",
    "quarter-turn-anticlockwise": "a quarter-turn",
    "flip-left-right": "a left-right reflection",
    "flip-top-bottom": "a top-bottom reflection",
    "flip-diagonal": "a reflection across \\",
    "flip-antidiagonal": "a reflection across /",
}


def _find(name: str) -> _Class:
    found = _BY_NAME.get(SPELLINGS.get(name, name))
    if found is None and _HEXAGONAL.fullmatch(name):
        raise UsageError(
            f"{name} is a symmetry of the hexagonal grid, which searches do not support yet; "
            "in a hexagonal rule use C2, D2\\, D2/ or D4x"
        )
    if found is None:
        names = [*SPELLINGS, *_BY_NAME]
        spelled = {each: spelling for spelling, each in SPELLINGS.items()}
        near = [
            f"{spelled.get(each, each)} ({meaning.partition(';')[0]})"
            for each, meaning in OLDER_NAMES.items()
            if each.startswith(name)
        ] or get_close_matches(name, names, 3, 0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
        raise UsageError(f"no symmetry {name!r}; {hint}")
    return found


def _is_above(upper: _Class, lower: _Class) -> bool:
    below, above = _GROUPS[lower.group], _GROUPS[upper.group]
    fits = bool(lower.parities & upper.parities) and below < above
    return fits and _find_generator(below, above) is not None


@cache  # classes share few groups
def _find_generator(lower: Group, upper: Group) -> Transform | None:
    """Find a transform whose powers, times the lower group, make up the upper one."""
    if not all(g * h * g.inverse in lower for g in upper for h in lower):
        return None  # not normal: there is no quotient
    fitting = (g for g in TRANSFORMS if g in upper and generate([g, *lower]) == upper)
    return next(fitting, None)


SYMMETRIES: Final[tuple[Symmetry, ...]] = tuple(
    Symmetry(lower.name if upper == lower else f"{lower.name}:{upper.name}")
    for lower in CLASSES
    for upper in CLASSES
    if upper == lower or _is_above(upper, lower)
)
"""The 43 classes: 16 static ones and 27 with a time operation."""
