"""A search of a plan: one ``[[search]]``, whose axes are combined.

>>> search = PlanSearch(kind="oscillator", periods="2..3", symmetries=("C1", "D4+:D8"), boxes="4x4")
>>> [question.describe() for question in search.questions()]
['oscillator p2', 'oscillator p2 with D4+:D8', 'oscillator p3']
>>> print(*search.left_out())
oscillator p3 with D4+:D8: needs a period that 2 divides

The :class:`Questions` of a plan are a sequence: any of millions by its number, without the others.

>>> axes = Axes("oscillator", ("p2", "p3"), ("C1",), ((),), ("B3/S23", "B36/S23"))
>>> len(axes), axes[2].describe(), axes[3].describe()
(4, 'oscillator p3', 'oscillator p3 in B36/S23')
>>> boxes = (Box.parse("2x2"), Box.parse("3x3"))
>>> questions = Questions((), ((axes, boxes),))
>>> len(questions), questions[3].describe(), len(questions[3])
(4, 'oscillator p3 in B36/S23', 2)
>>> list(questions.find(Task(problem=questions[3].problem(1))))
[(3, 1)]

Values of the axes that do not fit each other are left out, and counted:

>>> axes = Axes("oscillator", ("p2", "p3"), ("C1", "D4+:D8"), ((),), ("B3/S23",))
>>> axes, left_out = combine(axes, (Box.parse("3x3"), Box.parse("3x4")))
>>> [question.describe() for question in axes]
['oscillator p2', 'oscillator p2 with D4+:D8', 'oscillator p3']
>>> print(*left_out, sep="; ")
oscillator p3 with D4+:D8: needs a period that 2 divides

A symmetry must fit the motion and at least one box; a bound that names a generation needs a motion
with as many.  In a box of any height, a symmetry needs a rule with the same mirror.  Otherwise the
axes are independent.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import accumulate, chain, product
from typing import Any, Final, Literal, overload

import msgspec

from satlife.campaign.messages import Task
from satlife.campaign.plan.axes import has_open, read_boxes, read_numbers
from satlife.campaign.plan.question import BoundTexts, Group, Question, find_all_sides
from satlife.campaign.selection import EVERYTHING, Selection, read_selection
from satlife.errors import UsageError
from satlife.kinds import KINDS, Kind
from satlife.life.box import Box, OpenBox
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.rulespaces import RuleSpace
from satlife.life.symmetry import Symmetry
from satlife.problem import Problem
from satlife.problem.exact import Sides
from satlife.problem.fit import check_rule, check_symmetry
from satlife.problem.statement import MANY_RULES, read_open, read_ordinary
from satlife.quantities import write_count


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

    @property
    def _combinations(self) -> int:
        whole = len(self.motions) * len(self.symmetries) * len(self.alternatives)
        return whole if self.kept is None else len(self.kept)

    def __len__(self) -> int:
        return self._combinations * len(self.rules)

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
        """Return a hash of a question, from its rule and its other values, without making it."""
        rest, rule = divmod(index, len(self.rules))
        return self._rest_marks[rest] + self._rule_marks[rule]

    @cached_property
    def _rest_marks(self) -> tuple[int, ...]:
        return tuple(_mark(repr(question)) for question in self.of_any_rule())

    @cached_property
    def _rule_marks(self) -> tuple[int, ...]:
        return tuple(map(_mark, self.rules))

    def of_any_rule(self) -> Axes:
        """Return the questions without their rules, on which the other axes do not depend."""
        return replace(self, rules=("",))

    def find(self, task: Task) -> Iterator[int]:
        """Yield the numbers of the questions that may contain a task; only bounds may differ."""
        problem, moved = task.problem, task.problem.motion
        if moved is None or problem.kind != self.kind or task.selection != self.selection:
            return
        if task.every != self.every:
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
        self, problems: tuple[Problem, ...], searches: tuple[tuple[Axes, tuple[Box, ...]], ...]
    ) -> None:
        self._problems = problems
        self._searches = searches
        sizes = (len(problems), *(len(axes) for axes, _ in searches))
        self._ends = tuple(accumulate(sizes))
        self._fitting: dict[tuple[int, str, bool], tuple[Box, ...]] = {}
        self._sides: dict[tuple[int, str], tuple[Sides, ...]] = {}
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
        boxes = self._boxes(scope, question)
        return Group(scope, question, boxes, self._find_sides(scope, question, boxes))

    def _boxes(self, scope: int, question: Question) -> tuple[Box, ...]:
        """Return the boxes that fit; one tuple is shared by all questions with the same boxes.

        It is empty if all boxes have an open height, and the rule lacks the mirror.
        """
        key = scope, question.symmetry, self._has_open[scope] and question.lacks_mirror
        if key not in self._fitting:
            self._fitting[key] = tuple(filter(question.fits, self._searches[scope][1]))
        return self._fitting[key]

    def _find_sides(
        self, scope: int, question: Question, boxes: tuple[Box, ...]
    ) -> tuple[Sides, ...]:
        """Return the sides that solutions must fill; one tuple is shared, like the boxes."""
        if len(boxes) < 2 or self._has_open[scope] or not question.has_exact_boxes(boxes[0]):
            return ()
        key = scope, question.symmetry
        if key not in self._sides:
            self._sides[key] = find_all_sides(question, boxes)
        return self._sides[key]

    def distinct(self) -> Iterator[tuple[Group, ...]]:
        """Yield every question once: all groups that ask it, in this and in other searches."""
        if len(self._searches) < 2:
            yield from ((group,) for group in self)
            return
        left: set[int] = set()
        again: dict[int, list[int]] = {}
        for number, mark in enumerate(map(self.mark, range(len(self)))):
            if mark in left:
                again.setdefault(mark, []).append(number)
            left.add(mark)
        for number, mark in enumerate(map(self.mark, range(len(self)))):
            if mark in left:
                left.remove(mark)
                yield self[number], *(self[each] for each in again.pop(mark, ()))

    def mark(self, index: int) -> int:
        """Return a hash of a question, wherever in a plan; cheaper than the question itself."""
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
                        break

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
            )
            digest.update(msgspec.json.encode(fields))
        return digest.hexdigest()


def _mark(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Values of a search's axes that do not fit each other, and the reason."""

    what: str
    reason: str
    count: int = 1
    """The number of questions that are left out: one for each rule, and for each bound if the
    reason does not involve bounds."""

    def __str__(self) -> str:
        return f"{self.what}: {self.reason}"


def combine(axes: Axes, boxes: Sequence[Box]) -> tuple[Axes, tuple[LeftOut, ...]]:
    """Return the axes without the impossible combinations, and what was left out."""
    fitting = {name: _find_box(name, boxes) for name in axes.symmetries}
    kept: list[int] = []
    left_out: list[LeftOut] = []
    bounds, rules = len(axes.alternatives), len(axes.rules)
    for i, motion in enumerate(axes.motions):
        failed, twice = _read_bounds(axes, motion, boxes[0])
        many = rules * len(axes.symmetries)
        left_out += [LeftOut(what, why, many) for what, why in failed.values()]
        for j, symmetry in enumerate(axes.symmetries):
            reason = _refusal(symmetry, motion, fitting[symmetry])
            if reason:
                what = Question(axes.kind, "B3/S23", motion, symmetry).describe()
                many = rules * (bounds - len(failed) - len(twice))
                left_out.append(LeftOut(what, reason, many))
                continue
            number = (i * len(axes.symmetries) + j) * bounds
            kept += [number + k for k in range(bounds) if k not in failed and k not in twice]
    found = axes if len(kept) == len(axes.of_any_rule()) else replace(axes, kept=tuple(kept))
    if has_open(boxes):
        left_out += _rules_that_fail(found)
    return found, tuple(each for each in left_out if each.count)


def _rules_that_fail(axes: Axes) -> Iterator[LeftOut]:
    """Yield the symmetries that the search by rows cannot use, because the rule lacks a mirror."""
    for symmetry, count in Counter(each.symmetry for each in axes.of_any_rule()).items():
        asked = (Question(axes.kind, rule, axes.motions[0], symmetry) for rule in axes.rules)
        lacking = [question.rule for question in asked if question.lacks_mirror]
        if lacking:
            what = f"{axes.kind} with {symmetry} in {lacking[0]}"
            others = write_count(len(lacking) - 1, "more rule")
            more = f" (and in {others})" if len(lacking) > 1 else ""
            reason = "a box of any height needs a rule with the same mirror"
            yield LeftOut(what + more, reason, count * len(lacking))


def _find_box(symmetry: str, boxes: Sequence[Box]) -> Box | None:
    """Return the first box that fits a symmetry."""
    question = Question("", "", "", symmetry)
    return next(filter(question.fits, boxes), None)


def _refusal(symmetry: str, motion: str, box: Box | None) -> str:
    """Return why a symmetry does not fit a motion, or any box; empty if it does."""
    if box is None:
        return f"no box fits, {symmetry} needs {Symmetry(symmetry).boxes}"
    try:
        check_symmetry(Symmetry(symmetry), box, Motion.parse(motion))
    except UsageError as error:
        # "D4+:D8 needs a period that 2 divides, got 3: it is …": the question is named already.
        return str(error).removeprefix(f"{symmetry} ").partition(", got ")[0]
    return ""


def _read_bounds(axes: Axes, motion: str, box: Box) -> tuple[dict[int, tuple[str, str]], set[int]]:
    """Return the bounds that do not fit a motion (which, and why), and those that are repeated.

    A bound may occur twice, or in two spellings: ``<=9`` and ``<10``.
    """
    failed: dict[int, tuple[str, str]] = {}
    seen: set[str] = set()
    twice: set[int] = set()
    for number, bounds in enumerate(axes.alternatives):
        if not bounds:
            continue
        question = Question(axes.kind, axes.rules[0], motion, bounds=bounds)
        try:
            name = question.problem(box).name
        except UsageError as error:
            failed[number] = replace(question, rule="B3/S23").describe(), str(error)
            continue
        if name in seen:
            twice.add(number)
        seen.add(name)
    return failed, twice


BOUNDS: Final = (
    *("population", "rotor", "stator", "growth", "decay", "changes"),
    *("width", "height", "area"),
)
"""The numbers that a search may bound."""

MOST_RULES: Final = 4096
"""Maximum number of rules of a set that is listed rule by rule."""

Many = str | tuple[str, ...]
"""One value of an axis, or several."""
Alternatives = str | tuple[str | tuple[str, ...], ...]
"""One bound, or several questions; a question with several bounds is a list in the list."""
Stop = Literal["never", "first"]


class PlanSearch(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One ``[[search]]``: every combination of its axes is a task."""

    kind: str
    """A kind that has an axis of motions: see :attr:`satlife.Kind.axis`."""
    rules: Many = "B3/S23"
    periods: int | str | tuple[int | str, ...] = ()
    """For oscillators and agars: 3, "2..6", or a list of them."""
    speeds: Many = ()
    """For ships: "c/3", "2c/5", "c/4d", or a list of them."""
    symmetries: Many = "C1"
    boxes: Many
    """ "8x8", a range "3x3..9x9", or a list; boxes that do not fit the symmetry are left out."""
    population: Alternatives = ()
    rotor: Alternatives = ()
    stator: Alternatives = ()
    growth: Alternatives = ()
    decay: Alternatives = ()
    changes: Alternatives = ()
    width: Alternatives = ()
    height: Alternatives = ()
    area: Alternatives = ()
    composite: bool = False
    include_last: bool = False
    only_connected: bool = False
    """Whether finds made of independent parts do not count."""
    reject: Many = ()
    """Objects that no find may be, or hold as a separate part: codes, names, files, "known"."""
    stop: Stop = "never"
    """ "first": a find ends this search."""
    map: bool = False
    """Whether a set of rules is one task, answered for each of them, by regions."""

    def motions(self) -> tuple[str, ...]:
        """Return the periods or speeds, in their canonical spelling."""
        kind = find_plan_kind(self.kind)
        for flag in ("composite", "include_last"):
            if not kind.takes(flag):
                self._refuse(flag, getattr(self, flag) or ())
        for axis in ("periods", "speeds"):
            if axis != kind.axis:
                self._refuse(axis, getattr(self, axis))
        if kind.axis == "none":
            return ("p1",)
        if kind.axis == "speeds":
            motions = tuple(str(Motion.parse(speed)) for speed in _many(self.speeds))
        else:
            periods = (self.periods,) if isinstance(self.periods, int | str) else self.periods
            motions = tuple(f"p{period}" for period in read_numbers(periods))
        if not motions:
            wanted = 'speeds = ["c/3"]' if kind.axis == "speeds" else 'periods = "2..6"'
            raise UsageError(f"a search of the kind {self.kind} needs {wanted}")
        return tuple(dict.fromkeys(motions))

    def _refuse(self, name: str, value: object) -> None:
        if value != ():
            raise UsageError(f"a search of the kind {self.kind} has no {name}")

    def alternatives(self) -> tuple[BoundTexts, ...]:
        """Return every combination of the bounds."""
        axes: list[list[tuple[str, tuple[str, ...]] | None]] = []
        for name in BOUNDS:
            given = getattr(self, name)
            each = [given] if isinstance(given, str) else list(given)
            texts = [(text,) if isinstance(text, str) else tuple(text) for text in each]
            axes.append([(name, text) for text in texts] or [None])
        return tuple(
            tuple(bound for bound in chosen if bound is not None) for chosen in product(*axes)
        )

    def read_boxes(self) -> tuple[Box, ...]:
        """Return the boxes, the small ones first."""
        return read_boxes(_many(self.boxes))

    def read_rules(self) -> tuple[str, ...]:
        """Return the rules in their canonical notation, each once; a set is all of its rules."""
        if self.map:
            return tuple(dict.fromkeys(str(RuleSpace(text)) for text in _many(self.rules)))
        return tuple(dict.fromkeys(chain.from_iterable(map(_read_rules, _many(self.rules)))))

    def questions(self) -> Axes:
        """Return the possible questions, those of one motion and symmetry together."""
        return _combine(self)[0]

    def left_out(self) -> tuple[LeftOut, ...]:
        """Return the impossible combinations, which are left out."""
        return _combine(self)[1]

    def check(self) -> None:
        """Raise :class:`~satlife.errors.UsageError` if the search has no question."""
        for axis in ("rules", "symmetries", "boxes"):
            if not _many(getattr(self, axis)):
                raise UsageError(f"{axis} is empty")
        if self.map:
            self._check_map()
        for each in () if self.map else self.read_rules():
            self._check_rule(each)
        boxes, rule = self.read_boxes(), self.read_rules()[0]
        if not self.selection().is_everything and not find_plan_kind(self.kind).embeds:
            what = "reject" if self.reject else "only_connected"
            raise UsageError(f"{what} goes only with still lifes, oscillators and ships")
        for motion in self.motions():
            for box in {boxes[0], boxes[-1]}:
                Question(self.kind, rule, motion, include_last=self.include_last).problem(box)
        self._check_bounds(boxes[0], rule)
        if next(self._samples(boxes), None) is None:
            reasons = dict.fromkeys(map(str, self.left_out()))
            raise UsageError("; ".join(list(reasons)[:3]))
        self._check_open(tuple(box for box in boxes if isinstance(box, OpenBox)))

    def _check_open(self, boxes: tuple[Box, ...]) -> None:
        """Raise an error if the search by rows, the only one for open heights, refuses a box."""
        if not boxes:
            return
        from satlife.engine.rows.quotients import check_rows  # noqa: PLC0415 - all engines

        if not self.selection().is_everything:
            raise UsageError(f"reject and only_connected cannot be combined with {boxes[0]}")
        for question, box in self._samples(boxes):
            check_rows(question.problem(box))

    def _samples(self, boxes: tuple[Box, ...]) -> Iterator[tuple[Question, Box]]:
        """Yield each combination of the other axes with one rule, and each rule once, in all boxes.

        Rules and combinations affect each other only in that some boxes do not fit.
        """
        rules, combinations = self.questions().rules, self.questions().of_any_rule()
        for each in combinations:
            yield from _fit((replace(each, rule=rule) for rule in rules), boxes)
        for rule in rules:
            yield from _fit((replace(each, rule=rule) for each in combinations), boxes)

    def _check_map(self) -> None:
        """Raise an error if there is no map: of one rule, of too many, or ended by a find."""
        from satlife.rulemaps.rulemap import open_space  # noqa: PLC0415 - imports all engines

        if self.stop == "first" or not self.selection().is_everything:
            raise UsageError("map cannot be combined with stop, reject or only_connected")
        if not find_plan_kind(self.kind).embeds:
            raise UsageError("a map is of still lifes, oscillators or ships")
        for rules in self.read_rules():
            for box in self.read_boxes():
                problem = Question(self.kind, rules, self.motions()[0]).problem(box)
                open_space(problem)
                if problem.has_open_height:
                    raise UsageError(
                        f"campaigns make no map of {box}; satlife map makes one, or write a height"
                    )

    def _check_rule(self, text: str) -> None:
        """Raise an error if a rule cannot be searched, or does not fit every motion.

        Only rules with dying cells or flashing backgrounds restrict the motion.
        """
        if read_ordinary(text) is None:
            check_rule(Rule(text))
            for motion in self.motions():
                question = Question(self.kind, text, motion, composite=self.composite)
                question.problem(self.read_boxes()[0])

    def _check_bounds(self, box: Box, rule: str) -> None:
        """Raise an error if bounds fit no motion: they cannot be read, or make no sense here."""
        for bounds in self.alternatives():
            errors: list[UsageError] = []
            for motion in self.motions() if bounds else ():
                try:
                    Question(self.kind, rule, motion, bounds=bounds).problem(box)
                    break
                except UsageError as error:
                    errors.append(error)
            else:
                if errors:
                    raise errors[0]

    def selection(self) -> Selection:
        """Return the finds that count."""
        return read_selection(_many(self.reject), only_connected=self.only_connected)

    def canonical(self) -> dict[str, Any]:
        """Return the search in a canonical form, however it was written."""
        boxes = [str(box) for box in self.read_boxes()]
        asked = {
            "kind": self.kind,
            "rules": sorted(self.read_rules()),
            "motions": sorted(self.motions()),
            "symmetries": sorted({str(Symmetry(name)) for name in _many(self.symmetries)}),
            "boxes": boxes,
            "bounds": sorted(self.alternatives()),
            "composite": self.composite,
            "include_last": self.include_last,
        }
        if self.map:
            asked["map"] = True
        selection = self.selection()
        return asked if selection.is_everything else asked | {"selection": selection}


def _fit(questions: Iterable[Question], boxes: tuple[Box, ...]) -> Iterator[tuple[Question, Box]]:
    """Yield the first question that fits some boxes, with each of them."""
    for question in questions:
        fitting = [(question, box) for box in boxes if question.fits(box)]
        if fitting:
            yield from fitting
            return


def _many(value: Many) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


@lru_cache(maxsize=MANY_RULES)
def _read_rules(text: str) -> tuple[str, ...]:
    """Return the rule of a notation, or all rules of a set such as ``B3[4]/S2[3]``."""
    if (name := read_ordinary(text)) is not None:
        return (name,)
    space = read_open(text)
    if space is None:
        return (str(Rule(text)),)
    if space.size > MOST_RULES:
        raise UsageError(
            f"{space} has more rules than a plan can list, which is {MOST_RULES:,}; satlife map "
            "answers for all rules at once"
        )
    return tuple(map(str, space.rules()))


def find_plan_kind(name: str, where: str = "") -> Kind:
    """Return a kind of question that a plan can use."""
    kinds = {kind.name: kind for kind in KINDS if kind.axis is not None}
    if name in kinds:
        return kinds[name]
    near = get_close_matches(name, kinds, 1)
    hint = f"did you mean {near[0]}?" if near else f"the kinds are {', '.join(kinds)}"
    raise UsageError(f"{where}a plan cannot search for {name!r}; {hint}")


@lru_cache(maxsize=64)
def _combine(search: PlanSearch) -> tuple[Axes, tuple[LeftOut, ...]]:
    axes = Axes(
        search.kind,
        search.motions(),
        tuple(dict.fromkeys(str(Symmetry(name)) for name in _many(search.symmetries))),
        search.alternatives(),
        search.read_rules(),
        search.composite,
        search.include_last,
        search.selection(),
        search.map,
    )
    return combine(axes, search.read_boxes())
