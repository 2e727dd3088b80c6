"""A search of a plan: one ``[[search]]`` of its file, whose axes are combined.

>>> search = PlanSearch(kind="oscillator", periods="2..3", symmetries=("C1", "D4+:D8"), boxes="4x4")
>>> [question.describe() for question in search.questions()]
['oscillator p2', 'oscillator p2 with D4+:D8', 'oscillator p3']
>>> print(*search.left_out())
oscillator p3 with D4+:D8: needs a period that 2 divides
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, product
from typing import Any, Final, Literal

import msgspec

from satlife.campaign.plan.axes import read_boxes, read_numbers
from satlife.campaign.plan.left_out import LeftOut, combine
from satlife.campaign.plan.question import BoundTexts, Question
from satlife.campaign.plan.questions import Axes
from satlife.campaign.selection import Selection, read_selection
from satlife.errors import UsageError
from satlife.kinds import KINDS, Kind
from satlife.kinds._bounds import BOUNDS
from satlife.life.box import Box, OpenBox
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.rulespaces import RuleSpace
from satlife.life.symmetry import Symmetry
from satlife.problem.fit import check_rule
from satlife.problem.statement import MANY_RULES, read_open, read_ordinary

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
        flags = (flag for flag in ("composite", "include_last") if not kind.takes(flag))
        refused = [flag for flag in flags if getattr(self, flag)]
        axes = (axis for axis in ("periods", "speeds") if axis != kind.axis)
        refused += [axis for axis in axes if getattr(self, axis) != ()]
        if refused:
            raise UsageError(f"a search of the kind {self.kind} has no {refused[0]}")
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

    def alternatives(self) -> tuple[BoundTexts, ...]:
        """Return every combination of the bounds."""
        axes: list[list[tuple[str, tuple[str, ...]] | None]] = []
        for name in (each.name for each in BOUNDS if each.counts):
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
        else:
            self._check_rules()
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
        if open_boxes := tuple(box for box in boxes if isinstance(box, OpenBox)):
            from satlife.engine.rows.quotients import check_rows  # noqa: PLC0415 - all engines

            if not self.selection().is_everything:
                raise UsageError(
                    f"reject and only_connected cannot be combined with {open_boxes[0]}"
                )
            if any(Motion.parse(each).dx for each in self.motions()):
                raise UsageError(
                    f"a plan takes only orthogonal ships with {open_boxes[0]}; a diagonal one is a "
                    "problem of its own there: [[problem]]"
                )
            for question, box in self._samples(open_boxes):
                check_rows(question.problem(box))

    def _samples(self, boxes: tuple[Box, ...]) -> Iterator[tuple[Question, Box]]:
        """Yield each combination of the other axes with one rule, and each rule once, in all boxes.

        Rules and combinations affect each other only in that some boxes do not fit.
        """
        rules, combinations = self.questions().rules, self.questions().of_any_rule()
        by_combination = ((replace(each, rule=rule) for rule in rules) for each in combinations)
        by_rule = ((replace(each, rule=rule) for each in combinations) for rule in rules)
        for questions in chain(by_combination, by_rule):
            for question in questions:
                if fitting := tuple(filter(question.fits, boxes)):
                    yield from ((question, box) for box in fitting)
                    break

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

    def _check_rules(self) -> None:
        """Raise an error if a rule cannot be searched, or does not fit every motion."""
        for text in self.read_rules():
            if read_ordinary(text) is None:
                check_rule(Rule(text))
                # Rules with dying cells or flashing backgrounds do not allow every motion.
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
