"""A problem, read from its canonical JSON, and what it means by the cell (x, y) of generation t."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.reference.symmetries import INVERSES, MAPS

Place = tuple[int, int]
"""(x, y)"""
Cell = tuple[Place, int]
"""((x, y), t)"""
History = tuple[npt.NDArray[np.uint8], ...]

DEAD = "dead"
"""A cell outside of a dead boundary's boxes."""
UNSAID = "unsaid"
"""A cell of which the problem says nothing."""


class TooLarge(Exception):  # noqa: N818 - an answer, like a limit
    """More fillings than can be tried."""


class NoCell(Exception):  # noqa: N818 - a reason to refuse
    """A map takes a cell to a place between cells: the problem has no meaning."""


@dataclass(frozen=True)
class Frame:
    """A box: its top left cell and its size."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def read(cls, text: str) -> Frame:
        match = re.fullmatch(r"(\d+)x(\d+)(?:([+-]\d+)([+-]\d+))?", text)
        assert match, text
        width, height, x, y = (int(number or 0) for number in match.groups())
        return cls(x, y, width, height)

    def __contains__(self, place: Place) -> bool:
        return 0 <= place[0] - self.x < self.width and 0 <= place[1] - self.y < self.height

    def __iter__(self) -> Iterator[Place]:
        for y in range(self.y, self.y + self.height):
            for x in range(self.x, self.x + self.width):
                yield x, y


class Asked:
    """What a problem asks, with all defaults filled in."""

    def __init__(self, problem: bytes | str) -> None:
        fields: dict[str, Any] = json.loads(problem)
        self.motion: dict[str, Any] | None = fields.get("motion")
        motion = self.motion or {}
        self.dx, self.dy = motion.get("dx", 0), motion.get("dy", 0)
        self.transform: str = motion.get("transform", "identity")
        self.steps: int = motion["period"] if self.motion else fields.get("steps", 0)
        self.generations = self.steps if self.motion else self.steps + 1
        boxes = [Frame.read(text) for text in fields["boxes"]]
        self.boxes = boxes * self.generations if len(boxes) == 1 else boxes
        self.boundary: str = fields.get("boundary", "dead")
        self.down, self.right = fields.get("wrap", (0, 0))
        self.include_last: bool = fields.get("include_last", False)
        self.symmetry: str = fields.get("symmetry", "C1")
        births, survivals = fields.get("rule", "B3/S23").upper().split("/")
        self.births = {int(digit) for digit in births.removeprefix("B")}
        self.survivals = {int(digit) for digit in survivals.removeprefix("S")}
        self.known: dict[Cell, int] = {
            (place, drawing["t"]): int(state == "o")
            for drawing in fields.get("known", ())
            for place, state in drawn(drawing)
            if state != "?"
        }
        self.links: list[tuple[Cell, Cell, bool]] = [
            (_cell(link["first"]), _cell(link["second"]), link.get("opposite", False))
            for link in fields.get("links", ())
        ]
        self.exempt: set[Cell] = {
            (self.in_tile((x, y)), t) for x, y, t in fields.get("exempt", ()) if t > 0
        }
        self.constraints: list[dict[str, Any]] = list(fields.get("constraints", ()))

    # Space

    def in_tile(self, place: Place) -> Place:
        """On a torus: the cell of the box that this cell is a copy of."""
        if self.boundary != "torus":
            return place
        box = self.boxes[0]
        x, y = place[0] - box.x, place[1] - box.y
        if self.right:  # the copy below lies further right
            x, y = x - y // box.height * self.right, y % box.height
            x %= box.width
        else:  # the copy to the right lies lower
            x, y = x % box.width, y - x // box.width * self.down
            y %= box.height
        return x + box.x, y + box.y

    def in_lattice(self, move: Place) -> bool:
        """On a torus: whether moving by this takes every cell to a copy of itself."""
        box = self.boxes[0]
        return self.in_tile((box.x + move[0], box.y + move[1])) == (box.x, box.y)

    def about_centre(self, g: str, place: Place) -> Place:
        """Apply one of the eight maps about the centre of the first box."""
        box = self.boxes[0]
        cx, cy = 2 * box.x + box.width - 1, 2 * box.y + box.height - 1  # twice the centre
        x, y = MAPS[g](2 * place[0] - cx, 2 * place[1] - cy)
        if (x + cx) % 2 or (y + cy) % 2:
            raise NoCell(f"{g} takes {place} to a place between cells")
        return (x + cx) // 2, (y + cy) // 2

    # Time

    def moved(self, place: Place) -> Place:
        """M: where a cell of generation t is found in generation t + p."""
        x, y = self.about_centre(self.transform, place)
        return x + self.dx, y + self.dy

    def before_moving(self, place: Place) -> Place:
        """The inverse of M."""
        return self.about_centre(INVERSES[self.transform], (place[0] - self.dx, place[1] - self.dy))

    def cell(self, place: Place, t: int) -> Cell | str:
        """Return which cell of the boxes is meant by (x, y, t), or DEAD, or UNSAID."""
        if self.motion:
            while t >= self.steps:
                place, t = self.before_moving(place), t - self.steps
        place = self.in_tile(place)
        if place in self.boxes[t]:
            return place, t
        return UNSAID if self.boundary == "free" else DEAD

    def places(self, t: int) -> set[Place]:
        """Return the places where generation t can have live cells; on a torus, the box."""
        if not self.motion or t < self.steps or self.boundary == "torus":
            return set(self.boxes[min(t, self.generations - 1)])
        return {self.moved(place) for place in self.places(t - self.steps)}

    # The rule

    def rule(self, alive: int, neighbours: int) -> int:
        """Return the next state of a cell."""
        return int(neighbours in (self.survivals if alive else self.births))

    def ruled(self, t: int) -> list[Place]:
        """Return the places where generation t must follow from generation t - 1.

        It is asked everywhere; where nothing can live and nothing can be born, it holds.
        """
        here, before = self.places(t), self.places(t - 1)
        if self.boundary == "free":
            asked = {place for place in here if before.issuperset(neighbourhood(place))}
        elif self.boundary == "torus":
            asked = here
        else:
            asked = here.union(*(neighbourhood(place) for place in before))
        return sorted(place for place in asked if (place, t) not in self.exempt)


def neighbourhood(place: Place) -> list[Place]:
    """Return the cell itself, and its eight neighbours."""
    x, y = place
    return [(x, y)] + [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]


def drawn(drawing: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield the places of a drawing and their states."""
    for y, row in enumerate(drawing["rows"], drawing.get("y", 0)):
        for x, state in enumerate(row, drawing.get("x", 0)):
            yield (x, y), state


def _cell(named: list[int]) -> Cell:
    x, y, t = named
    return (x, y), t
