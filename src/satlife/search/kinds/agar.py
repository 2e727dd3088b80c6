"""Agars: patterns that fill the plane, on a torus."""

from __future__ import annotations

from typing import Unpack

from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.symmetry import Symmetry
from satlife.search.kinds.common import (
    Bounds,
    BoxLike,
    bound_constraints,
    period_constraints,
    read_boxes,
)
from satlife.search.problem import Movement, Problem


def agar(
    period: int | str,
    *,
    box: BoxLike,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    wrap: tuple[int, int] = (0, 0),
    composite: bool = False,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern with this period (or speed) on a torus of the box's size.

    ``wrap`` twists the torus: the copy to the right of the box lies ``wrap[0]`` rows lower, or the
    copy below it ``wrap[1]`` columns further right.

    >>> agar(2, box="4x4").boundary
    'torus'
    """
    motion = Motion(str(period))
    return Problem(
        kind="agar",
        rule=str(rule),
        boxes=read_boxes(box, 1),
        boundary="torus",
        wrap=wrap,
        motion=Movement(period=motion.period, dx=motion.dx, dy=motion.dy),
        symmetry=str(symmetry),
        constraints=(
            *period_constraints(motion.period, composite),
            *bound_constraints(bounds),
        ),
    )
