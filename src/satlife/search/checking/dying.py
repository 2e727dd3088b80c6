"""Checking a solution by a rule with dying cells: every state of every cell is simulated.

A solution says which cells live.  A cell that lived a short time ago, and does not live now, is in
the dying state that its age says.  Without a motion, generation 0 says the states of its cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from satlife.life import Pattern, Rule
from satlife.search.problem import Problem
from satlife.search.problem.slow import LETTERS

if TYPE_CHECKING:
    from satlife.search.checking.verify import Generations

Cell = tuple[int, int]


def dying_complaints(problem: Problem, life: Generations, rule: Rule) -> Iterator[str]:
    """Yield what does not follow by a rule with dying cells: every state of every cell is asked."""
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
    """Yield which known cells are in another state."""
    rule, motion = Rule(problem.rule), problem.motion
    if motion is None:
        film = list(_forward(problem, life, rule))
    else:
        periods = -(-rule.states // problem.steps)  # so many later, it has moved as often
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
