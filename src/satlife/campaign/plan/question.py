"""A question of a campaign with all its boxes: the tasks that imply each other.

>>> from satlife.campaign.plan.axes import read_boxes
>>> question = Question("oscillator", "B3/S23", "p2", "C4_1")
>>> group = Group(0, question, fitting_boxes(question, read_boxes(["3x3..7x7"])))
>>> len(group), [str(box) for box in group.boxes], group.problem(1).boxes
(3, ['3x3', '5x5', '7x7'], ('5x5',))

Where the theorem of :mod:`satlife.problem.exact` holds, a box is asked only for what does not fit
the smaller boxes of the question.  A find counts for the whole box; an impossibility is about
the exact box.

>>> sides = find_all_sides(question, group.boxes)
>>> group = Group(0, question, group.boxes, sides)
>>> print(group.exact(0), group.exact(2), sep=", ")
None, exactly 7x7
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from msgspec.structs import asdict

from satlife.campaign.messages import Task, Terms
from satlife.campaign.plan.axes import has_open
from satlife.campaign.selection import EVERYTHING, Selection
from satlife.engine.estimates import estimate, estimate_cells
from satlife.errors import UsageError
from satlife.kinds import find_kind
from satlife.life.box import Box, OpenBox
from satlife.life.rule import LIFE, Rule
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.problem import Problem
from satlife.problem.exact import ExactBox, Sides, find_sides, has_exact_boxes, list_largest
from satlife.problem.statement import MANY_RULES

BoundTexts = tuple[tuple[str, tuple[str, ...]], ...]
"""Bounds by the name of the bounded number: ``(("population", ("<=20", ">=5")),)``."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question without its box."""

    kind: str
    rule: str
    motion: str
    """``p3``, ``c/4``; for a still life ``p1``."""
    symmetry: str = "C1"
    bounds: BoundTexts = ()
    composite: bool = False
    include_last: bool = False
    selection: Selection = EVERYTHING
    every: bool = False
    """Whether the rule is a set, and every rule of it needs an answer."""

    def problem(self, box: Box) -> Problem:
        """Return the problem for one box."""
        return _ask(replace(self, rule=str(LIFE)), box).with_rule(self.rule)

    def has_exact_boxes(self, box: Box) -> bool:
        """Whether its solutions can be sorted by their boxes; ``box`` is one that fits."""
        if not self.embeds or not self.selection.is_everything:
            return False
        return _has_exact_boxes(replace(self, rule=str(LIFE)), box)

    @property
    def embeds(self) -> bool:
        """Whether a solution in a box is also one in a larger box; a map has many solutions."""
        return find_kind(self.kind).embeds and not self.every

    def fits(self, box: Box) -> bool:
        """Whether the symmetry fits the box; for an open height, also the rule."""
        if isinstance(box, OpenBox) and self.lacks_mirror:
            return False
        try:
            Symmetry(self.symmetry).check(box)
        except UsageError:
            return False
        return True

    @property
    def lacks_mirror(self) -> bool:
        """Whether a search by rows would have to fold them, but the rule lacks that mirror.

        >>> Question("ship", "B2/S34H", "c/2", "D2|").lacks_mirror
        True
        """
        if not self.rule or len(Symmetry(self.symmetry).full_group) == 1:
            return False
        return Transform("flip-left-right") not in rule_symmetries(self.rule)

    def describe(self) -> str:
        """Return a short description.

        >>> Question("ship", "B3/S23", "c/3", "D2|").describe()
        'ship c/3 with D2|'
        """
        words = [self.kind if find_kind(self.kind).axis == "none" else f"{self.kind} {self.motion}"]
        words[:0] = ["map of"] if self.every else []
        words += [f"with {self.symmetry}"] if self.symmetry != "C1" else []
        words += [f"{name} {' '.join(texts)}" for name, texts in self.bounds]
        words += ["composite"] if self.composite else []
        words += ["include-last"] if self.include_last else []
        words += [f"in {self.rule}"] if self.rule != "B3/S23" else []
        words += [] if self.selection.is_everything else [self.selection.describe()]
        return " ".join(words)


@lru_cache(maxsize=MANY_RULES)
def rule_symmetries(rule: str) -> tuple[Transform, ...]:
    """Return the turns that commute with a rule."""
    return Rule(rule).symmetries


@lru_cache(maxsize=4096)
def _ask(question: Question, box: Box) -> Problem:
    """Return the problem for one box; questions that differ only in their rules share it."""
    options: dict[str, Any] = dict(question.bounds)
    if question.composite:
        options["composite"] = True
    if question.include_last:
        options["include_last"] = True
    kind = find_kind(question.kind)
    motion = () if kind.axis == "none" else (question.motion,)
    return kind.function(
        *motion, box=str(box), symmetry=question.symmetry, rule=question.rule, **options
    )


@lru_cache(maxsize=4096)
def _has_exact_boxes(question: Question, box: Box) -> bool:
    """Whether the theorem holds; it does not depend on the rule."""
    return has_exact_boxes(_ask(question, box))


@dataclass(frozen=True, slots=True)
class Group:
    """A question and its boxes, the small ones first; or one given problem."""

    scope: int
    """The number of its search in the plan; -1 for a given problem."""
    asked: Question | Problem
    boxes: tuple[Box, ...] = ()
    sides: tuple[Sides, ...] = ()
    """The sides of each box that a solution must fill; empty if every box is asked as a whole."""

    def __len__(self) -> int:
        return len(self.boxes) if isinstance(self.asked, Question) else 1

    def problem(self, index: int) -> Problem:
        """Return one of its problems."""
        if isinstance(self.asked, Problem):
            return self.asked
        return self.asked.problem(self.boxes[index])

    def exact(self, index: int) -> ExactBox | None:
        """Return the part of one of its problems that is asked for; None is the whole."""
        sides = self.sides[index] if self.sides else ()
        return ExactBox(str(self.boxes[index]), sides) if sides else None

    @property
    def is_map(self) -> bool:
        """Whether it asks for every rule of a set."""
        return isinstance(self.asked, Question) and self.asked.every

    @property
    def selection(self) -> Selection:
        """The finds that count."""
        return self.asked.selection if isinstance(self.asked, Question) else EVERYTHING

    def task(self, index: int, terms: Terms) -> Task:
        """Return one of its tasks."""
        return Task(
            problem=self.problem(index),
            exact=self.exact(index),
            selection=self.selection,
            every=self.is_map,
            **asdict(terms),
        )

    def is_asked_again(self, index: int) -> bool:
        """Whether one of its tasks asks about a whole box whose parts were asked before."""
        return self.boxes.index(self.boxes[index]) < index

    def cost(self, index: int, *, prove: bool = False) -> float:
        """Estimate the seconds of one of its tasks."""
        if isinstance(self.asked, Problem):
            area = self.asked.with_height(self.asked.width).all_boxes[0].area
            return estimate_cells(area, area, self.asked.generations, False, prove=prove)
        asked = self.asked
        return estimate(self.boxes[index], asked.symmetry, asked.motion, prove=prove)

    def describe(self) -> str:
        """Return a short description."""
        if isinstance(self.asked, Problem):
            return f"{self.asked.kind} {self.asked.name[:12]}"
        return self.asked.describe()


def fitting_boxes(question: Question, boxes: Iterable[Box]) -> tuple[Box, ...]:
    """Return the boxes that fit the question's symmetry."""
    return tuple(filter(question.fits, boxes))


def find_all_sides(question: Question, boxes: tuple[Box, ...]) -> tuple[Sides, ...]:
    """Return the sides of each box that a solution must fill, because a smaller box is asked too.

    The result is empty if there are none.
    """
    if len(boxes) < 2 or has_open(boxes) or not question.has_exact_boxes(boxes[0]):
        return ()
    symmetry, asked = Symmetry(question.symmetry), frozenset(boxes)
    sides = tuple(find_sides(symmetry, box, asked) for box in boxes)
    return sides if any(sides) else ()


def add_whole(
    symmetry: Symmetry, boxes: tuple[Box, ...], sides: tuple[Sides, ...]
) -> tuple[tuple[Box, ...], tuple[Sides, ...]]:
    """Add the largest boxes once more, without sides: their answers depend on no other claim."""
    largest = tuple(box for box in list_largest(symmetry, boxes) if sides[boxes.index(box)])
    return (*boxes, *largest), (*sides, *((),) * len(largest))
