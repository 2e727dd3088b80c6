"""What a hostile page or a broken client can do to the server: nothing."""

from __future__ import annotations

import http.client
import json
import random
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from satlife.web.orders import Allowed
from satlife.web.server import CONNECTIONS
from tests.patience import PATIENCE, wait_until
from tests.web.serving import Server, serving

DIGITS = "9" * 5000
SLOW = {"speed": "(2,1)c/6", "box": "20x20"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("serve")) as opened:
        yield opened


def alive(server: Server) -> bool:
    return server.ask("GET", "/api/jobs").status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1"]
)
def test_a_foreign_host_is_refused(server, host):
    given = host.format(port=server.port)
    assert server.ask("GET", "/api/start", Host=given).status == 400
    assert server.ask("GET", f"/?token={server.token}", Host=given).status == 400


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost"]
)
def test_a_foreign_origin_is_refused(server, origin):
    content = {"question": {"kind": "still-life", "values": {"box": "2x2"}}}
    assert server.ask("POST", "/api/jobs", content, Origin=origin).status == 403


def test_our_own_origin_is_not(server):
    content = {"kind": "still-life", "values": {"box": "2x2"}}
    origin = f"http://127.0.0.1:{server.port}"
    assert server.ask("POST", "/api/check", content, Origin=origin).status == 200
    for site in ("cross-site", "same-site"):
        headers = {"Origin": origin, "Sec_Fetch_Site": site}
        assert server.ask("POST", "/api/check", content, **headers).status == 403


@pytest.mark.parametrize("token", ["", "Bearer ", "Bearer x", "Bearer é", "Basic abc"])
def test_without_the_token_nothing_is_told(server, token):
    sent = token.encode().decode("latin-1")
    for path in ("/api/start", "/api/jobs", "/page.js", "/api/history"):
        assert server.ask("GET", path, Authorization=sent).status == 401
    shut = server.ask("GET", "/", Authorization=sent)
    assert (shut.status, b"satlife serve" in shut.body) == (401, True)
    assert server.ask("GET", "/?token=wrong", Authorization=sent).status == 401


def test_the_token_becomes_a_cookie_that_no_script_reads_and_no_site_sends(server):
    answer = server.ask("GET", f"/?token={server.token}", Authorization="")
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert server.token not in cookie
    value = cookie.partition(";")[0]
    assert server.ask("GET", "/", Authorization="", Cookie=value).status == 200
    assert server.ask("GET", "/", Authorization="", Cookie=f"{value}x").status == 401


def test_the_page_may_load_its_own_files_only(server):
    policy = server.ask("GET", "/").headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    page = server.ask("GET", "/").body
    assert b"<style" not in page
    assert b"<script>" not in page
    assert b" style=" not in page


def test_bodies_are_json_of_bounded_size(server):
    large = b'{"kind":"' + b"x" * 10_000_000 + b'"}'
    with suppress(BrokenPipeError, ConnectionResetError):  # refused before everything was sent
        assert server.ask("POST", "/api/check", raw=large).status == 413
    assert server.ask("POST", "/api/check", raw=b"{}", Content_Type="text/plain").status == 415
    for raw in (
        b"",
        b"{",
        b"[]",
        b'{"kind": 3}',
        b"\xff\xfe",
        b"[" * 50_000,
        b'{"kind":"ship","x":1}',
    ):
        told = server.ask("POST", "/api/check", raw=raw)
        assert told.status == 400, raw[:20]
        assert told.json()["error"]
    assert alive(server)


def test_a_body_without_a_length_is_bounded_too(server):
    def pieces() -> Iterator[bytes]:
        for _ in range(200):
            yield b"x" * 10_000

    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    with suppress(BrokenPipeError, ConnectionResetError), closing(connection):
        connection.request("POST", "/api/check", pieces(), headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    assert alive(server)


def test_unknown_paths_and_methods(server):
    for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/__init__.py", "/api/none"):
        assert server.ask("GET", path).status == 404
    assert server.ask("PUT", "/api/jobs").status == 405
    assert server.ask("GET", "/api/jobs/none/events").status == 404


def test_numbers_of_any_length(server):
    job = server.search("still-life", box="2x2")
    server.end(job)
    for number in (DIGITS, f"-{DIGITS}", "1_0", "²", "٠", "0x0", "-0", ""):
        path = f"/api/jobs/{job}/picture/{quote(number)}.svg"
        assert server.ask("GET", path).status == 404, number[:9]
    assert server.ask("GET", f"/api/jobs/{job}/picture/0.svg").status == 200
    assert server.ask("GET", f"/api/jobs/{job}/events?after={DIGITS}").status == 204
    assert server.ask("GET", f"/api/jobs/{job}/events?after=-1").status == 400
    for text in (DIGITS, f"-{DIGITS}", "--5", "p" + DIGITS, f"c/{DIGITS}", "²"):
        for field in ("period", "box", "population"):
            values = {"period": "2", "box": "3x3", field: text}
            content = {"kind": "oscillator", "values": values}
            told = server.ask("POST", "/api/check", content)
            assert told.status == 422, (field, text[:9], told.body)
            assert told.json()["field"] == field
    assert alive(server)


@pytest.mark.parametrize("engine", ["none", "SAT", "9" * 5000])
def test_an_unknown_engine_is_refused_at_once(server, engine):
    content = {"question": {"kind": "still-life", "values": {"box": "3x3"}}, "engine": engine}
    told = server.ask("POST", "/api/jobs", content)
    assert (told.status, told.json()["field"]) == (422, "engine")


def test_the_limits_are_those_that_are_promised() -> None:
    text = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8")
    allowed = Allowed()
    assert (
        f"at most {allowed.body_bytes:,} bytes (an import {allowed.import_bytes:,}) and "
        f"{allowed.patience:.0f} s; at most {CONNECTIONS} connections, {allowed.streams} of which "
        f"listen to a search, and {allowed.waiting} searches that wait"
    ) in text


def test_no_more_streams_than_allowed_at_once(server):
    """All are asked for before the first one has sent anything."""
    job = server.search("ship", seconds=600, **SLOW)
    request = (
        f"GET /api/jobs/{job}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\n\r\n"
    ).encode()
    with ExitStack() as stack:
        address = "127.0.0.1", server.port
        sockets = [
            stack.enter_context(socket.create_connection(address, timeout=PATIENCE))
            for _ in range(60)
        ]
        for each in sockets:
            each.sendall(request)
        answers = [each.recv(12).decode() for each in sockets]
        assert sorted(answers) == ["HTTP/1.1 200"] * 40 + ["HTTP/1.1 503"] * 20
    wait_until(lambda: listens(server, job), "room for another stream")
    server.ask("DELETE", f"/api/jobs/{job}")
    assert server.events(job)


def listens(server: Server, job: str) -> bool:
    """Whether a stream is accepted."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with closing(connection):
        headers = {"Authorization": f"Bearer {server.token}"}
        connection.request("GET", f"/api/jobs/{job}/events", headers=headers)
        return connection.getresponse().status == 200


def test_fifty_searches_at_once(server):
    content = {"question": {"kind": "ship", "values": SLOW}, "seconds": 30}
    answers = [server.ask("POST", "/api/jobs", content) for _ in range(50)]
    taken = [answer.json()["id"] for answer in answers if answer.status == 202]
    refused = {answer.status for answer in answers} - {202}
    assert refused == {429}
    limits = server.ask("GET", "/api/start").json()["limits"]
    assert len(taken) == limits["running"] + limits["waiting"]
    jobs = server.ask("GET", "/api/jobs").json()
    assert sum(job["state"] in ("encoding", "solving") for job in jobs) <= limits["running"]
    for job in reversed(taken):
        server.ask("DELETE", f"/api/jobs/{job}")
    assert {server.end(job)["state"] for job in taken} == {"stopped"}


def test_slow_and_half_open_clients(server):
    before = server.memory() if sys.platform == "linux" else 0
    clients = []
    for _ in range(60):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1")
        clients.append(client)
    # One that sends its head and then its body, a byte at a time.
    head = (
        f"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
        "Content-Length: 1000\r\n\r\n"
    )
    slow = socket.create_connection(("127.0.0.1", server.port))
    slow.sendall(head.encode() + b"{")
    assert alive(server)
    slow.settimeout(30)
    assert b" 408 " in slow.recv(4096)
    # Those that never end their head are closed.
    clients[0].settimeout(30)
    assert clients[0].recv(100) == b""
    for client in (*clients, slow):
        client.close()
    assert alive(server)
    if sys.platform == "linux":
        assert server.memory() - before < 50_000_000


def test_a_reader_that_does_not_read_holds_nobody_up(server):
    job = server.search("ship", seconds=30, **SLOW)
    deaf = socket.create_connection(("127.0.0.1", server.port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    deaf.sendall(
        f"GET /api/jobs/{job}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\n\r\n".encode()
    )
    time.sleep(1)
    assert alive(server)
    server.ask("DELETE", f"/api/jobs/{job}")
    assert server.end(job)["state"] == "stopped"
    deaf.close()


def test_any_request_is_answered_with_a_code_that_says_whose_fault_it_is(server):
    """A small fuzzer: requests of every shape, none of which is a fault of the server."""
    chance = random.Random(5)
    words = [
        "",
        "c/3",
        "4x4",
        "B3/S23",
        "x",
        "3o!",
        "1,0\n0,1",
        "9" * 50,
        "-1",
        "é\0",
        "D8",
        "2",
        "*",
    ]
    start = server.ask("GET", "/api/start").json()
    names = [p["name"] for kind in start["kinds"] for p in kind["parameters"]]
    kinds = [kind["name"] for kind in start["kinds"]]

    def value() -> object:
        pick = chance.randrange(8)
        if pick < 5:
            return chance.choice(words)
        return [None, 3, True, [], {}, [["a"]], ["<=3"], [["3o!", "<=1"]]][chance.randrange(8)]

    for _ in range(150):
        kind = chance.choice(kinds)
        fields = [p["name"] for k in start["kinds"] if k["name"] == kind for p in k["parameters"]]
        chosen = chance.sample(fields, chance.randrange(len(fields) + 1))
        if chance.random() < 0.1:
            chosen.append(chance.choice(names))
        raw = json.dumps({"kind": kind, "values": {name: value() for name in chosen}}).encode()
        if chance.random() < 0.2:
            spoilt = bytearray(raw)
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
            raw = bytes(spoilt)
        told = server.ask("POST", "/api/check", raw=raw)
        assert told.status in (200, 400, 422), (raw, told.body)
        text = json.dumps({"text": chance.choice(words) + chance.choice(words)}).encode()
        for path in ("/api/read", "/api/scene"):
            told = server.ask("POST", path, raw=text)
            assert told.status in (200, 422), (path, text, told.body)
    assert alive(server)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who listens where")
def test_it_listens_on_this_machine_only(server):
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
    listening = [line.split()[1] for line in lines if line.split()[3] == "0A"]
    ours = [place for place in listening if int(place.split(":")[1], 16) == server.port]
    assert ours == [f"0100007F:{server.port:04X}"]
