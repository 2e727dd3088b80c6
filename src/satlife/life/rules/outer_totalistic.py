"""Outer-totalistic rules: a cell's next state depends on its own and on how many neighbours live.

``B3/S23`` is Conway's: birth with 3 living neighbours, survival with 2 or 3. The older notation
``23/3`` has the survivals FIRST.

>>> OUTER_TOTALISTIC.read("23/3").notation
'B3/S23'
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from satlife.errors import RuleError
from satlife.life.cells import freeze
from satlife.life.neighbourhood import IS_ALIVE, NEIGHBOURS
from satlife.life.rules._family import RuleDefinition, RuleFamily

_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        "b(?P<births>[0-9]*)/?s(?P<survivals>[0-9]*)",
        "s(?P<survivals>[0-9]*)/?b(?P<births>[0-9]*)",
        "(?P<survivals>[0-9]*)/(?P<births>[0-9]*)",
    )
)


def _read_counts(digits: str, notation: str) -> frozenset[int]:
    counts = frozenset(map(int, digits))
    if 9 in counts:
        raise RuleError(f"the rule {notation} counts to 9, but a cell has 8 neighbours")
    if len(counts) < len(digits):
        # Golly and lifelib read a repeated digit differently, so it has no safe meaning.
        twice = next(digit for digit in digits if digits.count(digit) > 1)
        raise RuleError(f"the rule {notation} has the digit {twice} twice in {digits}")
    return counts


def read(text: str) -> RuleDefinition | None:
    """Read ``b3/s23``, ``b3s23``, ``s23/b3`` or ``23/3``."""
    match = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    if match is None:
        return None
    shown = text.upper()
    births = _read_counts(match["births"], shown)
    survivals = _read_counts(match["survivals"], shown)
    if 0 in births:
        raise RuleError(
            f"the rule {shown} has B0: B0 rules make the empty plane flash; not supported yet"
        )
    table = np.where(
        IS_ALIVE, np.isin(NEIGHBOURS, list(survivals)), np.isin(NEIGHBOURS, list(births))
    )
    write = "".join
    notation = f"B{write(map(str, sorted(births)))}/S{write(map(str, sorted(survivals)))}"
    return RuleDefinition(notation, freeze(table), births, survivals)


OUTER_TOTALISTIC: Final = RuleFamily("outer-totalistic", "B3/S23", read)
