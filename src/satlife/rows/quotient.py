"""A ship as one sequence of rows: space and time divided by the ship's own motion.

A ship moves up k cells in p generations.  If k and p have no common divisor, row y of generation t
depends only on n = p·y + k·t: call it r[n].  The rule then says, for every m,

    r[m-p+k] = G(r[m-2p], r[m-p], r[m])

where G is the rule on three rows; no cell beside the width is born.  The condition is the same for
every m.  A state is 2p rows; a ship is a path from the empty state back to it.

If k and p have a common divisor g, take k/g and p/g for them: then g different rows of space-time
have the number n.  They are the *lanes* of one row, and G is the rule on each of them; which lanes
belong together is what :attr:`Quotient.turns` says.

A diagonal ship goes up and to the left, and its rows lie across its motion: the cell (x, y) is in
column x - y of row (x + y) / 2, rounded down.  So a row is a zigzag along two antidiagonals, in
which every second cell is an upper one; the motion keeps columns, and the mirror turns rows around.
Neighbours lie at most one row and two columns away, so G is the rule on three such rows.  The
*width* is the number of columns: of diagonals, parallel to the motion, that the ship meets.

An oscillator is a ship with k = 0.  Then g = p: row y is r[y], and its lanes are its p phases
(:mod:`satlife.rows.strip`).

An oblique ship goes s cells up for each one to the left, and its rows are sheared: the cell (x, y)
is in column y - s·x of row x, so the motion keeps columns again.  G is then the rule with x and y
exchanged; the row above a cell lies s columns further east, the row below s further west.  The
width is the number of columns: of lines parallel to the motion.

A glide (k and p are then those of half the motion, after which the ship is mirrored) only changes
G: with an odd p the result is mirrored, with an even p the first and the last row are.

>>> Quotient(width=6, period=3, step=1, fold="odd", table=bytes(512)).full_width
11
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from satlife.errors import UsageError

Fold = Literal["none", "odd", "even", "gutter"]
FOLDS: Final[tuple[Fold, ...]] = ("none", "odd", "even", "gutter")
"""How a row is completed by its mirror image: not at all; about its first cell; about the edge
before it; about a dead column before it."""

TABLED: Final = 10
"""Cells of a row at most where there must be tables, as for glides."""
WIDEST: Final = 16
"""Cells of a row at most, all lanes together."""
MOST_SHEAR: Final = 8
"""Columns by which rows are sheared at most."""

_MORE: Final = {"odd": -1, "even": 0, "gutter": 1}

Cells = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]


def list_greatest_parts(number: int) -> tuple[int, ...]:
    """Return the greatest proper divisors, one for each prime divisor.

    >>> list_greatest_parts(12)
    (6, 4)
    """
    primes = [
        q for q in range(2, number + 1) if number % q == 0 and all(q % n for n in range(2, q))
    ]
    return tuple(number // q for q in primes)


class Quotient(Struct, frozen=True):
    """The search problem: rows of ``width`` cells, a motion, a fold and a rule."""

    width: int
    """Free cells of a row; a folded row has about twice as many."""
    period: int
    step: int
    table: bytes
    """The rule's 512 entries; see :class:`satlife.life.Rule`.  Of an oblique ship, those of the
    rule with x and y exchanged."""
    fold: Fold = "none"
    glide: bool = False
    """Whether the pattern is mirrored after each period."""
    slanted: bool = False
    """Whether rows lie across the motion of a diagonal ship."""
    shear: int = 0
    """Columns by which rows of an oblique ship are shifted; 0 for others."""
    lanes: int = 1
    """The common divisor of the whole motion; ``period`` and ``step`` are divided by it."""
    any_period: bool = False
    """Whether a ship may also have a part of the period."""

    def __post_init__(self) -> None:
        if self.width < 1 or self.lanes < 1:
            raise UsageError(f"rows need at least one cell, got {self.width}")
        stands = (self.step, self.period) == (0, 1)
        if not (0 < self.step < self.period or stands) or gcd(self.step, self.period) != 1:
            raise UsageError(
                f"the row search takes speeds k/p below 1 without a common divisor, "
                f"got {self.step}/{self.period}"
            )
        if self.glide and self.fold != "none":
            raise UsageError("a ship with a mirror symmetry does not glide")
        if self.glide and self.lanes > 1 and not stands:
            raise UsageError("a glide cannot be divided further")
        if self.shear and (self.slanted or self.glide or self.fold != "none"):
            raise UsageError("an oblique ship has no symmetry, and rows of its own")
        if not 0 <= self.shear <= MOST_SHEAR:
            raise UsageError(f"rows are sheared by {MOST_SHEAR} cells at most, got {self.shear}")
        if self.slanted and (self.glide or self.fold == "even"):
            raise UsageError("diagonal ships have their mirror in cells, and no glide by rows")

    @property
    def bits(self) -> int:
        """Cells of all lanes of a row."""
        return self.width * self.lanes

    @property
    def widest(self) -> int:
        """Cells of all lanes of a row at most.

        A glide has tables or nothing: it joins columns from both ends of a row.  So have oblique
        ships, whose columns see many others.
        """
        return TABLED if self.glide or self.shear else WIDEST

    @property
    def has_parts(self) -> bool:
        """Whether the period has parts that a ship could have in its place."""
        return self.glide or self.lanes > 1

    @property
    def turns(self) -> tuple[int, int]:
        """How many lanes further the row below lies, and the same row one generation later.

        Row y of generation t is in lane (turn·y + late·t) mod g, with p·late - k·turn = 1: then a
        whole motion, k·g up and p·g later, leads to the same lane, and a part of it does not.
        """
        if not self.step:
            return 0, 1 % self.lanes
        late = pow(self.period, -1, self.step) if self.step > 1 else 1
        return (self.period * late - 1) // self.step % self.lanes, late % self.lanes

    @property
    def parts(self) -> tuple[int, ...]:
        """Lanes by which the greatest parts of the period turn a row, one for each prime divisor.

        A ship has a smaller period if all its rows stay the same by one of these turns.
        """
        return list_greatest_parts(self.lanes)

    @property
    def all_broken(self) -> int:
        """What the rows of a ship break together if it has no part of the period."""
        return (1 << (1 if self.any_period else max(1, len(self.parts)))) - 1

    def find_broken(self, row: int) -> int:
        """Return which parts of the period no ship with this row has, a bit for each."""
        if self.any_period or not self.has_parts:
            return int(row != 0)
        if self.glide:
            return int(int(f"{row:0{self.width}b}"[::-1], 2) != row)
        lanes = self.split(row)
        return sum((lanes[n:] + lanes[:n] != lanes) << i for i, n in enumerate(self.parts))

    def split(self, row: int) -> tuple[int, ...]:
        """Return the lanes of a row."""
        return tuple(row >> self.width * j & (1 << self.width) - 1 for j in range(self.lanes))

    @property
    def twist(self) -> int:
        """Where G mirrors: 0 nowhere, 1 the result, 2 the first and the last row."""
        return 0 if not self.glide else 1 if self.period % 2 else 2

    @property
    def generations(self) -> int:
        """Generations until the ship is itself again."""
        return self.period * self.lanes * (2 if self.glide else 1)

    @property
    def full_width(self) -> int:
        """Cells of a whole row."""
        return self.width if self.fold == "none" else 2 * self.width + _MORE[self.fold]

    def weigh(self, row: int) -> int:
        """Return how many cells of one lane of a row live, when it is whole."""
        twice = row.bit_count() * (1 if self.fold == "none" else 2)
        return twice - (row & 1 if self.fold == "odd" else 0)

    def draw_row(self, row: int) -> Cells:
        """Return the cells of one lane of a row, whole, from west to east."""
        half = np.array([row >> i & 1 for i in range(self.width)], np.uint8)
        if self.fold == "none":
            return half
        gutter = np.zeros(1 if self.fold == "gutter" else 0, np.uint8)
        return np.concatenate([half[::-1][: -1 if self.fold == "odd" else None], gutter, half])

    def read_row(self, cells: Cells) -> int:
        """Return the number of a whole row, the opposite of :meth:`draw_row`."""
        half = cells[self.full_width - self.width :]
        row = sum(int(cell) << i for i, cell in enumerate(half))
        if not np.array_equal(self.draw_row(row), cells):
            raise UsageError(f"a row does not have the symmetry {self.fold}")
        return row

    def find_lane(self, y: int, t: int) -> int:
        """Return the lane of row y of generation t."""
        turn, late = self.turns
        return (turn * y + late * t) % self.lanes

    def find_cell(self, x: int, y: int, t: int) -> tuple[int, int]:
        """Return the number of the row of a cell, and its bit there: -1 if the cell is never alive.

        Columns count from 0, in rows that are not slanted.
        """
        lane, x = self.find_lane(y, t), self.full_width - 1 - x if self._turns(y, t) else x
        bit = next((i for i in range(self.width) if self._has_cell(1 << i, x)), None)
        place = -1 if bit is None else self.width * lane + bit
        return self.period * y + self.step * t, place

    def _has_cell(self, row: int, x: int) -> bool:
        return 0 <= x < self.full_width and bool(self.draw_row(row)[x])

    def unfold(self, rows: Sequence[int]) -> tuple[int, tuple[Cells, ...]]:
        """Return the generations of a sequence of rows, r[0] first, and the y of their top row.

        All generations lie in one frame, which rows before and after the sequence leave empty.
        """
        p, k, last = self.period, self.step, self.generations - 1
        top, bottom = -((k * last) // p), max(0, len(rows) - 1) // p
        frames = []
        for t in range(last + 1):
            cells = np.zeros((bottom - top + 1, self.full_width), np.uint8)
            for y in range(top, bottom + 1):
                n = p * y + k * t
                if 0 <= n < len(rows):
                    row = self.split(int(rows[n]))[self.find_lane(y, t)]
                    cells[y - top] = self._turn(self.draw_row(row), y, t)
            frames.append(cells)
        if not (self.slanted or self.shear):
            return top, tuple(frames)
        xs, ys = self.find_places(top, bottom)
        planes = np.zeros((last + 1, int(ys.max() - ys.min()) + 1, int(xs.max() - xs.min()) + 1))
        planes[:, ys - ys.min(), xs - xs.min()] = frames
        return int(ys.min()), tuple(planes.astype(np.uint8))

    def find_places(self, top: int, bottom: int) -> tuple[Places, Places]:
        """Return the x and y of the cells of rows that are not straight, indexed [row, column]."""
        if self.shear:
            row, column = np.mgrid[top : bottom + 1, : self.width]
            return row, column + self.shear * row
        first = 0 if self.fold == "none" else -(self.full_width // 2)
        row, column = np.mgrid[top : bottom + 1, first : first + self.full_width]
        return row + (column + 1) // 2, row - column // 2

    def read(self, top: int, generations: Sequence[Cells]) -> tuple[int, ...]:
        """Return the rows of generations, given row by row in one frame.

        The rows begin with the first that is not empty.
        """
        rows: dict[int, dict[int, int]] = {}
        for t, cells in enumerate(generations):
            for y, line in enumerate(cells, top):
                lanes = rows.setdefault(self.period * y + self.step * t, {})
                row = self.read_row(self._turn(line, y, t))
                if lanes.setdefault(self.find_lane(y, t), row) != row:
                    raise UsageError(f"row {y} of generation {t} is not as the motion says")
        filled = [n for n, lanes in rows.items() if any(lanes.values())]
        if not filled:
            return ()
        return tuple(
            sum(row << self.width * j for j, row in rows.get(n, {}).items())
            for n in range(min(filled), max(filled) + 1)
        )

    def _turn(self, cells: Cells, y: int, t: int) -> Cells:
        """Return a row as it lies in generation t: with a glide, every second one is mirrored."""
        return cells[::-1] if self._turns(y, t) else cells

    def _turns(self, y: int, t: int) -> bool:
        return self.glide and (t // self.lanes if self.period % 2 else y) % 2 > 0
