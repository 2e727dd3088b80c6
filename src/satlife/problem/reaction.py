"""What a catalyst and its input do: when they meet, when it is over, and what comes out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from satlife.life import Pattern
from satlife.problem.constraints import Restored
from satlife.problem.problem import Problem

History = tuple[npt.NDArray[np.uint8], ...]
"""The states of each generation's box, indexed [y, x]."""
FOLLOWED = 300
"""Generations for which the catalyst is followed after those in which it has to hold."""


def find_restored(problem: Problem) -> Restored | None:
    """Return the condition that a catalyst is restored, if the problem has one."""
    return next((each for each in problem.constraints if isinstance(each, Restored)), None)


class Reaction(Struct, frozen=True):
    """What a catalyst and its input do; generations are those of the problem."""

    catalyst: Pattern
    generation: int
    """When the outcome is looked at."""
    outcome: Pattern
    """What is there beside the catalyst when it has held for as long as was asked."""
    contact: int
    """The first generation in which the catalyst is disturbed, or prevents a birth next to it."""
    restored: int
    """The generation from which on it is not, for as long as was asked."""
    disturbed_again: int | None
    """When it is disturbed again, if it is."""
    followed: int
    """The last generation that was looked at."""
    unchanged: bool
    """Whether what comes out is what the input becomes by itself."""

    @property
    def key(self) -> tuple[int, int, bytes]:
        """Equal for equal outcomes."""
        return self.outcome.x, self.outcome.y, self.outcome.cells.tobytes()

    def __str__(self) -> str:
        again = self.disturbed_again
        holds = f"to {self.followed}" if again is None else f"until {again}"
        same = "; the input goes on as if it were not there" if self.unchanged else ""
        when = f"contact in generation {self.contact}, restored in {self.restored}"
        return f"{when}, holds {holds}{same}"


def follow_reaction(problem: Problem, history: History, until: int = 0) -> Reaction:
    """Simulate a solution on the plane, and look at what is there in a later generation.

    That is the last one in which the catalyst has to hold, or ``until``.  The catalyst itself is
    followed for longer.
    """
    asked = need_restored(problem)
    home, first = problem.all_boxes[asked.alone], problem.all_boxes[0]
    rule = problem.parsed.rule
    catalyst = Pattern(history[asked.alone], home.x, home.y, rule)
    now = Pattern(history[0], first.x, first.y, rule)
    alone = _cells(catalyst)
    incoming = Pattern.from_cells(_cells(now) - alone, rule)
    zone = {(x + i, y + j) for x, y in alone for i in (-1, 0, 1) for j in (-1, 0, 1)}
    last = max(asked.times[1] + asked.hold, until)
    disturbed, outcome, free, contact = list[int](), incoming, incoming, None
    for t in range(last + FOLLOWED + 1):
        beside = _cells(now) ^ alone
        if beside & zone:
            disturbed.append(t)
        if contact is None and (disturbed or _cells(free) & zone):
            contact = t
        if t == last:
            outcome = Pattern.from_cells(beside, rule)
        now, free = now[1], free[1] if contact is None else free
    if contact is None:
        raise AssertionError("a solution meets its catalyst")
    restored, again = contact, None
    for after in disturbed:
        if after > restored + asked.hold:
            again = after
            break
        restored = after + 1
    return Reaction(
        catalyst=catalyst,
        generation=last,
        outcome=outcome,
        contact=contact,
        restored=restored,
        disturbed_again=again,
        followed=last + FOLLOWED,
        unchanged=outcome == incoming[last],
    )


def _cells(pattern: Pattern) -> set[tuple[int, int]]:
    return {(x, y) for x, y in pattern.coordinates.tolist()}


def need_restored(problem: Problem) -> Restored:
    """Return the condition; only problems that have it get here."""
    asked = find_restored(problem)
    if asked is None:
        raise AssertionError("only a catalyst that is restored has a reaction")
    return asked
