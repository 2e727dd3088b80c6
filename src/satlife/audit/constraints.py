"""The constraints of a problem as plain clauses: the second half of the audit formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise, product
from typing import assert_never

from satlife.audit.gates import FALSE, TRUE, PlainClauses
from satlife.audit.places import Place, list_lines, list_places, read_drawing
from satlife.life import Box, Motion
from satlife.problem import Problem
from satlife.problem import constraints as ask


class ConstraintClauses(PlainClauses):
    """Clauses about many cells; the subclass ``Audit`` defines cells and turns."""

    frame: Box
    """The box that holds the boxes of all generations."""
    beats, ages = 1, 0
    """The period of the background, and the number of generations in which a cell is dying."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem, self.boxes = problem, [*problem.all_boxes]
        self.torus, self.free = problem.boundary == "torus", problem.boundary == "free"
        self.move = problem.motion or Motion(period=1)

    def at(self, x: int, y: int, t: int) -> int:
        """Return a cell's variable, FALSE if it is always dead, 0 if it is unconstrained."""
        raise NotImplementedError

    def mirrors(self) -> list[str]:
        """Return the mirrors that leave every generation as it is."""
        raise NotImplementedError

    def turns(self, symmetry: str) -> list[str]:
        """Return the turns of a symmetry, except the identity."""
        raise NotImplementedError

    def about(self, turn: str, u: int, v: int, x: int, y: int) -> Place | None:
        """Return the image of a cell about the point (u/2, v/2); None if it lies between cells."""
        raise NotImplementedError

    def turned(self, turn: str, x: int, y: int) -> Place:
        """Return the image of a cell under a turn about the centre of the first box."""
        raise NotImplementedError

    def constrain(self, it: ask.Constraint) -> None:
        """Add the clauses of a constraint."""
        d, times = self.move, range(self.problem.generations)
        p = d.period if d.only_shifts else 1  # a turn excludes no part of the period
        parts = [q for q in range(2, p + 1) if p % (q * self.beats) == d.dx % q == d.dy % q == 0]
        room = list_places(self.frame.grow(0 if self.torus else max(abs(d.dx), abs(d.dy))))
        match it:
            case ask.Changes():  # after the period, what was turned or moved may leave the frame
                reach = d.period + abs(self.boxes[0].width - self.boxes[0].height)
                near = list_places(self.frame.grow(0 if self.torus else reach))
                steps = range(self.problem.steps + 1)
                film = [[self.at(*c, t) or FALSE for c in near] for t in steps]
                rows = [[*map(self.varies, *pair)] for pair in pairwise(film)]
                self.bound(it, rows or [[]], "most")
            case ask.Bound():
                self.constrain_number(it, self.film())
            case ask.PatternPeriod() if parts:
                for t, q in product(self.starts(0), parts):
                    self.add(*(self.changes(x, y, range(t, t + self.ages + 1), q) for x, y in room))
            case ask.FullPeriod() if parts:
                cells = [[self.changes(x, y, times, q) for q in parts] for x, y in room]
                self.add(*(self.all(*each) for each in cells))
            case ask.NotEmpty() | ask.FullPeriod() | ask.PatternPeriod():  # or no smaller period
                for t in self.starts(it.t if isinstance(it, ask.NotEmpty) else 0):
                    self.add(*(cells[t] for cells in self.film().values()))
            case ask.Lacks(symmetry):
                self.constrain_symmetry(symmetry)
            case ask.Gutter():
                self.constrain_axes()
            case ask.Arrival():
                self.constrain_arrival(it)
            case ask.Restored():
                self.constrain_restored(it)
            case _:
                assert_never(it)

    def starts(self, t: int) -> range:
        """Return the generations in which some cell lives or differs if one does at time t."""
        return range(t, t + 1)

    def film(self) -> dict[Place, list[int]]:
        """Return each cell in all generations that have cells of their own."""
        times = range(self.problem.generations)
        places = list_places(self.frame)
        return {(x, y): [self.at(x, y, t) or FALSE for t in times] for x, y in places}

    def constrain_number(self, it: ask.Bound, film: dict[Place, list[int]]) -> None:
        """Bound a number of cells, columns or rows."""
        living = [[cells[t] for cells in film.values()] for t in range(self.problem.generations)]
        match it:
            case ask.Population(generation="sum"):
                self.bound(it, [[cell for cells in living for cell in cells]])
            case ask.Growth() | ask.Decay():
                self.constrain_change(it, living)
            case ask.Population(generation=which):
                self.bound(it, living if isinstance(which, str) else [living[which]], which)
            case ask.Rotor():
                self.bound(it, [[self.varies(*cells) for cells in film.values()]])
            case ask.Stator():
                self.bound(it, [[self.all(*cells) for cells in film.values()]])
            case ask.Difference(generation=t):
                drawn, box = read_drawing(it), list_places(self.boxes[t])
                places = box if self.problem.boundary != "dead" else dict.fromkeys([*box, *drawn])
                pairs = [(self.at(*place, t), drawn.get(place, ".")) for place in places]
                self.bound(it, [[-cell if c == "o" else cell for cell, c in pairs if c != "?"]])
            case ask.Width(least=n, most=None) if n == len(list_lines(self.problem.all_boxes, 0)):
                self.constrain_ends(film, 0)
            case ask.Height(least=n, most=None) if n == len(list_lines(self.problem.all_boxes, 1)):
                self.constrain_ends(film, 1)
            case ask.Width() | ask.Height() | ask.Area():
                columns, rows = list(self.envelope(film, 0)), list(self.envelope(film, 1))
                area = [self.all(column, row) for column in columns for row in rows]
                self.bound(it, [{ask.Width: columns, ask.Height: rows, ask.Area: area}[type(it)]])
            case _:
                raise NotImplementedError(f"the audit has no sentence for {it}")

    def constrain_change(self, it: ask.Growth | ask.Decay, living: list[list[int]]) -> None:
        """Bound the change of population in a step; after a period it is the initial one again."""
        counts = [self.tally(len(cells), cells) for cells in living]
        exceeding = []
        for before, after in pairwise([*counts, *counts[: self.problem.motion is not None]]):
            more, less = (after, before) if isinstance(it, ask.Growth) else (before, after)
            for j in range(len(more)):  # more than j + most, so more than j
                if it.most is not None and j + it.most + 1 < len(more):
                    self.add(-more[j + it.most + 1], less[j + 1])
                if j + it.least < len(more):  # at least j + least, and at most j
                    least = -less[j + 1] if j + 1 < len(less) else TRUE
                    exceeding.append(self.all(more[j + it.least], least))
        if it.least:
            self.add(*exceeding)

    def constrain_symmetry(self, symmetry: str) -> None:
        """Require, about each centre in half cells, some cell to differ from its image."""
        box = self.boxes[0]
        for v, u in product(range(2 * box.y, 2 * box.bottom), range(2 * box.x, 2 * box.right)):
            pairs = [
                ((x, y), self.about(turn, u, v, x, y))
                for turn, (x, y) in product(self.turns(symmetry), list_places(box))
            ]
            if all(image is not None for _, image in pairs):
                self.add(*(self.varies(self.at(*a, 0), self.at(*b, 0)) for a, b in pairs if b))

    def constrain_axes(self) -> None:
        """Keep the cells on the axes of the mirrors dead."""
        for (x, y), cells in self.film().items():
            if any(self.turned(mirror, x, y) == (x, y) for mirror in self.mirrors()):
                for cell in cells:
                    self.add(-cell)

    def constrain_arrival(self, it: ask.Arrival) -> None:
        """Require the input, in one lane and at one time, beside the cells that are there alone."""
        pairs = [
            {(x, y): (self.at(x, y, t), self.at(x, y, alone)) for x, y in list_places(self.frame)}
            for t, alone in enumerate(it.alone)
        ]
        same = [{place: -self.varies(*pair) for place, pair in each.items()} for each in pairs]
        lanes, times = (range(first, last + 1) for first, last in (it.lanes, it.times))
        choices = []
        for lane, time in product(lanes, times):
            dx, dy, fits = *((lane, 0) if it.across == "right" else (0, lane)), list[int]()
            for t, each in enumerate(pairs):
                came = {(x + dx, y + dy) for x, y in it.flight[t - time + times[-1]].cells}
                fits += [TRUE if place in each else FALSE for place in came]
                for place, (now, then) in each.items():
                    fits += [now, -then] if place in came else [same[t][place]]
            choices.append(self.all(*fits))
        self.add(*choices)

    def constrain_restored(self, it: ask.Restored) -> None:
        """Require the cells all around the catalyst to differ in a generation, and not later."""
        (early, late), (first, last) = it.contact, it.times
        places = list_places(self.frame.grow(0 if self.free else 1))
        near = {(x, y): [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)] for x, y in places}
        zone = {
            place: self.any(*(self.at(*each, it.alone) or FALSE for each in cells))
            for place, cells in near.items()
        }
        disturbed, many, film = {}, {}, dict[int, dict[Place, int]]()
        for t in range(min(early, first), max(late, last + it.hold) + 1):
            pairs = [(c, self.at(*c, t), self.at(*c, it.alone)) for c in places]
            film[t] = {c: self.all(zone[c], self.varies(a, b)) for c, a, b in pairs if a and b}
            disturbed[t], differ = self.any(*film[t].values()), [*film[t].values()]
            many[t] = FALSE if it.active is None else self.at_least(it.active + 1, differ)
        met = {t: disturbed[t] for t in range(early, late + 1)}
        for t, still in enumerate(it.free, early):
            beside = [
                (x + i, y + j) for x, y in still.cells for i in (-1, 0, 1) for j in (-1, 0, 1)
            ]
            living = (self.at(*place, it.alone) or FALSE for place in beside)
            met[t] = self.any(disturbed[t], *living)
        ever = dict[int, list[int]]()
        for r in range(first, last + 1) if it.ever_active is not None else ():
            cells = [[film[s].get(c, FALSE) for s in range(early, r)] for c in places]
            ever[r] = [-self.at_least((it.ever_active or 0) + 1, [self.any(*x) for x in cells])]
        self.add(
            *(
                self.all(
                    *(met[t], *(-disturbed[s] for s in range(r, r + it.hold + 1))),
                    *(-many[s] for s in range(early, r)),
                    *ever.get(r, ()),
                )
                for t in range(early, late + 1)
                for r in range(max(first, t + 1), last + 1)
            )
        )

    def constrain_ends(self, film: dict[Place, list[int]], axis: int) -> None:
        """Require a live cell in the first and in the last column (axis 0) or row (axis 1)."""
        lines = list_lines(self.problem.all_boxes, axis)
        for k in (lines[0], lines[-1]):
            self.add(*(cell for place in film if place[axis] == k for cell in film[place]))

    def envelope(self, film: dict[Place, list[int]], axis: int) -> Iterator[int]:
        """Yield for each column (axis 0) or row (axis 1) whether it lies between live cells."""
        for k in sorted({place[axis] for place in film}):
            before = (cell for place in film if place[axis] <= k for cell in film[place])
            after = (cell for place in film if place[axis] >= k for cell in film[place])
            yield self.all(self.any(*before), self.any(*after))

    def changes(self, x: int, y: int, times: Iterable[int], q: int) -> int:
        """Return whether, at one of the times, the cell 1/q of the motion later differs."""
        dx, dy, p = self.move.dx // q, self.move.dy // q, self.move.period // q
        pairs = ((self.at(x, y, t), self.at(x + dx, y + dy, t + p)) for t in times)
        return self.any(*(self.varies(a or FALSE, b or FALSE) for a, b in pairs))

    def bound(self, it: ask.Bound, rows: list[list[int]], which: ask.Which = "every") -> None:
        """Bound the number of true literals in every row, or in the row with the fewest or most."""
        low = [self.at_least(it.least, row) for row in rows]
        high = [TRUE if it.most is None else -self.at_least(it.most + 1, row) for row in rows]
        self.add(self.any(*low) if which == "most" else self.all(*low))
        self.add(self.any(*high) if which == "least" else self.all(*high))
