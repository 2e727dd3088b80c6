"""Draw docs/images/found.gif, a ship being found and flying: ``python scripts/draw_readme.py``.

The search is a real one: what is found, and the numbers that are shown, come from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
from PIL import Image

import satlife
from satlife.life import Box
from satlife.life.draw.palette import LIGHT
from satlife.show.caption import Caption
from satlife.show.formats._format import make_image
from satlife.show.layout import SIZES, Camera, Field, Kind, Layout, TextLine
from satlife.show.raster import Inks, Pixels, prepare, render_text
from satlife.show.scene import Frame, Scene

FILE = Path(__file__).resolve().parent.parent / "docs" / "images" / "found.gif"
COMMAND = "satlife ship c/3 --box 16x6"
CELL, PAD, BELOW = 24, 16, 66
VIEW = Box(-2, -2, 20, 10)
"""What is seen: the box of the question, and two cells around it."""
LOOPS = 14

Shot = tuple[Pixels, bytes, int]
"""Pixels, colours, and milliseconds."""


def search() -> tuple[satlife.Finding, str]:
    """Search; return what is found, and the size of the formula in words."""
    problem = satlife.ship("c/3", box="16x6")
    with satlife.start(problem) as running:
        result = running.result()
        numbers = running.numbers
    if not isinstance(result, satlife.Found):
        raise SystemExit("draw_readme.py: the ship was not found")
    size = f"searching: {numbers['variables']:,} variables, {numbers['clauses']:,} clauses"
    return result.finding, size


def film(finding: satlife.Finding, size: str) -> Iterator[Shot]:
    """Yield the command as it is typed, the search, and the flight."""
    box = Box(0, 0, 16, 6)
    empty = _still(np.zeros((6, 16), np.uint8), box)
    unknown = _still(np.full((6, 16), 255, np.uint8), box)
    for end in range(0, len(COMMAND) + 1, 2):
        yield _shoot(empty, (f"$ {COMMAND[:end]}|", ""), 0, 70)
    yield _shoot(empty, (f"$ {COMMAND}", ""), 0, 500)
    for dots in range(1, 5):
        yield _shoot(unknown, (f"$ {COMMAND}", f"{size} {'.' * dots}"), 0, 450)
    ship = finding.scene()
    words = f"found and verified: {', '.join([ship.caption.title, *ship.caption.facts[:3]])}"
    for t in range(LOOPS * len(ship.frames)):
        yield _shoot(ship, (f"$ {COMMAND}", words), t, 900 if t == 0 else 160)


def _still(cells: Pixels, box: Box) -> Scene:
    return Scene((Frame(cells, box),), Caption())


def _shoot(scene: Scene, lines: tuple[str, str], t: int, duration: int) -> Shot:
    """Draw one frame; the camera flies with the ship, and the ship is in the middle."""
    camera = Camera(VIEW)
    frame = t % len(scene.frames)
    if scene.loop is not None:
        dx, dy = (Fraction(d, scene.loop.period) for d in scene.loop.displacement)
        camera = Camera(VIEW, dx, dy)
    width, height = VIEW.width * CELL, VIEW.height * CELL
    field = Field(PAD, PAD, CELL, scene, camera, frame, grid=True)
    words = (
        TextLine(_middle(lines[0], "title"), PAD + height + 28, lines[0], "title"),
        TextLine(_middle(lines[1], "facts"), PAD + height + 50, lines[1], "facts"),
    )
    layout = Layout(width + 2 * PAD, height + PAD + BELOW, (field,), words)
    canvas = prepare(layout, LIGHT)
    return canvas.draw(), canvas.inks.palette, duration


def _middle(text: str, kind: Kind) -> float:
    """Return where the middle of a text is that begins at the left; it must not move with it."""
    return PAD + render_text(text, SIZES[kind]).shape[1] / 2


def write(shots: list[Shot], file: Path) -> None:
    """Write the GIF with one palette for all of its frames."""
    common = Inks(LIGHT)
    images, durations = [], []
    for pixels, palette, duration in shots:
        colours = [f"#{palette[k : k + 3].hex()}" for k in range(0, len(palette), 3)]
        numbers = np.array([common.number(colour) for colour in colours], np.uint8)
        images.append(numbers[pixels])
        durations.append(duration)
    first, *rest = [make_image(image, common.palette) for image in images]
    first.save(file, "GIF", save_all=True, append_images=rest, duration=durations, loop=0)


def main() -> None:
    """Write the file."""
    write(list(film(*search())), FILE)
    with Image.open(FILE) as image:
        if image.n_frames < LOOPS:
            raise SystemExit("draw_readme.py: frames are missing")


if __name__ == "__main__":
    main()
