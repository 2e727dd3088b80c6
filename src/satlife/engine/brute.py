"""Brute-force search: all fillings of a few free cells, bit-parallel, one bit for each filling.

It is exact and independent of formulas and folding, so it serves to test them; for tiny boxes it is
also as fast as any engine.  The free cells are the unknown cells of generation 0, one of each orbit
of the symmetry; cells exempt from the rule; and with a free outside, cells that nothing determines.

>>> from satlife.engine.engine import Run
>>> from satlife.kinds import still_life
>>> sum(1 for _ in BRUTE.solutions(still_life(box="4x4"), Run()))
82
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, reduce
from operator import or_

import numpy as np
import numpy.typing as npt

from satlife.engine.engine import Engine, Run, Solutions
from satlife.formula.classes import History
from satlife.life import Box
from satlife.life.neighbourhood import OFFSETS
from satlife.problem import Place, Problem
from satlife.problem.constraints import NotEmpty
from satlife.verifier.generations import Generations, static_turns
from satlife.verifier.verify import complaints

MOST_CELLS = 22
"""Maximum number of free cells: four million fillings."""
_CHUNK = 16
"""Free cells that vary within a chunk: 65,536 fillings at once."""

Bits = npt.NDArray[np.uint64]
"""One bit for each filling of a chunk."""


class BruteEngine(Engine):
    """All fillings of up to 22 free cells."""

    name = "brute"
    title = f"all fillings of up to {MOST_CELLS} free cells"
    takes = ("timeout",)

    def refuses(self, problem: Problem) -> str | None:
        """Refuse a problem with too many free cells."""
        if problem.has_open_height:
            return f"it needs a height, and the box is {problem.boxes[0]}; leave the engine out"
        if problem.boundary == "agar":
            return "it takes no background"
        if problem.has_open_rule:
            return f"it needs one rule, and {problem.rule} is a set of rules"
        if problem.parsed.rule.states > 2:
            return f"it tries cells that live or not, and {problem.rule} has dying ones"
        count = count_free_cells(problem)
        return None if count <= MOST_CELLS else f"{count} free cells are more than {MOST_CELLS}"

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield every solution."""
        orbits = _orbits(problem)
        leaders = sorted(_leaders(orbits), key=lambda place: place[::-1])
        run.built(self.name, cells=len(leaders))
        count = min(len(leaders), _CHUNK)
        low, high = leaders[:count], leaders[count:]
        for number in range(1 << len(high)):
            run.check()
            fixed = {place: bool(number >> i & 1) for i, place in enumerate(high)}
            film = _Film(problem, orbits, low, fixed)
            for tried, filling in enumerate(film.survivors()):
                if tried % 100 == 0:
                    run.check()
                history = film.history(filling)
                if not any(complaints(problem, history)):
                    yield history
            run.progress(self.name, fillings=(number + 1) << count)
        return "all fillings were tried"


BRUTE = BruteEngine()


class _Film:
    """All generations of a chunk of fillings."""

    def __init__(
        self,
        problem: Problem,
        orbits: dict[Place, Place | bool],
        low: list[Place],
        fixed: dict[Place, bool],
    ) -> None:
        self.problem, self.orbits = problem, orbits
        self.size = 1 << len(low)
        words = max(1, self.size // 64)
        self.none = np.zeros(words, np.uint64)
        self.all = ~self.none
        self.values = {place: self.all if alive else self.none for place, alive in fixed.items()}
        self.values |= {place: _counter(i, words) for i, place in enumerate(low)}
        self.possible = self.all.copy()
        self.life = Generations(problem, ())
        self.cells: dict[Place, Bits] = {}
        self._fill()

    def at(self, x: int, y: int, t: int) -> Bits:
        """Return the fillings in which a cell is alive, in a generation with cells of its own."""
        x, y = self.life.home((x, y))
        return self.cells.get((x, y, t), self.none)

    def value(self, leader: Place | bool) -> Bits:
        """Return the fillings in which a free or a given cell is alive."""
        if isinstance(leader, bool):
            return self.all if leader else self.none
        return self.values[leader]

    def _fill(self) -> None:
        problem, boxes = self.problem, self.problem.all_boxes
        steps = [_make_step(phase.table.tobytes()) for phase in problem.parsed.rule.phases]
        for t, box in enumerate(boxes):
            room = box if t == 0 or problem.boundary != "dead" else (box | boxes[t - 1]).grow(1)
            for y in range(room.y, room.bottom):
                for x in range(room.x, room.right):
                    place = (x, y, t)
                    if place in self.orbits:
                        self.cells[place] = self.value(self.orbits[place])
                        continue
                    step = steps[(t - 1) % len(steps)]
                    born = step([self.at(x + dx, y + dy, t - 1) for dx, dy in OFFSETS])
                    if (x, y) in box:
                        self.cells[place] = born
                    elif place not in problem.exempt:
                        self.possible &= ~born  # a cell outside would be born
        self._exclude_by_motion(steps[-1])
        self._exclude_given()

    def _exclude_given(self) -> None:
        """Exclude fillings that contradict the known cells or the simple conditions."""
        problem, boxes = self.problem, self.problem.all_boxes
        for known in problem.known:
            if known.t < len(boxes):
                for (x, y), state in known.cells.items():
                    alive = self.at(x, y, known.t)
                    self.possible &= alive if state == "o" else ~alive
        for constraint in problem.constraints:
            if isinstance(constraint, NotEmpty):
                cells = [v for (_, _, t), v in self.cells.items() if t == constraint.t]
                self.possible &= reduce(or_, cells, self.none)

    def _exclude_by_motion(self, step: Callable[[list[Bits]], Bits]) -> None:
        """Exclude fillings that do not return as the motion requires."""
        motion, box = self.problem.motion, self.problem.all_boxes[0]
        if motion is None:
            return
        move = (2 * motion.dx, 2 * motion.dy)
        origins = {
            image: cell
            for cell in _cells(box)
            for image in self.life.carry([cell], motion.transform, move)
        }
        last = self.problem.all_boxes[-1]
        around = {(x + dx, y + dy) for x, y in _cells(last) for dx, dy in OFFSETS}
        for x, y in set(map(self.life.home, around)) | origins.keys():
            if (x, y, motion.period) not in self.problem.exempt:
                follows = step([self.at(x + dx, y + dy, motion.period - 1) for dx, dy in OFFSETS])
                before = self.at(*origins[x, y], 0) if (x, y) in origins else self.none
                self.possible &= ~(follows ^ before)

    def survivors(self) -> Iterator[int]:
        """Yield the numbers of the fillings not yet excluded."""
        bits = np.unpackbits(self.possible.view(np.uint8), bitorder="little")[: self.size]
        yield from np.flatnonzero(bits).tolist()

    def history(self, filling: int) -> History:
        """Return the generations of one filling."""
        word, bit = divmod(filling, 64)
        return tuple(
            np.array(
                [
                    [int(self.cells[x, y, t][word]) >> bit & 1 for x in range(box.x, box.right)]
                    for y in range(box.y, box.bottom)
                ],
                np.uint8,
            )
            for t, box in enumerate(self.problem.all_boxes)
        )


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    return ((x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right))


def count_free_cells(problem: Problem) -> int:
    """Return the number of free cells."""
    return len(_leaders(_orbits(problem)))


def _leaders(orbits: dict[Place, Place | bool]) -> set[Place]:
    return {leader for leader in orbits.values() if not isinstance(leader, bool)}


def _orbits(problem: Problem) -> dict[Place, Place | bool]:
    """Return the free cells, each with the representative of its orbit, or its value."""
    life, orbits = Generations(problem, ()), dict[Place, Place | bool]()
    turns = static_turns(problem.symmetry) if problem.boundary != "free" else ()
    given = {
        place: state == "o"
        for known in problem.known
        if known.t == 0
        for place, state in known.cells.items()
    }
    for x, y, t in _free_cells(problem):
        images = [(x, y)]
        if t == 0:
            images += (cell for turn in turns for cell in life.carry([(x, y)], turn, (0, 0)))
        values = [given[cell] for cell in images if t == 0 and cell in given]
        orbits[x, y, t] = values[0] if values else (*min(images), t)
    return orbits


def _free_cells(problem: Problem) -> Iterator[Place]:
    boxes = problem.all_boxes
    exempt = set(problem.exempt)
    for t, box in enumerate(boxes):
        for y in range(box.y, box.bottom):
            for x in range(box.x, box.right):
                is_undetermined = problem.boundary == "free" and (
                    t == 0 or any((x + dx, y + dy) not in boxes[t - 1] for dx, dy in OFFSETS)
                )
                if t == 0 or (x, y, t) in exempt or is_undetermined:
                    yield x, y, t


def _counter(i: int, words: int) -> Bits:
    """Return bit i of the numbers 0, 1, 2, …, as bits of words."""
    if i < 6:
        pattern = sum(1 << k for k in range(64) if k >> i & 1)
        return np.full(words, pattern, np.uint64)
    chosen = (np.arange(words) >> (i - 6) & 1).astype(bool)
    return np.where(chosen, ~np.uint64(0), np.uint64(0))


@lru_cache(maxsize=32)
def _make_step(table: bytes) -> Callable[[list[Bits]], Bits]:
    """Return the step function on nine cells: a binary decision diagram of the rule."""

    def step(cells: list[Bits]) -> Bits:
        made: dict[bytes, Bits] = {}

        def choose(part: bytes, depth: int) -> Bits:
            if not any(part):
                return cells[0] & ~cells[0]
            if all(part):
                return cells[0] | ~cells[0]
            if part not in made:
                half = len(part) // 2
                dead, alive = choose(part[:half], depth + 1), choose(part[half:], depth + 1)
                made[part] = (dead & ~cells[depth]) | (alive & cells[depth])
            return made[part]

        return choose(table, 0)

    return step
