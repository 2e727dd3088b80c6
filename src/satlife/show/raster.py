"""Pictures made of pixels: every pixel is the number of a colour, as in PNG and GIF.

A cell is a tile: a small square of pixels for each state, drawn once. A field of cells is then one
lookup in the table of tiles, however many cells there are. Only text needs Pillow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.cells import UNKNOWN
from satlife.life.draw.palette import DONT_CARE, Theme, mix, to_rgb
from satlife.life.draw.svg import measure_tile
from satlife.show.layout import SIZES, Field, Layout, TextLine
from satlife.show.maps import CellMap

Pixels: TypeAlias = NDArray[np.uint8]
Shape: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.bool_]]
"""Whether a point of the unit square, at (x, y), belongs to the shape."""

_SHADES: Final = 4
"""Steps between two colours, where an edge is smoothed."""
_SAMPLES: Final = 4
"""Sample points in each direction of a pixel."""
_SMOOTH: Final = 6
"""Smaller tiles are plain squares: smoothing would only blur them."""


class Inks:
    """The colours of a picture, numbered as they are used."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._numbers: dict[str, int] = {}
        self.number(theme.panel)

    def number(self, colour: str) -> int:
        """Return the number of a colour."""
        number = self._numbers.setdefault(colour, len(self._numbers))
        if number > 255:
            raise UsageError("the picture has more than 256 colours; leave the captions out")
        return number

    def ramp(self, ground: str, colour: str) -> Pixels:
        """Return the numbers of the colours from the ground to a colour, in even steps."""
        shades = (mix(ground, colour, k / _SHADES) for k in range(_SHADES + 1))
        return np.array([self.number(shade) for shade in shades], np.uint8)

    @property
    def palette(self) -> bytes:
        """Red, green and blue of every colour, in their order."""
        return bytes(value for colour in self._numbers for value in to_rgb(colour))


@dataclass(frozen=True, eq=False)
class Canvas:
    """The fixed part of a picture, and the tiles of the moving part."""

    layout: Layout
    ground: Pixels
    tiles: tuple[Pixels, ...]
    """For each field the tile of every state, indexed [state, y, x]."""
    inks: Inks

    def draw(self, t: int = 0) -> Pixels:
        """Return the picture of a generation, indexed [y, x]."""
        pixels = self.ground.copy()
        for field, tiles in zip(self.layout.fields, self.tiles, strict=True):
            y, x = round(field.y), round(field.x)
            seen = _draw_field(field, tiles, t)
            pixels[y : y + field.height, x : x + field.width] = seen
            if field.grid:
                edge = self.inks.number(self.inks.theme.grid)
                pixels[y : y + field.height + 1, x + field.width] = edge
                pixels[y + field.height, x : x + field.width + 1] = edge
                pixels[y, x : x + field.width] = edge
                pixels[y : y + field.height, x] = edge
        return pixels


def prepare(layout: Layout, theme: Theme) -> Canvas:
    """Draw the text, and the tiles of all fields."""
    inks = Inks(theme)
    ground = np.full((layout.height, layout.width), inks.number(theme.panel), np.uint8)
    if theme.grid:
        inks.number(theme.grid)
    for text in layout.texts:
        _write(ground, text, inks)
    made: dict[tuple[Any, ...], Pixels] = {}
    tiles = []
    for field in layout.fields:
        if field.map is not None:
            tiles.append(_map_tiles(field.map, field, inks))
            continue
        key = (field.cell, field.grid, field.scene.states)
        if key not in made:
            made[key] = _state_tiles(field, inks)
        tiles.append(made[key])
    return Canvas(layout, ground, tuple(tiles), inks)


def _draw_field(field: Field, tiles: Pixels, t: int) -> Pixels:
    cell = field.cell
    if field.map is not None:
        cells, left, top = field.map.classes, 0, 0
    else:
        shown = t % len(field.scene.frames) if field.frame is None else field.frame
        cells, x, y = field.camera.see(field.scene, shown)
        left, top = round(x * cell), round(y * cell)
    rows, columns = cells.shape
    pixels = tiles[cells].transpose(0, 2, 1, 3).reshape(rows * cell, columns * cell)
    return pixels[top : top + field.height, left : left + field.width]


def _state_tiles(field: Field, inks: Inks) -> Pixels:
    """Draw the tiles of all 256 states; those that are not used look dead."""
    theme, cell, states = inks.theme, field.cell, field.scene.states
    dead = _ground(field, inks, theme.panel)
    tiles = np.repeat(dead[np.newaxis], 256, axis=0)
    for state in range(1, states):
        colour = theme.alive if state == 1 else theme.dying(state, states)
        side = measure_tile(state, states) if field.grid else 1.0
        _paint(tiles[state], square(side), inks.ramp(theme.panel, colour), cell)
    tiles[UNKNOWN] = _ground(field, inks, theme.unknown)
    _paint(tiles[UNKNOWN], stroke, inks.ramp(theme.unknown, theme.hatch), cell)
    _paint(tiles[DONT_CARE], ring, inks.ramp(theme.panel, theme.hatch), cell)
    return tiles


def _map_tiles(made: CellMap, field: Field, inks: Inks) -> Pixels:
    dead = _ground(field, inks, inks.theme.panel)
    tiles = np.repeat(dead[np.newaxis], len(made.marks) + 1, axis=0)
    for tile, mark in zip(tiles[1:], made.marks, strict=True):
        side = mark.tile if field.grid else 1.0
        _paint(tile, square(side), inks.ramp(inks.theme.panel, mark.colour), field.cell)
        if mark.sign and field.cell >= 10:
            size = round(field.cell * min(0.66, 1.2 / len(mark.sign)))
            mask = render_text(mark.sign, size)
            middle = (field.cell - np.array(mask.shape) + 1) // 2
            _blend(tile, mask, int(middle[1]), int(middle[0]), inks.ramp(mark.colour, mark.ink))
    return tiles


def _ground(field: Field, inks: Inks, colour: str) -> Pixels:
    tile = np.full((field.cell, field.cell), inks.number(colour), np.uint8)
    if field.grid:
        tile[0] = tile[:, 0] = inks.number(inks.theme.grid)
    return tile


def square(side: float) -> Shape:
    """Return a square in the middle of the cell; a tile has round corners."""

    def inside(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        radius = 0.08 if side < 1 else 0.0
        across = np.abs(x - 0.5) - (side / 2 - radius)
        down = np.abs(y - 0.5) - (side / 2 - radius)
        corner = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
        return corner <= radius

    return inside


def stroke(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the mark of an unknown cell."""
    return (np.abs(x + y - 1) < 0.07) & (x > 0.2) & (x < 0.8)


def ring(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the mark of a don't-care cell."""
    return np.abs(np.hypot(x - 0.5, y - 0.5) - 0.17) < 0.06


def _paint(tile: Pixels, shape: Shape, ramp: Pixels, cell: int) -> None:
    """Paint a shape into a tile, beside the lines at its left and top."""
    if cell < _SMOOTH:
        if shape is ring:
            tile[cell // 2, cell // 2] = ramp[-1]
        elif shape is stroke:
            np.fill_diagonal(np.fliplr(tile), ramp[-1])
        else:
            tile[-(cell - (cell > 4)) :, -(cell - (cell > 4)) :] = ramp[-1]
        return
    # Lines of one pixel make the rest of the cell one pixel smaller.
    size = cell - 1
    at = (np.arange(size * _SAMPLES) + 0.5) / (size * _SAMPLES)
    inside = shape(*np.meshgrid(at, at))
    cover = inside.reshape(size, _SAMPLES, size, _SAMPLES).mean(axis=(1, 3))
    level = np.rint(cover * _SHADES).astype(np.intp)
    part = tile[1:, 1:]
    part[level > 0] = ramp[level[level > 0]]


def _write(ground: Pixels, text: TextLine, inks: Inks) -> None:
    theme = inks.theme
    colour = theme.ink if text.kind in ("title", "legend") else theme.soft
    mask = render_text(text.text, SIZES[text.kind])
    left = round(text.x - mask.shape[1] / 2)
    top = round(text.y - SIZES[text.kind] * 0.36 - mask.shape[0] / 2)
    if text.dot:
        size = 11
        at = (np.arange(size) - size // 2) / (size / 2)
        disc = np.clip((1 - np.hypot(*np.meshgrid(at, at))) * 6, 0, 1)
        dot = inks.ramp(theme.panel, text.dot)
        _blend(ground, disc, left - size - 5, round(text.y - 9), dot)
    _blend(ground, mask, left, top, inks.ramp(theme.panel, colour))


def _blend(ground: Pixels, mask: NDArray[np.float64], left: int, top: int, ramp: Pixels) -> None:
    """Lay a colour over the ground, in proportion to the mask."""
    height = min(mask.shape[0], ground.shape[0] - top)
    width = min(mask.shape[1], ground.shape[1] - left)
    left, top = max(0, left), max(0, top)
    level = np.rint(mask[:height, :width] * _SHADES).astype(np.intp)
    part = ground[top : top + height, left : left + width]
    level = level[: part.shape[0], : part.shape[1]]
    part[level > 0] = ramp[level[level > 0]]


def render_text(text: str, size: int) -> NDArray[np.float64]:
    """Return how much of each pixel the letters of a text cover."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - for start-up

    font = _load_font(size)
    _, _, width, _ = font.getbbox(text)
    up, down = size, round(size * 0.4)
    image = Image.new("L", (round(width) + 1, up + down))
    ImageDraw.Draw(image).text((0, 0), text, fill=255, font=font)
    return np.asarray(image, np.float64) / 255


@lru_cache(maxsize=32)
def _load_font(size: int) -> Any:
    from PIL import ImageFont  # noqa: PLC0415 - for start-up

    return ImageFont.load_default(size)
