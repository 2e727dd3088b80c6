"""Patterns from any text that a person may give: a drawing, RLE, an apgcode, or a name.

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
from satlife.life.catalogue.entries import (
    Entry,
    catalogue,
    famous_entries,
    find_entry,
    suggest_name,
)
from satlife.life.formats import detect_format
from satlife.life.identity.apgcode import from_apgcode
from satlife.life.partial import PartialPattern
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, RuleLike

_CODE: Final = re.compile(r"(?:x[spq][0-9]+|yl[0-9]+|ov|zz)_\S+")
_LONGEST: Final = 40


def name_pattern(
    text: str, entries: Sequence[Entry] | None = None, rule: RuleLike | None = None
) -> Pattern:
    """Return the pattern that a text stands for; every cell must be known.

    ``entries`` are those to look names up in, by default the whole catalogue. A rule overrides
    that of the text.

    >>> name_pattern("pulser")
    Traceback (most recent call last):
    satlife.errors.UsageError: 'pulser' is neither a pattern, an apgcode nor a name in the \
catalogue; did you mean 'pulsar'?
    """
    return name_partial(text, entries, rule).pattern()


def name_partial(
    text: str, entries: Sequence[Entry] | None = None, rule: RuleLike | None = None
) -> PartialPattern:
    """Return the pattern that a text stands for, with its box; cells may be unknown."""
    word = text.strip().removeprefix("\ufeff")
    if _CODE.fullmatch(word):
        return PartialPattern.from_pattern(from_apgcode(word, LIFE if rule is None else rule))
    pool = (*catalogue(), *famous_entries()) if entries is None else entries
    is_word = "\n" not in word and word != ""
    named = _find_named(word, pool) if is_word else None
    if named is not None:
        drawn = PartialPattern.from_pattern(named.pattern)
    else:
        try:
            format_ = detect_format(text)
        except FormatError:
            if not is_word:
                raise
            short = word if len(word) <= _LONGEST else f"{word[: _LONGEST - 3]}..."
            raise UsageError(
                f"{short!r} is neither a pattern, an apgcode nor a name in the catalogue"
                f"{suggest_name(word, pool)}"
            ) from None
        drawn = PartialPattern.from_text(text, format_)
    return drawn if rule is None else PartialPattern(drawn.states, drawn.x, drawn.y, rule)


def _find_named(word: str, pool: Sequence[Entry]) -> Entry | None:
    try:
        return find_entry(word, pool)
    except UsageError:
        return None
