"""GIF: the pattern moves; a ship flies, with the camera beside it.

The loop is exact: after the last phase comes the first one, displaced, and the camera with it. The
scenes of a sheet go round together after the least common multiple of their lengths, if that is
not too long.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from math import lcm
from typing import Final

from satlife.show.formats._format import PictureFormat, make_image
from satlife.show.layout import lay_out
from satlife.show.raster import prepare
from satlife.show.scene import Scene
from satlife.show.style import Style

LONGEST: Final = 600
"""Frames in which the scenes of a sheet may take to go round together."""
BUDGET: Final = 70_000_000
"""Pixels of all frames; a long film has small cells, so that it is made within two seconds."""


def draw_scenes(scenes: Sequence[Scene], style: Style) -> bytes:
    """Draw scenes as a GIF file."""
    count = count_frames(scenes) if style.map is None else 1
    layout = lay_out(scenes, style, moving=True, budget=BUDGET // count)
    canvas = prepare(layout, style.fixed_theme)
    palette = canvas.inks.palette
    images = (make_image(canvas.draw(t), palette) for t in range(count))
    file = io.BytesIO()
    next(images).save(
        file,
        "GIF",
        save_all=True,
        append_images=images,
        duration=measure_delay(scenes, style),
        loop=0,
        optimize=False,
        disposal=1,
    )
    return file.getvalue()


def count_frames(scenes: Sequence[Scene]) -> int:
    """Return after how many frames all scenes are at their beginning again."""
    lengths = [len(scene.frames) for scene in scenes]
    together = lcm(*lengths)
    return together if together <= max(LONGEST, *lengths) else max(lengths)


def measure_delay(scenes: Sequence[Scene], style: Style) -> int:
    """Return how many milliseconds a frame is shown; a GIF counts in hundredths of a second."""
    rate = style.choose_rate(max(len(scene.frames) for scene in scenes))
    return 10 * max(2, round(100 / rate))


GIF = PictureFormat("gif", "a loop of one period", (".gif",), draw_scenes)
