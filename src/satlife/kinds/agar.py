"""Agars: patterns that fill the plane, on a torus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from satlife.kinds._bounds import CHANGES, DIFFERENCE, HISTORIES, POPULATION, Bounds
from satlife.kinds._kind import (
    BOX,
    CELLS,
    COMPOSITE,
    GUTTER,
    PERIOD,
    RULE,
    SYMMETRY,
    WITHOUT,
    Kind,
    Parameter,
    pair,
)

if TYPE_CHECKING:
    from satlife.kinds._common import BoxLike
    from satlife.life import Motion, Rule, Symmetry
    from satlife.problem import Problem


def agar(
    period: int | str | Motion,
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
    from satlife.kinds import _common
    from satlife.life import Motion
    from satlife.problem import Problem

    motion = _common.read_motion(period if isinstance(period, Motion) else str(period))
    return Problem(
        kind="agar",
        rule=str(rule),
        boxes=_common.read_boxes(box, 1),
        boundary="torus",
        wrap=_common.read_pair(wrap, "wrap", "two whole numbers, (down, right)"),
        motion=motion,
        symmetry=str(symmetry),
        known=_common.given_cells(bounds, motion.period),
        constraints=(
            *_common.period_constraints(motion.period, composite),
            *_common.bound_constraints(bounds),
        ),
    )


AGAR = Kind(
    name="agar",
    noun="agar",
    function=agar,
    parameters=(
        PERIOD,
        BOX,
        Parameter(
            name="wrap",
            reader=pair("DOWN,RIGHT", "1,0"),
            metavar="DOWN,RIGHT",
            help="Twist: rows down at the right edge, columns right at the bottom.",
            label="Twist of the torus: rows down, columns right",
            heading="Symmetry",
        ),
        SYMMETRY,
        GUTTER,
        WITHOUT,
        RULE,
        COMPOSITE,
        *CELLS,
        POPULATION,
        *HISTORIES,
        *CHANGES,
        DIFFERENCE,
    ),
    summary="Find a pattern on a torus.",
    text="Find a pattern with this period (or speed) on a torus of the box's size.",
    examples=("agar 2 --box 4x4", "agar 2 --box 5x4 --wrap 1,0"),
    axis="periods",
)
