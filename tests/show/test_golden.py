"""Pictures are what they were: SVG to the letter, PNG and GIF to the pixel, in time."""

from __future__ import annotations

import io
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image, ImageSequence

from tests.show.golden import FOLDER, PICTURES, draw_golden


def test_no_picture_is_left_over():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(PICTURES)


@pytest.mark.parametrize("name", [name for name in PICTURES if name.endswith(".svg")])
def test_svg_to_the_letter(name):
    drawn = draw_golden(name).decode()
    ET.fromstring(drawn)
    expected = (FOLDER / name).read_text(encoding="utf-8")
    assert drawn == expected, "python -m tests.show.golden draws them anew"


@pytest.mark.parametrize("name", [name for name in PICTURES if name.endswith(".png")])
def test_png_to_the_pixel(name):
    drawn = Image.open(io.BytesIO(draw_golden(name))).convert("RGB")
    expected = Image.open(FOLDER / name).convert("RGB")
    assert np.array_equal(np.asarray(drawn), np.asarray(expected))


@pytest.mark.parametrize("name", [name for name in PICTURES if name.endswith(".gif")])
def test_gif_to_the_pixel_and_the_millisecond(name):
    drawn, expected = (
        [(frame.info["duration"], frame.convert("RGB").tobytes()) for frame in _film(gif)]
        for gif in (draw_golden(name), (FOLDER / name).read_bytes())
    )
    assert drawn == expected


def _film(gif: bytes) -> ImageSequence.Iterator:
    return ImageSequence.Iterator(Image.open(io.BytesIO(gif)))
