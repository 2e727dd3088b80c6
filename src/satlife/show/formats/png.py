"""PNG: the phases side by side, in pixels."""

from __future__ import annotations

import io
from collections.abc import Sequence

from satlife.show.formats._format import PictureFormat, make_image
from satlife.show.layout import lay_out
from satlife.show.raster import prepare
from satlife.show.scene import Scene
from satlife.show.style import Style


def draw_scenes(scenes: Sequence[Scene], style: Style) -> bytes:
    """Draw scenes as a PNG file."""
    canvas = prepare(lay_out(scenes, style, moving=False), style.fixed_theme)
    file = io.BytesIO()
    make_image(canvas.draw(), canvas.inks.palette).save(file, "PNG")
    return file.getvalue()


PNG = PictureFormat("png", "the phases, in pixels", (".png",), draw_scenes)
