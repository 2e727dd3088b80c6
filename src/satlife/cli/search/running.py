"""Running a search from the command line: one solution, or whatever else the options ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from satlife.cli.search.options import HOW, OUTPUT, PROVE, SHRINK, WHICH, take, take_how
from satlife.cli.search.parameters import build_problem, make_parameters
from satlife.cli.search.progress import reporting
from satlife.cli.search.report import Output, exit_code, print_outcome
from satlife.errors import UsageError
from satlife.search.kinds import Kind, kind_of

if TYPE_CHECKING:
    from satlife.search import Outcome, Problem

SEVERAL = (
    "everything",
    "limit",
    "only_count",
    "raw",
    "same",
    "journal",
    "reject",
    "only_connected",
)
"""Options that ask for more than one solution, or for another one."""


def search_command(kind: Kind) -> click.Command:
    """Build the command ``satlife KIND``."""

    def callback(**options: Any) -> None:
        asked = take_asked(options)
        run(lambda **changes: build_problem(kind, options | changes), **asked)

    shrink = (SHRINK,) if kind.shrinks else ()
    return click.Command(
        kind.name,
        callback=callback,
        params=[*make_parameters(kind), *shrink, *WHICH, *HOW, *PROVE, *OUTPUT],
        help=kind.help,
        short_help=kind.summary,
    )


def take_asked(options: dict[str, Any]) -> dict[str, Any]:
    """Take everything but the kind's own parameters out of a command's options."""
    return {
        "output": Output(options.pop("as_json"), options.pop("quiet"), options.pop("output")),
        "which": take(WHICH, options),
        "prove": take(PROVE, options) | {"shrink": options.pop("shrink", False)},
        "how": take_how(options),
    }


def run(
    make: Callable[..., Problem],
    how: dict[str, Any],
    which: dict[str, Any],
    prove: dict[str, Any],
    output: Output,
) -> NoReturn:
    """Do what the options ask for; whatever was found by then is drawn, even after Ctrl-C."""
    output.check()
    if output.picture and which["only_count"]:
        raise UsageError(f"--count prints a number; there is no {output.picture} of it")
    try:
        _run(make, how, which, prove, output)
    finally:
        output.write_picture()


def _run(
    make: Callable[..., Problem],
    how: dict[str, Any],
    which: dict[str, Any],
    prove: dict[str, Any],
    output: Output,
) -> NoReturn:
    """Find one, the best, all, the smallest box, or a proof."""
    problem = make()
    check_options(problem, which)
    if any(prove.values()):
        from satlife.cli.search.proving import run_proof

        run_proof(problem, how, which, prove, output)
    if which["minimize"] or which["maximize"]:
        from satlife.cli.search.best import run_best

        run_best(problem, how, which, output)
    if which["grow"]:
        from satlife.cli.search.best import run_growth

        run_growth(problem, make, how, which, output)
    if any(which[name] for name in SEVERAL):
        from satlife.cli.search.listing import run_listing

        run_listing(problem, how, which, output)
    run_search(problem, how, output)


def check_options(problem: Problem, which: dict[str, Any]) -> None:
    """Raise if options make no sense together, or not with this kind of search."""
    given = [option.opts[-1] for option in WHICH if option.name and which[option.name]]
    goal = [name for name in given if name in ("--minimize", "--maximize")]
    if kind_of(problem).yes == "impossible" and given:
        raise UsageError(f"{problem.kind} asks for a yes or a no; {given[0]} does not go with it")
    alone = "--grow" if "--grow" in given else goal[0] if goal else None
    if alone and (others := [name for name in given if name not in (alone, *goal)]):
        raise UsageError(f"{alone} does not go with {others[0]}")
    if which["same"] and not any(which[name] for name in ("everything", "limit", "only_count")):
        raise UsageError("--same goes with --all, --count or --limit")
    recurring = problem.motion is not None and problem.boundary == "dead"
    for name in ("--reject", "--only-connected"):
        if name in given and not recurring:
            raise UsageError(f"{name} goes only with still lifes, oscillators and ships")


def run_search(problem: Problem, how: dict[str, Any], output: Output) -> NoReturn:
    """Search for one solution, print the answer, and exit with its code."""
    from satlife.search import start

    with (
        reporting(output.quiet or output.as_json, how["timeout"]) as report,
        start(problem, **how) as search,
    ):
        for event in search:
            report.event(event)
        outcome = cast("Outcome", search.result())
    print_outcome(outcome, output)
    sys.exit(exit_code(outcome))
