"""Shared parts of several kinds: boxes, periods, bounds, known cells.

Single cells that must be alive or dead are written ``3,0@2``.

>>> given_cells({"on": "3,0@2", "off": ["0..4,1"]}, 3)
(Known(t=2, x=3, y=0, rows=('o',)), Known(t=0, x=0, y=1, rows=('.....',)))
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from satlife.errors import RuleError, UsageError
from satlife.given import Types, check_number, check_several, check_type, parse_integer, shorten
from satlife.kinds._bounds import Bounds
from satlife.kinds._kind import BOX_OF_CELLS, Reader
from satlife.life import PartialPattern, Pattern, Torus
from satlife.life.box import Box, format_placed_box, parse_placed_box
from satlife.life.cells import ALIVE, DEAD, UNKNOWN
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.problem import LARGEST, Known, Problem
from satlife.problem.background import LARGEST_TILE, Rows
from satlife.problem.bounds import BOUNDS, Bound, Changes, Difference, merge_bounds
from satlife.problem.conditions import (
    SIMPLEST,
    FullPeriod,
    Gutter,
    Lacks,
    NotEmpty,
    PatternPeriod,
)
from satlife.problem.constraints import Constraint
from satlife.problem.problem import parse_profile
from satlife.problem.statement import LETTERS, Boundary

_BOX_WORDS = "a text such as '16x7', or (width, height)"


def period_constraints(period: int, composite: bool) -> tuple[Constraint, ...]:
    """Return the condition that no smaller period will do, for one cell or for the pattern only."""
    if period == 1:
        return (NotEmpty(),)
    return (PatternPeriod() if composite else FullPeriod(),)


BoxLike = str | Box | Sequence[int]
"""``9x9``, or (width, height), or a box; as a text also a profile: ``10x13,8x13*9``."""


def read_boxes(box: BoxLike, generations: int) -> tuple[str, ...]:
    """Read a box, or a profile, for this number of generations.

    >>> read_boxes((9, 4), 1), read_boxes(Box(1, 0, 3, 3), 2)
    (('9x4',), ('3x3+1+0',))
    """
    check_type(box, (str, Box, tuple, list), "box", _BOX_WORDS)
    if isinstance(box, tuple | list):
        box = Box(0, 0, *read_pair(box, "box", _BOX_WORDS))
    return parse_profile(format_placed_box(box) if isinstance(box, Box) else str(box), generations)


def read_pair(given: Any, name: str, words: str) -> tuple[int, int]:
    """Return two whole numbers, as Python's own; raise if there are not two."""
    check_type(given, (tuple, list), name, words)
    if len(given) != 2:
        raise UsageError(f"{name} must be {words}, got {given!r}")
    x, y = (int(check_type(each, int, name, words)) for each in given)
    return x, y


def read_whole(given: Any, name: str, least: int) -> int:
    """Return a whole number that is not less than ``least``, as Python's own."""
    number = int(check_type(given, int, name, "a whole number"))
    if number < least:
        raise UsageError(f"{name} is at least {least}, got {number}")
    return number


def read_cells(given: Any, reader: Reader, types: Types, name: str) -> Any:
    """Return a pattern; a text is read as the command reads the text of a file.

    >>> from satlife.kinds._kind import PATTERN
    >>> read_cells("3o!", PATTERN, Pattern, "incoming")
    Pattern.from_rle('3o!')
    """
    if isinstance(given, str):
        return reader.read(given, lambda text: text)
    return check_type(given, types, name, "a pattern, or the text of one, such as 'bo$2bo$3o!'")


_BOUND_TYPES = {str(each.__struct_config__.tag): each for each in BOUNDS}
_CELLS = ("on", "off")
"""Keywords that are read by :func:`satlife.kinds._common.given_cells`."""


def bound_constraints(bounds: Bounds) -> tuple[Constraint, ...]:
    """Read what more is asked of a solution; several bounds on the same number become one."""
    read: list[Bound] = []
    more: list[Constraint] = []
    for name, given in cast("dict[str, Any]", bounds).items():
        if name in _BOUND_TYPES:
            read += read_bounds(given, name)
        elif name == "gutter":
            more += [Gutter()] * bool(check_type(given, bool, name, "True or False"))
        elif name == "without":
            more += _read_lacking(given)
        elif name not in _CELLS:
            names = ", ".join((*_BOUND_TYPES, "without", "gutter", *_CELLS))
            raise TypeError(f"unexpected keyword {name!r}; the bounds are {names}")
    for bound in (merged := merge_bounds(read)):
        if bound.most is not None and bound.least > bound.most:
            raise UsageError(
                f"nothing has at least {bound.least} and at most {bound.most} {bound.measured}; "
                f"for a range write '{bound.most}..{bound.least}'"
            )
    return (*cast("tuple[Constraint, ...]", merged), *more)


def read_motion(given: str | Motion) -> Motion:
    """Read a speed or a period; a motion that turns the pattern is refused."""
    motion = given if isinstance(given, Motion) else Motion.parse(given)
    if not motion.only_shifts:
        raise UsageError(f"this motion is also a {motion.transform}; give it to a Problem itself")
    return motion


def turn_motion(
    motion: Motion, transform: Transform | str, usual: tuple[Constraint, ...]
) -> tuple[Motion, tuple[Constraint, ...]]:
    """Return a motion that also turns the pattern, and what is asked in place of the full period.

    A turned pattern may have been itself before, so smaller periods are not excluded: it is only
    asked that some cell changes.
    """
    check_type(transform, (str, Transform), "transform", "a transform, or its name: 'half-turn'")
    turn = transform if isinstance(transform, Transform) else Transform(transform)
    if turn.name == "identity":
        return motion, usual
    turned = Motion(motion.period, motion.dx, motion.dy, turn.name)
    return turned, (NotEmpty(), Changes(least=1))


def _read_lacking(given: Any) -> list[Lacks]:
    """Read symmetries that are forbidden."""
    words = "the name of a symmetry, or any, or several"
    names = () if given is None else check_several(given, (str, Symmetry), "without", words)
    each = (SIMPLEST if name == "any" else (str(name),) for name in names)
    return list(dict.fromkeys(Lacks(name) for group in each for name in group))


def read_bounds(given: Any, name: str) -> tuple[Bound, ...]:
    """Read a bound, or several, on the number of that name; None gives none."""
    kind, words = _BOUND_TYPES[name], "a bound such as '<=20' or 9, or several"
    types: Types = (str, int, kind)
    if kind is Difference:
        types, words = Difference, "Difference.of(pattern, '<=3'), or several"
    several = () if given is None else check_several(given, types, name, words)
    return tuple(each if isinstance(each, Bound) else kind.parse(str(each)) for each in several)


def check_cells(box: Box, generations: int) -> None:
    """Raise if there are too many cells, before anything is made for each of them."""
    check_number(box.area * generations, LARGEST, "the cells of all generations")


def draw_known(pattern: Pattern | PartialPattern, t: int = 0) -> Known:
    """Return a generation of a pattern as known cells, with its whole box."""
    partial = PartialPattern.from_pattern(pattern) if isinstance(pattern, Pattern) else pattern
    if partial.torus is not None:
        raise UsageError(partial.torus.describe_refusal())
    if partial.rule.states > len(LETTERS):
        raise RuleError(f"states have letters up to {len(LETTERS) - 1}; {partial.rule} has more")
    index = t if partial.generations > 1 else 0
    states = partial.states[index].tolist()
    letters = dict(enumerate(LETTERS)) | {UNKNOWN: "?"}
    rows = tuple("".join(letters[state] for state in row) for row in states)
    return Known(t=t, x=partial.x, y=partial.y, rows=rows)


def grow_known(known: Known, margin: int) -> Known:
    """Return known cells with rings of dead ones around them."""
    dots = "." * margin
    rows = [f"{dots}{row}{dots}" for row in known.rows]
    ring = ["." * len(rows[0])] * margin
    return Known(t=known.t, x=known.x - margin, y=known.y - margin, rows=(*ring, *rows, *ring))


def ask_past(pattern: Pattern | PartialPattern | str, generations: Any) -> Problem:
    """Ask for an ancestor of the pattern's cells, free on all of their neighbours."""
    cells: Pattern | PartialPattern = read_cells(
        pattern, BOX_OF_CELLS, (Pattern, PartialPattern), "pattern"
    )
    partial = (
        PartialPattern.from_pattern(cells, cells.frame) if isinstance(cells, Pattern) else cells
    )
    if partial.box.is_empty:
        raise UsageError("the pattern has no cells; everything is a parent of nothing")
    steps = read_whole(generations, "generations", 1)
    check_cells(partial.box.grow(steps), steps + 1)
    rows, columns = (partial.states[0] == UNKNOWN).nonzero()
    places = zip((columns + partial.x).tolist(), (rows + partial.y).tolist(), strict=True)
    first = PartialPattern(partial.states[0], partial.x, partial.y, partial.rule)
    return Problem(
        kind="orphan",
        rule=str(partial.rule),
        boxes=tuple(format_placed_box(partial.box.grow(n)) for n in range(steps, -1, -1)),
        steps=steps,
        boundary="free",
        known=(draw_known(first, steps),),
        # Whatever they become is right; where cells die slowly, they follow by the rule.
        exempt=tuple((x, y, steps) for x, y in places) if partial.rule.states == 2 else (),
    )


def ask_comparable(pattern: Pattern | PartialPattern | str, generations: Any, kind: str) -> Problem:
    """Ask the same of a pattern whose ancestors can be compared with each other."""
    asked = ask_past(pattern, generations)
    if asked.slow_rule:
        raise UsageError(
            f"in a rule with dying cells ({asked.rule}) parents cannot be compared yet; it can be "
            "asked whether there is one: satlife orphan"
        )
    if not asked.known:
        raise UsageError("no cell of the pattern is known; there is nothing that it could force")
    return replace(asked, kind=kind)


def ask_other(asked: Problem, cells: Mapping[tuple[int, int], str]) -> Problem:
    """Ask for an ancestor that differs in at least one of these cells."""
    # What is not drawn counts as drawn dead, so the whole box is drawn.
    box = asked.all_boxes[0]
    rows = (
        "".join(cells.get((x, y), "?") for x in range(box.x, box.right))
        for y in range(box.y, box.bottom)
    )
    differs = Difference(least=1, x=box.x, y=box.y, rows=tuple(rows))
    return replace(asked, constraints=(differs,))


def asks_past(problem: Problem) -> bool:
    """Whether a problem asks what orphans, forced patches or unique parents ask, and no more.

    A problem file may claim such a kind, and ask something else.
    """
    given = {place: state for known in problem.known for place, state in known.cells.items()}
    plain = problem.boundary, problem.symmetry, problem.motion, problem.links
    if (
        plain != ("free", "C1", None, ())
        or any(known.t != problem.steps for known in problem.known)
        or any(t != problem.steps or (x, y) in given for x, y, t in problem.exempt)
        or not all(a.contains_box(b.grow(1)) for a, b in pairwise(problem.all_boxes))
    ):
        return False
    if not problem.constraints:
        return problem.kind != "forced"
    cells = _compared(problem)
    is_other = ask_other(problem, cells).constraints == problem.constraints
    fits = {"forced": cells == given, "unique": cells.keys() == given.keys()}
    return is_other and fits.get(problem.kind, False)


def _compared(problem: Problem) -> dict[tuple[int, int], str]:
    """Return the cells with which an ancestor is compared."""
    drawn = (each for each in problem.constraints if isinstance(each, Difference))
    known = (Known(t=0, x=each.x, y=each.y, rows=each.rows) for each in drawn)
    return {place: state for each in known for place, state in each.cells.items()}


def draw_compared(problem: Problem) -> str:
    """Return the cells with which an ancestor is compared, row by row: ``o.. / .o.``."""
    box, cells = problem.all_boxes[-1], _compared(problem)
    return " / ".join(
        "".join(cells.get((x, y), "?") for x in range(box.x, box.right))
        for y in range(box.y, box.bottom)
    )


def surround(live: list[tuple[int, int]], rings: int) -> PartialPattern:
    """Return live cells with rings of dead ones around the box that holds them."""
    pattern = Pattern.from_cells(live)
    return PartialPattern.from_pattern(pattern, pattern.box.grow(rings))


# What is around the box, if not dead cells: one tile of an agar, as people give it.


BackgroundLike = PartialPattern | Pattern | str


class Around(Struct, frozen=True):
    """The outside of the box, as fields of a problem."""

    boundary: Boundary = "dead"
    tile: Rows = ()
    differs: tuple[Difference, ...] = ()
    """That generation 0 of the box is not only more of the background."""


def read_background(given: BackgroundLike | None, boxes: tuple[str, ...]) -> Around:
    """Read a tile; its own place is where its copies lie.

    >>> read_background("o!", ("2x2",)).tile
    ('o',)
    """
    if given is None:
        return Around()
    tile = read_cells(given, BOX_OF_CELLS, (Pattern, PartialPattern), "background")
    if isinstance(tile, Pattern):
        if tile.is_empty and tile.frame is None:
            raise UsageError("the background has no cells")
        if tile.frame is None:
            raise UsageError(
                "a background repeats a box, dead margins included, and this pattern has none, for "
                "it was computed; name one: PartialPattern.from_pattern(pattern, box)"
            )
        tile = PartialPattern.from_pattern(tile, tile.frame)
    if any("*" in box for box in boxes):
        raise UsageError("with a background, the box has a height")
    cells = tile.states[0]
    if tile.generations > 1 or not cells.size or not np.isin(cells, (DEAD, ALIVE)).all():
        raise UsageError("a background is one generation of cells that are alive or dead")
    torus = tile.torus or Torus(cells.shape[1], cells.shape[0])
    if not torus.is_closed:
        raise UsageError(f"a background repeats in both directions, and :{torus} does not")
    # A twist repeats too, after some copies: then the tile need not be twisted.
    wide = torus.height // math.gcd(torus.down, torus.height) * torus.width
    high = torus.width // math.gcd(torus.right, torus.width) * torus.height
    if wide * high > LARGEST_TILE:
        raise UsageError(
            f"a background's tile has at most {LARGEST_TILE:,} cells, not {wide}x{high}"
        )
    rows = _draw(torus, cells, -tile.x, -tile.y, wide, high)
    box = parse_placed_box(boxes[0])
    inside = _draw(torus, cells, box.x - tile.x, box.y - tile.y, box.width, box.height)
    differs = Difference(least=1, x=box.x, y=box.y, rows=inside)
    return Around(boundary="agar", tile=rows, differs=(differs,))


def _draw(torus: Torus, cells: np.ndarray, x: int, y: int, width: int, height: int) -> Rows:
    j, i = np.mgrid[y : y + height, x : x + width]
    return tuple("".join(".o"[cell] for cell in row) for row in torus.look(cells, i, j).tolist())


_SPAN = r"(-?\d+)(?:\.\.(-?\d+))?"
_CELL_TEXT = re.compile(rf"{_SPAN},{_SPAN}(?:@(\d+|every))?", re.ASCII)
_WORDS = "cells such as '3,0@2' (column, row, generation), or several"


def given_cells(asked: Bounds, generations: int) -> tuple[Known, ...]:
    """Return the cells that are ``on`` and ``off``; ``@every`` is each of the generations."""
    states = {"on": "o", "off": "."}
    return tuple(
        known
        for name, state in states.items()
        for known in _read(asked.get(name), name, state, generations)
    )


def _read(given: Any, name: str, state: str, generations: int) -> Iterator[Known]:
    for text in () if given is None else check_several(given, str, name, _WORDS):
        match = _CELL_TEXT.fullmatch(text.replace(" ", ""))
        if not match:
            raise UsageError(
                f"{shorten(text)!r} is not a cell; write column,row@generation, for example "
                "3,0@2, or 0..4,0@every"
            )
        x, right = (parse_integer(each) for each in (match[1], match[2] or match[1]))
        y, bottom = (parse_integer(each) for each in (match[3], match[4] or match[3]))
        if right < x or bottom < y:
            raise UsageError(f"the range {text} is empty; write the lower number first")
        check_number(max(abs(x), abs(right), abs(y), abs(bottom)), LARGEST, "places")
        which = match[5] or "0"
        times = range(generations) if which == "every" else (parse_integer(which),)
        cells = (right - x + 1) * (bottom - y + 1) * len(times)
        check_number(cells, LARGEST, "the cells of a range")
        rows = (state * (right - x + 1),) * (bottom - y + 1)
        for t in times:
            yield Known(t=t, x=x, y=y, rows=rows)
