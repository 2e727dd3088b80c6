"""What every HTTP server of ours needs: no client may be slow, or send much, for ever."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from uvicorn.protocols.http.h11_impl import H11Protocol

LOITER: Final = 15.0
"""Maximum seconds that a connection may take to send the head of a request."""


class PatientProtocol(H11Protocol):
    """HTTP that closes a connection whose request stays incomplete."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start to wait for the first request."""
        super().connection_made(transport)
        self._timer = self.loop.call_later(LOITER, self._lose_patience)

    def data_received(self, data: bytes) -> None:
        """Wait from the first byte of a request until its head is whole."""
        super().data_received(data)
        if self._is_busy():
            self._stop_waiting()
        elif self._timer is None:
            self._timer = self.loop.call_later(LOITER, self._lose_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _lose_patience(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()


def read_number(text: str) -> int | None:
    """Read a whole number from a request; None if it is none. What has more digits is large.

    >>> read_number("12"), read_number("-1"), read_number("9" * 5000) == 10**18 - 1
    (12, None, True)
    """
    return int(text[:18]) if text.isascii() and text.isdecimal() else None


def hash_password(password: str) -> str:
    """Return what is kept of a password that we have made: random, and long.

    >>> hash_password("secret")[:8]
    '2bb80d53'
    """
    return hashlib.sha256(password.encode()).hexdigest()


async def read_bytes(request: Request, *, most: int, patience: float) -> bytes:
    """Read a body; an invalid one raises an error with its status code."""
    length = request.headers.get("content-length", "0")
    if (size := read_number(length)) is None or size > most:
        raise HTTPException(413, f"a request has at most {most:,} bytes")
    body = bytearray()
    try:
        async with asyncio.timeout(patience):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise HTTPException(413, f"a request has at most {most:,} bytes")
    except TimeoutError:
        raise HTTPException(408, "the request took too long to arrive") from None
    except ClientDisconnect:
        raise HTTPException(400, "the request ended early") from None
    return bytes(body)
