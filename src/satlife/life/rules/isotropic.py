"""Isotropic rules, in Hensel's notation: the arrangement of neighbours matters, not its direction.

After a count, letters choose from its neighbourhoods: ``2a`` are two neighbours side by side, and
``2-a`` all other ways to have two. A count without letters is all of them.

>>> ISOTROPIC.write(ISOTROPIC.read("B2ceikn/S12"))
'B2-a/S12'

The letters are those of Alan Hensel's Java applet of 2000; Golly's help has a picture of them.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from satlife.errors import RuleError
from satlife.life.cells import Cells, freeze
from satlife.life.neighbourhood import BITS, CENTRE, IS_ALIVE, fold_table, permute_states
from satlife.life.rules._family import RuleDefinition, RuleFamily, check_digits, split_halves
from satlife.life.transforms import TRANSFORMS

# One neighbourhood of each sort, an octal digit for each row of it: 0o505 is the four corners.
_FEW: Final[tuple[dict[str, int], ...]] = (
    {"": 0},
    {"c": 0o001, "e": 0o002},
    {"a": 0o003, "c": 0o005, "e": 0o012, "i": 0o050, "k": 0o041, "n": 0o104},
    {"a": 0o013, "c": 0o105, "e": 0o052, "i": 0o007, "j": 0o016, "k": 0o142, "n": 0o015}
    | {"q": 0o106, "r": 0o051, "y": 0o141},
    {"a": 0o017, "c": 0o505, "e": 0o252, "i": 0o055, "j": 0o152, "k": 0o143, "n": 0o107}
    | {"q": 0o146, "r": 0o053, "t": 0o151, "w": 0o116, "y": 0o145, "z": 0o154},
)
_NEIGHBOURS: Final = sum(BITS.values()) - CENTRE
# With more than four neighbours, the letter gives the arrangement of the dead ones.
_MANY: Final = tuple(
    {letter: _NEIGHBOURS ^ cells for letter, cells in sorts.items()} for sorts in _FEW[3::-1]
)
SORTS: Final = _FEW + _MANY
"""The letters of each count, with an example neighbourhood of each."""

_HALF: Final = re.compile("(?:[0-9]-?[aceijknqrtwyz]*)*")
_COUNT: Final = re.compile("([0-9])(-?)([a-z]*)")


def _number_sorts() -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Number the sorts of all 512 neighbourhoods, those of living cells after the others."""
    kinds = np.zeros(512, dtype=np.intp)
    cells = [cells for sorts in SORTS for cells in sorts.values()]
    for turned in map(permute_states, TRANSFORMS):
        kinds[turned[cells]] = range(len(cells))
    return np.where(IS_ALIVE, len(cells) + kinds[np.arange(512) & ~CENTRE], kinds)


KINDS: Final = _number_sorts()
"""The sort of each of the 512 neighbourhoods: first those of dead cells, in the order of SORTS."""


def read(text: str) -> RuleDefinition | None:
    """Read ``B2-a/S12``, ``b2-as12``, ``S12/B2-a`` or ``12/2-a``."""
    halves = split_halves(text)
    if halves is None or not all(map(_HALF.fullmatch, halves)):
        return None
    entries = [entry for half in halves for entry in _read_half(half, text)]
    return RuleDefinition(freeze(np.array(entries)[KINDS]))


def _read_half(half: str, notation: str) -> list[bool]:
    """Return an entry for each sort of neighbourhood."""
    counts = _COUNT.findall(half)
    check_digits((digit for digit, _, _ in counts), half, notation, 8)
    chosen: dict[int, set[str]] = {}
    for digit, minus, letters in counts:
        sorts = SORTS[int(digit)]
        for letter in letters:
            if letter not in sorts:
                there = f"there are {', '.join(sorts)}" if len(sorts) > 1 else "none has letters"
                message = f"{digit}{letter} is not a neighbourhood of {digit} cells; {there}"
                raise RuleError(f"the rule {notation}: {message}")
            if letters.count(letter) > 1:
                raise RuleError(f"the rule {notation} has {letter} twice in {digit}{letters}")
        if minus and not letters:
            raise RuleError(f"the rule {notation} has a minus without letters after it")
        positive = bool(letters) and not minus
        chosen[int(digit)] = set(letters) if positive else set(sorts) - set(letters)
    return [
        letter in chosen.get(count, ()) for count, sorts in enumerate(SORTS) for letter in sorts
    ]


def write(definition: RuleDefinition) -> str | None:
    """Write the shortest notation; of two equally short ones, the one without a minus, as Golly."""
    entries = fold_table(definition.table, KINDS)
    if entries is None or definition.states > 2:
        return None
    births, survivals = entries.reshape(2, -1)
    return f"B{_write_half(births)}/S{_write_half(survivals)}"


def _write_half(entries: Cells) -> str:
    text, entry = "", iter(entries.tolist())
    for count, sorts in enumerate(SORTS):
        alive = {letter for letter in sorts if next(entry)}
        if alive:
            chosen = "".join(letter for letter in sorts if letter in alive)
            others = "".join(letter for letter in sorts if letter not in alive)
            text += str(count) + (min(chosen, f"-{others}", key=len) if others else "")
    return text


ISOTROPIC: Final = RuleFamily(
    "isotropic", "B2-a/S12", "by count and arrangement of the neighbours (Hensel)", read, write
)
