"""All solutions: every filling of the cells that nothing determines, tried at once with arrays.

A column is the state of one cell in all the fillings that are still possible; a condition is a
column of truth values, and the fillings that break it are dropped.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests.reference.asked import DEAD, UNSAID, Asked, Cell, History, Place, TooLarge, neighbourhood
from tests.reference.checking import earlier_returns, full_period, full_period_places, returns
from tests.reference.measuring import Bound, in_bound, numbers
from tests.reference.symmetries import axis_cells, centres, equal_cells

Column = npt.NDArray[np.uint8]
Truth = npt.NDArray[np.bool_]

LARGEST = 2**17
"""Fillings that are tried at once."""


def solutions(problem: bytes | str, largest: int = LARGEST) -> list[History]:
    """Return all histories that solve the problem."""
    asked = Asked(problem)
    return _Fillings(asked, largest).histories()


def count_raw(problem: bytes | str) -> int:
    """Return how many histories solve the problem."""
    return len(solutions(problem))


class _Fillings:
    def __init__(self, asked: Asked, largest: int) -> None:
        self.asked, self.largest = asked, largest
        self.columns: dict[Cell, Column] = {}
        self.count = 1
        self.fill(0, list(asked.boxes[0]))
        for t in range(1, asked.steps + 1):
            self.step(t)
        self.keep_symmetric(range(asked.generations))
        self.keep_last_inside()
        self.keep_linked()
        for constraint in asked.constraints:
            self.keep_constraint(constraint)

    def histories(self) -> list[History]:
        asked = self.asked
        films = [
            np.stack([self.columns[place, t] for place in box], axis=1).reshape(
                self.count, box.height, box.width
            )
            for t, box in enumerate(asked.boxes)
        ]
        return [tuple(film[i] for film in films) for i in range(self.count)]

    def state(self, place: Place, t: int) -> Column | None:
        """Return the state of the cell in all fillings; None if nothing is said of it."""
        cell = self.asked.cell(place, t)
        if cell == UNSAID:
            return None
        return np.zeros(self.count, np.uint8) if cell == DEAD else self.columns[cell]

    def keep(self, good: Truth) -> None:
        """Drop the fillings that are not good."""
        if not good.all():
            self.columns = {cell: column[good] for cell, column in self.columns.items()}
            self.count = int(good.sum())

    def fill(self, t: int, places: list[Place]) -> None:
        """Fill cells of a generation in all ways, those that are given in theirs."""
        given = {place: column for place in places if (column := self.given(place, t)) is not None}
        unknown = [place for place in places if place not in given]
        ways = 2 ** len(unknown)
        if self.count * ways > self.largest:
            raise TooLarge(f"{self.count} x 2^{len(unknown)} fillings")
        before, self.count = self.count, self.count * ways
        self.columns |= {(place, t): column for place, column in given.items()}
        self.columns = {cell: np.repeat(column, ways) for cell, column in self.columns.items()}
        for bit, place in enumerate(unknown):
            column = (np.arange(ways) >> bit & 1).astype(np.uint8)
            self.columns[place, t] = np.tile(column, before)
        self.keep_known(t)
        self.keep_symmetric([t])

    def given(self, place: Place, t: int) -> Column | None:
        """Return the state of a cell that is known, or linked to one that is there already."""
        if (place, t) in self.asked.known:
            return np.full(self.count, self.asked.known[place, t], np.uint8)
        for first, second, opposite in self.asked.links:
            for one, other in ((first, second), (second, first)):
                if self.asked.cell(*one) == (place, t):
                    cell = self.asked.cell(*other)
                    if cell == DEAD or cell in self.columns:
                        return self.state(*other) ^ np.uint8(opposite)
        return None

    def step(self, t: int) -> None:
        """Work out generation t from the one before; what does not follow from it is filled."""
        asked = self.asked
        table = np.array([[asked.rule(a, n) for n in range(9)] for a in (0, 1)], np.uint8)
        good = np.ones(self.count, np.bool_)
        for place in asked.ruled(t):
            alive, *around = (self.state(near, t - 1) for near in neighbourhood(place))
            follows = table[alive, np.sum(around, axis=0)]
            cell = asked.cell(place, t)
            if cell == (place, t):
                self.columns[cell] = follows
            else:  # it is outside, or a cell of generation 0 that has moved
                good &= follows == self.state(place, t)
        self.keep(good)
        if t < asked.generations:
            self.fill(t, [place for place in asked.boxes[t] if (place, t) not in self.columns])
        else:
            self.keep_known(t)

    def keep_known(self, t: int) -> None:
        for (place, when), wanted in self.asked.known.items():
            if when == t:
                self.keep(self.state(place, t) == wanted)

    def keep_symmetric(self, generations: range | list[int]) -> None:
        """Keep what is symmetric, as far as it is among these generations."""
        if self.asked.symmetry == "C1":
            return
        whole = len(generations) == self.asked.generations
        for (place, t), (image, later) in equal_cells(self.asked):
            if whole or (t in generations and later in generations):
                first, second = self.state(place, t), self.state(image, later)
                if first is not None and second is not None:
                    self.keep(first == second)

    def keep_last_inside(self) -> None:
        if self.asked.include_last:
            last = self.asked.steps
            for place in self.asked.places(last) - set(self.asked.boxes[0]):
                self.keep(self.state(place, last) == 0)

    def keep_linked(self) -> None:
        for first, second, opposite in self.asked.links:
            self.keep((self.state(*first) != self.state(*second)) == opposite)

    def keep_constraint(self, constraint: Bound) -> None:  # noqa: PLR0912 - a list
        asked, kind = self.asked, constraint["type"]
        if kind == "not-empty":
            self.keep(self._population(constraint.get("t", 0)) > 0)
        elif kind in ("full-period", "pattern-period") and not earlier_returns(asked):
            self.keep(self._population(0) > 0)
        elif kind == "full-period":
            has_it = np.zeros(self.count, np.bool_)
            for place in full_period_places(asked):
                here = np.ones(self.count, np.bool_)
                for comparisons in full_period(asked, place):
                    here &= self._differ(comparisons)
                has_it |= here
            self.keep(has_it)
        elif kind == "lacks":
            for pairs in centres(asked, constraint["symmetry"]):
                self.keep(self._differ(pairs))
        elif kind == "gutter":
            for place, t in axis_cells(asked):
                self.keep(self.columns[place, t] == 0)
        elif kind == "pattern-period":
            for q in earlier_returns(asked):
                self.keep(self._differ(returns(asked, q)))
        elif kind == "population":
            populations = np.stack([self._population(t) for t in range(asked.generations)])
            match constraint.get("generation", 0):
                case "every":
                    counted = populations
                case "least":
                    counted = populations.min(axis=0, keepdims=True)
                case "most":
                    counted = populations.max(axis=0, keepdims=True)
                case "sum":
                    counted = populations.sum(axis=0, keepdims=True)
                case t:
                    counted = populations[t : t + 1]
            least, most = constraint.get("least", 0), constraint.get("most")
            fits = counted >= least
            if most is not None:
                fits &= counted <= most
            self.keep(fits.all(axis=0))
        else:  # rarer ones, filling by filling
            fits = [
                all(in_bound(n, constraint) for n in numbers(asked, history, constraint))
                for history in self.histories()
            ]
            self.keep(np.array(fits, np.bool_))

    def _population(self, t: int) -> npt.NDArray[np.int64]:
        columns = [self.columns[place, t].astype(np.int64) for place in self.asked.boxes[t]]
        return np.sum(columns, axis=0)

    def _differ(self, comparisons: list[tuple[Cell, Cell]] | object) -> Truth:
        differ = np.zeros(self.count, np.bool_)
        for first, second in comparisons:
            differ |= self.state(*first) != self.state(*second)
        return differ
