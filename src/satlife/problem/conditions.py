"""Conditions that bound no number: a live cell, full periods, axes and symmetries.

>>> print(FullPeriod())
at least one cell has the full period
>>> print(Gutter())
every cell on an axis of the symmetry is dead in every generation
>>> print(Lacks("D2v"))
generation 0 does not have the symmetry D2|, about any centre
"""

from __future__ import annotations

from typing import ClassVar, Final

import msgspec

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.symmetry import OLDER_NAMES, Symmetry
from satlife.life.torus import Torus
from satlife.life.transforms import Transform
from satlife.problem.statement import NOT_IN_BACKGROUND, Condition, Statement


class NotEmpty(Condition, frozen=True, tag="not-empty"):
    """Some cell of a generation lives."""

    t: int = 0

    is_usual = is_symmetric = is_shiftable = True

    @property
    def generations(self) -> tuple[int, ...]:
        """The one that is not empty."""
        return (self.t,)

    def __str__(self) -> str:
        return f"generation {self.t} is not empty"


class _Period(Condition, frozen=True):
    """No smaller period will do."""

    is_usual = is_symmetric = is_shiftable = True

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses compare all cells with each part of the period later."""
        if problem.motion is None:
            return 1
        move = problem.motion
        reach = 2 * max(abs(move.dx), abs(move.dy))
        parts = [q for q in range(2, move.period + 1) if move.period % q == 0]
        cells = (width + reach) * (height + reach)
        return len(parts) * cells * (10 * problem.generations + 3)


class FullPeriod(_Period, frozen=True, tag="full-period"):
    """Some cell has the whole period of the motion, not only the pattern as a whole."""

    def __str__(self) -> str:
        return "at least one cell has the full period"


class PatternPeriod(_Period, frozen=True, tag="pattern-period"):
    """The pattern as a whole has no smaller period; its parts may all have."""

    def __str__(self) -> str:
        return "the pattern has no smaller period (parts of it may have)"


class Gutter(Condition, frozen=True, tag="gutter"):
    """Every cell on an axis of the symmetry is dead, in every generation.

    With ``D2|`` in a box of odd width, that is the middle column.  Of a symmetry ``H:G`` the axes
    are those of H.
    """

    is_symmetric = clears_axes = True
    phrase = "a gutter"
    refusals: ClassVar = {"agar": NOT_IN_BACKGROUND}

    def check(self, problem: Statement, box: Box) -> None:
        """Raise unless an axis of the symmetry runs through cells."""
        symmetry = problem.parsed.symmetry
        axes = {
            "flip-left-right": box.width % 2 == 1,
            "flip-top-bottom": box.height % 2 == 1,
            "flip-diagonal": True,
            "flip-antidiagonal": True,
        }
        mirrors = [turn.name for turn in symmetry.group if turn.name in axes]
        if not mirrors:
            raise UsageError(
                f"a gutter is the axis of a mirror, and {symmetry} has none in every generation; "
                f"{_advise_mirror(problem)}"
            )
        if not any(axes[mirror] for mirror in mirrors):
            wanted = "width" if mirrors == ["flip-left-right"] else "height"
            wanted = "width or height" if len(mirrors) > 1 else wanted
            raise UsageError(
                f"a gutter of {symmetry} needs an odd {wanted}, got {problem.boxes[0]}"
            )

    def __str__(self) -> str:
        return "every cell on an axis of the symmetry is dead in every generation"


def _advise_mirror(problem: Statement) -> str:
    """Return which mirrors a pattern that moves so can have."""
    dx, dy = (0, 0) if problem.motion is None else problem.motion.displacement
    if not dx and not dy:
        return "use D2| (D2v), D2- (D2h) or D4+"
    for fits, name in (
        (not dx, "D2| (D2v)"),
        (not dy, "D2- (D2h)"),
        (dx == dy, "D2\\ (D2b)"),
        (dx == -dy, "D2/ (D2s)"),
    ):
        if fits:
            return f"use {name}"
    return "a pattern that moves obliquely has no mirror"


MOST_PAIRS: Final = 30_000_000
"""Maximum pairs of cells that are compared to forbid a symmetry."""


SIMPLEST: Final = ("C2", "D2|", "D2-", "D2\\", "D2/")
"""A pattern without these has no symmetry at all."""


class Lacks(Condition, frozen=True, tag="lacks"):
    """Generation 0 does not have a symmetry: about every centre, something would change it.

    The empty pattern has every symmetry.
    """

    symmetry: str

    is_shiftable = True

    refusals: ClassVar = {
        "agar": NOT_IN_BACKGROUND,
        "free": "a symmetry cannot be forbidden where cells outside are unconstrained",
    }

    def __post_init__(self) -> None:
        name = str(Symmetry(self.symmetry))
        if name not in OLDER_NAMES:
            usual = ", ".join(OLDER_NAMES)
            raise UsageError(f"{name} cannot be forbidden; it can be one of {usual}")
        msgspec.structs.force_setattr(self, "symmetry", name)

    @property
    def phrase(self) -> str:
        """What is missing."""
        return f"no symmetry {self.symmetry}"

    @property
    def excluded_symmetry(self) -> str:
        """The symmetry."""
        return self.symmetry

    @property
    def generations(self) -> tuple[int, ...]:
        """The first, which alone must lack it."""
        return (0,)

    @property
    def _group(self) -> frozenset[Transform]:
        return Symmetry(self.symmetry).group

    def check(self, problem: Statement, box: Box) -> None:
        """Raise if no pattern there can have the symmetry, or if there are too many cells."""
        if problem.boundary == "torus":
            torus = Torus(box.width, box.height, *problem.wrap)
            if not all(map(torus.is_kept_by, self._group)):
                raise UsageError(f"no pattern on this torus has the symmetry {self.symmetry}")
        pairs = 4 * box.area**2 * (len(self._group) - 1)
        if pairs > MOST_PAIRS and not problem.has_open_height:
            raise UsageError(f"to forbid {self.symmetry} in {box} is too much; use a smaller box")

    def after_turn(self, turn: Transform) -> Condition | None:
        """Return itself if the turn takes the symmetry to itself."""
        is_kept = all(turn * each * turn.inverse in self._group for each in self._group)
        return self if is_kept else None

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses compare the cells about every centre."""
        return 40 * problem.all_boxes[0].area ** 2 * (len(self._group) - 1)

    def __str__(self) -> str:
        return f"generation 0 does not have the symmetry {self.symmetry}, about any centre"
