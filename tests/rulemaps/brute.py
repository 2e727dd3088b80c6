"""Which outer-totalistic rules have a ship or an oscillator in a box: by trying all patterns.

A pattern is run with a rule of which nothing is known but B0.  Wherever the next generation depends
on an entry that is not known yet, both fates are tried; the last step has no choice, since what
must come out is known.  This shares no line with satlife.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

Cell = tuple[int, int]
Fates = dict[int, bool]
"""Of some of the 18 entries: B0 to B8 are 0 to 8, S0 to S8 are 9 to 17."""


def find_rules(width: int, height: int, period: int, dx: int, dy: int) -> npt.NDArray[np.bool_]:
    """Return which of the 2 ** 17 rules, B1 at the highest bit, have such a pattern."""
    places = [(x, y) for y in range(height) for x in range(width)]
    found = np.zeros((2,) * 17, bool)
    for states in product((False, True), repeat=len(places)):
        first = frozenset(place for place, alive in zip(places, states, strict=True) if alive)
        if first:
            target = frozenset((x + dx, y + dy) for x, y in first)
            for fates in _follow([first], period, target, frozenset(places), {0: False}):
                fixed = {entry: int(fate) for entry, fate in fates.items()}
                found[tuple(fixed.get(entry, slice(None)) for entry in range(1, 18))] = True
    return found.ravel()


def _follow(
    film: list[frozenset[Cell]],
    period: int,
    target: frozenset[Cell],
    box: frozenset[Cell],
    fates: Fates,
) -> Iterator[Fates]:
    """Yield the fates with which the pattern becomes the target, and not before."""
    cells = film[-1]
    entries: dict[int, list[Cell]] = {}
    for x, y in {(x + i, y + j) for x, y in cells for i in (-1, 0, 1) for j in (-1, 0, 1)}:
        around = sum((x + i, y + j) in cells for i in (-1, 0, 1) for j in (-1, 0, 1))
        alive = (x, y) in cells
        entries.setdefault(around + 8 if alive else around, []).append((x, y))
    last = len(film) == period
    choices = []
    for entry, members in entries.items():
        known = {fates[entry]} if entry in fates else {False, True}
        if last:
            known &= {cell in target for cell in members[:1]}
            known = known if len({cell in target for cell in members}) == 1 else set()
        elif not box.issuperset(members):
            known &= {False}
        choices.append(known)
    for chosen in product(*choices):
        more = fates | dict(zip(entries, chosen, strict=True))
        after = frozenset(cell for entry in entries if more[entry] for cell in entries[entry])
        if last:
            if after == target:
                yield more
        elif after and not _returns(film, after, period, target):
            yield from _follow([*film, after], period, target, box, more)


def _returns(
    film: list[frozenset[Cell]], after: frozenset[Cell], period: int, target: frozenset[Cell]
) -> bool:
    """Return whether a pattern of prime period is back after one generation."""
    return film[0] == target and len(film) == 1 and after == film[0] and period > 1
