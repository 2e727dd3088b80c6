r"""Reading patterns from user input: a file, a text, an apgcode, or a name.

>>> read("bo$2bo$3o!").population
5
>>> read(".O.\n?OO", partial=True).unknown
1
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final, Literal, overload

from satlife.errors import FormatError, UsageError
from satlife.given import check_type
from satlife.life.formats import FORMATS
from satlife.life.identity import Identity
from satlife.life.identity import identify as identify_pattern
from satlife.life.identity.limits import GENERATIONS, SECONDS
from satlife.life.partial import PartialPattern
from satlife.life.pattern import Pattern
from satlife.plain import open_unpacked, read_limited

_SUFFIXES: Final = {".txt", *(suffix for each in FORMATS for suffix in each.suffixes)}


@overload
def read(source: str | Path, *, partial: Literal[False] = False) -> Pattern: ...
@overload
def read(source: str | Path, *, partial: Literal[True]) -> PartialPattern: ...


def read(source: str | Path, *, partial: bool = False) -> Pattern | PartialPattern:
    """Read a pattern from a file, a text in any format, an apgcode, or a name in the catalogue.

    With ``partial``, unknown cells (``?``) are read too, and the whole box of the text is kept.
    """
    check_type(source, (str, Path), "source", "the name of a file, or the text of a pattern")
    path = _find_file(source)
    if path is None:
        text = str(source)
        if "\n" not in text and Path(text[:200]).suffix in _SUFFIXES:
            raise UsageError(f"there is no file '{text}', and it is not a pattern")
        from satlife.life.catalogue import name_partial, name_pattern  # noqa: PLC0415 - texts only

        return name_partial(text) if partial else name_pattern(text)
    with open_unpacked(path) as file:
        text = read_limited(file, path.name).decode("utf-8-sig", "replace")
    try:
        return PartialPattern.from_text(text) if partial else Pattern.from_text(text)
    except FormatError as error:
        raise UsageError(f"{path}: {error}") from None


def identify(
    pattern: Pattern | str, *, generations: int = GENERATIONS, seconds: float | None = SECONDS
) -> Identity:
    """Identify a pattern; a text can also be an apgcode, or a name in the catalogue.

    The pattern is run up to the limits on generations and seconds; ``seconds=None`` means no time
    limit.  If a limit is reached, the kind is ``unknown`` and the reason is that limit.

    >>> identify("bo$2bo$3o!").name, identify("xp2_7e").name, identify("Gosper glider gun").kind
    ('glider', 'toad', 'gun')
    """
    check_type(pattern, (Pattern, str), "pattern", "a pattern, a text, an apgcode or a name")
    check_type(0 if seconds is None else seconds, float, "seconds", "a number, or None")
    if isinstance(pattern, str):
        from satlife.life.catalogue import name_pattern  # noqa: PLC0415 - only texts need it

        pattern = name_pattern(pattern)
    return identify_pattern(pattern, generations=generations, seconds=seconds)


def _find_file(source: str | Path) -> Path | None:
    """Return the file of a source, if any; other texts are patterns themselves."""
    if isinstance(source, Path):
        return source
    with contextlib.suppress(OSError, ValueError):  # too long for a name, or with a null in it
        if Path(source).is_file():
            return Path(source)
    return None
