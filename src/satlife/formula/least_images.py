"""Symmetry breaking: of solutions that are images of each other, keep the least (lex-leader).

If a map of space and time takes every solution to a solution, generation 0, read row by row, may be
required not to be greater than its image.  This loses no class of solutions.  It saves much work if
there are none, but hides solutions if there are many.  Certificates have their
own: :mod:`satlife.audit.invariance`.

The maps are the symmetries of the rule that preserve the boxes, the motion and the symmetry of the
problem, and for oscillators also shifts in time.  With known cells, links, exempt cells, a drawing
or a twisted torus, no symmetry is broken: safety comes before speed.

Each map takes one variable and three clauses for each cell that it moves (Crawford et al., KR
1996).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from satlife.formula.isometry import Isometry
from satlife.formula.spacetime import SpaceTime, places
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.problem import Problem
from satlife.sat.formula import FormulaBuilder, IntArray
from satlife.sat.logic import TRUE, add_clauses, number_rows

ORIGIN = "symmetry breaking"


def add_symmetry_breaking(spacetime: SpaceTime, builder: FormulaBuilder) -> bool:
    """Add lex-leader clauses for every map of the problem; return whether there was one."""
    x, y = places(spacetime.boxes[0])
    first = spacetime.generation(0).ravel()
    maps = [*free_isometries(spacetime)]
    if not maps:
        return False
    rows = np.stack([first] * (len(maps) + 1))
    for dt in {isometry.dt for isometry in maps}:
        these = [k for k, isometry in enumerate(maps) if isometry.dt == dt]
        columns, lines = np.stack([maps[k].points(x, y) for k in these], axis=1)
        rows[1:][these] = spacetime.literals(columns, lines, dt)
    kinds, _ = number_rows(rows)
    if len(kinds) > 1:
        lesser = _say_not_greater(builder, first, rows[kinds[1:]])
        add_clauses(builder, ORIGIN, lesser, keep_order=True)
    return len(kinds) > 1


def free_isometries(spacetime: SpaceTime) -> Iterator[Isometry]:
    """Yield the maps, except the identity, that take solutions to solutions."""
    problem = spacetime.problem
    if problem.known or problem.links or problem.exempt or any(problem.wrap):
        return
    if problem.boundary == "agar":
        return
    if problem.motion is None or not problem.motion.only_shifts:
        return
    if any(each.drawn_as for each in problem.constraints):
        return
    # On a strobing background, generations of different parity follow different tables.
    beats = len(spacetime.tables)
    shifts = range(0, problem.motion.period, beats) if _phases_are_alike(problem) else range(1)
    box, boxes = spacetime.boxes[0], frozenset(spacetime.boxes)
    for g in spacetime.rule.symmetries:
        kept = _keeps(g, boxes, box, problem.motion, problem.parsed.symmetry)
        if kept and problem.keeps_constraints(g):
            for k in shifts:
                if k or g.order > 1:
                    yield Isometry.about(box, g, dt=k)


def _phases_are_alike(problem: Problem) -> bool:
    """Whether any phase may be generation 0."""
    motion = problem.motion
    still = motion is not None and motion.dx == motion.dy == 0
    particular = any(each.generations for each in problem.constraints)
    return still and len(problem.boxes) == 1 and not particular


@lru_cache(maxsize=1024)
def _keeps(
    g: Transform, boxes: frozenset[Box], first: Box, motion: Motion, symmetry: Symmetry
) -> bool:
    """Whether the transform about the first box's centre preserves boxes, motion and symmetry."""
    if g.swaps_axes and first.width != first.height:
        return False
    isometry = Isometry.about(first, g)
    if not all(isometry.box(each) == each for each in boxes):
        return False
    if g.apply_to_point(motion.dx, motion.dy) != (motion.dx, motion.dy):
        return False
    operation = symmetry.time_operation
    conjugates = all(g * h * g.inverse in symmetry.group for h in symmetry.group)
    if operation is None:
        return conjugates
    # The axis of a glide may not go through the centre, so no other map is safe.
    if motion.dx or motion.dy:
        return False
    same_step = g * operation * g.inverse * operation.inverse in symmetry.group
    return conjugates and same_step


def _say_not_greater(builder: FormulaBuilder, first: IntArray, images: IntArray) -> IntArray:
    """Return clauses: a sequence of literals is not greater than others, lexicographically."""
    number, place = np.nonzero(images != first)
    small, large = first[place], images[number, place]
    # equal[i]: the pairs of an image up to i are equal; needed up to its last pair but one.
    inner = np.append(number[1:] == number[:-1], False)
    equal = np.full(len(number), TRUE, np.int32)
    equal[inner] = builder.new_variables(int(inner.sum()))
    before = np.roll(equal, 1)
    clauses = np.concatenate(
        [
            np.column_stack([-before, -small, large]),
            np.column_stack([-before, -small, equal])[inner],
            np.column_stack([-before, large, equal])[inner],
        ]
    )
    numbers = np.concatenate([number, number[inner], number[inner]])
    return clauses[np.argsort(numbers, kind="stable")]  # those of each image together
