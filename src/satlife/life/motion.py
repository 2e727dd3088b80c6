"""Motions: a period, and how far the pattern has moved when it is over.

Speeds are written as people write them.  Ships travel north or north-west (y grows downward):

>>> Motion("c/3"), Motion("2c/5"), Motion("c/4d")
(Motion('c/3'), Motion('2c/5'), Motion('c/4d'))
>>> Motion("c/4d").displacement, Motion("(2,1)c/6").displacement
((-1, -1), (-1, -2))
>>> Motion("p5").period, Motion("p5").is_still
(5, True)

A speed is never reduced: ``2c/4`` asks for period 4, ``c/2`` for period 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from satlife.errors import UsageError
from satlife.given import check_type

_PERIOD = re.compile(r"p?(\d{1,6})", re.ASCII)
_SPEED = re.compile(r"(\d{0,6})c(?:/(\d{1,6}))?(o|d)?", re.ASCII)
_OBLIQUE = re.compile(r"\((\d{1,6}),(\d{1,6})\)c/(\d{1,6})", re.ASCII)


@dataclass(frozen=True, init=False, repr=False)
class Motion:
    """A period with a displacement, from its notation: ``p5``, ``c/3``, ``c/4d``, ``(2,1)c/6``."""

    period: int
    dx: int
    """How far it moves to the right in a period; negative is west."""
    dy: int
    """How far it moves down in a period; negative is north."""

    def __init__(self, notation: str) -> None:
        self._set(*_read(check_type(notation, str, "a motion", "a text such as 'c/3' or 'p5'")))

    @classmethod
    def of(cls, period: int, dx: int = 0, dy: int = 0) -> Motion:
        """Build a motion from its numbers, in any direction.

        >>> Motion.of(4, 1, 1)
        Motion.of(4, 1, 1)
        """
        motion = cls.__new__(cls)
        motion._set(period, dx, dy)
        return motion

    def _set(self, period: int, dx: int, dy: int) -> None:
        if period < 1:
            raise UsageError(f"a period is at least 1, got {period}")
        if max(abs(dx), abs(dy)) > period:
            raise UsageError(
                f"nothing moves {max(abs(dx), abs(dy))} cells in {period} generations: "
                "the speed of light is one cell in each"
            )
        for name, value in (("period", period), ("dx", dx), ("dy", dy)):
            object.__setattr__(self, name, value)

    @property
    def displacement(self) -> tuple[int, int]:
        """Where it is after a period: (dx, dy)."""
        return self.dx, self.dy

    @property
    def is_still(self) -> bool:
        """Whether it comes back to its own place."""
        return self.displacement == (0, 0)

    def __str__(self) -> str:
        """Write the notation, whatever the direction.

        >>> str(Motion.of(4, 1, 1)), str(Motion.of(6, 2, -1)), str(Motion.of(1))
        ('c/4d', '(2,1)c/6', 'p1')
        """
        near, far = sorted(map(abs, self.displacement))
        if far == 0:
            return f"p{self.period}"
        if near not in (0, far):
            return f"({far},{near})c/{self.period}"
        fraction = f"/{self.period}" if self.period > 1 or near else ""
        return f"{far if far > 1 else ''}c{fraction}{'d' if near else ''}"

    def __repr__(self) -> str:
        if Motion(str(self)) == self:
            return f"Motion({str(self)!r})"
        return f"Motion.of({self.period}, {self.dx}, {self.dy})"


def _read(notation: str) -> tuple[int, int, int]:
    text = notation.replace(" ", "")
    if match := _PERIOD.fullmatch(text):
        return int(match[1]), 0, 0
    if match := _OBLIQUE.fullmatch(text):
        near, far = sorted((int(match[1]), int(match[2])))
        return int(match[3]), -near, -far
    if match := _SPEED.fullmatch(text):
        cells, period = int(match[1] or 1), int(match[2] or 1)
        if cells:
            return period, -cells if match[3] == "d" else 0, -cells
    raise UsageError(
        f"{notation!r} is not a motion; write a period (p5) or a speed (c/3, 2c/5, c/4d, (2,1)c/6)"
    )
