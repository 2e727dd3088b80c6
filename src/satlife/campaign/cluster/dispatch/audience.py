"""Whom the dispatcher hears: each user has a subscription, and loses it for a while by flooding it.

Without a subscription the broker drops what the user sends; the dispatcher need not even read it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from satlife.campaign.cluster.dispatch.protocol import ask_subject, read_ask_subject

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription

log = logging.getLogger(__name__)

MUTE, LONGEST_MUTE = 10.0, 600.0
"""Seconds for which a user who floods us is not heard; it doubles each time."""

Hear = Callable[[str, str, "Msg"], Awaitable[None]]
"""Called with a user, what they want, and their message."""


class Audience:
    """The users of a list, which may change."""

    def __init__(self, users: Callable[[], frozenset[str]], hear: Hear) -> None:
        self._users = users
        self._hear = hear
        self._heard: dict[str, Subscription] = {}
        self._muted: dict[str, tuple[float, float]] = {}
        """Until when a user is not heard, and for how long that was."""
        self._leaving: set[asyncio.Task[None]] = set()

    def __contains__(self, user: object) -> bool:
        return user in self._heard or user in self._muted

    async def listen(self, client: Client) -> list[str]:
        """Listen to all users of the list who are not muted; return those who have left it."""
        users = self._users()
        now = time.monotonic()
        for user in users - self._heard.keys():
            if self._muted.get(user, (0.0, 0.0))[0] <= now:
                self._heard[user] = await client.subscribe(ask_subject(user, "*"), cb=self._take)
        gone = [user for user in self._heard if user not in users]
        for user in gone:
            await _leave(self._heard.pop(user))
        return gone

    async def _take(self, message: Msg) -> None:
        user, verb = read_ask_subject(message.subject)
        if user in self._heard:
            await self._hear(user, verb, message)

    def mute(self, user: str) -> float:
        """Do not hear a user for a while; return for how many seconds."""
        listening = self._heard.pop(user, None)
        if listening is None:
            return 0.0
        _, before = self._muted.get(user, (0.0, 0.0))
        pause = min(2 * before or MUTE, LONGEST_MUTE)
        self._muted[user] = (time.monotonic() + pause, pause)
        # In a task of its own: the one that calls us may be the one that unsubscribing cancels.
        leaving = asyncio.create_task(_leave(listening))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)
        return pause


async def _leave(listening: Subscription) -> None:
    import nats.errors  # noqa: PLC0415  # an extra

    with suppress(nats.errors.Error, OSError):
        await listening.unsubscribe()
