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

from satlife.life import Pattern, Rule
from satlife.search.problem import Problem
from satlife.search.problem.states import make_pattern

if TYPE_CHECKING:
    from satlife.life.identity import Identity
    from satlife.life.rulespaces import RuleSpace
    from satlife.show.scene import Scene


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
        from satlife.search.problem.scenes import make_scene  # noqa: PLC0415 - only when shown

        return make_scene(self)

    def play(self) -> Any:
        """Return a player for notebooks (the extra ``notebook``)."""
        from satlife.show.widget import play  # noqa: PLC0415 - an extra

        return play(self)

    def _repr_html_(self) -> str:
        from satlife.search.problem.cards import show_finding  # noqa: PLC0415 - only when shown

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
        from satlife.search.problem.cards import show_impossible  # noqa: PLC0415 - only when shown

        return show_impossible(self).to_html()


@dataclass(frozen=True)
class Undecided:
    """Neither found nor refuted within the limits."""

    __bool__ = _refuse_truth

    problem: Problem = field(repr=False)
    reason: str
    provenance: Provenance | None = field(default=None, repr=False)

    def _repr_html_(self) -> str:
        from satlife.search.problem.cards import show_undecided  # noqa: PLC0415 - only when shown

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
