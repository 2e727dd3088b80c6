"""The volunteers' part of nats-server's configuration: their accounts and permissions.

It may be included by ``accounts.conf``, and is both written and read here: the dispatcher listens
to the users that it names.

>>> text = write_volunteers({"alice": "secret"})
>>> read_volunteers(text)
{'alice': 'secret'}
>>> text.count("satlife.ask.alice.>"), text.count("$JS")
(1, 0)
"""

from __future__ import annotations

import re

from satlife.errors import FormatError, UsageError

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
