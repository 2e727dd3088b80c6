"""The scripts of satlife without the time that they take to start.

Tests run thousands of commands, and each imports for 0.2 s of processor time before it begins. Here
a server imports everything once and forks for each command. In place of a script stands a client of
a few lines, which hands over its arguments, folder, environment and standard streams, waits, and
ends as the command has ended. So the command is a process of its own as ever, with real pipes and
exit codes. What tests the start itself, signals or closed streams runs the installed scripts.

    python -m tests.forked ADDRESS      serve until standard input is closed
"""

from __future__ import annotations

import atexit
import functools
import gc
import marshal
import os
import pkgutil
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib import import_module, metadata
from pathlib import Path

BIN = Path(sys.executable).parent
HEAD = struct.Struct("i")

CLIENT = """\
#!{python} -IS
import _socket, marshal, os, struct, sys
known = {known!r}  # what only a new process reads
if known != {{name: os.environ[name] for name in os.environ if name.startswith({prefixes})}}:
    os.execv({script!r}, sys.argv)
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({address!r})
body = marshal.dumps((sys.argv, os.getcwd(), dict(os.environ)))
streams = _socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("3i", 0, 1, 2)
server.sendmsg([struct.pack("i", len(body))], [streams])
server.sendall(body)
status = struct.unpack("i", server.recv(4))[0]
if status < 0:
    os.kill(os.getpid(), -status)
os._exit(status)
"""
PREFIXES = ("PYTHON", "LANG", "LC_")
"""Variables that Python reads when it starts."""


@functools.cache
def find_scripts() -> Path:
    """Return the folder of the scripts: clients of a server that this process starts."""
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return BIN
    folder = Path(tempfile.mkdtemp(prefix="satlife-scripts-"))
    address = str(folder / "server")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # nothing forks with threads
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(16)
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.forked", str(listener.fileno())],
            cwd=Path(__file__).parent.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=environment,
            pass_fds=[listener.fileno()],
        )
    assert server.wait() == 0
    known = {name: os.environ[name] for name in os.environ if name.startswith(PREFIXES)}
    for entry in metadata.distribution("satlife").entry_points:
        client = folder / entry.name
        script = str(BIN / entry.name)
        client.write_text(
            CLIENT.format(
                python=sys.executable,
                prefixes=PREFIXES,
                known=known,
                script=script,
                address=address,
            )
        )
        client.chmod(0o755)

    def end() -> None:
        assert server.stdin is not None
        server.stdin.close()
        shutil.rmtree(folder)

    atexit.register(end)
    return folder


def serve(listener: socket.socket) -> None:
    """Fork for each client, until standard input is closed; return only in a command's process."""
    while True:
        ready, _, _ = select.select([listener, 0], [], [])
        with suppress(ChildProcessError):  # those that wait for a command have ended by themselves
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if 0 in ready:
            os._exit(0)
        client, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            head, streams, _, _ = socket.recv_fds(client, HEAD.size, 3)
            body = b""
            while len(body) < HEAD.unpack(head)[0]:
                body += client.recv(1 << 20)
            if command := os.fork():
                _wait(command, client)
            client.close()
            _become(streams, *marshal.loads(body))
            return
        client.close()


def _wait(command: int, client: socket.socket) -> None:
    """Tell the client how the command ends; end the command if the client is gone."""
    ended = os.pidfd_open(command)
    ready, _, _ = select.select([ended, client], [], [])
    if ended not in ready:
        os.kill(command, signal.SIGKILL)
    _, status = os.waitpid(command, 0)
    if ended in ready:
        client.sendall(HEAD.pack(os.waitstatus_to_exitcode(status)))
    os._exit(0)


def _become(streams: list[int], words: list[str], folder: str, environment: dict[str, str]) -> None:
    """Take over what the client has given."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.dup2(streams[number], number)
        os.close(streams[number])
        old = getattr(sys, name)  # knows whether it can seek, and other things that have changed
        buffering = 1 if name == "stderr" or os.isatty(number) else -1
        new = os.fdopen(number, old.mode, buffering, old.encoding, old.errors, closefd=False)
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = words


def main(listener: int) -> None:
    """Import satlife, serve, and run a command in the process that has forked for it."""
    satlife = import_module("satlife")
    for module in pkgutil.walk_packages(satlife.__path__, "satlife."):
        if not module.name.rpartition(".")[2].startswith("_"):  # programs of their own
            import_module(module.name)
    gc.freeze()
    if os.fork():
        os._exit(0)  # who serves is no child of the tests, which look at theirs
    sys.path.pop(0)  # the folder of the project, which a script does not have
    serve(socket.socket(fileno=listener))
    name = Path(sys.argv[0]).name
    (entry,) = metadata.distribution("satlife").entry_points.select(name=name)
    sys.exit(entry.load()())


if __name__ == "__main__":
    main(int(sys.argv[1]))
