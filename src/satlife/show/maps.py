"""Maps: pictures that show the cells of a pattern in classes, each with a colour and a sign.

To add one: write a :class:`MapKind` value, and add it to the tuple.

The period map of an oscillator shows the period of each cell.

>>> from satlife.life.pattern import Pattern
>>> made = make_period_map(Scene.of(Pattern.from_rle("3o!")))
>>> [(mark.label, count) for mark, count in zip(made.marks, made.counts)]
[('always alive', 1), ('period 2', 4)]

The rotor map shows the cells of an oscillator that change, and those that never do.

>>> from satlife.life.pattern import Pattern
>>> make_rotor_map(Scene.of(Pattern.from_rle("3o!"))).counts
(1, 4)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.cells import Cells
from satlife.life.draw.palette import to_rgb
from satlife.show.scene import Scene


@dataclass(frozen=True)
class Mark:
    """A class of cells."""

    label: str
    """A short description."""
    colour: str
    """A colour that is visible on light and on dark panels."""
    sign: str = ""
    """The text in each of its cells, so that the colour is not the only difference."""
    tile: float = 0.9
    """The filled share of a cell."""

    @property
    def ink(self) -> str:
        """The colour of the sign: black or white, whichever has more contrast."""
        red, green, blue = ((value / 255) ** 2.2 for value in to_rgb(self.colour))
        return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "#ffffff"


@dataclass(frozen=True, eq=False)
class CellMap:
    """The classes of the cells of a box."""

    classes: Cells = field(repr=False)
    """Indexed [y, x]: 0 for cells that belong to none, 1 for those of the first mark …"""
    box: Box
    marks: tuple[Mark, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of cells of each class."""
        return tuple(int((self.classes == k).sum()) for k in range(1, len(self.marks) + 1))


@dataclass(frozen=True)
class MapKind:
    """A way to colour the cells of a pattern."""

    name: str
    summary: str
    make: Callable[[Scene], CellMap]


def require_oscillator(scene: Scene, what: str) -> None:
    """Refuse a scene that is not the whole period of an oscillator."""
    if scene.is_moving:
        raise UsageError(f"a {what} is of an oscillator; this is a spaceship, whose cells move on")
    if scene.loop is None:
        raise UsageError(f"a {what} is of an oscillator, in all of its phases; this is not one")


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


def make_rotor_map(scene: Scene) -> CellMap:
    """Return the cells of the stator, and those of the rotor."""
    require_oscillator(scene, "map of rotor and stator")
    box = scene.box.grow(scene.margin)
    alive = np.stack([frame.see(box) for frame in scene.frames]) > 0
    classes = np.where(alive.all(axis=0), 1, np.where(alive.any(axis=0), 2, 0))
    marks = (Mark("stator", "#0072b2"), Mark("rotor", FULL, tile=0.6))
    return CellMap(classes.astype(np.uint8), box, marks)


ROTOR = MapKind("rotor", "which cells change, and which never do", make_rotor_map)


MAPS: Final[tuple[MapKind, ...]] = (PERIOD, ROTOR)


def find_map(name: str) -> MapKind:
    """Find a map by its name."""
    for kind in MAPS:
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in MAPS)
    raise UsageError(f"there is no map {name!r}; choose one of {known}")
