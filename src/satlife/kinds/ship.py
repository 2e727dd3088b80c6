"""Spaceships: patterns that return in another place."""

from __future__ import annotations

from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING, Unpack

from satlife.errors import UsageError
from satlife.kinds._bounds import CHANGES, DIFFERENCE, EXTENTS, POPULATION, Bounds
from satlife.kinds._kind import (
    BOX,
    CELLS,
    COMPOSITE,
    FLAG,
    GUTTER,
    RULE,
    SYMMETRY,
    TEXT,
    TRANSFORM,
    WITHOUT,
    Blank,
    Kind,
    Parameter,
)

if TYPE_CHECKING:
    from satlife.kinds._common import BoxLike
    from satlife.life import Motion, Rule, Symmetry, Transform
    from satlife.problem import Problem


def ship(
    speed: str | Motion,
    *,
    box: BoxLike,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    transform: Transform | str = "identity",
    include_last: bool = False,
    composite: bool = False,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a ship of this speed whose generations 0 to p-1 are in the box.

    It travels north or north-west.  ``include_last`` keeps generation p in the box as well.
    With a ``transform`` it is also turned or mirrored after the period, as in a glide.

    >>> ship("c/3", box="16x6").motion
    Motion(period=3, dy=-1)
    """
    from satlife.kinds import _common
    from satlife.problem import Problem
    from satlife.problem.constraints import FullPeriod, NotEmpty, PatternPeriod

    motion = _common.read_motion(speed)
    if motion.is_still:
        raise UsageError(f"{motion} does not move; ask for an oscillator")
    usual = PatternPeriod() if composite else FullPeriod(), NotEmpty()
    motion, asked = _common.turn_motion(motion, transform, usual)
    return Problem(
        kind="ship",
        rule=str(rule),
        boxes=_common.read_boxes(box, motion.period),
        motion=motion,
        include_last=include_last,
        symmetry=str(symmetry),
        known=_common.given_cells(bounds, motion.period),
        constraints=(
            *asked,
            *_common.bound_constraints(bounds),
        ),
    )


def _hint(problem: Problem) -> str:
    """Return a speed that is the same, with a longer period: the LWSS is 2c/4, not c/2."""
    from satlife.life import Motion
    from satlife.life.simulate import exceeds_limit
    from satlife.problem.words import join_command

    moved = problem.motion
    if moved is None:
        return ""
    if not problem.has_open_rule and exceeds_limit(moved, problem.rule):
        return f"no ship of {problem.rule} is faster than c/2, or c/4 diagonally, in any box"
    if gcd(moved.period, moved.dx, moved.dy) > 1:
        return ""
    twice = Motion(2 * moved.period, 2 * moved.dx, 2 * moved.dy)
    words = ["satlife", "ship", str(twice)]
    if len(problem.boxes) == 1:
        words += ["--box", problem.boxes[0]]
    for name, value, usual in (
        ("--symmetry", problem.symmetry, "C1"),
        ("--rule", problem.rule, "B3/S23"),
    ):
        words += [] if value == usual else [name, value]
    return f"{twice} is the same speed: {join_command(words)}"


SHIP = Kind(
    name="ship",
    noun="ship",
    function=ship,
    parameters=(
        Parameter(
            name="speed",
            reader=TEXT,
            argument=True,
            metavar="SPEED",
            blank=Blank(
                before="of speed",
                width=9,
                example="c/3",
                meaning="c/3 is one cell in three generations, c/4d the same diagonally, "
                "(2,1)c/6 a knight’s move in six.",
                term="speed",
            ),
        ),
        replace(
            BOX,
            help=f"{BOX.help[:-1]}; 15x* has any height, by rows; in a diagonal ship it counts "
            "diagonals, in an oblique one lines along its motion.",
        ),
        SYMMETRY,
        GUTTER,
        WITHOUT,
        RULE,
        TRANSFORM,
        Parameter(
            name="include_last",
            reader=FLAG,
            help="Keep generation p, which has moved on, in the box too.",
            label="The box holds the generation that has moved on, too",
        ),
        COMPOSITE,
        *CELLS,
        POPULATION,
        *CHANGES,
        *EXTENTS,
        DIFFERENCE,
    ),
    summary="Find a spaceship of a given speed.",
    text="Find a pattern that returns in another place.  SPEED is c/3, 2c/5, c/4d (diagonal) or "
    "(2,1)c/6; it is never reduced.  Ships travel north or north-west; generations 0 to p-1 "
    "are in the box.",
    examples=("ship c/4d", "ship c/3 --box 16x6", "ship c/3 --box 12x13 --symmetry D2v"),
    hint=_hint,
    axis="speeds",
    embeds=True,
    recurs=True,
)
