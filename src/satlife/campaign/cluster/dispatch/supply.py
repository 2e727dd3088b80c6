"""Tasks from the queue for the dispatcher: pulled when somebody asks, and kept on a shelf between.

What a volunteer returns or loses is offered to the next, and goes back to the queue only when
nobody has come for it: a return to the queue counts as a failed delivery there, and a task with too
many of those is given up.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from satlife.campaign.cluster.dispatch.desk import Offer
from satlife.campaign.cluster.queue.names import (
    LEASE_HEADER,
    TASKS,
    WORKERS,
    read_task_subject,
)
from satlife.campaign.cluster.queue.pulling import Pull

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

log = logging.getLogger(__name__)

SHELF = 500
"""Most tasks on the shelf."""
SHELF_TIME, UNWANTED = 20.0, 1.0
"""Seconds after which a task that nobody comes for goes back to the queue; if nobody is there who
may have it, sooner."""
DEFAULT_SILENCE = 30.0

DONE, AGAIN, WORKING = b"+ACK", b'-NAK {"delay": 1000000000}', b"+WPI"
"""Words to the broker: the task is answered; give it to somebody in a second; it is in work."""


class _Glance(msgspec.Struct):
    """The part of a task that the dispatcher looks at."""

    quorum: int = 1
    prove: bool = False


class Supply:
    """The queue, and the shelf beside it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._pull = Pull(client, TASKS, WORKERS)
        self._turn = asyncio.Lock()
        self._shelf: dict[tuple[str, str, int], tuple[Offer, float]] = {}

    async def open(self) -> None:
        """Subscribe to what will be pulled."""
        await self._pull.open()

    @property
    def offers(self) -> list[Offer]:
        """The tasks on the shelf."""
        return [offer for offer, _ in self._shelf.values()]

    def take(self, most: int, accepts: Callable[[Offer], bool]) -> list[Offer]:
        """Take up to so many acceptable tasks from the shelf."""
        found = [offer for offer in self.offers if accepts(offer)][:most]
        for offer in found:
            del self._shelf[offer.key]
        return found

    async def pull(self, most: int) -> list[Offer]:
        """Pull up to so many tasks from the queue, whoever may have them."""
        most = min(most, SHELF - len(self._shelf))
        if most <= 0:
            return []
        async with self._turn:
            messages = await self._pull.fetch(most, 0)
        return [offer for message in messages if (offer := self._read(message))]

    def _read(self, message: Msg) -> Offer | None:
        try:
            campaign, name, turn = read_task_subject(message.subject)
            glance = msgspec.json.decode(message.data, type=_Glance)
            silence = float((message.headers or {}).get(LEASE_HEADER, DEFAULT_SILENCE))
        except ValueError as error:
            log.warning("not a task, on %s: %s", message.subject[:120], error)
            return None
        about = glance.quorum, glance.prove
        return Offer(campaign, name, turn, message.data, message.reply, silence, *about)

    def put(self, offer: Offer) -> None:
        """Put a task on the shelf."""
        self._shelf[offer.key] = (offer, time.monotonic())

    async def tend(self, is_wanted: Callable[[Offer], bool]) -> None:
        """Return to the queue what nobody has come for."""
        now = time.monotonic()
        await self._return(
            [
                offer
                for offer, since in self._shelf.values()
                if now - since > SHELF_TIME or (now - since > UNWANTED and not is_wanted(offer))
            ]
        )

    async def close(self) -> None:
        """Return everything to the queue."""
        await self._return(self.offers)

    async def _return(self, offers: Iterable[Offer]) -> None:
        for offer in offers:
            del self._shelf[offer.key]
            await self.say(offer, AGAIN)

    def withdraw(self, campaign: str, names: frozenset[str] | None) -> list[Offer]:
        """Take tasks that are not needed any more from the shelf, and return them; None is all."""
        gone = [
            offer
            for offer in self.offers
            if offer.campaign == campaign and (names is None or offer.name in names)
        ]
        for offer in gone:
            del self._shelf[offer.key]
        return gone

    async def say(self, offer: Offer, word: bytes) -> None:
        """Acknowledge or return a task; if that message is lost, the broker delivers it again."""
        import nats.errors  # noqa: PLC0415  # an extra

        with suppress(nats.errors.Error, OSError):
            await self._client.publish(offer.reply, word)
