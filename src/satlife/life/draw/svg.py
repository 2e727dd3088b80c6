"""Pictures as SVG: a small text that stands alone in a file or inside a page.

The picture brings its own panel, so its cells can be seen on any page; it is light, and on dark
pages dark (see :func:`satlife.life.draw.palette.follow_theme`).  The light colours are attributes
too: where a site removes style sheets, as GitHub does, the picture is light and complete.

>>> from satlife.life.pattern import Pattern
>>> svg = draw_svg(Pattern.from_rle("bob$2bo$3o!"))
>>> svg[:4], "<title>5 cells in a box of 3x3, B3/S23</title>" in svg
('<svg', True)
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.given import make_visible
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
    follow_theme,
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
AUTO: Final = "satlife-auto"
"""The class of pictures that follow the theme of their page."""
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

    Without a box, the least one that holds them all, and a margin of one cell. ``title`` is for
    screen readers; ``labels`` are shown below the pictures, one for each.

    >>> from satlife.life.pattern import Pattern
    >>> glider = Pattern.from_rle("bob$2bo$3o!")
    >>> draw_svg([glider[t] for t in range(4)], labels="0123").count("satlife-alive")
    5
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
    paints = mix_paints(states)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width * cell_size:g}" height="{height * cell_size:g}" role="img" class="{AUTO}">',
        f"<title>{escape(_describe(patterns) if title is None else title)}</title>",
        f"<style>{write_style(states)}</style>",
    ]
    for place, cells in enumerate(fields):
        label = labels[place] if labels else None
        x = place * (box.width + _GAP)
        parts += _draw_panel(cells, x, label, paints, grid=grid, states=states)
    return "\n".join([*parts, "</svg>"])


def escape(text: str) -> str:
    """Return a text for an element or an attribute; XML has no place for control characters."""
    return html.escape(make_visible(text))


def let_scroll(svg: str) -> str:
    """Return HTML in which a wide picture scrolls instead of becoming too small to see."""
    sized = svg.replace("<svg", f"<svg {_limit_width(svg)}", 1)
    return f'<div style="overflow-x:auto">{sized}</div>'


def embed(svg: str) -> str:
    """Return HTML that is shown even where sites remove elements of SVG, as GitHub does."""
    data = base64.b64encode(svg.encode()).decode()
    title = re.search("<title>(.*?)</title>", svg, re.DOTALL)
    alternative = f' alt="{title[1]}"' if title else ""
    return f'<img {_limit_width(svg)}{alternative} src="data:image/svg+xml;base64,{data}"/>'


def _limit_width(svg: str) -> str:
    """Let a picture shrink to fit its page, but not below half its size."""
    (width,) = re.findall(r'^<svg [^>]*\bwidth="([\d.]+)"', svg)
    least = f"min-width:{float(width) / 2:g}px"
    return f'style="{least};max-width:100%;height:auto;max-height:none"'


def write_style(states: int = 2) -> str:
    """Write the style sheet of the pictures that follow the theme, those of the class ``AUTO``.

    The style of an SVG inside a page holds for the whole page, so the classes are our own.
    """
    light, dark = (
        "".join(f"--{role}:{colour};" for role, colour in _mix_colours(theme, states).items())
        for theme in (LIGHT, DARK)
    )
    rules = "".join(
        f".{AUTO} .satlife-{role}{{{';'.join(f'{each}:var(--{role})' for each in _painted(role))}}}"
        for role in _mix_colours(LIGHT, states)
    )
    return follow_theme(f".{AUTO}", light, dark) + rules


def mix_paints(states: int = 2, theme: Theme = LIGHT) -> Mapping[str, str]:
    """Return the attributes of elements by their roles: ``panel``, ``alive``, ``grid`` …"""
    return {
        role: " ".join(
            [f'class="satlife-{role}"', *(f'{each}="{colour}"' for each in _painted(role))]
        )
        for role, colour in _mix_colours(theme, states).items()
    }


def _mix_colours(theme: Theme, states: int) -> dict[str, str]:
    ages = range(ALIVE + 1, states)
    return {
        "panel": theme.panel,
        "grid": theme.grid,
        "alive": theme.alive,
        **{name_state(age, states): theme.dying(age, states) for age in ages},
        "unknown": theme.unknown,
        "mark": theme.hatch,
        "ink": theme.ink,
        "soft": theme.soft,
    }


def _painted(role: str) -> tuple[str, ...]:
    """Return the coloured attributes: the stroke of a line; a tile's stroke rounds its corners."""
    if role in ("grid", "mark"):
        return ("stroke",)
    return ("fill", "stroke") if role.startswith(("alive", "dying")) else ("fill",)


def name_state(state: int, states: int) -> str:
    """Return the name of a living or dying cell's paint, of all states of the rule."""
    return "alive" if state == ALIVE else f"dying{state}of{states}"


def _describe(patterns: Sequence[Drawable]) -> str:
    first = patterns[0]
    box = find_box(first)
    cells = see(first, box)
    unknown = np.count_nonzero(cells == UNKNOWN)
    content = (
        f"A partial pattern with {unknown} unknown cells"
        if unknown
        else f"{np.count_nonzero(cells == ALIVE)} cells"
    )
    rule = "" if isinstance(first, np.ndarray) else f", {first.rule}"
    phases = f", {len(patterns)} phases" if len(patterns) > 1 else ""
    return f"{content} in a box of {box}{rule}{phases}"


def _draw_panel(
    cells: Cells,
    x: int,
    label: str | None,
    paints: Mapping[str, str],
    *,
    grid: bool,
    states: int,
) -> Iterator[str]:
    height, width = cells.shape
    # The label is inside of the panel, where its colour is sure to be seen.
    whole = height + (0 if label is None else _LABEL_HEIGHT)
    yield f'<g transform="translate({x})">'
    yield f'<rect {paints["panel"]} width="{width}" height="{whole:g}" rx=".3"/>'
    yield from draw_unknown(cells, paints)
    if grid:
        # No lines at the panel's edge; one above a label.
        lines = [f"M{i} 0v{height}" for i in range(1, width)]
        lines += [f"M0 {i}h{width}" for i in range(1, height + (label is not None))]
        yield f'<path {paints["grid"]} stroke-width=".06" d="{"".join(lines)}"/>'
    yield from draw_cells(cells, paints, states, grid=grid)
    if label is not None:
        size = min(0.8, 1.6 * width / max(len(label), 1))  # a long label is set smaller
        yield (
            f'<text {paints["soft"]} x="{width / 2:g}" y="{height + 0.95:g}" text-anchor="middle" '
            f'font-family="sans-serif" font-size="{size:.2g}">{escape(label)}</text>'
        )
    yield "</g>"


def draw_unknown(cells: Cells, paints: Mapping[str, str], x: int = 0, y: int = 0) -> Iterator[str]:
    """Draw the layer below the grid: the ground of unknown cells."""
    unknown = cells == UNKNOWN
    if unknown.any():
        yield f'<path {paints["unknown"]} d="{_draw_runs(unknown, x, y)}"/>'


def draw_cells(
    cells: Cells,
    paints: Mapping[str, str],
    states: int = 2,
    *,
    grid: bool,
    x: int = 0,
    y: int = 0,
) -> Iterator[str]:
    """Draw the layer above the grid; the array's top left cell is at (x, y)."""
    marks = "".join(
        f"M{i + 0.2:g} {j + 0.8:g}l.6-.6" for i, j in _places(cells == UNKNOWN, x, y)
    ) + "".join(
        f"M{i + 0.34:g} {j + 0.5:g}a.16.16 0 1 1 0 .01z"
        for i, j in _places(cells == DONT_CARE, x, y)
    )
    if marks:
        yield f'<path {paints["mark"]} fill="none" stroke-width=".08" d="{marks}"/>'
    # Without a grid the cells touch; with one they are tiles, rounded by their stroke.
    for state in range(ALIVE, states):
        seen = cells == state
        if not seen.any():
            continue
        paint = paints[name_state(state, states)]
        if grid:
            path = _draw_tiles(_places(seen, x, y), measure_tile(state, states))
            yield f'<path {paint} stroke-width="{_ROUND}" stroke-linejoin="round" d="{path}"/>'
        else:
            yield f'<path {paint} stroke-width="0" d="{_draw_runs(seen, x, y)}"/>'


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
