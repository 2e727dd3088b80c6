"""Ships of a width and of any length: rows are added below, from nothing on until nothing is left.

A layer is one row of space in all generations of a period.  What a layer may be depends on as many
layers above it as the ship moves, and one more; so the plane is searched through in finitely many
steps, and either a ship comes out or there is none.

A ship that moves as far to the left as up has a width across its motion: the number of diagonals
x - y.  Its rows lie across, too: row n has the cells with x + y = 2n, and with 2n + 1.  One that
moves s cells up for each one to the left has the lines y - s·x for a width; its rows are those of
one x.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from tests.reference.asked import Asked, History, TooLarge
from tests.reference.symmetries import split

Layer = tuple[int, ...]
"""The row in each generation; bit x is the cell of column x."""

MOST_STATES = 60_000
WIDEST = 5


def find_narrow_ship(problem: bytes | str) -> History | None:
    """Return a ship that moves up in a width, of any length; None if there is none.

    Of the constraints of the problem only the symmetry counts, and that it is not empty.
    """
    return Rows(problem).find()


def with_height(problem: bytes | str, height: int) -> str:
    """Return the problem in a box of its width and a height; of a diagonal ship, in a square."""
    fields: dict[str, Any] = json.loads(problem)
    width = height if is_slanted(problem) else fields["boxes"][0].partition("x")[0]
    return json.dumps(fields | {"boxes": [f"{width}x{height}"]})


def is_slanted(problem: bytes | str) -> bool:
    """Whether the width of a problem is that of a ship that moves to the left and up."""
    return find_slope(problem) > 0


def find_slope(problem: bytes | str) -> int:
    """Return how many cells up it moves for each one to the left; 0 if the width is of columns."""
    fields: dict[str, Any] = json.loads(problem)
    motion = fields.get("motion") or {}
    dx, dy = motion.get("dx", 0), motion.get("dy", 0)
    is_open = str(fields["boxes"][0]).endswith("x*")
    return dy // dx if is_open and dx < 0 and dy < 0 and dy % dx == 0 else 0


class Rows:
    """What may follow rows, by one problem."""

    def __init__(self, problem: bytes | str) -> None:
        self.asked = asked = Asked(with_height(problem, 1))
        self.width, self.p, self.k = asked.boxes[0].width, asked.steps, -asked.dy
        self.slanted, self.slope = is_slanted(problem), find_slope(problem)
        if self.slope > 1:
            self.k = -asked.dx
        if self.slanted:
            self.width = int(json.loads(problem)["boxes"][0].partition("x")[0])
        static, whole = split(asked.symmetry)
        endings = "\\x" if self.slanted else "|12"
        mirrors = {name: name.startswith("D2") and name[-1] in endings for name in (static, whole)}
        plain = asked.boundary == "dead" and not (asked.known or asked.links or asked.exempt)
        straight = asked.motion and self.k > 0 and asked.transform == "identity"
        straight = straight and (self.slanted or not asked.dx)
        single = asked.rules.states == 2 and len(asked.rules.tables) == 1
        symmetric = static == "C1" or (mirrors[static] and static == whole)
        self.glides = static == "C1" != whole
        symmetric &= not self.glides or (mirrors[whole] and self.p % 2 == self.k % 2 == 0)
        symmetric &= not self.slanted or (
            not self.glides and (static == "C1" or (self.width % 2 > 0 and self.slope == 1))
        )
        if not (plain and straight and single and symmetric) or self.width > WIDEST:
            raise TooLarge("this is not searched by rows")
        rows = range(1 << self.width)
        self.rows = [row for row in rows if static == "C1" or row == self.mirror(row)]
        self.tables = [self.tabulate(t) for t in range(asked.beat)]

    def mirror(self, row: int) -> int:
        return sum((row >> x & 1) << (self.width - 1 - x) for x in range(self.width))

    def tabulate(self, t: int) -> dict[tuple[int, int], dict[int, int]]:
        """Return, for two rows at generation t and each row below, what the second one becomes.

        Where a cell beside the width would be born, the row below is left out.
        """
        if self.slanted:
            return self.tabulate_slanted(t)
        asked = self.asked
        cells = np.array([[row >> x & 1 for x in range(self.width)] for row in self.rows])
        wide = np.pad(cells, ((0, 0), (2, 2))).astype(np.uint8)
        found: dict[tuple[int, int], dict[int, int]] = {}
        for a, b in product(range(len(self.rows)), repeat=2):
            three = np.tile(wide[a], (len(wide), 1)), np.tile(wide[b], (len(wide), 1)), wide
            nine = [row[:, i : i + self.width + 2] for row in three for i in range(3)]
            lives = asked.follow(asked.rules.tables[0], nine, [], t + 1)
            becomes = lives[:, 1:-1] @ (1 << np.arange(self.width))
            inside = np.flatnonzero(lives[:, 0] + lives[:, -1] == 0).tolist()
            found[self.rows[a], self.rows[b]] = {self.rows[c]: int(becomes[c]) for c in inside}
        return found

    def tabulate_slanted(self, t: int) -> dict[tuple[int, int], dict[int, int]]:
        """Return the same for rows across a diagonal, by the places of their cells in the plane."""
        rows = np.array(self.rows)
        above, own, below = rows[:, None, None], rows[None, :, None], rows[None, None, :]
        places = {
            self.place(n, x): row >> x & 1
            for n, row in ((-1, above), (0, own), (1, below))
            for x in range(self.width)
        }
        none, becomes = np.zeros((1, 1, 1), int), 0
        beside = self.slope + 1
        for x in range(-beside, self.width + beside):
            i, j = self.place(0, x)
            nine = [places.get((i + dx, j + dy), none) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
            lives = self.asked.follow(self.asked.rules.tables[0], nine, [], t + 1)
            becomes = becomes + (lives.astype(int) << x + beside)
        becomes = np.broadcast_to(becomes, [len(rows)] * 3)
        inside = (becomes % (1 << beside) == 0) & (becomes >> beside < 1 << self.width)
        return {
            (a, b): {
                c: int(becomes[i, j, k] >> beside)
                for k, c in enumerate(self.rows)
                if inside[i, j, k]
            }
            for i, a in enumerate(self.rows)
            for j, b in enumerate(self.rows)
        }

    def place(self, row: int, column: int) -> tuple[int, int]:
        """Return where a cell of a row across a diagonal is; the mirror is the line x = y."""
        if self.slope > 1:
            return row, column + self.slope * row
        difference = column - (self.width // 2 if len(self.rows) < 1 << self.width else 0)
        total = 2 * row + difference % 2
        return (total + difference) // 2, (total - difference) // 2

    def below(self, layers: tuple[Layer, ...]) -> Iterator[Layer]:
        """Yield the layers that may follow k + 1 layers."""
        p, k, above, last = self.p, self.k, layers[-2], layers[-1]
        ways: list[list[int]] = []
        for t in range(p):
            table = self.tables[t % len(self.tables)].get((above[t], last[t]), {})
            ways.append([c for c, row in table.items() if t == p - 1 or row == last[t + 1]])
        if self.glides:
            half, known = p // 2, layers[-(k // 2)]
            for t in range(half):
                ways[t] = [c for c in ways[t] if self.mirror(c) == known[t + half]]
        again = self.tables[(p - 1) % len(self.tables)]
        if k > 1:  # generation p, k rows up, is generation 0 here
            first, second, third = (layers[i][p - 1] for i in range(3))
            came = again.get((first, second), {}).get(third)
            ways[0] = [c for c in ways[0] if c == came]
        for layer in product(*ways):
            if k > 1 or again[above[p - 1], last[p - 1]][layer[p - 1]] == layer[0]:
                yield layer

    def find(self) -> History | None:
        nothing = (0,) * self.p
        start = (nothing,) * (self.k + 1)
        before: dict[tuple[Layer, ...], tuple[Layer, ...]] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            for layer in self.below(state):
                after = (*state[1:], layer)
                if after == start and state != start:
                    return self.draw([*self.way(before, state), layer])
                if after not in before and after != start:
                    before[after] = state
                    waiting.append(after)
            if len(before) > MOST_STATES:
                raise TooLarge(f"{len(before)} states")
        return None

    def way(
        self, before: dict[tuple[Layer, ...], tuple[Layer, ...]], state: tuple[Layer, ...]
    ) -> list[Layer]:
        """Return the layers that have led to a state."""
        found = []
        while state in before:
            found.append(state[-1])
            state = before[state]
        return found[::-1]

    def draw(self, layers: list[Layer]) -> History:
        if self.slanted:
            return self.draw_slanted(layers)
        return tuple(
            np.array([[layer[t] >> x & 1 for x in range(self.width)] for layer in layers], np.uint8)
            for t in range(self.p)
        )

    def draw_slanted(self, layers: list[Layer]) -> History:
        live = [
            {
                self.place(n, x)
                for n, layer in enumerate(layers)
                for x in range(self.width)
                if layer[t] >> x & 1
            }
            for t in range(self.p)
        ]
        every = set().union(*live)
        left, top = (min(place[i] for place in every) for i in (0, 1))
        side = 1 + max(max(x - left, y - top) for x, y in every)
        films = [np.zeros((side, side), np.uint8) for _ in live]
        for film, cells in zip(films, live, strict=True):
            for x, y in cells:
                film[y - top, x - left] = 1
        return tuple(films)
