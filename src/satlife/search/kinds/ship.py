"""Spaceships: patterns that come back elsewhere."""

from __future__ import annotations

from typing import Unpack

from satlife.errors import UsageError
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.symmetry import Symmetry
from satlife.search.kinds.common import Bounds, BoxLike, bound_constraints, read_boxes
from satlife.search.problem import Movement, Problem
from satlife.search.problem.constraints import FullPeriod, NotEmpty, PatternPeriod


def ship(
    speed: str | Motion,
    *,
    box: BoxLike,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    include_last: bool = False,
    composite: bool = False,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a ship of this speed whose generations 0 to p-1 are in the box.

    It travels north or north-west.  ``include_last`` keeps generation p in the box as well.

    >>> ship("c/3", box="16x6").motion
    Movement(period=3, dx=0, dy=-1, transform='identity')
    """
    motion = speed if isinstance(speed, Motion) else Motion(speed)
    if motion.is_still:
        raise UsageError(f"{motion} does not move; ask for an oscillator")
    return Problem(
        kind="ship",
        rule=str(rule),
        boxes=read_boxes(box, motion.period),
        motion=Movement(period=motion.period, dx=motion.dx, dy=motion.dy),
        include_last=include_last,
        symmetry=str(symmetry),
        constraints=(
            *((PatternPeriod(),) if composite else (FullPeriod(),)),
            NotEmpty(),
            *bound_constraints(bounds),
        ),
    )
