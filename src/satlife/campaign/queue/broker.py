"""The connection to the broker: made however long it takes, and made again when it breaks."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from satlife.errors import UsageError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.js import JetStreamContext

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds between attempts to reach the broker."""

ANSWER = 10.0
"""Seconds to wait for an answer of JetStream's."""


@dataclass(frozen=True, kw_only=True)
class Access:
    """How to reach the broker, and as whom."""

    servers: tuple[str, ...]
    """nats://host:port, or tls://host:port; a cluster has several."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    credentials: str | None = None
    """A file of the kind that ``nsc`` writes."""
    authority: str | None = None
    """A file with the certificate that has signed the server's; None: those of the system."""
    role: str = "worker"
    """Answers come to ``_INBOX_user``, or to ``_INBOX_role`` where there is no user."""

    def __post_init__(self) -> None:
        if not self.servers:
            raise UsageError("say where the broker is: nats://host:4222")
        for server in self.servers:
            scheme, mark, rest = server.partition("://")
            if mark and (scheme not in ("nats", "tls", "ws", "wss") or not rest):
                raise UsageError(f"{server!r} is no broker: nats://host:4222 or tls://host:4222")

    @property
    def inbox(self) -> str:
        """The prefix of the subjects that answers come to; a user's permissions name it."""
        return f"_INBOX_{self.user or self.role}"


def nats_module() -> Any:
    """Import nats-py, or say how to get it."""
    try:
        import nats  # noqa: PLC0415  # an extra, and slow to import
    except ImportError:
        raise UsageError(
            "campaigns on many machines need nats-py: pip install 'satlife[cluster]'"
        ) from None
    return nats


async def connect(access: Access, stop: asyncio.Event | None = None) -> Client:
    """Connect, and try until it succeeds; only a refusal of who we are is an error."""
    nats = nats_module()
    said = ""
    while True:
        heard: list[Exception] = []
        options = _options(access)

        async def hear(error: Exception, heard: list[Exception] = heard) -> None:
            heard.append(error)

        attempt = asyncio.ensure_future(nats.connect(**options | {"error_cb": hear}))
        # nats-py tries again and again, or for ever, what can never succeed.
        while not attempt.done() and not _refusals(heard):
            await asyncio.wait([attempt], timeout=0.1)
            if stop is not None and stop.is_set():
                attempt.cancel()
                raise asyncio.CancelledError
        if attempt.done() and attempt.exception() is None:
            client: Client = attempt.result()
            client.options["max_reconnect_attempts"] = -1
            client._error_cb = options["error_cb"]
            return client
        if attempt.done():
            error = attempt.exception()
            if not isinstance(error, nats.errors.Error | OSError):
                raise error or AssertionError
            heard.append(error)
        attempt.cancel()
        for words in _refusals(heard):
            raise UsageError(f"the broker refuses {access.user or 'us'}: {words}")
        if str(heard[0]) != said:
            log.warning("waiting for the broker: %s", heard[0])
        said = str(heard[0])
        await asyncio.sleep(PATIENCE)


def _refusals(heard: list[Exception]) -> list[str]:
    """What no waiting can mend."""
    return [
        str(error)
        for error in heard
        if isinstance(error, ssl.SSLError) or "authorization" in repr(error).lower()
    ]


def _options(access: Access) -> dict[str, Any]:
    options: dict[str, Any] = {
        "servers": list(access.servers),
        "inbox_prefix": access.inbox,
        "allow_reconnect": True,
        "max_reconnect_attempts": 1,
        "reconnect_time_wait": 0.5,
        "connect_timeout": 5,
        # Where a machine cannot reach the broker for long, the results wait with it.
        "pending_size": 16 * 1024 * 1024,
        # A machine that is cut off finds out in half a minute, not in six.
        "ping_interval": 10,
        "max_outstanding_pings": 2,
        "error_cb": _tell("broker: %s"),
        "disconnected_cb": _tell("no connection to the broker"),
        "reconnected_cb": _tell("connected to the broker again"),
    }
    optional = {
        "user": access.user,
        "password": access.password,
        "token": access.token,
        "user_credentials": access.credentials,
    }
    options |= {name: value for name, value in optional.items() if value is not None}
    if access.authority is not None:
        try:
            options["tls"] = ssl.create_default_context(cafile=access.authority)
        except OSError as error:
            raise UsageError(f"{access.authority}: no certificate: {error}") from None
    return options


def _tell(words: str) -> Callable[..., Awaitable[None]]:
    async def tell(*error: Exception) -> None:
        if error and not str(error[0]):
            return
        log.info(words, *error)

    return tell


def jetstream(client: Client) -> JetStreamContext:
    """The JetStream of a connection."""
    return client.jetstream(timeout=ANSWER)
