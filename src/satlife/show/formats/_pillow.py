"""Pillow, if it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.errors import UsageError
from satlife.show.raster import Pixels

if TYPE_CHECKING:
    from PIL.Image import Image


def require_pillow() -> None:
    """Raise an error that says what to install."""
    try:
        import PIL.Image  # noqa: F401, PLC0415 - an extra
    except ImportError:
        raise UsageError(
            "PNG and GIF need Pillow: pip install 'satlife[image]'; or draw .svg or .html"
        ) from None


def make_image(pixels: Pixels, palette: bytes) -> Image:
    """Return an image of numbered colours."""
    from PIL import Image  # noqa: PLC0415 - an extra

    height, width = pixels.shape
    image = Image.frombytes("P", (width, height), pixels.tobytes())
    image.putpalette(palette)
    return image
