"""Running a search from the command line: one solution, or whatever else the options ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn, cast

from satlife.cli import endings
from satlife.cli.endings import stopping
from satlife.cli.search.asked import Asked, Which, build_problem
from satlife.cli.search.options import WHICH
from satlife.cli.search.progress import listen, reporting
from satlife.cli.search.report import exit_code, print_outcome
from satlife.engine import start
from satlife.errors import UsageError
from satlife.kinds import Kind, kind_of
from satlife.problem import Problem
from satlife.problem.outcome import Outcome


def run_kind(kind: Kind, options: dict[str, Any]) -> NoReturn:
    """Run the search of a kind's command."""
    asked = Asked.take(options)
    run(lambda **changes: build_problem(kind, options | changes), asked)


def run(make: Callable[..., Problem], asked: Asked) -> NoReturn:
    """Run the search that the options ask for; all finds are drawn, even after Ctrl-C."""
    asked.output.check()
    if asked.output.picture and asked.which.only_count:
        raise UsageError(f"--count prints a number; there is no {asked.output.picture} of it")
    try:
        _run(make, asked)
    except SystemExit:
        if asked.output.failed:
            sys.exit(endings.USAGE)
        raise
    finally:
        asked.output.write_picture()


def _run(make: Callable[..., Problem], asked: Asked) -> NoReturn:
    """Find one, the best, all, the smallest box, or a proof."""
    problem = make()
    check_options(problem, asked.which)
    if asked.proof.wanted:
        from satlife.cli.search.proofs import run_proof  # noqa: PLC0415 - most searches want one

        run_proof(problem, asked)
    which = asked.which
    if which.best or which.grow or which.several:
        from satlife.cli.search.lists import run_best, run_growth, run_listing  # noqa: PLC0415 - most searches want one

        if which.best:
            run_best(problem, asked)
        if which.grow:
            run_growth(problem, make, which.grow, asked)
        run_listing(problem, asked)
    run_search(problem, asked)


def check_options(problem: Problem, which: Which) -> None:
    """Raise if options make no sense together, or not with this kind of search."""
    given = [option.opts[-1] for option in WHICH if option.name and getattr(which, option.name)]
    goal = [name for name in given if name in ("--minimize", "--maximize")]
    if kind_of(problem).yes == "impossible" and given:
        raise UsageError(f"{problem.kind} asks for a yes or a no; {given[0]} does not go with it")
    alone = "--grow" if "--grow" in given else goal[0] if goal else None
    if alone and (others := [name for name in given if name not in (alone, *goal)]):
        raise UsageError(f"{alone} does not go with {others[0]}")
    if which.same and not (which.everything or which.limit or which.only_count):
        raise UsageError("--same goes with --all, --count or --limit")
    recurring = problem.motion is not None and problem.boundary == "dead"
    for name in ("--reject", "--only-connected"):
        if name in given and not recurring:
            raise UsageError(f"{name} goes only with still lifes, oscillators and ships")


def run_search(problem: Problem, asked: Asked) -> NoReturn:
    """Search for one solution, print the answer, and exit with its code."""
    with stopping() as signals:
        with (
            reporting(asked.output.silent, asked.deadline) as report,
            start(problem, **asked.how) as search,
        ):
            listen(search, report.event, signals)
            outcome = cast("Outcome", search.result())
        print_outcome(outcome, asked.output)
    sys.exit(exit_code(outcome))
