"""Pull messages from a stream: those available, or else the first that comes.

We do not use ``fetch`` of nats-py: it waits for the whole batch or the whole timeout.
"""

from __future__ import annotations

import asyncio
import time

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg

ANSWER = 2.0
"""Seconds for the server's answer to arrive, beyond the time that it may wait."""
AT_ONCE = 0.05
"""Seconds for which the server may look for available messages."""
REFUSED = 1.0
"""Seconds to wait if the server refuses the request."""
MOST_DELIVERIES = 25
"""A task delivered more often without an answer may be what kills the workers."""


class Pull:
    """A consumer's messages for one client; one request at a time."""

    def __init__(
        self, client: Client, stream: str, consumer: str, subject: str | None = None
    ) -> None:
        """Send requests to ``subject`` if JetStream's own subject cannot be used."""
        self._client = client
        self._subject = subject or f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._inbox = client.new_inbox()
        self._received: asyncio.Queue[Msg] = asyncio.Queue()
        self._requests = 0

    async def open(self) -> None:
        """Subscribe to the answers."""

        async def take(message: Msg) -> None:
            self._received.put_nowait(message)

        await self._client.subscribe(f"{self._inbox}.*", cb=take)

    async def fetch(self, most: int, timeout: float) -> list[Msg]:
        """Return the available messages; if there are none, wait for one.

        Only one: the server prefers a client that waits for several, and others would starve.
        """
        found = await self._ask(most, AT_ONCE)
        if found or timeout <= 0:
            return found
        begun = time.monotonic()
        found = await self._ask(1, timeout)
        if not found and time.monotonic() - begun < timeout / 2:
            # Refused at once: no stream yet, no leader, or too many waiting requests.
            await asyncio.sleep(min(REFUSED, timeout / 2))
        return found

    async def _ask(self, most: int, wait: float) -> list[Msg]:
        """Return messages, as soon as there are any.

        The request always expires.  One with only "no_wait" is never answered if the server
        believes that a message is left which has just been acknowledged (2.9.10).
        """
        self._requests += 1
        reply = f"{self._inbox}.{self._requests}"
        request = {"batch": most, "no_wait": True, "expires": int(wait * 1e9)}
        await self._client.publish(self._subject, msgspec.json.encode(request), reply)
        end = time.monotonic() + wait + ANSWER
        found: list[Msg] = []
        # A late message for an earlier request is welcome too.
        while len(found) < most:
            try:
                message = self._received.get_nowait()
            except asyncio.QueueEmpty:
                # Not wait_for: in Python 3.11 it may swallow a cancellation.
                try:
                    async with asyncio.timeout(max(end - time.monotonic(), 0.001)):
                        message = await self._received.get()
                except TimeoutError:
                    break
            if not (message.headers and "Status" in message.headers) or message.data:
                found.append(message)
            elif message.subject == reply:
                break
        return found


def is_worn(deliveries: int) -> bool:
    """Whether a message should leave the queue instead of being returned, and be published anew.

    The broker counts deliveries, and a return counts like a death.  So a task that was delivered
    often is acknowledged instead of returned: the recorder misses it and publishes it again, with a
    new count.  Only a task whose last dozen workers have all died then reaches
    :data:`MOST_DELIVERIES`.
    """
    return deliveries > MOST_DELIVERIES // 2
