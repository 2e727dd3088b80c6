"""The options of programs that run for weeks: where their metrics are, and how they log."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from satlife.campaign.operating.endpoint import Address

_OPTIONS = (
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


def operating_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options ``--metrics`` and ``--log``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_metrics(text: str | None) -> Address | None:
    """Return where to serve metrics; None if nobody asked."""
    from satlife.campaign.operating.endpoint import read_address

    return read_address(text) if text else None


def start_log(quiet: bool, log_format: str = "text") -> None:
    """Send log messages of campaigns to standard error, with date and zone."""
    import logging

    from satlife.campaign.operating.logs import LOGGER, make_formatter

    logger = logging.getLogger(LOGGER)
    logger.setLevel(logging.ERROR if quiet else logging.INFO)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(make_formatter(log_format))
    logger.addHandler(handler)
    # We log the errors of nats-py ourselves.
    logging.getLogger("nats").setLevel(logging.CRITICAL)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)


def make_teller(log_format: str, part: str) -> Callable[[str], None]:
    """Return what tells a person a line; as JSON, it is one more line of the log."""
    import logging

    from satlife.campaign.operating.logs import LOGGER
    from satlife.cli.ending import say

    return logging.getLogger(f"{LOGGER}.{part}").info if log_format == "json" else say
