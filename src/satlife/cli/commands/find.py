"""``satlife find``: a problem from a file."""

from __future__ import annotations

from typing import Any

import click

from satlife.cli.files import read_problem
from satlife.cli.search.options import HOW, OUTPUT, PROVE, WHICH
from satlife.cli.search.running import run, take_asked
from satlife.errors import UsageError


def _find(spec: str, **options: Any) -> None:
    problem = read_problem(spec)
    asked = take_asked(options)
    if asked["which"]["grow"]:
        raise UsageError("a problem file has its own box; --grow goes with the kinds")
    run(lambda: problem, **asked)


command = click.Command(
    "find",
    callback=_find,
    params=[
        click.Option(["--spec"], required=True, metavar="FILE", help="The problem, TOML or JSON."),
        *WHICH,
        *HOW,
        *PROVE,
        *OUTPUT,
    ],
    help="""Search for what a problem file asks.

The file is TOML or JSON; `satlife cnf KIND … --problem` prints one to start from.

\b
Examples:
  satlife find --spec problem.toml --timeout 1h
""",
    short_help="Search for what a problem file asks.",
)
