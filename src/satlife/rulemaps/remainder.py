"""What is left of a map while it is made, and which maps can be made by rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from satlife.engine.rows.quotients import make_quotient, reasons
from satlife.errors import InternalError, UsageError
from satlife.life.rulespaces import RuleSpace
from satlife.machine import how_to_install
from satlife.problem import Problem
from satlife.problem.constraints import Population
from satlife.rows import is_available
from satlife.rulemaps.rulemap import (
    FOUND,
    IMPOSSIBLE,
    UNDECIDED,
    Region,
    locate,
    open_space,
    paint,
)

NARROW: Final = 6
"""Maximum number of free cells of a row in the map of a width: a set of rows is one word."""


class Remainder:
    """The rules that are left, while a map is made."""

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


def check_question(problem: Problem) -> RuleSpace:
    """Return the set of rules of a question; raise if no map of it can be made."""
    space = open_space(problem)
    if problem.has_open_height:
        for wrong, why in _width_reasons(problem.with_rule(str(space.least))):
            if wrong:
                raise UsageError(f"the map of {problem.boxes[0]} is made by the row search: {why}")
        if not is_available():
            raise UsageError(f"the map of a width needs numba: {how_to_install('fast')}")
    return space


def _width_reasons(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield what a map by rows cannot do, with the remedy; the problem has one rule."""
    height = f"write a height, for example {problem.width}x{2 * problem.width}"
    is_still = problem.motion is None or not (problem.motion.dx or problem.motion.dy)
    yield is_still, f"an open height is for ships only; {height}"
    yield from ((wrong, f"{why}; {height}") for wrong, why in reasons(problem))
    bounds = [each for each in problem.constraints if isinstance(each, Population)]
    yield (
        bool(bounds or problem.known),
        f"of sets of rules, it takes no bounds and no given cells; {height}",
    )
    quotient = make_quotient(problem)
    is_straight = not (quotient.slanted or quotient.shear)
    yield not is_straight, f"of sets of rules, it takes no diagonal and no oblique ships; {height}"
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
