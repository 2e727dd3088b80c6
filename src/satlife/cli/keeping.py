"""``satlife campaign migrate`` and ``backup``: keep a ledger over months and versions."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

import click

from satlife.cli.ending import say
from satlife.cli.ledgers import find_ledger, ledger_option


@click.command(name="migrate")
@click.argument("plan", metavar="PLAN")
@ledger_option
def migrate_command(plan: str, where: str | None) -> None:
    """Upgrade the ledger of an older satlife to the version that this one needs.

    Nothing else upgrades a ledger: the other commands refuse an old one. Stop the recorder or the
    run first, and make a backup: an older satlife cannot read the ledger afterwards.

    \b
    Examples:
      satlife campaign backup plan.toml before-upgrade.db
      satlife campaign migrate plan.toml
    """
    from satlife.campaign.ledger import migrations, open_store
    from satlife.campaign.local.lock import only_runner

    place = find_ledger(plan, where)
    with closing(open_store(place, create=False)) as store, ExitStack() as stack:
        if "://" not in place:
            stack.enter_context(only_runner(Path(f"{place}.lock")))
        found = migrations.migrate(store, create=False, upgrade=True)
        words = f"has version {migrations.LATEST} already; nothing to do"
        if found != migrations.LATEST:
            words = f"upgraded from version {found} to {migrations.LATEST}"
        say(f"{store}: {words}")


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
    from satlife.campaign.operating.backup import backup

    size = backup(find_ledger(plan, where), target)
    say(f"{target}: {size:,} bytes")
