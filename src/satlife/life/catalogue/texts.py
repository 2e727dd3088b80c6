"""Patterns from any text of the user: a drawing, RLE, an apgcode, or a name.

>>> name_pattern("xs4_33") == name_pattern("block") == name_pattern("2o$2o!")
True
>>> name_pattern("gosper-glider-gun").population
36
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from satlife.errors import FormatError, UsageError
from satlife.life.catalogue.entries import Entry, look_up, suggest_name
from satlife.life.formats import Format, detect_format, read_raster
from satlife.life.identity.apgcode import from_apgcode
from satlife.life.partial import PartialPattern, read_pattern
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, RuleLike

_CODE: Final = re.compile(r"(?:x[spq][0-9]+|yl[0-9]+|ov|zz)_\S+")
_LONGEST: Final = 40


def name_pattern(text: str, entries: Sequence[Entry] = (), rule: RuleLike | None = None) -> Pattern:
    """Return the pattern that a text stands for; every cell must be known.

    ``entries`` are looked at before the catalogue. A rule overrides that of the text.

    >>> name_pattern("pulser")
    Traceback (most recent call last):
    satlife.errors.UsageError: 'pulser' is neither a pattern, an apgcode nor a name in the \
catalogue; did you mean 'pulsar'?
    """
    found = _look_up(text, entries, rule)
    if isinstance(found, Pattern):
        pattern = found
    else:
        raster = read_raster(text, found)
        if not raster.is_complete:
            raise UsageError(f"not a complete pattern: {raster.describe_unknown()}")
        pattern = Pattern.from_raster(raster)
    return pattern if rule is None else pattern.with_rule(rule)


def name_partial(
    text: str, entries: Sequence[Entry] = (), rule: RuleLike | None = None
) -> PartialPattern:
    """Return the pattern that a text stands for, with its box; cells may be unknown."""
    found = _look_up(text, entries, rule)
    if isinstance(found, Pattern):
        drawn = PartialPattern.from_pattern(found)
    else:
        drawn = PartialPattern.from_text(text, found)
    return drawn if rule is None else drawn.with_rule(rule)


def name_any(text: str, entries: Sequence[Entry] = ()) -> Pattern | PartialPattern:
    """Return the pattern that a text stands for; a partial one if cells are unknown, or a torus."""
    found = _look_up(text, entries)
    return found if isinstance(found, Pattern) else read_pattern(text, found)


def _look_up(text: str, entries: Sequence[Entry], rule: RuleLike | None = None) -> Pattern | Format:
    """Return the pattern of an apgcode or a name, or else the format in which a text is one."""
    word = text.strip().removeprefix("\ufeff")
    if _CODE.fullmatch(word):
        return from_apgcode(word, LIFE if rule is None else rule)
    # No name has such signs in it.
    if word and not any(sign in word for sign in "\n\r!"):
        entry = look_up(word, entries) or look_up(word)
        if entry is not None:
            return entry.pattern
    try:
        return detect_format(text)
    except FormatError:
        if not word or any(sign in word for sign in "\n\r$!"):
            raise
        short = word if len(word) <= _LONGEST else f"{word[: _LONGEST - 3]}..."
        raise UsageError(
            f"{short!r} is neither a pattern, an apgcode nor a name in the catalogue"
            f"{suggest_name(word, entries)}"
        ) from None
