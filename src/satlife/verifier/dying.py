"""Checks of a solution in a rule with dying cells, where every state of every cell is simulated.

A solution says which cells live.  A cell that lived a short time ago, and does not live now, is in
the dying state of its age.  Without a motion, nothing came before generation 0, which therefore
has the states of its cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from satlife.life import Pattern, Rule
from satlife.problem import Problem
from satlife.verifier.generations import Cell, Generations

States = dict[Cell, int]
"""The states of the cells that are not dead: 1 if alive, and more if dying."""


def step_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    """Yield the cells that do not follow by the rule, in any state."""
    rule = problem.parsed.rule
    if problem.motion is None:
        for t, states in enumerate(_run(problem, life, rule)):
            alive = frozenset(cell for cell, state in states.items() if state == 1)
            for cell in sorted(alive ^ life.at(t)):
                yield f"cell {cell} of generation {t} does not follow"
                return
        return
    late = -(-rule.states // problem.steps) * problem.steps  # so that no age reaches before 0
    for t in range(late, late + problem.steps):
        now, then = _states_by_age(life, rule, t), _states_by_age(life, rule, t + 1)
        expected = _step(problem, life, rule, now)
        for cell in sorted(expected.keys() | then.keys()):
            if expected.get(cell, 0) != then.get(cell, 0):
                yield f"cell {cell} of generation {t + 1 - late} does not follow"
                break
    outside = [cell for cell in life.at(problem.steps) if cell not in life.boxes[0]]
    if problem.include_last and outside:
        yield f"generation {problem.steps} leaves the box at {outside[0]}"


def simulate_states(problem: Problem, life: Generations) -> list[States]:
    """Return the states of every generation."""
    rule, motion = problem.parsed.rule, problem.motion
    if motion is None:
        return list(_run(problem, life, rule))
    periods = -(-rule.states // problem.steps)  # so many periods later, with a shift for each
    dx, dy = periods * motion.dx, periods * motion.dy
    return [
        {
            life.home((x - dx, y - dy)): state
            for (x, y), state in _states_by_age(life, rule, t + periods * problem.steps).items()
        }
        for t in range(problem.steps + 1)
    ]


def _run(problem: Problem, life: Generations, rule: Rule) -> Iterator[States]:
    """Yield the states of all generations, by the simulator, from those of generation 0."""
    states = dict.fromkeys(life.at(0), 1) | life.dying
    yield states
    for t in range(problem.steps):
        states = _step(problem, life, rule, states, t + 1)
        yield states


def _states_by_age(life: Generations, rule: Rule, t: int) -> States:
    """Return the states of generation t, by when each cell last lived."""
    states: States = {}
    for age in reversed(range(rule.states - 1)):
        states |= dict.fromkeys(life.at(t - age), age + 1)
    return states


def _step(
    problem: Problem, life: Generations, rule: Rule, states: States, later: int = 0
) -> States:
    """Step by the simulator; unless the outside is dead, cell by cell in the box of ``later``."""
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
    box, stepped = life.boxes[0 if problem.boundary == "torus" else later], States()
    for y, x in product(range(box.y, box.bottom), range(box.x, box.right)):
        state, index = states.get((x, y), 0), 0
        for dy, dx in product((-1, 0, 1), repeat=2):
            index = 2 * index + (states.get(life.home((x + dx, y + dy))) == 1)
        lives = bool(rule.table[index]) and state < 2
        stepped[x, y] = 1 if lives else (state + 1) % rule.states if state else 0
    return stepped
