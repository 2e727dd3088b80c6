"""The still life around the cells that matter: as small as a short search finds it.

A solver sets the cells on which a reaction does not depend as it likes, so that a catalyst of
twenty cells comes with two hundred others.  Here those cells are asked for once more, alone: first
as few around the others as will do, then with the least population.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from satlife.engine.reactions import cut_cells, find_alone, mark_what_matters, widen
from satlife.engine.sat.attempt import decode
from satlife.formula.build import build
from satlife.formula.classes import History
from satlife.formula.measures import Count, find_measure
from satlife.formula.spacetime import SpaceTime
from satlife.life import Box, Pattern
from satlife.life.box import format_placed_box
from satlife.life.identity.parts import parts
from satlife.life.motion import Motion
from satlife.problem import Known, Problem
from satlife.sat import FormulaBuilder, find_solver
from satlife.sat.answer import Satisfied
from satlife.sat.logic import FALSE, TRUE
from satlife.sat.solver import Limits
from satlife.sat.solvers.pysat import InlineSolver
from satlife.verifier.verify import complaints

Mask = npt.NDArray[np.bool_]
States = npt.NDArray[np.uint8]

CONFLICTS = 5_000
"""Conflicts after which no smaller one is looked for: about a quarter of a second."""


def list_simpler(spacetime: SpaceTime, history: History, until: int = 0) -> Iterator[History]:
    """Yield solutions with the same reaction before ``until``, the smallest catalyst first.

    Then the one that was found, without the parts that do not matter, and as it is.
    """
    problem = spacetime.problem
    t = find_alone(problem)
    home = problem.all_boxes[t]
    alone = Pattern(history[t], home.x, home.y, problem.parsed.rule)
    given = np.abs(spacetime.generation(t)) == TRUE
    fixed = mark_what_matters(problem, history, until) | given
    needless = [each.in_box(home) for each in parts(alone) if not (each.in_box(home) & fixed).any()]
    less = np.subtract(history[t], sum(needless, np.zeros_like(fixed, np.uint8)))
    least = complete_smallest(alone, home, fixed)
    for catalyst in (less if least is None else least.in_box(home), less):
        replaced = _replace_catalyst(problem, history, catalyst)
        if not any(complaints(problem, replaced)):
            yield replaced
    yield history


def _replace_catalyst(problem: Problem, history: History, alone: States) -> History:
    """Return the solution with another catalyst, which is as that one where it matters."""
    t = find_alone(problem)
    home = problem.all_boxes[t]
    changed, lives = alone != history[t], alone == 1
    replaced = []
    for box, states in zip(problem.all_boxes, history, strict=True):
        now = states.copy()
        there = cut_cells(changed, home, box)
        now[there] = cut_cells(lives, home, box)[there]
        replaced.append(now)
    return tuple(replaced)


def complete_smallest(pattern: Pattern, box: Box, fixed: Mask) -> Pattern | None:
    """Return a still life in the box with these cells of a pattern; None if none was found soon.

    >>> corner = Pattern.from_rle("2o$o!")
    >>> fixed = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0]], bool)
    >>> complete_smallest(corner, Box(0, 0, 3, 3), fixed)
    Pattern.from_rle('2o$2o!')
    """
    core = pattern.in_box(box).astype(bool) & fixed
    kept = Pattern(core.astype(np.uint8), box.x, box.y, pattern.rule)
    if kept[1] == kept:
        return kept
    near, free = core, np.zeros_like(fixed)
    while not (near.all() or np.array_equal(free, ~fixed)):
        near = widen(near)
        free = near & ~fixed
        if (found := _search(kept, box, free)) is not None:
            return found
    return None


def _search(kept: Pattern, box: Box, free: Mask) -> Pattern | None:
    """Return the least still life that is found with these cells free."""
    drawn = np.where(free, "?", np.where(kept.in_box(box), "o", "."))
    problem = Problem(
        kind="still-life",
        rule=str(kept.rule),
        boxes=(format_placed_box(box),),
        motion=Motion(period=1),
        known=(Known(t=0, x=box.x, y=box.y, rows=tuple(map("".join, drawn))),),
    )
    spacetime, measure = SpaceTime(problem), find_measure("population")
    counts: list[Count] = []

    def count(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        counts.append(measure.count(spacetime, builder))

    formula = build(spacetime, also=count).formula
    best: Pattern | None = None
    wanted: list[int] = []
    with InlineSolver(find_solver("cadical")).open(formula) as solver:
        while isinstance(answer := solver.solve(wanted, Limits(conflicts=CONFLICTS)), Satisfied):
            best = Pattern(decode(spacetime, answer.model)[0], box.x, box.y, kept.rule)
            literal = counts[0].at_most(best.population - 1)
            if literal == FALSE:
                break
            wanted = [literal]
    return best
