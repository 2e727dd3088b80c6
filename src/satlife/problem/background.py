"""The repeating background around a box: a tile and its generations.

>>> film = make_film(("o.", ".o"), "B3/S23", 1)
>>> [bool(look(tile, 3, 3)) for tile in film]
[True, False]
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from satlife.errors import UsageError
from satlife.life.cells import Cells
from satlife.life.rule import Rule
from satlife.life.torus import Torus

Rows = tuple[str, ...]
"""A tile: ``o`` alive, ``.`` dead; its top left cell is (0, 0)."""

LARGEST_TILE = 10_000
"""Maximum cells of a tile."""


def reduce_tile(rows: Rows) -> Rows:
    """Return the smallest tile that fills the plane with the same cells; no tile as it is.

    >>> reduce_tile(("o.o.", "o.o."))
    ('o.',)
    """
    if not rows:
        return ()
    width = len(rows[0])
    if not width:
        raise UsageError("a background is a tile of o and ., and this one has no cells")
    if any(len(row) != width for row in rows):
        raise UsageError("the rows of a background's tile are of one length")
    if wrong := set("".join(rows)) - {"o", "."}:
        raise UsageError(f"a cell of a background is o or ., got {min(wrong)!r}")
    if width * len(rows) > LARGEST_TILE:
        raise UsageError(f"a background's tile has at most {LARGEST_TILE:,} cells")
    columns = tuple(map("".join, zip(*rows[: _find_period(rows)], strict=True)))
    return tuple(map("".join, zip(*columns[: _find_period(columns)], strict=True)))


def _find_period(lines: Rows) -> int:
    """Return the period of the lines, a divisor of their number."""
    count = len(lines)
    return next(n for n in range(1, count + 1) if count % n == 0 and lines[n:] == lines[:-n])


@lru_cache(maxsize=8)
def make_film(rows: Rows, rule: str, steps: int) -> tuple[Cells, ...]:
    """Return the tile in generations 0 to ``steps``."""
    tile = np.array([[state == "o" for state in row] for row in rows], np.uint8)
    torus, film = Torus(tile.shape[1], tile.shape[0]), [tile]
    for _ in range(steps):
        film.append(torus.step(film[-1], Rule(rule)))
    return tuple(film)


def look(tile: Cells, x: Any, y: Any) -> Any:
    """Return whether cells live where the tile is repeated."""
    height, width = tile.shape
    return tile[y % height, x % width] == 1
