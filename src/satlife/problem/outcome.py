"""What a search answers: found, impossible or undecided; three different things.

An :class:`Undecided` search has looked in vain for as long as it was allowed to; it says nothing
about whether a pattern exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from satlife.life.box import Box
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule
from satlife.problem.problem import Problem

if TYPE_CHECKING:
    from satlife.life.identity import Identity
    from satlife.life.rulespaces import RuleSpace
    from satlife.show.scene import Scene


# A generation of a solution as a pattern, with all the states that its rule has.
#
# A solution says only which cells live (under a rule with B0: which differ from the background).
# That is enough: a dying cell of a Generations rule is one that lived a few generations before, and
# on a strobing background the generation says the phase.  Without a motion nothing was before
# generation 0, so that generation has the states of all cells.


History = tuple[npt.NDArray[np.uint8], ...]


def make_pattern(problem: Problem, history: History, t: int, by: Rule | None = None) -> Pattern:
    """Return a generation at its place; dying cells may lie outside the box of live ones.

    If the rule of the problem is open, ``by`` is the one to take.
    """
    problem = problem.with_height(len(history[0]))
    rule, boxes = by or Rule(problem.rule), problem.all_boxes
    if rule.states > 2 and problem.motion is None:
        first = Pattern(history[0], boxes[0].x, boxes[0].y, rule)
        if problem.boundary == "dead":
            return first[t]
        return Pattern(_read_ages(problem, history, t, rule), boxes[t].x, boxes[t].y, rule)
    if rule.states == 2 or problem.motion is None:
        box = boxes[t]
        return Pattern(history[t], box.x, box.y, rule, t % len(rule.phases))
    motion, layers = problem.motion, list[tuple[npt.NDArray[np.uint8], Box]]()
    for age in range(rule.states - 1):
        turns, then = divmod(t - age, motion.period)
        layers.append((history[then], boxes[then].shift(turns * motion.dx, turns * motion.dy)))
    frame = layers[0][1]
    for _, box in layers:
        frame |= box
    states = np.zeros((frame.height, frame.width), np.uint8)
    for age, (alive, box) in reversed(list(enumerate(layers))):
        top, left = box.y - frame.y, box.x - frame.x
        part = states[top : top + box.height, left : left + box.width]
        part[alive != 0] = age + 1
    return Pattern(states, frame.x, frame.y, rule)


def _read_ages(problem: Problem, history: History, t: int, rule: Rule) -> npt.NDArray[np.uint8]:
    """Return the states of a generation's box, which lies in those before, by when cells lived."""
    box = problem.all_boxes[t]
    states = np.zeros((box.height, box.width), np.uint8)
    for age in reversed(range(rule.states - 1)):
        then = max(t - age, 0)
        frame = problem.all_boxes[then]
        lived = history[then] == max(1, age + 1 - t)  # before 0, generation 0 has the states
        top, left = box.y - frame.y, box.x - frame.x
        states[lived[top : top + box.height, left : left + box.width]] = age + 1
    return states


@dataclass(frozen=True)
class Provenance:
    """How the answer was obtained."""

    engine: str
    seconds: float
    details: Mapping[str, Any] = field(default_factory=dict)
    """What the engine tells; SAT: solver, encoding, variables, clauses, conflicts, seed …"""

    @property
    def means(self) -> str:
        """What the engine used, in a few words: ``cadical, columns``; empty if it does not say."""
        told = (self.details.get(name) for name in ("solver", "encoding", "restriction"))
        return ", ".join(str(word) for word in told if word)


def _refuse_truth(answer: object) -> bool:
    raise TypeError(
        "an answer is neither true nor false; match it, or ask isinstance(answer, Found)"
    )


@dataclass(frozen=True, eq=False, repr=False)
class Finding:
    """A pattern that solves a problem; it has passed the simulator's check."""

    problem: Problem
    history: tuple[npt.NDArray[np.uint8], ...] = field(repr=False)
    """The states of each generation's box, indexed [y, x]."""
    provenance: Provenance = field(repr=False)
    rules: RuleSpace | None = field(default=None, repr=False)
    """If the rule is open: all rules of the set in which the pattern is a solution."""

    @property
    def rule(self) -> Rule:
        """The rule; if it is open, the least in which the pattern is a solution."""
        return Rule(self.problem.rule) if self.rules is None else self.rules.least

    def __repr__(self) -> str:
        return f"<Finding {self.pattern!r}, by {self.provenance.engine}>"

    def generation(self, t: int) -> Pattern:
        """Return a generation as it is in the solution, at its place in the box."""
        return make_pattern(self.problem, self.history, t, self.rule)

    @cached_property
    def pattern(self) -> Pattern:
        """Generation 0."""
        return self.generation(0)

    @cached_property
    def identity(self) -> Identity:
        """What it is: apgcode, period, symmetry, name."""
        from satlife.life.identity import identify  # noqa: PLC0415 - only when asked for

        return identify(self.pattern)

    def scene(self) -> Scene:
        """Return its generations, to be drawn by :mod:`satlife.show`."""
        from satlife.problem.cards import make_scene  # noqa: PLC0415 - only when shown

        return make_scene(self)

    def play(self) -> Any:
        """Return a player for notebooks (the extra ``notebook``)."""
        from satlife.show.widget import play  # noqa: PLC0415 - an extra

        return play(self)

    def _repr_html_(self) -> str:
        from satlife.problem.cards import show_finding  # noqa: PLC0415 - only when shown

        return show_finding(self).to_html()


@dataclass(frozen=True, repr=False)
class Found:
    """There is a pattern, and here it is."""

    __bool__ = _refuse_truth

    finding: Finding

    def __repr__(self) -> str:
        return f"Found({self.pattern!r})"

    @property
    def pattern(self) -> Pattern:
        """The pattern found."""
        return self.finding.pattern

    def scene(self) -> Scene:
        """Return its generations, to be drawn by :mod:`satlife.show`."""
        return self.finding.scene()

    def play(self) -> Any:
        """Return a player for notebooks (the extra ``notebook``)."""
        return self.finding.play()

    def _repr_html_(self) -> str:
        return self.finding._repr_html_()


@dataclass(frozen=True)
class Impossible:
    """There is no such pattern."""

    __bool__ = _refuse_truth

    problem: Problem = field(repr=False)
    reason: str
    """Why: a contradiction in the problem itself, or a solver's refutation."""
    provenance: Provenance | None = field(default=None, repr=False)
    certificate: Path | None = field(default=None, repr=False)
    """The folder with the proof, if one was asked for."""

    @property
    def word(self) -> str:
        """``impossible``; or ``exhausted``: a search ran dry, and nobody has checked it."""
        return "impossible" if self.certificate or not _is_unchecked(self) else "exhausted"

    def _repr_html_(self) -> str:
        from satlife.problem.cards import show_impossible  # noqa: PLC0415 - only when shown

        return show_impossible(self).to_html()


@dataclass(frozen=True)
class Undecided:
    """Neither found nor refuted within the limits."""

    __bool__ = _refuse_truth

    problem: Problem = field(repr=False)
    reason: str
    provenance: Provenance | None = field(default=None, repr=False)

    def _repr_html_(self) -> str:
        from satlife.problem.cards import show_undecided  # noqa: PLC0415 - only when shown

        return show_undecided(self).to_html()


@dataclass(frozen=True)
class Listed:
    """How a listing of all solutions ended."""

    __bool__ = _refuse_truth

    problem: Problem = field(repr=False)
    found: int
    """How many were found, without those found before."""
    complete: bool
    """Whether there are no others."""
    reason: str
    """Why it ended."""
    reached_limit: bool = False
    """Whether it ended because as many were found as were wanted."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """How many solutions were left out, by reason."""
    provenance: Provenance | None = field(default=None, repr=False)

    @property
    def word(self) -> str:
        """``all``, ``unfinished``, or ``exhausted``: a search ran dry, and nobody has checked."""
        if not self.complete:
            return "unfinished"
        return "exhausted" if _is_unchecked(self) else "all"


def _is_unchecked(answer: Impossible | Listed) -> bool:
    """Whether the answer rests on a search by rows alone."""
    return bool(answer.provenance and answer.provenance.details.get("exhausted"))


Outcome = Found | Impossible | Undecided
