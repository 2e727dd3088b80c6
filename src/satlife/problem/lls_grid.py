r"""Search patterns of Logic Life Search: generations as grids of cells, with variables.

A cell is ``0`` dead, ``1`` alive, ``*`` unknown, or a name: the same name is the same value
everywhere, and ``-name`` the opposite.  A trailing ``'`` exempts the cell from the rule.  Cells are
separated by commas or blanks, rows by newlines, generations by blank lines; ``#`` starts a comment.

>>> grid = Grid.from_text("0,a,0\n1,*,-a\n")
>>> grid.links[0].opposite, grid.pattern.unknown
(True, 3)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from satlife.errors import FormatError
from satlife.given import shorten
from satlife.life import PartialPattern
from satlife.life.catalogue import Entry, is_grid
from satlife.life.cells import ALIVE, DEAD, UNKNOWN
from satlife.life.formats import GRID_CELL
from satlife.problem.statement import Link, Place


@dataclass(frozen=True)
class Grid:
    """Several generations with unknown, linked and exempt cells."""

    pattern: PartialPattern
    links: tuple[Link, ...]
    exempt: tuple[Place, ...]

    @classmethod
    def from_text(cls, text: str) -> Grid:
        """Read a search pattern; errors name the line and the column."""
        generations = _split(text)
        if not generations:
            raise FormatError("the grid has no cells")
        height, width = len(generations[0]), len(generations[0][0])
        states = np.full((len(generations), height, width), UNKNOWN, np.uint8)
        seen: dict[str, tuple[Place, bool]] = {}
        links: list[Link] = []
        exempt: list[Place] = []
        for t, rows in enumerate(generations):
            if len(rows) != height:
                raise FormatError(
                    f"generation {t} has {len(rows)} rows, the first has {height}",
                    line=rows[0][0][0],
                )
            for y, row in enumerate(rows):
                if len(row) != width:
                    raise FormatError(
                        f"this row has {len(row)} cells, the first has {width}", line=row[0][0]
                    )
                for x, (line, column, word) in enumerate(row):
                    match = GRID_CELL.fullmatch(word)
                    if not match:
                        raise FormatError(
                            f"{shorten(word)!r} is not a cell", line=line, column=column
                        )
                    opposite = len(match[1]) % 2 == 1
                    name = match[2]
                    if match[3]:
                        exempt.append((x, y, t))
                    if name in ("0", "1"):
                        states[t, y, x] = ALIVE if (name == "1") != opposite else DEAD
                    elif name in seen:
                        place, sign = seen[name]
                        links.append(Link(first=place, second=(x, y, t), opposite=sign != opposite))
                    elif name != "*":
                        seen[name] = (x, y, t), opposite
        return cls(PartialPattern(states), tuple(links), tuple(exempt))


Word = tuple[int, int, str]
"""Line, column, text."""


def _split(text: str) -> list[list[list[Word]]]:
    generations: list[list[list[Word]]] = [[]]
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    for number, line in enumerate(lines, 1):
        body = line.partition("#")[0]
        words = [(number, m.start() + 1, m[0]) for m in re.finditer(r"[^,\s]+", body)]
        if words:
            generations[-1].append(words)
        elif "#" not in line and generations[-1]:
            generations.append([])
    return [generation for generation in generations if generation]


def read_grid(text: str, entries: Sequence[Entry] = ()) -> Grid | None:
    """Read a search pattern; return ``None`` for any other text, such as a name in the catalogue.

    >>> read_grid("0,1,*").pattern.unknown, read_grid("eater 1")
    (1, None)
    """
    return Grid.from_text(text) if is_grid(text, entries) else None
