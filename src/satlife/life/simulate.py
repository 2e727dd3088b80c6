"""The simulator: exact, on the unbounded plane.

It is what a search's answers are checked by, so it shares nothing with any encoding.

>>> advance([[1, 1, 1]], "B3/S23")
Pattern.from_rle('o$o$o!').shift(1, -1)
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, RuleLike


def advance(
    cells: Pattern | ArrayLike, rule: RuleLike | None = None, generations: int = 1
) -> Pattern:
    """Run a pattern, or an array [y, x] whose top left is (0, 0), some generations on.

    Without a rule a pattern runs by its own, and an array by Conway's. ``pattern[n]`` is short
    for ``advance(pattern, generations=n)``.
    """
    if not isinstance(cells, Pattern):
        cells = Pattern(cells, rule=LIFE if rule is None else rule)
    elif rule is not None:
        cells = cells.with_rule(rule)
    return cells[generations]
