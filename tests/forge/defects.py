"""Checkers as weak as they once were: each was believed, and took what is false.

The names of satlife that are replaced are those in the lines with ``patch.object``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from satlife.audit import widths
from satlife.life import Pattern
from satlife.life.rulespaces import RuleSpace, read_rules
from satlife.problem import Problem
from satlife.rulemaps import map_check
from satlife.verifier.verify import complaints


def births_from_nothing() -> AbstractContextManager[object]:
    """Let the states of a width be of any rule of two states, even one with B0."""
    asked = widths.hypotheses

    def forget(problem: Problem) -> Iterator[tuple[bool, str]]:
        for holds, words in asked(problem):
            yield holds or "born from nothing" in words, words

    return patch.object(widths, "hypotheses", forget)


def ends_of_a_range() -> AbstractContextManager[object]:
    """Let a pattern of a map work by the least and by the greatest rule, each in its own way."""
    return patch.object(map_check, "pattern_complaints", _complain_by_ends)


def least_of_a_range() -> AbstractContextManager[object]:
    """Let the states of a range of rules be those of its least rule."""
    asked = map_check.range_complaints

    def forget(problem: Problem, *states: npt.NDArray[np.uint8]) -> Iterator[str]:
        space = read_rules(problem.rule)
        least = space.least if isinstance(space, RuleSpace) else space
        yield from asked(problem.with_rule(str(least)), *states)

    return patch.object(map_check, "range_complaints", forget)


def _complain_by_ends(problem: Problem, pattern: Pattern, *, every: bool = False) -> Iterator[str]:
    space = read_rules(problem.rule)
    ends = (space.least, space.greatest) if isinstance(space, RuleSpace) else (space,)
    for rule in ends:
        asked, now, history = problem.with_rule(str(rule)), pattern.with_rule(rule), []
        for box in asked.all_boxes:
            if not box.contains_box(now.box):
                yield "it leaves its box"
                return
            history.append(now.in_box(box))
            now = now[1]
        yield from complaints(asked, tuple(history))
