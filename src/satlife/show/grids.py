r"""Pictures of plain numbers: every number of an array is a square of its colour.

>>> draw_numbers(np.zeros((2, 3), np.uint8), ["#ffffff"])[:4]
b'\x89PNG'
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from satlife.life.draw.palette import to_rgb
from satlife.show.formats._format import make_image


def draw_numbers(numbers: NDArray[np.uint8], colours: Sequence[str], *, scale: int = 1) -> bytes:
    """Return a PNG in which number n has the n-th colour, ``#rrggbb``; at most 256 colours."""
    pixels = np.ascontiguousarray(numbers.repeat(scale, axis=0).repeat(scale, axis=1))
    palette = bytes(part for colour in colours for part in to_rgb(colour))
    file = io.BytesIO()
    make_image(pixels, palette).save(file, "PNG", optimize=True)
    return file.getvalue()
