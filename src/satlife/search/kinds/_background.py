"""What is around the box, if not dead cells: one tile of an agar, as people give it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from satlife.errors import UsageError
from satlife.life import PartialPattern, Pattern, Torus
from satlife.life.box import parse_placed_box
from satlife.life.cells import ALIVE, DEAD
from satlife.search.kinds._common import read_cells
from satlife.search.kinds._parameter import BOX_OF_CELLS
from satlife.search.problem.background import LARGEST_TILE, Rows
from satlife.search.problem.constraints import Difference
from satlife.search.problem.problem import Boundary

BackgroundLike = PartialPattern | Pattern | str


@dataclass(frozen=True)
class Around:
    """What is outside the box, as fields of a problem."""

    boundary: Boundary = "dead"
    tile: Rows = ()
    differs: tuple[Difference, ...] = field(default=())
    """That generation 0 of the box is not only more of the background."""


def read_background(given: BackgroundLike | None, boxes: tuple[str, ...]) -> Around:
    """Read a tile; its own place is where its copies lie.

    >>> read_background("o!", ("2x2",)).tile
    ('o',)
    """
    if given is None:
        return Around()
    tile = read_cells(given, BOX_OF_CELLS, (Pattern, PartialPattern), "background")
    if isinstance(tile, Pattern):
        tile = PartialPattern.from_pattern(tile)
    if any("*" in box for box in boxes):
        raise UsageError("with a background, the box has a height")
    cells = tile.states[0]
    if tile.generations > 1 or not cells.size or not np.isin(cells, (DEAD, ALIVE)).all():
        raise UsageError("a background is one generation of cells that are alive or dead")
    torus = tile.torus or Torus(cells.shape[1], cells.shape[0])
    if not torus.is_closed:
        raise UsageError(f"a background repeats in both directions, and :{torus} does not")
    # A twist repeats too, after some copies: then the tile need not be twisted.
    wide = torus.height // math.gcd(torus.down, torus.height) * torus.width
    high = torus.width // math.gcd(torus.right, torus.width) * torus.height
    if wide * high > LARGEST_TILE:
        raise UsageError(
            f"a background's tile has at most {LARGEST_TILE:,} cells, not {wide}x{high}"
        )
    rows = _draw(torus, cells, -tile.x, -tile.y, wide, high)
    box = parse_placed_box(boxes[0])
    inside = _draw(torus, cells, box.x - tile.x, box.y - tile.y, box.width, box.height)
    differs = Difference(least=1, x=box.x, y=box.y, rows=inside)
    return Around(boundary="agar", tile=rows, differs=(differs,))


def _draw(torus: Torus, cells: np.ndarray, x: int, y: int, width: int, height: int) -> Rows:
    j, i = np.mgrid[y : y + height, x : x + width]
    return tuple("".join(".o"[cell] for cell in row) for row in torus.look(cells, i, j).tolist())
