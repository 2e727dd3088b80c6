"""Metrics, health and logs of real programs in a real campaign, read by a parser not our own."""

from __future__ import annotations

import asyncio
import json
import secrets
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import pytest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from satlife.campaign.plan import Plan
from satlife.cluster.operating.endpoint import Address, answer, read_address, serving
from satlife.cluster.operating.exposition import Histogram, counter, gauge, write
from satlife.cluster.queue import Access, connect
from satlife.cluster.queue.streams import campaign_word
from satlife.errors import UsageError
from satlife.machine import how_to_install
from tests.campaign.nats import Broker, broker, free_ports
from tests.campaign.running import Command, nothing_left
from tests.metrics import recorder_metrics, worker_metrics
from tests.patience import PATIENCE, wait_until

PLAN = """
[[search]]
kind = "still-life"
boxes = "2x2"

[[search]]
kind = "oscillator"
periods = 7
boxes = "14x14"
"""
"""A task that takes a moment, and one that takes hours."""

Samples = dict[str, float]


def parse(text: str) -> Samples:
    """Every sample by its name and labels."""
    found: Samples = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        assert family.type != "unknown", family.name
        for sample in family.samples:
            labels = ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()))
            key = f"{sample.name}{{{labels}}}" if labels else sample.name
            assert key not in found, f"{key} is there twice"
            found[key] = sample.value
    return found


def get(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def until(condition: Callable[[], bool]) -> None:
    def holds() -> bool:
        with suppress(OSError):  # not listening yet
            return condition()
        return False

    wait_until(holds)


def disturb(server: Broker) -> None:
    """Send nonsense in the place of a result."""

    async def send() -> None:
        client = await connect(Access(servers=(server.url,), role="recorder"))
        word = campaign_word(Plan.from_toml(PLAN).name)
        await client.publish(f"satlife.result.{word}.mallory.box", b"nonsense")
        await client.flush()
        await client.close()

    asyncio.run(send())


@contextmanager
def campaign(folder: Path, server: Broker) -> Iterator[tuple[int, int, Command]]:
    (folder / "plan.toml").write_text(PLAN)
    ports = free_ports(2)
    mark = secrets.token_hex(8)
    nats = ["--nats", server.url, "--log", "json"]
    words = (
        ["campaign", "serve", str(folder / "plan.toml"), *nats, "--metrics", f"{ports[0]}"],
        ["worker", *nats, "--jobs=1", "--name=alice.desk", "--metrics", f"127.0.0.1:{ports[1]}"],
    )
    commands = [Command(mark, folder / f"{n}.log", each) for n, each in enumerate(words)]
    with nothing_left(mark):
        try:
            for command in commands:
                command.start()
            yield ports[0], ports[1], commands[0]
        finally:
            for command in reversed(commands):
                command.stop()


def test_a_campaign_is_seen_by_its_metrics_and_its_log(tmp_path: Path) -> None:
    with (
        broker(tmp_path / "nats") as server,
        campaign(tmp_path, server) as (recorder_port, worker_port, _),
    ):
        until(lambda: parse(get(recorder_port, "/metrics")[1])["satlife_tasks_out"] == 1)
        disturb(server)

        def is_told() -> bool:
            seen = parse(get(recorder_port, "/metrics")[1])
            # Counts are told at once, what the broker holds when it was next asked.
            refused = seen["satlife_refusals_total"] == 1 and "satlife_leases{stream=tasks}" in seen
            return refused and seen.get("satlife_tasks{state=found}") == 1

        until(is_told)
        text = get(recorder_port, "/metrics")[1]
        seen = parse(text)
        assert seen["satlife_answers_total{kind=found}"] == 1
        assert seen["satlife_tasks{state=queued}"] == 1
        assert seen["satlife_tasks_planned"] == 2
        assert seen["satlife_findings"] == 1
        assert seen["satlife_workers"] == 1
        assert seen["satlife_leases{stream=tasks}"] == 1
        assert seen["satlife_lag{stream=tasks}"] == 0
        assert 0 < seen["satlife_stream_bytes{stream=tasks}"] < 2000
        assert seen["satlife_stream_limit_bytes{stream=tasks}"] == 1_000_000_000
        assert seen["satlife_ledger_bytes"] > 10_000
        assert seen["satlife_ledger_call_seconds_count"] > 5
        assert seen["satlife_ledger_call_seconds_bucket{le=+Inf}"] > 5
        assert seen["satlife_up{part=ledger}"] == seen["satlife_up{part=broker}"] == 1
        assert {sample.partition("{")[0] for sample in seen} >= recorder_metrics()
        working = parse(get(worker_port, "/metrics")[1])
        assert working["satlife_worker_jobs"] == working["satlife_worker_tasks"] == 1
        assert working["satlife_worker_results_total{kind=found}"] == 1
        assert {sample.partition("{")[0] for sample in working} >= worker_metrics()
        for port in (recorder_port, worker_port):
            assert get(port, "/healthz") == (200, '{"alive": true}\n')
            assert get(port, "/readyz")[0] == 200
        server.kill()
        until(lambda: get(worker_port, "/readyz")[0] == 503)
        assert json.loads(get(worker_port, "/readyz")[1])["lacks"] == {"broker": "not connected"}
        assert get(worker_port, "/healthz")[0] == 200, "a restart would not help"
        server.start()
        until(lambda: get(worker_port, "/readyz")[0] == 200)
    lines = [json.loads(line) for line in (tmp_path / "0.log").read_text().splitlines()]
    assert all(datetime.fromisoformat(line["time"]).tzinfo for line in lines)
    (refused,) = [line for line in lines if line["level"] == "warning" and "user" in line]
    assert refused["user"] == "mallory"
    assert "refused" in refused["message"]
    assert any(line["message"].startswith("found: block") for line in lines)


class Watched:
    def metrics(self) -> list[Metric]:
        return [gauge("nasty", "A \\ and\na line.", {'a"b\\c\nd': 0.5}, label="name")]

    def lacks(self) -> dict[str, str]:
        return {"ledger": "no answer for 31 s"}


def test_numbers_labels_and_histograms_are_read_back() -> None:
    sizes = Histogram((0.1, 1.0))
    for size in (0.05, 0.1, 0.5, 7):
        sizes.add(size)
    text = write([sizes.metric("s", "S."), counter("c_total", "C.", 1e9), *Watched().metrics()])
    seen = parse(text)
    buckets = [seen[f"s_bucket{{le={le}}}"] for le in ("0.1", "1", "+Inf")]
    assert buckets == [2, 3, 4]
    assert seen["s_sum"] == 7.65
    assert seen["s_count"] == 4
    assert seen["c_total"] == 1e9
    assert seen['nasty{name=a"b\\c\nd}'] == 0.5


WITHOUT = """
import sys
sys.modules["prometheus_client"] = None
import asyncio
from satlife.campaign import work
from satlife.cluster import recorder, worker
from satlife.cluster.dispatch import dispatcher
from satlife.cluster.operating import endpoint
from satlife.cluster.operating.seen import Seen
from satlife.errors import UsageError

Seen().hear("found", "alice.desk", 1.0)
assert asyncio.run(endpoint.run_watched(asyncio.sleep(0, "done"), None, None)) == "done"
try:
    address = endpoint.Address("127.0.0.1", 0)
    asyncio.run(endpoint.run_watched(asyncio.sleep(0), None, address))
except UsageError as error:
    print(error)
"""


def test_without_the_library_everything_is_there_but_metrics() -> None:
    words = [sys.executable, "-c", WITHOUT]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    hint = f"--metrics needs prometheus-client: {how_to_install('cluster')}\n"
    assert (ran.stdout, ran.stderr) == (hint, "")


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /readyz HTTP/1.1", b"503 "),
        (b"GET /metrics?x=1 HTTP/1.1", b"200 "),
        (b"GET /etc/passwd HTTP/1.1", b"404 "),
        (b"POST /metrics HTTP/1.1", b"405 "),
        (b"", b"405 "),
        (b"\xff\x00 \xff", b"405 "),
    ],
)
def test_only_three_pages_are_there(line: bytes, status: bytes) -> None:
    assert answer(Watched(), line).startswith(b"HTTP/1.1 " + status)


def test_a_head_has_no_body() -> None:
    assert answer(Watched(), b"HEAD /metrics HTTP/1.0").endswith(b"\r\n\r\n")


def test_clients_that_say_nothing_or_too_much_do_no_harm() -> None:
    async def scene() -> None:
        async with serving(Watched(), Address("127.0.0.1", 0)) as port:
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /metrics HTTP/1.1\r\n" + b"x: y\r\n" * 5000)
            assert await reader.read() == b""
            writer.close()
            text = await asyncio.to_thread(get, port, "/healthz")
            assert text[0] == 200
            with pytest.raises(UsageError, match=r"cannot listen at 127\.0\.0\.1"):
                async with serving(Watched(), Address("127.0.0.1", port)):
                    pass
            for _, each in silent:
                each.close()

    asyncio.run(scene())


@pytest.mark.parametrize("text", ["", "x", "1:2:x", "host:99999", "http://a:1", "a b:1", "-1"])
def test_what_is_not_an_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a place to listen at"):
        read_address(text)
