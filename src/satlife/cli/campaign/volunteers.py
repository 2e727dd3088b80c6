"""``satlife campaign volunteers``: who may help, in a file that nats-server includes."""

from __future__ import annotations

import os
from pathlib import Path

import click

from satlife.cli.endings import say
from satlife.errors import UsageError


@click.command(name="volunteers")
@click.argument("file", metavar="FILE")
@click.option("--add", "added", metavar="NAME", multiple=True, help="Let this user in.")
@click.option("--remove", "removed", metavar="NAME", multiple=True, help="Do not let this user in.")
def command(file: str, added: tuple[str, ...], removed: tuple[str, ...]) -> None:
    """List, add or remove the volunteers of a broker.

    FILE is volunteers.conf, which accounts.conf includes (deploy/nats). Each user gets a new
    password, printed once, and may ask the dispatcher under that name and nothing else. Reload the
    server afterwards: nats-server --signal reload.

    \b
    Examples:
      satlife campaign volunteers volunteers.conf
      satlife campaign volunteers volunteers.conf --add alice --add bert
      satlife campaign volunteers volunteers.conf --remove eve
    """
    import secrets

    from satlife.cluster.dispatch.accounts import check_user, read_volunteers, write_volunteers

    path = Path(file)
    users = read_volunteers(path.read_text(encoding="utf-8")) if path.exists() or not added else {}
    if not added and not removed:
        for name in users:
            click.echo(name)
        return
    new = {check_user(name): secrets.token_urlsafe(24) for name in added}
    if twice := sorted(new.keys() & users.keys()):
        raise UsageError(f"{twice[0]} is already there; --remove {twice[0]} first")
    if unknown := [name for name in removed if name not in users]:
        raise UsageError(f"there is no {unknown[0]} in {file}")
    left = {name: password for name, password in users.items() if name not in removed}
    _write(path, write_volunteers(left | new))
    for name, password in new.items():
        click.echo(f"{name} {password}")
    count = len(left | new)
    words = f"{count} volunteer{'' if count == 1 else 's'}"
    say(f"{file}: {words}; nats-server --signal reload makes the server read it again")


def _write(path: Path, text: str) -> None:
    """Write the file at once, for its owner alone: it has passwords."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as stream:
        stream.write(text)
    part.replace(path)
