"""SVG: the phases side by side; or one picture that moves by CSS alone, without a script.

A picture that moves is still if the reader prefers reduced motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeAlias

from satlife.life.box import Box
from satlife.life.draw.svg import (
    AUTO,
    draw_cells,
    draw_unknown,
    escape,
    mix_paints,
    write_style,
)
from satlife.show.formats._format import PictureFormat
from satlife.show.layout import SIZES, Field, TextLine, lay_out, measure
from satlife.show.maps import CellMap
from satlife.show.scene import Frame, Scene
from satlife.show.style import Style

_SANS: Final = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
_FONTS: Final = {
    "code": ' font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"',
    "title": ' font-weight="600"',
}
Paints: TypeAlias = Mapping[str, str]
"""Attributes by the role of an element: see :func:`satlife.life.draw.svg.mix_paints`."""


def draw_scenes(scenes: Sequence[Scene], style: Style) -> bytes:
    """Draw scenes as the text of an SVG file."""
    return (write_svg(scenes, style) + "\n").encode()


def write_svg(scenes: Sequence[Scene], style: Style) -> str:
    """Draw scenes as one SVG element, for a page of HTML."""
    layout = lay_out(scenes, style, moving=style.animate)
    title = "; ".join(filter(None, (str(scene.caption) for scene in scenes[:20])))
    motions = sorted({_motion(field, style) for field in layout.fields if field.frame is None})
    paints = mix_paints(layout.states, style.fixed_theme)
    own, class_ = "", ""
    if style.theme == "auto":
        own, class_ = write_style(layout.states), f' class="{AUTO}"'
    sheet = "".join([own, *motions])
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width} {layout.height}" '
            f'width="{layout.width}" height="{layout.height}" role="img"'
            f'{class_} font-family="{_SANS}" text-anchor="middle">',
            f"<title>{escape(title or 'A pattern')}</title>",
            *([f"<style>{sheet}</style>"] if sheet else []),
            f'<rect {paints["panel"]} width="{layout.width}" height="{layout.height}" rx="8"/>',
            *chain.from_iterable(_draw_field(field, style, paints) for field in layout.fields),
            *chain.from_iterable(_draw_text(text, paints) for text in layout.texts),
            "</svg>",
        ]
    )


def _motion(field: Field, style: Style) -> str:
    """Write the animations of a field: its frames in turn, and the flight of the camera."""
    count = len(field.scene.frames)
    seconds = count / style.choose_rate(count)
    name = _name_film(field, style)
    rules = (
        f"@keyframes {name}{{0%{{visibility:visible}}{100 / count:.5g}%,to{{visibility:hidden}}}}"
        f".{name}{{animation:{name} {seconds:g}s step-end infinite;visibility:hidden}}"
    )
    still = f".{name}{{animation:none}}.{name}:first-of-type{{visibility:visible}}"
    if field.camera.is_moving:
        fly = _name_flight(field, style)
        dx, dy = -count * field.camera.dx, -count * field.camera.dy
        rules += (
            f"@keyframes {fly}{{to{{transform:translate({dx}px,{dy}px)}}}}"
            f".{fly}{{animation:{fly} {seconds:g}s linear infinite}}"
        )
        still += f".{fly}{{animation:none}}"
    return f"{rules}@media(prefers-reduced-motion:reduce){{{still}}}"


def _name_film(field: Field, style: Style) -> str:
    """Return a name that is unique among the motions on a page."""
    count = len(field.scene.frames)
    return f"satlife-film{count}_{1000 * count / style.choose_rate(count):.0f}"


def _name_flight(field: Field, style: Style) -> str:
    count, camera = len(field.scene.frames), field.camera
    return f"{_name_film(field, style)}_{count * camera.dx}_{count * camera.dy}"


def _draw_field(field: Field, style: Style, paints: Paints) -> Iterator[str]:
    box, camera = field.camera.box, field.camera
    yield (
        f'<svg x="{field.x:g}" y="{field.y:g}" width="{field.width}" height="{field.height}" '
        f'viewBox="{box.x} {box.y} {box.width} {box.height}">'
    )
    if field.frame is not None or field.map is not None:
        frame = field.scene.frames[field.frame or 0]
        yield from _draw_ground(frame, box, paints, grid=field.grid)
        if field.map is not None:
            yield from _draw_map(field.map)
        else:
            yield from _draw_frame(frame, field, paints)
    else:
        if camera.is_moving:
            yield f'<g class="{_name_flight(field, style)}">'
        count = len(field.scene.frames)
        seen = box | box.shift(round(count * camera.dx), round(count * camera.dy))
        yield from _draw_ground(None, seen, paints, grid=field.grid)
        yield from _draw_film(field, style, paints)
        if camera.is_moving:
            yield "</g>"
    yield "</svg>"
    if field.grid:
        yield (
            f'<rect {paints["grid"]} fill="none" x="{field.x:g}" y="{field.y:g}" '
            f'width="{field.width}" height="{field.height}"/>'
        )


def _draw_film(field: Field, style: Style, paints: Paints) -> Iterator[str]:
    count = len(field.scene.frames)
    rate = style.choose_rate(count)
    for t, frame in enumerate(field.scene.frames):
        delay = (t - count) / rate
        yield f'<g class="{_name_film(field, style)}" style="animation-delay:{delay:g}s">'
        yield from draw_unknown(frame.cells, paints, frame.box.x, frame.box.y)
        yield from _draw_frame(frame, field, paints)
        yield "</g>"


def _draw_frame(frame: Frame, field: Field, paints: Paints) -> Iterator[str]:
    x, y, states = frame.box.x, frame.box.y, field.scene.states
    return draw_cells(frame.cells, paints, states, grid=field.grid, x=x, y=y)


def _draw_ground(frame: Frame | None, box: Box, paints: Paints, *, grid: bool) -> Iterator[str]:
    if frame is not None:
        yield from draw_unknown(frame.cells, paints, frame.box.x, frame.box.y)
    if grid:
        lines = [f"M{x} {box.y}v{box.height}" for x in range(box.x + 1, box.right)]
        lines += [f"M{box.x} {y}h{box.width}" for y in range(box.y + 1, box.bottom)]
        yield f'<path {paints["grid"]} stroke-width=".06" d="{"".join(lines)}"/>'


def _draw_map(made: CellMap) -> Iterator[str]:
    for k, mark in enumerate(made.marks, 1):
        places = [
            (column + made.box.x, row + made.box.y)
            for row, column in zip(*(made.classes == k).nonzero(), strict=True)
        ]
        corner, side = (1 - mark.tile) / 2, mark.tile
        shape = f"h{side:g}v{side:g}h-{side:g}z"
        path = "".join(f"M{x + corner:g} {y + corner:g}{shape}" for x, y in places)
        yield f'<path fill="{mark.colour}" d="{path}"/>'
        if mark.sign:
            size = 0.62 if len(mark.sign) == 1 else 1.1 / len(mark.sign)
            signs = "".join(
                f'<text x="{x + 0.5:g}" y="{y + 0.5 + 0.36 * size:g}">{mark.sign}</text>'
                for x, y in places
            )
            yield f'<g fill="{mark.ink}" font-size="{size:g}">{signs}</g>'


def _draw_text(text: TextLine, paints: Paints) -> Iterator[str]:
    if text.dot:
        x = text.x - measure(text.text, text.kind) / 2 - 9
        yield f'<circle cx="{x:g}" cy="{text.y - 4:g}" r="5" fill="{text.dot}"/>'
    paint = paints["ink" if text.kind in ("title", "legend") else "soft"]
    yield (
        f'<text {paint} x="{text.x:g}" y="{text.y:g}" font-size="{SIZES[text.kind]}"'
        f"{_FONTS.get(text.kind, '')}>{escape(text.text)}</text>"
    )


SVG = PictureFormat("svg", "the phases, or an animation by CSS (--animate)", (".svg",), draw_scenes)
