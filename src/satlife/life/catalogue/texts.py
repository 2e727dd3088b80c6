r"""Patterns from any text of the user: a name, an apgcode, a drawing, RLE, a post of a forum.

A text that could be several things is a name or an apgcode first, then a grid of Logic Life Search,
then a pattern in the first of the formats that fits. Every command, the page and the library read
texts here.

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
from satlife.life.formats import (
    find_pattern,
    list_excerpts,
    list_patterns,
    looks_like_grid,
    read_excerpt,
)
from satlife.life.identity.apgcode import from_apgcode
from satlife.life.partial import PartialPattern, from_raster
from satlife.life.pattern import Pattern
from satlife.life.raster import Raster
from satlife.life.rule import LIFE, RuleLike

_CODE: Final = re.compile(r"(?:x[spq][0-9]+|yl[0-9]+|ov|zz)_\S+")
_LONGEST: Final = 40  # characters of a text in an error


def name_pattern(text: str, entries: Sequence[Entry] = (), rule: RuleLike | None = None) -> Pattern:
    """Return the pattern that a text names or draws; every cell must be known.

    ``entries`` come before the catalogue. A rule overrides that of the text.

    >>> name_pattern("pulser")
    Traceback (most recent call last):
    satlife.errors.UsageError: 'pulser' is neither a pattern, an apgcode nor a name in the \
catalogue; did you mean 'pulsar'?
    """
    found = _look_up(text, entries, rule)
    if isinstance(found, Pattern):
        pattern = found
    else:
        if not found.is_complete:
            raise UsageError(f"not a complete pattern: {found.describe_unknown()}")
        pattern = Pattern.from_raster(found)
    return pattern if rule is None else pattern.with_rule(rule)


def name_partial(
    text: str, entries: Sequence[Entry] = (), rule: RuleLike | None = None
) -> PartialPattern:
    """Return the pattern that a text names or draws, with its box; cells may be unknown."""
    found = _look_up(text, entries, rule)
    if isinstance(found, Pattern):
        drawn = PartialPattern.from_pattern(found)
    else:
        drawn = PartialPattern.from_raster(found)
    return drawn if rule is None else drawn.with_rule(rule)


def name_any(text: str, entries: Sequence[Entry] = ()) -> Pattern | PartialPattern:
    """Return a text's pattern; a partial one if it has unknown cells or a torus."""
    found = _look_up(text, entries)
    return found if isinstance(found, Pattern) else from_raster(found)


def list_several(
    text: str, entries: Sequence[Entry] = ()
) -> list[tuple[Pattern | PartialPattern, str]]:
    r"""Return all patterns of a text, each with its name in the text, which may be empty.

    >>> [name for _, name in list_several("#N one\no!\n#N two\n2o!")]
    ['one', 'two']
    """
    found = [] if is_known(text, entries) else list_patterns(text)
    if not found:
        return [(name_any(text, entries), "")]
    return [(from_raster(read_excerpt(*each)), each[1].name) for each in found]


def is_grid(text: str, entries: Sequence[Entry] = ()) -> bool:
    """Return whether a text is a grid of Logic Life Search, and not a name that looks like one.

    >>> is_grid("0 1 *"), is_grid("octagon 2")
    (True, False)
    """
    return looks_like_grid(text) and not is_known(text, entries)


def is_known(text: str, entries: Sequence[Entry] = ()) -> bool:
    """Return whether a text is an apgcode, or a name in the catalogue or in the entries."""
    word = _find_word(text)
    return _CODE.fullmatch(word) is not None or _find_entry(word, entries) is not None


def _find_word(text: str) -> str:
    """Return the only word or line of a text, also of a post; empty if it has several lines."""
    word = list_excerpts(text)[0].text.strip().removeprefix("\ufeff")
    # No name contains these characters.
    return "" if any(sign in word for sign in "\n\r!") else word


def _find_entry(word: str, entries: Sequence[Entry]) -> Entry | None:
    return (look_up(word, entries) or look_up(word)) if word else None


def _look_up(text: str, entries: Sequence[Entry], rule: RuleLike | None = None) -> Pattern | Raster:
    """Return the pattern of an apgcode or a name, or else the cells of the first pattern."""
    word = _find_word(text)
    if _CODE.fullmatch(word):
        return from_apgcode(word, LIFE if rule is None else rule)
    if entry := _find_entry(word, entries):
        return entry.pattern
    if looks_like_grid(text):
        raise FormatError(
            "a grid of Logic Life Search can have several generations and linked cells; only "
            "satlife complete and satlife show read it"
        )
    try:
        found = find_pattern(text)
    except FormatError:
        if not word or "$" in word:
            raise
        short = word if len(word) <= _LONGEST else f"{word[: _LONGEST - 3]}..."
        raise UsageError(
            f"{short!r} is neither a pattern, an apgcode nor a name in the catalogue"
            f"{suggest_name(word, entries)}"
        ) from None
    return read_excerpt(*found)
