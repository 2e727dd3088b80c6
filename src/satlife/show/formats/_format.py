"""The interface of picture formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satlife.errors import UsageError
from satlife.show.raster import Pixels
from satlife.show.scene import Scene
from satlife.show.style import Style

if TYPE_CHECKING:
    from PIL.Image import Image


def _need_nothing() -> None:
    """Most formats need nothing but NumPy."""


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
    check: Callable[[], None] = _need_nothing
    """Raise a :class:`~satlife.errors.UsageError` if something is not installed."""


# Pillow, if it is there.


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
