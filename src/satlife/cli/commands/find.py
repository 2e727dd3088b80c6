"""``satlife find``: a problem from a file."""

from __future__ import annotations

from typing import Any

import click

from satlife.cli.files import read_problem
from satlife.cli.help import Command, names
from satlife.cli.search.asked import Asked
from satlife.cli.search.options import GROUPS
from satlife.cli.search.run import run
from satlife.errors import UsageError
from satlife.problem import Problem

_GROUPS = {
    heading: tuple(each for each in table if each.name != "grow")
    for heading, table in GROUPS.items()
}
"""All options of searches except --grow: a problem file has its own box."""


def _find(file: str | None, spec: str | None, **options: Any) -> None:
    if (file is None) == (spec is None):
        raise UsageError("name one problem file: satlife find FILE, or - for standard input")
    problem = read_problem(file or spec or "-")

    def make(**changes: str) -> Problem:
        if changes:
            raise UsageError("a problem file has its own box")
        return problem

    run(make, Asked.take(options))


command = Command(
    "find",
    callback=_find,
    params=[
        click.Argument(["file"], required=False, metavar="FILE"),
        click.Option(["--spec"], metavar="FILE", help="The same as FILE."),
        *(option for table in _GROUPS.values() for option in table),
    ],
    groups={
        "What to search for": ("spec",),
        **{heading: names(table) for heading, table in _GROUPS.items()},
    },
    help="""Search for what a problem file asks.

FILE is TOML or JSON, or - for standard input; `satlife cnf KIND … --problem` prints one to start
from.

\b
Examples:
  satlife find problem.toml --timeout 1h
""",
    short_help="Search for what a problem file asks.",
)
