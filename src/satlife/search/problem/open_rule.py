"""Problems with an open rule: ``B3[4]/S2[3]`` asks for a pattern and a rule of the set.

Sets of rules are imported only when a rule is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from satlife.life.rule import Rule

if TYPE_CHECKING:
    from satlife.life.rulespaces import RuleSpace
    from satlife.search.problem import Problem


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


def close_rule(problem: Problem, *, greatest: bool = False) -> Problem:
    """Return a problem for the least rule of its set, or the greatest; with one rule, as it is."""
    space = read_space(problem)
    if space is None:
        return problem
    return replace(problem, rule=str(space.greatest if greatest else space.least))


def is_open(problem: Problem) -> bool:
    """Whether the rule of a problem is a set of rules; its canonical notation shows it."""
    return "[" in problem.rule or "?" in problem.rule
