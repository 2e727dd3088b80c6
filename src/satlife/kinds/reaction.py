"""Reactions with a catalyst: an object that takes part, and is there again when it is over.

Generations 0 to ``within`` are the reaction.  The generation after it is not a part of it: it is
the catalyst alone (all of its cells are exempt from the rule), followed for its period.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.errors import UsageError
from satlife.kinds._bounds import POPULATION_ALONE
from satlife.kinds._kind import PATTERN, PLACE, WINDOW, Kind, Parameter, around_catalyst

if TYPE_CHECKING:
    from satlife.life import Box, Pattern
    from satlife.problem import Problem


def reaction(
    before: Pattern | str,
    after: Pattern | str,
    *,
    within: int,
    region: Pattern | Box | str,
    field: Box | str | None = None,
    period: int = 1,
    population: str | int | None = None,
) -> Problem:
    """Ask for a catalyst that makes ``after`` of ``before`` and is itself again afterwards.

    Generation 0 is the catalyst and ``before``, generation ``within`` the catalyst and ``after``,
    without a cell in common.  Alone, the catalyst is a still life, or has the period (or a divisor
    of it).  It lies in the ``region``: a window ``4..11,4..11`` (columns, rows), or a pattern whose
    live cells are the places where it may be.  Everything stays inside the ``field``, also a
    window; without one, it holds what ``before`` reaches by itself.

    >>> from satlife import Pattern
    >>> glider = Pattern.from_rle("bo$2bo$3o!")
    >>> problem = reaction(glider, glider[4], within=4, region="6..9,6..9")
    >>> problem.steps, problem.boxes[0], problem.boxes[-1]
    (6, '14x14-2-2', '4x4+6+6')
    """
    from satlife.kinds import _catalysts
    from satlife.kinds._common import read_cells
    from satlife.life import Pattern
    from satlife.problem import Problem

    first: Pattern = read_cells(before, PATTERN, Pattern, "before")
    last: Pattern = read_cells(after, PATTERN, Pattern, "after")
    if first.rule != last.rule:
        raise UsageError(f"before lives by {first.rule}, after by {last.rule}")
    if isinstance(region, Pattern):
        mask, home = region, region.box
    else:
        mask, home = None, _catalysts.as_window(region, "region")
    arena = _catalysts.check_field(field, home, within, period, [first, last], [first])
    alone = within + 1  # where the catalyst is by itself
    shifted = alone + within % period
    return Problem(
        kind="reaction",
        rule=str(first.rule),
        boxes=_catalysts.placed_boxes(arena, alone, home, period + 1),
        steps=alone + period,
        known=(
            _catalysts.draw_alive(first, 0),
            _catalysts.draw_alive(last, within),
            _catalysts.draw_dead(first, alone),
            _catalysts.draw_dead(last, shifted),
            *_catalysts.outside(mask, alone, period),
        ),
        links=(
            *_catalysts.same_cells(arena, 0, alone, first),
            *_catalysts.same_cells(arena, within, shifted, last),
            *_catalysts.same_cells(home, alone, alone + period),
        ),
        exempt=tuple(_catalysts.places(arena.grow(1), alone)),
        constraints=_catalysts.catalyst_constraints(population, alone),
    )


def _asked(problem: Problem) -> str:
    from satlife.kinds._catalysts import describe_region

    return f"catalyst {describe_region(problem)} with which the one pattern becomes the other"


def _hint(problem: Problem) -> str:
    from satlife.kinds._catalysts import hint_at_field

    return hint_at_field(problem)


REACTION = Kind(
    name="reaction",
    noun="catalyst",
    function=reaction,
    parameters=(
        Parameter(name="before", reader=PATTERN, metavar="PATTERN", help="What there is at first."),
        Parameter(name="after", reader=PATTERN, metavar="PATTERN", help="What becomes of it."),
        *around_catalyst(
            Parameter(
                name="region",
                reader=PLACE,
                metavar=f"{WINDOW}|PATTERN",
                help="Columns and rows where the catalyst may be, or a pattern of such cells.",
            )
        ),
        POPULATION_ALONE,
    ),
    summary="Find a catalyst that makes one pattern of another.",
    text="Find a still life (or an oscillator) with which one pattern becomes another, and that is "
    "itself again in generation T.  The patterns lie where their files say.\n\nThe pattern "
    "printed is generation 0, with the catalyst; the catalyst alone is named beside it.",
    examples=("reaction --before a.rle --after b.rle --within 9 --region 4..11,4..11",),
    asked=_asked,
    hint=_hint,
    catalyst=True,
)
