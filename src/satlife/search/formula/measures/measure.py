"""A measure: a number that every solution of a problem has, to be bounded or optimised.

Here it is counted by literals of a formula.  :mod:`satlife.search.checking.evaluate` finds the same
number in the arrays of a solution, and shares no code with this.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from satlife.errors import UsageError
from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import (
    FALSE,
    TRUE,
    add_bounded,
    add_clauses,
    all_of,
    any_of,
    count_true,
)
from satlife.search.formula.measures.change import bound_change, count_change
from satlife.search.formula.measures.extent import EXTENTS
from satlife.search.formula.measures.terms import TERMS
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem.constraints import Bound, Decay, Growth, Population


@dataclass(frozen=True, eq=False)
class Count:
    """A number in unary, as literals of a formula."""

    outputs: IntArray
    """``outputs[k]`` is true if and only if the number is at least k + 1.

    It may be a constant, TRUE or FALSE, and a literal may occur several times.
    """
    is_capped: bool = False
    """Whether the number may be larger than the number of outputs."""

    @property
    def lowest(self) -> int:
        """The least possible number, by constants alone."""
        return int((self.outputs == TRUE).sum())

    @property
    def highest(self) -> int | None:
        """The largest possible number, by constants alone; None if it is capped."""
        possible = int((self.outputs != FALSE).sum())
        return None if self.is_capped and possible == len(self.outputs) else possible

    def at_least(self, number: int) -> int:
        """Return the literal, or constant, with this meaning."""
        if number <= 0:
            return TRUE
        if number <= len(self.outputs):
            return int(self.outputs[number - 1])
        if self.highest is None:
            raise UsageError(f"the count ends at {len(self.outputs)}, so it cannot reach {number}")
        return FALSE

    def at_most(self, number: int) -> int:
        """Return the literal, or constant, with this meaning."""
        return -self.at_least(number + 1)


@dataclass(frozen=True)
class Measure:
    """A number that every solution has: the subject of a bound, without the bound.

    >>> from satlife.search.problem.constraints import Rotor
    >>> measure = Measure(Rotor(most=9))
    >>> measure.name, measure.words, measure.bound(least=4)
    ('rotor', 'cells in the rotor', Rotor(least=4, most=None))
    """

    what: Bound
    """A constraint on it; the numbers in it are ignored."""

    def __post_init__(self) -> None:
        if isinstance(self.what, Population) and self.what.generation == "every":
            raise UsageError(
                "every generation has its own population; write population@least or population@most"
            )
        object.__setattr__(self, "what", self.bound())

    @property
    def name(self) -> str:
        """The word by which ``find_measure`` finds it."""
        generation = getattr(self.what, "generation", 0)
        tag = str(self.what.__struct_config__.tag)
        return f"{tag}@{generation}" if generation else tag

    @property
    def spec(self) -> str:
        """The name with the generation in any case, for what is stored: ``population@0``."""
        generation = getattr(self.what, "generation", None)
        tag = str(self.what.__struct_config__.tag)
        return tag if generation is None else f"{tag}@{generation}"

    @property
    def words(self) -> str:
        """What is measured, as in "live cells in generation 0"."""
        return self.what.measured

    def count(self, spacetime: SpaceTime, builder: FormulaBuilder, cap: int | None = None) -> Count:
        """Add clauses that count, with a cap only up to that number.

        The outputs are equivalent to their meaning, so they may be assumed or asserted, true or
        false.  The builder must already have the variables of the space-time.
        """
        if type(self.what) in EXTENTS:
            outputs = EXTENTS[type(self.what)](spacetime, builder)
            return Count(outputs[:cap], is_capped=cap is not None and cap < len(outputs))
        if isinstance(self.what, Growth | Decay):
            outputs = count_change(spacetime, builder, self.what, cap)
        elif isinstance(self.what, Population) and self.what.generation in _EXTREMES:
            outputs = _count_extreme(spacetime, builder, self.what, cap)
        else:
            terms = TERMS[type(self.what)](spacetime, builder, self.what)
            outputs = count_true(builder, self._origin, terms, cap)
        return Count(outputs, is_capped=len(outputs) == cap)

    def bound(self, least: int = 0, most: int | None = None) -> Bound:
        """Return the constraint that bounds it."""
        return msgspec.structs.replace(self.what, least=least, most=most)

    def add_bound(
        self, spacetime: SpaceTime, builder: FormulaBuilder, least: int, most: int | None
    ) -> None:
        """Add clauses that bound it; they are fewer than those of a count."""
        if isinstance(self.what, Growth | Decay):
            bound_change(spacetime, builder, self.what, least, most)
            return
        if type(self.what) in TERMS and getattr(self.what, "generation", 0) not in _EXTREMES:
            terms = TERMS[type(self.what)](spacetime, builder, self.what)
            add_bounded(builder, self._origin, terms, least, most)
            return
        count = self.count(spacetime, builder, least if most is None else max(least, most + 1))
        asked = [count.at_least(least), *([] if most is None else [count.at_most(most)])]
        add_clauses(builder, self._origin, np.array(asked, np.int32))

    @property
    def _origin(self) -> str:
        return str(self.what.__struct_config__.tag)

    def __str__(self) -> str:
        return self.name


_EXTREMES = ("least", "most")
"""The generations that are found by comparing populations."""


def add_measured(spacetime: SpaceTime, builder: FormulaBuilder, bound: Bound) -> None:
    """Add the clauses of a bound in a problem."""
    least, most = bound.least, bound.most
    if isinstance(bound, Population) and bound.generation in ("every", *_EXTREMES):
        # A lower bound on the least populated generation is one on every generation.
        if bound.generation in ("every", "least") and least:
            _add_to_every(spacetime, builder, least, None)
            least = 0
        if bound.generation in ("every", "most") and most is not None:
            _add_to_every(spacetime, builder, 0, most)
            most = None
        if not least and most is None:
            return
    Measure(bound).add_bound(spacetime, builder, least, most)


def _add_to_every(
    spacetime: SpaceTime, builder: FormulaBuilder, least: int, most: int | None
) -> None:
    for t in range(spacetime.problem.generations):
        Measure(Population(generation=t)).add_bound(spacetime, builder, least, most)


def _count_extreme(
    spacetime: SpaceTime, builder: FormulaBuilder, which: Population, cap: int | None
) -> IntArray:
    """Count the least or most populated generation.

    This takes a counter for each generation, and a variable and p + 1 clauses for each number that
    all (any) of them may reach.
    """
    counts = [
        count_true(builder, "population", spacetime.generation(t), cap)
        for t in range(spacetime.problem.generations)
    ]
    longest = max(map(len, counts))
    padded = [np.pad(each, (0, longest - len(each)), constant_values=FALSE) for each in counts]
    gate = all_of if which.generation == "least" else any_of
    return gate(builder, "population", np.stack(padded, axis=1))
