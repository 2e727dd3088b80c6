"""Eaters: still lifes, or oscillators, that something flies into and that are as before."""

from __future__ import annotations

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.pattern import Pattern
from satlife.search.kinds.reaction import (
    as_window,
    catalyst_constraints,
    check_field,
    draw_alive,
    draw_dead,
    placed_boxes,
    same_cells,
)
from satlife.search.problem import Known, Problem


def eater(
    incoming: Pattern,
    *,
    region: Box | str,
    within: int,
    at: tuple[int, int] = (0, 0),
    approach: int = 0,
    field: Box | str | None = None,
    period: int = 1,
    population: str | None = None,
) -> Problem:
    """Ask for something in the region that absorbs what comes in and is itself again.

    Generation 0 is the eater and the input, without a cell in common; generation ``within`` is the
    eater alone.  It is a still life, or has the period (or a part of it).  ``at`` is where the top
    left of the input's box lies.  ``region`` and ``field`` are windows ``4..11,4..11`` (columns,
    rows, the last ones included): the eater lies in the region, and nothing ever leaves the field.

    An input that touches the eater from the start could never have come there.  With ``approach``
    nothing happens in so many generations at first: the input flies on beside the eater.

    >>> glider = Pattern.from_rle("bo$2bo$3o!")
    >>> problem = eater(glider, region="4..11,4..11", within=8, population="<=7")
    >>> problem.steps, len(problem.links), problem.boxes[8]
    (9, 315, '8x8+4+4')
    """
    start = incoming.normalized.shift(*at)
    home = as_window(region, "region")
    arena = check_field(field, home, within, period, start)
    if not 0 <= approach < within:
        raise UsageError(f"the approach takes 0 to {within - 1} generations, got {approach}")
    first = within + -within % period  # the generation with the same phase as generation 0
    known: list[Known] = []
    links = [*same_cells(home, within, within + period)]
    for t in range(approach + 1):
        flying, phase = start[t], first + t % period
        if phase > within + period:
            phase -= period
        known += [draw_alive(flying, t), draw_dead(flying, phase)]
        links += same_cells(arena, t, phase, flying)
    return Problem(
        kind="eater",
        rule=str(incoming.rule),
        boxes=placed_boxes(arena, within, home, period + 1),
        steps=within + period,
        known=tuple(known),
        links=tuple(links),
        constraints=catalyst_constraints(population, first),
    )
