"""The camera: which part of the plane is seen in each generation.

It stands still, or flies with a ship at the ship's own speed: a fraction of a cell in each
generation, so that the grid glides past below, and after a period all is as before.

>>> from satlife.life.pattern import Pattern
>>> camera = Camera.on(Scene.of(Pattern.from_rle("bo$2bo$3o!")))
>>> str(camera.box), camera.at(2)
('7x6', (Fraction(-3, 2), Fraction(-1, 2)))
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from satlife.life.box import Box
from satlife.life.cells import Cells
from satlife.show.scene import Scene, join_boxes


@dataclass(frozen=True)
class Camera:
    """What is seen at the start, and how far the camera moves in each generation."""

    box: Box
    dx: Fraction = Fraction(0)
    dy: Fraction = Fraction(0)

    @classmethod
    def on(cls, scene: Scene) -> Camera:
        """Place the camera so that all of the scene is always seen, and follow a ship."""
        if scene.loop is None or not scene.loop.is_moving:
            return cls.fixed(scene)
        dx, dy = (Fraction(d, scene.loop.period) for d in scene.loop.displacement)
        boxes = [(t, frame.box) for t, frame in enumerate(scene.frames) if not frame.box.is_empty]
        left = floor(min(box.x - t * dx for t, box in boxes))
        top = floor(min(box.y - t * dy for t, box in boxes))
        right = ceil(max(box.right - t * dx for t, box in boxes))
        bottom = ceil(max(box.bottom - t * dy for t, box in boxes))
        return cls(Box(left, top, right - left, bottom - top).grow(scene.margin), dx, dy)

    @classmethod
    def fixed(cls, scene: Scene) -> Camera:
        """Place the camera before all that the frames hold."""
        return cls(join_boxes(frame.box for frame in scene.frames).grow(scene.margin))

    @property
    def is_moving(self) -> bool:
        """Whether it flies with a ship."""
        return bool(self.dx or self.dy)

    def at(self, t: int) -> tuple[Fraction, Fraction]:
        """Return the top left corner of what is seen, in cells."""
        return self.box.x + t * self.dx, self.box.y + t * self.dy

    def see(self, scene: Scene, t: int) -> tuple[Cells, Fraction, Fraction]:
        """Return the cells that are seen, and how much is hidden of the first column and row.

        Of a camera that moves, there is one row and one column more than the box has.
        """
        x, y = self.at(t)
        more = int(self.is_moving)
        window = Box(floor(x), floor(y), self.box.width + more, self.box.height + more)
        return scene.frames[t % len(scene.frames)].see(window), x - floor(x), y - floor(y)
