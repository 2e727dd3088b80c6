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
from satlife.life.identity.orientations import orientations
from satlife.life.identity.recurrence import (
    GENERATIONS,
    GROWTH,
    Recurrence,
    follow,
    trace_phases,
)
from satlife.life.identity.wechsler import decode_states, encode_states
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, RuleLike, as_rule

# As in lifelib, which Catagolue's searchers run: a phase whose box, with a margin of one cell, is
# larger has no word, and a longer word does not count.
LARGEST_BOX: Final = 40_000
LONGEST_WORD: Final = 1280

_KINDS: Final = {"still life": "s", "oscillator": "p", "spaceship": "q"}
_CODE: Final = re.compile(r"x([spq])(0|[1-9][0-9]*)_(.+)")
# Codes of Catagolue that describe a pattern without its cells.
_WITHOUT_CELLS: Final = re.compile(r"(ov_|yl|zz_|mess|methuselah|megasized|PATHOLOGICAL).*")


def apgcode(
    pattern: Pattern,
    *,
    unlimited: bool = False,
    generations: int = GENERATIONS,
    growth: int = GROWTH,
) -> str:
    """Return the apgcode of a still life, an oscillator or a spaceship.

    An object that is too large for Catagolue gets a code without cells, such as ``ov_p30``, unless
    ``unlimited`` is true. A pattern that does not recur within the limits of
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
    """Return the apgcode of an object whose phases and recurrence are known."""
    kind = encode_kind(recurrence, phases[0].population)
    if unlimited:
        return f"x{kind}_{_choose(_words(phases))}"
    word = _choose(_words(phase for phase in phases if _fits(phase)))
    return f"x{kind}_{word}" if word and len(word) <= LONGEST_WORD else f"ov_{kind}"


def encode_kind(recurrence: Recurrence, population: int) -> str:
    """Return the part of a code before its word: ``s`` and the population, ``p`` and the period …

    >>> encode_kind(Recurrence(4, (1, 1)), 5)
    'q4'
    """
    number = population if recurrence.kind == "still life" else recurrence.period
    return f"{_KINDS[recurrence.kind]}{number}"


def _fits(phase: Pattern) -> bool:
    return phase.box.grow(1).area <= LARGEST_BOX


def _words(phases: Iterable[Pattern]) -> Iterable[str]:
    """Yield the word of each phase in each orientation that the rule does not tell apart."""
    for phase in phases:
        if phase.phase == 0:  # a word does not say that the background is alive
            for cells in orientations(phase):
                yield encode_states(cells, phase.rule.states)


def _choose(words: Iterable[str]) -> str | None:
    return min(words, key=lambda word: (len(word), word), default=None)


def from_apgcode(code: str, rule: RuleLike = LIFE) -> Pattern:
    """Read an apgcode, or only the word after its underscore; the box is put at (0, 0).

    A still life's population is checked; a period is not, since that needs the simulator.

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
    word, rule = match[3] if match else text, as_rule(rule)
    cells = decode_states(word, rule.states, first_column=len(text) - len(word) + 1)
    pattern = Pattern(cells, rule=rule).normalized
    if match and match[1] == "s" and match[2] != str(pattern.population):
        raise FormatError(
            f"{_short(text)}: the code says {match[2]} cells, but its word has {pattern.population}"
        )
    return pattern


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
