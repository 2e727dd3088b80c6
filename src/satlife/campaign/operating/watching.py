"""Run a recorder or a worker beside the server that shows its metrics."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from satlife.campaign.operating.endpoint import Address, Watched, serving
from satlife.campaign.operating.logs import LOGGER

log = logging.getLogger(f"{LOGGER}.metrics")
T = TypeVar("T")


class Surveyor(Watched, Protocol):
    """Something watched that must ask others now and then."""

    async def run(self) -> object:
        """Ask, until cancelled."""


async def run_watched(
    work: Coroutine[Any, Any, T],
    watched: Watched | Surveyor,
    address: Address | None,
) -> T:
    """Do the work; meanwhile serve metrics and health, if there is an address."""
    if address is None:
        return await work
    try:
        async with serving(watched, address) as port:
            log.info("metrics and health at http://%s:%d", address.host, port)
            asking = getattr(watched, "run", None)
            survey = None if asking is None else asyncio.ensure_future(asking())
            try:
                return await work
            finally:
                if survey is not None:
                    survey.cancel()
                    await asyncio.wait([survey])
    finally:
        work.close()  # if it was never begun
