"""Reactions with a catalyst: something that takes part, and is there again when it is over.

>>> glider = Pattern.from_rle("bo$2bo$3o!")
>>> problem = reaction(glider, glider[4], within=4, region="6..9,6..9")
>>> problem.steps, problem.boxes[0], problem.boxes[-1]
(6, '14x14-2-2', '4x4+6+6')

Generations 0 to ``within`` are the reaction.  The one after is none of it, but the catalyst
alone (all of its cells are exempt from the rule), followed for its period.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.numbers import parse_integer, shorten
from satlife.life.pattern import Pattern
from satlife.search.kinds.common import check_cells
from satlife.search.problem import Known, Link, Place, Problem, format_placed_box
from satlife.search.problem.constraints import NotEmpty, Population
from satlife.search.problem.outcome import Finding

MARGIN = 2
"""How many cells beyond everything that is given the field reaches, if nobody says otherwise."""

_WINDOW = re.compile(r"(-?\d+)\.\.(-?\d+),(-?\d+)\.\.(-?\d+)", re.ASCII)


def reaction(
    before: Pattern,
    after: Pattern,
    *,
    within: int,
    region: Pattern | Box | str,
    field: Box | str | None = None,
    period: int = 1,
    population: str | None = None,
) -> Problem:
    """Ask for a catalyst that makes ``after`` of ``before`` and is itself again when that is done.

    Generation 0 is the catalyst and ``before``, generation ``within`` the catalyst and ``after``,
    without a cell in common.  Alone, the catalyst is a still life, or has the period (or a part of
    it).  It lies in the ``region``: a window ``4..11,4..11`` (columns, rows), or a pattern whose
    live cells are the places where it may be.  Everything stays inside the ``field``, a window too.
    """
    if before.rule != after.rule:
        raise UsageError(f"before lives by {before.rule}, after by {after.rule}")
    if isinstance(region, Pattern):
        mask, home = region, region.box
    else:
        mask, home = None, as_window(region, "region")
    arena = check_field(field, home, within, period, before, after)
    alone = within + 1  # where the catalyst is by itself
    shifted = alone + within % period
    return Problem(
        kind="reaction",
        rule=str(before.rule),
        boxes=placed_boxes(arena, alone, home, period + 1),
        steps=alone + period,
        known=(
            draw_alive(before, 0),
            draw_alive(after, within),
            draw_dead(before, alone),
            draw_dead(after, shifted),
            *_outside(mask, alone, period),
        ),
        links=(
            *same_cells(arena, 0, alone, before),
            *same_cells(arena, within, shifted, after),
            *same_cells(home, alone, alone + period),
        ),
        exempt=tuple(_places(arena.grow(1), alone)),
        constraints=catalyst_constraints(population, alone),
    )


def has_catalyst(problem: Problem) -> bool:
    """Tell whether the problem asks for an eater or another catalyst."""
    return problem.kind in ("eater", "reaction") and _alone(problem) is not None


def catalyst_generation(problem: Problem) -> int:
    """Return the generation in which the catalyst is alone."""
    t = _alone(problem)
    if t is None or not has_catalyst(problem):
        raise UsageError(f"a search of the kind {problem.kind} has no catalyst")
    return t


def catalyst(finding: Finding) -> Pattern:
    """Return the eater or catalyst alone.

    It is in the phase that it has in generation 0, together with what it acts on.
    """
    return finding.generation(catalyst_generation(finding.problem))


def parse_window(text: str, name: str = "window") -> Box:
    """Read columns and rows, the last ones included.

    >>> parse_window("4..11,-1..13")
    Box(x=4, y=-1, width=8, height=15)
    """
    match = _WINDOW.fullmatch(text.replace(" ", ""))
    if not match:
        shown = repr(shorten(text))
        raise UsageError(f"{shown} is not a {name}; write columns and rows, such as 4..11,-1..13")
    left, right, top, bottom = map(parse_integer, match.groups())
    if left > right or top > bottom:
        raise UsageError(f"the {name} {text!r} is empty: the lower number comes first")
    return Box(left, top, right - left + 1, bottom - top + 1)


def as_window(window: Box | str, name: str) -> Box:
    """Read a window, if it is not one already."""
    return parse_window(window, name) if isinstance(window, str) else window


def check_field(
    field: Box | str | None, home: Box, within: int, period: int, *given: Pattern
) -> Box:
    """Return the field, made to fit if there is none; say what cannot be."""
    if within < 1:
        raise UsageError(f"a reaction takes at least 1 generation, got {within}")
    if period < 1:
        raise UsageError(f"a period is at least 1, got {period}")
    if home.is_empty:
        raise UsageError("the region is empty: there is no place for a catalyst")
    if given[0].is_empty:
        raise UsageError("there is nothing to react with: the input is empty")
    whole = home
    for pattern in given:
        whole |= pattern.box
    arena = whole.grow(MARGIN) if field is None else as_window(field, "field")
    check_cells(arena, within + period)
    if not arena.contains_box(whole):
        need = f"{whole.x}..{whole.right - 1},{whole.y}..{whole.bottom - 1}"
        raise UsageError(f"the field must hold the region and the patterns, all of {need}")
    return arena


def placed_boxes(arena: Box, first: int, home: Box, then: int) -> tuple[str, ...]:
    """Return so many generations in the field, and then so many in the region."""
    return (format_placed_box(arena),) * first + (format_placed_box(home),) * then


def draw_alive(pattern: Pattern, t: int) -> Known:
    """Say that the pattern's live cells live; of those between nothing is said."""
    return _draw(pattern, t, "o")


def draw_dead(pattern: Pattern, t: int) -> Known:
    """Say that the pattern's live cells are dead."""
    return _draw(pattern, t, ".")


def same_cells(box: Box, t: int, later: int, but: Pattern | None = None) -> Iterator[Link]:
    """Give links between two generations, but for the live cells of a pattern."""
    for x, y, _ in _places(box, t):
        if but is None or (x, y) not in but:
            yield Link(first=(x, y, t), second=(x, y, later))


def catalyst_constraints(population: str | None, t: int) -> tuple[NotEmpty | Population, ...]:
    """The catalyst is something, and has so many cells where it is alone."""
    bounds = [] if population is None else [Population.parse(population)]
    return (
        NotEmpty(t),
        *(msgspec.structs.replace(bound, generation=t) for bound in bounds),
    )


def _alone(problem: Problem) -> int | None:
    """Return the generation of the catalyst alone: the one that must not be empty."""
    return next((c.t for c in problem.constraints if isinstance(c, NotEmpty)), None)


def _draw(pattern: Pattern, t: int, state: str) -> Known:
    rows = tuple("".join(state if cell else "?" for cell in row) for row in pattern.cells.tolist())
    return Known(t=t, x=pattern.x, y=pattern.y, rows=rows)


def _outside(mask: Pattern | None, first: int, period: int) -> Iterator[Known]:
    """Say that the catalyst has no cells but those of the mask."""
    if mask is not None:
        rows = tuple("".join("?" if cell else "." for cell in row) for row in mask.cells.tolist())
        for t in range(first, first + period):
            yield Known(t=t, x=mask.x, y=mask.y, rows=rows)


def _places(box: Box, t: int) -> Iterator[Place]:
    return ((x, y, t) for y in range(box.y, box.bottom) for x in range(box.x, box.right))
