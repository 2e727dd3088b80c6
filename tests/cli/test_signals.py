"""Signals to a command, and to the solver that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.running import BIN, HUP
from tests.cli.test_endings import posix
from tests.cli.test_prove import EDEN
from tests.patience import PATIENCE
from tests.processes import children, is_running, wait_for_children

pytestmark = posix

PROOF = ("oscillator", "3", "--box", "12x12", "--population", "<=11", "--prove", "proof")
"""Takes minutes."""
LONG = {
    "search": ("ship", "c/5", "--box", "14x14"),
    "race": ("ship", "c/5", "--box", "14x14", "--jobs", "2"),
    "all": ("oscillator", "5", "--box", "14x14", "--all"),
    "best": ("still-life", "--box", "16x16", "--maximize", "population"),
    "grow": ("ship", "c/5", "--box", "12x12", "--grow", "both"),
    "proof": PROOF,
    "proof-by-cadical": (*PROOF, "--solver", "cadical"),
    "cubes": (*PROOF, "--cubes", "4", "--jobs", "2"),
}


def start(*command: str, folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(BIN / command[0]), *command[1:]],
        stdin=subprocess.PIPE,  # so that whoever reads it waits
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder), **environment},
    )


@pytest.mark.parametrize(
    ("what", "number"),
    [*((what, signal.SIGTERM) for what in LONG), ("race", HUP), ("proof", HUP)],
)
def test_a_search_that_is_ended_tidies_up(
    what: str, number: signal.Signals, tmp_path: Path
) -> None:
    process = start("satlife", *LONG[what], folder=tmp_path)
    children = wait_for_children(process)
    process.send_signal(number)
    process.send_signal(number)  # the second one does not disturb the tidying
    words = process.communicate(timeout=PATIENCE)[1].decode()
    assert process.returncode == 128 + number
    assert words.splitlines()[-1] == f"satlife: ended by {number.name}"
    assert "Traceback" not in words
    assert not [pid for pid in children if is_running(pid)]
    assert list(tmp_path.iterdir()) == []


def test_a_search_goes_on_under_nohup(tmp_path: Path) -> None:
    command = [str(BIN / "satlife"), "ship", "c/5", "--box", "14x14", "--engine", "sat"]
    process = subprocess.Popen(
        ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command], stderr=subprocess.PIPE
    )
    wait_for_children(process)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    words = process.communicate(timeout=PATIENCE)[1].decode().splitlines()
    assert words[0].startswith("undecided (stopped by SIGTERM): neither found nor refuted [cadical")
    assert words[1:] == ["satlife: ended by SIGTERM"]
    assert process.returncode == 143


@pytest.mark.parametrize("what", ["race", "all", "best", "grow", "proof", "cubes"])
def test_a_solver_that_is_killed_is_undecided(what: str, tmp_path: Path) -> None:
    process = start("satlife", *LONG[what], folder=tmp_path)
    words = kill_children(process)
    assert process.returncode == 3, words
    assert "solver died" in words
    assert list(tmp_path.iterdir()) == []


def kill_children(process: subprocess.Popen[bytes]) -> str:
    """Kill every child as soon as it is there."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None:
        assert time.monotonic() < deadline
        for child in children(process.pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        time.sleep(0.02)
    return process.communicate()[1].decode()


def test_shrinking_an_orphan_without_its_solver_is_undecided(tmp_path: Path) -> None:
    (tmp_path / "eden.rle").write_text(f"x = 11, y = 9\n{EDEN}\n")
    process = start("satlife", "orphan", "eden.rle", "--shrink", folder=tmp_path)
    words = kill_children(process)
    assert process.returncode == 3
    assert words == "undecided (solver died: signal 9 (SIGKILL)): neither found nor refuted\n"


LOSES_AN_INTERRUPT = """
import time, weakref

class Thing: ...

def interrupt(_):
    raise KeyboardInterrupt

def main():
    thing = Thing()
    watch = weakref.ref(thing, interrupt)
    del thing
    time.sleep(600)
"""


def test_an_interrupt_that_python_ignores_comes_again(tmp_path: Path) -> None:
    """Under load one was lost in the import machinery, and the search went on for 40 minutes."""
    (tmp_path / "loses.py").write_text(LOSES_AN_INTERRUPT)
    code = "from satlife.cli.start import start; start('satlife', 'loses', 'main')"
    command = [sys.executable, "-c", code]
    begun = time.monotonic()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "satlife: interrupted\n")
    assert time.monotonic() - begun < PATIENCE


@pytest.mark.parametrize(
    ("command", "module"),
    [
        (("satlife", "--help"), "satlife.errors"),
        (("satlife", "ship", "c/5", "--box", "14x14"), "click"),
        (("satlife", "ship", "c/5", "--box", "14x14"), "numpy"),
        (("satlife", "ship", "c/5", "--box", "14x14"), "satlife.problem"),
        (("satlife", "solve"), "satlife.sat.formula"),
        (("sat-life-grid", "50", "50", "83"), "satlife.errors"),
        (("sat-life-grid", "50", "50", "83"), "satlife.knuth.parts"),
        (("sat-life-filter",), "satlife.knuth.program"),
    ],
    ids=lambda each: each if isinstance(each, str) else " ".join(each),
)
def test_interrupted_while_starting(command: tuple[str, ...], module: str, tmp_path: Path) -> None:
    """Python tells of every import, and Ctrl-C comes in the midst of them."""
    process = start(*command, folder=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert process.stdin
    assert process.stderr
    with process.stdin, process.stderr:
        for line in process.stderr:
            if line.rpartition(b"|")[2].strip() == module.encode():
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read().decode()
    assert process.wait(PATIENCE) == 130
    words = [line for line in rest.splitlines() if not line.startswith("import time:")]
    assert words == [f"{command[0]}: interrupted"]
