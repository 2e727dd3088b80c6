"""The connection to the broker: retried until it succeeds, and restored when it breaks."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import ssl
import time
from collections.abc import Awaitable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import nats
import nats.errors
from nats.aio.client import Client
from nats.js import JetStreamContext

from satlife.errors import UsageError

T = TypeVar("T")

QUIET = 60.0
"""Seconds for which the same message is not repeated."""
MOST = 100
"""Number of messages to remember."""


class Repeats:
    """Remembers recent log messages."""

    def __init__(self) -> None:
        self._logged: dict[str, float] = {}

    def is_new(self, message: object) -> bool:
        """Return whether a message should be logged now; if so, remember it."""
        now, text = time.monotonic(), str(message)
        if now - self._logged.get(text, -QUIET) < QUIET:
            return False
        if len(self._logged) >= MOST:
            self._logged.clear()
        self._logged[text] = now
        return True


async def quietly(sending: Awaitable[None]) -> None:
    """Send a message if possible; if it is lost, a lease expires or a message comes again."""
    with suppress(nats.errors.Error, OSError):
        await sending


async def heed(stop: asyncio.Event | None, work: Coroutine[Any, Any, T]) -> T:
    """Run the work; if ``stop`` is set, cancel it and the caller."""
    doing = asyncio.ensure_future(work)
    stopped = asyncio.ensure_future((stop or asyncio.Event()).wait())
    both: list[asyncio.Future[Any]] = [doing, stopped]
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise asyncio.CancelledError
        return doing.result()
    finally:
        await give_up(*both)


async def give_up(*work: asyncio.Future[Any]) -> None:
    """Cancel the work, and wait until it has ended."""
    pending = {each for each in work if not each.done()}
    while pending:
        for each in pending:
            each.cancel()
        # Repeatedly: in Python 3.11, wait_for may swallow a cancellation.
        _, pending = await asyncio.wait(pending, timeout=1.0)


log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds between attempts to reach the broker."""

ANSWER = 10.0
"""Seconds to wait for an answer from JetStream."""


@dataclass(frozen=True, kw_only=True)
class Access:
    """The address of the broker, and the credentials of a user."""

    servers: tuple[str, ...]
    """``nats://host:port`` or ``tls://host:port``; a cluster has several."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    credentials: str | None = None
    """A credentials file, as written by ``nsc``."""
    authority: str | None = None
    """A file with the certificate that signed the server's; None uses those of the system."""
    role: str = "worker"
    """Replies come to ``_INBOX_user``, or to ``_INBOX_role`` if there is no user.  That of a
    ``volunteer`` is to a dispatcher."""

    def __post_init__(self) -> None:
        if not self.servers:
            raise UsageError("no broker is given; use --nats nats://host:4222, or SATLIFE_NATS")
        for server in self.servers:
            (_check_site if self.is_volunteer else _check_server)(server)
        if self.is_volunteer and len(self.servers) > 1:
            raise UsageError("a volunteer has one server, https://host")

    @property
    def is_volunteer(self) -> bool:
        """Whether it is to a dispatcher, over HTTP, and not to a broker."""
        return self.role == "volunteer"

    def check(self) -> None:
        """Raise an error if a file is missing, or a package needed to read it."""
        for name in (self.credentials, self.authority):
            if name is not None and not Path(name).is_file():
                raise UsageError(f"{name}: no such file")
        if self.credentials is not None and importlib.util.find_spec("nkeys") is None:
            raise UsageError('a credentials file needs nkeys: pip install "nats-py[nkeys]"')

    @property
    def place(self) -> str:
        """The servers, without passwords."""
        return ", ".join(_without_password(server) for server in self.servers)

    @property
    def inbox(self) -> str:
        """The prefix of the subjects for replies, as in a user's permissions."""
        return f"_INBOX_{self.user or self.role}"


def _check_server(server: str) -> None:
    scheme, mark, rest = server.partition("://")
    shown = _without_password(server)
    wrong = f"{shown!r} is not the address of a broker; write nats://host:4222 or tls://host:4222"
    if mark and (scheme not in ("nats", "tls", "ws", "wss") or not rest):
        raise UsageError(wrong)
    try:
        parts = urlsplit(server if mark else f"nats://{server}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"{wrong} ({error})") from None
    is_word = not mark and port is None and "." not in server and server != "localhost"
    if not host or port == 0 or is_word:
        raise UsageError(wrong)


def _check_site(server: str) -> None:
    try:
        parts = urlsplit(server)
        is_right = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_right = False
    if not is_right or "@" in parts.netloc or parts.query or parts.fragment:
        shown = _without_password(server)
        raise UsageError(
            f"{shown!r} is not the URL of a campaign, https://host; a broker is --nats URL"
        )


def _without_password(server: str) -> str:
    scheme, mark, rest = server.rpartition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


class _NoTLSError(Exception):
    """TLS was requested, but the server does not offer it."""


async def disconnect(client: Client) -> None:
    """Close a connection, whatever state it is in, within a second."""
    with suppress(Exception):
        async with asyncio.timeout(1):
            await client.close()


async def connect(access: Access, stop: asyncio.Event | None = None) -> Client:
    """Connect, retrying until it succeeds; raise an error only if retrying cannot help."""
    access.check()
    repeats = Repeats()
    while True:
        errors: list[Exception] = []

        async def note(error: Exception, errors: list[Exception] = errors) -> None:
            errors.append(error)

        client = _make_client(access)
        attempt = asyncio.ensure_future(client.connect(**_options(access), error_cb=note))
        # nats-py keeps retrying, even when it can never succeed.
        try:
            while not attempt.done() and not _refusal(access, errors):
                await asyncio.wait([attempt], timeout=0.1)
                if stop is not None and stop.is_set():
                    raise asyncio.CancelledError
        except asyncio.CancelledError:
            await _abandon(client, attempt)
            raise
        if attempt.done() and attempt.exception() is None:
            client.options["max_reconnect_attempts"] = -1
            _log_events(client)
            return client
        if attempt.done():
            error = attempt.exception()
            if not isinstance(error, nats.errors.Error | OSError | _NoTLSError):
                raise error or AssertionError
            errors.append(error)
        await _abandon(client, attempt)
        if refusal := _refusal(access, errors):
            raise UsageError(refusal)
        reason = str(errors[0]) or type(errors[0]).__name__
        if repeats.is_new(reason):
            log.warning("waiting for the broker at %s (Ctrl-C ends): %s", access.place, reason)
        await _rest(stop)


async def _abandon(client: Client, attempt: asyncio.Future[None]) -> None:
    """Close the socket of an attempt that failed."""
    await give_up(attempt)
    with suppress(Exception):
        async with asyncio.timeout(1):
            await client._close(client.CLOSED, do_cbs=False)


async def _rest(stop: asyncio.Event | None) -> None:
    if stop is None:
        await asyncio.sleep(PATIENCE)
    else:
        waiting = asyncio.ensure_future(stop.wait())
        await asyncio.wait([waiting], timeout=PATIENCE)
        waiting.cancel()


def _make_client(access: Access) -> Client:
    """Return a client that sends nothing in the clear, least of all a password, if TLS is used.

    When its ``flush`` returns, the server has everything that was sent before.
    """
    client = Client()
    say_hello = client._connect_command

    def guarded() -> bytes:
        server = client._current_server
        wants = access.authority is not None or (server and server.uri.scheme in ("tls", "wss"))
        is_web = server is not None and server.uri.scheme in ("ws", "wss")
        if wants and not is_web and not client._server_info.get("tls_required"):
            raise _NoTLSError
        return say_hello()

    client._connect_command = guarded  # type: ignore[method-assign]  # nats-py has no hook for it
    ping = client.flush

    async def flush(timeout: int = 10) -> None:
        # The ping of nats-py overtakes what is still to be written; a second one does not.
        await ping(timeout)
        await ping(timeout)

    client.flush = flush  # type: ignore[method-assign]
    return client


def _refusal(access: Access, errors: list[Exception]) -> str:
    """Return the reason why retrying cannot help."""
    who = access.user or "us"
    for error in errors:
        if isinstance(error, _NoTLSError):
            return f"the broker at {access.place} does not use TLS; write nats://, without --ca"
        if isinstance(error, ssl.SSLError):
            return f"the broker refuses {who}: {error}"
        if "authorization" in repr(error).lower():
            known = (access.user, access.token, access.credentials)
            if any(known) or any("@" in server for server in access.servers):
                return f"the broker refuses {who}: wrong user or password ({error})"
            return f"the broker refuses {who}: it needs --user and SATLIFE_NATS_PASSWORD ({error})"
    return ""


def _options(access: Access) -> dict[str, Any]:
    options: dict[str, Any] = {
        "servers": list(access.servers),
        "inbox_prefix": access.inbox,
        "allow_reconnect": True,
        "max_reconnect_attempts": 1,
        "reconnect_time_wait": 0.5,
        "connect_timeout": 5,
        # Results wait here while the broker is unreachable.
        "pending_size": 16 * 1024 * 1024,
        # A lost connection is noticed within half a minute; the default is six minutes.
        "ping_interval": 10,
        "max_outstanding_pings": 2,
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
            raise UsageError(f"{access.authority}: not a certificate: {error}") from None
    return options


def _log_events(client: Client) -> None:
    """Log the events of the connection, except our own closing of it."""
    repeats = Repeats()

    async def on_error(error: Exception) -> None:
        if str(error) and not client.is_closed and repeats.is_new(error):
            log.info("broker: %s", error)

    async def on_loss() -> None:
        if not client.is_closed:
            log.info("no connection to the broker")

    async def on_return() -> None:
        log.info("connected to the broker again")

    client._error_cb = on_error
    client._disconnected_cb = on_loss
    client._reconnected_cb = on_return


def jetstream(client: Client) -> JetStreamContext:
    """Return the JetStream context of a connection."""
    return client.jetstream(timeout=ANSWER)
