"""A map: every rule of a set is found, impossible, or not decided yet.

It consists of regions, each a set of rules with one answer: a pattern that works in all of them, or
that none of them has one.  Regions may overlap, but only with the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.life.rule import RuleLike, as_rule
from satlife.life.rulespaces import OPEN, RuleSpace
from satlife.problem import Problem

MOST_FREE: Final = 24
"""Maximum number of free entries of a map, which has a byte for each rule."""
UNDECIDED, FOUND, IMPOSSIBLE = range(3)
WORDS: Final = ("undecided", "found", "impossible")

Answers = NDArray[np.uint8]
Place = tuple[slice | int, ...]


@dataclass(frozen=True)
class ClosedSet:
    """States that show that no rule of a region has a ship, in the map of a width."""

    count: int
    size: int
    """Bytes of the states in the folder's file."""
    packed: bytes = field(default=b"", repr=False, compare=False)
    """These bytes; none if the map was read from its folder."""


@dataclass(frozen=True)
class Region:
    """A set of rules that have the same answer."""

    rules: RuleSpace
    pattern: Pattern | None = None
    """A pattern that works in all of these rules; None if none of them has one."""
    closed: ClosedSet | None = None

    @property
    def answer(self) -> int:
        """FOUND or IMPOSSIBLE."""
        return IMPOSSIBLE if self.pattern is None else FOUND


@dataclass(frozen=True, repr=False)
class RuleMap:
    """The answers to one question for every rule of a set."""

    problem: Problem
    """The question; its rule is the set of rules."""
    regions: tuple[Region, ...] = ()
    seconds: float = 0.0
    """Processor time spent on it."""
    reason: str = ""
    """Why it is not complete, if a limit was reached."""

    @cached_property
    def space(self) -> RuleSpace:
        """The set of rules."""
        return open_space(self.problem)

    @cached_property
    def answers(self) -> Answers:
        """The answer for each rule, in the order of :meth:`RuleSpace.rules`."""
        return paint(self.space, self.regions).ravel()

    @property
    def counts(self) -> dict[str, int]:
        """Number of rules with each answer."""
        counted = np.bincount(self.answers, minlength=3).tolist()
        return {WORDS[answer]: counted[answer] for answer in (FOUND, IMPOSSIBLE, UNDECIDED)}

    @property
    def is_complete(self) -> bool:
        """Whether every rule has an answer."""
        return bool(self.answers.all())

    def look_up(self, rule: RuleLike) -> Region | None:
        """Return the first region that a rule is in; None if it is not decided yet."""
        one = as_rule(rule)
        if one not in self.space:
            raise UsageError(f"{one} is not one of the rules {self.space}")
        return next((region for region in self.regions if one in region.rules), None)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {word}" for word, count in self.counts.items() if count)
        return f"<RuleMap of {self.space}: {counts}>"


def open_space(problem: Problem) -> RuleSpace:
    """Return the set of rules of a question; raise if there is none, or if it is too large."""
    space = problem.parsed.space
    if problem.boundary != "dead" or problem.exempt:
        raise UsageError(
            "a map is of patterns in a box with a dead outside: of still lifes, oscillators, ships "
            "and the like"
        )
    if space is None:
        raise UsageError(
            f"a map is of several rules, and {problem.rule} is one; write for example "
            "outer-totalistic or 'B3[4]/S2[3]'"
        )
    if len(space.places) > MOST_FREE:
        raise UsageError(
            f"{space} has {len(space.places)} free entries; a map has at most {MOST_FREE}"
        )
    return space


def paint(space: RuleSpace, regions: Iterable[Region]) -> Answers:
    """Return the answers as an array with an axis for each free entry."""
    answers = np.zeros((2,) * len(space.places), np.uint8)
    for region in regions:
        place = locate(space, region.rules)
        if (answers[place] == FOUND + IMPOSSIBLE - region.answer).any():
            raise UsageError(f"the map contradicts itself about {region.rules}")
        answers[place] = region.answer
    return answers


def locate(space: RuleSpace, part: RuleSpace) -> Place:
    """Return the index of a part of a set in an array with an axis for each free entry."""
    entries = part.entries_in(space.classes)
    fixed = space.entries != OPEN
    if entries is None or (entries != space.entries)[fixed].any():
        raise UsageError(f"{part} is not a part of {space}")
    return tuple(
        slice(None) if fate == OPEN else int(fate) for fate in entries[space.places].tolist()
    )
