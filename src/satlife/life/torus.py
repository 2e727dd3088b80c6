"""Tori, for agars and wicks, in Golly's notation.

Golly's notation follows a rule, as in ``B3/S23:T4,4``. One edge may be shifted against the
opposite one (``T4+1,4``, ``T4,4-2``), and a size of 0 is a direction that does not close (``T5,0``
is a tube around which a wick runs). Golly's other grids are not tori, and are refused.

>>> Torus.parse("T6+1,5")
Torus(width=6, height=5, down=0, right=-1)
>>> str(Torus(5, 4, down=1))
'T5,4-1'
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.cells import COORDINATE_LIMIT, Cells
from satlife.life.rule import Rule
from satlife.life.steps import step_by_table
from satlife.life.transforms import Transform

_SIZE: Final = r"([0-9]{1,9})([+-][0-9]{1,9})?"
_NOTATION: Final = re.compile(rf"T{_SIZE}(?:,{_SIZE})?", re.IGNORECASE | re.ASCII)
GROWTH: Final = 2
"""The number of rows or columns that a step adds at each end of an open direction."""
_OTHERS: Final = {
    "P": "a plane with edges",
    "K": "a Klein bottle",
    "C": "a cross-surface",
    "S": "a sphere",
}


class Torus(Struct, frozen=True):
    """A plane that wraps around.

    The copy to the right of the ``width`` columns lies ``down`` rows lower, or the copy below the
    ``height`` rows ``right`` columns further right; at most one of the two is not 0.
    """

    width: int
    """The number of columns; 0 if it does not close from left to right."""
    height: int
    """The number of rows; 0 if it does not close from top to bottom."""
    down: int = 0
    right: int = 0

    def __post_init__(self) -> None:
        if min(self.width, self.height) < 0 or max(self.width, self.height) > COORDINATE_LIMIT:
            raise UsageError(f"a torus of {self.width}x{self.height}: at most {COORDINATE_LIMIT}")
        if not (self.width or self.height):
            raise UsageError("a torus of 0x0 closes in no direction; leave out ':T0,0'")
        if (self.down or self.right) and not self.is_closed:
            raise UsageError("a torus that does not close in one direction cannot be twisted")
        if self.down and self.right:
            raise UsageError("a torus is twisted down or to the right, not both")

    @classmethod
    def parse(cls, notation: str) -> Torus:
        """Read Golly's notation, the part of a rule after the colon.

        >>> Torus.parse("K30*,20")
        Traceback (most recent call last):
        satlife.errors.UsageError: ':K30*,20' is a Klein bottle; only bounded grids that are \
tori, such as ':T4,4', are supported; without ':K30*,20' the cells are on the unbounded plane
        """
        text = "".join(notation.split())
        match = _NOTATION.fullmatch(text)
        if match is None:
            kind = _OTHERS.get(text[:1].upper(), "not a torus")
            if text[:1] in ("T", "t"):
                kind = "not a valid torus"
            shown = text if len(text) <= 30 else f"{text[:27]}..."
            raise UsageError(
                f"':{shown}' is {kind}; only bounded grids that are tori, such as ':T4,4', are "
                f"supported; without ':{shown}' the cells are on the unbounded plane"
            )
        width, across, height, along = match.groups()
        shifts = -int(along or 0), -int(across or 0)
        return cls(int(width), int(width if height is None else height), *shifts)

    def __str__(self) -> str:
        # Golly's shift leads from an edge to its neighbours, ours to the place of the copy.
        across = _write_shift(-self.right, self.width)
        along = _write_shift(-self.down, self.height)
        return f"T{self.width}{across},{self.height}{along}"

    @property
    def is_closed(self) -> bool:
        """Whether it closes in both directions."""
        return self.width > 0 and self.height > 0

    def is_kept_by(self, turn: Transform) -> bool:
        """Return whether a transform maps the lattice of copies of a closed torus to itself.

        >>> Torus(4, 4).is_kept_by(Transform("flip-diagonal"))
        True
        >>> Torus(4, 4, down=1).is_kept_by(Transform("flip-left-right"))
        False
        """
        edges = ((self.width, self.down), (self.right, self.height))
        return all(self._is_copy(*turn.apply_to_point(*edge)) for edge in edges)

    def _is_copy(self, x: int, y: int) -> bool:
        """Return whether (x, y) leads from a copy to another: i steps to the right and j down."""
        if self.down:
            i, rest = divmod(x, self.width)
            return rest == 0 and (y - i * self.down) % self.height == 0
        j, rest = divmod(y, self.height)
        return rest == 0 and (x - j * self.right) % self.width == 0

    def describe_refusal(self) -> str:
        """Explain why a pattern on the torus is not one on the plane, and what to do."""
        return (
            f"the pattern is on a torus (:{self}), and this needs one on the plane; leave out "
            f"':{self}' to take its cells alone"
        )

    def look(self, cells: Cells, x: NDArray[np.int64], y: NDArray[np.int64]) -> Cells:
        """Return the states at points of the plane, which copies of the cells fill.

        In a direction that does not close, points outside the cells are dead.
        """
        rows, columns = cells.shape
        across = x // self.width if self.width else 0 * x
        below = y // self.height if self.height else 0 * y
        x, y = x - below * self.right, y - across * self.down
        x = x % self.width if self.width else x
        y = y % self.height if self.height else y
        inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
        found = cells[np.where(inside, y, 0), np.where(inside, x, 0)]
        return np.where(inside, found, 0).astype(np.uint8)

    def surround(self, cells: Cells, margin: int) -> Cells:
        """Return the cells with a margin of neighbouring cells on each side."""
        rows, columns = cells.shape
        if self.down or self.right:
            y, x = np.mgrid[-margin : rows + margin, -margin : columns + margin]
            return self.look(cells, x, y)
        for axis, closes in enumerate((self.height, self.width)):
            widths = [(0, 0), (0, 0)]
            widths[axis] = (margin, margin)
            cells = np.pad(cells, widths, mode="wrap") if closes else np.pad(cells, widths)
        return cells

    def step(self, cells: Cells, rule: Rule) -> Cells:
        """Return the next generation, enlarged by ``GROWTH`` on each side that does not close."""
        # Copies of the edges serve as the neighbours; their own next states are cut off.
        grown = step_by_table(self.surround(cells, 1), rule.phases[0].table)
        x, y = 2 * bool(self.width), 2 * bool(self.height)
        return grown[y : grown.shape[0] - y, x : grown.shape[1] - x]

    def tile(self, cells: Cells, least: int) -> Cells:
        """Return whole copies of the cells, at least ``least`` long in each closed direction.

        >>> Torus(2, 1).tile(np.array([[1, 0]], np.uint8), 3).tolist()
        [[1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0]]
        """
        rows, columns = cells.shape
        width = columns * -(-least // columns) if self.width else columns
        height = rows * -(-least // rows) if self.height else rows
        y, x = np.mgrid[:height, :width]
        return self.look(cells, x, y)


def _write_shift(shift: int, size: int) -> str:
    """Write a shift the shortest way around."""
    if not shift or not shift % size:
        return ""
    least = shift % size
    return f"{least if 2 * least <= size else least - size:+d}"
