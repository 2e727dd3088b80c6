"""How sets of rules are written: in brackets what is free.

``B3[4][5]/S2[3]`` (or ``B3[45]/S2[3]``) has births with 3, and perhaps with 4 or 5.  A ``?`` leaves
everything free: ``B?/S23``.  With letters, the arrangements of a count are free one by one, as in
``B2-a[2a]3/S23`` or ``B3/S2?3``; without letters, a count is free as a whole.  Logic Life Search's
partial rules are read too: ``pB3a-c/S23`` has 3a, has not 3c, and the other arrangements of 3 are
free, as are those of 2 and 3 among the survivals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from satlife.errors import RuleError
from satlife.life.cells import Cells
from satlife.life.rules.isotropic import SORTS
from satlife.life.rulespaces.classes import ARRANGEMENTS, COUNTS, Classes

OPEN: Final = 2
"""An entry that is free."""

_HALF: Final = r"[0-9ac-rt-z?\[\]-]*"  # b and s are not letters of a half
_BIRTHS, _SURVIVALS = f"(?P<births>{_HALF})", f"(?P<survivals>{_HALF})"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        f"b{_BIRTHS}/?s{_SURVIVALS}",
        f"s{_SURVIVALS}/?b{_BIRTHS}",
        f"{_SURVIVALS}/{_BIRTHS}",
    )
)
_ITEM: Final = re.compile(r"([0-9])(\?|-?[a-z]*)")
_PARTIAL: Final = re.compile(r"([0-9])([a-z]*)(?:-([a-z]+))?")
_EXAMPLES: Final = "write for example B3[4]/S2[3], B?/S23 or B2-a[2a]3/S23"

# Chosen letters: on, free.
_Letters = tuple[set[str], set[str]]


def looks_open(text: str) -> bool:
    """Whether a text is meant as a set of rules, not as one rule."""
    word = "".join(text.split()).lower()
    return bool(re.search(r"[\[\]?]", word) or re.match("p(?=[bs][0-9a-z-]*/?[bs])", word))


def read_space(text: str) -> tuple[Classes, Cells]:
    """Read a set of rules: its entries, each 0, 1 or OPEN."""
    word = "".join(text.split()).lower().replace("_", "/")
    partial = word.startswith("p")
    match = next(filter(None, (form.fullmatch(word[partial:]) for form in _FORMS)), None)
    if match is None:
        raise RuleError(f"{text!r} is not a set of rules; {_EXAMPLES}")
    halves = (match["births"], match["survivals"])
    lettered = partial or any(re.search(r"[a-z]|[0-9]\?", half) for half in halves)
    read = _read_partial if partial else _read_half
    chosen = [read(half, text, births) for half, births in zip(halves, (True, False), strict=True)]
    classes = ARRANGEMENTS if lettered else COUNTS
    entries = np.zeros(len(classes.names), dtype=np.uint8)
    for place, name in enumerate(classes.names):
        on, free = chosen[name[0] == "S"].get(int(name[1]), (set(), set()))
        letter = name[2:] if lettered else next(iter(SORTS[int(name[1])]))
        entries[place] = OPEN if letter in free else letter in on
    return classes, entries


def _read_half(half: str, text: str, births: bool) -> dict[int, _Letters]:
    """Return for each count the letters that are on, and those that are free."""
    chosen: dict[int, _Letters] = {}
    if half == "?":
        return {n: (set(), set(sorts)) for n, sorts in enumerate(SORTS) if n or not births}
    for items, is_free in _split_brackets(half, text):
        for digit, letters in _read_items(_ITEM, items, text):
            count = _read_count(digit, text)
            on, free = chosen.setdefault(count, (set(), set()))
            picked = _read_letters(count, letters.removesuffix("?"), text)
            if is_free and letters == "?":
                raise RuleError(f"in {text} write [{digit}] or {digit}?, not [{digit}?]")
            mine = free if is_free or letters == "?" else on
            if mine or picked & (on | free):
                raise RuleError(f"{text} says twice what becomes of {digit}; say it once")
            mine |= picked
    return chosen


def _split_brackets(half: str, text: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a half, and whether each stands in brackets."""
    for piece in re.split(r"(\[[^\[\]]*\])", half):
        inside = piece.startswith("[") and piece.endswith("]")
        bare = piece[1:-1] if inside else piece
        if re.search(r"[\[\]]", bare) or (inside and not bare):
            raise RuleError(f"the brackets of {text} do not fit; {_EXAMPLES}")
        yield bare, inside


def _read_items(form: re.Pattern[str], items: str, text: str) -> Iterator[tuple[str, ...]]:
    """Yield counts with what follows them; the whole text must be read."""
    end = 0
    for match in form.finditer(items):
        if match.start() != end:
            break
        end = match.end()
        yield match.groups(default="")
    if end != len(items):
        raise RuleError(f"{items[end:]!r} in {text} is neither a count nor letters; {_EXAMPLES}")


def _read_count(digit: str, text: str) -> int:
    if int(digit) > 8:
        raise RuleError(f"the rule {text} counts to {digit}, but a cell has 8 neighbours")
    return int(digit)


def _read_letters(count: int, letters: str, text: str) -> set[str]:
    """Return the letters that ``ai`` or ``-ai`` chooses; without letters, all."""
    sorts = set(SORTS[count])
    named = letters.removeprefix("-")
    for letter in named:
        if letter not in sorts:
            known = ", ".join(sorted(sorts))
            there = f"there are {known}" if len(sorts) > 1 else "none has letters"
            raise RuleError(
                f"the rule {text}: {count}{letter} is not a neighbourhood of {count} cells; {there}"
            )
        if named.count(letter) > 1:
            raise RuleError(f"the rule {text} has {letter} twice in {count}{letters}")
    if letters == "-":
        raise RuleError(f"the rule {text} has a minus without letters after it")
    if not named:
        return sorts
    return sorts - set(named) if letters.startswith("-") else set(named)


def _read_partial(half: str, text: str, births: bool) -> dict[int, _Letters]:
    """Read Logic Life Search's partial rules: of a count that is listed, the rest is free."""
    chosen: dict[int, _Letters] = {}
    for digit, letters, minus in _read_items(_PARTIAL, half, text):
        count = _read_count(digit, text)
        if count in chosen:
            raise RuleError(f"the rule {text} has the digit {digit} twice in {half}")
        # There the only arrangement of 0 or 8 neighbours is called c; here it has no letter.
        single = len(SORTS[count]) == 1
        on, off = (
            ({""} if given == "c" and single else _read_letters(count, given, text))
            if given
            else set[str]()
            for given in (letters, minus)
        )
        if on & off:
            raise RuleError(f"the rule {text} has {min(on & off)} before and after the minus")
        chosen[count] = on, set(SORTS[count]) - on - off
    return chosen


def write_space(classes: Classes, entries: Cells) -> str:
    """Write the canonical notation of a set of rules."""
    middle = len(entries) // 2
    halves = []
    for half, values in (("B", entries[:middle]), ("S", entries[middle:])):
        if classes is COUNTS:
            halves.append(half + _write_counts(values, skip=half == "B"))
        else:
            halves.append(half + _write_arrangements(values))
    return "/".join(halves)


def _write_counts(values: Cells, *, skip: bool) -> str:
    if (values[skip:] == OPEN).all() and not values[:skip].any():
        return "?"
    forms = ("", "{}", "[{}]")
    return "".join(forms[value].format(count) for count, value in enumerate(values.tolist()))


def _write_arrangements(values: Cells) -> str:
    text, value = "", iter(values.tolist())
    for count, sorts in enumerate(SORTS):
        fates = {letter: next(value) for letter in sorts}
        on, free = (
            "".join(letter for letter in sorts if fates[letter] == fate) for fate in (1, OPEN)
        )
        is_free = OPEN in fates.values()
        if is_free and min(fates.values()) == OPEN:
            text += f"{count}?" if len(sorts) > 1 else f"[{count}]"
            continue
        if 1 in fates.values():
            text += str(count) + _shorten(on, sorts)
        if is_free:
            text += f"[{count}{_shorten(free, sorts)}]"
    return text


def _shorten(chosen: str, sorts: dict[str, int]) -> str:
    others = "".join(letter for letter in sorts if letter not in chosen)
    return min(chosen, f"-{others}", key=len) if others else ""
