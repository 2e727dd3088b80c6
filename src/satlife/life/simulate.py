"""The simulator, exact and on the unbounded plane, and speed limits there.

It checks the answers of searches, so it shares nothing with any encoding.

>>> advance([[1, 1, 1]], "B3/S23")
Pattern.from_rle('o$o$o!').shift(1, -1)
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress, product
from typing import Final

from numpy.typing import ArrayLike

from satlife.life.motion import Motion
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule


def advance(
    cells: Pattern | ArrayLike, rule: RuleLike | None = None, generations: int = 1
) -> Pattern:
    """Advance a pattern, or an array [y, x] at (0, 0), by some generations.

    The default rule is the pattern's own, or Conway's for an array. ``pattern[n]`` is short for
    ``advance(pattern, generations=n)``.
    """
    if not isinstance(cells, Pattern):
        cells = Pattern(cells, rule=LIFE if rule is None else rule)
    elif rule is not None:
        cells = cells.with_rule(rule)
    return cells[generations]


def exceeds_limit(motion: Motion, rule: RuleLike = LIFE) -> bool:
    """Return whether a motion is provably too fast for a finite pattern; False proves nothing.

    Conway's argument: let all cells beyond a diagonal line be dead.  If none can be alive more than
    one diagonal beyond it two generations later, then a pattern that moves by (x, y) in p
    generations has 2(x + y) <= p: it is not faster than c/2, or c/4 diagonally.  This holds in
    Life, and in every rule of two states, without B0, where no states of the few cells that
    matter lead further; in rules with B2 it does not.  (N. Johnston: Spaceship speed limits
    in "B3" Life-like cellular automata, 2009.)

    >>> [exceeds_limit(Motion.parse(speed)) for speed in ("2c/3", "c/2", "c/3d")]
    [True, False, True]
    >>> exceeds_limit(Motion.parse("2c/3"), "B2/S")
    False
    """
    return any(
        2 * (east * motion.dx + south * motion.dy) > motion.period
        and _holds_line(as_rule(rule), east, south)
        for east, south in product((-1, 1), repeat=2)
    )


_SEEN: Final = tuple((x, y) for x, y in product(range(-2, 3), repeat=2) if x + y <= -2)
"""The cells on or behind a diagonal that influence (0, 0) two generations later."""


@lru_cache(maxsize=1024)
def _holds_line(rule: Rule, east: int, south: int) -> bool:
    """Return whether no cell can be alive two diagonals beyond the line two generations later."""
    seen = [(east * x, south * y) for x, y in _SEEN]
    plain = rule.states == 2 and not rule.is_strobing
    return plain and not any(
        (0, 0) in Pattern.from_cells(compress(seen, alive), rule)[2]
        for alive in product((False, True), repeat=len(seen))
    )
