"""Pictures are what they were: SVG to the letter, PNG to the pixel."""

from __future__ import annotations

import io
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

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
