"""Running a search from the command line: the options that say which, and how."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from satlife.cli.kinds import Kind
from satlife.cli.progress import reporting
from satlife.cli.quantities import MEMORY, TIME
from satlife.cli.report import Output, exit_code, print_outcome
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.search import Outcome, Problem

HOW: tuple[click.Option, ...] = (
    click.Option(["--engine"], metavar="NAME", help="The way to search; satlife list engines."),
    click.Option(["--solver"], metavar="NAME", help="The solver; satlife list solvers."),
    click.Option(["--solver-command"], metavar="COMMAND", help="Any DIMACS solver's command line."),
    click.Option(["--encoding"], metavar="NAME", help="The encoding; satlife list encodings."),
    click.Option(
        ["--break-symmetry/--no-break-symmetry"],
        default=None,
        help="Look at one of several mirror images only: good for refutations, bad for hunts.",
    ),
    click.Option(
        ["--jobs"],
        type=click.IntRange(min=1, max=64),
        default=1,
        show_default=True,
        metavar="N",
        help="Race so many solvers, encodings and seeds.",
    ),
    click.Option(["--timeout"], type=TIME, metavar="TIME", help="Give up after this time (10m)."),
    click.Option(["--memory"], type=MEMORY, metavar="SIZE", help="Give up beyond this (4G)."),
    click.Option(["--random-seed"], type=int, metavar="N", help="For another first answer."),
)
"""How to search; none of it changes what is asked."""

WHICH: tuple[click.Option, ...] = (
    click.Option(["--all", "everything"], is_flag=True, help="Find all, each class once."),
    click.Option(["--limit"], type=click.IntRange(min=1), metavar="N", help="Find at most N."),
    click.Option(["--count", "only_count"], is_flag=True, help="Find all, print their number."),
    click.Option(["--raw"], is_flag=True, help="Count copies, mirror images and phases too."),
    click.Option(
        ["--continue", "journal"],
        metavar="FILE",
        help="Go on after what FILE holds.",
    ),
    click.Option(
        ["--reject"],
        multiple=True,
        metavar="WHAT",
        help="Not this: known, a pattern file, an apgcode.",
    ),
    click.Option(["--only-connected"], is_flag=True, help="Nothing made of independent parts."),
    click.Option(
        ["--minimize"],
        metavar="MEASURES",
        help="The least population, area, rotor …; several: rotor,population.",
    ),
    click.Option(["--maximize"], metavar="MEASURES", help="The most of it."),
    click.Option(
        ["--grow"],
        type=click.Choice(["width", "height", "both"]),
        help="Let the box grow until it holds one.",
    ),
)
"""Which solutions are wanted."""

PROVE: tuple[click.Option, ...] = (
    click.Option(
        ["--prove"],
        metavar="FOLDER",
        help="Leave a certificate there: a proof that there is none, nothing better, nothing else.",
    ),
    click.Option(
        ["--cubes"],
        type=click.IntRange(min=1),
        metavar="K",
        help="Cut the refutation into K cases, each with its own proof.",
    ),
    click.Option(
        ["--proof-size"], type=MEMORY, metavar="SIZE", help="Give up beyond this (default 4G)."
    ),
)
"""Certificates."""

SHRINK = click.Option(
    ["--shrink"], is_flag=True, help="Leave out every cell that the orphan does not need."
)

OUTPUT: tuple[click.Option, ...] = (
    click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object per line."),
    click.Option(["-q", "--quiet"], is_flag=True, help="Say nothing but the result."),
    click.Option(["-o", "--output"], default="-", metavar="FILE", help="Where the pattern goes."),
)


def make_options(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of HOW out of a command's options; what is wrong with them is told now."""
    from satlife.search.engine import find_engine
    from satlife.search.formula.encodings import find_encoding

    solver: Any = options.pop("solver")
    command = options.pop("solver_command")
    if command:
        from satlife.sat.solvers import command_solver

        solver = command_solver(command)
    elif solver:
        from satlife.sat import find_solver

        find_solver(solver)
    encoding, engine = options.pop("encoding"), options.pop("engine")
    if encoding:
        find_encoding(encoding)
    find_engine(engine)
    memory = options.pop("memory")
    return {
        "engine": engine,
        "solver": solver,
        "encoding": encoding,
        "break_symmetry": options.pop("break_symmetry"),
        "jobs": options.pop("jobs"),
        "seed": options.pop("random_seed"),
        "timeout": options.pop("timeout"),
        "memory": None if memory is None else int(memory),
    }


def search_command(kind: Kind) -> click.Command:
    """Make the command ``satlife KIND``."""

    def callback(**options: Any) -> None:
        output = Output(options.pop("as_json"), options.pop("quiet"), options.pop("output"))
        which = take(WHICH, options)
        prove = take(PROVE, options) | {"shrink": options.pop("shrink", False)}
        how = make_options(options)
        run(lambda **changes: kind.make(**(options | changes)), how, which, prove, output)

    shrink = (SHRINK,) if kind.name == "orphan" else ()
    return click.Command(
        kind.name,
        callback=callback,
        params=[*kind.parameters, *shrink, *WHICH, *HOW, *PROVE, *OUTPUT],
        help=kind.help,
        short_help=kind.summary,
    )


def take(table: tuple[click.Option, ...], options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of a table out of a command's options."""
    return {option.name: options.pop(option.name) for option in table if option.name}


def run(
    make: Callable[..., Problem],
    how: dict[str, Any],
    which: dict[str, Any],
    prove: dict[str, Any],
    output: Output,
) -> NoReturn:
    """Do what the options ask for: one, the best, all, the smallest box, or a proof."""
    output.check()
    problem = make()
    check_options(problem, which)
    if any(prove.values()):
        from satlife.cli.proving import run_proof

        run_proof(problem, how, which, prove, output)
    if which["minimize"] or which["maximize"]:
        from satlife.cli.optimising import run_optimum

        run_optimum(problem, how, which, output)
    if which["grow"]:
        from satlife.cli.optimising import run_growth

        run_growth(problem, make, how, which, output)
    several = ("everything", "limit", "only_count", "raw", "journal", "reject", "only_connected")
    if any(which[name] for name in several):
        from satlife.cli.collecting import run_enumeration

        run_enumeration(problem, how, which, output)
    run_search(problem, how, output)


def check_options(problem: Problem, which: dict[str, Any]) -> None:
    """Refuse options that make no sense together, or not with this kind of search."""
    given = [option.opts[-1] for option in WHICH if option.name and which[option.name]]
    goal = [name for name in given if name in ("--minimize", "--maximize")]
    if problem.kind == "orphan" and given:
        raise UsageError(f"whether it is an orphan is a yes or a no; it has no {given[0]}")
    alone = "--grow" if "--grow" in given else goal[0] if goal else None
    if alone and (others := [name for name in given if name not in (alone, *goal)]):
        raise UsageError(f"{alone} does not go with {others[0]}")
    recurring = problem.motion is not None and problem.boundary == "dead"
    for name in ("--reject", "--only-connected"):
        if name in given and not recurring:
            raise UsageError(f"{name} goes with still lifes, oscillators and ships only")


def run_search(problem: Problem, how: dict[str, Any], output: Output) -> NoReturn:
    """Search, report, and leave with the code that the answer has."""
    from satlife.search import start

    with (
        reporting(output.quiet or output.as_json, how["timeout"]) as report,
        start(problem, **how) as search,
    ):
        for event in search:
            report.event(event)
        outcome = cast("Outcome", search.result())
    print_outcome(outcome, output)
    sys.exit(exit_code(problem, outcome))
