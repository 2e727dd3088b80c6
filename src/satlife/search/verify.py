"""Checking a solution against its problem, with the simulator and nothing of the encoder.

This module knows neither literals nor clauses nor folding.  It gets the generations that a solution
claims, as arrays, and goes through everything that the problem says, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from satlife.errors import InternalError
from satlife.life import Pattern, Rule, Transform
from satlife.life.box import EMPTY_BOX, Box
from satlife.life.motion import Motion
from satlife.life.stepping import step_by_table
from satlife.life.symmetry import Symmetry
from satlife.search.constraints import Bound, FullPeriod, NotEmpty, PatternPeriod, Population
from satlife.search.evaluate import evaluate, populations
from satlife.search.isometry import Isometry, symmetry_isometries
from satlife.search.problem import Problem

States = npt.NDArray[np.uint8]
Cell = tuple[int, int]


class VerificationError(InternalError):
    """A solver's solution is not one: satlife or the solver is wrong."""


def verify(problem: Problem, history: tuple[States, ...]) -> None:
    """Raise :class:`VerificationError` unless the generations solve the problem.

    ``history[t]`` holds the states of the box of generation t, indexed [y, x].
    """
    for complaint in complaints(problem, history):
        raise VerificationError(f"the solution fails its check: {complaint}")


def complaints(problem: Problem, history: tuple[States, ...]) -> Iterator[str]:
    """Yield what is wrong with a solution."""
    if len(history) != problem.generations:
        yield f"{len(history)} generations instead of {problem.generations}"
        return
    life = _Generations(problem, history)
    yield from _step_complaints(problem, life)
    yield from _symmetry_complaints(problem, life)
    yield from _known_complaints(problem, life)
    yield from _constraint_complaints(problem, history, life)


class _Generations:
    """The live cells of every generation, also of those after the last."""

    def __init__(self, problem: Problem, history: tuple[States, ...]) -> None:
        self.problem = problem
        self.boxes = problem.all_boxes
        self.alive: list[frozenset[Cell]] = []
        for box, states in zip(self.boxes, history, strict=True):
            rows, columns = np.nonzero(states)
            places = zip((columns + box.x).tolist(), (rows + box.y).tolist(), strict=True)
            self.alive.append(frozenset(places))
        self.motion = None
        if problem.motion is not None:
            m = problem.motion
            turn = Transform(m.transform)
            self.motion = Isometry.about(self.boxes[0], turn, m.dx, m.dy, m.period)

    def at(self, t: int) -> frozenset[Cell]:
        """The live cells of generation t (on a torus: those in the box)."""
        if self.motion is None:
            return self.alive[t]
        turns, t = divmod(t, self.problem.steps)
        cells = self.alive[t]
        for _ in range(turns):
            cells = frozenset(self.motion.point(x, y, 0)[:2] for x, y in cells)
        return frozenset(map(self.wrap, cells)) if self.problem.boundary == "torus" else cells

    def wrap(self, cell: Cell) -> Cell:
        box = self.boxes[0]
        down, right = self.problem.wrap
        x, y = cell[0] - box.x, cell[1] - box.y
        if right:
            x, y = x - y // box.height * right, y % box.height
        x, y = x % box.width, y - x // box.width * down
        return x + box.x, y % box.height + box.y


def _step_complaints(problem: Problem, life: _Generations) -> Iterator[str]:
    rule = Rule(problem.rule)
    exempt = set(problem.exempt)
    for t in range(problem.steps):
        if problem.boundary == "dead":
            expected = _cells(Pattern.from_cells(life.at(t), rule)[1])
            asked = None
        else:
            expected, asked = _bounded_step(problem, life, rule, t)
        wrong = expected ^ life.at(t + 1)
        for x, y in sorted(wrong):
            if (x, y, t + 1) not in exempt and (asked is None or (x, y) in asked):
                yield f"cell ({x}, {y}) of generation {t + 1} does not follow from generation {t}"
                break
    if problem.include_last and problem.motion is not None:
        outside = [cell for cell in life.at(problem.steps) if cell not in life.boxes[0]]
        if outside:
            yield f"generation {problem.steps} leaves the box at {outside[0]}"


def _bounded_step(
    problem: Problem, life: _Generations, rule: Rule, t: int
) -> tuple[frozenset[Cell], Box]:
    """Step on a torus, or inside the box of which alone something is said."""
    box = life.boxes[t]
    alive = life.at(t)
    ring = box.grow(1)
    states = np.zeros((ring.height, ring.width), np.uint8)
    for y in range(ring.y, ring.bottom):
        for x in range(ring.x, ring.right):
            place = life.wrap((x, y)) if problem.boundary == "torus" else (x, y)
            states[y - ring.y, x - ring.x] = place in alive
    rows, columns = np.nonzero(step_by_table(states, rule.table)[1:-1, 1:-1])
    expected = frozenset(
        (x, y)
        for x, y in zip((columns + ring.x).tolist(), (rows + ring.y).tolist(), strict=True)
        if (x, y) in box
    )
    asked = box if problem.boundary == "torus" else _inner(box) & life.boxes[t + 1]
    return expected, asked


def _inner(box: Box) -> Box:
    """The cells whose whole neighbourhood is in the box."""
    return box.grow(-1) if min(box.width, box.height) > 2 else EMPTY_BOX


def _symmetry_complaints(problem: Problem, life: _Generations) -> Iterator[str]:
    motion = None
    if problem.motion is not None:
        motion = Motion.of(problem.motion.period, problem.motion.dx, problem.motion.dy)
    for isometry in symmetry_isometries(Symmetry(problem.symmetry), life.boxes[0], motion):
        for t in range(problem.generations):
            image = {isometry.point(x, y, t)[:2] for x, y in life.at(t)}
            if problem.boundary == "torus":
                image = {life.wrap(cell) for cell in image}
            if image != life.at(t + isometry.dt):
                yield f"generation {t} lacks the symmetry {problem.symmetry}"
                return


def _known_complaints(problem: Problem, life: _Generations) -> Iterator[str]:
    for known in problem.known:
        alive = life.at(known.t)
        for y, row in enumerate(known.rows, known.y):
            for x, state in enumerate(row, known.x):
                said = problem.boundary != "free" or (x, y) in life.boxes[known.t]
                if state != "?" and said and (state == "o") != ((x, y) in alive):
                    yield f"cell ({x}, {y}) of generation {known.t} is not as given"
                    return
    for link in problem.links:
        (x, y, t), (i, j, k) = link.first, link.second
        if (((x, y) in life.at(t)) == ((i, j) in life.at(k))) == link.opposite:
            yield f"cells {link.first} and {link.second} are not as linked"


def _constraint_complaints(
    problem: Problem, history: tuple[States, ...], life: _Generations
) -> Iterator[str]:
    for constraint in problem.constraints:
        match constraint:
            case NotEmpty(t):
                holds = bool(life.at(t))
            case Population(generation="every"):
                holds = all(map(constraint.holds, populations(history)))
            case Bound():
                holds = constraint.holds(evaluate(problem, history, constraint))
            case FullPeriod():
                holds = _has_full_period(problem, life)
            case PatternPeriod():
                holds = _has_pattern_period(problem, life)
        if not holds:
            yield f"it is not true that {constraint}"


def _smaller(problem: Problem) -> list[tuple[int, int, int]]:
    """The motions (dx, dy, period) that divide the problem's own."""
    motion = problem.motion
    if motion is None or motion.transform != "identity":
        return []
    return [
        (motion.dx // q, motion.dy // q, motion.period // q)
        for q in range(2, motion.period + 1)
        if motion.period % q == motion.dx % q == motion.dy % q == 0
    ]


def _has_pattern_period(problem: Problem, life: _Generations) -> bool:
    first = life.at(0)
    images = [
        frozenset(_moved(problem, life, x, y, dx, dy) for x, y in first) == life.at(p)
        for dx, dy, p in _smaller(problem)
    ]
    return bool(first) and not any(images)


def _has_full_period(problem: Problem, life: _Generations) -> bool:
    """Some cell differs, for every smaller motion, from itself in some generation."""
    if not life.at(0):
        return False
    cells = set().union(*(life.at(t) for t in range(problem.generations)))
    smaller = _smaller(problem)
    cells |= {(x - dx, y - dy) for x, y in cells for dx, dy, _ in smaller}
    return any(
        all(
            any(
                ((x, y) in life.at(t)) != (_moved(problem, life, x, y, dx, dy) in life.at(t + p))
                for t in range(problem.steps)
            )
            for dx, dy, p in smaller
        )
        for x, y in cells
    )


def _moved(problem: Problem, life: _Generations, x: int, y: int, dx: int, dy: int) -> Cell:
    cell = x + dx, y + dy
    return life.wrap(cell) if problem.boundary == "torus" else cell


def _cells(pattern: Pattern) -> frozenset[Cell]:
    return frozenset((x, y) for x, y in pattern.coordinates.tolist())
