"""The period map of an oscillator: after how many generations each cell repeats itself.

>>> from satlife.life.pattern import Pattern
>>> made = make_period_map(Scene.of(Pattern.from_rle("3o!")))
>>> [(mark.label, count) for mark, count in zip(made.marks, made.counts)]
[('always alive', 1), ('period 2', 4)]
"""

from __future__ import annotations

from typing import Final

import numpy as np

from satlife.show.maps._map import CellMap, MapKind, Mark, require_oscillator
from satlife.show.scene import Scene

STATOR: Final = "#868c98"
FULL: Final = "#d55e00"
BETWEEN: Final = ("#56b4e9", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#e69f00")
"""The colours of Okabe and Ito, which colour-blind people can tell apart; the digits do so too."""


def make_period_map(scene: Scene) -> CellMap:
    """Return the cells by their own period."""
    require_oscillator(scene, "period map")
    box = scene.box.grow(scene.margin)
    lives = np.stack([frame.see(box) for frame in scene.frames])
    period = len(lives)
    own = np.zeros(lives.shape[1:], dtype=np.int64)
    for divisor in range(1, period + 1):
        if period % divisor == 0:
            repeats = (lives == np.roll(lives, divisor, axis=0)).all(axis=0)
            own[(own == 0) & repeats] = divisor
    own[~lives.any(axis=0)] = 0
    periods = [int(each) for each in np.unique(own) if each]
    classes = np.searchsorted([0, *periods], own).astype(np.uint8)
    return CellMap(classes, box, tuple(_mark(each, periods, period) for each in periods))


def _mark(each: int, periods: list[int], whole: int) -> Mark:
    if each == 1:
        return Mark("always alive", STATOR, "1")
    between = [other for other in periods if 1 < other < whole]
    colour = FULL if each == whole else BETWEEN[between.index(each) % len(BETWEEN)]
    return Mark(f"period {each}", colour, str(each))


PERIOD = MapKind("period", "the period of each cell of an oscillator", make_period_map)
