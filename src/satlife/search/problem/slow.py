"""Rules of which a generation alone does not say what comes next: dying cells, strobing.

In a Generations rule the cells that live do not say which cells are dying; on a strobing background
the cells that differ from it do not say which phase it is in.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from satlife.life.rule import Rule
from satlife.search.problem.open_rule import is_open, read_open

if TYPE_CHECKING:
    from satlife.search.problem.problem import Problem


LETTERS: Final = ".o" + "".join(chr(ord("A") + n) for n in range(1, 24))
"""How the states of a cell are drawn: dead, alive, and dying with the letters of RLE files."""
MANY_RULES: Final = 1 << 14
"""Rules that are remembered: a campaign goes through all of its rules for every motion."""


def find_states(problem: Problem) -> int:
    """Return how many states a cell has; 2 by sets of rules."""
    slow = read_slow(problem)
    return 2 if slow is None else slow.states


def shows_dying(problem: Problem) -> bool:
    """Whether generation 0 of a solution has states, since no generation before says them.

    With a motion, the generations before are known, and a solution says only which cells live.
    """
    return problem.motion is None and find_states(problem) > 2


def read_slow(problem: Problem) -> Rule | None:
    """Return the rule if it has dying cells or a strobing background; otherwise None."""
    if is_open(problem):
        return None
    rule = Rule(problem.rule)
    return rule if rule.states > 2 or rule.is_strobing else None


@lru_cache(maxsize=MANY_RULES)
def read_ordinary(text: str) -> str | None:
    """Return the canonical notation of a rule with two states and without B0; otherwise None.

    >>> read_ordinary("23/3"), read_ordinary("B2/S/3"), read_ordinary("B3[4]/S23")
    ('B3/S23', None, None)
    """
    if read_open(text) is not None:
        return None
    rule = Rule(text)
    return None if rule.states > 2 or rule.table[0] else str(rule)
