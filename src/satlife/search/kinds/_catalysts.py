"""What the kinds that look for a catalyst share: windows, fields, cells that are the same again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import msgspec

from satlife.errors import UsageError
from satlife.given import check_type
from satlife.life.box import Box, format_placed_box, parse_window
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule
from satlife.search.kinds._arrivals import list_inputs
from satlife.search.kinds._common import check_cells, read_bounds, read_whole
from satlife.search.problem import Known, Link, Place, Problem
from satlife.search.problem.constraints import Arrival, NotEmpty, Population

MARGIN = 2
"""How far the field reaches beyond everything that is given, if it is not given itself."""


def as_window(window: Box | str, name: str) -> Box:
    """Read a window, if it is not one already."""
    check_type(window, (str, Box), name, "a window such as '4..11,4..11', or a Box")
    return parse_window(window, name) if isinstance(window, str) else window


def check_field(
    field: Box | str | None, home: Box, within: int, period: int, *given: Pattern
) -> Box:
    """Return the field, made to fit if it is not given; raise if the parts do not go together."""
    read_whole(within, "within", 1)
    read_whole(period, "period", 1)
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
    """Return the boxes: ``first`` generations in the field, ``then`` more in the region."""
    return (format_placed_box(arena),) * first + (format_placed_box(home),) * then


def draw_alive(pattern: Pattern, t: int) -> Known:
    """Return the pattern's live cells as known to be alive; its other cells stay unknown."""
    return _draw(pattern, t, "o")


def draw_dead(pattern: Pattern, t: int) -> Known:
    """Return the pattern's live cells as known to be dead."""
    return _draw(pattern, t, ".")


def same_cells(box: Box, t: int, later: int, but: Pattern | None = None) -> Iterator[Link]:
    """Yield links between two generations, except for the live cells of a pattern."""
    for x, y, _ in places(box, t):
        if but is None or (x, y) not in but:
            yield Link(first=(x, y, t), second=(x, y, later))


def catalyst_constraints(population: str | int | None, t: int) -> tuple[NotEmpty | Population, ...]:
    """Return the conditions on the catalyst alone: not empty, and its population."""
    bounds = cast("tuple[Population, ...]", read_bounds(population, "population"))
    return (
        NotEmpty(t),
        *(msgspec.structs.replace(bound, generation=t) for bound in bounds),
    )


def describe_region(problem: Problem) -> str:
    """Return where the catalyst may be, and how many cells it may have."""
    home = problem.all_boxes[-1]
    bounds = [f"of {each}" for each in problem.constraints if isinstance(each, Population)]
    where = f"in the region {home.x}..{home.right - 1},{home.y}..{home.bottom - 1}"
    return " ".join([*(words.partition(" in generation")[0] for words in bounds), where])


def never_meets(problem: Problem) -> bool:
    """Whether what is given at first never comes near the region, undisturbed."""
    rule, home = Rule(problem.rule), problem.all_boxes[-1].grow(2)
    given = [Pattern.from_cells(each.alive, rule) for each in problem.known if each.t == 0]
    for each in problem.constraints:
        if isinstance(each, Arrival):
            given += list_inputs(each, rule)
    return bool(given) and all(
        (flying[t].box & home).is_empty for flying in given for t in range(problem.steps)
    )


def _draw(pattern: Pattern, t: int, state: str) -> Known:
    rows = tuple("".join(state if cell else "?" for cell in row) for row in pattern.cells.tolist())
    return Known(t=t, x=pattern.x, y=pattern.y, rows=rows)


def outside(mask: Pattern | None, first: int, period: int) -> Iterator[Known]:
    """Yield the cells where the catalyst cannot be: all in the box that are not in the mask."""
    if mask is not None:
        rows = tuple("".join("?" if cell else "." for cell in row) for row in mask.cells.tolist())
        for t in range(first, first + period):
            yield Known(t=t, x=mask.x, y=mask.y, rows=rows)


def places(box: Box, t: int) -> Iterator[Place]:
    """Yield the cells of a box."""
    return ((x, y, t) for y in range(box.y, box.bottom) for x in range(box.x, box.right))
