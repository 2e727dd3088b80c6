"""A map: every rule of a set is found, impossible, or not decided yet.

It consists of regions, each a set of rules with one answer: a pattern that works in all of them, or
that none of them has one.  Regions may overlap, but only with the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.engine.rows.quotients import make_quotient, reasons
from satlife.errors import InternalError, UsageError
from satlife.life import Pattern
from satlife.life.rule import RuleLike, as_rule
from satlife.life.rulespaces import OPEN, RuleSpace
from satlife.problem import Problem

MOST_FREE: Final = 24
"""Maximum number of free entries of a map, which has a byte for each rule."""
NARROW: Final = 6
"""Maximum number of free cells of a row in the map of a width: a set of rows is one word."""
UNDECIDED, FOUND, IMPOSSIBLE = range(3)
WORDS: Final = ("undecided", "found", "impossible")

Answers = NDArray[np.uint8]
Place = tuple[slice | int, ...]


@dataclass(frozen=True)
class ClosedSet:
    """A set of states that shows that a width has no ship by any rule of a region."""

    count: int
    """Number of states."""
    size: int
    """Bytes of these states in the folder's file."""
    packed: bytes = field(default=b"", repr=False, compare=False)
    """These bytes; none if the map was read from its folder."""


@dataclass(frozen=True)
class Region:
    """A set of rules that have the same answer."""

    rules: RuleSpace
    pattern: Pattern | None = None
    """A pattern that works in all of these rules; None if none of them has one."""
    closed: ClosedSet | None = None
    """In the map of a width, why none of them has one."""

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
        told = ", ".join(f"{count:,} {word}" for word, count in self.counts.items() if count)
        return f"<RuleMap of {self.space}: {told}>"


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
    if problem.has_open_height:
        for wrong, why in _width_reasons(problem.with_rule(str(space.least))):
            if wrong:
                raise UsageError(f"the map of {problem.boxes[0]} is made by the row search: {why}")
    return space


def _width_reasons(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield what a map by rows cannot do, with the remedy; the problem has one rule."""
    height = f"write a height, for example {problem.width}x{2 * problem.width}"
    yield from ((wrong, f"{why}; {height}") for wrong, why in reasons(problem))
    quotient = make_quotient(problem)
    yield quotient.glide, f"of sets of rules, it takes no glides; take C1 or D2|, or {height}"
    yield (
        quotient.lanes > 1,
        f"of sets of rules, it takes no speed that can be reduced, as {problem.motion}; {height}",
    )
    half = "" if quotient.fold != "none" else f", {2 * NARROW} with --symmetry D2|"
    yield (
        quotient.bits > NARROW,
        f"of sets of rules, it takes rows of {NARROW} cells at most{half}; {height}",
    )


class Tally:
    """Which rules are decided, while a map is made."""

    def __init__(self, space: RuleSpace, known: Iterable[Region]) -> None:
        self.space = space
        self.answers = paint(space, known)

    @property
    def left(self) -> int:
        """Number of undecided rules."""
        return int(self.answers.size - np.count_nonzero(self.answers))

    @property
    def first(self) -> int:
        """The number of the first undecided rule."""
        return int(np.argmin(self.answers.ravel() != UNDECIDED))

    def is_settled(self, number: int) -> bool:
        """Whether a rule is decided."""
        return bool(self.answers.ravel()[number])

    def keep(self, region: Region) -> Iterator[Region]:
        """Yield a region that settles another rule."""
        place = locate(self.space, region.rules)
        if (self.answers[place] == FOUND + IMPOSSIBLE - region.answer).any():
            raise InternalError(f"{region.rules} is said to be found and impossible")
        if not self.answers[place].all():
            self.answers[place] = region.answer
            yield region


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
