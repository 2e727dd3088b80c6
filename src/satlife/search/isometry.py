"""Maps of space-time onto itself: turn or mirror, move, and go on in time.

>>> half_turn = Isometry.about(Box.parse("5x4"), Transform("half-turn"))
>>> half_turn.point(0, 0, 0)
(4, 3, 0)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import Group, Symmetry, generate
from satlife.life.transforms import TRANSFORMS, Transform

Coordinates = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Isometry:
    """(x, y, t) goes to (M(x, y) + (dx, dy), t + dt)."""

    transform: Transform
    dx: int = 0
    dy: int = 0
    dt: int = 0

    @classmethod
    def about(
        cls, box: Box, transform: Transform, dx: int = 0, dy: int = 0, dt: int = 0
    ) -> Isometry:
        """Turn or mirror about the centre of a box, then move."""
        # Twice the centre, so that it is whole.
        u, v = 2 * box.x + box.width - 1, 2 * box.y + box.height - 1
        i, j = transform.apply_to_point(u, v)
        if (u - i) % 2 or (v - j) % 2:
            raise UsageError(f"a {transform} about the centre of a {box} box misses the cells")
        return cls(transform, (u - i) // 2 + dx, (v - j) // 2 + dy, dt)

    def point(self, x: int, y: int, t: int) -> tuple[int, int, int]:
        """Map one cell."""
        i, j = self.transform.apply_to_point(x, y)
        return i + self.dx, j + self.dy, t + self.dt

    def points(self, x: Coordinates, y: Coordinates) -> tuple[Coordinates, Coordinates]:
        """Map the places of many cells; what happens to time is ``dt``."""
        (a, b), (c, d) = self.transform.matrix
        return a * x + b * y + self.dx, c * x + d * y + self.dy

    @property
    def inverse(self) -> Isometry:
        """The map that undoes this one."""
        back = self.transform.inverse
        i, j = back.apply_to_point(self.dx, self.dy)
        return Isometry(back, -i, -j, -self.dt)

    def box(self, box: Box) -> Box:
        """Map a box."""
        return box.transformed(self.transform).shift(self.dx, self.dy)


def symmetry_isometries(symmetry: Symmetry, box: Box, motion: Motion | None) -> list[Isometry]:
    """Return generators of the symmetry in this box; say what is wrong if it does not fit."""
    symmetry.check(box)
    displacement = motion.displacement if motion else (0, 0)
    for g in symmetry.group:
        if g.apply_to_point(*displacement) != displacement:
            raise UsageError(_cannot_move(symmetry.static, displacement))
    maps = [Isometry.about(box, g) for g in _generators(symmetry.group)]
    operation = symmetry.time_operation
    if operation is not None:
        if motion is None:
            raise UsageError(f"{symmetry} has a time operation, so it needs a period")
        maps.append(_time_isometry(symmetry, operation, box, motion))
    return maps


def _time_isometry(symmetry: Symmetry, operation: Transform, box: Box, motion: Motion) -> Isometry:
    k = symmetry.factor
    if motion.period % k:
        raise UsageError(
            f"{symmetry} needs a period that {k} divides, got {motion.period}: "
            f"it is {symmetry.describe()}"
        )
    dx, dy = motion.displacement
    if operation.apply_to_point(dx, dy) != (dx, dy):
        raise UsageError(_cannot_move(str(symmetry), (dx, dy)))
    if operation.swaps_axes:
        # (x, y) -> (y + a, x + b) twice is a move by (a + b, a + b): an odd one can be split.
        shift = -(-dx // 2), dy // 2
        if dx != dy:
            shift = dx // 2, dy - dy // 2
    else:
        if dx % k or dy % k:
            raise UsageError(
                f"a glide of {symmetry} moves 1/{k} of the displacement, so {k} must divide it; "
                f"got ({dx}, {dy})"
            )
        shift = dx // k, dy // k
    return Isometry.about(box, operation, *shift, dt=motion.period // k)


def _generators(group: Group) -> list[Transform]:
    """Return a few elements that generate the group."""
    chosen: list[Transform] = []
    for g in TRANSFORMS:
        if g in group and g not in generate(chosen):
            chosen.append(g)
    return chosen


def _cannot_move(name: str, displacement: tuple[int, int]) -> str:
    where = _direction(displacement)
    return f"a pattern with symmetry {name} cannot move {where}; {_fitting(displacement)}"


def _direction(displacement: tuple[int, int]) -> str:
    dx, dy = displacement
    if dx and dy:
        return "diagonally" if abs(dx) == abs(dy) else "obliquely"
    return "north or south" if dy else "west or east"


def _fitting(displacement: tuple[int, int]) -> str:
    dx, dy = displacement
    names = {"north or south": "C1, D2|, C1:D2|", "west or east": "C1, D2-, C1:D2-"}
    if dx == dy:
        return "it may have C1, D2\\ or C1:D2\\"
    if dx == -dy:
        return "it may have C1, D2/ or C1:D2/"
    return f"it may have {names.get(_direction(displacement), 'C1 only')}"
