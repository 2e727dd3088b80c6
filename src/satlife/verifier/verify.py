"""The verification of a solution, by the simulator and independent of the encoder.

This module knows neither literals nor clauses nor folding.  It takes the generations of a claimed
solution, as arrays, and checks every condition of the problem in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from satlife.life import Box, Pattern, Rule
from satlife.life.box import EMPTY_BOX
from satlife.life.neighbourhood import BITS
from satlife.life.steps import step_by_table
from satlife.problem import Problem
from satlife.problem.statement import LETTERS
from satlife.quantities import write_count
from satlife.verifier.constraints import HOLDS
from satlife.verifier.generations import (
    Cell,
    Generations,
    States,
    VerificationError,
    elements,
)

if TYPE_CHECKING:
    from satlife.life.rulespaces import RuleSpace


# Checking a solution by a rule with dying cells: every state of every cell is simulated.
#
# A solution says which cells live. A cell that lived a short time ago, and does not live now, is
# in the dying state that its age says. Without a motion, generation 0 says the states of its
# cells.


def dying_complaints(problem: Problem, life: Generations, rule: Rule) -> Iterator[str]:
    """Yield the errors of a solution in a rule with dying cells, for every state of every cell."""
    if problem.motion is None:
        yield from _forward_complaints(problem, life, rule)
        return
    late = -(-rule.states // problem.steps) * problem.steps  # so that nothing is before 0
    for t in range(late, late + problem.steps):
        now, then = (_states_at(life, rule, k) for k in (t, t + 1))
        expected = _step_states(problem, life, rule, now)
        for cell in sorted(expected.keys() | then.keys()):
            if expected.get(cell, 0) != then.get(cell, 0):
                yield f"cell {cell} of generation {t + 1 - late} does not follow"
                break
    outside = [cell for cell in life.at(problem.steps) if cell not in life.boxes[0]]
    if problem.include_last and outside:
        yield f"generation {problem.steps} leaves the box at {outside[0]}"


def _forward_complaints(problem: Problem, life: Generations, rule: Rule) -> Iterator[str]:
    """Yield what does not follow from generation 0, which has the states of all cells."""
    for t, states in enumerate(_forward(problem, life, rule)):
        alive = frozenset(cell for cell, state in states.items() if state == 1)
        for cell in sorted(alive ^ life.at(t)):
            yield f"cell {cell} of generation {t} does not follow"
            return


def _forward(problem: Problem, life: Generations, rule: Rule) -> Iterator[dict[Cell, int]]:
    """Yield the states of all generations, by the simulator, from those of generation 0."""
    states = dict.fromkeys(life.at(0), 1) | life.dying
    yield states
    for t in range(problem.steps):
        states = _step_states(problem, life, rule, states, t + 1)
        yield states


def known_state_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    """Yield the known cells that are in another state."""
    rule, motion = problem.parsed.rule, problem.motion
    if motion is None:
        film = list(_forward(problem, life, rule))
    else:
        periods = -(-rule.states // problem.steps)  # after this number, it has moved as often
        dx, dy = periods * motion.dx, periods * motion.dy
        film = [
            {
                life.home((x - dx, y - dy)): state
                for (x, y), state in _states_at(life, rule, t + periods * problem.steps).items()
            }
            for t in range(problem.steps + 1)
        ]
    for known in problem.known:
        for y, row in enumerate(known.rows, known.y):
            for x, letter in enumerate(row, known.x):
                said = problem.boundary != "free" or (x, y) in life.boxes[known.t]
                state = film[known.t].get(life.home((x, y)), 0)
                if letter != "?" and said and LETTERS.index(letter) != state:
                    yield f"cell ({x}, {y}) of generation {known.t} is not as given"
                    return


def _states_at(life: Generations, rule: Rule, t: int) -> dict[Cell, int]:
    """Return the states of the cells that are not dead: 1, and more for those that lived before."""
    states: dict[Cell, int] = {}
    for age in reversed(range(rule.states - 1)):
        states |= dict.fromkeys(life.at(t - age), age + 1)
    return states


def _step_states(
    problem: Problem, life: Generations, rule: Rule, states: dict[Cell, int], t: int = 0
) -> dict[Cell, int]:
    """Step by the simulator; on a torus, or of the cells of generation t alone, one by one."""
    if problem.boundary == "dead":
        frame = Pattern.from_cells(states).box
        array = np.zeros((frame.height, frame.width), np.uint8)
        for (x, y), state in states.items():
            array[y - frame.y, x - frame.x] = state
        after = Pattern(array, frame.x, frame.y, rule)[1]
        return {
            (x + after.x, y + after.y): int(state)
            for (y, x), state in np.ndenumerate(after.cells)
            if state
        }
    box, stepped = life.boxes[0 if problem.boundary == "torus" else t], dict[Cell, int]()
    for x, y in [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]:
        state, index = states.get((x, y), 0), 0
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                index = 2 * index + (states.get(life.home((x + dx, y + dy))) == 1)
        lives = bool(rule.table[index]) and state < 2
        stepped[x, y] = 1 if lives else (state + 1) % rule.states if state else 0
    return stepped


# Checking a solution in a background: the box and what is around it are simulated together.
#
# The background is simulated here too: nine copies of its tile side by side are stepped on the
# plane, and the one in the middle is what becomes of it.


def step_in_background(problem: Problem, life: Generations, t: int) -> tuple[frozenset[Cell], Box]:
    """Return what must be in generation t + 1, and where it is asked: in the box and around it.

    Around the box, these are the cells that are not as in the background: there should be none.
    Farther away, a cell sees nothing but background.
    """
    box = life.boxes[0]
    ring = box.grow(1)
    seen = life.at(t).union(_around(problem, box, ring.grow(1), t))
    grown = Pattern.from_cells(seen, problem.rule)[1]
    follows = frozenset((x, y) for x, y in grown.coordinates.tolist() if (x, y) in ring)
    return follows.symmetric_difference(_around(problem, box, ring, t + 1)), ring


def comes_back(problem: Problem) -> bool:
    """Whether the background recurs after all steps."""
    film = _film(problem.background, problem.rule, problem.steps)
    return film[0] == film[-1]


def _around(problem: Problem, box: Box, room: Box, t: int) -> Iterator[Cell]:
    """Yield the live cells of the background in a room, but not in the box."""
    alive = _film(problem.background, problem.rule, problem.steps)[t]
    width, height = len(problem.background[0]), len(problem.background)
    for x, y in product(range(room.x, room.right), range(room.y, room.bottom)):
        if (x, y) not in box and (x % width, y % height) in alive:
            yield x, y


@lru_cache(maxsize=8)
def _film(rows: tuple[str, ...], rule: str, steps: int) -> list[frozenset[Cell]]:
    """Return the live cells of the tile in every generation."""
    width, height = len(rows[0]), len(rows)
    film = [frozenset((x, y) for x, y in product(range(width), range(height)) if rows[y][x] == "o")]
    for _ in range(steps):
        copies = [
            (x + i * width, y + j * height)
            for x, y in film[-1]
            for i, j in product((-1, 0, 1), repeat=2)
        ]
        grown = Pattern.from_cells(copies, rule)[1].coordinates.tolist()
        film.append(frozenset((x, y) for x, y in grown if 0 <= x < width and 0 <= y < height))
    return film


def verify(problem: Problem, history: tuple[States, ...], *, every: bool = False) -> None:
    """Raise :class:`VerificationError` unless the generations solve the problem.

    ``history[t]`` holds the states of the box of generation t, indexed [y, x].
    """
    for complaint in complaints(problem, history, every=every):
        raise VerificationError(f"the solution fails its check: {complaint}")


def complaints(
    problem: Problem, history: tuple[States, ...], *, every: bool = False
) -> Iterator[str]:
    """Yield the errors of a solution.

    If the rule is open, some rule of the set must have these generations; with ``every``, all.
    """
    if len(history) != problem.generations:
        yield f"{write_count(len(history), 'generation')} instead of {problem.generations}"
        return
    shaped = [_describe_misfit(problem, t, states) for t, states in enumerate(history)]
    if any(shaped):
        yield from filter(None, shaped)
        return
    if problem.has_open_rule:
        yield from _open_complaints(problem, history, every)
        return
    life = Generations(problem, history)
    yield from _step_complaints(problem, life)
    yield from _symmetry_complaints(problem, life)
    yield from _known_complaints(problem, life)
    for constraint in problem.constraints:
        if not HOLDS[type(constraint)](life, constraint):
            yield f"it is not true that {constraint}"


def pattern_complaints(problem: Problem, pattern: Pattern, *, every: bool = False) -> Iterator[str]:
    """Yield why a pattern, as generation 0, does not become a solution.

    If the rule is open, the pattern is run by its own rule; with ``every``, the generations that
    come of it must be those of every rule of the set.
    """
    space = problem.parsed.space
    if space is not None and pattern.rule not in space:
        yield f"its rule {pattern.rule} is not one of {space}"
        return
    first = pattern.with_rule(problem.rule) if space is None else pattern
    history, now, motion = [], first, problem.motion
    for t, box in enumerate(problem.all_boxes):
        # Dying cells are told by when they lived, except before the first generation.
        has_states = t == 0 and problem.shows_dying
        seen = now if has_states else Pattern(now.cells == 1, now.x, now.y, now.rule)
        if not box.contains_box(seen.box):
            yield f"generation {t} is not in its box {box} at ({box.x}, {box.y})"
            return
        history.append(seen.in_box(box))
        now = now[1]
    yield from complaints(problem, tuple(history), every=every)
    if motion is not None and first.rule.states > 2 and now != first.shift(motion.dx, motion.dy):
        yield f"the dying cells of generation {problem.steps} are not those of generation 0"


# The rules of an open problem by which a solution's generations follow each other.
#
# Every cell of which something is asked fixes the entry of its neighbourhood.


def find_rules(problem: Problem, history: tuple[States, ...]) -> RuleSpace | None:
    """Return the rules of an open problem that have these generations; None if none has."""
    from satlife.life.rulespaces import RuleSpace, narrow  # noqa: PLC0415 - few are open

    whole = problem.with_height(len(history[0]))
    life = Generations(whole, history)
    return narrow(RuleSpace(whole.rule), (_read_step(whole, life, t) for t in range(whole.steps)))


def _read_step(problem: Problem, life: Generations, t: int) -> tuple[list[int], list[bool]]:
    """Return the neighbourhoods in generation t, and whether their cells live in the next one."""
    now, then, asked = life.at(t), life.at(t + 1), list(_asked_cells(problem, life, t))
    numbers = [
        sum(bit for (dx, dy), bit in BITS.items() if life.home((x + dx, y + dy)) in now)
        for x, y in asked
    ]
    return numbers, [cell in then for cell in asked]


def _asked_cells(problem: Problem, life: Generations, t: int) -> Iterator[Cell]:
    """Yield the cells that must follow from generation t."""
    exempt = {(x, y) for x, y, k in problem.exempt if k == t + 1}
    for cell in _asked_frame(problem, life, t):
        if cell not in exempt:
            yield cell


def _asked_frame(problem: Problem, life: Generations, t: int) -> Iterator[Cell]:
    if problem.boundary == "dead":
        cells = life.at(t) | life.at(t + 1)
        if not cells:
            return
        columns, rows = zip(*cells, strict=True)
        left, top, right, bottom = min(columns), min(rows), max(columns), max(rows)
        frame = Box(left - 1, top - 1, right - left + 3, bottom - top + 3)
    else:
        frame = problem.all_boxes[t]
    free = problem.boundary == "free"
    for y in range(frame.y + free, frame.bottom - free):
        for x in range(frame.x + free, frame.right - free):
            if not free or (x, y) in problem.all_boxes[t + 1]:
                yield x, y


def settle_rule(problem: Problem, history: tuple[States, ...]) -> Problem:
    """Return a problem for the least rule with these generations; with one rule, as it is."""
    if not problem.has_open_rule:
        return problem
    rules = find_rules(problem, history)
    if rules is None:
        raise VerificationError(f"no rule of {problem.rule} has these generations")
    return problem.with_rule(str(rules.least))


def _open_complaints(problem: Problem, history: tuple[States, ...], every: bool) -> Iterator[str]:
    """Yield what is wrong with a solution in the rules that have these generations.

    All of them have the same ones, so the answer is the same in all; it is asked by the simulator
    in the least and in the greatest, which also shows whether the rules were found right.
    """
    rules = find_rules(problem, history)
    if rules is None:
        yield f"no rule of {problem.rule} has these generations"
        return
    if every and rules != problem.parsed.space:
        yield f"only {rules} has these generations, not all of {problem.rule}"
        return
    for rule in dict.fromkeys((rules.least, rules.greatest)):
        for complaint in complaints(problem.with_rule(str(rule)), history):
            yield f"by {rule}, {complaint}"


def _describe_misfit(problem: Problem, t: int, states: States) -> str:
    """Return why the array is not a filling of its generation's box, if it is not."""
    box = problem.all_boxes[t]
    if states.shape != (box.height, box.width):
        height, width = (*states.shape, 0, 0)[:2]
        return f"generation {t} is {width}x{height}, its box {box}"
    most = problem.states - 1 if t == 0 and problem.shows_dying else 1
    if states.size and int(states.max()) > most:
        return f"generation {t} has a cell in state {int(states.max())}"
    return ""


def _step_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    rule = problem.parsed.rule
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
    if problem.states > 2:
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


def _cells(pattern: Pattern) -> frozenset[Cell]:
    return frozenset((x, y) for x, y in pattern.coordinates.tolist())
