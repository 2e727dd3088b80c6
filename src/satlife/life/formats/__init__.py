r"""The file formats, one file each.

To add one: write its file, with a :class:`Format` value in it, and add that to the tuple.

>>> detect_format(".O\n..O\nOOO").name
'plaintext'
"""

from __future__ import annotations

from typing import Final

from satlife.errors import FormatError, UsageError
from satlife.life.formats._format import Format, clean
from satlife.life.formats.knuth import KNUTH
from satlife.life.formats.life105 import LIFE105
from satlife.life.formats.life106 import LIFE106
from satlife.life.formats.macrocell import MACROCELL
from satlife.life.formats.plaintext import PLAINTEXT
from satlife.life.formats.rle import RLE
from satlife.life.raster import Raster

__all__ = [
    "FORMATS",
    "Format",
    "choose_format",
    "clean",
    "describe_loss",
    "detect_format",
    "find_format",
    "read_raster",
]

# Detection takes the first format that fits: every drawing of Knuth's is plaintext too.
FORMATS: Final[tuple[Format, ...]] = (LIFE105, LIFE106, MACROCELL, RLE, KNUTH, PLAINTEXT)


def find_format(name: str) -> Format:
    """Find a format by its name or by a file name's suffix.

    >>> find_format(".cells").name, find_format("RLE").name
    ('plaintext', 'rle')
    """
    key = name.strip().lower()
    for format_ in FORMATS:
        if key == format_.name or key in format_.suffixes or f".{key}" in format_.suffixes:
            return format_
    known = ", ".join(f"{format_.name} ({' '.join(format_.suffixes)})" for format_ in FORMATS)
    raise UsageError(f"no format {name!r}; one of {known}")


def detect_format(text: str) -> Format:
    """Find the format of a text by its content."""
    cleaned = clean(text)
    for format_ in FORMATS:
        if format_.detect(cleaned if format_.is_pasted else text):
            return format_
    raise FormatError(
        "the text is empty"
        if not text.strip()
        else "not a pattern in any known format; RLE ends with '!', plaintext is rows of . and O, "
        "Life 1.06 begins with '#Life 1.06'"
    )


def choose_format(format: str | Format) -> Format:  # noqa: A002 - the word that a caller expects
    """Return a format as it is, or find it by its name."""
    return find_format(format) if isinstance(format, str) else format


def read_raster(text: str, format: str | Format | None = None) -> Raster:  # noqa: A002 - as above
    """Read the cells of a text; without a format, detect it.

    >>> read_raster("obo!").states.tolist()
    [[1, 0, 1]]
    """
    chosen = detect_format(text) if format is None else choose_format(format)
    return chosen.read(clean(text) if chosen.is_pasted else text)


def describe_loss(text: str) -> str:
    r"""Describe the information that reading a text loses; an empty string if none.

    >>> describe_loss("x = 2, y = 1, rule = LifeHistory\nAC!")
    'LifeHistory is read as B3/S23: states 1, 3 and 5 as alive, the others as dead'
    """
    cleaned = clean(text)
    return next((each.describe_loss(cleaned) for each in FORMATS if each.detect(cleaned)), "")
