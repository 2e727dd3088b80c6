"""Measures: the numbers that can be bounded, minimised and maximised.

>>> find_measure("population@least").words
'live cells in the least populated generation'

To add one, write its bound in :mod:`satlife.search.problem.constraints`, how it is counted in the
table of ``terms`` (a number of cells) or ``extent`` (in unary), and its value in a solution in
:mod:`satlife.search.checking.evaluate`.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from satlife.errors import UsageError
from satlife.search.formula.measures.measure import Count, Measure, add_measured
from satlife.search.problem.constraints import (
    Area,
    Decay,
    Growth,
    Height,
    Population,
    Rotor,
    Stator,
    Width,
    parse_which,
)

__all__ = ["MEASURES", "Count", "Measure", "add_measured", "find_measure"]

MEASURES: Final[tuple[Measure, ...]] = (
    Measure(Population()),
    Measure(Population(generation="least")),
    Measure(Population(generation="most")),
    Measure(Population(generation="sum")),
    Measure(Rotor()),
    Measure(Stator()),
    Measure(Growth()),
    Measure(Decay()),
    Measure(Width()),
    Measure(Height()),
    Measure(Area()),
)
"""Every measure that a name alone determines; ``population@3`` is found too."""


def find_measure(name: str) -> Measure:
    """Find a measure by its name: one of the table, or ``population@3``.

    The difference from a pattern is not among them, since it needs the pattern: it is
    ``Measure(Difference.of(pattern))``.
    """
    word = name.strip().lower()
    for measure in MEASURES:
        if measure.name == word:
            return measure
    kind, at, which = word.partition("@")
    if kind == "population" and at:
        return Measure(Population(generation=parse_which(which)))
    names = [measure.name for measure in MEASURES]
    near = get_close_matches(word, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"use one of {', '.join(names)}"
    raise UsageError(f"there is no measure {name!r}; {hint}")
