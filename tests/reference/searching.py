"""All solutions: every filling of the cells that nothing determines, tried at once with arrays.

A column is the state of one cell in all the fillings that are still possible; a condition is a
column of truth values, and the fillings that break it are dropped.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests.reference.arriving import arrivals
from tests.reference.asked import ALIVE, DEAD, UNSAID, Asked, Cell, History, Place, TooLarge, nine
from tests.reference.checking import earlier_returns, full_period, full_period_places, returns
from tests.reference.measuring import Bound, in_bound, numbers
from tests.reference.restoring import compared, drawn_cells, ways, zone
from tests.reference.rules import Table
from tests.reference.symmetries import axis_cells, centres, equal_cells

Column = npt.NDArray[np.uint8]
Truth = npt.NDArray[np.bool_]

LARGEST = 2**17
"""Fillings that are tried at once."""


def solutions(problem: bytes | str, largest: int = LARGEST) -> list[History]:
    """Return all histories that solve the problem."""
    asked = Asked(problem)
    found: dict[bytes, History] = {}
    for table in asked.rules.tables:
        for history in _Fillings(asked, table, largest).histories():
            found.setdefault(b"".join(states.tobytes() for states in history), history)
    return list(found.values())


def solved_rules(problem: bytes | str, largest: int = LARGEST) -> list[Table]:
    """Return the tables of those rules of a set that have a solution."""
    asked = Asked(problem)
    return [t for t in asked.rules.tables if _Fillings(asked, t, largest).count]


def count_raw(problem: bytes | str) -> int:
    """Return how many histories solve the problem."""
    return len(solutions(problem))


class _Fillings:
    def __init__(self, asked: Asked, table: Table, largest: int) -> None:
        self.asked, self.table, self.largest = asked, table, largest
        self.columns: dict[Cell, Column] = {}
        self.past: dict[Cell, Column] = {}
        self.count = 1
        self.fill(0, list(asked.boxes[0]))
        self.fill_past()
        for t in range(1, asked.steps + 1):
            self.step(t)
        self.keep_past()
        self.keep_known()
        self.keep_symmetric(range(asked.generations))
        self.keep_last_inside()
        self.keep_linked()
        for constraint in asked.constraints:
            self.keep_constraint(constraint)

    def histories(self) -> list[History]:
        asked = self.asked
        films = [
            np.stack([self.shown(place, t) for place in box], axis=1).reshape(
                self.count, box.height, box.width
            )
            for t, box in enumerate(asked.boxes)
        ]
        return [tuple(film[i] for film in films) for i in range(self.count)]

    def shown(self, place: Place, t: int) -> Column:
        """Return what a history has of a cell: whether it lives, or its state."""
        dying = t == 0 and self.asked.shows_dying
        return self.whole(place, t) if dying else self.columns[place, t]

    def whole(self, place: Place, t: int) -> Column:
        """Return the state of a cell, dying ones included."""
        live = self.state(place, t)
        assert live is not None
        state = live.copy()
        for age in range(1, self.asked.rules.states - 1):
            lived = self.lived(place, t - age)
            state[(state == 0) & (lived == 1)] = age + 1
        return state

    def lived(self, place: Place, t: int) -> Column:
        """Return whether a cell lived; before generation 0, what its state in that one says."""
        place = self.asked.in_tile(place)
        if t < 0:
            return self.past.get((place, t), np.zeros(self.count, np.uint8))
        state = self.state(place, t)
        assert state is not None
        return state

    def fill_past(self) -> None:
        """Let each cell that does not live in generation 0 be dying in all ways that it can be."""
        asked, ages = self.asked, range(1, self.asked.rules.states - 1)
        for place in asked.past_places():
            live = self.columns.get((place, 0), np.zeros(self.count, np.uint8))
            known = asked.known.get((place, 0))
            wanted = [0, *ages] if known is None else [max(0, known - 1)]
            # A cell that lives has one past: it does not matter.
            every, dead = np.arange(self.count), np.flatnonzero(live == 0)
            rows = [every if age == 0 else dead for age in wanted]
            chosen, age_of = np.concatenate(rows), np.repeat(wanted, [len(each) for each in rows])
            if len(chosen) > self.largest:
                raise TooLarge(f"{len(chosen)} fillings")
            self.columns = {cell: column[chosen] for cell, column in self.columns.items()}
            self.past = {cell: column[chosen] for cell, column in self.past.items()}
            self.count = len(chosen)
            for age in ages:
                self.past[place, -age] = (age_of == age).astype(np.uint8)

    def keep_past(self) -> None:
        """With a motion, the past is what the generations before were."""
        asked = self.asked
        if not asked.motion:
            return
        for place in asked.past_places():
            for age in range(1, asked.rules.states - 1):
                came = self.state(place, -age)
                for later in range(age):
                    came = came & (1 - self.state(place, -later))
                self.keep(self.past[place, -age] == came)

    def state(self, place: Place, t: int) -> Column | None:
        """Return the state of the cell in all fillings; None if nothing is said of it."""
        cell = self.asked.cell(place, t)
        if cell == UNSAID:
            return None
        if isinstance(cell, str):
            return np.full(self.count, cell == ALIVE, np.uint8)
        return self.columns[cell]

    def keep(self, good: Truth) -> None:
        """Drop the fillings that are not good."""
        if not good.all():
            self.columns = {cell: column[good] for cell, column in self.columns.items()}
            self.past = {cell: column[good] for cell, column in self.past.items()}
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
        self.past = {cell: np.repeat(column, ways) for cell, column in self.past.items()}
        for bit, place in enumerate(unknown):
            column = (np.arange(ways) >> bit & 1).astype(np.uint8)
            self.columns[place, t] = np.tile(column, before)
        self.keep_live(t)
        self.keep_symmetric([t])

    def given(self, place: Place, t: int) -> Column | None:
        """Return the state of a cell that is known, or linked to one that is there already."""
        if (place, t) in self.asked.known:
            return np.full(self.count, self.asked.known[place, t] == 1, np.uint8)
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
        good = np.ones(self.count, np.bool_)
        for place in asked.ruled(t):
            cells = [self.state(near, t - 1) for near in nine(place)]
            earlier = [self.lived(place, k) for k in asked.ages(t)]
            follows = asked.follow(self.table, cells, earlier, t)
            cell = asked.cell(place, t)
            if cell == (place, t):
                self.columns[cell] = follows
            else:  # it is outside, or a cell of generation 0 that has moved
                good &= follows == self.state(place, t)
        self.keep(good)
        if t < asked.generations:
            self.fill(t, [place for place in asked.boxes[t] if (place, t) not in self.columns])
        else:
            self.keep_live(t)

    def keep_live(self, t: int) -> None:
        """Keep what lives where that is known, and nowhere else."""
        for (place, when), wanted in self.asked.known.items():
            if when == t:
                self.keep(self.state(place, t) == (wanted == 1))

    def keep_known(self) -> None:
        for (place, t), wanted in self.asked.known.items():
            self.keep(self.whole(place, t) == wanted)

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
        for age in range(1, self.asked.rules.states - 1) if whole and not self.asked.motion else ():
            for (place, t), (image, later) in equal_cells(self.asked):
                if t == later == 0:
                    self.keep(self.lived(place, -age) == self.lived(image, -age))

    def keep_last_inside(self) -> None:
        if self.asked.include_last:
            last = self.asked.steps
            for place in self.asked.places(last) - set(self.asked.boxes[0]):
                self.keep(self.state(place, last) == 0)

    def keep_linked(self) -> None:
        for first, second, opposite in self.asked.links:
            self.keep((self.state(*first) != self.state(*second)) == opposite)

    def keep_constraint(self, constraint: Bound) -> None:  # noqa: PLR0912, PLR0915 - a list
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
        elif kind == "arrival":
            comes = np.zeros(self.count, np.bool_)
            for pairs in arrivals(asked, constraint):
                here = np.ones(self.count, np.bool_)
                for cell, alone, there in pairs:
                    differs = self.state(*cell) > self.state(*alone)
                    here &= differs if there else self.state(*cell) == self.state(*alone)
                comes |= here
            self.keep(comes)
        elif kind == "restored":
            film = {t: self._list_disturbed(constraint, t) for t in compared(constraint)}
            disturbed = {t: sum(each.values(), self._none()) for t, each in film.items()}
            restored = np.zeros(self.count, np.bool_)
            for contact, quiet, held in ways(constraint):
                met = disturbed[contact] > 0
                for cell in drawn_cells(constraint, contact):
                    for each in nine(cell):
                        if each in asked.boxes[constraint["alone"]]:
                            met |= self.state(each, constraint["alone"]).astype(np.bool_)
                met &= ~np.any([disturbed[t] > 0 for t in held], axis=0)
                for t in quiet if "active" in constraint else ():
                    met &= disturbed[t] <= constraint["active"]
                if "ever_active" in constraint:
                    ever = dict[Place, Truth]()
                    for t in quiet:
                        for place, apart in film[t].items():
                            ever[place] = ever.get(place, False) | apart
                    met &= sum(ever.values(), self._none()) <= constraint["ever_active"]
                restored |= met
            self.keep(restored)
        elif kind == "pattern-period":
            for q in earlier_returns(asked):
                pairs = [(self.whole(*one), self.whole(*other)) for one, other in returns(asked, q)]
                self.keep(np.any([one != other for one, other in pairs], axis=0))
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

    def _none(self) -> npt.NDArray[np.int64]:
        return np.zeros(self.count, np.int64)

    def _list_disturbed(self, constraint: Bound, t: int) -> dict[Place, Truth]:
        """Return for each cell of the zone in which histories it is not as alone."""
        alone, disturbed = constraint["alone"], dict[Place, Truth]()
        for place, near in zone(self.asked, constraint, t):
            lives = np.any([self.state(each, alone) for each in near], axis=0)
            disturbed[place] = lives & (self.state(place, t) != self.state(place, alone))
        return disturbed

    def _differ(self, comparisons: list[tuple[Cell, Cell]] | object) -> Truth:
        differ = np.zeros(self.count, np.bool_)
        for first, second in comparisons:
            differ |= self.state(*first) != self.state(*second)
        return differ
