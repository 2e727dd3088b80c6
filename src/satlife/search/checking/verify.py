"""Checking a solution against its problem, with the simulator and nothing of the encoder.

This module knows neither literals nor clauses nor folding.  It gets the generations that a solution
claims, as arrays, and goes through everything that the problem says, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import numpy.typing as npt

from satlife.errors import InternalError
from satlife.life import Pattern, Rule, Transform
from satlife.life.box import EMPTY_BOX, Box
from satlife.life.stepping import step_by_table
from satlife.search.checking.arriving import find_arrival
from satlife.search.checking.dying import dying_complaints, known_state_complaints
from satlife.search.checking.evaluate import evaluate, populations
from satlife.search.checking.returning import has_full_period, has_pattern_period, moved
from satlife.search.checking.surroundings import comes_back, step_in_background
from satlife.search.checking.turns import elements, static_turns
from satlife.search.problem import Problem
from satlife.search.problem.constraints import (
    Arrival,
    Bound,
    FullPeriod,
    Gutter,
    Lacks,
    NotEmpty,
    PatternPeriod,
    Population,
)
from satlife.search.problem.open_rule import is_open
from satlife.search.problem.slow import find_states, shows_dying

if TYPE_CHECKING:
    from satlife.life.rulespaces import RuleSpace

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
    shaped = [_describe_misfit(problem, t, states) for t, states in enumerate(history)]
    if any(shaped):
        yield from filter(None, shaped)
        return
    if is_open(problem):
        yield from _open_complaints(problem, history)
        return
    life = Generations(problem, history)
    yield from _step_complaints(problem, life)
    yield from _symmetry_complaints(problem, life)
    yield from _known_complaints(problem, life)
    yield from _constraint_complaints(problem, history, life)


def find_rules(problem: Problem, history: tuple[States, ...]) -> RuleSpace | None:
    """Return the rules of an open problem that have these generations; None if none has."""
    from satlife.search.checking.ranges import find_rules as find  # noqa: PLC0415 - few are open

    return find(problem, Generations(problem, history))


def _open_complaints(problem: Problem, history: tuple[States, ...]) -> Iterator[str]:
    """Yield what is wrong by the least and by the greatest rule that have these generations."""
    rules = find_rules(problem, history)
    if rules is None:
        yield f"no rule of {problem.rule} has these generations"
        return
    for rule in dict.fromkeys((rules.least, rules.greatest)):
        for complaint in complaints(msgspec.structs.replace(problem, rule=str(rule)), history):
            yield f"by {rule}, {complaint}"


def _describe_misfit(problem: Problem, t: int, states: States) -> str:
    """Return why the array is not a filling of its generation's box, if it is not."""
    box = problem.all_boxes[t]
    if states.shape != (box.height, box.width):
        height, width = (*states.shape, 0, 0)[:2]
        return f"generation {t} is {width}x{height}, its box {box}"
    most = find_states(problem) - 1 if t == 0 and shows_dying(problem) else 1
    if states.size and int(states.max()) > most:
        return f"generation {t} has a cell in state {int(states.max())}"
    return ""


class Generations:
    """The live cells of every generation, also of those after the last."""

    def __init__(self, problem: Problem, history: tuple[States, ...]) -> None:
        self.problem = problem
        self.boxes = problem.all_boxes
        self.alive: list[frozenset[Cell]] = []
        self.dying: dict[Cell, int] = {}
        """Of generation 0, where no generation before it says which cells are dying."""
        for box, states in zip(self.boxes, history, strict=False):
            rows, columns = np.nonzero(states)
            places = zip((columns + box.x).tolist(), (rows + box.y).tolist(), strict=True)
            cells = dict(zip(places, states[rows, columns].tolist(), strict=True))
            self.alive.append(frozenset(cell for cell, state in cells.items() if state == 1))
            self.dying |= {cell: state for cell, state in cells.items() if state > 1}

    def at(self, t: int) -> frozenset[Cell]:
        """Return the live cells of generation t (on a torus: those in the box)."""
        motion = self.problem.motion
        if motion is None:
            return self.alive[t]
        turns, t = divmod(t, motion.period)
        cells = self.alive[t]
        for _ in range(turns):
            cells = self.carry(cells, motion.transform, (2 * motion.dx, 2 * motion.dy))
        return cells

    def carry(
        self, cells: Iterable[Cell], turn: str, move: Cell, above: bool = False
    ) -> frozenset[Cell]:
        """Turn cells about the centre of the first box, or half a cell above, then move them.

        The move is given in half cells.  So is everything here, so that centres are whole.
        """
        box, transform = self.boxes[0], Transform(turn)
        centre_x, centre_y = 2 * box.x + box.width - 1, 2 * box.y + box.height - 1 - above
        carried = []
        for x, y in cells:
            i, j = transform.apply_to_point(2 * x - centre_x, 2 * y - centre_y)
            i, j = i + centre_x + move[0], j + centre_y + move[1]
            if i % 2 or j % 2:
                raise VerificationError(f"{turn} does not carry cells to cells")
            carried.append(self.home((i // 2, j // 2)))
        return frozenset(carried)

    def home(self, cell: Cell) -> Cell:
        """Walk from copy to copy of a torus until the cell is in the box itself."""
        if self.problem.boundary != "torus":
            return cell
        (x, y), box, (down, right) = cell, self.boxes[0], self.problem.wrap
        while (x, y) not in box:
            if not box.x <= x < box.right:
                sign = 1 if x < box.x else -1
                x, y = x + sign * box.width, y + sign * down
            else:
                sign = 1 if y < box.y else -1
                x, y = x + sign * right, y + sign * box.height
        return x, y


def _step_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    rule = Rule(problem.rule)
    if rule.states > 2:
        yield from dying_complaints(problem, life, rule)
        return
    exempt = set(problem.exempt)
    for t in range(problem.steps):
        if problem.boundary == "agar":
            expected, asked = step_in_background(problem, life, t)
        elif problem.boundary == "dead":
            live = Pattern.from_cells(life.at(t), rule)
            phase = t % len(rule.phases)
            expected = _cells(Pattern(live.cells, live.x, live.y, rule, phase)[1])
            asked = None
        else:
            expected, asked = _bounded_step(problem, life, rule, t)
        wrong = expected ^ life.at(t + 1)
        for x, y in sorted(wrong):
            if (x, y, t + 1) not in exempt and (asked is None or (x, y) in asked):
                yield f"cell ({x}, {y}) of generation {t + 1} does not follow from generation {t}"
                break
    if problem.boundary == "agar" and problem.motion is not None and not comes_back(problem):
        yield "the background does not come back"
    if problem.include_last and problem.motion is not None:
        outside = [cell for cell in life.at(problem.steps) if cell not in life.boxes[0]]
        if outside:
            yield f"generation {problem.steps} leaves the box at {outside[0]}"


def _bounded_step(
    problem: Problem, life: Generations, rule: Rule, t: int
) -> tuple[frozenset[Cell], Box]:
    """Step on a torus, or inside the box of which alone something is said."""
    box = life.boxes[t]
    alive = life.at(t)
    ring = box.grow(1)
    states = np.zeros((ring.height, ring.width), np.uint8)
    for y in range(ring.y, ring.bottom):
        for x in range(ring.x, ring.right):
            place = life.home((x, y))
            states[y - ring.y, x - ring.x] = place in alive
    table = rule.phases[t % len(rule.phases)].table
    rows, columns = np.nonzero(step_by_table(states, table)[1:-1, 1:-1])
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


_TURNS_IN_FOUR = {"quarter-turn-clockwise": 1, "half-turn": 2, "quarter-turn-anticlockwise": 3}
"""If a quarter of the period turns the pattern clockwise: after how many quarters each turn is."""


def _symmetry_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    static, _, temporal = problem.symmetry.partition(":")
    kept, motion = elements(static), problem.motion
    for turn in kept:
        for state in sorted(set(life.dying.values())):
            cells = frozenset(cell for cell, now in life.dying.items() if now == state)
            if not _is_kept(problem, life, 0, turn, cells):
                yield f"generation 0 lacks the symmetry {static} in its dying cells: {turn}"
                return
    for t in range(problem.generations):
        for turn in kept:
            if not _is_kept(problem, life, t, turn, life.at(t)):
                yield f"generation {t} lacks the symmetry {static}: {turn}"
                return
    if not temporal or motion is None:
        return
    moving = [turn for turn in elements(temporal) if turn not in kept]
    parts = (len(elements(temporal)) + 1) // (len(kept) + 1)
    # A diagonal glide by an odd number of cells has its axis half a cell above the centre.
    above = bool(motion.dx % 2 and motion.dy % 2)
    for t in range(problem.generations):
        for turn in moving:
            share = _TURNS_IN_FOUR[turn] if parts == 4 else 1
            later = life.at(t + share * motion.period // parts)
            if life.carry(life.at(t), turn, (motion.dx, motion.dy), above) != later:
                yield f"generation {t} lacks the symmetry {problem.symmetry}: {turn}"
                return


def _is_kept(
    problem: Problem, life: Generations, t: int, turn: str, alive: frozenset[Cell]
) -> bool:
    image = life.carry(alive, turn, (0, 0))
    if problem.boundary != "free":
        return image == alive
    # Nothing is asked of cells whose image lies outside the box, nor of those of cells outside.
    box = life.boxes[t]
    cells = [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]
    seen = life.carry(cells, turn, (0, 0)) & frozenset(cells)
    return image & seen == alive & seen


def _known_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    if find_states(problem) > 2:
        yield from known_state_complaints(problem, life)
        return
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
    problem: Problem, history: tuple[States, ...], life: Generations
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
                holds = has_full_period(problem, life)
            case PatternPeriod():
                holds = has_pattern_period(problem, life)
            case Lacks(symmetry):
                holds = not _has_symmetry(problem, life, symmetry)
            case Gutter():
                holds = _has_gutter(problem, life)
            case Arrival():
                holds = find_arrival(constraint, life.at) is not None
        if not holds:
            yield f"it is not true that {constraint}"


def _has_gutter(problem: Problem, life: Generations) -> bool:
    """No live cell is its own image in one of the mirrors."""
    mirrors = [turn for turn in static_turns(problem.symmetry) if turn.startswith("flip")]
    return not any(
        life.carry([cell], mirror, (0, 0)) == {cell}
        for t in range(problem.generations)
        for cell in life.at(t)
        for mirror in mirrors
    )


def _has_symmetry(problem: Problem, life: Generations, symmetry: str) -> bool:
    """Whether generation 0 has the symmetry about some centre."""
    alive = life.at(0)
    if problem.boundary != "torus":
        # Whatever maps a finite set of cells to itself keeps its centre of mass.
        return all(_shape(_turned(alive, turn)) == _shape(alive) for turn in elements(symmetry))
    box = life.boxes[0]
    return any(
        all(_is_turned(life, alive, turn, (u, v)) for turn in elements(symmetry))
        for u in range(2 * box.width)
        for v in range(2 * box.height)
    )


def _is_turned(life: Generations, alive: frozenset[Cell], turn: str, centre: Cell) -> bool:
    """Whether a turn about a centre, in half cells, keeps the live cells of a torus."""
    (u, v), (i, j) = centre, Transform(turn).apply_to_point(*centre)
    dx, dy = u - i, v - j
    if dx % 2 or dy % 2:
        return False
    return moved(life, _turned(alive, turn), dx // 2, dy // 2) == alive


def _turned(cells: frozenset[Cell], turn: str) -> frozenset[Cell]:
    return frozenset(Transform(turn).apply_to_point(x, y) for x, y in cells)


def _shape(cells: frozenset[Cell]) -> frozenset[Cell]:
    """Return the cells, moved so that their box begins at (0, 0)."""
    left, top = (min((cell[axis] for cell in cells), default=0) for axis in (0, 1))
    return frozenset((x - left, y - top) for x, y in cells)


def _cells(pattern: Pattern) -> frozenset[Cell]:
    return frozenset((x, y) for x, y in pattern.coordinates.tolist())
