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
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final

import numpy as np

from satlife.errors import UsageError
from satlife.life.box import Box, look_through
from satlife.life.cells import Cells, check_extent
from satlife.life.partial import ALIVE, UNKNOWN, PartialPattern
from satlife.life.pattern import Pattern

_STYLE: Final = (
    # Classes of our own: the style of an SVG inside a page holds for the whole page.
    ".satlife-panel{fill:#fcfcfb}.satlife-grid{stroke:#e2e2dd;stroke-width:.06;fill:none}"
    ".satlife-alive{fill:#1f2a44;stroke:#1f2a44;stroke-width:.16;stroke-linejoin:round}"
    ".satlife-unknown{fill:#b9b9b2;fill-opacity:.35}"
    ".satlife-hatch{stroke:#9a9a92;stroke-width:.08;fill:none}"
    ".satlife-label{fill:#77776f;font-family:sans-serif;text-anchor:middle}"
    "@media(prefers-color-scheme:dark){.satlife-panel{fill:#1b1d22}.satlife-grid{stroke:#30333b}"
    ".satlife-alive{fill:#e9e4d4;stroke:#e9e4d4}.satlife-unknown{fill:#70737c}"
    ".satlife-hatch{stroke:#70737c}.satlife-label{fill:#9a9da6}}"
)
_MARGIN: Final = 1
"""Dead cells that are shown around the pattern when no box is given."""
_GAP: Final = 1
"""Cells' widths between one phase and the next."""
_LABEL_HEIGHT: Final = 1.5


def draw_svg(
    pattern: Pattern | PartialPattern | Sequence[Pattern | PartialPattern],
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

    >>> glider = Pattern.from_rle("bob$2bo$3o!")
    >>> draw_svg([glider[t] for t in range(4)], labels="0123").count("satlife-alive")
    6
    """
    patterns = [pattern] if isinstance(pattern, (Pattern, PartialPattern)) else list(pattern)
    if not patterns:
        raise UsageError("nothing to draw: an empty list of patterns")
    if labels and len(labels) != len(patterns):
        raise UsageError(f"{len(labels)} labels for {len(patterns)} patterns; give one for each")
    if box is None:
        box = reduce(or_, (each.box for each in patterns)).grow(_MARGIN)
    check_extent(box.x, box.y, box.width, box.height)
    width = len(patterns) * (box.width + _GAP) - _GAP
    height = box.height + (_LABEL_HEIGHT if labels else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width * cell_size:g}" height="{height * cell_size:g}" role="img">',
        f"<title>{html.escape(_describe(patterns) if title is None else title)}</title>",
        f"<style>{_STYLE}</style>",
    ]
    for place, each in enumerate(patterns):
        label = labels[place] if labels else None
        parts += _draw_panel(each, box, place * (box.width + _GAP), label, grid=grid)
    return "\n".join([*parts, "</svg>"])


def _describe(patterns: Sequence[Pattern | PartialPattern]) -> str:
    first = patterns[0]
    cells = (
        f"{first.population} cells"
        if isinstance(first, Pattern)
        else f"A partial pattern with {first.unknown} unknown cells"
    )
    phases = f", {len(patterns)} phases" if len(patterns) > 1 else ""
    return f"{cells} in a box of {first.box}, {first.rule}{phases}"


def _draw_panel(
    pattern: Pattern | PartialPattern, box: Box, x: int, label: str | None, *, grid: bool
) -> list[str]:
    states = _see(pattern, box)
    # The label is inside of the panel, where its colour is sure to be seen.
    height = box.height + (0 if label is None else _LABEL_HEIGHT)
    parts = [
        f'<g transform="translate({x})">',
        f'<rect class="satlife-panel" width="{box.width}" height="{height:g}" rx=".3"/>',
    ]
    unknown = states == UNKNOWN
    if unknown.any():
        parts.append(f'<path class="satlife-unknown" d="{_draw_runs(unknown)}"/>')
    if grid:
        # No lines at the panel's edge; one above a label.
        lines = [f"M{i} 0v{box.height}" for i in range(1, box.width)]
        lines += [f"M0 {i}h{box.width}" for i in range(1, box.height + (label is not None))]
        parts.append(f'<path class="satlife-grid" d="{"".join(lines)}"/>')
    if unknown.any():
        hatch = "".join(f"M{i + 0.2:g} {j + 0.8:g}l.6-.6" for j, i in np.argwhere(unknown).tolist())
        parts.append(f'<path class="satlife-hatch" d="{hatch}"/>')
    alive = states == ALIVE
    if alive.any():
        # With a grid the cells are tiles, rounded by their stroke; without, they touch.
        tiles = (f"M{i}.17 {j}.17h.66v.66h-.66z" for j, i in np.argwhere(alive).tolist())
        path, style = ("".join(tiles), "") if grid else (_draw_runs(alive), ' style="stroke:none"')
        parts.append(f'<path class="satlife-alive"{style} d="{path}"/>')
    if label is not None:
        size = min(0.8, 1.6 * box.width / max(len(label), 1))  # a long label is set smaller
        parts.append(
            f'<text class="satlife-label" x="{box.width / 2:g}" y="{box.height + 0.95:g}" '
            f'font-size="{size:.2g}">{html.escape(label)}</text>'
        )
    return [*parts, "</g>"]


def _see(pattern: Pattern | PartialPattern, box: Box) -> Cells:
    """Give the states of a box's cells; where a partial pattern says nothing they look dead."""
    if isinstance(pattern, Pattern):
        return pattern.in_box(box)
    return look_through(box, pattern.states[0], pattern.box)


def _draw_runs(cells: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
    """Outline the runs of each row: fewer and larger shapes than single cells."""
    edges = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    starts, ends = np.argwhere(edges == 1).tolist(), np.argwhere(edges == -1).tolist()
    return "".join(
        f"M{i} {j}h{end - i}v1h{i - end}z" for (j, i), (_, end) in zip(starts, ends, strict=True)
    )
