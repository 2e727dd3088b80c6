"""Checking a solution by a rule with dying cells: every state of every cell is simulated.

A solution says which cells live.  A cell that lived a short time ago, and does not live now, is in
the dying state that its age says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from satlife.life import Pattern, Rule
from satlife.search.problem import Problem

if TYPE_CHECKING:
    from satlife.search.checking.verify import Generations

Cell = tuple[int, int]


def dying_complaints(problem: Problem, life: Generations, rule: Rule) -> Iterator[str]:
    """Yield what does not follow by a rule with dying cells: every state of every cell is asked."""
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


def _states_at(life: Generations, rule: Rule, t: int) -> dict[Cell, int]:
    """Return the states of the cells that are not dead: 1, and more for those that lived before."""
    states: dict[Cell, int] = {}
    for age in reversed(range(rule.states - 1)):
        states |= dict.fromkeys(life.at(t - age), age + 1)
    return states


def _step_states(
    problem: Problem, life: Generations, rule: Rule, states: dict[Cell, int]
) -> dict[Cell, int]:
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
    box, stepped = life.boxes[0], dict[Cell, int]()
    for x, y in [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]:
        state, index = states.get((x, y), 0), 0
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                index = 2 * index + (states.get(life.home((x + dx, y + dy))) == 1)
        lives = bool(rule.table[index]) and state < 2
        stepped[x, y] = 1 if lives else (state + 1) % rule.states if state else 0
    return stepped
