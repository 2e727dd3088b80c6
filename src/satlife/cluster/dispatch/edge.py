"""The public edge: volunteers ask the dispatcher over HTTP, and never see the broker.

Before a request is read, it is counted: there is a limit on connections, in all and from each
address, on wrong passwords from each address, and on requests of each user.  The size and the time
of a request are limited, too.  TLS is handled here, after a connection is counted, or by a proxy in
front.  The page
:doc:`/reference/volunteers` describes the requests.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import logging
import socket
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import uvicorn
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from satlife.cluster import protocol
from satlife.cluster.dispatch.addresses import HERE, Proxies, name_address
from satlife.cluster.dispatch.desk import Bucket
from satlife.cluster.dispatch.dispatcher import Dispatcher
from satlife.cluster.protocol import LARGEST_BODY, PROTOCOL, Reply
from satlife.cluster.queue.broker import Repeats, give_up
from satlife.cluster.queue.proofs import PART
from satlife.errors import UsageError
from satlife.serving import PatientProtocol, hash_password, read_bytes, read_number

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

VERBS: Final = ("lease", "keep", "answer", "back")
"""Requests whose body is JSON; the others are parts of proofs."""
PATIENCE: Final = 30.0
"""Maximum seconds in which a body comes, and in which a reply is taken."""
MOST_READ: Final = 8
"""Requests of a user whose content is read, and in memory, at the same time."""
WRONG: Final = 20.0
"""Wrong passwords of an address at once; with more than one each second, it is told to wait."""
MOST_ADDRESSES: Final = 10_000
"""Addresses whose wrong passwords are remembered."""
HANDSHAKE: Final = 5.0
"""Maximum seconds for the TLS handshake."""
OTHER_FILES: Final = 100
"""Open files that are not connections of volunteers."""
FAILED: Final = 30.0
"""Seconds to wait after an error of our own."""
_NOBODY: Final = "0" * 64


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of the whole server."""

    connections: int = 8000
    from_address: int = 200
    """Connections from one address; a proxy, which is trusted, may have all of them."""
    proxies: Proxies = HERE
    """Those whose word counts for the addresses of their clients."""


class Edge:
    """An ASGI application that passes the requests of known users on."""

    def __init__(self, dispatcher: Dispatcher, proxies: Proxies) -> None:
        self._dispatcher = dispatcher
        self._proxies = proxies
        self._wrong: OrderedDict[str, Bucket] = OrderedDict()
        self._repeats = Repeats()
        self._readers: dict[tuple[str, bool], asyncio.Semaphore] = {}
        """Of each user; one more for ``keep``, which must not wait for slow uploads."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        try:
            reply, status = await self._answer(request), 200
        except HTTPException as error:
            wait = float((error.headers or {}).get("retry-after", 0))
            reply, status = Reply(refused=error.detail, wait=wait), error.status_code
        except Exception as error:
            if self._repeats.is_new(type(error).__name__):
                log.exception("a request failed")
            reply, status = Reply(refused="the dispatcher has failed", wait=FAILED), 500
        headers = {"retry-after": f"{reply.wait:.0f}"} if status != 200 and reply.wait else {}
        if status == 401:
            headers["www-authenticate"] = 'Basic realm="satlife"'
        if status != 200:  # its body may not have been read
            headers["connection"] = "close"
        response = Response(protocol.write(reply), status, headers, "application/json")
        async with asyncio.timeout(PATIENCE):
            await response(scope, receive, send)

    async def _answer(self, request: Request) -> Reply:
        version, _, rest = request.scope["path"].strip("/").partition("/")
        if not version.removeprefix("v").isdecimal():
            raise HTTPException(404, "this is the dispatcher of a campaign: see satlife worker")
        user = self._identify(request)
        if wait := self._dispatcher.spend(user):
            raise _refuse(429, "you send too many requests", wait)
        if version != f"v{PROTOCOL}":
            words = f"the dispatcher speaks version {PROTOCOL} of its protocol"
            self._dispatcher.refuse(user, words)
            advice = "install the version that the operator names"
            raise HTTPException(426, f"{words}, and your satlife version {version[1:10]}; {advice}")
        line = user, rest == "keep"
        async with self._readers.setdefault(line, asyncio.Semaphore(MOST_READ)):
            return await self._pass_on(request, user, rest)

    async def _pass_on(self, request: Request, user: str, rest: str) -> Reply:
        """Read a request of a user, and have it answered."""
        verb, *more = rest.split("/")
        if request.method == "POST" and verb in VERBS and not more:
            body = await read_bytes(request, most=LARGEST_BODY, patience=PATIENCE)
            return await self._dispatcher.ask(user, verb, body)
        number = read_number(more[1]) if len(more) == 2 else None
        if request.method == "PUT" and verb == "proof" and number is not None:
            part = await read_bytes(request, most=PART, patience=PATIENCE)
            return await self._dispatcher.ask(user, verb, more[0], number, part)
        # The log says less: it has what is repeated only once, and the path can be anything.
        self._dispatcher.refuse(user, "there is no such request")
        raise HTTPException(404, f"there is no request {request.method} {rest[:40]!r}")

    def _identify(self, request: Request) -> str:
        """Return the user who has the password; an address with many wrong ones must wait.

        The right one is let in at once: others may share the address of whoever guesses.
        """
        scheme, _, text = request.headers.get("authorization", "").partition(" ")
        user = password = ""
        with suppress(ValueError, binascii.Error):
            if scheme.lower() == "basic":
                user, _, password = base64.b64decode(text, validate=True).decode().partition(":")
        known = self._dispatcher.users().get(user, _NOBODY)
        if hmac.compare_digest(hash_password(password), known):
            return user
        peer = request.client.host if request.client else ""
        forwarded = ",".join(request.headers.getlist("x-forwarded-for"))
        address = self._proxies.find_client(peer, forwarded)
        wrong = self._wrong.setdefault(address, Bucket(1.0, WRONG))
        self._wrong.move_to_end(address)
        if len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)
        if not wrong.spend(1, time.monotonic()):
            raise _refuse(429, "too many wrong passwords", 10)
        raise HTTPException(401, "wrong user or password")


def _refuse(status: int, words: str, wait: float) -> HTTPException:
    return HTTPException(status, words, {"retry-after": f"{wait:.0f}"})


class _Connection(PatientProtocol):
    """HTTP that tells when it has ended."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.ended = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.ended.set()


class _Server(uvicorn.Server):
    """A server that counts connections before their TLS handshake.

    uvicorn's own, and asyncio's, know nothing of a connection until its handshake is done.
    """

    def __init__(self, config: uvicorn.Config, listener: socket.socket, limits: Limits) -> None:
        super().__init__(config)
        self._listener = listener
        self._limits = limits
        self._open: set[asyncio.Task[None]] = set()
        """A task for each connection."""
        self._from: Counter[str] = Counter()
        """Connections by address."""
        self._repeats = Repeats()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none: signals are the command's."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start without a socket: connections are accepted below."""
        await super().startup(sockets=[])

    async def main_loop(self) -> None:
        """Accept connections until the end."""
        accepting = asyncio.ensure_future(self._accept())
        try:
            await super().main_loop()
        finally:
            await give_up(accepting)
            self._listener.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections."""
        await super().shutdown(sockets=[])
        await give_up(*self._open)

    async def _accept(self) -> None:
        """Accept connections, and close those beyond the limits at once."""
        loop = asyncio.get_running_loop()
        self._listener.setblocking(False)
        while True:
            try:
                one, (host, *_) = await loop.sock_accept(self._listener)
            except ConnectionAbortedError:  # its client has gone already
                continue
            except OSError as error:  # too many open files, say
                if self._repeats.is_new(error):
                    log.warning("no connection can be accepted: %s", error)
                await asyncio.sleep(1)
                continue
            address = name_address(host)
            is_many = self._from[address] >= self._limits.from_address
            if len(self._open) >= self._limits.connections or (
                is_many and not self._limits.proxies.has(host)
            ):
                one.close()
            else:
                opened = asyncio.create_task(self._attend(one, address))
                self._open.add(opened)
                opened.add_done_callback(self._open.discard)
            await asyncio.sleep(0)  # sock_accept lets nobody else run while connections wait for it

    async def _attend(self, one: socket.socket, address: str) -> None:
        """Speak HTTP on a connection until it ends."""
        loop, config = asyncio.get_running_loop(), self.config
        self._from[address] += 1
        try:
            with suppress(OSError):  # of the handshake
                _, connection = await loop.connect_accepted_socket(
                    lambda: _Connection(config, self.server_state, self.lifespan.state, loop),
                    one,
                    ssl=config.ssl,
                    ssl_handshake_timeout=HANDSHAKE if config.ssl else None,
                )
                await connection.ended.wait()
        finally:
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]


def listen(host: str, port: int) -> socket.socket:
    """Listen on an address; raise an error if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise UsageError(f"{host}:{port} cannot be used: {error.strerror}") from None
    return listener


def allow_files(wanted: int) -> int:
    """Let this process open so many files if it may; return how many it can."""
    if sys.platform == "win32":  # which has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else soft


async def serve(
    dispatcher: Dispatcher,
    listener: socket.socket,
    limits: Limits | None = None,
    tls: tuple[str, str] | None = None,
) -> None:
    """Run a dispatcher with its edge until it is stopped; ``tls`` is a certificate and its key."""
    limits = limits or Limits()
    certificate, key = tls or (None, None)
    config = uvicorn.Config(
        Edge(dispatcher, limits.proxies),
        http=_Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16_384,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )
    try:
        config.load()
    except OSError as error:
        raise UsageError(f"{certificate}, {key}: not a certificate and its key: {error}") from None
    files = allow_files(limits.connections + OTHER_FILES)
    if files < limits.connections + OTHER_FILES:
        limits = replace(limits, connections=max(1, files - OTHER_FILES))
        words = "at most %d connections: this process may have %d open files"
        log.warning(words, limits.connections, files)
    server = _Server(config, listener, limits)
    serving = asyncio.ensure_future(server.serve())
    running = asyncio.ensure_future(dispatcher.run())
    try:
        await asyncio.wait((serving, running), return_when=asyncio.FIRST_COMPLETED)
        dispatcher.stop()  # if the server has failed, nobody could come
        await running
    finally:
        server.should_exit = True
        with suppress(TimeoutError):
            async with asyncio.timeout(3):
                await serving
        await give_up(serving, running)
