"""A small HTTP server for a program that runs for weeks: ``/metrics``, ``/healthz``, ``/readyz``.

It answers only GET and HEAD, and is for a private network: it has no authentication and no TLS.

- ``/healthz`` shows that the event loop runs; a process that does not answer should be restarted.
- ``/readyz`` shows whether broker and ledger are reachable; if not, a restart would not help.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from satlife._version import __version__
from satlife.cluster.operating.exposition import (
    CONTENT_TYPE,
    counter,
    gauge,
    import_prometheus,
    write,
)
from satlife.cluster.operating.logs import LOGGER
from satlife.errors import UsageError

if TYPE_CHECKING:
    from prometheus_client.core import Metric


LOCAL: Final = "127.0.0.1"
PATIENCE: Final = 5.0
"""Seconds for a request to arrive, and for its response to be sent."""
LONGEST: Final = 8192
"""Maximum size of a request, in bytes."""
MOST: Final = 32
"""Maximum number of requests at a time; others are turned away."""

_JSON: Final = "application/json"
_TEXT: Final = "text/plain; charset=utf-8"


class Address(NamedTuple):
    """A host and port to listen on."""

    host: str
    port: int


def read_address(text: str) -> Address:
    """Return an address; a port alone means this machine only.

    >>> read_address("9300"), read_address("0.0.0.0:9300"), read_address("[::1]:9300").host
    (Address(host='127.0.0.1', port=9300), Address(host='0.0.0.0', port=9300), '::1')
    """
    host, _, port = text.strip().rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or LOCAL
    is_port = port.isascii() and port.isdecimal() and len(port) <= 5 and int(port) < 65536
    if not is_port or any(letter in host for letter in " /@[]"):
        raise UsageError(f"{text!r} is not a place to listen at; write 9300 or 127.0.0.1:9300")
    return Address(host, int(port))


class Watched(Protocol):
    """The interface of a monitored program."""

    def metrics(self) -> Iterable[Metric]:
        """Return the current metrics."""

    def lacks(self) -> Mapping[str, str]:
        """Return the unreachable parts, each with the reason; empty if all is well."""


@dataclass(frozen=True)
class _Answer:
    status: HTTPStatus
    body: str
    kind: str = _TEXT

    def encode(self, *, is_head: bool) -> bytes:
        body = self.body.encode()
        head = (
            f"HTTP/1.1 {self.status.value} {self.status.phrase}\r\n"
            f"Content-Type: {self.kind}\r\nContent-Length: {len(body)}\r\n"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
            "Connection: close\r\n\r\n"
        )
        return head.encode() + (b"" if is_head else body)


def _metrics(watched: Watched) -> _Answer:
    return _Answer(HTTPStatus.OK, write(watched.metrics()), CONTENT_TYPE)


def _health(_: Watched) -> _Answer:
    return _Answer(HTTPStatus.OK, '{"alive": true}\n', _JSON)


def _readiness(watched: Watched) -> _Answer:
    lacks = dict(watched.lacks())
    status = HTTPStatus.SERVICE_UNAVAILABLE if lacks else HTTPStatus.OK
    return _Answer(status, json.dumps({"ready": not lacks, "lacks": lacks}) + "\n", _JSON)


PAGES: Final[Mapping[str, Callable[[Watched], _Answer]]] = {
    "/metrics": _metrics,
    "/healthz": _health,
    "/readyz": _readiness,
}


def answer(watched: Watched, line: bytes) -> bytes:
    """Return the response to the first line of a request."""
    method, _, rest = line.decode("latin-1").strip().partition(" ")
    path = rest.partition(" ")[0].partition("?")[0]
    page = PAGES.get(path)
    if method not in ("GET", "HEAD"):
        found = _Answer(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD\n")
    elif page is None:
        found = _Answer(HTTPStatus.NOT_FOUND, f"there are {', '.join(PAGES)}\n")
    else:
        found = page(watched)
    return found.encode(is_head=method == "HEAD")


@asynccontextmanager
async def serving(watched: Watched, address: Address) -> AsyncIterator[int]:
    """Serve until the end of the block; yield the port, which the system chooses for 0."""
    import_prometheus()  # now, since it takes a moment, and may be missing
    busy: set[asyncio.Task[None]] = set()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        busy.add(task)
        try:
            async with asyncio.timeout(PATIENCE):
                if len(busy) <= MOST:
                    request = await reader.readuntil(b"\r\n\r\n")
                    writer.write(answer(watched, request.partition(b"\r\n")[0]))
                    await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass  # the client has left, or should get no response
        except asyncio.CancelledError:
            pass  # the program ends
        finally:
            busy.discard(task)
            with suppress(OSError):
                writer.close()

    try:
        server = await asyncio.start_server(take, *address, limit=LONGEST)
    except OSError as error:
        where = f"{address.host}:{address.port}"
        words = error.strerror or str(error)
        raise UsageError(f"cannot listen at {where} for --metrics: {words}") from None
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tuple(busy):
            task.cancel()


# Process metrics from the operating system, under Prometheus's usual names.


_STARTED: Final = time.time()


def process_metrics() -> list[Metric]:
    """Return processor time, memory, open files and the version; memory and files on Linux only."""
    times = os.times()
    found = [
        gauge("satlife_info", "The version.", {__version__: 1}, label="version"),
        counter(
            "process_cpu_seconds_total",
            "Processor time, without children.",
            times.user + times.system,
        ),
        gauge("process_start_time_seconds", "When it started, since 1970.", _STARTED),
    ]
    with suppress(OSError, ValueError, AttributeError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        size = pages * os.sysconf("SC_PAGE_SIZE")
        found.append(gauge("process_resident_memory_bytes", "Memory in use.", size))
        files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # only their number
        found.append(gauge("process_open_fds", "Open files.", files))
    return found


# Run a recorder or a worker beside the server that shows its metrics.


log = logging.getLogger(f"{LOGGER}.metrics")
T = TypeVar("T")


class Surveyor(Watched, Protocol):
    """A monitored program that must query others periodically."""

    async def run(self) -> object:
        """Query periodically, until cancelled."""


async def run_watched(
    work: Coroutine[Any, Any, T],
    watched: Watched | Surveyor,
    address: Address | None,
) -> T:
    """Do the work; meanwhile serve metrics and health, if there is an address."""
    if address is None:
        return await work
    try:
        async with serving(watched, address) as port:
            log.info("metrics and health at http://%s:%d", address.host, port)
            asking = getattr(watched, "run", None)
            survey = None if asking is None else asyncio.ensure_future(asking())
            try:
                return await work
            finally:
                if survey is not None:
                    survey.cancel()
                    await asyncio.wait([survey])
    finally:
        work.close()  # if it was never begun
