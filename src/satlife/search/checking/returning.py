"""Whether a solution has its period: that it does not come back earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.life import Rule
from satlife.search.problem import Problem
from satlife.search.problem.slow import find_states

if TYPE_CHECKING:
    from satlife.search.checking.verify import Generations

Cell = tuple[int, int]


def _smaller(problem: Problem) -> list[tuple[int, int, int]]:
    """Return the motions (dx, dy, period) that divide the problem's own."""
    motion = problem.motion
    if motion is None or motion.transform != "identity":
        return []
    # A strobing background is the same again only after an even number of generations.
    beats = len(Rule(problem.rule).phases)
    return [
        (motion.dx // q, motion.dy // q, motion.period // q)
        for q in range(2, motion.period + 1)
        if motion.period % (q * beats) == motion.dx % q == motion.dy % q == 0
    ]


def has_pattern_period(problem: Problem, life: Generations) -> bool:
    """Generation 0, moved on, is not what it is after any part of the period."""
    smaller = _smaller(problem)
    if not smaller:
        return bool(life.at(0))
    # As many generations as say the states of all cells; with two states, one.
    times = range(find_states(problem) - 1)
    return all(
        any(moved(life, life.at(t), dx, dy) != life.at(t + p) for t in times)
        for dx, dy, p in smaller
    )


def has_full_period(problem: Problem, life: Generations) -> bool:
    """Some cell differs, for every smaller motion, from itself in some generation."""
    smaller = _smaller(problem)
    if not smaller:
        return bool(life.at(0))
    differing = [
        frozenset().union(
            *(life.at(t) ^ moved(life, life.at(t + p), -dx, -dy) for t in range(problem.steps))
        )
        for dx, dy, p in smaller
    ]
    return bool(frozenset.intersection(*differing))


def moved(life: Generations, cells: frozenset[Cell], dx: int, dy: int) -> frozenset[Cell]:
    """Return cells, moved; on a torus, those of the box that they are then copies of."""
    return frozenset(life.home((x + dx, y + dy)) for x, y in cells)
