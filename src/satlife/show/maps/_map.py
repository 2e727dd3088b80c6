"""What a map is: the cells of a pattern in classes, each with a colour and a sign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.cells import Cells
from satlife.life.draw.palette import to_rgb
from satlife.show.scene import Scene


@dataclass(frozen=True)
class Mark:
    """A class of cells."""

    label: str
    """What it is, in words."""
    colour: str
    """Seen well on light and on dark panels."""
    sign: str = ""
    """What stands in each of its cells, so that the colour is not the only difference."""
    tile: float = 0.9
    """How much of a cell is filled."""

    @property
    def ink(self) -> str:
        """The colour of the sign: black or white, whichever is seen better."""
        red, green, blue = ((value / 255) ** 2.2 for value in to_rgb(self.colour))
        return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "#ffffff"


@dataclass(frozen=True, eq=False)
class CellMap:
    """Which cell belongs to which class."""

    classes: Cells = field(repr=False)
    """Indexed [y, x]: 0 for cells that belong to none, 1 for those of the first mark …"""
    box: Box
    marks: tuple[Mark, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cells each class has."""
        return tuple(int((self.classes == k).sum()) for k in range(1, len(self.marks) + 1))


@dataclass(frozen=True)
class MapKind:
    """A way to colour the cells of a pattern."""

    name: str
    summary: str
    make: Callable[[Scene], CellMap]


def require_oscillator(scene: Scene, what: str) -> None:
    """Refuse a scene that is not the whole period of something that stays in its place."""
    if scene.is_moving:
        raise UsageError(f"a {what} is of an oscillator; this is a spaceship, whose cells move on")
    if scene.loop is None:
        raise UsageError(f"a {what} is of an oscillator, in all of its phases; this is not one")
