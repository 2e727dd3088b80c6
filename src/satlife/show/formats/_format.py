"""The interface of picture formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satlife.show.raster import Pixels
from satlife.show.scene import Scene
from satlife.show.style import Style

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class PictureFormat:
    """A kind of file that scenes can be drawn to."""

    name: str
    title: str
    """A short description."""
    suffixes: tuple[str, ...]
    """File name suffixes, the usual one first."""
    draw: Callable[[Sequence[Scene], Style], bytes]
    """Return the file that shows one scene, or several on a sheet."""


def make_image(pixels: Pixels, palette: bytes) -> Image:
    """Return an image of numbered colours."""
    from PIL import Image  # noqa: PLC0415 - for start-up

    height, width = pixels.shape
    image = Image.frombytes("P", (width, height), pixels.tobytes())
    image.putpalette(palette)
    return image
