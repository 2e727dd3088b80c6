"""Symmetry breaking: of solutions that are images of each other, keep the least (lex-leader).

If a map of space and time takes every solution to a solution, generation 0, read row by row, may be
required not to be greater than its image.  This loses no class of solutions.  It saves much work if
there are none, but hides solutions if there are many.  Certificates have their
own: :mod:`satlife.certificates.audit.invariance`.

The maps are the symmetries of the rule that preserve the boxes, the motion and the symmetry of the
problem, and for oscillators also shifts in time.  With known cells, links, exempt cells, a drawing
or a twisted torus, no symmetry is broken: safety comes before speed.

Each map takes one variable and three clauses for each cell that it moves (Crawford et al., KR
1996).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from satlife.formula.isometry import Isometry
from satlife.formula.spacetime import SpaceTime, places
from satlife.life.transforms import Transform
from satlife.problem import Problem
from satlife.sat.formula import FormulaBuilder, IntArray
from satlife.sat.logic import TRUE, add_clauses, number_rows

ORIGIN = "symmetry breaking"


def add_symmetry_breaking(spacetime: SpaceTime, builder: FormulaBuilder) -> bool:
    """Add lex-leader clauses for every map of the problem; return whether there was one."""
    x, y = places(spacetime.boxes[0])
    first = spacetime.generation(0).ravel()
    images = [
        spacetime.literals(*isometry.points(x, y), isometry.dt)
        for isometry in free_isometries(spacetime)
    ]
    if not images:
        return False
    rows = np.stack([first, *images])
    kinds, _ = number_rows(rows)
    clauses = [_say_not_greater(builder, first, image) for image in rows[kinds[1:]]]
    if clauses:
        add_clauses(builder, ORIGIN, np.concatenate(clauses), keep_order=True)
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
    box = spacetime.boxes[0]
    for g in spacetime.rule.symmetries:
        if _keeps(g, spacetime):
            for k in shifts:
                if k or g.order > 1:
                    yield Isometry.about(box, g, dt=k)


def _phases_are_alike(problem: Problem) -> bool:
    """Whether any phase may be generation 0."""
    motion = problem.motion
    still = motion is not None and motion.dx == motion.dy == 0
    particular = any(each.generations for each in problem.constraints)
    return still and len(problem.boxes) == 1 and not particular


def _keeps(g: Transform, spacetime: SpaceTime) -> bool:
    """Whether the transform about the first box's centre preserves the rest of the problem."""
    problem = spacetime.problem
    box = spacetime.boxes[0]
    if g.swaps_axes and box.width != box.height:
        return False
    isometry = Isometry.about(box, g)
    has_boxes = all(isometry.box(each) == each for each in spacetime.boxes)
    if not (has_boxes and problem.keeps_constraints(g)):
        return False
    if problem.motion is not None:
        displacement = problem.motion.dx, problem.motion.dy
        if g.apply_to_point(*displacement) != displacement:
            return False
    symmetry = problem.parsed.symmetry
    operation = symmetry.time_operation
    conjugates = all(g * h * g.inverse in symmetry.group for h in symmetry.group)
    if operation is None:
        return conjugates
    # The axis of a glide may not go through the centre, so no other map is safe.
    if problem.motion is not None and (problem.motion.dx or problem.motion.dy):
        return False
    same_step = g * operation * g.inverse * operation.inverse in symmetry.group
    return conjugates and same_step


def _say_not_greater(builder: FormulaBuilder, small: IntArray, large: IntArray) -> IntArray:
    """Return clauses: a sequence of literals is not greater than another, lexicographically."""
    differ = small != large
    small, large = small[differ], large[differ]
    # equal[i]: the first i pairs are equal; needed from the second pair on.
    equal = builder.new_variables(len(small) - 1)
    before = np.concatenate([np.array([TRUE], np.int32), equal])
    return np.concatenate(
        [
            np.column_stack([-before, -small, large]),
            np.column_stack([-before[:-1], -small[:-1], equal]),
            np.column_stack([-before[:-1], large[:-1], equal]),
        ]
    )
