"""Still lifes: patterns that do not change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from satlife.kinds._bounds import DIFFERENCE, EXTENTS, POPULATION, Bounds
from satlife.kinds._kind import (
    BACKGROUND,
    BOX,
    CELLS,
    GUTTER,
    RULE,
    SYMMETRY,
    WITHOUT,
    Kind,
)

if TYPE_CHECKING:
    from satlife.kinds._common import BackgroundLike, BoxLike
    from satlife.life import Rule, Symmetry
    from satlife.problem import Problem


def still_life(
    *,
    box: BoxLike,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    background: BackgroundLike | None = None,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern that does not change and is not empty.

    In a ``background``, a tile that repeats, it is instead a box whose cells are not all as the
    background would have them.

    >>> still_life(box="8x8", population=">=36").motion
    Motion(period=1)
    """
    from satlife.kinds import _common
    from satlife.life.motion import Motion
    from satlife.problem import Problem
    from satlife.problem.constraints import NotEmpty

    boxes = _common.read_boxes(box, 1)
    around = _common.read_background(background, boxes)
    return Problem(
        kind="still-life",
        rule=str(rule),
        boxes=boxes,
        boundary=around.boundary,
        background=around.tile,
        motion=Motion(period=1),
        symmetry=str(symmetry),
        known=_common.given_cells(bounds, 1),
        constraints=(*(around.differs or (NotEmpty(),)), *_common.bound_constraints(bounds)),
    )


STILL_LIFE = Kind(
    name="still-life",
    noun="still life",
    function=still_life,
    parameters=(
        BOX,
        SYMMETRY,
        GUTTER,
        WITHOUT,
        RULE,
        BACKGROUND,
        *CELLS,
        POPULATION,
        *EXTENTS,
        DIFFERENCE,
    ),
    summary="Find a still life.",
    text="Find a pattern that does not change.",
    examples=("still-life --box 8x8 --population '>=36'", "still-life --box 9x9 --symmetry D8"),
    axis="none",
    embeds=True,
    recurs=True,
)
