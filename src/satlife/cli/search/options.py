"""The options of the commands that search: which solutions, how to search, proofs, output.

Nothing here imports NumPy, so that ``satlife KIND --help`` stays fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from satlife.cli.help import Command, names
from satlife.cli.quantities import MEMORY, SIZE, TIME
from satlife.errors import UsageError
from satlife.kinds import Kind, Parameter

WHICH: tuple[click.Option, ...] = (
    click.Option(["--all", "everything"], is_flag=True, help="Find all, one of each class."),
    click.Option(["--limit"], type=click.IntRange(min=1), metavar="N", help="Find at most N."),
    click.Option(["--count", "only_count"], is_flag=True, help="Find all, print their number."),
    click.Option(["--raw"], is_flag=True, help="Count copies, mirror images and phases too."),
    click.Option(
        ["--same"],
        type=click.Choice(["object", "rotor", "catalyst", "outcome"]),
        help="What counts as one: copies of an object, oscillators with the same rotor, catalysts "
        "that agree where it matters, or all with the same outcome.",
    ),
    click.Option(
        ["--continue", "journal"],
        metavar="FILE",
        help="Keep what is found in FILE, and continue after what it already has.",
    ),
    click.Option(
        ["--reject"],
        multiple=True,
        metavar="WHAT",
        help="Leave this out: known, or a pattern: a file, -, RLE, an apgcode, a name.",
    ),
    click.Option(
        ["--only-connected"], is_flag=True, help="Leave out patterns made of independent parts."
    ),
    click.Option(
        ["--leaves"],
        metavar="WHAT",
        help="Only reactions that leave this beside the catalyst: an object, such as glider; or "
        "nothing.",
    ),
    click.Option(
        ["--not", "leaves_no"],
        metavar="WHAT",
        help="Only reactions that do not leave this beside the catalyst; or that leave something: "
        "nothing.",
    ),
    click.Option(
        ["--minimize"],
        metavar="MEASURES",
        help="Find the least population, area, rotor …; several: rotor,population.",
    ),
    click.Option(["--maximize"], metavar="MEASURES", help="Find the greatest."),
    click.Option(
        ["--grow"],
        type=click.Choice(["width", "height", "both", "area"]),
        help="Let the box grow until it holds a solution.",
    ),
)
"""Which solutions are wanted."""

WITHOUT_BOX: tuple[click.Option, ...] = (
    click.Option(
        ["--fresh"], is_flag=True, help="Search, even if the catalogue of known objects has one."
    ),
    click.Option(
        ["--smallest"],
        is_flag=True,
        help="Find the smallest box that holds one: all of less area are refuted first.",
    ),
)
"""What to search for where no box is given."""

HOW: tuple[click.Option, ...] = (
    click.Option(["--engine"], metavar="NAME", help="The way to search; satlife list engines."),
    click.Option(
        ["--solver"],
        metavar="NAME",
        help="The solver; satlife list solvers.  [default: as satlife list solvers SEARCH says]",
    ),
    click.Option(["--solver-command"], metavar="COMMAND", help="Any DIMACS solver's command line."),
    click.Option(["--encoding"], metavar="NAME", help="The encoding; satlife list encodings."),
    click.Option(
        ["--break-symmetry/--no-break-symmetry"],
        default=None,
        help="Look at only one of several mirror images: good for refutations, bad for hunts.",
    ),
    click.Option(
        ["--restrictions/--no-restrictions"],
        default=None,
        help="Also try smaller boxes, more symmetry and soups.  [default: where a find is likely]",
    ),
    click.Option(
        ["--jobs"],
        type=click.IntRange(min=1, max=64),
        default=1,
        show_default=True,
        metavar="N",
        help="Use N processors (cases of a refutation, or a race).",
    ),
    click.Option(
        ["--timeout"],
        type=TIME,
        metavar="TIME",
        help="Give up after this time by the clock, in all (10m).",
    ),
    click.Option(
        ["--memory"],
        type=MEMORY,
        metavar="SIZE",
        help="Give up when satlife, building the formula, or a solver takes more (4G).",
    ),
    click.Option(["--save"], metavar="FILE", help="Save the search there, or go on from there."),
    click.Option(
        ["--partials"],
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Engine rows: print the N longest partial ships if no ship is found.",
    ),
    click.Option(
        ["--extend"],
        metavar="PATTERN",
        help="Engine rows: search for ships that begin with this pattern.",
    ),
    click.Option(
        ["--random-seed"], type=int, metavar="N", help="Search in another order, given by N."
    ),
)
"""How to search; none of it changes what is asked."""

PROVE: tuple[click.Option, ...] = (
    click.Option(
        ["--prove"],
        metavar="FOLDER",
        help="Write a certificate there: of none, the best, or all.",
    ),
    click.Option(
        ["--cubes"],
        type=click.IntRange(min=1),
        metavar="K",
        help="Divide the proof into K leaves of a tree.  [default: as --jobs needs]",
    ),
    click.Option(
        ["--proof-size"], type=SIZE, metavar="SIZE", help="Give up beyond this (default 4G)."
    ),
)
"""Certificates."""

SHRINK = click.Option(["--shrink"], is_flag=True, help="Leave out every cell that is not needed.")

COMPLETE: tuple[click.Option, ...] = (
    click.Option(
        ["--complete"],
        is_flag=True,
        help="If it forces itself: find the still life of fewest cells around it.",
    ),
    click.Option(
        ["--margin"],
        type=click.IntRange(min=0),
        metavar="N",
        help="With --complete: unknown cells around PATTERN, on each side (default 3).",
    ),
)

OUTPUT: tuple[click.Option, ...] = (
    click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object per line."),
    click.Option(
        ["-o", "--output"],
        default="-",
        metavar="FILE",
        help="Where to write the pattern; .svg, .png, .gif or .html: a picture of it.",
    ),
)

DIRECTION = click.Option(
    ["--direction"],
    metavar="NAME",
    help="Turn the ship that is found: N, E, S, W; if diagonal NE, SE, SW, NW; if oblique NNE …",
)

GROUPS: dict[str, tuple[click.Option, ...]] = {
    "How many, and which": WHICH,
    "How to search": HOW,
    "Proof": PROVE,
    "Output": OUTPUT,
}
"""The options of a search by the headings of its help."""


def choose_groups(kind: Kind) -> dict[str, tuple[click.Option, ...]]:
    """Return the options that searches of a kind take, by the headings of its help."""
    is_missing = {
        "reject": not kind.recurs,
        "only_connected": not (kind.recurs or kind.catalyst),
        "leaves": not kind.tries_contacts,
        "leaves_no": not kind.tries_contacts,
        "grow": not kind.takes("box"),
        **dict.fromkeys(("partials", "extend"), kind.axis != "speeds"),  # the engine rows
        **{each.name: kind.yes == "impossible" for each in WHICH if kind.yes == "impossible"},
    }
    groups = {
        heading: tuple(each for each in table if not is_missing.get(each.name))
        for heading, table in GROUPS.items()
    }
    if kind.name == "ship":
        groups["Output"] = (DIRECTION, *groups["Output"])
    return {heading: table for heading, table in groups.items() if table}


KEYWORDS = {"random_seed": "seed", "solver_command": "solver"}
"""Keywords of ``satlife.start`` that have another name on the command line."""


def spell_option(keyword: str) -> str:
    """Return the option of a keyword of ``satlife.start``; empty if there is none.

    >>> spell_option("break_symmetry"), spell_option("seed"), spell_option("conflicts")
    ('--break-symmetry', '--random-seed', '')
    """
    named = (each.opts[0] for each in HOW if KEYWORDS.get(each.name or "", each.name) == keyword)
    return next(named, "")


# The parameters of a kind of search as click's arguments and options.
#
# What there is to say of them is said in :mod:`satlife.kinds`; here it is only translated.


def make_parameters(kind: Kind) -> list[click.Parameter]:
    """Return the arguments and options of a kind's command."""
    return [
        _make_argument(each) if each.argument else _make_option(each) for each in kind.parameters
    ]


def make_command(
    kind: Kind,
    run: Callable[[Kind, dict[str, Any]], None],
    groups: Mapping[str, tuple[click.Option, ...]],
    words: str = "",
    others: Mapping[str, click.Option] = {},
) -> Command:
    """Build a command of a kind from its own parameters and groups of options.

    ``words`` follow the kind's text, in place of its examples; ``others`` replace its options.
    """
    own = [others.get(each.name or "", each) for each in make_parameters(kind)]
    headed: dict[str, tuple[str, ...]] = {}
    for each in kind.parameters:
        if not each.argument:
            headed[each.group] = (*headed.get(each.group, ()), each.name)
    return Command(
        kind.name,
        callback=lambda **options: run(kind, options),
        params=[*own, *(option for table in groups.values() for option in table)],
        groups=headed | {heading: names(table) for heading, table in groups.items()},
        help=f"{kind.text}  {words}" if words else kind.help,
        short_help=kind.summary,
    )


def refuse_options(
    kind: Kind,
    given: Mapping[str, Any],
    reasons: Mapping[str, Sequence[str]],
    needs: str,
    harmless: Sequence[Any] = (None, False, (), "sat"),
) -> None:
    """Raise if one of the listed options is given without what it needs, and say the reason."""
    names = {each.name: each.opts[-1] for each in (*WHICH, *HOW, *PROVE)}
    names |= {each.name: each.option for each in kind.parameters}
    for why, listed in reasons.items():
        for name in listed:
            if given.get(name) not in harmless:
                raise UsageError(f"{names[name]} needs {needs}: {why}")


def make_growing_options(kind: Kind) -> dict[str, click.Option]:
    """Return --box or --region for kinds that do not need it; larger ones are tried then."""
    options = {}
    for box in (each for each in kind.parameters if kind.embeds and each.name == "box"):
        first, mark, rest = box.help.rstrip(".").partition("; ")
        words = f"{first} (without it: a known object, or a search with growing room){mark}{rest}."
        options[box.name] = _make_option(replace(box, required=False, help=words))
    without = {
        "region": ".  [default: ever larger ones in a ship's way, for 10m]",
        "within": ".",
    }
    for each in kind.parameters if kind.grows_region else ():
        if more := without.get(each.name):
            words = each.help.rstrip(".") + more
            options[each.name] = _make_option(replace(each, required=False, help=words))
    return options


def _make_argument(parameter: Parameter) -> click.Argument:
    return click.Argument([parameter.name], metavar=parameter.metavar, required=parameter.required)


def _make_option(parameter: Parameter) -> click.Option:
    names = [parameter.option, parameter.name]
    if parameter.reader.name == "flag":
        return click.Option(names, is_flag=True, help=parameter.help)
    least = parameter.reader.least
    shown = parameter.default_text
    # With any default, even None, click would not ask for an option that is required.
    default: dict[str, Any] = {} if shown is None else {"default": shown, "show_default": True}
    return click.Option(
        names,
        help=parameter.help,
        metavar=parameter.metavar or None,
        type=click.IntRange(min=least) if least is not None else None,
        nargs=parameter.reader.words,
        multiple=parameter.many,
        required=parameter.required,
        **default,
    )
