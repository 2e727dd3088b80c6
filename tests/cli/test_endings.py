"""How commands end when something outside goes wrong: one line, the right code, no traceback."""

from __future__ import annotations

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import BIN, run

COMMANDS = [
    ["sat-life-grid", "50", "50", "83"],
    ["satlife", "knuth", "sat-life-grid", "50", "50", "83"],
    ["satlife", "knuth", "sat-life-grid", "50", "50", "20", "--format", "dimacs"],
]
posix = pytest.mark.skipif(os.name == "nt", reason="signals and /dev/full are of POSIX")


def start(command: list[str], **options: object) -> subprocess.Popen[bytes]:
    name, *arguments = command
    return subprocess.Popen([str(BIN / name), *arguments], **options)  # type: ignore[call-overload,no-any-return]


@posix
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_broken_pipe_ends_silently(command: list[str]) -> None:
    with start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(1000)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 141


@posix
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_told_in_one_line(command: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start(command, stdout=full, stderr=subprocess.PIPE)
        errors = process.communicate(timeout=30)[1].decode()
    assert process.returncode == 2
    assert errors.splitlines() == [f"{command[0]}: No space left on device"]


@posix
def test_a_file_that_cannot_be_written() -> None:
    done = run("satlife", "knuth", "sat-life-grid", "3", "3", "1", "-o", "/no/such/folder/x.cnf")
    assert done.returncode == 2
    assert done.stderr == b"satlife: /no/such/folder/x.cnf: No such file or directory\n"


@posix
def test_interrupted_while_printing() -> None:
    read, write = os.pipe()  # nobody reads, so it prints until the pipe is full, and waits
    process = start(["sat-life-grid", "50", "50", "83"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.stderr
    assert process.wait(5) == 130
    assert process.stderr.read() == b"sat-life-grid: interrupted\n"
    process.stderr.close()
    os.close(read)


@posix
def test_interrupted_while_solving_leaves_no_process(tmp_path: Path) -> None:
    formula = tmp_path / "hard.sat"
    formula.write_bytes(run("sat-life-grid-spaceships", "16", "16", "5", "1").stdout)
    process = start(["satlife", "solve", str(formula)], stderr=subprocess.PIPE)
    time.sleep(2)
    children = children_of(process.pid)
    assert children
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    errors = process.communicate(timeout=5)[1]
    assert process.returncode == 130
    assert time.monotonic() - begun < 1.5
    assert errors == b"satlife: interrupted\n"
    assert not [pid for pid in children if is_running(pid)]


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task")
    if not tasks.exists():
        pytest.skip("needs /proc to see the child")
    lists = [path.read_text().split() for path in tasks.glob("*/children")]
    return [int(child) for words in lists for child in words]


def is_running(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state != "Z"
    return False


@posix
def test_help_is_fast() -> None:
    """Help must not import what it does not need: CPU time, as a ratio to Python with click."""
    empty, helped = [], []
    for _ in range(5):
        empty.append(cpu_seconds([sys.executable, "-c", "import click"]))
        helped.append(cpu_seconds([str(BIN / "satlife"), "--help"]))
    assert statistics.median(helped) < 2 * statistics.median(empty) + 0.05


def cpu_seconds(command: list[str]) -> float:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["satlife", "nothing"], "No such command 'nothing'"),
        (["satlife", "knuth", "sat-life-gird", "3", "3", "1"], "No such command 'sat-life-gird'"),
        (["satlife", "knuth", "sat-life-grid", "3", "x", "1"], "'x' is not a valid integer"),
        (["satlife", "knuth", "sat-life-grid", "3", "3", "99"], "between 0 and 83 (not 99)"),
        (["satlife", "convert", "--to", "tex"], "no format 'tex' for patterns"),
    ],
)
def test_wrong_use_is_code_2_without_a_traceback(command: list[str], words: str) -> None:
    done = run(*command, stdin=b"3o!")
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
