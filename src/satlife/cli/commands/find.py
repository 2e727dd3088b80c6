"""``satlife find``: a problem from a file."""

from __future__ import annotations

from typing import Any

import click

from satlife.cli.files import read_problem
from satlife.cli.search.asked import Asked
from satlife.cli.search.options import HOW, OUTPUT, PROVE, WHICH
from satlife.cli.search.run import run
from satlife.errors import UsageError


def _find(file: str | None, spec: str | None, **options: Any) -> None:
    if (file is None) == (spec is None):
        raise UsageError("name one problem file: satlife find FILE, or - for standard input")
    problem = read_problem(file or spec or "-")
    asked = Asked.take(options)
    if asked.which.grow:
        raise UsageError("a problem file has its own box; --grow goes with the kinds")
    run(lambda: problem, asked)


command = click.Command(
    "find",
    callback=_find,
    params=[
        click.Argument(["file"], required=False, metavar="FILE"),
        click.Option(["--spec"], metavar="FILE", help="The same as FILE."),
        *WHICH,
        *HOW,
        *PROVE,
        *OUTPUT,
    ],
    help="""Search for what a problem file asks.

FILE is TOML or JSON, or - for standard input; `satlife cnf KIND … --problem` prints one to start
from.

\b
Examples:
  satlife find problem.toml --timeout 1h
""",
    short_help="Search for what a problem file asks.",
)
