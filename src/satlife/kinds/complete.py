"""Completing what is partly known: an object, or a piece of space-time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from satlife.errors import UsageError
from satlife.kinds._bounds import BOUNDS, Bounds
from satlife.kinds._kind import (
    BACKGROUND,
    CELLS,
    FLAG,
    GUTTER,
    PARTIAL,
    RULE,
    SYMMETRY,
    TEXT,
    WITHOUT,
    Blank,
    Kind,
    Parameter,
    file,
    number,
)

if TYPE_CHECKING:
    from satlife.kinds._common import BackgroundLike
    from satlife.life import Motion, PartialPattern, Pattern, Rule, Symmetry
    from satlife.problem import Known, Link, Place, Problem
    from satlife.problem.constraints import Constraint
    from satlife.problem.lls_grid import Grid


def complete(
    partial: PartialPattern | Pattern | Grid | str,
    *,
    motion: str | Motion | None = None,
    full_period: bool = False,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str | None = None,
    background: BackgroundLike | None = None,
    margin: int = 0,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern that has the known cells; unknown ones (``?``) are free, others dead.

    One generation is completed to a still life, or with ``motion`` (p3, c/4) to an oscillator or a
    ship; with ``full_period`` at least one cell has the period.  Several generations, as in a grid
    of Logic Life Search, follow each other by the rule.  The box is that of the drawing, and
    ``margin`` unknown cells more on each side.  Outside it there may be a ``background``, a tile
    that repeats, in place of dead cells.

    >>> from satlife import PartialPattern
    >>> complete(PartialPattern.from_rle("2o$o?$b2o!"), margin=1).boxes
    ('5x5-1-1',)
    """
    from satlife.kinds import _common
    from satlife.life import PartialPattern, Pattern
    from satlife.problem import Problem
    from satlife.problem.constraints import FullPeriod, PatternPeriod
    from satlife.problem.lls_grid import Grid

    drawn: PartialPattern | Pattern | Grid = _common.read_cells(
        partial, PARTIAL, (Pattern, PartialPattern, Grid), "partial"
    )
    links: tuple[Link, ...] = ()
    exempt: tuple[Place, ...] = ()
    if isinstance(drawn, Grid):
        links, exempt, rule = drawn.links, drawn.exempt, rule or "B3/S23"
        drawn = drawn.pattern
    if isinstance(drawn, Pattern):
        drawn = PartialPattern.from_pattern(drawn, drawn.frame)
    if drawn.box.is_empty:
        raise UsageError("there is nothing to complete: the pattern has no cells")
    generations = drawn.generations
    box = drawn.box.grow(_common.read_whole(margin, "margin", 0))
    _common.check_cells(box, generations)
    boxes = _common.read_boxes(box, 1)
    known: tuple[Known, ...] = tuple(_common.draw_known(drawn, t) for t in range(generations))
    constraints: tuple[Constraint, ...] = _common.bound_constraints(bounds)
    around = _common.read_background(background, boxes)
    asked: dict[str, Any] = {
        "kind": "complete",
        "rule": str(rule or drawn.rule),
        "boxes": boxes,
        "boundary": around.boundary,
        "background": around.tile,
        "symmetry": str(symmetry),
        "links": links,
        "exempt": exempt,
    }
    if generations > 1 and motion is None:
        asked |= {"steps": generations - 1, "constraints": constraints}
        return Problem(**asked, known=(*known, *_common.given_cells(bounds, generations)))
    moved = _common.read_motion(motion or "p1")
    if generations > moved.period + 1:
        raise UsageError(f"{generations} generations do not fit into the period {moved.period}")
    if moved.period > 1:
        constraints += (FullPeriod(),) if full_period else (PatternPeriod(),)
    return Problem(
        **asked,
        motion=moved,
        known=(*known, *_common.given_cells(bounds, moved.period)),
        constraints=constraints,
    )


COMPLETE = Kind(
    name="complete",
    noun="pattern",
    function=complete,
    parameters=(
        file("partial", PARTIAL),
        Parameter(
            name="motion",
            reader=TEXT,
            metavar="MOTION",
            help="A period (p3) or a speed (c/4).",
            blank=Blank(
                before="with motion",
                width=6,
                example="p1",
                meaning="p1 stands still, p3 is the same after three generations, c/4 is a speed; "
                "empty: no motion, only the drawn generations.",
                term="motion",
            ),
        ),
        Parameter(
            name="full_period",
            reader=FLAG,
            help="At least one cell must have the full period.",
            label="At least one cell has the full period",
        ),
        SYMMETRY,
        GUTTER,
        WITHOUT,
        replace(RULE, help="The rule, if not the file's."),
        BACKGROUND,
        Parameter(
            name="margin",
            reader=number(0),
            help="Unknown cells around PATTERN, on each side.",
            label="Unknown cells around the drawing, on each side",
            heading="Size",
        ),
        *CELLS,
        *BOUNDS,
    ),
    summary="Complete a partly known pattern.",
    text="Find values for the unknown cells (?) of PATTERN so that it is a still life, or with "
    "--motion an oscillator or ship.  PATTERN is RLE or plaintext with ?, or a search pattern "
    "of Logic Life Search (0, 1, *, names, several generations).",
    examples=(
        "complete eater.rle",
        "complete rotor.rle --motion p3 --margin 2",
        "complete search.lls",
    ),
    recurs=True,
)
