"""Maps of space-time onto itself: turn or mirror, shift, and move in time.

>>> half_turn = Isometry.about(Box.parse("5x4"), Transform("half-turn"))
>>> half_turn.point(0, 0, 0)
(4, 3, 0)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import Group, Symmetry, generate
from satlife.life.transforms import TRANSFORMS, Transform

Coordinates = npt.NDArray[np.int64]


class Isometry(Struct, frozen=True):
    """The map from (x, y, t) to (M(x, y) + (dx, dy), t + dt)."""

    transform: Transform
    dx: int = 0
    dy: int = 0
    dt: int = 0

    @classmethod
    def about(
        cls, box: Box, transform: Transform, dx: int = 0, dy: int = 0, dt: int = 0
    ) -> Isometry:
        """Build the map that turns or mirrors about the centre of a box, then shifts."""
        # Twice the centre, which is a whole number.
        u, v = 2 * box.x + box.width - 1, 2 * box.y + box.height - 1
        i, j = transform.apply_to_point(u, v)
        return cls(transform, (u - i) // 2 + dx, (v - j) // 2 + dy, dt)

    def point(self, x: int, y: int, t: int) -> tuple[int, int, int]:
        """Return the image of one cell."""
        i, j = self.transform.apply_to_point(x, y)
        return i + self.dx, j + self.dy, t + self.dt

    def points(self, x: Coordinates, y: Coordinates) -> tuple[Coordinates, Coordinates]:
        """Return the images of many places; ``dt`` is the shift in time."""
        (a, b), (c, d) = self.transform.matrix
        return a * x + b * y + self.dx, c * x + d * y + self.dy

    @property
    def inverse(self) -> Isometry:
        """The map that undoes this one."""
        back = self.transform.inverse
        i, j = back.apply_to_point(self.dx, self.dy)
        return Isometry(back, -i, -j, -self.dt)

    def box(self, box: Box) -> Box:
        """Return the image of a box."""
        return box.transformed(self.transform).shift(self.dx, self.dy)


def symmetry_isometries(
    symmetry: Symmetry, box: Box, motion: Motion | None, *, every: bool = False
) -> list[Isometry]:
    """Return generators of a symmetry that fits the box and the motion, or all its elements."""
    chosen = sorted(symmetry.group, key=str) if every else _generators(symmetry.group)
    maps = [Isometry.about(box, g) for g in chosen]
    if symmetry.time_operation is not None and motion is not None:
        maps.append(_time_isometry(symmetry.time_operation, symmetry.factor, box, motion))
    return maps


def _time_isometry(operation: Transform, factor: int, box: Box, motion: Motion) -> Isometry:
    dx, dy = motion.displacement
    if operation.swaps_axes:
        # Twice across the diagonal and by (a, b) is a shift by (a + b, a + b); across the other
        # one, by (a - b, b - a).  An odd shift is split so that the axis is half a cell above the
        # centre.
        shift = (-(-dx // 2) if dx == dy else dx // 2), dy // 2
    else:
        shift = dx // factor, dy // factor
    return Isometry.about(box, operation, *shift, dt=motion.period // factor)


def _generators(group: Group) -> list[Transform]:
    """Return elements that generate the group."""
    chosen: list[Transform] = []
    for g in TRANSFORMS:
        if g in group and g not in generate(chosen):
            chosen.append(g)
    return chosen
