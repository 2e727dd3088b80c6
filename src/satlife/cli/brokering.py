"""What ``satlife worker`` and ``satlife campaign serve`` share: broker options and signals."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import click

from satlife.cli.ending import say

if TYPE_CHECKING:
    from satlife.campaign.cluster.queue import Access

T = TypeVar("T")

_OPTIONS = (
    click.option(
        "--nats",
        "servers",
        metavar="URL",
        multiple=True,
        envvar="SATLIFE_NATS",
        help="The broker, nats://host:4222 or tls://…; repeat it for a cluster. [SATLIFE_NATS]",
    ),
    click.option("--user", metavar="NAME", envvar="SATLIFE_NATS_USER", help="[SATLIFE_NATS_USER]"),
    click.option(
        "--password",
        metavar="WORD",
        envvar="SATLIFE_NATS_PASSWORD",
        help="Better set as a variable, which others cannot see. [SATLIFE_NATS_PASSWORD]",
    ),
    click.option(
        "--token", metavar="WORD", envvar="SATLIFE_NATS_TOKEN", help="[SATLIFE_NATS_TOKEN]"
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


def broker_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how to reach the broker."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def make_access(
    role: str,
    servers: tuple[str, ...],
    user: str | None,
    password: str | None,
    token: str | None,
    creds: str | None,
    ca: str | None,
) -> Access:
    """Return the access that these options describe."""
    from satlife.campaign.cluster.queue import Access, nats_module

    nats_module()
    access = Access(
        servers=tuple(word for server in servers for word in server.split(",") if word),
        user=user,
        password=password,
        token=token,
        credentials=creds,
        authority=ca,
        role=role,
    )
    access.check()
    return access


def start_log(quiet: bool) -> None:
    """Send log messages of campaigns to standard error."""
    import logging

    logger = logging.getLogger("satlife.campaign")
    logger.setLevel(logging.ERROR if quiet else logging.INFO)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    logger.addHandler(handler)
    # We log the errors of nats-py ourselves.
    logging.getLogger("nats").setLevel(logging.CRITICAL)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)


def run_until_signal(work: Coroutine[Any, Any, T], stop: Callable[[], None]) -> tuple[T, bool]:
    """Run it; the first signal calls ``stop``, the second ends at once.

    Return the result, and whether a signal came.
    """
    import asyncio

    signals: list[int] = []

    async def run() -> T:
        loop = asyncio.get_running_loop()

        def heed(number: int) -> None:
            signals.append(number)
            if len(signals) > 1:
                raise KeyboardInterrupt
            say("stopping")
            stop()

        for number in (signal.SIGINT, signal.SIGTERM):
            if sys.platform == "win32":
                signal.signal(number, lambda n, _: loop.call_soon_threadsafe(heed, n))
            else:
                loop.add_signal_handler(number, heed, number)
        return await work

    try:
        result = asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    if signal.SIGINT in signals:
        raise KeyboardInterrupt
    return result, bool(signals)
