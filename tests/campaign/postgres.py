"""A real PostgreSQL of one's own, that can be killed and started again."""

from __future__ import annotations

import itertools
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.patience import PATIENCE
from tests.processes import descendants

USER = "satlife"


def find_program(name: str) -> str:
    """The programs of Debian's package are not on the path."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    places = os.pathsep.join([*map(str, homes), os.environ.get("PATH", "")])
    found = shutil.which(name, path=places)
    assert found, f"these tests need {name} (Debian: apt-get install postgresql)"
    return found


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class PostgresServer:
    """A server on a free port of 127.0.0.1, with a data folder of its own.

    The folder is not pytest's: PostgreSQL refuses to run as root, and the user that it runs as
    instead cannot look into root's folders.
    """

    def __init__(self, *settings: str) -> None:
        self._settings = settings
        self._port = _free_port()
        self._password = secrets.token_hex(8)
        self._user = "postgres" if hasattr(os, "geteuid") and os.geteuid() == 0 else None
        self._folder = Path(tempfile.mkdtemp(prefix="satlife-postgres-"))
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._make_data()
        except BaseException:
            shutil.rmtree(self._folder)
            raise

    def _make_data(self) -> None:
        if self._user:
            shutil.chown(self._folder, self._user)
        word = self._folder / "password"
        word.write_text(self._password)
        word.chmod(0o644)
        words = ["--auth=scram-sha-256", f"--pwfile={word}", f"--username={USER}", "--no-sync"]
        subprocess.run(
            [find_program("initdb"), f"--pgdata={self._data}", "--no-locale", "-EUTF8", *words],
            check=True,
            cwd=self._folder,
            user=self._user,
            stdout=subprocess.DEVNULL,
        )

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def url(self) -> str:
        """The address of the database ``postgres``."""
        return f"postgresql://{USER}:{self._password}@127.0.0.1:{self._port}/postgres"

    def new_ledger(self) -> str:
        """The address of an empty schema."""
        schema = f"ledger_{os.getpid()}_{next(self._numbers)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        return f"{self.url}?options=-csearch_path%3D{schema}"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self, *, wait: bool = True) -> None:
        """Start it, or start it again."""
        settings = ("unix_socket_directories=", "listen_addresses=127.0.0.1", *self._settings)
        until = time.monotonic() + 60
        while True:
            with (self._folder / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    [
                        *(find_program("postgres"), "-D", str(self._data), "-p", str(self._port)),
                        *(word for setting in settings for word in ("-c", setting)),
                    ],
                    cwd=self._folder,
                    user=self._user,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            if not wait or self._is_up(until):
                return
            # Children of a server that was killed may still hold its memory for a moment.
            assert time.monotonic() < until, (self._folder / "log").read_text()
            time.sleep(0.1)

    def _is_up(self, until: float) -> bool:
        assert self._process is not None
        while self._process.poll() is None and time.monotonic() < until:
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
                return True
            except psycopg.OperationalError:
                time.sleep(0.05)
        return False

    def restart_if_down(self) -> None:
        """Start it again if it does not answer, as after a full disk."""
        if not self._is_up(time.monotonic() + 60):
            self.kill()
            self.start()

    def kill(self) -> None:
        """End it as a failure of power would, with all its processes."""
        below = [] if self._process is None else descendants(self._process.pid)
        self._end(signal.SIGKILL)
        for pid in below:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """End it at once, but in order."""
        self._end(signal.SIGINT)

    def _end(self, how: int) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def close(self) -> None:
        """Stop it and remove its folder."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
            for _ in range(50):  # the last children of a killed server still write
                if not self._folder.exists():
                    break
                time.sleep(0.1)
                shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> PostgresServer:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
