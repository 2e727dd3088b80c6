"""Oscillators and still lifes: patterns that come back to their place."""

from __future__ import annotations

from typing import Unpack

from satlife.errors import UsageError
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


def oscillator(
    period: int | str,
    *,
    box: BoxLike,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    composite: bool = False,
    kind: str = "oscillator",
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern with this period and all of its phases in the box.

    At least one cell has the full period; with ``composite`` only the pattern as a whole.

    >>> print(oscillator(3, box="9x9", symmetry="C4").constraints[0])
    at least one cell has the full period
    """
    motion = Motion(str(period))
    if not motion.is_still:
        raise UsageError(f"{motion} moves; ask for a ship")
    return Problem(
        kind=kind,
        rule=str(rule),
        boxes=read_boxes(box, motion.period),
        motion=Movement(period=motion.period, dx=motion.dx, dy=motion.dy),
        symmetry=str(symmetry),
        constraints=(
            *period_constraints(motion.period, composite),
            *bound_constraints(bounds),
        ),
    )


def still_life(
    *,
    box: BoxLike,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern that does not change, and is not empty.

    >>> still_life(box="8x8", population=">=36").kind
    'still-life'
    """
    return oscillator(1, box=box, symmetry=symmetry, rule=rule, kind="still-life", **bounds)
