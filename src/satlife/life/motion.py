"""Motions: a period, and the displacement of the pattern in a period.

Speeds are written in the usual notation.  Ships travel north or north-west (y grows downward):

>>> Motion.parse("c/3"), Motion.parse("c/4d")
(Motion(period=3, dy=-1), Motion(period=4, dx=-1, dy=-1))
>>> Motion.parse("(2,1)c/6").displacement
(-1, -2)
>>> Motion.parse("p5").period, Motion.parse("p5").is_still
(5, True)

A speed is never reduced: ``2c/4`` asks for period 4, ``c/2`` for period 2.
"""

from __future__ import annotations

import re
import sys

import msgspec

from satlife.errors import UsageError
from satlife.given import check_type
from satlife.quantities import write_count

_PERIOD = re.compile(r"p?(\d{1,6})", re.ASCII)
_SPEED = re.compile(r"(\d{0,6})c(?:/(\d{1,6}))?(orthogonal|diagonal|o|d)?", re.ASCII)
_NO_SLASH = re.compile(r"(\d*c)(\d+[od]?)", re.ASCII)
_OBLIQUE = re.compile(r"\((\d{1,6}),(\d{1,6})\)c/(\d{1,6})", re.ASCII)


class Motion(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    repr_omit_defaults=True,
):
    """Generation ``period`` is generation 0, transformed about the box's centre and moved."""

    period: int
    dx: int = 0
    """The displacement to the right in a period; negative is west."""
    dy: int = 0
    """The downward displacement in a period; negative is north."""
    transform: str = "identity"
    """The rotation or reflection in a period; in a problem only."""

    def __post_init__(self) -> None:
        check_type(self.period, int, "a period", "a number; Motion.parse('c/3') reads a speed")
        if self.period < 1:
            raise UsageError(f"a period is at least 1, got {self.period}")
        if (far := max(map(abs, self.displacement))) > self.period:
            raise UsageError(
                f"nothing moves {write_count(far, 'cell')} in "
                f"{write_count(self.period, 'generation')}: "
                "the speed of light is one cell in each"
            )
        # msgspec omits defaults from the text, and recognises them by identity.
        msgspec.structs.force_setattr(self, "transform", sys.intern(self.transform))

    @classmethod
    def parse(cls, notation: str) -> Motion:
        """Read a period or a speed: ``p5``, ``c/3``, ``c/4d``, ``(2,1)c/6``."""
        return cls(*_read(check_type(notation, str, "a motion", "a text such as 'c/3' or 'p5'")))

    @property
    def displacement(self) -> tuple[int, int]:
        """The displacement in a period: (dx, dy)."""
        return self.dx, self.dy

    @property
    def is_still(self) -> bool:
        """Whether the displacement is zero."""
        return self.displacement == (0, 0)

    @property
    def only_shifts(self) -> bool:
        """Whether the pattern is neither turned nor mirrored."""
        return self.transform == "identity"

    def __str__(self) -> str:
        """Write the notation, whatever the direction.

        >>> str(Motion(4, 1, 1)), str(Motion(6, 2, -1)), str(Motion(1))
        ('c/4d', '(2,1)c/6', 'p1')
        """
        near, far = sorted(map(abs, self.displacement))
        if far == 0:
            return f"p{self.period}"
        if near not in (0, far):
            return f"({far},{near})c/{self.period}"
        fraction = f"/{self.period}" if self.period > 1 or near else ""
        return f"{far if far > 1 else ''}c{fraction}{'d' if near else ''}"


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
            return period, -cells if (match[3] or "").startswith("d") else 0, -cells
    if match := _NO_SLASH.fullmatch(text):
        raise UsageError(f"{notation!r} is not a speed; did you mean {match[1]}/{match[2]}?")
    raise UsageError(
        f"{notation!r} is not a motion; write a period (p5) or a speed (c/3, 2c/5, c/4d, (2,1)c/6)"
    )
