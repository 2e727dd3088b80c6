"""The public edge: what strangers, slow clients and floods can do over HTTP, with real sockets."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import json
import os
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import uvicorn
from starlette.requests import Request

from satlife import serving
from satlife.campaign.ledger import open_ledger
from satlife.campaign.messages import LARGEST_MESSAGE
from satlife.cluster import protocol
from satlife.cluster.dispatch import edge
from satlife.cluster.dispatch.addresses import Proxies, name_address
from satlife.cluster.dispatch.answers import Answers
from satlife.cluster.dispatch.desk import Bucket, Desk, Quota
from satlife.cluster.dispatch.dispatcher import Dispatcher
from satlife.cluster.dispatch.edge import Limits, listen, serve
from satlife.cluster.dispatch.record import Record
from satlife.cluster.patient_ledger import in_thread
from satlife.cluster.queue import Access
from satlife.cluster.volunteer import Door
from satlife.errors import UsageError
from tests.campaign.nats import PASSWORDS, Broker, make_certificates, plain_broker
from tests.campaign.running import Command, nothing_left
from tests.campaign.scene import TINY, at_work, make_recorder, until
from tests.campaign.strangers import (
    USERS,
    Honest,
    Truth,
    access,
    connected,
    served,
    staged,
    users,
    volunteer,
)
from tests.cli.running import run
from tests.patience import PATIENCE

STILL = '[[search]]\nkind = "still-life"\nboxes = ["2x2", "1x3"]\n'


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with plain_broker(tmp_path / "nats") as one:
        yield one


@contextlib.asynccontextmanager
async def dispatcher(
    server: Broker,
    quota: Quota | None = None,
    limits: Limits | None = None,
    tls: tuple[str, str] | None = None,
) -> AsyncIterator[Dispatcher]:
    """A dispatcher alone."""
    with Record(":memory:") as record:
        one = Dispatcher(access(server, "recorder"), users, record, Desk(quota or Quota()))
        async with at_work(served(server, one, limits, tls)):
            await until(lambda: one._is_open)
            yield one


def basic(user: str, password: str) -> dict[str, str]:
    return {"authorization": f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"}


def size(count: int) -> dict[str, str]:
    """That so much content will follow; it is refused before any is sent."""
    return {"content-length": str(count)}


EVE = basic("eve", USERS["eve"])


def ask(
    server: Broker, method: str, path: str, body: bytes = b"", headers: Any = None
) -> tuple[int, dict[str, Any], dict[str, str]]:
    """Return status, reply and headers."""
    connection = http.client.HTTPConnection("127.0.0.1", server.edge, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request(method, path, body, EVE if headers is None else headers)
        response = connection.getresponse()
        said = {name.lower(): text for name, text in response.getheaders()}
        return response.status, json.loads(response.read()), said


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "words"),
    [
        ("POST", "/v2/lease", b"{}", {}, 401, "wrong user or password"),
        ("POST", "/v2/lease", b"{}", basic("eve", "guess"), 401, "wrong user or password"),
        ("POST", "/v2/lease", b"{}", basic("nobody", ""), 401, "wrong user or password"),
        ("POST", "/v2/lease", b"{}", {"authorization": "Basic %%%"}, 401, "wrong user"),
        ("POST", "/v2/lease", b"{}", {"authorization": "Bearer x"}, 401, "wrong user"),
        ("POST", "/v1/lease", b"{}", None, 426, "install the version that the operator names"),
        ("POST", "/v3/lease", b"{}", None, 426, "install the version that the operator names"),
        ("GET", "/", b"", None, 404, "see satlife worker"),
        ("GET", "/v2/lease", b"", None, 404, "there is no request GET 'lease'"),
        ("POST", "/v2/pull", b"{}", None, 404, "there is no request POST 'pull'"),
        ("PUT", "/v2/proof/x/-1", b"x", None, 404, "there is no request"),
        ("PUT", "/v2/proof/x/1/2", b"x", None, 404, "there is no request"),
        ("POST", "/v2/lease", b"", EVE | size(2_000_000), 413, "a request has at most"),
        ("PUT", "/v2/proof/x/0", b"", EVE | size(200_000), 413, "at most 131,072 bytes"),
        ("POST", "/v2/lease", b"[", None, 200, "not a request for tasks"),
        ("POST", "/v2/lease", b'{"worker": "anna.x", "most": 1}', None, 200, "must begin with eve"),
        ("PUT", "/v2/proof/x/0", b"x", None, 200, "you do not hold this lease"),
    ],
)
def test_a_wrong_request_is_refused_in_words(
    shared: Broker,
    method: str,
    path: str,
    body: bytes,
    headers: dict[str, str] | None,
    status: int,
    words: str,
) -> None:
    async def play() -> None:
        async with dispatcher(shared):
            done, reply, _ = await in_thread(ask, shared, method, path, body, headers)
            assert (done, words in reply["refused"]) == (status, True), (done, reply)

    asyncio.run(play())


def test_an_error_of_ours_is_told_and_logged_once(
    shared: Broker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> float:
        raise RuntimeError("a bug")

    async def play() -> None:
        async with dispatcher(shared) as one:
            monkeypatch.setattr(one, "spend", fail)
            for _ in range(2):
                status, reply, _ = await in_thread(ask, shared, "POST", "/v2/keep", b"{}")
                assert (status, reply["refused"]) == (500, "the dispatcher has failed")

    asyncio.run(play())
    assert [each.message for each in caplog.records if each.exc_info] == ["a request failed"]


def test_wrong_requests_do_not_fill_the_log(
    shared: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with dispatcher(shared):
            for path in ("/v2/a", "/v2/b", "/v8/a", "/v9/a"):
                assert (await in_thread(ask, shared, "GET", path))[0] in (404, 426)

    asyncio.run(play())
    refused = [each.message for each in caplog.records if "refused eve" in each.message]
    assert refused == [
        "refused eve: there is no such request",
        "refused eve: the dispatcher speaks version 2 of its protocol",
    ]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with plain_broker(tmp_path_factory.mktemp("shared") / "nats") as one:
        yield one


def test_guessing_passwords_ends_in_waiting_and_hurts_nobody(
    shared: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anna's own machine is at the address that guesses her password."""
    monkeypatch.setattr(edge, "time", SimpleNamespace(monotonic=lambda: 0.0))

    def ask_from(address: str, password: str) -> int:
        headers = basic("anna", password) | {"x-forwarded-for": f"192.0.2.66, {address}"}
        return ask(shared, "POST", "/v2/keep", b'{"leases": []}', headers)[0]

    def guess(address: str, count: int) -> list[int]:
        return [ask_from(address, "guess") for _ in range(count)]

    async def play() -> None:
        async with dispatcher(shared):
            assert await in_thread(guess, "192.0.2.1", 22) == [401] * 20 + [429] * 2
            assert await in_thread(ask_from, "192.0.2.1", USERS["anna"]) == 200
            assert await in_thread(guess, "192.0.2.2", 1) == [401], "another address"
            neighbours = [f"2001:db8::{number:x}" for number in range(21)]
            statuses = [(await in_thread(guess, each, 1))[0] for each in neighbours]
            assert statuses == [401] * 20 + [429], "one network"

    asyncio.run(play())


def test_a_proxy_may_be_one_of_a_network() -> None:
    proxies = Proxies("127.0.0.1,10.0.0.0/8,2001:db8::1")
    for peer in ("127.0.0.1", "::ffff:127.0.0.1", "10.9.8.7", "2001:db8::1"):
        assert proxies.has(peer)
        assert proxies.find_client(peer, "x, 192.0.2.66, 192.0.2.1, 10.0.0.1") == "192.0.2.1"
        assert proxies.find_client(peer, "x" * 9000) == name_address(peer)
    for peer in ("192.0.2.1", "2001:db8::2", ""):
        assert not proxies.has(peer)
        assert proxies.find_client(peer, "192.0.2.66") == name_address(peer)
    assert Proxies("*").find_client("172.18.0.1", "192.0.2.66, 192.0.2.1") == "192.0.2.1"
    for wrong in ("", "proxy.example.org", "10.0.0.1/8", "10.0.0.1;10.0.0.2"):
        with pytest.raises(UsageError, match="not the address of a proxy"):
            Proxies(wrong)


def test_a_flood_of_a_user_is_told_to_wait(shared: Broker) -> None:
    def flood(count: int) -> list[tuple[int, str | None]]:
        done = (ask(shared, "POST", "/v2/keep", b'{"leases": []}') for _ in range(count))
        return [(status, headers.get("retry-after")) for status, _, headers in done]

    async def play() -> None:
        async with dispatcher(shared) as one:
            one.desk.user("eve").requests = Bucket(rate=0.0, most=4.0)
            said = await in_thread(flood, 6)
            assert said == [(200, None)] * 4 + [(429, "4")] * 2
            assert one.desk.user("eve").standing.bad >= 1
            anna = basic("anna", USERS["anna"])
            keep = b'{"leases": []}'
            assert (await in_thread(ask, shared, "POST", "/v2/keep", keep, anna))[0] == 200

    asyncio.run(play())


def open_many(server: Broker, count: int) -> list[socket.socket]:
    return [socket.create_connection(("127.0.0.1", server.edge)) for _ in range(count)]


def is_closed(one: socket.socket) -> bool:
    one.settimeout(PATIENCE)
    try:
        return one.recv(1) == b""
    except ConnectionError:
        return True


def is_open(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        return one.recv(1) != b""
    except BlockingIOError:
        return True


@pytest.fixture(params=["http", "https"])
def tls(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str] | None:
    """A certificate and its key, or none; and nobody is closed for being silent."""
    monkeypatch.setattr(serving, "LOITER", 2 * PATIENCE)
    monkeypatch.setattr(edge, "HANDSHAKE", 2 * PATIENCE)
    if request.param == "http":
        return None
    make_certificates(tmp_path)
    return str(tmp_path / "certs" / "server.pem"), str(tmp_path / "certs" / "server.key")


def test_an_address_has_a_number_of_connections(
    shared: Broker, tls: tuple[str, str] | None
) -> None:
    """They count before they say a word, even of TLS."""

    def is_answered() -> bool:
        (one,) = open_many(shared, 1)
        one.settimeout(PATIENCE)
        try:
            if tls:
                one = ssl._create_unverified_context().wrap_socket(one)
            one.sendall(b"GET / HTTP/1.0\r\n\r\n")
            return one.recv(1) != b""
        except OSError:
            return False
        finally:
            one.close()

    async def play() -> None:
        limits = Limits(from_address=5, proxies=Proxies("192.0.2.1"))
        async with dispatcher(shared, limits=limits, tls=tls):
            many = await in_thread(open_many, shared, 8)
            assert [await in_thread(is_closed, each) for each in many[5:]] == [True] * 3
            assert [is_open(each) for each in many[:5]] == [True] * 5
            for each in many:
                each.close()
            await until(lambda: in_thread(is_answered))  # once they are gone

    asyncio.run(play())


def test_connections_in_all_are_bounded(shared: Broker, tls: tuple[str, str] | None) -> None:
    async def play() -> None:
        async with dispatcher(shared, limits=Limits(connections=5), tls=tls):
            many = await in_thread(open_many, shared, 8)
            assert [await in_thread(is_closed, each) for each in many[5:]] == [True] * 3
            assert [is_open(each) for each in many[:5]] == [True] * 5
            for each in many:
                each.close()

    asyncio.run(play())


def test_a_handshake_has_its_time(
    shared: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge, "HANDSHAKE", 0.5)
    make_certificates(tmp_path)
    tls = str(tmp_path / "certs" / "server.pem"), str(tmp_path / "certs" / "server.key")

    async def play() -> None:
        async with dispatcher(shared, tls=tls):
            (one,) = await in_thread(open_many, shared, 1)
            with one:
                assert await in_thread(is_closed, one)

    asyncio.run(play())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_server_may_open_as_many_files_as_it_needs() -> None:
    program = """
import resource
from satlife.cluster.dispatch.edge import allow_files
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 512))
print(allow_files(100), allow_files(300), allow_files(1000))
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"256", b"300", b"512", b"512", b"512"]


def test_a_dispatcher_ends_with_its_server(shared: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(uvicorn.Server, "main_loop", fail)

    async def play() -> None:
        with Record(":memory:") as record:
            one = Dispatcher(access(shared, "recorder"), users, record)
            with pytest.raises(RuntimeError, match="a bug"):
                async with asyncio.timeout(PATIENCE):
                    await served(shared, one).run()

    asyncio.run(play())


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"POST /v2/keep HTTP/1.1\r\n",
        b"POST /v2/keep HTTP/1.1\r\nhost: x\r\nauthorization: %s\r\ncontent-length: 50\r\n\r\n{"
        % EVE["authorization"].encode(),
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_a_slow_request_loses_its_connection(
    shared: Broker, monkeypatch: pytest.MonkeyPatch, begin: bytes
) -> None:
    monkeypatch.setattr(serving, "LOITER", 0.5)
    monkeypatch.setattr(edge, "PATIENCE", 0.5)

    def loiter() -> bytes:
        with socket.create_connection(("127.0.0.1", shared.edge)) as one:
            one.settimeout(PATIENCE)
            one.sendall(begin)
            heard = b""
            while part := one.recv(10_000):
                heard += part
            return heard

    async def play() -> None:
        async with dispatcher(shared):
            heard = await in_thread(loiter)
            assert heard == b"" or b" 408 " in heard.split(b"\r\n")[0] + b" "

    asyncio.run(play())


def test_a_connection_may_wait_between_requests(
    shared: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time for a request ends when it is there, and begins anew with the next one."""
    monkeypatch.setattr(serving, "LOITER", 2 * PATIENCE)
    timers: list[tuple[float, asyncio.TimerHandle]] = []

    async def play() -> None:
        loop = asyncio.get_running_loop()
        later = loop.call_later

        def note(delay: float, *rest: Any, **words: Any) -> asyncio.TimerHandle:
            timers.append((delay, later(delay, *rest, **words)))
            return timers[-1][1]

        def waiting() -> int:
            return sum(d == 2 * PATIENCE and not timer.cancelled() for d, timer in timers)

        async with dispatcher(shared), asyncio.timeout(PATIENCE):
            monkeypatch.setattr(loop, "call_later", note)
            reader, writer = await asyncio.open_connection("127.0.0.1", shared.edge)
            with contextlib.closing(writer):
                await until(lambda: waiting() == 1)
                for _ in range(2):
                    head = f"POST /v2/keep HTTP/1.1\r\nauthorization: {EVE['authorization']}\r\n"
                    writer.write(f"{head}host: x\r\n".encode())
                    await until(lambda: waiting() == 1)
                    writer.write(b'content-length: 13\r\n\r\n{"leases":[]}')
                    assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
                    assert await reader.readexactly(2) == b"{}"
                    assert waiting() == 0

    asyncio.run(play())


CROWD = """
import asyncio, contextlib, sys

async def play(port, count):
    opened = 0

    async def loiter():
        nonlocal opened
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                with contextlib.closing(writer):
                    opened += 1
                    if opened == count:
                        print("all are there", flush=True)
                    writer.write(b"POST /v2/lease HTTP/1.1\\r\\nx: ")
                    await reader.read(1)  # until it is closed
            await asyncio.sleep(0.5)

    await asyncio.gather(*(loiter() for _ in range(count)))

asyncio.run(play(*map(int, sys.argv[1:])))
"""
"""Connections without a password, opened again as they are closed."""


def test_a_stranger_with_many_connections_keeps_nobody_out(server: Broker, tmp_path: Path) -> None:
    """In another process, because one may have a thousand open files."""
    count, truth = 500, Truth.of(STILL, tmp_path / "truth.db")

    async def play() -> None:
        plan = f"quorum = 2\n{STILL}"
        async with staged(server, tmp_path, plan) as stage, connected(server, "anna") as anna:
            words = [sys.executable, "-c", CROWD, str(server.edge), str(count)]
            crowd = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE)
            try:
                assert crowd.stdout is not None
                async with asyncio.timeout(PATIENCE):
                    assert await crowd.stdout.readline() == b"all are there\n"
                    assert not (await anna.keep([])).refused
                    names = ("anna.desk", "bert.desk")
                    honest = [volunteer(server, name, Honest(truth)) for name in names]
                    async with at_work(*honest):
                        assert (await stage.running).is_met
            finally:
                crowd.kill()
                await crowd.wait()

    asyncio.run(play())


# TLS, and the real commands


def test_a_password_does_not_travel_in_the_clear() -> None:
    clear = Access(servers=("http://life.example.org",), user="eve", password="x", role="volunteer")
    with pytest.raises(UsageError, match="write https://"):
        Door(clear)


def test_a_broker_is_no_website() -> None:
    done = run("satlife", "campaign", "serve", "plan.toml", "--nats", "https://life.example.org")
    assert done.returncode == 2
    done = run("satlife", "worker", "nats://127.0.0.1:1", "--user", "eve")
    assert (done.returncode, b"a broker is --nats" in done.stderr) == (2, True)


def test_the_certificate_is_verified(server: Broker, tmp_path: Path) -> None:
    authority = make_certificates(tmp_path)
    certificate, key = (str(tmp_path / "certs" / name) for name in ("server.pem", "server.key"))
    url = f"https://localhost:{server.edge}"

    async def play() -> None:
        with Record(":memory:") as record:
            one = Dispatcher(access(server, "recorder"), users, record)
            listener = listen("127.0.0.1", server.edge)
            running = asyncio.create_task(serve(one, listener, tls=(certificate, key)))
            try:
                await until(lambda: one._is_open)
                text, path = b'{"leases": []}', protocol.path("keep")
                eve = {"user": "eve", "password": USERS["eve"], "role": "volunteer"}
                trusting = Door(Access(servers=(url,), authority=str(authority), **eve))
                assert await in_thread(trusting.ask, "POST", path, text, PATIENCE)
                trusting.close()
                careful = Door(Access(servers=(url,), **eve))
                with pytest.raises(UsageError, match="--ca names its authority"):
                    await in_thread(careful.ask, "POST", path, text, PATIENCE)
            finally:
                one.stop()
                await running

    asyncio.run(play())


@pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")
def test_a_changed_list_of_volunteers_keeps_its_mode(tmp_path: Path) -> None:
    """The dispatcher may be another user, in a container say."""
    listed = tmp_path / "volunteers.toml"
    for name, before, after in (("alice", None, 0o600), ("bert", 0o640, 0o640)):
        if before is not None:
            listed.chmod(before)
        run("satlife", "campaign", "volunteers", str(listed), "--add", name)
        assert stat.S_IMODE(listed.stat().st_mode) == after


def test_the_largest_answer_is_read() -> None:
    result = msgspec.Raw(b'"' + b"x" * (LARGEST_MESSAGE - 2) + b'"')
    said = protocol.LeaseAnswer(lease="5" * 24, result=result, uploaded=True)
    text = protocol.write(protocol.LeaseAnswers(answers=(said,)))
    assert LARGEST_MESSAGE < len(text) <= protocol.LARGEST_BODY

    async def play() -> None:
        with Record(":memory:") as record:
            server = Access(servers=("nats://127.0.0.1:1",))
            one = Dispatcher(server, users, record)
            one._is_open, one._answers = True, Answers(None, one.desk)  # type: ignore[arg-type]
            (reply,) = (await one.ask("eve", "answer", text)).answers
            assert reply.refused == "you do not hold this lease"

    asyncio.run(play())


def test_an_older_worker_is_told_to_update(shared: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "path", lambda verb: f"/v1/{verb}")

    async def play() -> None:
        async with dispatcher(shared):
            with pytest.raises(
                UsageError, match="version 1; install the version that the operator"
            ):
                await volunteer(shared, "eve.desk", Honest(Truth())).run()

    asyncio.run(play())


def test_a_server_that_is_not_ours_is_asked_again_later() -> None:
    """A proxy before the dispatcher says in its own words that it is away."""

    def answer(listener: socket.socket) -> None:
        listener.settimeout(PATIENCE)
        one, _ = listener.accept()
        with one:
            one.settimeout(PATIENCE)
            one.recv(10_000)
            one.sendall(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 4\r\n\r\noops")

    async def play() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            door = Door(Access(servers=(url,), user="eve", password="x", role="volunteer"))
            asking = asyncio.create_task(in_thread(door.ask, "POST", "/", b"", PATIENCE))
            await in_thread(answer, listener)
            reply = await asking
            assert (reply.refused, reply.wait > 0) == ("status 502 of its server", True)
            door.close()

    asyncio.run(play())


def test_a_server_that_was_ours_is_asked_again_whatever_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While a certificate is renewed, say, no proof may be thrown away."""
    said = [b"{}", b"oops", b"{}"]

    def answer(listener: socket.socket) -> None:
        one, _ = listener.accept()
        with one:
            one.settimeout(PATIENCE)
            one.recv(10_000)
            text = said.pop(0)
            head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length:"
            one.sendall(f"{head} {len(text)}\r\n\r\n".encode() + text)

    def ask(listener: socket.socket, door: Door) -> protocol.Reply:
        listener.settimeout(PATIENCE)
        with ThreadPoolExecutor() as threads:
            answering = threads.submit(answer, listener)
            try:
                return door.ask("POST", "/", b"", PATIENCE)
            finally:
                answering.result(PATIENCE)

    def fail(*_: Any) -> None:
        error = ssl.SSLCertVerificationError()
        error.verify_message = "certificate has expired"
        raise error

    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        door = Door(Access(servers=(url,), user="eve", password="x", role="volunteer"))
        assert ask(listener, door) == protocol.Reply()
        with pytest.raises(ConnectionError, match="not JSON"):
            ask(listener, door)
        with monkeypatch.context() as patched:
            patched.setattr(http.client.HTTPConnection, "request", fail)
            with pytest.raises(ConnectionError, match="--ca names"):
                door.ask("POST", "/", b"", PATIENCE)
        assert ask(listener, door) == protocol.Reply()
        door.close()


def test_work_is_kept_while_uploads_of_its_user_are_slow(
    shared: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, stalled, end = edge.read_bytes, [], asyncio.Event()

    async def stall(request: Request, **limits: Any) -> bytes:
        if "proof" in request.scope["path"]:
            stalled.append(request)
            await end.wait()
        return await read(request, **limits)

    monkeypatch.setattr(edge, "read_bytes", stall)

    async def play() -> None:
        async with dispatcher(shared), contextlib.AsyncExitStack() as stack:
            for number in range(edge.MOST_READ):
                _, writer = await asyncio.open_connection("127.0.0.1", shared.edge)
                stack.enter_context(contextlib.closing(writer))
                head = f"PUT /v2/proof/x/{number} HTTP/1.1\r\nhost: x\r\ncontent-length: 1"
                writer.write(f"{head}\r\nauthorization: {EVE['authorization']}\r\n\r\nx".encode())
            await until(lambda: len(stalled) == edge.MOST_READ)
            keep = b'{"leases": []}'
            assert (await in_thread(ask, shared, "POST", "/v2/keep", keep))[0] == 200
            end.set()

    asyncio.run(play())


def test_the_real_commands_over_https(server: Broker, tmp_path: Path) -> None:
    """A list of volunteers, a dispatcher with a certificate, and a worker who knows its address."""
    authority = make_certificates(tmp_path)
    listed = tmp_path / "volunteers.toml"
    done = run("satlife", "campaign", "volunteers", str(listed), "--add", "alice")
    password = done.stdout.decode().split()[1]
    assert password not in listed.read_text()
    words = ["campaign", "dispatch", str(listed), "--nats", server.url]
    words += ["--record", str(tmp_path / "d.db"), "--listen", f"127.0.0.1:{server.edge}"]
    words += ["--cert", str(tmp_path / "certs/server.pem"), "--key"]
    words += [str(tmp_path / "certs/server.key")]
    operator = {"SATLIFE_NATS_USER": "recorder"}
    operator["SATLIFE_NATS_PASSWORD"] = PASSWORDS["SATLIFE_RECORDER_PASSWORD"]
    mark = str(tmp_path)
    dispatching = Command(mark, tmp_path / "dispatch.log", words, variables=operator)
    words = ["worker", f"https://localhost:{server.edge}", "--user", "alice", "--jobs", "1"]
    words += ["--ca", str(authority)]
    working = Command(mark, tmp_path / "w.log", words, variables={"SATLIFE_PASSWORD": password})
    wrong = Command(mark, tmp_path / "x.log", words, variables={"SATLIFE_PASSWORD": "guess"})

    def send_rubbish() -> bytes:
        context = ssl.create_default_context(cafile=authority)
        with (
            socket.create_connection(("127.0.0.1", server.edge), PATIENCE) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as one,
        ):
            one.sendall(b"rubbish\r\n\r\n")
            return one.recv(10_000)

    async def play() -> None:
        recorder = make_recorder(server.url, tmp_path / "a.db", f"prove = true\n{STILL}")
        recorder.access = access(server, "recorder")
        running = asyncio.create_task(recorder.run())
        for command in (dispatching, working):
            command.start()
        async with asyncio.timeout(PATIENCE):
            assert (await running).is_met
        assert b" 400 " in await in_thread(send_rubbish)
        wrong.start()
        assert await in_thread(wrong.wait, PATIENCE) == 2
        assert "wrong user or password" in (tmp_path / "x.log").read_text()
        assert "Invalid" not in (tmp_path / "dispatch.log").read_text(), "strangers write no log"

    with nothing_left(mark):
        try:
            asyncio.run(play())
        finally:
            for command in (working, dispatching, wrong):
                command.stop()
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        assert (ledger.counts().found, ledger.counts().certified) == (1, 1)


def test_while_a_result_waits_for_the_dispatcher_no_task_is_taken_and_returned(
    shared: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user gets a task that was returned only after ten minutes; others may be out of words."""
    ask, failures = Door.ask, 3

    def fail(door: Door, method: str, path: str, *rest: Any) -> protocol.Reply:
        nonlocal failures
        if path == protocol.path("answer") and failures:
            failures -= 1
            raise ConnectionError("reset")
        return ask(door, method, path, *rest)

    monkeypatch.setattr(Door, "ask", fail)
    truth = Truth.of(TINY, tmp_path / "truth.db")

    async def play() -> None:
        async with staged(shared, tmp_path, TINY) as stage:
            honest = [volunteer(shared, f"{u}.desk", Honest(truth)) for u in ("anna", "bert")]
            async with at_work(*honest), asyncio.timeout(PATIENCE):
                assert (await stage.running).is_met
        assert not failures

    asyncio.run(play())
    with Record(str(tmp_path / "dispatch.db")) as record:
        assert "returned" not in {how for counts in record.tally().values() for how in counts}
