"""Goals of an optimisation, and its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from satlife.errors import UsageError
from satlife.formula.classes import History
from satlife.formula.measures import Measure, find_measure
from satlife.given import check_several
from satlife.kinds import kind_of
from satlife.problem import Problem
from satlife.problem.constraints import Which
from satlife.problem.outcome import Finding, Provenance
from satlife.verifier.constraints import evaluate

if TYPE_CHECKING:
    from satlife.show.scene import Scene


class Goal(Struct, frozen=True):
    """A measure to minimise or to maximise.

    >>> print(Goal.parse("minimize", "population"))
    least population
    """

    measure: Measure
    maximize: bool = False

    @classmethod
    def parse(cls, direction: str, name: str) -> Goal:
        """Build a goal from ``minimize`` or ``maximize`` and a measure's name."""
        if direction not in ("minimize", "maximize"):
            raise UsageError(f"a goal is to minimize or to maximize, not to {direction}")
        return cls(find_measure(name), direction == "maximize")

    def __str__(self) -> str:
        return f"{'most' if self.maximize else 'least'} {self.measure.name}"


@dataclass(frozen=True)
class Best:
    """The best solution found; ``proved`` says whether there is none better."""

    finding: Finding
    goals: tuple[Goal, ...]
    values: tuple[int, ...]
    """The value of each measure, in the order of the goals."""
    proved: bool
    reason: str = ""
    """The limit because of which it is not proved."""
    provenance: Provenance | None = field(default=None, repr=False)
    """Provenance of the unfinished search, if it is not proved."""

    def scene(self) -> Scene:
        """Return its generations, to be drawn by :mod:`satlife.show`."""
        return self.finding.scene()

    def play(self) -> Any:
        """Return a player for notebooks (the extra ``notebook``)."""
        return self.finding.play()

    def _repr_html_(self) -> str:
        return self.finding._repr_html_(f"{self}.".capitalize())

    def __str__(self) -> str:
        values = ", ".join(
            f"{goal} {value}" for goal, value in zip(self.goals, self.values, strict=True)
        )
        return f"{values} ({'proved' if self.proved else f'not proved best: {self.reason}'})"


def name_goals(
    problem: Problem, minimize: str | Iterable[str], maximize: str | Iterable[str]
) -> list[Goal]:
    """Return the goals for measures given by name.

    The population of an object with a period is that of its least populated phase, as in every
    table of known objects; of an eater, or another catalyst, that of the catalyst alone; of
    everything else, and as ``population@0``, that of generation 0.
    """
    names = {"population": f"population@{_usual_phase(problem)}"}
    return [
        Goal.parse(direction, names.get(name, name))
        for direction, given in (("minimize", minimize), ("maximize", maximize))
        for name in check_several(given, str, direction, "the name of a measure, or several")
    ]


def read_goals(given: Goal | Iterable[Goal]) -> tuple[Goal, ...]:
    """Return the goals as a tuple; raise if one measure is both minimised and maximised."""
    words = "a Goal, such as Goal.parse('minimize', 'population'), or several"
    goals: tuple[Goal, ...] = check_several(given, Goal, "goals", words)
    ways: dict[Measure, bool] = {}
    for goal in goals:
        if ways.setdefault(goal.measure, goal.maximize) != goal.maximize:
            raise UsageError(f"{goal.measure.name} is to be both minimized and maximized; keep one")
    return goals


def evaluate_goals(problem: Problem, history: History, goals: Iterable[Goal]) -> tuple[int, ...]:
    """Return the value of each goal in a solution."""
    return tuple(evaluate(problem, history, goal.measure.what) for goal in goals)


def _usual_phase(problem: Problem) -> Which:
    """Return the generation that ``population`` refers to by default."""
    alone = kind_of(problem).catalyst_generation(problem)
    if alone is not None:
        return alone
    # Given cells belong to generation 0 in a completion; in an oscillator they are sparks.
    given = problem.known and kind_of(problem).axis is None
    has_phases = problem.motion is not None and problem.motion.period > 1 and not given
    return "least" if has_phases else 0
