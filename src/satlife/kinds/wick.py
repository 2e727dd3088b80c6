"""Wicks: patterns that repeat in one direction, on a cylinder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from satlife.errors import UsageError
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
    number,
)
from satlife.quantities import write_count

if TYPE_CHECKING:
    from satlife.kinds._common import BoxLike
    from satlife.life import Motion, Rule, Symmetry
    from satlife.problem import Problem


def wick(
    period: int | str | Motion,
    *,
    box: BoxLike,
    slant: int = 0,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    composite: bool = False,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern with this period (or speed) that repeats to the left and right of the box.

    Each copy lies ``slant`` rows lower than the one to its left.  Above and below all is dead.

    A cylinder is a torus with a belt of dead rows: so many that copies above and below cannot meet,
    and half of them on each side, so that the centre is that of the box.

    >>> problem = wick(2, box="4x3")
    >>> problem.boxes, [known.y for known in problem.known]
    (('4x5+0-1',), [-1, -1])
    """
    from satlife.kinds import _common
    from satlife.life import Motion
    from satlife.life.box import Box, format_placed_box, parse_placed_box
    from satlife.problem import LARGEST_COORDINATE, Known, Problem

    motion = _common.read_motion(period if isinstance(period, Motion) else str(period))
    text = _common.read_boxes(box, 1)[0]
    if text.endswith("*"):
        raise UsageError(f"a wick is as high as its box, and {text} has no height; write one")
    home = parse_placed_box(text)
    down = _common.read_whole(slant, "slant", -LARGEST_COORDINATE)
    margin = 1 + abs(motion.dy) + abs(down)
    _common.check_cells(home.grow(margin), motion.period)
    tile = Box(home.x, home.y - margin, home.width, home.height + 2 * margin)
    dead, open_ = "." * tile.width, "?" * tile.width
    rows = (dead,) * margin + (open_,) * home.height + (dead,) * margin
    belt = tuple(Known(t=t, x=tile.x, y=tile.y, rows=rows) for t in range(motion.period))
    return Problem(
        kind="wick",
        rule=str(rule),
        boxes=(format_placed_box(tile),),
        boundary="torus",
        wrap=(down, 0),
        motion=motion,
        symmetry=str(symmetry),
        known=(*belt, *_common.given_cells(bounds, motion.period)),
        constraints=(
            *_common.period_constraints(motion.period, composite),
            *_common.bound_constraints(bounds),
        ),
    )


def _asked(problem: Problem) -> str:
    from satlife.problem.words import find_asked_box, find_slant

    motion, home = problem.motion, find_asked_box(problem)
    words = f"of period {motion.period}, " if motion else ""
    if motion and (motion.dx or motion.dy):
        time = write_count(motion.period, "generation")
        words = f"that moves by ({motion.dx}, {motion.dy}) in {time}, "
    more = "".join(f"; {each}" for each in problem.constraints)
    lower = f", each copy {slant} rows lower" if (slant := find_slant(problem)) else ""
    return (
        f"wick {words}in {problem.rule}, that repeats every {home.width} columns{lower} and is at "
        f"most {home.height} high{more}"
    )


WICK = Kind(
    name="wick",
    noun="wick",
    function=wick,
    parameters=(
        PERIOD,
        BOX,
        Parameter(
            name="slant",
            reader=number(-1_000_000),
            metavar="ROWS",
            help="How many rows lower each copy lies than the one to its left.",
            label="Rows that each copy lies lower than the one to its left",
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
    summary="Find a pattern that repeats in one direction.",
    text="Find a pattern with this period (or speed) that repeats to the left and to the right: "
    "the box is one piece of it.  Above and below all is dead.",
    examples=("wick 2 --box 4x6", "wick 1 --box 3x3 --slant 1"),
    asked=_asked,
    axis="periods",
)
