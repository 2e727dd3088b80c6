"""The places of a pattern in a problem's boxes, and clauses that exclude them.

The images of a pattern are its phases, turned and mirrored as the rule allows, in every place where
all their generations fit the boxes.  A clause for each image excludes a whole class of solutions.

>>> from satlife.life import Pattern
>>> from satlife.kinds import still_life
>>> spacetime = SpaceTime(still_life(box="4x4"))
>>> tub, boat = Pattern.from_rle("bo$obo$bo!"), Pattern.from_rle("2o$obo$bo!")
>>> [sum(map(len, placements(pattern, spacetime.boxes))) for pattern in (tub, boat)]
[4, 16]
>>> blocking_clauses(spacetime, placements(tub, spacetime.boxes), ring=0)[:5].tolist()
[-2, -5, -7, -10, 0]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.formula.isometry import Coordinates
from satlife.formula.spacetime import SpaceTime
from satlife.life.box import Box
from satlife.life.pattern import Pattern
from satlife.life.transforms import Transform
from satlife.sat.formula import IntArray
from satlife.sat.logic import FALSE, fold_clauses


@dataclass(frozen=True, eq=False)
class Placements:
    """One image of a pattern, and all the shifts that keep it in the boxes."""

    pattern: Pattern
    """Its generation 0, with its box at (0, 0)."""
    shifts: npt.NDArray[np.int64]
    """Shape (n, 2): dx, dy."""

    def __len__(self) -> int:
        return len(self.shifts)

    def __iter__(self) -> Iterator[Pattern]:
        return (self.pattern.shift(dx, dy) for dx, dy in self.shifts.tolist())


def placements(
    pattern: Pattern,
    boxes: Sequence[Box],
    *,
    transforms: Iterable[Transform] | None = None,
    phases: int = 1,
) -> tuple[Placements, ...]:
    """Return every image of the pattern whose generation t fits ``boxes[t]``, each once.

    ``transforms`` are the symmetries of the pattern's rule by default.  ``phases`` is the number of
    its generations that may be generation 0: the period, if any may.
    """
    if not boxes or phases < 1:
        raise UsageError(f"placements need a box and a phase, got {len(boxes)} and {phases}")
    if pattern.is_empty:
        raise UsageError("the empty pattern cannot be placed: it is everywhere")
    groups = []
    for image in dict.fromkeys(_images(pattern, transforms, phases)):
        shifts = _shifts(image, boxes)
        if len(shifts):
            groups.append(Placements(image, shifts))
    return tuple(groups)


def solution_placements(spacetime: SpaceTime, pattern: Pattern) -> tuple[Placements, ...]:
    """Return the images of a solution that solve the same problem, apart from known cells.

    They are its phases under the problem's motion, and the symmetries of the rule that preserve
    the motion.
    """
    if spacetime.problem.boundary == "torus":
        raise UsageError("a pattern cannot be placed on a torus; use a problem in the plane")
    motion = spacetime.problem.motion
    if motion is None:
        return placements(pattern, spacetime.boxes)
    way = motion.dx, motion.dy
    kept = [g for g in spacetime.rule.symmetries if g.apply_to_point(*way) == way]
    return placements(pattern, spacetime.boxes, transforms=kept, phases=motion.period)


def blocking_clauses(
    spacetime: SpaceTime,
    images: Iterable[Placements],
    *,
    ring: int | None = None,
    generations: Iterable[int] = (0,),
) -> IntArray:
    """Return a clause against each image, all in one flat array with a 0 after each clause.

    A clause excludes, in these generations together, the image with everything else in the box
    dead (``ring=None``), or the image with some rings of dead cells around each of its cells and
    anything beyond: 0 rings exclude everything that contains it, 1 the image as an island.  With 2
    rings in every generation of a period nothing can touch the image, so only patterns that fall
    apart are lost.  Cells outside the boxes count as dead.
    """
    wanted = sorted(set(generations))
    arrays = [_clauses(spacetime, image, ring, wanted) for image in images]
    return np.concatenate([np.zeros(0, np.int32), *arrays])


def _images(
    pattern: Pattern, transforms: Iterable[Transform] | None, phases: int
) -> Iterator[Pattern]:
    chosen = pattern.rule.symmetries if transforms is None else tuple(transforms)
    for _ in range(phases):
        for transform in chosen:
            yield pattern.transformed(transform).normalized
        pattern = pattern[1]


def _shifts(image: Pattern, boxes: Sequence[Box]) -> npt.NDArray[np.int64]:
    """Return the shifts that keep each generation in its box."""
    low, high = np.full(2, -(2**40)), np.full(2, 2**40)
    for box in boxes:
        if not image.is_empty:
            here = image.box
            low = np.maximum(low, [box.x - here.x, box.y - here.y])
            high = np.minimum(high, [box.right - here.right, box.bottom - here.bottom])
        image = image[1]
    if (low > high).any():
        return np.zeros((0, 2), np.int64)
    dy, dx = np.mgrid[low[1] : high[1] + 1, low[0] : high[0] + 1]
    return np.stack([dx.ravel(), dy.ravel()], axis=1)


def _clauses(
    spacetime: SpaceTime, image: Placements, ring: int | None, generations: Sequence[int]
) -> IntArray:
    columns = []
    for t in generations:
        pattern = image.pattern[t]
        alive = pattern.coordinates
        columns.append(-_literals(spacetime, alive, image.shifts, t))
        if ring is None:
            columns.append(_others(spacetime, alive, image.shifts, t))
        elif ring:
            box = pattern.box.grow(ring)
            grown = _dilate(pattern.in_box(box), ring)
            rows, across = np.nonzero(grown & ~pattern.in_box(box).astype(np.bool_))
            around = np.stack([across + box.x, rows + box.y], axis=1)
            columns.append(_literals(spacetime, around, image.shifts, t))
    return fold_clauses(np.concatenate(columns, axis=1))


def _literals(
    spacetime: SpaceTime, cells: Coordinates, shifts: npt.NDArray[np.int64], t: int
) -> IntArray:
    """Return the literals of shifted cells: a row for each shift, a column for each cell."""
    x = shifts[:, :1] + cells[None, :, 0]
    y = shifts[:, 1:] + cells[None, :, 1]
    return spacetime.literals(x, y, t)


def _others(
    spacetime: SpaceTime, cells: Coordinates, shifts: npt.NDArray[np.int64], t: int
) -> IntArray:
    """Return all literals of the box in each row, with FALSE for the image's own cells."""
    box = spacetime.boxes[t]
    rows = np.tile(spacetime.generation(t).ravel(), (len(shifts), 1))
    x = shifts[:, :1] + cells[None, :, 0] - box.x
    y = shifts[:, 1:] + cells[None, :, 1] - box.y
    np.put_along_axis(rows, y * box.width + x, FALSE, axis=1)
    return rows


def _dilate(cells: npt.NDArray[np.uint8], rings: int) -> npt.NDArray[np.bool_]:
    grown = cells.astype(np.bool_)
    for _ in range(rings):
        wide = np.pad(grown, 1)
        height, width = grown.shape
        around = [wide[j : j + height, i : i + width] for j in range(3) for i in range(3)]
        grown = np.logical_or.reduce(around)
    return grown
