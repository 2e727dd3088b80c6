"""``satlife campaign check``, ``backup``, ``merge``, and ``results --map``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satlife.cli import endings
from satlife.cli.campaign.ledgers import find_ledger, ledger_option, open_existing
from satlife.cli.endings import one_line, say
from satlife.errors import UsageError
from satlife.quantities import write_count

if TYPE_CHECKING:
    from satlife.campaign.ledger import Ledger, Merged
    from satlife.campaign.plan import Plan
    from satlife.rulemaps import RuleMap


@click.command(name="check")
@click.argument("plan", metavar="PLAN")
@ledger_option
def check_command(plan: str, where: str | None) -> None:
    """Compare the tables of the ledger with its log of events, and simulate every find again.

    The log is the truth, and everything else in a ledger follows from it. They differ if somebody
    has edited the database, or if it is damaged. That a proof was checked is the log's word;
    satlife campaign certificates needs the proofs themselves. Exit codes: 0 they agree, 4 they
    differ.

    \b
    Examples:
      satlife campaign check plan.toml
      satlife campaign check plan.db
    """
    from satlife.campaign.ledger import compare

    with open_existing(plan, where) as ledger:
        seen = compare(ledger)
    for words in seen.words:
        click.echo(f"differs: {one_line(words)}")
    if seen.differences > len(seen.words):
        click.echo(f"differs: {seen.differences - len(seen.words):,} more")
    what = f"{write_count(seen.tasks, 'task')}, {write_count(seen.events, 'event')}"
    what += f", {write_count(seen.finds, 'find')} simulated"
    verdict = "the tables agree with the log"
    if seen.differences:
        verdict = write_count(seen.differences, "difference")
    click.echo(f"{what}: {verdict}")
    if seen.differences:
        sys.exit(endings.INTERNAL)


@click.command(name="backup")
@click.argument("plan", metavar="PLAN")
@click.argument("target", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@ledger_option
def backup_command(plan: str, target: Path, where: str | None) -> None:
    """Copy the ledger to a new file, while the campaign runs.

    The copy of an SQLite ledger is a ledger itself. The copy of a ledger in PostgreSQL is made by
    pg_dump, and is for pg_restore.

    \b
    Examples:
      satlife campaign backup plan.toml backup.db
      SATLIFE_LEDGER=postgresql://… satlife campaign backup plan.toml backup.dump
    """
    from satlife.campaign.ledger.ledger import backup

    size = backup(find_ledger(plan, where), target)
    say(f"{target}: {size:,} bytes")


# ``satlife campaign merge``: take exported ledgers in, and say what was refused.


MOST_REFUSED = 10
"""Refused events that are named, of each file."""


def merge_files(path: str | None, place: str, names: tuple[str, ...], *, trust: bool) -> bool:
    """Merge exported ledgers; return whether everything was taken in without a contradiction.

    A ledger that was created for a file that is refused as a whole is removed.
    """
    from satlife.campaign.ledger import open_ledger
    from satlife.campaign.plan import Plan

    plan = None if path is None else Plan.read(path)
    is_new = "://" not in place and not Path(place).exists()
    is_clean = True
    try:
        with open_ledger(place) as ledger:
            if plan is not None:
                ledger.begin(plan.name, plan.to_toml())
            for name in names:
                try:
                    merged = _merge_file(ledger, name, plan, trust)
                except UsageError as error:
                    raise UsageError(f"{name}: {_shorten(str(error))}") from None
                finally:
                    is_new = is_new and ledger.counts().total == 0
                is_clean &= _tell(name, merged)
    except BaseException:
        if is_new:
            Path(place).unlink(missing_ok=True)
        raise
    return is_clean


def _merge_file(ledger: Ledger, name: str, plan: Plan | None, trust: bool) -> Merged:
    from satlife.cli.files import open_input

    with open_input(name) as file:
        if trust:
            from satlife.campaign.ledger import merge

            return merge(ledger, file)
        from satlife.campaign.strict_merge import merge_strictly

        return merge_strictly(ledger, file, plan)


def _tell(name: str, merged: Merged) -> bool:
    """Print the result of merging a file; return whether all of it was accepted."""
    left_out = f", {merged.left_out:,} left out" if merged.left_out else ""
    refused = f", {len(merged.refused):,} refused" if merged.refused else ""
    say(f"{name}: {merged.new:,} new event{'' if merged.new == 1 else 's'}{left_out}{refused}")
    for words in merged.refused[:MOST_REFUSED]:
        say(f"{name}: refused: {one_line(_shorten(words))}")
    if len(merged.refused) > MOST_REFUSED:
        say(f"{name}: refused: {len(merged.refused) - MOST_REFUSED:,} more")
    for alarm in merged.alarms:
        say(f"{name}: CONTRADICTION: {alarm.name[:12]}: {one_line(alarm.words)}")
    return not (merged.refused or merged.alarms)


def _shorten(words: str) -> str:
    """Return a message with short names of tasks and plans."""
    return re.sub(r"\b([0-9a-f]{12})[0-9a-f]{52}\b", r"\1", words)


# ``satlife campaign results --map``: the maps of a campaign, as ``satlife map`` writes them.


def write_maps(ledger: Ledger, folder: str) -> None:
    """Write the map of a campaign to a folder; several, to folders in it, by their numbers."""
    from satlife.campaign.maps import read_maps
    from satlife.errors import UsageError
    from satlife.rulemaps.page import describe_map

    maps = read_maps(ledger)
    if not maps:
        raise UsageError("the plan asks for no map; a search with map = true does")
    for number, made in enumerate(maps, 1):
        write_map(made, Path(folder) if len(maps) == 1 else Path(folder) / str(number))
        click.echo(f"{describe_map(made)}.")
        if not made.is_complete or made.reason:
            say(f"unfinished: {made.reason or 'some rules are in none of the regions'}")


def write_map(made: RuleMap, folder: Path) -> None:
    """Write a map to its folder; one of the same question that is there is replaced."""
    from satlife.rulemaps.folder import begin_map, finish_map, write_regions

    begin_map(made.problem, folder)
    write_regions(folder, made.regions)
    for words in finish_map(made, folder):
        say(words)
