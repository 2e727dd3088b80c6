"""A real server for tests: ``satlife serve`` in a process of its own, and a client for it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.patience import PATIENCE


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Server:
    """A server that runs, and how to speak with it."""

    address: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 0

    @property
    def token(self) -> str:
        return parse_qs(urlsplit(self.address).query)["token"][0]

    def ask(
        self,
        method: str,
        path: str,
        content: Any = None,
        *,
        raw: bytes | None = None,
        **headers: str,
    ) -> Answer:
        """Send a request with the token; headers are written with underscores."""
        sent = {"Authorization": f"Bearer {self.token}"}
        body = raw if raw is not None else None if content is None else json.dumps(content).encode()
        if body is not None:
            sent["Content-Type"] = "application/json"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {k: v for k, v in sent.items() if v})
            answer = connection.getresponse()
            return Answer(
                answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
            )
        finally:
            connection.close()

    def search(self, kind: str, *, goal: str = "find", seconds: float = 60, **values: Any) -> str:
        """Start a search and return its id."""
        content = {
            "question": {"kind": kind, "values": values},
            "goal": goal,
            "seconds": seconds,
        }
        answer = self.ask("POST", "/api/jobs", content)
        assert answer.status == 202, answer.body
        return answer.json()["id"]

    def events(self, job: str, after: int = 0) -> list[tuple[int, str, Any]]:
        """Listen to a job until its end."""
        answer = self.ask("GET", f"/api/jobs/{job}/events", Last_Event_ID=str(after))
        return list(read_events(answer.body.decode()))

    def end(self, job: str) -> dict[str, Any]:
        """Wait for the end of a job, and return what was said there."""
        return self.events(job)[-1][2]

    def memory(self) -> int:
        """Bytes that the server has in memory now (Linux)."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")


def read_events(text: str) -> Iterator[tuple[int, str, Any]]:
    for block in text.split("\n\n"):
        fields = dict(
            line.split(": ", 1) for line in block.splitlines() if not line.startswith(":")
        )
        if "data" in fields:
            yield int(fields["id"]), fields["event"], json.loads(fields["data"])


@contextmanager
def serving(folder: Path, *words: str, port: int = 0) -> Iterator[Server]:
    """Run a server with its history in a folder."""
    command = [sys.executable, "-m", "satlife", "serve", "--no-browser", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--ledger", str(folder / "page.db"), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address, process.stderr and process.stderr.read()
        yield Server(address, process)
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
