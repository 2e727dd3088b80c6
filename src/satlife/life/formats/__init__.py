r"""The file formats, one file each.

To add one: write its file, with a :class:`Format` value in it, and add that to the tuple.

>>> detect_format(".O\n..O\nOOO").name
'plaintext'
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from satlife.errors import FormatError, UsageError
from satlife.life.formats._format import Format
from satlife.life.formats._pasted import GRID_CELL, Excerpt, list_excerpts, looks_like_grid
from satlife.life.formats.knuth import KNUTH
from satlife.life.formats.life105 import LIFE105
from satlife.life.formats.life106 import LIFE106
from satlife.life.formats.macrocell import MACROCELL
from satlife.life.formats.plaintext import PLAINTEXT
from satlife.life.formats.rle import RLE, parse_marks
from satlife.life.raster import Raster

__all__ = [
    "FORMATS",
    "GRID_CELL",
    "Excerpt",
    "Format",
    "choose_format",
    "describe_loss",
    "detect_format",
    "find_format",
    "find_pattern",
    "list_excerpts",
    "list_patterns",
    "looks_like_grid",
    "read_excerpt",
    "read_marks",
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
    return find_pattern(text)[0]


def find_pattern(text: str) -> tuple[Format, Excerpt]:
    """Find the first pattern in a text."""
    if found := next(iter(list_patterns(text)), None):
        return found
    raise FormatError(
        "the text is empty"
        if not text.strip()
        else "not a pattern in any known format; RLE ends with '!', plaintext is rows of . and O, "
        "Life 1.06 begins with '#Life 1.06'"
    )


def list_patterns(text: str) -> list[tuple[Format, Excerpt]]:
    r"""Return the parts of a text that are patterns, each with its format.

    >>> [format.name for format, _ in list_patterns("[code]o![/code] or\n[code].O\nO.[/code]")]
    ['rle', 'plaintext']
    """
    found = ((_recognise(each, text), each) for each in list_excerpts(text))
    return [(format_, each) for format_, each in found if format_ is not None]


def describe_unread(text: str) -> str:
    r"""Describe the parts of a text that are not read when its first pattern is; empty if none.

    >>> describe_unread("3o!2o$2o!")
    'this is the first of 2 patterns'
    >>> describe_unread("[code]3o![/code]\n[code]0,a,b\n0,1,0[/code]")
    'line 2 is not read: a grid of Logic Life Search'
    """
    count = len(list_patterns(text))
    first = [f"this is the first of {count} patterns"] if count > 1 else []
    return "; ".join([*first, *list_unread(text)]) if count else ""


def list_unread(text: str) -> list[str]:
    """Return a reason for each part of a text that looks like cells, but is in no format."""
    return [
        f"line {each.lines_before + 1} is not read: "
        + ("a grid of Logic Life Search" if looks_like_grid(each.text) else "in no known format")
        for each in list_excerpts(text)
        if _recognise(each, text) is None
    ]


def _recognise(excerpt: Excerpt, text: str) -> Format | None:
    return next((f for f in FORMATS if f.detect(excerpt.text if f.is_pasted else text)), None)


def choose_format(format: str | Format) -> Format:  # noqa: A002 - public
    """Return a format as it is, or find it by its name."""
    return find_format(format) if isinstance(format, str) else format


def read_raster(text: str, format: str | Format | None = None) -> Raster:  # noqa: A002 - public
    """Read the cells of the first pattern in a text; without a format, detect it.

    >>> read_raster("obo!").states.tolist()
    [[1, 0, 1]]
    """
    if format is None:
        return read_excerpt(*find_pattern(text))
    chosen = choose_format(format)
    if not chosen.is_pasted:
        return chosen.read(text)
    named = (excerpt for each, excerpt in list_patterns(text) if each is chosen)
    return read_excerpt(chosen, next(named, None) or list_excerpts(text)[0])


def read_marks(text: str) -> Raster:
    """Read the first pattern in a text, with the states of LifeHistory as they are."""
    found, excerpt = find_pattern(text)
    return read_excerpt(replace(RLE, parse=parse_marks) if found is RLE else found, excerpt)


def read_excerpt(format: Format, excerpt: Excerpt) -> Raster:  # noqa: A002 - public
    """Read the cells of a part of a text; errors give the line in the whole text."""
    try:
        return format.read(excerpt.text)
    except FormatError as error:
        raise error.moved(excerpt.lines_before) from None


def describe_loss(text: str) -> str:
    r"""Describe the information that reading a text loses; an empty string if none.

    >>> describe_loss("x = 2, y = 1, rule = LifeHistory\nAC!")
    'LifeHistory is read as B3/S23: states 1, 3 and 5 as alive, the others as dead'
    """
    return next((format_.describe_loss(each.text) for format_, each in list_patterns(text)), "")
