"""A question of a campaign in every box where it is asked: the tasks that imply each other.

>>> from satlife.campaign.plan.axes import read_boxes
>>> question = Question("oscillator", "B3/S23", "p2", "C4_1")
>>> group = Group(0, question, fitting_boxes(question, read_boxes(["3x3..7x7"])))
>>> len(group), [str(box) for box in group.boxes], group.problem(1).boxes
(3, ['3x3', '5x5', '7x7'], ('5x5',))
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from satlife.campaign.messages import Budget, Task
from satlife.campaign.selection import EVERYTHING, Selection
from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.search.kinds import find_kind
from satlife.search.problem import Problem

BoundTexts = tuple[tuple[str, tuple[str, ...]], ...]
"""Bounds by the name of what they bound: ``(("population", ("<=20", ">=5")),)``."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, without the box."""

    kind: str
    rule: str
    motion: str
    """``p3``, ``c/4``; for a still life ``p1``."""
    symmetry: str = "C1"
    bounds: BoundTexts = ()
    composite: bool = False
    include_last: bool = False
    selection: Selection = EVERYTHING

    def problem(self, box: Box) -> Problem:
        """Return the problem of one box."""
        options: dict[str, Any] = dict(self.bounds)
        if self.composite:
            options["composite"] = True
        if self.include_last:
            options["include_last"] = True
        kind = find_kind(self.kind)
        motion = () if kind.axis == "none" else (self.motion,)
        return kind.function(
            *motion, box=str(box), symmetry=self.symmetry, rule=self.rule, **options
        )

    @property
    def embeds(self) -> bool:
        """Whether a solution in a box is also one in a larger box."""
        return find_kind(self.kind).embeds

    def fits(self, box: Box) -> bool:
        """Whether the symmetry goes with the box."""
        try:
            Symmetry(self.symmetry).check(box)
        except UsageError:
            return False
        return True

    def describe(self) -> str:
        """Return a description in a few words.

        >>> Question("ship", "B3/S23", "c/3", "D2|").describe()
        'ship c/3 with D2|'
        """
        words = [self.kind if find_kind(self.kind).axis == "none" else f"{self.kind} {self.motion}"]
        words += [f"with {self.symmetry}"] if self.symmetry != "C1" else []
        words += [f"{name} {' '.join(texts)}" for name, texts in self.bounds]
        words += ["composite"] if self.composite else []
        words += ["include-last"] if self.include_last else []
        words += [f"in {self.rule}"] if self.rule != "B3/S23" else []
        words += [] if self.selection.is_everything else [self.selection.describe()]
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Group:
    """A question and its boxes, the small ones first; or one problem that is given as it is."""

    scope: int
    """Which search of the plan it belongs to; -1 for a problem that is given."""
    asked: Question | Problem
    boxes: tuple[Box, ...] = ()

    def __len__(self) -> int:
        return len(self.boxes) if isinstance(self.asked, Question) else 1

    def problem(self, index: int) -> Problem:
        """Return one of its problems."""
        if isinstance(self.asked, Problem):
            return self.asked
        return self.asked.problem(self.boxes[index])

    @property
    def selection(self) -> Selection:
        """Which finds count."""
        return self.asked.selection if isinstance(self.asked, Question) else EVERYTHING

    def task(self, index: int, budget: Budget, *, prove: bool) -> Task:
        """Return one of its tasks."""
        problem, selection = self.problem(index), self.selection
        return Task(problem=problem, budget=budget, prove=prove, selection=selection)

    def cost(self, index: int) -> float:
        """Estimate the seconds of one of its tasks."""
        if isinstance(self.asked, Problem):
            return estimate(self.asked.all_boxes[0].area, self.asked.generations, False)
        orbit, period, moves = _shape(self.asked.symmetry, self.asked.motion)
        return estimate(self.boxes[index].area / orbit, period, moves)

    def describe(self) -> str:
        """Return a description in a few words."""
        if isinstance(self.asked, Problem):
            return f"{self.asked.kind} {self.asked.name[:12]}"
        return self.asked.describe()


def fitting_boxes(question: Question, boxes: Iterable[Box]) -> tuple[Box, ...]:
    """Return the boxes that go with the question's symmetry."""
    return tuple(filter(question.fits, boxes))


@lru_cache(maxsize=4096)
def _shape(symmetry: str, motion: str) -> tuple[int, int, bool]:
    """Return the size of an orbit, the period, and whether it moves."""
    moved = Motion(motion)
    return len(Symmetry(symmetry).group), moved.period, not moved.is_still


def estimate(cells: float, period: int, moves: bool) -> float:
    """Estimate the seconds of a refutation from its free cells (of one orbit each) and its period.

    The time of a refutation is exponential in the free cells, and grows faster the longer the
    period; it grows more slowly for ships.  The figures are a fit to oscillators of periods 2 to 6
    in boxes up to 9x9 and ships up to 10x10, good to a factor of ten: enough for an order.
    """
    slope = (0.1 + 0.075 * period) * (0.6 if moves else 1.0)
    return 0.005 + math.exp2(min(slope * cells - 12, 40.0))
