"""Rules of which a generation alone does not say what comes next: dying cells, strobing.

In a Generations rule the cells that live do not say which cells are dying; on a strobing background
the cells that differ from it do not say which phase it is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.life.rule import Rule
from satlife.search.problem.open_rule import is_open

if TYPE_CHECKING:
    from satlife.search.problem.problem import Problem


def read_slow(problem: Problem) -> Rule | None:
    """Return the rule if it has dying cells or a strobing background; otherwise None."""
    if is_open(problem):
        return None
    rule = Rule(problem.rule)
    return rule if rule.states > 2 or rule.is_strobing else None
