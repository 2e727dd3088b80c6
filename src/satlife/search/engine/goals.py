"""Goals of an optimum, and the best solution by them."""

from __future__ import annotations

from dataclasses import dataclass

from satlife.errors import UsageError
from satlife.search.formula.measures import Measure, find_measure
from satlife.search.problem.outcome import Finding


@dataclass(frozen=True)
class Goal:
    """A measure, and whether less or more of it is better.

    >>> print(Goal.parse("minimize", "population"))
    least population
    """

    measure: Measure
    maximize: bool = False

    @classmethod
    def parse(cls, direction: str, name: str) -> Goal:
        """Make a goal of ``minimize`` or ``maximize`` and a measure's name."""
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
    """Why it is not proved: a limit."""

    def __str__(self) -> str:
        values = ", ".join(
            f"{goal} {value}" for goal, value in zip(self.goals, self.values, strict=True)
        )
        return f"{values} ({'proved' if self.proved else f'not proved best: {self.reason}'})"
