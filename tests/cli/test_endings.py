"""How commands end when something outside goes wrong: one line, the right code, no traceback."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import BIN, run
from tests.patience import PATIENCE
from tests.processes import is_running, wait_for_children

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
        assert process.wait(PATIENCE) == 141


@posix
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_told_in_one_line(command: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start(command, stdout=full, stderr=subprocess.PIPE)
        errors = process.communicate(timeout=PATIENCE)[1].decode()
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
    assert select.select([read], [], [], 60)[0], "it prints"
    process.send_signal(signal.SIGINT)
    assert process.stderr
    assert process.wait(PATIENCE) == 130
    assert process.stderr.read() == b"sat-life-grid: interrupted\n"
    process.stderr.close()
    os.close(read)


@posix
def test_interrupted_while_solving_leaves_no_process(tmp_path: Path) -> None:
    formula = tmp_path / "hard.sat"
    formula.write_bytes(run("sat-life-grid-spaceships", "16", "16", "5", "1").stdout)
    process = start(
        ["satlife", "solve", str(formula)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        children = wait_for_children(process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130
    assert errors == b"satlife: undecided: stopped by Ctrl-C\nsatlife: interrupted\n"
    assert output == b""  # in the language of Knuth's solvers; in DIMACS, s UNKNOWN
    assert not [pid for pid in children if is_running(pid)]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["satlife", "nothing"], "No such command 'nothing'"),
        (["satlife", "knuth", "sat-life-gird", "3", "3", "1"], "No such command 'sat-life-gird'"),
        (["satlife", "knuth", "sat-life-grid", "3", "x", "1"], "'x' is not a valid integer"),
        (["satlife", "knuth", "sat-life-grid", "3", "3", "99"], "between 0 and 83 (not 99)"),
        (["satlife", "convert", "--to", "tex"], "no format 'tex'; one of life105"),
    ],
)
def test_wrong_use_is_code_2_without_a_traceback(command: list[str], words: str) -> None:
    done = run(*command, stdin=b"3o!")
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr


GLIDER = "bo$2bo$3o!"
PRINTING = [
    ["--help"],
    ["--version"],
    ["ship", "c/4d", "--box", "4x4"],
    ["oscillator", "2", "--box", "3x3", "--all"],
    ["still-life", "--box", "3x3", "--minimize", "population"],
    ["ship", "c/4d", "--box", "4x4", "--grow", "both"],
    ["orphan", "glider.rle"],
    ["cnf", "ship", "c/4d", "--box", "4x4"],
    ["solve", "one.cnf"],
    ["convert", "glider.rle", "--to", "plaintext"],
    ["identify", "glider.rle"],
    ["catalogue"],
    ["list", "solvers"],
    ["doctor"],
    ["knuth", "sat-life-grid", "3", "3", "1"],
    ["campaign", "--help"],
]
"""Commands that print on standard output."""


def run_closed(folder: Path, redirection: str, *command: str) -> subprocess.CompletedProcess[bytes]:
    (folder / "glider.rle").write_text(GLIDER)
    (folder / "one.cnf").write_text("p cnf 2 1\n1 2 0\n")
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *command],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=60,
    )


@posix
@pytest.mark.parametrize("command", PRINTING, ids=" ".join)
def test_a_closed_standard_output_is_told_in_one_line(command: list[str], tmp_path: Path) -> None:
    done = run_closed(tmp_path, ">&-", str(BIN / "satlife"), *command)
    assert done.returncode == 2
    assert done.stderr == b"satlife: standard output is closed\n"


@posix
@pytest.mark.parametrize("command", PRINTING, ids=" ".join)
def test_a_full_disk_behind_standard_output(command: list[str], tmp_path: Path) -> None:
    done = run_closed(tmp_path, ">/dev/full", str(BIN / "satlife"), *command)
    assert done.returncode == 2
    last = done.stderr.decode().splitlines()[-1]
    assert last == "satlife: No space left on device"
    assert b"Traceback" not in done.stderr


@posix
def test_a_closed_standard_output_does_not_matter_to_a_file(tmp_path: Path) -> None:
    search = ["ship", "c/4d", "--box", "4x4", "-q", "-o", "found.rle"]
    done = run_closed(tmp_path, "<&- >&- 2>&-", str(BIN / "satlife"), *search)
    assert done.returncode == 0
    found = (tmp_path / "found.rle").read_text()
    assert found.startswith("#N glider\n")
    assert found.endswith("!\n")


@posix
@pytest.mark.parametrize(
    "command",
    [["satlife", "solve"], ["satlife", "convert"], ["satlife", "identify"],
     ["satlife", "orphan", "-"], ["satlife", "knuth", "sat-life", "1"],
     ["sat-life", "1"], ["sat-life-filter"]],
    ids=" ".join,
)  # fmt: skip
def test_a_closed_standard_input_is_told_in_one_line(command: list[str], tmp_path: Path) -> None:
    name, *arguments = command
    done = run_closed(tmp_path, "<&-", str(BIN / name), *arguments)
    assert done.returncode == 2
    assert done.stderr.decode() == f"{name}: standard input is closed\n"


@posix
@pytest.mark.parametrize("command", [*PRINTING[:4], ["nothing"]], ids=" ".join)
def test_a_closed_standard_error_changes_nothing_else(command: list[str], tmp_path: Path) -> None:
    silent = run_closed(tmp_path, "2>&-", str(BIN / "satlife"), *command)
    spoken = run_closed(tmp_path, "", str(BIN / "satlife"), *command)
    assert silent.returncode == spoken.returncode
    assert len(silent.stdout.splitlines()) == len(spoken.stdout.splitlines())


@posix
def test_a_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "satlife", "--version"], capture_output=True, check=True
    )
    assert done.stdout == run("satlife", "--version").stdout


GOOD = ("still-life", "--box", "3x3", "--maximize", "population")


@pytest.mark.parametrize(
    ("option", "target", "words"),
    [
        ("-o", ".", "satlife: . is a folder; name a file in it"),
        ("-o", "folder.svg", "satlife: folder.svg is a folder; name a file in it"),
        ("-o", "none/f", "satlife: none/f cannot be written: there is no folder none"),
        ("-o", "file/f", "satlife: file/f cannot be written: there is no folder file"),
        ("--prove", "file/f", "satlife: file/f cannot be made in "),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_search(
    option: str, target: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.svg").mkdir()
    Path("file").write_text("")
    done = run("satlife", *GOOD, option, target)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(words)
    assert b"so far" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("more", [(), ("--json",), ("--quiet",)], ids=["rle", "json", "quiet"])
def test_a_result_that_cannot_be_written_to_its_file_is_printed(more: tuple[str, ...]) -> None:
    done = run("satlife", *GOOD, "-o", "/dev/full", *more)
    assert done.returncode == 2
    assert b"B3/S23" in done.stdout
    words = "/dev/full: No space left on device; the result goes to standard output instead"
    assert f"satlife: {words}" in done.stderr.decode().splitlines()
