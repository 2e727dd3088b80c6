"""Ancestors: patterns that become a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from satlife.errors import UsageError
from satlife.given import check_type
from satlife.kinds._bounds import CHANGES, DIFFERENCE, POPULATION, Bounds
from satlife.kinds._kind import (
    ANY_PATTERN,
    CELLS,
    FLAG,
    GENERATIONS,
    Kind,
    Parameter,
    duration,
    file,
    number,
)

if TYPE_CHECKING:
    from satlife.life import PartialPattern, Pattern
    from satlife.life.cells import Cells
    from satlife.problem import Problem


def parent(
    pattern: Pattern | PartialPattern | str,
    *,
    generations: int = 1,
    margin: int = 1,
    unique: bool = False,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern that is this one ``generations`` later.

    Each generation back lives in a box that is ``margin`` cells larger on each side.  If it is to
    be ``unique``, the question is another: whatever is around, do all that become the pattern's
    cells have the same cells in their place?  Then the answer is impossible: there is no other.

    >>> from satlife import Pattern
    >>> parent(Pattern.from_rle("3o!"), generations=2).boxes
    ('7x5-2-2', '5x3-1-1', '3x1')
    """
    from satlife.kinds import _common
    from satlife.life import PartialPattern, Pattern
    from satlife.life.box import format_placed_box
    from satlife.problem import Problem

    if check_type(unique, bool, "unique", "True or False"):
        if margin != 1 or bounds:
            raise UsageError(
                "whether a parent is unique is asked with free cells all around; a margin, bounds "
                "and given cells cannot be combined with it"
            )
        return _common.ask_comparable(pattern, generations, "unique")
    target: Pattern | PartialPattern = _common.read_cells(
        pattern, ANY_PATTERN, (Pattern, PartialPattern), "pattern"
    )
    generations = _common.read_whole(generations, "generations", 1)
    margin = _common.read_whole(margin, "margin", 0)
    if target.box.is_empty:
        raise UsageError("the pattern is empty, and so may its ancestors be: nothing to search")
    _common.check_cells(target.box, generations)
    _common.check_cells(target.box.grow(margin * generations), 1)
    back = range(generations, -1, -1)
    drawn = _common.draw_known(target, generations)
    if target.rule.states > 2:  # outside, nothing may be dying: the pattern is all there is
        drawn = _common.grow_known(drawn, margin * generations)
    return Problem(
        kind="parent",
        rule=str(target.rule),
        boxes=tuple(format_placed_box(target.box.grow(margin * n)) for n in back),
        steps=generations,
        known=(drawn, *_common.given_cells(bounds, generations + 1)),
        constraints=_common.bound_constraints(bounds),
    )


PARENT = Kind(
    name="parent",
    noun="ancestor",
    function=parent,
    parameters=(
        file("pattern"),
        GENERATIONS,
        Parameter(
            name="margin",
            reader=number(0),
            help="Cells on each side, per generation back.",
            label="Unknown cells around the drawing, on each side",
            heading="Size",
        ),
        Parameter(
            name="unique",
            reader=FLAG,
            help="Decide whether all parents, whatever is around, have the same cells there.",
            label="Do all parents have the same cells in its place?",
        ),
        *CELLS,
        POPULATION,
        *CHANGES,
        DIFFERENCE,
    ),
    summary="Find an ancestor of a pattern.",
    text="Find a pattern that becomes PATTERN.  Every generation back may be larger by the "
    "margin on each side; all other cells are dead.  So dead rows and columns at the edge of "
    "PATTERN are left out first, unless it has unknown cells (?) or with --unique.  "
    "With --unique, exit code 0: yes, in place "
    "of PATTERN's cells, every parent has the same ones; 1: no, there is another one, or none.",
    examples=(
        "parent life.rle",
        "parent life.rle --generations 4",
        "parent x.rle --population '<=41'",
        "parent patch.rle --unique",
    ),
)


def _ask_other(problem: Problem, first: Cells) -> Problem:
    """Ask for an ancestor that differs from the first one found, where cells are known later."""
    from satlife.kinds._common import ask_other

    box, places = problem.all_boxes[0], problem.known[0].cells
    return ask_other(problem, {(x, y): ".o"[first[y - box.y, x - box.x]] for x, y in places})


def _draw_first(problem: Problem) -> str:
    from satlife.kinds._common import draw_compared

    return draw_compared(problem)


UNIQUE = Kind(
    name="unique",
    noun="ancestor",
    function=parent,
    parameters=(),
    summary="Decide whether all parents of a pattern have the same cells in its place.",
    text="",
    examples=(),
    yes="impossible",
    found_words=lambda problem: (
        f"no, not unique: this becomes it{duration(problem)}, and so does another one"
    ),
    impossible_words=lambda problem: (
        f"yes, unique: whatever becomes this{duration(problem)} has the same cells in its place"
    ),
    supposes="orphan",
    vacuous_words=lambda problem: f"no, an orphan: nothing becomes this{duration(problem)}",
    note=lambda problem: f"the other has in its place: {_draw_first(problem)}",
    hint=lambda problem: f"they are: {_draw_first(problem)}" if problem.constraints else "",
    asks_other=_ask_other,
)
"""The kind of ``parent(unique=True)``, which has no command of its own."""
