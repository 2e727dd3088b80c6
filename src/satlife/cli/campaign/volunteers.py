"""``satlife campaign volunteers``: the volunteers' part of nats-server's configuration.

It holds their accounts and permissions, and may be included by ``accounts.conf``.  It is both
written and read here: the dispatcher serves the users in it.

>>> text = write_volunteers({"alice": "secret"})
>>> read_volunteers(text)
{'alice': 'secret'}
>>> text.count("satlife.ask.alice.>"), text.count("$JS")
(1, 0)
"""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import click

from satlife.cli.endings import say
from satlife.cli.help import Command
from satlife.cli.printing import print_line
from satlife.errors import FormatError, UsageError
from satlife.machine import replacing

RESERVED = ("checker", "dispatcher", "recorder", "worker")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)
_USER = re.compile(r'\{ user: "([^"\\]*)", password: "((?:[^"\\]|\\.)*)"')
_MARK = "VOLUNTEERS {"

_HEAD = """\
# Volunteers, and all that they may do: ask the dispatcher under their own name, and hear it.
# Written by satlife campaign volunteers; included by accounts.conf. After a change:
#   nats-server --signal reload
# A password may be replaced by its bcrypt hash.
VOLUNTEERS {
  imports: [
    { service: { account: CAMPAIGN, subject: "satlife.ask.>" } }
  ]
  # The recorder and one's own workers always get a connection.
  limits: { max_connections: 1000, max_payload: 1MB, max_subscriptions: 20000 }
  users: [
"""
_ROW = """\
    {{ user: "{name}", password: "{password}", permissions: {{
      publish: ["satlife.ask.{name}.>"], subscribe: ["_INBOX_{name}.>"] }} }}
"""
_TAIL = """\
  ]
}
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
    """Return the configuration of users with their passwords."""
    rows = [
        _ROW.format(name=check_user(name), password=re.sub(r'(["\\])', r"\\\1", password))
        for name, password in sorted(users.items())
    ]
    return _HEAD + "".join(rows) + _TAIL


def read_volunteers(text: str) -> dict[str, str]:
    """Return the users of such a file and their passwords; raise an error for any other file."""
    if _MARK not in text:
        raise FormatError(f"there is no {_MARK} in it; satlife campaign volunteers writes the file")
    return {
        check_user(name): re.sub(r"\\(.)", r"\1", password)
        for name, password in _USER.findall(text)
    }


@click.command(name="volunteers", cls=Command)
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
    left = {name: password for name, password in users.items() if name not in removed}
    with replacing(path, 0o600) as part:  # for its owner alone: it has passwords
        part.write_text(write_volunteers(left | new), encoding="utf-8")
    for name, password in new.items():
        print_line(f"{name} {password}")
    count = len(left | new)
    volunteers = f"{count} volunteer{'' if count == 1 else 's'}"
    say(f"{file}: {volunteers}; nats-server --signal reload makes the server read it again")
