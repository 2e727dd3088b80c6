"""The formats of pictures, one file each.

To add one: write its file, with a :class:`PictureFormat` value in it, and add that to the tuple.

>>> find_picture_format("ship.gif").name
'gif'
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from satlife.errors import UsageError
from satlife.show.formats._format import PictureFormat
from satlife.show.formats.gif import GIF
from satlife.show.formats.html import HTML
from satlife.show.formats.lifehistory import LIFEHISTORY
from satlife.show.formats.png import PNG
from satlife.show.formats.svg import SVG
from satlife.show.formats.text import TEXT

__all__ = ["PICTURE_FORMATS", "PictureFormat", "find_picture_format", "is_picture"]

PICTURE_FORMATS: Final[tuple[PictureFormat, ...]] = (SVG, PNG, GIF, HTML, LIFEHISTORY, TEXT)


def is_picture(name: str) -> bool:
    """Whether a file of this name is a picture, and not a text such as RLE."""
    return _find(name) not in (None, TEXT)


def find_picture_format(name: str) -> PictureFormat:
    """Find a format by its own name, or by the name of a file."""
    found = _find(name)
    if found is not None:
        return found
    known = ", ".join(suffix for each in PICTURE_FORMATS for suffix in each.suffixes)
    raise UsageError(f"{name!r} is not the name of a picture; it ends with one of {known}")


def _find(name: str) -> PictureFormat | None:
    for each in PICTURE_FORMATS:
        if name.lower() == each.name or PurePath(name).name.lower().endswith(each.suffixes):
            return each
    return None
