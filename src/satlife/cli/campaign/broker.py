"""Options and signal handling of the commands that talk to a broker."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from satlife.cli.campaign.ledgers import refuse_password
from satlife.cli.endings import is_quiet, say
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.cluster.operating.endpoint import Address
    from satlife.cluster.queue import Access

T = TypeVar("T")
Options = tuple[Callable[[Callable[..., None]], Callable[..., None]], ...]


_OPTIONS = (
    click.option(
        "--nats",
        "servers",
        metavar="URL",
        multiple=True,
        envvar="SATLIFE_NATS",
        callback=refuse_password,
        help="The broker, nats://host:4222 or tls://…; repeat it for a cluster. [SATLIFE_NATS]",
    ),
    click.option("--user", metavar="NAME", envvar="SATLIFE_NATS_USER", help="[SATLIFE_NATS_USER]"),
    click.option(
        "--password-file",
        metavar="FILE",
        envvar="SATLIFE_NATS_PASSWORD_FILE",
        help="The password is in this file, or in the variable SATLIFE_NATS_PASSWORD.",
    ),
    click.option(
        "--token-file",
        metavar="FILE",
        envvar="SATLIFE_NATS_TOKEN_FILE",
        help="The token is in this file, or in the variable SATLIFE_NATS_TOKEN.",
    ),
    click.option(
        "--creds", metavar="FILE", envvar="SATLIFE_NATS_CREDS", help="A credentials file from nsc."
    ),
    click.option(
        "--ca",
        metavar="FILE",
        envvar="SATLIFE_NATS_CA",
        help="The certificate that signed the broker's (default: those of the system).",
    ),
)


@dataclass(frozen=True)
class Broker:
    """The values of these options: the broker, and the user who connects to it."""

    servers: tuple[str, ...]
    user: str | None = None
    password_file: str | None = None
    token_file: str | None = None
    creds: str | None = None
    ca: str | None = None

    def make_access(self, role: str, url: str | None = None) -> Access:
        """Return the access of someone in this role; secrets are read now.

        A volunteer gives the ``url`` of a campaign, and needs no broker.
        """
        from satlife.cluster.queue import Access  # noqa: PLC0415 - an extra

        if url:
            given = self._list_explicit()
            access = Access(
                servers=(url,),
                user=given.get("user"),
                password=_read_secret("SATLIFE_PASSWORD", given.get("password_file")),
                authority=given.get("ca"),
                role="volunteer",
            )
        else:
            access = Access(
                servers=self._list_servers(),
                user=self.user,
                password=_read_secret("SATLIFE_NATS_PASSWORD", self.password_file),
                token=_read_secret("SATLIFE_NATS_TOKEN", self.token_file),
                credentials=self.creds,
                authority=self.ca,
                role=role,
            )
        access.check()
        return access

    def _list_explicit(self) -> dict[str, Any]:
        """Return the options for a volunteer on the command line, and none of the environment.

        Its variables are for a broker, whose password must not go to somebody's dispatcher.
        """
        source = click.get_current_context().get_parameter_source
        names = [name for name in BROKER if source(name) is ParameterSource.COMMANDLINE]
        if not {"servers", "token_file", "creds"}.isdisjoint(names):
            raise UsageError(
                "--nats, --token-file and --creds are for a broker; with a URL, give --user, "
                "--password-file and --ca"
            )
        return {name: getattr(self, name) for name in names}

    def _list_servers(self) -> tuple[str, ...]:
        return tuple(url for server in self.servers for url in server.split(",") if url)


BROKER = tuple(each.name for each in fields(Broker))


def broker_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for the broker; the command takes them as ``broker``."""
    return _add_options(command, "broker", Broker, _OPTIONS)


def _add_options(
    command: Callable[..., None], name: str, kind: type[Broker | Operation], options: Options
) -> Callable[..., None]:
    """Add options that a command takes as one value."""

    @wraps(command)
    def call(**given: Any) -> None:
        value = kind(**{each.name: given.pop(each.name) for each in fields(kind)})
        command(**{name: value}, **given)

    called: Callable[..., None] = call
    for option in reversed(options):
        called = option(called)
    return called


def _read_secret(variable: str, name: str | None) -> str | None:
    """Return a secret: the first line of a file, or a variable; never an argument."""
    if name is None:
        return os.environ.get(variable)
    with Path(name).open(encoding="utf-8") as file:
        secret = file.readline().rstrip("\r\n")
    if not secret:
        raise UsageError(f"{name} has no password in its first line")
    return secret


def run_until_signal(
    work: Coroutine[Any, Any, T],
    stop: Callable[[], None],
    report: Callable[[str], None] = say,
) -> tuple[T, bool]:
    """Run the work; the first signal calls ``stop``, the second ends at once.

    Return the result, and whether a signal came.
    """
    signals: list[int] = []

    async def run() -> T:
        loop = asyncio.get_running_loop()

        def receive(number: int) -> None:
            signals.append(number)
            if len(signals) > 1:
                raise KeyboardInterrupt
            report("stopping")
            stop()

        for number in (signal.SIGINT, signal.SIGTERM):
            if sys.platform == "win32":
                signal.signal(number, lambda n, _: loop.call_soon_threadsafe(receive, n))
            else:
                loop.add_signal_handler(number, receive, number)
        return await work

    try:
        result = asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    if signal.SIGINT in signals:
        raise KeyboardInterrupt
    return result, bool(signals)


# The options of programs that run for weeks: metrics and logs.


_OPERATION = (
    click.option(
        "--metrics",
        metavar="ADDRESS",
        envvar="SATLIFE_METRICS",
        help="Serve /metrics for Prometheus, /healthz and /readyz here: a port of this machine "
        "(9300), or an address (0.0.0.0:9300). [SATLIFE_METRICS]",
    ),
    click.option(
        "--log",
        "log_format",
        type=click.Choice(("text", "json")),
        default="text",
        envvar="SATLIFE_LOG",
        help="Write log lines for people or as JSON, one object per line. [SATLIFE_LOG]",
    ),
)


@dataclass(frozen=True)
class Operation:
    """The values of these options."""

    metrics: str | None
    log_format: str

    def start(self, part: str) -> tuple[Address | None, Callable[[str], None]]:
        """Start the log; return the address for metrics, if any, and what reports a line.

        With JSON logs, such a line is one more record of the log.
        """
        from satlife.cluster.operating.endpoint import read_address  # noqa: PLC0415 - an extra
        from satlife.cluster.operating.logs import LOGGER  # noqa: PLC0415 - an extra

        address = read_address(self.metrics) if self.metrics else None
        start_log(self.log_format)
        is_json = self.log_format == "json"
        return address, logging.getLogger(f"{LOGGER}.{part}").info if is_json else say


OPERATION = tuple(each.name for each in fields(Operation))


def operating_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--metrics`` and ``--log``; the command takes them as ``operation``."""
    return _add_options(command, "operation", Operation, _OPERATION)


def start_log(log_format: str = "text") -> None:
    """Send log messages of campaigns to standard error, with date and zone."""
    from satlife.cluster.operating.logs import LOGGER, make_formatter  # noqa: PLC0415 - an extra

    logger = logging.getLogger(LOGGER)
    logger.setLevel(logging.ERROR if is_quiet() else logging.INFO)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(make_formatter(log_format))
    logger.addHandler(handler)
    # satlife logs their errors itself; and of uvicorn's, a stranger could cause any number.
    for name in ("nats", "asyncio", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
