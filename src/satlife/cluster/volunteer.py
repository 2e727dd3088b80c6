"""Tasks leased from a dispatcher over HTTPS, for workers that the operator need not trust.

Every request bears the user's name and password.  A connection is kept open, answers that wait for
it go together, and everything here is the standard library's.
"""

from __future__ import annotations

import asyncio
import base64
import http.client
import logging
import queue
import secrets
import ssl
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from satlife._version import __version__
from satlife.campaign.messages import LARGEST_MESSAGE, AnyResult, decode_task
from satlife.cluster import protocol
from satlife.cluster.patient_ledger import in_thread
from satlife.cluster.protocol import (
    MOST_ANSWERS,
    LeaseAnswer,
    LeaseAnswers,
    Leased,
    LeaseList,
    LeaseRequest,
    Reply,
)
from satlife.cluster.queue import Access
from satlife.cluster.queue.broker import Repeats
from satlife.cluster.queue.proofs import PART
from satlife.cluster.source import (
    BusyError,
    HeldTask,
    TooLateError,
    Withdraw,
    make_answer,
)
from satlife.errors import FormatError, UsageError

log = logging.getLogger(__name__)

ANSWER = 20.0
"""Seconds to wait for the dispatcher."""
LONGEST_WAIT = 60.0
"""Maximum seconds to wait before asking again, whatever the dispatcher says."""
RETRY = 5.0
"""Seconds to wait after an error of a server that does not say how long."""
HERE = ("127.0.0.1", "::1", "localhost")
"""Hosts to which a password may go without TLS."""


class Door:
    """HTTP to one server; every call blocks."""

    def __init__(self, access: Access) -> None:
        (url,) = access.servers
        parts = urlsplit(url)
        self.host = parts.hostname or ""
        self.prefix = parts.path.rstrip("/")
        self._tls: ssl.SSLContext | None = None
        if parts.scheme == "https":
            try:
                self._tls = ssl.create_default_context(cafile=access.authority)
            except OSError as error:
                raise UsageError(f"{access.authority}: not a certificate: {error}") from None
        elif self.host not in HERE:
            raise UsageError(f"{url}: write https://; a password does not travel in the clear")
        self._port = parts.port
        secret = f"{access.user}:{access.password or ''}".encode()
        self._headers = {
            "authorization": f"Basic {base64.b64encode(secret).decode()}",
            "user-agent": f"satlife/{__version__}",
        }
        self._idle: queue.SimpleQueue[http.client.HTTPConnection] = queue.SimpleQueue()
        self._is_closed = False
        self._is_known = False
        """Whether a dispatcher has answered: then what is wrong now may pass."""

    def ask(self, method: str, path: str, body: bytes, patience: float) -> Reply:
        """Send a request; return its reply, or one that says how the server refused it.

        Without a reply, whatever the reason, raise ``ConnectionError``; only while there has been
        none at all, ``UsageError`` says that the address or the authority must be wrong.
        """
        while True:
            try:
                connection, is_used = self._idle.get_nowait(), True
            except queue.Empty:
                connection, is_used = self._connect(), False
            connection.timeout = patience
            if connection.sock is not None:
                connection.sock.settimeout(patience)
            try:
                connection.request(method, self.prefix + path, body, self._headers)
                response = connection.getresponse()
                text = response.read(protocol.LARGEST_BODY + 1)
            except (http.client.HTTPException, OSError) as error:
                connection.close()
                if is_used and not isinstance(error, TimeoutError):
                    continue  # the server has closed it meanwhile
                words = str(error) or type(error).__name__
                if isinstance(error, ssl.SSLCertVerificationError):
                    words = f"{error.verify_message}; --ca names its authority"
                    if not self._is_known:
                        raise UsageError(f"{self.host}: {words}") from None
                raise ConnectionError(f"{self.host}: {words}") from None
            if response.will_close:
                connection.close()
            else:
                self._idle.put(connection)
            if self._is_closed:
                self.close()
            try:
                reply = _read(response, text)
            except FormatError as error:
                if not self._is_known:
                    raise
                raise ConnectionError(f"{self.host}: {error}") from None
            self._is_known = True
            return reply

    def _connect(self) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(self.host, self._port)
        return http.client.HTTPSConnection(self.host, self._port, context=self._tls)

    def close(self) -> None:
        """Close the connections, those in use after their replies."""
        self._is_closed = True
        with suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()


def _read(response: http.client.HTTPResponse, text: bytes) -> Reply:
    """Return a reply; what is not from our dispatcher, but from a proxy, is a refusal for now."""
    try:
        reply = protocol.read(text, Reply, "a reply of the dispatcher", protocol.LARGEST_BODY)
    except FormatError:
        if response.status == 200:
            raise
        return Reply(refused=f"status {response.status} of its server", wait=RETRY)
    is_later = response.status in (408, 429) or response.status >= 500
    if response.status != 200 and not reply.wait and is_later:
        return Reply(refused=reply.refused or f"status {response.status}", wait=RETRY)
    return reply


class VolunteerSource:
    """A source that leases tasks from a dispatcher."""

    def __init__(self, access: Access, name: str) -> None:
        self._door = Door(access)
        self._name = name
        self._user = access.user
        self._repeats = Repeats()
        self._waiting: deque[tuple[LeaseAnswer, asyncio.Future[Reply]]] = deque()
        """Answers to send."""
        self._sending: asyncio.Future[None] | None = None
        self._request = ""
        """The name of the last request for tasks, if it has no reply yet."""
        self.is_connected = False
        """Whether the last request was answered."""

    async def open(self, withdraw: Withdraw, stop: asyncio.Event) -> None:
        """Do nothing: requests connect, and withdrawals arrive in the replies to :meth:`keep`."""

    async def close(self) -> None:
        """Close the connections."""
        if self._sending is not None:
            self._sending.cancel()
        self._door.close()

    async def fetch(self, most: int, timeout: float) -> list[HeldTask]:
        """Return tasks; if there are none, wait as long as the dispatcher says."""
        # Under the same name until a reply comes: what was given in a lost one is given again.
        self._request = self._request or secrets.token_hex(8)
        request = LeaseRequest(worker=self._name, most=most, request=self._request)
        reply = await self._ask("lease", protocol.write(request))
        if not reply.refused:
            self._request = ""
        if reply.refused and not reply.wait:
            raise UsageError(f"the dispatcher refuses {self._user}: {reply.refused}")
        if reply.refused and self._repeats.is_new(reply.refused):
            log.info("no tasks: %s", reply.refused)
        held = [one for leased in reply.leases if (one := await self._read(leased))]
        if not held:
            await asyncio.sleep(min(reply.wait, LONGEST_WAIT))
        return held

    async def _read(self, leased: Leased) -> HeldTask | None:
        try:
            task = decode_task(bytes(leased.task))
        except FormatError as error:
            log.warning("%s", error)
            await self._list("back", [leased.lease])
            return None
        return HeldTask(leased.campaign, task, leased.silence, leased.lease)

    async def keep(self, held: Sequence[HeldTask]) -> list[HeldTask]:
        """Renew the leases of work in progress; return those that are lost."""
        if not held:
            return []
        # A dispatcher that dies does not answer; the next one must hear from us in time.
        patience = min(ANSWER, *(one.lease / 3 for one in held))
        reply = await self._list("keep", [one.handle for one in held], patience)
        return [one for one in held if one.handle in reply.over]

    async def answer(self, held: HeldTask, result: AnyResult, proof: Path | None) -> None:
        """Upload the proof if there is one, and send the result."""
        text = await make_answer(held, result, proof, partial(self._upload, held, result))
        answer = LeaseAnswer(lease=held.handle, result=msgspec.Raw(text), uploaded=held.is_uploaded)
        replied: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((answer, replied))
        if self._sending is None or self._sending.done():
            self._sending = asyncio.ensure_future(self._send())
        reply = await replied
        if reply.lost:
            held.stored, held.is_uploaded = None, False
        self._check(reply)

    async def _send(self) -> None:
        """Send the answers that wait, as many at once as a request may have."""
        while self._waiting:
            some, size = [self._waiting.popleft()], 0
            while self._waiting and len(some) < MOST_ANSWERS:
                size += len(bytes(some[-1][0].result)) + 200
                if size + len(bytes(self._waiting[0][0].result)) > LARGEST_MESSAGE // 2:
                    break
                some.append(self._waiting.popleft())
            text = protocol.write(LeaseAnswers(answers=tuple(answer for answer, _ in some)))
            try:
                reply = await self._ask("answer", text)
                replies = reply.answers if not reply.refused else (reply,) * len(some)
                if len(replies) != len(some):
                    raise FormatError("a reply of the dispatcher for other answers")
            except BaseException as error:
                for _, replied in some:
                    if not replied.done():
                        replied.set_exception(ConnectionError(str(error) or type(error).__name__))
                if isinstance(error, asyncio.CancelledError):
                    raise
                continue
            for (_, replied), each in zip(some, replies, strict=True):
                if not replied.done():
                    replied.set_result(each)

    async def _upload(self, held: HeldTask, result: AnyResult, proof: Path) -> AnyResult:
        with proof.open("rb") as file:
            number = 0
            while part := file.read(PART):
                verb = f"proof/{held.handle}/{number}"
                self._check(await self._ask(verb, part, method="PUT"))
                number += 1
        return result

    def _check(self, reply: Reply) -> None:
        if reply.refused and reply.wait:
            raise BusyError(reply.refused)
        if reply.refused:
            raise TooLateError(reply.refused)

    async def drop(self, held: HeldTask) -> None:
        """Do nothing: the dispatcher knows."""

    async def give_back(self, held: Sequence[HeldTask], delay: float = 0.0) -> None:
        """Return leases; the dispatcher decides who gets them, and when."""
        if held:
            await self._list("back", [one.handle for one in held])

    async def _list(self, verb: str, leases: Sequence[str], patience: float = ANSWER) -> Reply:
        text = protocol.write(LeaseList(leases=tuple(leases)))
        return await self._ask(verb, text, patience=patience)

    async def _ask(
        self, verb: str, text: bytes, method: str = "POST", patience: float = ANSWER
    ) -> Reply:
        try:
            reply = await in_thread(self._door.ask, method, protocol.path(verb), text, patience)
        except (OSError, UsageError):
            self.is_connected = False
            raise
        self.is_connected = True
        return reply
