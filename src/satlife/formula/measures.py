"""Measures: the numbers that can be bounded, minimised and maximised.

>>> find_measure("population@least").words
'live cells in the least populated generation'

To add one, write its bound in :mod:`satlife.problem.bounds`, how it is counted in the
table ``TERMS`` (a number of cells) or ``EXTENTS`` (in unary), its value in a solution in
:mod:`satlife.verifier.constraints`, and its sentence in :mod:`satlife.audit.constraints`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from satlife.errors import UsageError
from satlife.formula.spacetime import SpaceTime, places
from satlife.life.box import Box
from satlife.problem import Problem
from satlife.problem.constraints import (
    BOUNDS,
    Area,
    Bound,
    Changes,
    Decay,
    Difference,
    Growth,
    Height,
    Population,
    Rotor,
    Stator,
    Width,
    parse_which,
)
from satlife.sat.formula import FormulaBuilder, IntArray
from satlife.sat.logic import (
    FALSE,
    TRUE,
    add_bounded,
    add_clauses,
    all_of,
    any_of,
    count_true,
    differ,
)

# Growth and decay: the greatest change of the population from one generation to the next.
#
# With unary counters a and b of two generations, a exceeds b by d or more if and only if some j has
# a at least j + d, and b less than j + 1.  So an upper bound is a clause of two literals for each
# number of cells and each step; a lower bound, or a count, takes a variable for each.


Pair = tuple[IntArray, IntArray]


def count_change(
    spacetime: SpaceTime, builder: FormulaBuilder, what: Growth | Decay, cap: int | None
) -> IntArray:
    """Return the growth or decay in unary, with a cap only up to that number."""
    pairs = _pairs(spacetime, builder, what)
    longest = max((len(more) for more, _ in pairs), default=0)
    highest = longest if cap is None else min(cap, longest)
    outputs = [_exceeds(builder, pairs, d) for d in range(1, highest + 1)]
    return np.array(outputs, np.int32)


def bound_change(
    spacetime: SpaceTime,
    builder: FormulaBuilder,
    what: Growth | Decay,
    least: int,
    most: int | None,
) -> None:
    """Add clauses that bound it."""
    pairs = _pairs(spacetime, builder, what)
    if most is not None:
        for more, less in pairs:
            add_clauses(builder, ORIGIN, -more[most:], _pad(less, len(more))[: len(more[most:])])
    if least:
        add_clauses(builder, ORIGIN, np.array([_exceeds(builder, pairs, least)], np.int32))


ORIGIN = "change of population"


def _pairs(spacetime: SpaceTime, builder: FormulaBuilder, what: Growth | Decay) -> list[Pair]:
    """Return the counters of both generations of each step, the one that shall not exceed first."""
    problem = spacetime.problem
    counts = [
        count_true(builder, ORIGIN, spacetime.generation(t).ravel())
        for t in range(problem.generations)
    ]
    later = [*counts[1:], *(counts[:1] if problem.motion else ())]
    steps = zip(later, counts, strict=False)
    return [(new, old) if isinstance(what, Growth) else (old, new) for new, old in steps]


def _exceeds(builder: FormulaBuilder, pairs: list[Pair], d: int) -> int:
    """Return a literal: whether in some pair the first number exceeds the second by d or more."""
    rows = [
        np.column_stack([more[d - 1 :], -_pad(less, len(more))[: len(more[d - 1 :])]])
        for more, less in pairs
        if len(more) >= d
    ]
    if not rows:
        return FALSE
    reached = all_of(builder, ORIGIN, np.concatenate(rows).astype(np.int32))
    return int(any_of(builder, ORIGIN, reached[None])[0])


def _pad(count: IntArray, length: int) -> IntArray:
    """Return the counter with FALSE for the numbers that it cannot reach."""
    return np.pad(count, (0, max(0, length - len(count))), constant_values=FALSE)


# The cells that are not the same in a generation and the next one: literals for each step.
#
# After a period the pattern is generation 0 again, moved or turned, so it may have left the boxes.


def list_changes(spacetime: SpaceTime, builder: FormulaBuilder) -> list[IntArray]:
    """Return for each step which cells change: a variable and four clauses for each."""
    problem, box, whole = spacetime.problem, spacetime.boxes[0], frame(spacetime)
    motion = problem.motion
    if motion is not None and problem.boundary == "dead":
        turned = 0 if motion.only_shifts else abs(box.width - box.height)
        whole = whole.grow(max(abs(motion.dx), abs(motion.dy)) + turned)
    x, y = places(whole)
    film = [spacetime.literals(x, y, t) for t in range(problem.steps + 1)]
    return [differ(builder, CHANGES, np.stack(pair, axis=1)) for pair in pairwise(film)]


CHANGES = "changes"


def bound_changes(
    spacetime: SpaceTime, builder: FormulaBuilder, least: int, most: int | None
) -> None:
    """Add clauses that bound the number in every step, and in some step from below."""
    steps = list_changes(spacetime, builder)
    if most is not None:
        for cells in steps:
            add_bounded(builder, CHANGES, cells, 0, most)
    if least:
        reached = [Count(count_true(builder, CHANGES, cells, least)) for cells in steps]
        some = [each.at_least(least) for each in reached]
        add_clauses(builder, CHANGES, np.array([some or [FALSE]], np.int32))


def count_changes(spacetime: SpaceTime, builder: FormulaBuilder, cap: int | None) -> IntArray:
    """Return the most cells that change in a step, in unary."""
    steps = [count_true(builder, CHANGES, cells, cap) for cells in list_changes(spacetime, builder)]
    longest = max(map(len, steps), default=0)
    padded = [np.pad(each, (0, longest - len(each)), constant_values=FALSE) for each in steps]
    if not longest:
        return np.zeros(0, np.int32)
    return any_of(builder, CHANGES, np.stack(padded, axis=1))


# Measures that are a number of cells: each is an array of literals, and the true ones count.
#
# A literal that stands for several cells occurs several times; TRUE and FALSE may occur.


def live_cells(spacetime: SpaceTime, _: FormulaBuilder, which: Population) -> IntArray:
    """Return the cells of one generation, or of all."""
    if which.generation == "sum":
        generations = range(spacetime.problem.generations)
        return np.concatenate([spacetime.generation(t).ravel() for t in generations])
    if not isinstance(which.generation, int):
        raise AssertionError("this needs a single generation")
    return spacetime.generation(place_generation(spacetime.problem, which.generation))


def changing_cells(spacetime: SpaceTime, builder: FormulaBuilder, _: Rotor) -> IntArray:
    """Return which cells change in p generations: a variable and p + 2 clauses for each."""
    return differ(builder, "rotor", cell_histories(spacetime))


def staying_cells(spacetime: SpaceTime, builder: FormulaBuilder, _: Stator) -> IntArray:
    """Return which cells live in all p generations: a variable and p + 1 clauses for each."""
    return all_of(builder, "stator", cell_histories(spacetime))


def wrong_cells(spacetime: SpaceTime, _: FormulaBuilder, drawing: Difference) -> IntArray:
    """Return which cells are not as drawn."""
    t = place_generation(spacetime.problem, drawing.generation, moved=False)
    box = spacetime.boxes[t]
    if spacetime.problem.boundary == "dead":
        box |= Box(drawing.x, drawing.y, max(map(len, drawing.rows), default=0), len(drawing.rows))
    x, y = places(box)
    drawn = np.full((box.height, box.width), ".", "U1")
    for j, row in enumerate(drawing.rows, drawing.y - box.y):
        for i, state in enumerate(row, drawing.x - box.x):
            if 0 <= i < box.width and 0 <= j < box.height:
                drawn[j, i] = state
    cells = spacetime.literals(x, y, t)
    wrong = np.select([drawn.ravel() == ".", drawn.ravel() == "o"], [cells, -cells], FALSE)
    return wrong.astype(np.int32)


TERMS: dict[type[Any], Callable[[SpaceTime, FormulaBuilder, Any], IntArray]] = {
    Population: live_cells,
    Rotor: changing_cells,
    Stator: staying_cells,
    Difference: wrong_cells,
}
"""The cells that each of these measures counts."""


def place_generation(problem: Problem, t: int, moved: bool = True) -> int:
    """Return the generation with its own cells that equals generation t, moved or not."""
    if moved and problem.motion is not None:
        return t % problem.steps
    if t >= problem.generations:
        raise UsageError(f"the problem has generations 0 to {problem.generations - 1}, not {t}")
    return t


def cell_histories(spacetime: SpaceTime) -> IntArray:
    """Return the literals of every cell in all generations: a row for each cell, row by row."""
    x, y = places(frame(spacetime))
    generations = range(spacetime.problem.generations)
    return np.stack([spacetime.literals(x, y, t) for t in generations], axis=1)


def frame(spacetime: SpaceTime) -> Box:
    """Return the least box that contains those of all generations."""
    whole = spacetime.boxes[0]
    for box in spacetime.boxes:
        whole |= box
    return whole


# Width, height and area of the envelope: the least box that holds generations 0 to p - 1.
#
# The box does not move: the envelope of a ship is larger than any of its phases. On a torus there
# is no envelope.
#
# A column is used if one of its cells lives in some generation. With L(x), a used column at x or
# to the left, and R(x), one at x or to the right, the width is at least k if and only if
# - some x has both L(x) and R(x + k - 1);
# - no x has neither L(x - 1) nor R(x + k - 1), or all would be in a window of k - 1 columns.
#
# So both directions are clauses of three literals, about W² for W columns.


def width(spacetime: SpaceTime, builder: FormulaBuilder) -> IntArray:
    """Return the width of the envelope, in unary."""
    return span(builder, "width", _columns(spacetime))


def height(spacetime: SpaceTime, builder: FormulaBuilder) -> IntArray:
    """Return the height of the envelope, in unary."""
    return span(builder, "height", _rows(spacetime))


def _columns(spacetime: SpaceTime) -> IntArray:
    return _rows(spacetime).swapaxes(0, 1)


def area(spacetime: SpaceTime, builder: FormulaBuilder) -> IntArray:
    """Return the width times the height, in unary.

    This is a totalizer with products instead of sums: a variable and a clause for each product of
    a width and a height, and two clauses for each pair.
    """
    return _product(builder, "area", width(spacetime, builder), height(spacetime, builder))


EXTENTS: dict[type[Any], Callable[[SpaceTime, FormulaBuilder], IntArray]] = {
    Width: width,
    Height: height,
    Area: area,
}
"""How each of these measures is counted, in unary."""


def span(builder: FormulaBuilder, origin: str, lines: IntArray) -> IntArray:
    """Return unary outputs: how many lines there are from the first used one to the last.

    ``lines[i]`` holds the literals of a line, which is used if one of them is true.
    """
    count = len(lines)
    used = any_of(builder, origin, lines.reshape(count, -1))
    before = _running(builder, origin, used)
    after = _running(builder, origin, used[::-1])[::-1]
    # There is nothing to the left of the first line or to the right of the last one.
    before = np.concatenate([[FALSE], before]).astype(np.int32)  # before[x]: left of x
    after = np.concatenate([after, [FALSE]]).astype(np.int32)  # after[x]: at x, or right of it
    outputs = builder.new_variables(count)
    for k in range(1, count + 1):
        x = np.arange(count - k + 1)
        output = np.full(len(x), outputs[k - 1], np.int32)
        add_clauses(builder, origin, output, -before[x + 1], -after[x + k - 1])
        x = np.arange(count - k + 2)
        output = np.full(len(x), outputs[k - 1], np.int32)
        add_clauses(builder, origin, -output, before[x], after[x + k - 1])
    return outputs


def _running(builder: FormulaBuilder, origin: str, used: IntArray) -> IntArray:
    """Return literals: whether one of the lines up to this one is used."""
    result = used.copy()
    for i in range(1, len(used)):
        result[i] = any_of(builder, origin, np.array([[result[i - 1], used[i]]], np.int32))[0]
    return result


def _product(builder: FormulaBuilder, origin: str, width: IntArray, height: IntArray) -> IntArray:
    w, h = (axis.ravel() for axis in np.indices((len(width) + 1, len(height) + 1)))
    products = np.unique(w * h)[1:]
    # level[i]: the area is at least products[i]; none is larger than the last.
    level = np.append(builder.new_variables(len(products)), FALSE).astype(np.int32)
    # wide[k]: the width is at least k.
    wide, high = (
        np.concatenate([[TRUE], side, [FALSE]]).astype(np.int32) for side in (width, height)
    )
    some = (w > 0) & (h > 0)
    reached = level[np.searchsorted(products, (w * h)[some])]
    add_clauses(builder, origin, -wide[w[some]], -high[h[some]], reached)
    beyond = level[np.searchsorted(products, w * h, side="right")]
    add_clauses(builder, origin, wide[w + 1], high[h + 1], -beyond)
    # 4x4 reaches 16 and 12, but not 3x5: that 16 is at least 15 needs a clause.
    add_clauses(builder, origin, -level[1:-1], level[:-2])
    areas = np.arange(1, int(products[-1]) + 1)
    outputs: IntArray = level[np.searchsorted(products, areas)]
    return outputs


def _rows(spacetime: SpaceTime) -> IntArray:
    """Return the literals of all cells in all generations, indexed [y, x, t]."""
    where = {"torus": "on a torus", "agar": "in a background"}.get(spacetime.problem.boundary)
    if where is not None:
        raise UsageError(
            f"a pattern {where} has no width, height or area; use a problem in the plane"
        )
    box = frame(spacetime)
    return cell_histories(spacetime).reshape(box.height, box.width, -1)


# A measure: a number that every solution of a problem has, to be bounded or optimised.
#
# Here it is counted by literals of a formula.  :mod:`satlife.verifier.constraints` finds the same
# number in the arrays of a solution, and shares no code with this.


class Count(Struct, frozen=True, eq=False):
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

    >>> from satlife.problem.constraints import Rotor
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
        elif isinstance(self.what, Changes):
            outputs = count_changes(spacetime, builder, cap)
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
        if isinstance(self.what, Changes):
            bound_changes(spacetime, builder, least, most)
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
    if isinstance(bound, Width | Height) and most is None:
        lines = _columns(spacetime) if isinstance(bound, Width) else _rows(spacetime)
        if least == len(lines):  # it reaches both edges, which needs no counting
            add_clauses(builder, bound.noun, lines[:1].reshape(1, -1))
            add_clauses(builder, bound.noun, lines[-1:].reshape(1, -1))
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


MEASURES: Final[tuple[Measure, ...]] = (
    *(Measure(Population(generation=which)) for which in (0, "least", "most", "sum")),
    *(Measure(each()) for each in BOUNDS if each is not Population and not each.drawn_as),
)
"""Every measure that a name alone determines; ``population@3`` is found too."""


def find_measure(name: str) -> Measure:
    """Find a measure by its name: one of the table, or ``population@3``.

    The difference from a pattern is not among them, since it needs the pattern: it is
    ``Measure(Difference.of(pattern))``.
    """
    word = name.strip().lower()
    for measure in MEASURES:
        if measure.name == word:
            return measure
    kind, at, which = word.partition("@")
    if kind == "population" and at:
        return Measure(Population(generation=parse_which(which)))
    names = [measure.name for measure in MEASURES]
    near = get_close_matches(word, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"use one of {', '.join(names)}"
    raise UsageError(f"there is no measure {name!r}; {hint}")
