"""Apgcodes: the names by which Catagolue and the searchers know every object.

A code is a kind and a word: ``xs`` and the population for a still life, ``xp`` and the period for
an oscillator, ``xq`` and the period for a spaceship; then the cells in the extended Wechsler format
(:mod:`~satlife.life.identity.wechsler`). Of all phases and orientations the shortest word counts,
and of equally short ones the first in the order of ASCII: so one object has one code.

>>> apgcode(Pattern.from_rle("bo$2bo$3o!"))
'xq4_153'
>>> from_apgcode("xq4_153")
Pattern.from_rle('3o$2bo$bo!')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from satlife.errors import FormatError, UsageError
from satlife.life.identity.recurrence import (
    GENERATIONS,
    GROWTH,
    Recurrence,
    follow,
    trace_phases,
)
from satlife.life.identity.wechsler import decode_word, encode_cells
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, RuleLike

# As in lifelib, which Catagolue's searchers run: a phase whose box, with a margin of one cell, is
# larger has no word, and a word that is longer is none.
LARGEST_BOX: Final = 40_000
LONGEST_WORD: Final = 1280

_KINDS: Final = {"still life": "s", "oscillator": "p", "spaceship": "q"}
_CODE: Final = re.compile(r"x([spq])(0|[1-9][0-9]*)_(.+)")
# Codes of Catagolue that tell something about a pattern, but not its cells.
_WITHOUT_CELLS: Final = re.compile(r"(ov_|yl|zz_|mess|methuselah|megasized|PATHOLOGICAL).*")


def apgcode(
    pattern: Pattern,
    *,
    unlimited: bool = False,
    generations: int = GENERATIONS,
    growth: int = GROWTH,
) -> str:
    """Give the apgcode of a still life, an oscillator or a spaceship.

    An object that is too large for Catagolue gets a code without cells, such as ``ov_p30``, unless
    the code is to be ``unlimited``. A pattern that does not recur within the limits of
    :func:`~satlife.life.identity.follow` has no code: that is a
    :class:`~satlife.errors.UsageError`; :func:`~satlife.life.identity.identify` answers instead.
    """
    fate = follow(pattern, generations=generations, growth=growth)
    if fate.outcome != "recurs" or fate.recurrence is None:
        raise UsageError(f"the pattern has no apgcode: it {fate.reason}")
    phases = trace_phases(pattern, fate.recurrence.period)
    return encode_phases(phases, fate.recurrence, unlimited=unlimited)


def encode_phases(
    phases: Sequence[Pattern], recurrence: Recurrence, *, unlimited: bool = False
) -> str:
    """Give the apgcode of an object whose phases and recurrence are known."""
    number = phases[0].population if recurrence.kind == "still life" else recurrence.period
    kind = f"{_KINDS[recurrence.kind]}{number}"
    if unlimited:
        return f"x{kind}_{_choose(_words(phases))}"
    word = _choose(_words(phase for phase in phases if _fits(phase)))
    return f"x{kind}_{word}" if word and len(word) <= LONGEST_WORD else f"ov_{kind}"


def _fits(phase: Pattern) -> bool:
    return phase.box.grow(1).area <= LARGEST_BOX


def _words(phases: Iterable[Pattern]) -> Iterable[str]:
    """Give the word of each phase in each orientation that the rule does not tell apart."""
    for phase in phases:
        for transform in phase.rule.symmetries:
            yield encode_cells(transform.apply_to_array(phase.cells))


def _choose(words: Iterable[str]) -> str | None:
    return min(words, key=lambda word: (len(word), word), default=None)


def from_apgcode(code: str, rule: RuleLike = LIFE) -> Pattern:
    """Read an apgcode, or only the word after its underscore; the box is put at (0, 0).

    The period is not checked, for that is a question to the simulator; a still life's population
    is.

    >>> from_apgcode("xs4_33") == from_apgcode("33")
    True
    >>> from_apgcode("xs5_33")
    Traceback (most recent call last):
    satlife.errors.FormatError: 'xs5_33': the code says 5 cells, but its word has 4
    """
    text = code.strip()
    if _WITHOUT_CELLS.fullmatch(text):
        raise FormatError(f"{_short(text)}: a code of this kind does not hold the cells")
    match = _CODE.fullmatch(text)
    if not match and ("_" in text or not text):
        raise FormatError(
            f"{_short(text)} is not an apgcode; "
            "expected xs, xp or xq, a number, _ and a word, for example xq4_153"
        )
    word = match[3] if match else text
    cells = decode_word(word, first_column=len(text) - len(word) + 1)
    pattern = Pattern(cells, rule=rule).normalized
    if match and match[1] == "s" and match[2] != str(pattern.population):
        raise FormatError(
            f"{_short(text)}: the code says {match[2]} cells, but its word has {pattern.population}"
        )
    return pattern


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
