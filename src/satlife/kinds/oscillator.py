"""Oscillators: patterns that return to their place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from satlife.errors import UsageError
from satlife.kinds._bounds import BOUNDS, Bounds
from satlife.kinds._kind import (
    BACKGROUND,
    BOX,
    CELLS,
    COMPOSITE,
    GUTTER,
    PERIOD,
    RULE,
    SYMMETRY,
    TRANSFORM,
    WITHOUT,
    Kind,
)

if TYPE_CHECKING:
    from satlife.kinds._common import BackgroundLike, BoxLike
    from satlife.life import Motion, Rule, Symmetry, Transform
    from satlife.problem import Problem


def oscillator(
    period: int | str | Motion,
    *,
    box: BoxLike,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    transform: Transform | str = "identity",
    composite: bool = False,
    background: BackgroundLike | None = None,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern with this period that has all of its phases in the box.

    At least one cell has the full period; with ``composite`` only the pattern as a whole.  Around
    the box there may be a ``background``, a tile that repeats; the box then is not just more of it.
    With a ``transform`` it is itself turned after the period, and some cell changes.

    >>> print(oscillator(3, box="9x9", symmetry="C4").constraints[0])
    at least one cell has the full period
    """
    from satlife.kinds import _common
    from satlife.life import Motion
    from satlife.problem import Problem

    motion = _common.read_motion(period if isinstance(period, Motion) else str(period))
    if not motion.is_still:
        raise UsageError(f"{motion} moves; ask for a ship")
    boxes = _common.read_boxes(box, motion.period)
    around = _common.read_background(background, boxes)
    still = motion.period == 1 and transform == "identity"
    usual = _common.period_constraints(motion.period, composite)
    motion, usual = _common.turn_motion(Motion(period=motion.period), transform, usual)
    return Problem(
        kind="oscillator",
        rule=str(rule),
        boxes=boxes,
        boundary=around.boundary,
        background=around.tile,
        motion=motion,
        symmetry=str(symmetry),
        known=_common.given_cells(bounds, motion.period),
        constraints=(
            *(() if around.differs and still else usual),
            *around.differs,
            *_common.bound_constraints(bounds),
        ),
    )


OSCILLATOR = Kind(
    name="oscillator",
    noun="oscillator",
    function=oscillator,
    parameters=(
        PERIOD,
        replace(BOX, help=f"{BOX.help[:-1]}; 7x* has any height, by rows."),
        SYMMETRY,
        GUTTER,
        WITHOUT,
        RULE,
        TRANSFORM,
        COMPOSITE,
        BACKGROUND,
        *CELLS,
        *BOUNDS,
    ),
    summary="Find an oscillator of a given period.",
    text="Find a pattern that returns to its place after PERIOD generations, all of them in the "
    "box.  At least one of its cells has the full period.",
    examples=(
        "oscillator 2",
        "oscillator 5 --box 8x8 --symmetry C4",
        "oscillator 6 --box 10x10 --symmetry D4+:D8",
        "oscillator 4 --box 9x9 --rotor '<=12' --population '<=30@every'",
        "oscillator 3 --box 6x6 --timeout 10m",
        "oscillator 5 --box '8x*' --symmetry D2v",
    ),
    axis="periods",
    embeds=True,
    recurs=True,
)
