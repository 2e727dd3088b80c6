"""The search kinds as commands: one table for ``satlife KIND`` and ``satlife cnf KIND``.

A kind's row says its arguments and options and which function of :mod:`satlife.search` makes the
problem of them; how to search and what to print is the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from satlife.cli.bounds import ALL_BOUNDS, EXTENT, bound_options, read_bounds
from satlife.cli.files import read_text

if TYPE_CHECKING:
    from satlife.search import Problem


def _option(*names: str, help: str, **rest: Any) -> click.Option:  # noqa: A002 - click's word
    return click.Option(list(names), help=help, **rest)


def box_option(required: bool = True) -> click.Option:
    """``--box``."""
    return _option(
        "--box",
        required=required,
        metavar="WxH",
        help="Width x height that holds all phases, or one box for each phase: 10x13,8x13*9.",
    )


SYMMETRY = _option(
    "--symmetry",
    default="C1",
    show_default=True,
    metavar="NAME",
    help="C2, C4, D2v (left-right mirror), D4+, D8 …, C4_1 …, or D4+:D8; satlife list symmetries.",
)
RULE = _option("--rule", default="B3/S23", show_default=True, metavar="RULE", help="The rule.")


COMPOSITE = _option(
    "--composite",
    is_flag=True,
    help="Only the pattern as a whole need have the period, not one of its cells.",
)
INCLUDE_LAST = _option(
    "--include-last", is_flag=True, help="Keep generation p, one displacement on, in the box too."
)


@dataclass(frozen=True)
class Kind:
    """A search kind as a command."""

    name: str
    summary: str
    text: str
    examples: tuple[str, ...]
    parameters: tuple[click.Parameter, ...]
    make: Callable[..., Problem]

    @property
    def help(self) -> str:
        """The help text with its examples."""
        lines = "\n".join(f"  satlife {example}" for example in self.examples)
        return f"{self.text}\n\n\b\nExamples:\n{lines}"


def _still_life(**options: Any) -> Problem:
    from satlife.search import still_life

    return still_life(**read_bounds(options))


def _oscillator(period: str, **options: Any) -> Problem:
    from satlife.search import oscillator

    return oscillator(period, **read_bounds(options))


def _ship(speed: str, **options: Any) -> Problem:
    from satlife.search import ship

    return ship(speed, **read_bounds(options))


def _agar(period: str, wrap: str, **options: Any) -> Problem:
    from satlife.errors import UsageError
    from satlife.life.numbers import parse_integer
    from satlife.search import agar

    try:
        down, right = map(parse_integer, wrap.split(","))
    except ValueError:
        raise UsageError(f"--wrap is DOWN,RIGHT, for example 1,0; got {wrap!r}") from None
    return agar(period, wrap=(down, right), **read_bounds(options))


def _parent(source: str, **options: Any) -> Problem:
    from satlife.life import read_pattern
    from satlife.search import parent

    return parent(read_pattern(read_text(source)), **read_bounds(options))


def _orphan(source: str) -> Problem:
    from satlife.search import orphan

    return orphan(_read_whole(read_text(source)))


def _complete(source: str, motion: str | None, full_period: bool, **options: Any) -> Problem:
    from satlife.search import Grid, complete
    from satlife.search.problem.lls_grid import looks_like_grid

    text = read_text(source)
    partial = Grid.from_text(text) if looks_like_grid(text) else _read_whole(text)
    return complete(partial, motion=motion, composite=not full_period, **read_bounds(options))


def _eater(source: str, at: str, **options: Any) -> Problem:
    from satlife.errors import UsageError
    from satlife.life.numbers import parse_integer
    from satlife.search.kinds import eater

    try:
        x, y = map(parse_integer, at.split(","))
    except ValueError:
        raise UsageError(f"--at is X,Y, for example 0,0; got {at!r}") from None
    return eater(_read_complete(source), at=(x, y), **options)


def _reaction(before: str, after: str, region: str, **options: Any) -> Problem:
    from satlife.search.kinds import reaction

    is_window = re.match(r"-?\d+\.\.", region) is not None
    where = region if is_window else _read_complete(region)
    return reaction(_read_complete(before), _read_complete(after), region=where, **options)


def _read_complete(source: str) -> Any:
    from satlife.life import Pattern

    return Pattern.from_text(read_text(source))


def _read_whole(text: str) -> Any:
    """Read a pattern with the whole box that it speaks of: dead cells at the edge are known."""
    from satlife.life import detect_format

    return detect_format(text).read_partial(text)


SOURCE = click.Argument(["source"], metavar="FILE")
WINDOW = "X..X,Y..Y"


def _catalyst_options(region: click.Option) -> tuple[click.Option, ...]:
    return (
        region,
        _option(
            "--field",
            metavar=WINDOW,
            help="What nothing may leave.  [default: 2 cells more than all that is given]",
        ),
        _option(
            "--within",
            required=True,
            type=click.IntRange(min=1),
            metavar="T",
            help="The generation in which it is over.",
        ),
        _option(
            "--period",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help="Of what is looked for, alone; 1 is a still life.",
        ),
        _option("--population", metavar="BOUND", help="Its live cells, alone: '<=7'."),
    )


KINDS: tuple[Kind, ...] = (
    Kind(
        "still-life",
        "Find a still life.",
        "Find a pattern that does not change.",
        ("still-life --box 8x8 --population '>=36'", "still-life --box 9x9 --symmetry D8"),
        (box_option(), SYMMETRY, RULE, *bound_options("population", *EXTENT, "difference")),
        _still_life,
    ),
    Kind(
        "oscillator",
        "Find an oscillator of a given period.",
        "Find a pattern that comes back to its place after PERIOD generations, all of them in the "
        "box.  At least one of its cells has the full period.",
        (
            "oscillator 5 --box 8x8 --symmetry C4",
            "oscillator 6 --box 10x10 --symmetry D4+:D8",
            "oscillator 4 --box 9x9 --rotor '<=12' --population '<=30@every'",
            "oscillator 3 --box 6x6 --timeout 10m",
        ),
        (
            click.Argument(["period"]),
            box_option(),
            SYMMETRY,
            RULE,
            COMPOSITE,
            *bound_options(*ALL_BOUNDS),
        ),
        _oscillator,
    ),
    Kind(
        "ship",
        "Find a spaceship of a given speed.",
        "Find a pattern that comes back elsewhere.  SPEED is c/3, 2c/5, c/4d (diagonal) or "
        "(2,1)c/6; it is never reduced.  Ships travel north or north-west; generations 0 to p-1 "
        "are in the box.",
        ("ship c/4d --box 4x4", "ship c/3 --box 16x6", "ship c/3 --box 12x13 --symmetry D2v"),
        (
            click.Argument(["speed"]),
            box_option(),
            SYMMETRY,
            RULE,
            INCLUDE_LAST,
            COMPOSITE,
            *bound_options("population", *EXTENT, "difference"),
        ),
        _ship,
    ),
    Kind(
        "parent",
        "Find an ancestor of a pattern.",
        "Find a pattern that becomes the one in FILE.  Every generation back may be larger by the "
        "margin on each side; all else is dead.",
        ("parent life.rle", "parent life.rle --generations 4", "parent x.rle --population '<=41'"),
        (
            SOURCE,
            _option(
                "--generations",
                type=click.IntRange(min=1),
                default=1,
                show_default=True,
                help="How many generations back.",
            ),
            _option(
                "--margin",
                type=click.IntRange(min=0),
                default=1,
                show_default=True,
                help="Cells on each side, per generation back.",
            ),
            *bound_options("population", "difference"),
        ),
        _parent,
    ),
    Kind(
        "orphan",
        "Decide whether a pattern has a parent.",
        "Decide whether anything at all becomes the pattern in FILE, whatever is around it.  "
        "Unknown cells (?) are not asked for.  Exit code 0: it is an orphan; 1: it is not, and a "
        "parent is printed; 3: undecided.",
        ("orphan eden.rle",),
        (SOURCE,),
        _orphan,
    ),
    Kind(
        "complete",
        "Complete a partly known pattern.",
        "Find values for the unknown cells (?) of FILE so that it is a still life, or with "
        "--motion an oscillator or ship.  FILE is RLE or plaintext with ?, or a search pattern "
        "of Logic Life Search (0, 1, *, names, several generations).",
        ("complete eater.rle", "complete rotor.rle --motion p3", "complete search.lls"),
        (
            SOURCE,
            _option("--motion", metavar="MOTION", help="A period (p3) or a speed (c/4)."),
            _option("--full-period", is_flag=True, help="One cell must have the full period."),
            SYMMETRY,
            _option("--rule", metavar="RULE", help="The rule, if not the file's own."),
            *bound_options(*ALL_BOUNDS),
        ),
        _complete,
    ),
    Kind(
        "agar",
        "Find a pattern on a torus.",
        "Find a pattern with this period (or speed) on a torus of the box's size.",
        ("agar 2 --box 4x4", "agar 2 --box 5x4 --wrap 1,0"),
        (
            click.Argument(["period"]),
            box_option(),
            _option(
                "--wrap",
                default="0,0",
                show_default=True,
                metavar="DOWN,RIGHT",
                help="Twist: rows down at the right edge, columns right at the bottom.",
            ),
            SYMMETRY,
            RULE,
            COMPOSITE,
            *bound_options("population", "rotor", "stator", "difference"),
        ),
        _agar,
    ),
    Kind(
        "eater",
        "Find something that absorbs an input.",
        "Find a still life (or an oscillator) in the region that the pattern in FILE flies into, "
        "and that alone is left in generation T, as it was.  The pattern printed is generation 0, "
        "with both; the eater alone is told with it.",
        (
            "eater --input glider.rle --region 4..11,4..11 --within 8 --population '<=7'",
            "eater --input glider.rle --region 0..9,0..9 --within 12 --period 2",
        ),
        (
            _option("--input", "source", required=True, metavar="FILE", help="What is absorbed."),
            _option(
                "--at",
                default="0,0",
                show_default=True,
                metavar="X,Y",
                help="The top left of its box.",
            ),
            _option(
                "--approach",
                type=click.IntRange(min=0),
                default=0,
                show_default=True,
                metavar="N",
                help="In so many generations at first it only flies on.",
            ),
            *_catalyst_options(
                _option(
                    "--region",
                    required=True,
                    metavar=WINDOW,
                    help="Columns and rows where the eater may be.",
                )
            ),
        ),
        _eater,
    ),
    Kind(
        "reaction",
        "Find a catalyst that makes one pattern of another.",
        "Find a still life (or an oscillator) with which one pattern becomes another, and that is "
        "itself again in generation T.  The patterns lie where their files say.  The pattern "
        "printed is generation 0, with the catalyst; the catalyst alone is told with it.",
        ("reaction --before a.rle --after b.rle --within 9 --region 4..11,4..11",),
        (
            _option("--before", required=True, metavar="FILE", help="What is there at first."),
            _option("--after", required=True, metavar="FILE", help="What is there at the end."),
            *_catalyst_options(
                _option(
                    "--region",
                    required=True,
                    metavar=f"{WINDOW}|FILE",
                    help="Columns and rows where the catalyst may be, or a pattern of such cells.",
                )
            ),
        ),
        _reaction,
    ),
)
"""Every kind; a new one is one row."""


def find_kind(name: str) -> Kind:
    """Return the kind of that name."""
    return next(kind for kind in KINDS if kind.name == name)
