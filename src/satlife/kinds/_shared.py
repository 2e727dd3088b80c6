"""Parameters that several kinds have."""

from __future__ import annotations

from typing import Final

from satlife.kinds._kind import (
    ANY_PATTERN,
    BOX_OF_CELLS,
    DIFFERENCE,
    FLAG,
    TEXT,
    Parameter,
    Reader,
    number,
)

WINDOW: Final = "X..X,Y..Y"

BOX: Final = Parameter(
    name="box",
    reader=TEXT,
    metavar="WxH",
    help="Width x height that holds all phases, or one box for each phase: 10x13,8x13*9.",
)
SYMMETRY: Final = Parameter(
    name="symmetry",
    reader=TEXT,
    metavar="NAME",
    help="C2, C4, D2v (left-right mirror), D4+, D8 …, C4_1 …, or D4+:D8; satlife list symmetries.",
)
CELLS: Final = tuple(
    Parameter(name=name, reader=TEXT, many=True, metavar="X,Y@T", help=words)
    for name, words in (
        ("on", "A cell that is alive: column, row, generation, as 3,0@2; 0..4,0 is a range."),
        ("off", "A cell, or a range, that is dead; 0..4,0@every in all generations."),
    )
)
WITHOUT: Final = Parameter(
    name="without",
    reader=TEXT,
    many=True,
    metavar="NAME",
    help="A symmetry that generation 0 must not have, about any centre: C2 …, or any.",
)
GUTTER: Final = Parameter(
    name="gutter",
    reader=FLAG,
    help="With a mirror symmetry: keep every cell on its axis dead, in every generation.",
)
BACKGROUND: Final = Parameter(
    name="background",
    reader=BOX_OF_CELLS,
    metavar="PATTERN",
    help="What is outside the box, in place of dead cells: one tile of an agar, which repeats.  "
    "The top left of the tile is at 0,0.",
)
RULE: Final = Parameter(name="rule", reader=TEXT, metavar="RULE", help="The rule.")
COMPOSITE: Final = Parameter(
    name="composite",
    reader=FLAG,
    help="Only the pattern as a whole must have the period, not one of its cells.",
)
PERIOD: Final = Parameter(name="period", reader=TEXT, argument=True, metavar="PERIOD")


def file(name: str, reader: Reader = ANY_PATTERN) -> Parameter:
    """Return the parameter of a command whose argument is a pattern."""
    return Parameter(name=name, reader=reader, argument=True, metavar="PATTERN")


def bounds(*names: str) -> tuple[Parameter, ...]:
    """Return parameters that bound numbers of the solution; each may be given several times."""
    return tuple(_BOUNDS[name] for name in names)


def _bound(name: str, words: str) -> Parameter:
    return Parameter(name=name, reader=TEXT, many=True, metavar="BOUND", help=words)


_BOUNDS: Final = {
    each.name: each
    for each in (
        _bound(
            "population",
            "Live cells in generation 0: '>=36', '<=20', =9, 20..36; in others: '<=20@3', @every, "
            "@least (the least populated one), @most, @sum (all together).",
        ),
        _bound("rotor", "Cells that change: '<=12' …"),
        _bound("stator", "Cells that are alive in all generations."),
        _bound("growth", "Cells that one generation has more than the one before, at most."),
        _bound("decay", "Cells that one generation has fewer than the one before, at most."),
        _bound("width", "Width of the smallest box that holds all generations."),
        _bound("height", "Height of that box."),
        _bound("area", "Area of that box."),
        Parameter(
            name="difference",
            reader=DIFFERENCE,
            many=True,
            metavar="PATTERN BOUND",
            help="Cells of generation 0 that differ from PATTERN (? there is not counted).",
        ),
    )
}
CHANGE: Final = ("growth", "decay")
EXTENT: Final = ("width", "height", "area")
ALL_BOUNDS: Final = tuple(_BOUNDS)

_SINGLE_POPULATION: Final = Parameter(
    name="population",
    reader=TEXT,
    metavar="BOUND",
    help="Live cells of what is looked for, alone: '<=7'.",
)


def around_catalyst(region: Parameter) -> tuple[Parameter, ...]:
    """Return the parameters of kinds that look for a catalyst."""
    return (
        region,
        Parameter(
            name="field",
            reader=TEXT,
            metavar=WINDOW,
            help="Nothing may leave this window.  [default: everything given, what the input alone "
            "reaches up to 32 cells further, and 2 cells more on each side]",
        ),
        Parameter(
            name="within",
            reader=number(1),
            metavar="T",
            help="The generation in which the reaction is over.",
        ),
        Parameter(
            name="period",
            reader=number(1),
            help="The period of what is looked for, alone; 1 is a still life.",
        ),
        _SINGLE_POPULATION,
    )
