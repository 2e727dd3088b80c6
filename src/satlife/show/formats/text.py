"""Text: half blocks, as a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satlife.life.draw import draw_text
from satlife.show.formats._format import PictureFormat
from satlife.show.maps import CellMap, find_map
from satlife.show.scene import Scene
from satlife.show.style import Style


def draw_scenes(scenes: Sequence[Scene], style: Style) -> bytes:
    """Draw the first generation of each scene as UTF-8."""
    return "\n".join(write_text(scene, style) for scene in scenes).encode()


def write_text(scene: Scene, style: Style | None = None) -> str:
    """Draw the first generation, with the caption below; ends with a newline."""
    style = style or Style()
    if style.map is not None:
        return "".join(f"{line}\n" for line in _write_map(find_map(style.map).make(scene)))
    first = scene.frames[0]
    picture = draw_text(first.see(first.box), None)
    caption = f"{scene.caption}\n" if style.caption and str(scene.caption) else ""
    return f"{picture}\n{caption}"


def _write_map(made: CellMap) -> Iterator[str]:
    signs = [".", *(mark.sign or mark.label[0] for mark in made.marks)]
    width = max(map(len, signs))
    for row in made.classes.tolist():
        yield " ".join(f"{signs[k]:>{width}}" for k in row)
    for mark, count in zip(made.marks, made.counts, strict=True):
        yield f"{mark.sign or mark.label[0]}: {mark.label}, {count} cell{'s' if count != 1 else ''}"


TEXT = PictureFormat("text", "half blocks, for a terminal", (".txt",), draw_scenes)
