"""Pictures as SVG: a small text that stands alone in a file or inside a page.

The picture brings its own light panel, and a dark one where the reader prefers dark, so its cells
can be seen on any page.

>>> from satlife.life.pattern import Pattern
>>> svg = draw_svg(Pattern.from_rle("bob$2bo$3o!"))
>>> svg[:4], "<title>5 cells in a box of 3x3, B3/S23</title>" in svg
('<svg', True)
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.cells import ALIVE, UNKNOWN, Cells, check_extent
from satlife.life.draw.palette import (
    DARK,
    DONT_CARE,
    LIGHT,
    Drawable,
    Theme,
    count_states,
    find_box,
    see,
)

_MARGIN: Final = 1
"""Dead cells that are shown around the pattern when no box is given."""
_GAP: Final = 1
"""Cells' widths between one phase and the next."""
_LABEL_HEIGHT: Final = 1.5
_ROUND: Final = 0.16
"""The width of the stroke that rounds a tile's corners."""
_ALIVE_TILE: Final = 0.82
_DYING_TILES: Final = 0.66, 0.36
"""The first and the last; a cell becomes smaller while it dies."""


def draw_svg(
    pattern: Drawable | Sequence[Drawable],
    box: Box | None = None,
    *,
    grid: bool = True,
    cell_size: int = 16,
    title: str | None = None,
    labels: Sequence[str] = (),
) -> str:
    """Draw a pattern, or several in a row, each in the same box.

    Without a box, the least one that holds them all, and a margin of one cell. ``title`` is what a
    screen reader reads; ``labels`` stand below the pictures, one for each.

    >>> from satlife.life.pattern import Pattern
    >>> glider = Pattern.from_rle("bob$2bo$3o!")
    >>> draw_svg([glider[t] for t in range(4)], labels="0123").count("satlife-alive")
    6
    """
    patterns = list(pattern) if isinstance(pattern, Sequence) else [pattern]
    if not patterns:
        raise UsageError("nothing to draw: an empty list of patterns")
    if labels and len(labels) != len(patterns):
        raise UsageError(f"{len(labels)} labels for {len(patterns)} patterns; give one for each")
    if box is None:
        box = reduce(or_, map(find_box, patterns)).grow(_MARGIN)
    check_extent(box.x, box.y, box.width, box.height)
    fields = [see(each, box) for each in patterns]
    states = max(map(count_states, fields))
    width = len(patterns) * (box.width + _GAP) - _GAP
    height = box.height + (_LABEL_HEIGHT if labels else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width * cell_size:g}" height="{height * cell_size:g}" role="img">',
        f"<title>{html.escape(_describe(patterns) if title is None else title)}</title>",
        f"<style>{write_style(states)}</style>",
    ]
    for place, cells in enumerate(fields):
        label = labels[place] if labels else None
        parts += _draw_panel(cells, place * (box.width + _GAP), label, grid=grid, states=states)
    return "\n".join([*parts, "</svg>"])


def write_style(states: int = 2, theme: Theme | None = None) -> str:
    """Write the style sheet of cells; without a theme it follows the reader's preference.

    The style of an SVG inside a page holds for the whole page: classes are our own, and a theme
    holds only inside of an element with the class ``satlife-light`` or ``satlife-dark``.
    """
    if theme is not None:
        return "".join(f".satlife-{theme.name} {rule}" for rule in _rules(theme, states))
    light, dark = list(_rules(LIGHT, states)), list(_rules(DARK, states))
    changed = [rule for rule in dark if rule not in light]
    return f"{''.join(light)}@media(prefers-color-scheme:dark){{{''.join(changed)}}}"


def _rules(theme: Theme, states: int) -> Iterator[str]:
    yield f".satlife-panel{{fill:{theme.panel}}}"
    yield f".satlife-grid{{stroke:{theme.grid};stroke-width:.06;fill:none}}"
    for state in range(ALIVE, states):
        colour = theme.alive if state == ALIVE else theme.dying(state, states)
        rounded = f"stroke-width:{_ROUND:g};stroke-linejoin:round"
        yield f".{name_state(state, states)}{{fill:{colour};stroke:{colour};{rounded}}}"
    yield f".satlife-unknown{{fill:{theme.unknown}}}"
    yield f".satlife-mark{{stroke:{theme.hatch};stroke-width:.08;fill:none}}"
    yield f".satlife-label{{fill:{theme.soft};font-family:sans-serif;text-anchor:middle}}"


def name_state(state: int, states: int) -> str:
    """Return the class of a living or dying cell, of all states of the rule."""
    return "satlife-alive" if state == ALIVE else f"satlife-dying{state}of{states}"


def _describe(patterns: Sequence[Drawable]) -> str:
    first = patterns[0]
    box = find_box(first)
    cells = see(first, box)
    unknown = np.count_nonzero(cells == UNKNOWN)
    words = (
        f"A partial pattern with {unknown} unknown cells"
        if unknown
        else f"{np.count_nonzero(cells == ALIVE)} cells"
    )
    rule = "" if isinstance(first, np.ndarray) else f", {first.rule}"
    phases = f", {len(patterns)} phases" if len(patterns) > 1 else ""
    return f"{words} in a box of {box}{rule}{phases}"


def _draw_panel(
    cells: Cells, x: int, label: str | None, *, grid: bool, states: int
) -> Iterator[str]:
    height, width = cells.shape
    # The label is inside of the panel, where its colour is sure to be seen.
    whole = height + (0 if label is None else _LABEL_HEIGHT)
    yield f'<g transform="translate({x})">'
    yield f'<rect class="satlife-panel" width="{width}" height="{whole:g}" rx=".3"/>'
    yield from draw_unknown(cells)
    if grid:
        # No lines at the panel's edge; one above a label.
        lines = [f"M{i} 0v{height}" for i in range(1, width)]
        lines += [f"M0 {i}h{width}" for i in range(1, height + (label is not None))]
        yield f'<path class="satlife-grid" d="{"".join(lines)}"/>'
    yield from draw_cells(cells, states, grid=grid)
    if label is not None:
        size = min(0.8, 1.6 * width / max(len(label), 1))  # a long label is set smaller
        yield (
            f'<text class="satlife-label" x="{width / 2:g}" y="{height + 0.95:g}" '
            f'font-size="{size:.2g}">{html.escape(label)}</text>'
        )
    yield "</g>"


def draw_unknown(cells: Cells, x: int = 0, y: int = 0) -> Iterator[str]:
    """Draw what lies below the grid: the ground of unknown cells."""
    unknown = cells == UNKNOWN
    if unknown.any():
        yield f'<path class="satlife-unknown" d="{_draw_runs(unknown, x, y)}"/>'


def draw_cells(
    cells: Cells, states: int = 2, *, grid: bool, x: int = 0, y: int = 0
) -> Iterator[str]:
    """Draw what lies above the grid; the array's top left cell is at (x, y)."""
    marks = "".join(
        f"M{i + 0.2:g} {j + 0.8:g}l.6-.6" for i, j in _places(cells == UNKNOWN, x, y)
    ) + "".join(
        f"M{i + 0.34:g} {j + 0.5:g}a.16.16 0 1 1 0 .01z"
        for i, j in _places(cells == DONT_CARE, x, y)
    )
    if marks:
        yield f'<path class="satlife-mark" d="{marks}"/>'
    # Without a grid the cells touch; with one they are tiles, rounded by their stroke.
    for state in range(ALIVE, states):
        seen = cells == state
        if not seen.any():
            continue
        name = name_state(state, states)
        if grid:
            path = _draw_tiles(_places(seen, x, y), measure_tile(state, states))
            yield f'<path class="{name}" d="{path}"/>'
        else:
            path = _draw_runs(seen, x, y)
            yield f'<path class="{name}" style="stroke:none" d="{path}"/>'


def measure_tile(state: int, states: int) -> float:
    """Return the side of a cell's tile, as a part of the cell's."""
    if state == ALIVE:
        return _ALIVE_TILE
    first, last = _DYING_TILES
    return first + (last - first) * (state - 2) / max(1, states - 3)


def _draw_tiles(places: list[tuple[int, int]], tile: float) -> str:
    side = f"{round(tile - _ROUND, 2):g}".removeprefix("0")
    corner = round((1 - tile + _ROUND) / 2, 2)
    shape = f"h{side}v{side}h-{side}z"
    return "".join(f"M{i + corner:g} {j + corner:g}{shape}" for i, j in places)


def _places(seen: NDArray[np.bool_], x: int, y: int) -> list[tuple[int, int]]:
    return [(i + x, j + y) for j, i in np.argwhere(seen).tolist()]


def _draw_runs(seen: NDArray[np.bool_], x: int = 0, y: int = 0) -> str:
    """Outline the runs of each row: fewer and larger shapes than single cells."""
    edges = np.diff(np.pad(seen, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    starts, ends = np.argwhere(edges == 1).tolist(), np.argwhere(edges == -1).tolist()
    return "".join(
        f"M{i + x} {j + y}h{end - i}v1h{i - end}z"
        for (j, i), (_, end) in zip(starts, ends, strict=True)
    )
