"""``satlife find``: a problem from a file."""

from __future__ import annotations

from typing import Any

import click

from satlife.cli.files import read_text
from satlife.cli.searching import HOW, OUTPUT, make_how, run_search


def _find(spec: str, as_json: bool, quiet: bool, output: str, **options: Any) -> None:
    from satlife.search import Problem

    text = read_text(spec)
    is_json = text.lstrip().startswith("{")
    problem = Problem.from_json(text) if is_json else Problem.from_toml(text)
    run_search(problem, make_how(options), as_json=as_json, quiet=quiet, output=output)


command = click.Command(
    "find",
    callback=_find,
    params=[
        click.Option(["--spec"], required=True, metavar="FILE", help="The problem, TOML or JSON."),
        *HOW,
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
