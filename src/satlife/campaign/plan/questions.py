"""The questions of a plan: a sequence, any of millions by its number, without making the others.

>>> axes = Axes("oscillator", ("p2", "p3"), ("C1",), ((),), ("B3/S23", "B36/S23"))
>>> len(axes), axes[2].describe(), axes[3].describe()
(4, 'oscillator p3', 'oscillator p3 in B36/S23')
>>> boxes = (Box.parse("2x2"), Box.parse("3x3"))
>>> questions = Questions((), ((axes, boxes),))
>>> len(questions), questions[3].describe(), len(questions[3])
(4, 'oscillator p3 in B36/S23', 2)
>>> list(questions.find(Task(problem=questions[3].problem(1))))
[(3, 1)]
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import overload

import msgspec

from satlife.campaign.messages import Task
from satlife.campaign.plan.axes import has_open
from satlife.campaign.plan.question import (
    BoundTexts,
    Group,
    Question,
    add_whole,
    find_all_sides,
)
from satlife.campaign.selection import EVERYTHING, Selection
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.problem import Problem
from satlife.problem.exact import Sides


@dataclass(frozen=True)
class Axes(Sequence[Question]):
    """The questions of one search: every combination of its axes, the rules changing fastest."""

    kind: str
    motions: tuple[str, ...]
    symmetries: tuple[str, ...]
    alternatives: tuple[BoundTexts, ...]
    rules: tuple[str, ...]
    composite: bool = False
    include_last: bool = False
    selection: Selection = EVERYTHING
    every: bool = False
    kept: tuple[int, ...] | None = None
    """Numbers of the possible combinations, without the rules; None means all of them."""

    def __len__(self) -> int:
        whole = len(self.motions) * len(self.symmetries) * len(self.alternatives)
        return (whole if self.kept is None else len(self.kept)) * len(self.rules)

    @overload
    def __getitem__(self, index: int) -> Question: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Question]: ...
    def __getitem__(self, index: int | slice) -> Question | Sequence[Question]:
        """Return a question by its number."""
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        rest, rule = divmod(index, len(self.rules))
        rest, bounds = divmod(
            rest if self.kept is None else self.kept[rest], len(self.alternatives)
        )
        motion, symmetry = divmod(rest, len(self.symmetries))
        return Question(
            self.kind,
            self.rules[rule],
            self.motions[motion],
            self.symmetries[symmetry],
            self.alternatives[bounds],
            self.composite,
            self.include_last,
            self.selection,
            self.every,
        )

    def mark(self, index: int) -> int:
        """Return a hash of a question, without making the question."""
        rest, rule = divmod(index, len(self.rules))
        return self._rest_marks[rest] + self._rule_marks[rule]

    @cached_property
    def _rest_marks(self) -> tuple[int, ...]:
        return tuple(_mark(repr(question)) for question in self.of_any_rule())

    @cached_property
    def _rule_marks(self) -> tuple[int, ...]:
        return tuple(map(_mark, self.rules))

    def of_any_rule(self) -> Axes:
        """Return the questions without their rules; the other axes do not depend on them."""
        return replace(self, rules=("",))

    def find(self, task: Task) -> Iterator[int]:
        """Yield the numbers of the questions that may contain a task; only bounds may differ."""
        problem, moved = task.problem, task.problem.motion
        asked = self.kind, self.selection, self.every
        if moved is None or (problem.kind, task.selection, task.every) != asked:
            return
        motion = self._motion_numbers.get((moved.period, moved.dx, moved.dy))
        symmetry = self._symmetry_numbers.get(problem.symmetry)
        rule = self._rule_numbers.get(problem.rule)
        if motion is None or symmetry is None or rule is None:
            return
        first = (motion * len(self.symmetries) + symmetry) * len(self.alternatives)
        for number in range(first, first + len(self.alternatives)):
            place = number if self.kept is None else bisect_left(self.kept, number)
            if self.kept is None or self.kept[place : place + 1] == (number,):
                yield place * len(self.rules) + rule

    @cached_property
    def _motion_numbers(self) -> dict[tuple[int, int, int], int]:
        motions = enumerate(map(Motion.parse, self.motions))
        return {(motion.period, motion.dx, motion.dy): i for i, motion in motions}

    @cached_property
    def _symmetry_numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.symmetries)}

    @cached_property
    def _rule_numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.rules)}


class Questions(Sequence[Group]):
    """The questions of a plan with their boxes: given problems, then search by search."""

    def __init__(
        self,
        problems: tuple[Problem, ...],
        searches: tuple[tuple[Axes, tuple[Box, ...]], ...],
        *,
        recheck: bool = False,
    ) -> None:
        self._recheck = recheck
        """Whether the largest boxes are asked once more, as a whole."""
        self._problems = problems
        self._searches = searches
        sizes = (len(problems), *(len(axes) for axes, _ in searches))
        self._ends = tuple(accumulate(sizes))
        self._fitting: dict[tuple[int, str, bool], tuple[Box, ...]] = {}
        self._exact: dict[tuple[int, str], tuple[tuple[Box, ...], tuple[Sides, ...]]] = {}
        self._has_open = tuple(has_open(boxes) for _, boxes in searches)

    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, index: int) -> Group: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Group]: ...
    def __getitem__(self, index: int | slice) -> Group | Sequence[Group]:
        """Return a question by its number."""
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index < len(self._problems):
            return Group(-1, self._problems[index])
        scope = bisect_right(self._ends, index) - 1
        question = self._searches[scope][0][index - self._ends[scope]]
        return Group(scope, question, *self._find_exact(scope, question))

    def _find_boxes(self, scope: int, question: Question) -> tuple[Box, ...]:
        """Return the boxes that fit; one tuple is shared by all questions with the same boxes.

        It is empty if all boxes have an open height, and the rule lacks the mirror.
        """
        key = scope, question.symmetry, self._has_open[scope] and question.lacks_mirror
        if key not in self._fitting:
            self._fitting[key] = tuple(filter(question.fits, self._searches[scope][1]))
        return self._fitting[key]

    def _find_exact(
        self, scope: int, question: Question
    ) -> tuple[tuple[Box, ...], tuple[Sides, ...]]:
        """Return the boxes, and the sides that solutions must fill; both tuples are shared."""
        boxes = self._find_boxes(scope, question)
        if len(boxes) < 2 or self._has_open[scope] or not question.has_exact_boxes(boxes[0]):
            return boxes, ()
        key = scope, question.symmetry
        if key not in self._exact:
            sides = find_all_sides(question, boxes)
            is_doubled = self._recheck and bool(sides)
            both = add_whole(Symmetry(question.symmetry), boxes, sides) if is_doubled else None
            self._exact[key] = both or (boxes, sides)
        return self._exact[key]

    def distinct(self) -> Iterator[tuple[Group, ...]]:
        """Yield every question once: all groups that ask it, in this and in other searches."""
        if len(self._searches) < 2:
            yield from ((group,) for group in self)
            return
        pending: set[int] = set()
        repeats: dict[int, list[int]] = {}
        for number, mark in enumerate(map(self.mark, range(len(self)))):
            if mark in pending:
                repeats.setdefault(mark, []).append(number)
            pending.add(mark)
        for number, mark in enumerate(map(self.mark, range(len(self)))):
            if mark in pending:
                pending.remove(mark)
                yield self[number], *(self[each] for each in repeats.pop(mark, ()))

    def mark(self, index: int) -> int:
        """Return a hash of a question, the same in every plan; cheaper than the question itself."""
        if index < len(self._problems):
            return _mark(self._problems[index].name)
        scope = bisect_right(self._ends, index) - 1
        return self._searches[scope][0].mark(index - self._ends[scope])

    def end_of(self, scope: int) -> int:
        """Return the number after the last question of a search."""
        return self._ends[scope + 1]

    def find(self, task: Task) -> Iterator[tuple[int, int]]:
        """Yield the places of a task: the numbers of the question and of the box."""
        problem = task.problem
        if task.cells or task.shares:
            return
        for number, given in enumerate(self._problems):
            if given.name == task.name:
                yield number, 0
        if len(problem.boxes) != 1:
            return
        for scope, (axes, _) in enumerate(self._searches):
            for number in axes.find(task):
                group = self[self._ends[scope] + number]
                for index, box in enumerate(group.boxes):
                    if str(box) == problem.boxes[0]:
                        is_asked = group.exact(index) == task.exact
                        if is_asked and group.problem(index).name == problem.name:
                            yield self._ends[scope] + number, index

    @property
    def fingerprint(self) -> str:
        """A hash of the questions in their order; a plan's name does not depend on their order."""
        digest = hashlib.sha256()
        for problem in self._problems:
            digest.update(problem.name.encode())
        for axes, boxes in self._searches:
            fields = (
                axes.kind,
                axes.motions,
                axes.symmetries,
                axes.alternatives,
                axes.rules,
                axes.composite,
                axes.include_last,
                [str(box) for box in boxes],
                *(() if axes.kept is None else (axes.kept,)),
                *(() if axes.selection.is_everything else (axes.selection,)),
                *(("every rule",) if axes.every else ()),
                *(("mirrors",) if has_open(boxes) else ()),
                *(("recheck",) if self._recheck else ()),
            )
            digest.update(msgspec.json.encode(fields))
        return digest.hexdigest()


def _mark(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
