"""A real nats-server of one's own, that can be killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy" / "nats"

PASSWORDS = {
    "SATLIFE_RECORDER_PASSWORD": "records",
    "SATLIFE_WORKER_PASSWORD": "works",
    "SATLIFE_CHECKER_PASSWORD": "checks",
}


def server_program() -> str:
    found = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin")
    assert found, "these tests need nats-server (Debian: apt-get install nats-server)"
    return found


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Broker:
    """One nats-server with file storage."""

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        host: str = "127.0.0.1",
        words: Sequence[str] = (),
        before: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        free, self.edge = free_ports(2)
        """The second is the port of its dispatcher."""
        self.host, self.port = host, port or free
        self.words, self.before = list(words), list(before)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://{self.host}:{self.port}"

    def start(self, wait: bool = True) -> None:
        words = self.words or ["-js", "-sd", str(self.folder / "jetstream")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self.before, server_program(), "-a", self.host, "-p", str(self.port), *words],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                env=os.environ | PASSWORDS,
            )
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process is not None
            if self.process.poll() is not None:
                break
            if "Server is ready" in self.log().rpartition("Starting nats-server")[2]:
                return
            time.sleep(0.02)
        raise AssertionError(f"nats-server did not start:\n{self.log()}")

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def kill(self) -> None:
        """As a power cut would."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None


@contextmanager
def broker(folder: Path, **words: object) -> Iterator[Broker]:
    one = Broker(folder, **words)  # type: ignore[arg-type]
    one.start()
    try:
        yield one
    finally:
        one.stop()


def make_certificates(folder: Path) -> Path:
    """An authority and a server's certificate for this machine; return the authority's file."""
    certs = folder / "certs"
    certs.mkdir(parents=True)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    for words in (
        [
            *("-subj", "/CN=satlife test authority", "-keyout", "ca.key", "-out", "ca.pem"),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        ],
        [
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-addext", "basicConstraints=critical,CA:FALSE"),
            *("-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "server.key", "-out", "server.pem"),
        ],
    ):
        subprocess.run(
            ["openssl", "req", "-x509", *key, *words], cwd=certs, check=True, capture_output=True
        )
    return certs / "ca.pem"


@contextmanager
def plain_broker(folder: Path) -> Iterator[Broker]:
    """A server with the accounts that we ship, without TLS."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(DEPLOY / "accounts.conf", folder)
    text = 'max_payload: 1MB\njetstream { store_dir: "jetstream" }\ninclude "accounts.conf"\n'
    (folder / "main.conf").write_text(text, encoding="utf-8")
    with broker(folder, words=["-c", "main.conf"]) as one:
        yield one


@contextmanager
def guarded_broker(folder: Path) -> Iterator[tuple[Broker, Path]]:
    """A server with the configuration that we ship: TLS, accounts, permissions."""
    authority = make_certificates(folder)
    for name in ("satlife.conf", "tls.conf", "accounts.conf"):
        shutil.copy(DEPLOY / name, folder)
    with broker(folder, host="127.0.0.1", words=["-c", "satlife.conf"]) as one:
        yield one, authority
