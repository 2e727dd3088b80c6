"""Bounds as parameters of kinds: each has an entry in the table, and one in ``Bounds`` for mypy.

Commands, the page, its sentences, and the reference of kinds follow from the table.  What a bound
means is defined in :mod:`satlife.problem.bounds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypedDict

from satlife.kinds._kind import DIFFERENCE as PATTERN_AND_BOUND
from satlife.kinds._kind import TEXT, Parameter

if TYPE_CHECKING:
    from satlife.problem.bounds import Difference

BoundLike = str | int | Sequence[str | int] | None
"""``<=20``, or a number that is meant exactly, or several that must all hold: (">=4", "<=9")."""


class Bounds(TypedDict, total=False):
    """Keywords of the kinds that ask more of a solution; most bound a number.

    A bound is ``<=20``, ``>=36``, ``20..36`` or just ``9``, or several of them.
    """

    population: BoundLike
    """Live cells in generation 0; in others ``<=20@3``, ``@every``, ``@least``, ``@sum``."""
    rotor: BoundLike
    """Cells that change."""
    stator: BoundLike
    """Cells that are alive in all generations."""
    growth: BoundLike
    """Cells that a generation has more than the one before, at most."""
    decay: BoundLike
    """Cells that a generation has fewer than the one before, at most."""
    changes: BoundLike
    """Cells that are not the same in a generation and the next, at most."""
    width: BoundLike
    """The width of the smallest box that holds all generations where they are."""
    height: BoundLike
    """The height of that box."""
    area: BoundLike
    """The area of that box."""
    difference: Difference | Sequence[Difference] | None
    """Cells that differ from another pattern: ``Difference.of(pattern, "<=3")``."""
    on: str | Sequence[str] | None
    """Cells that are alive: ``3,0@2`` is column 3, row 0 of generation 2; ``0..4,0@every``."""
    off: str | Sequence[str] | None
    """Cells that are dead."""
    without: str | Sequence[str] | None
    """Symmetries that generation 0 does not have, about any centre; ``any`` is all of them."""
    gutter: bool
    """Whether every cell on an axis of the symmetry is dead in every generation."""


GROUP: Final = "Bounds on it"


def _bound(name: str, counts: str, words: str, **more: Any) -> Parameter:
    return Parameter(
        name=name,
        reader=TEXT,
        metavar="BOUND",
        help=words,
        group=GROUP,
        counts=counts,
        **{"many": True, "heading": "Numbers of cells", **more},
    )


POPULATION: Final = _bound(
    "population",
    "live cells",
    "Live cells in generation 0: '>=36', '<=20', =9, 20..36; in others: '<=20@3', @every, "
    "@least (the least populated one), @most, @sum (all together).",
    timed=True,
)
HISTORIES: Final = (
    _bound("rotor", "cells that change", "Cells that change: '<=12' …"),
    _bound("stator", "cells that always live", "Cells that are alive in all generations."),
)
CHANGES: Final = (
    _bound(
        "growth",
        "cells gained in a generation",
        "Cells that one generation has more than the one before, at most.",
    ),
    _bound(
        "decay",
        "cells lost in a generation",
        "Cells that one generation has fewer than the one before, at most.",
    ),
    _bound(
        "changes",
        "cells that change in one generation",
        "Cells that are not the same in one generation and the next, at most.",
    ),
)
EXTENTS: Final = (
    _bound(
        "width",
        "columns in all",
        "Width of the smallest box that holds all generations.",
        heading="Size",
    ),
    _bound("height", "rows in all", "Height of that box.", heading="Size"),
    _bound("area", "cells of width × height", "Area of that box.", heading="Size"),
)
DIFFERENCE: Final = Parameter(
    name="difference",
    reader=PATTERN_AND_BOUND,
    many=True,
    group=GROUP,
    metavar="PATTERN BOUND",
    help="Cells of generation 0 that differ from PATTERN (? there is not counted).",
    label="Near another pattern: its RLE, and below it a number such as <=5",
    heading="Cells",
)
BOUNDS: Final = (POPULATION, *HISTORIES, *CHANGES, *EXTENTS, DIFFERENCE)

POPULATION_ALONE: Final = _bound(
    "population", "live cells", "Live cells of what is looked for, alone: '<=7'.", many=False
)
"""Of the kinds that look for a catalyst."""
