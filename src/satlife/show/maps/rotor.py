"""Rotor and stator of an oscillator: the cells that change, and those that never do.

>>> from satlife.life.pattern import Pattern
>>> make_rotor_map(Scene.of(Pattern.from_rle("3o!"))).counts
(1, 4)
"""

from __future__ import annotations

import numpy as np

from satlife.show.maps._map import CellMap, MapKind, Mark, require_oscillator
from satlife.show.maps.period import FULL
from satlife.show.scene import Scene


def make_rotor_map(scene: Scene) -> CellMap:
    """Return the cells of the stator, and those of the rotor."""
    require_oscillator(scene, "map of rotor and stator")
    box = scene.box.grow(scene.margin)
    alive = np.stack([frame.see(box) for frame in scene.frames]) > 0
    classes = np.where(alive.all(axis=0), 1, np.where(alive.any(axis=0), 2, 0))
    marks = (Mark("stator", "#0072b2"), Mark("rotor", FULL, tile=0.6))
    return CellMap(classes.astype(np.uint8), box, marks)


ROTOR = MapKind("rotor", "which cells change, and which never do", make_rotor_map)
