"""Which values of a search's axes go together: what cannot be is left out, and counted.

>>> axes = Axes("oscillator", ("p2", "p3"), ("C1", "D4+:D8"), ((),), ("B3/S23",))
>>> axes, left_out = combine(axes, (Box.parse("3x3"), Box.parse("3x4")))
>>> [question.describe() for question in axes]
['oscillator p2', 'oscillator p2 with D4+:D8', 'oscillator p3']
>>> print(*left_out, sep="; ")
oscillator p3 with D4+:D8: needs a period that 2 divides

A symmetry must fit the motion and at least one box; a bound that names a generation needs a motion
with so many.  Nothing else ties the axes to each other; the rule has no say in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from satlife.campaign.plan.question import Question
from satlife.campaign.plan.sequence import Axes
from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.search.problem.fitting import check_symmetry


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Values of a search's axes that do not go together, and why."""

    what: str
    reason: str
    count: int = 1
    """How many questions are left out for it: one for each rule, and for each bound if the bounds
    have no part in it."""

    def __str__(self) -> str:
        return f"{self.what}: {self.reason}"


def combine(axes: Axes, boxes: Sequence[Box]) -> tuple[Axes, tuple[LeftOut, ...]]:
    """Return the axes without the combinations that cannot be, and what was left out."""
    fitting = {name: _find_box(name, boxes) for name in axes.symmetries}
    kept: list[int] = []
    left_out: list[LeftOut] = []
    bounds, rules = len(axes.alternatives), len(axes.rules)
    for i, motion in enumerate(axes.motions):
        failed = _bounds_that_fail(axes, motion, boxes[0])
        many = rules * len(axes.symmetries)
        left_out += [LeftOut(what, why, many) for what, why in failed.values()]
        for j, symmetry in enumerate(axes.symmetries):
            reason = _refusal(symmetry, motion, fitting[symmetry])
            if reason:
                what = Question(axes.kind, "B3/S23", motion, symmetry).describe()
                left_out.append(LeftOut(what, reason, rules * (bounds - len(failed))))
                continue
            number = (i * len(axes.symmetries) + j) * bounds
            kept += [number + k for k in range(bounds) if k not in failed]
    if not left_out:
        return axes, ()
    return replace(axes, kept=tuple(kept)), tuple(each for each in left_out if each.count)


def _find_box(symmetry: str, boxes: Sequence[Box]) -> Box | None:
    """Return the first box that goes with a symmetry."""
    question = Question("", "", "", symmetry)
    return next(filter(question.fits, boxes), None)


def _refusal(symmetry: str, motion: str, box: Box | None) -> str:
    """Return why a symmetry does not go with a motion, or with any box; otherwise nothing."""
    if box is None:
        return f"no box fits, {symmetry} needs {Symmetry(symmetry).boxes}"
    try:
        check_symmetry(Symmetry(symmetry), box, Motion(motion))
    except UsageError as error:
        # "D4+:D8 needs a period that 2 divides, got 3: it is …": the question is named already.
        return str(error).removeprefix(f"{symmetry} ").partition(", got ")[0]
    return ""


def _bounds_that_fail(axes: Axes, motion: str, box: Box) -> dict[int, tuple[str, str]]:
    """Return the bounds that do not go with a motion, by their number: which, and why."""
    failed: dict[int, tuple[str, str]] = {}
    for number, bounds in enumerate(axes.alternatives):
        if not bounds:
            continue
        question = Question(axes.kind, axes.rules[0], motion, bounds=bounds)
        try:
            question.problem(box)
        except UsageError as error:
            failed[number] = replace(question, rule="B3/S23").describe(), str(error)
    return failed
