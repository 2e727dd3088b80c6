"""Combinations of a search's axes that are impossible: they are left out, and counted.

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

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from satlife.campaign.plan.axes import has_open
from satlife.campaign.plan.question import Question
from satlife.campaign.plan.questions import Axes
from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.problem.fit import check_symmetry
from satlife.quantities import write_count


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
    first_boxes = {
        name: next(filter(Question("", "", "", name).fits, boxes), None) for name in axes.symmetries
    }
    kept: list[int] = []
    left_out: list[LeftOut] = []
    bounds, rules = len(axes.alternatives), len(axes.rules)
    for i, motion in enumerate(axes.motions):
        failed, repeated = _read_bounds(axes, motion, boxes[0])
        many = rules * len(axes.symmetries)
        left_out += [LeftOut(what, why, many) for what, why in failed.values()]
        for j, symmetry in enumerate(axes.symmetries):
            if reason := _refusal(symmetry, motion, first_boxes[symmetry]):
                what = Question(axes.kind, "B3/S23", motion, symmetry).describe()
                many = rules * (bounds - len(failed) - len(repeated))
                left_out.append(LeftOut(what, reason, many))
                continue
            number = (i * len(axes.symmetries) + j) * bounds
            kept += [number + k for k in range(bounds) if k not in failed and k not in repeated]
    found = axes if len(kept) == len(axes.of_any_rule()) else replace(axes, kept=tuple(kept))
    if has_open(boxes):
        left_out += _find_lacking_mirrors(found)
    return found, tuple(each for each in left_out if each.count)


def _find_lacking_mirrors(axes: Axes) -> Iterator[LeftOut]:
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


def _refusal(symmetry: str, motion: str, box: Box | None) -> str:
    """Return why a symmetry does not fit a motion, or any box; empty if it does.

    ``box`` is the first one that the symmetry fits.
    """
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
    repeated: set[int] = set()
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
            repeated.add(number)
        seen.add(name)
    return failed, repeated
