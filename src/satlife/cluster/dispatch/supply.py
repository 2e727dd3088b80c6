"""Tasks from the queue for the dispatcher: pulled on request, and kept on a shelf between.

A task that a volunteer returns or loses is offered to the next, and goes back to the queue if it is
left on the shelf.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from satlife.campaign.messages import Terms
from satlife.cluster.dispatch.desk import Offer
from satlife.cluster.queue.pull import Pull, is_worn
from satlife.cluster.queue.streams import (
    LEASE_HEADER,
    TASKS,
    WORKERS,
    read_reply,
    read_task_subject,
)

log = logging.getLogger(__name__)

SHELF = 500
"""Maximum number of tasks on the shelf."""
MOST_AT_ONCE = 64
"""Maximum number of tasks pulled at once to get past unacceptable ones."""
SHELF_TIME, UNWANTED = 20.0, 1.0
"""Seconds after which an unclaimed task goes back to the queue; the shorter one if no user present
may have it."""
EMPTY = 0.5
"""Seconds for which an empty queue is not asked again, for any user."""
DEFAULT_SILENCE = 30.0

DONE, AGAIN, WORKING = b"+ACK", b"-NAK", b"+WPI"
"""Messages to the broker: the task is answered; give it to another; it is in progress."""
AWAY, LONGEST_AWAY = 1.0, 30.0
"""Seconds until a returned task is delivered again.  They double with each return, so that tasks
without an eligible user do not block those behind them."""


class _Terms(Terms, frozen=True):
    """What the dispatcher reads of a task."""

    avoid: tuple[str, ...] = ()


class Supply:
    """The queue, and the shelf beside it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._pull = Pull(client, TASKS, WORKERS)
        self._turn = asyncio.Lock()
        self._empty_until = 0.0
        self._shelf: dict[tuple[str, str, int], tuple[Offer, float]] = {}

    async def open(self) -> None:
        """Subscribe to pulled messages."""
        await self._pull.open()

    @property
    def offers(self) -> list[Offer]:
        """The tasks on the shelf."""
        return [offer for offer, _ in self._shelf.values()]

    def take(self, most: int, accepts: Callable[[Offer], bool]) -> list[Offer]:
        """Take up to ``most`` acceptable tasks from the shelf."""
        found = [offer for offer in self.offers if accepts(offer)][:most]
        for offer in found:
            del self._shelf[offer.key]
        return found

    async def pull(
        self,
        most: int,
        is_new: Callable[[Offer], bool],
        accepts: Callable[[Offer], bool],
    ) -> tuple[list[Offer], int]:
        """Pull up to ``most`` acceptable tasks from the queue; also return the number of others.

        The others, which may lie before them, go onto the shelf.
        """
        found: list[Offer] = []
        others = 0
        while len(found) < most:
            wanted = max(most - len(found), min(others, MOST_AT_ONCE))
            pulled = [offer for offer in await self._fetch(wanted) if is_new(offer)]
            mine = [offer for offer in pulled if accepts(offer)]
            taken = mine[: most - len(found)]
            found += taken
            for offer in pulled:
                if offer not in taken:
                    self.put(offer)
            if len(mine) == len(pulled):
                break
            others += len(pulled) - len(mine)
        return found, others

    async def _fetch(self, most: int) -> list[Offer]:
        """Pull up to ``most`` tasks from the queue, acceptable or not."""
        most = min(most, SHELF - len(self._shelf))
        if most <= 0:
            return []
        async with self._turn:
            if time.monotonic() < self._empty_until:
                return []
            messages = await self._pull.fetch(most, 0)
            if not messages:
                self._empty_until = time.monotonic() + EMPTY
        return [offer for message in messages if (offer := self._read(message))]

    def _read(self, message: Msg) -> Offer | None:
        try:
            campaign, name, turn = read_task_subject(message.subject)
            terms = msgspec.json.decode(message.data, type=_Terms)
            silence = float((message.headers or {}).get(LEASE_HEADER, DEFAULT_SILENCE))
        except ValueError as error:
            log.warning("not a task, on %s: %s", message.subject[:120], error)
            return None
        return Offer(campaign, name, turn, message.data, message.reply, silence, terms, terms.avoid)

    def put(self, offer: Offer) -> None:
        """Put a task on the shelf."""
        self._shelf[offer.key] = (offer, time.monotonic())

    async def tend(self, is_wanted: Callable[[Offer], bool]) -> None:
        """Return unclaimed tasks to the queue."""
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
        await self._return(self.offers, AWAY)

    async def _return(self, offers: Iterable[Offer], longest: float = LONGEST_AWAY) -> None:
        for offer in offers:
            del self._shelf[offer.key]
            await self.say(offer, AGAIN, longest)

    def withdraw(self, campaign: str, names: frozenset[str] | None) -> list[Offer]:
        """Take needless tasks from the shelf, and return them; None means all names."""
        gone = [
            offer
            for offer in self.offers
            if offer.campaign == campaign and (names is None or offer.name in names)
        ]
        for offer in gone:
            del self._shelf[offer.key]
        return gone

    async def say(self, offer: Offer, word: bytes, longest: float = AWAY) -> None:
        """Acknowledge or return a task; if that message is lost, the broker delivers it again."""
        if word == AGAIN:
            deliveries = read_reply(offer.reply).deliveries
            away = min(AWAY * 2.0 ** (deliveries - 1), longest)
            word = DONE if is_worn(deliveries) else b'%s {"delay": %d}' % (AGAIN, away * 1e9)
        with suppress(nats.errors.Error, OSError):
            await self._client.publish(offer.reply, word)
