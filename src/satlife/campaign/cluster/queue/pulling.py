"""Pull messages from a stream: those that are there, or else the first that comes.

We do not use ``fetch`` of nats-py: it waits for the whole batch or the whole timeout.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

ANSWER = 2.0
"""Seconds for the server to say that there is nothing."""
REFUSED = 1.0
"""Seconds to wait if the server refuses the request."""
_STATUS = "Status"


class Pull:
    """A consumer's messages for one client; one request at a time."""

    def __init__(
        self, client: Client, stream: str, consumer: str, subject: str | None = None
    ) -> None:
        """Send requests to ``subject`` if JetStream's own subject cannot be used."""
        self._client = client
        self._subject = subject or f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._inbox = client.new_inbox()
        self._come: asyncio.Queue[Msg] = asyncio.Queue()
        self._requests = 0

    async def open(self) -> None:
        """Subscribe to the answers."""

        async def take(message: Msg) -> None:
            self._come.put_nowait(message)

        self._listening = await self._client.subscribe(f"{self._inbox}.*", cb=take)

    async def fetch(self, most: int, timeout: float) -> list[Msg]:
        """Return the messages that are there; if there are none, wait for one."""
        found = await self._ask({"batch": most, "no_wait": True}, most, ANSWER)
        if found or timeout <= 0:
            return found
        begun = time.monotonic()
        nanoseconds = int(timeout * 1e9)
        found = await self._ask({"batch": 1, "expires": nanoseconds}, 1, timeout + ANSWER / 4)
        if not found and time.monotonic() - begun < timeout / 2:
            # Refused at once: no stream yet, no leader, too many that wait.
            await asyncio.sleep(min(REFUSED, timeout / 2))
        return found

    async def _ask(self, request: dict[str, object], most: int, timeout: float) -> list[Msg]:
        self._requests += 1
        reply = f"{self._inbox}.{self._requests}"
        await self._client.publish(self._subject, msgspec.json.encode(request), reply)
        end = time.monotonic() + timeout
        found: list[Msg] = []
        # A late message for an earlier request is welcome too.
        while len(found) < most:
            try:
                message = self._come.get_nowait()
            except asyncio.QueueEmpty:
                # Not wait_for: in Python 3.11 it may swallow a cancellation.
                try:
                    async with asyncio.timeout(max(end - time.monotonic(), 0.001)):
                        message = await self._come.get()
                except TimeoutError:
                    break
            if not (message.headers and _STATUS in message.headers) or message.data:
                found.append(message)
            elif message.subject == reply:
                break
        return found
