"""``satlife list``: the available rules, symmetries, solvers and so on."""

from __future__ import annotations

import sys
from typing import cast

import click

from satlife.cli.help import Command
from satlife.cli.printing import print_record
from satlife.kinds import KINDS, find_kind

WHAT = ("rules", "symmetries", "engines", "encodings", "solvers", "formats", "kinds")


@click.command(name="list", context_settings={"ignore_unknown_options": True}, cls=Command)
@click.argument("what", type=click.Choice(WHAT))
@click.argument("search", nargs=-1, type=click.UNPROCESSED, metavar="[SEARCH]")
@click.option(
    "--rule",
    metavar="RULE",
    help="With encodings: those that support RULE, and what one cell takes in each.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array per line.")
def command(what: str, search: tuple[str, ...], rule: str | None, as_json: bool) -> None:
    """List rules, symmetries, engines, encodings, solvers, formats or kinds.

    A SEARCH may follow `list solvers`: a search command without satlife. Then only the solvers that
    satlife would use for it are listed, a line for each of its --jobs.

    \b
    Examples:
      satlife list symmetries
      satlife list encodings --rule tlife
      satlife list solvers oscillator 3 --box 9x9 --jobs 4
    """
    if search and what != "solvers":
        raise click.UsageError(f"A search may follow 'list solvers' only, not 'list {what}'.")
    if rule is not None and what != "encodings" and not search:
        raise click.UsageError(f"--rule is for encodings, not for {what}")
    rows = _list(what, search, rule)
    if as_json:
        for row in rows:
            print_record(row)
        return
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(rows[0]))]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def _list(what: str, search: tuple[str, ...], rule: str | None) -> list[tuple[str, ...]]:
    if what == "kinds":
        return [(kind.name, kind.summary) for kind in KINDS]
    from satlife.cli.choices import TABLES, list_choices, list_encodings  # noqa: PLC0415 - the kinds need nothing large

    if search:
        kind, whole = find_kind(search[0]), click.get_current_context().find_root()
        command = cast("click.Group", whole.command).get_command(whole, kind.name)
        if command is None:
            raise AssertionError("every kind has a command")
        arguments = [*search[1:], *(["--rule", rule] if rule else [])]
        asked = command.make_context(f"satlife {kind.name}", arguments)
        return list_choices(kind, asked.params)
    return TABLES[what]() if rule is None else list_encodings(rule)
