"""The rule of a problem: one, a set of rules that are open, or one that needs more than live cells.

``B3[4]/S2[3]`` asks for a pattern and a rule of the set.  In a Generations rule the live cells do
not say which cells are dying; on a strobing background the cells that differ from it do not say
which phase it is in.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from satlife.life.rule import Rule

if TYPE_CHECKING:
    from satlife.life.rulespaces import RuleSpace
    from satlife.problem.problem import Problem

LETTERS: Final = ".o" + "".join(chr(ord("A") + n) for n in range(1, 24))
"""How the states of a cell are drawn: dead, alive, and dying with the letters of RLE files."""
MANY_RULES: Final = 1 << 14
"""Rules that are remembered: a campaign goes through all of its rules for every motion."""


def read_open(text: str) -> RuleSpace | None:
    """Return the set of rules that a text stands for; None if it is one rule."""
    if not (set(text) & set("[]?") or text.strip().lower().startswith(("p", "outer", "isotropic"))):
        return None
    from satlife.life.rulespaces import RuleSpace, read_rules  # noqa: PLC0415 - few are open

    read = read_rules(text)
    return read if isinstance(read, RuleSpace) else None


def read_space(problem: Problem) -> RuleSpace | None:
    """Return the set of rules of a problem; None if its rule is not open."""
    return read_open(problem.rule) if is_open(problem) else None


def any_rule(problem: Problem) -> Rule:
    """Return the rule; of a set of rules the least, which has the symmetries of all of them."""
    space = read_space(problem)
    return Rule(problem.rule) if space is None else space.least


def is_open(problem: Problem) -> bool:
    """Whether the rule of a problem is a set of rules; its canonical notation shows it."""
    return "[" in problem.rule or "?" in problem.rule


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
