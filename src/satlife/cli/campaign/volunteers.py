"""``satlife campaign volunteers``: who may ask the dispatcher for tasks.

The file is TOML: each user with the hash of a password that we made, random and long.

>>> text = write_volunteers({"alice": "5e884898" * 8})
>>> print(text.splitlines()[-1][:18])
alice = "5e8848985
>>> read_volunteers(text) == {"alice": "5e884898" * 8}
True
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import tomllib
from pathlib import Path

import click

from satlife.cli.endings import say
from satlife.cli.help import Command
from satlife.cli.printing import print_line
from satlife.errors import FormatError, UsageError
from satlife.machine import replacing

RESERVED = ("checker", "dispatcher", "recorder", "worker")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)

_HEAD = """\
# Volunteers, with the SHA-256 of their passwords, which satlife campaign volunteers has printed.
# satlife campaign dispatch reads this file again when it changes.
"""


def check_user(name: str) -> str:
    """Return the name of a volunteer; raise an error if it is invalid."""
    if not _NAME.fullmatch(name) or name in RESERVED:
        raise UsageError(
            f"{name!r} is not a valid name for a volunteer: use up to 40 letters, digits, - and _, "
            f"and none of {', '.join(RESERVED)}"
        )
    return name


def write_volunteers(users: dict[str, str]) -> str:
    """Return the text of a file of users with the hashes of their passwords."""
    return _HEAD + "".join(
        f'{check_user(name)} = "{mark}"\n' for name, mark in sorted(users.items())
    )


def read_volunteers(text: str) -> dict[str, str]:
    """Return the users of such a file and their hashes; raise an error for any other file."""
    wrong = "not a list of volunteers, as satlife campaign volunteers writes it"
    head = _HEAD.splitlines()[0]
    if not text.startswith(head):  # one that was cut short would shut everybody out
        raise FormatError(f"{wrong}: it begins with {head!r}")
    try:
        users = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{wrong}: {error}") from None
    for name, mark in users.items():
        if not isinstance(mark, str) or not _HASH.fullmatch(mark):
            raise FormatError(f"{check_user(name)} has no hash of a password: 64 digits of base 16")
    return {check_user(name): mark for name, mark in users.items()}


@click.command(name="volunteers", cls=Command)
@click.argument("file", metavar="FILE")
@click.option("--add", "added", metavar="NAME", multiple=True, help="Let this user in.")
@click.option("--remove", "removed", metavar="NAME", multiple=True, help="Do not let this user in.")
def command(file: str, added: tuple[str, ...], removed: tuple[str, ...]) -> None:
    """List, add or remove the volunteers of a dispatcher.

    Each new user gets a password, printed once; FILE has only its hash. A running dispatcher reads
    the file again when it changes.

    \b
    Examples:
      satlife campaign volunteers volunteers.toml
      satlife campaign volunteers volunteers.toml --add alice --add bert
      satlife campaign volunteers volunteers.toml --remove eve
    """
    from satlife.serving import hash_password  # noqa: PLC0415 - a server

    path = Path(file)
    users = read_volunteers(path.read_text(encoding="utf-8")) if path.exists() or not added else {}
    if not added and not removed:
        for name in users:
            print_line(name)
        return
    new = {check_user(name): secrets.token_urlsafe(24) for name in added}
    if twice := sorted(new.keys() & users.keys()):
        raise UsageError(f"{twice[0]} is already there; --remove {twice[0]} first")
    if unknown := [name for name in removed if name not in users]:
        raise UsageError(f"there is no {unknown[0]} in {file}")
    left = {name: mark for name, mark in users.items() if name not in removed}
    hashed = {name: hash_password(password) for name, password in new.items()}
    with replacing(path, 0o600) as part:
        part.write_text(write_volunteers(left | hashed), encoding="utf-8")
        if path.exists():  # its owner, the dispatcher's user, must still be able to read it
            state = path.stat()
            part.chmod(stat.S_IMODE(state.st_mode))
            if os.name == "posix" and os.geteuid() == 0:
                os.chown(part, state.st_uid, state.st_gid)
    for name, password in new.items():
        print_line(f"{name} {password}")
    count = len(left | new)
    say(f"{file}: {count} volunteer{'' if count == 1 else 's'}")
