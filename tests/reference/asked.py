"""A problem, read from its canonical JSON, and what it means by the cell (x, y) of generation t."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.reference.rules import Table, read_rules
from tests.reference.symmetries import INVERSES, MAPS

Place = tuple[int, int]
"""(x, y)"""
Cell = tuple[Place, int]
"""((x, y), t)"""
History = tuple[npt.NDArray[np.uint8], ...]

DEAD = "dead"
"""A cell outside of a dead boundary's boxes."""
STATES = {"o": 1, ".": 0} | {chr(ord("A") + n): n + 1 for n in range(1, 24)}
"""How states are drawn; from 2 on, cells are dying, and have Golly's letters."""
ALIVE = "alive"
"""A cell outside of the box that lives, in a background."""
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
        self.backdrops: list[list[str]] = [fields.get("background", [])]
        self.down, self.right = fields.get("wrap", (0, 0))
        self.include_last: bool = fields.get("include_last", False)
        self.symmetry: str = fields.get("symmetry", "C1")
        self.rules = read_rules(fields.get("rule", "B3/S23"))
        self.known: dict[Cell, int] = {
            (place, drawing["t"]): STATES[state]
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
        """Return which cell of the boxes is meant by (x, y, t), or DEAD, ALIVE or UNSAID."""
        if self.motion:
            while t >= self.steps:
                place, t = self.before_moving(place), t - self.steps
            while t < 0:
                place, t = self.moved(place), t + self.steps
        place = self.in_tile(place)
        if place in self.boxes[t]:
            return place, t
        if self.boundary == "agar":
            return ALIVE if self.backdrop(place, t) else DEAD
        return UNSAID if self.boundary == "free" else DEAD

    def backdrop(self, place: Place, t: int) -> int:
        """Return whether a cell lives in the background, which is everywhere and by itself."""
        while len(self.backdrops) <= t:
            last, rows = len(self.backdrops) - 1, self.backdrops[-1]
            self.backdrops.append(
                [
                    "".join(".o"[self._becomes((x, y), last)] for x in range(len(rows[0])))
                    for y in range(len(rows))
                ]
            )
        rows = self.backdrops[t]
        return int(rows[place[1] % len(rows)][place[0] % len(rows[0])] == "o")

    def _becomes(self, place: Place, t: int) -> int:
        number = int("".join(str(self.backdrop(near, t)) for near in nine(place)), 2)
        return int(self.rules.tables[0][number])

    def places(self, t: int) -> set[Place]:
        """Return the places where generation t can have live cells; on a torus, the box."""
        if not self.motion or t < self.steps or self.boundary == "torus":
            return set(self.boxes[min(t, self.generations - 1)])
        return {self.moved(place) for place in self.places(t - self.steps)}

    # The rule

    @property
    def beat(self) -> int:
        """After how many generations the background is what it was."""
        return 2 if self.rules.strobes else 1

    def follow(self, table: Table, cells: list[Any], earlier: list[Any], t: int) -> Any:
        """Return the state at generation t of nine cells before, or of many of them at once.

        Cells are those that differ from the background, which may strobe; ``earlier`` is whether
        the centre lived in the generations in which it would be dying now.
        """
        before, now = (t - 1) % self.beat, t % self.beat
        index = 0
        for cell in cells:
            index = 2 * index + np.asarray(cell ^ before, np.intp)
        lives = table[index] ^ now
        for lived in earlier:
            lives = lives & (cells[4] | (1 - lived))
        return lives

    @property
    def shows_dying(self) -> bool:
        """Whether generation 0 of a history has states, since none before says what is dying."""
        return self.rules.states > 2 and not self.motion

    def past_places(self) -> list[Place]:
        """Return where a cell of generation 0 can be dying."""
        if self.rules.states == 2:
            return []
        if not self.motion:
            return list(self.boxes[0])
        ages = range(1, self.rules.states - 1)
        return sorted({self.in_tile(v) for age in ages for v in self.places_before(age)})

    def places_before(self, age: int) -> set[Place]:
        """Return the places where a cell can have lived so many generations before 0."""
        turns = -(-age // self.steps)
        places = self.places(turns * self.steps - age)
        for _ in range(turns):
            places = {self.before_moving(place) for place in places}
        return places

    def ages(self, t: int) -> range:
        """Return the generations in which a cell lived if it is dying in generation t - 1."""
        return range(t - 2, t - self.rules.states, -1)

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


def nine(place: Place) -> list[Place]:
    """Return the cell and its neighbours in reading order."""
    x, y = place
    return [(x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1)]


def drawn(drawing: dict[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield the places of a drawing and their states."""
    for y, row in enumerate(drawing["rows"], drawing.get("y", 0)):
        for x, state in enumerate(row, drawing.get("x", 0)):
            yield (x, y), state


def _cell(named: list[int]) -> Cell:
    x, y, t = named
    return (x, y), t
