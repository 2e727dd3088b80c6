"""The best, all, and not that one again, as a person types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from satlife.life import Pattern
from tests.cli.running import BIN, run
from tests.patience import at_limit


def has_printed(done: subprocess.CompletedProcess[bytes]) -> bool:
    return bool(done.stdout)


def test_the_best_is_printed_and_proved() -> None:
    done = run("satlife", "still-life", "--box", "5x5", "--maximize", "population")
    assert done.returncode == 0
    assert b"so far: population" in done.stderr
    assert b"best: most population 16 (proved)" in done.stderr
    assert b"rule = B3/S23" in done.stdout


def test_an_unproved_best_is_code_3_and_printed() -> None:
    command = ["still-life", "--box", "16x16", "--maximize", "population", "--timeout"]
    done = at_limit(lambda limit: run("satlife", *command, f"{limit:g}"), has_printed)
    assert done.returncode == 3
    assert b"not proved best: time limit" in done.stderr
    assert b"rule = B3/S23" in done.stdout


def test_growing() -> None:
    done = run("satlife", "ship", "c/4d", "--box", "2x2", "--grow", "both")
    assert done.returncode == 0
    assert b"impossible in 2x2\nimpossible in 3x2\n" in done.stderr
    assert b"#N glider" in done.stdout


def test_all_and_its_report() -> None:
    done = run("satlife", "still-life", "--box", "3x3", "--all")
    assert done.returncode == 0
    assert done.stdout.count(b"rule = B3/S23") == 4
    assert b"4 found (all); left out: 7 more by shift, mirror, turn or phase" in done.stderr


def test_none_of_them_is_code_1() -> None:
    done = run("satlife", "ship", "c/4d", "--box", "3x3", "--all")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"0 found (all)\n"


def test_a_file_gets_all_of_them(tmp_path: Path) -> None:
    file = tmp_path / "all.rle"
    run("satlife", "still-life", "--box", "3x3", "--all", "-o", str(file))
    assert file.read_text().count("rule = B3/S23") == 4


def test_continue(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    common = ("still-life", "--box", "4x4", "--continue", str(file), "--count", "-q")
    assert run("satlife", *common, "--limit", "5").stdout == b"5\n"
    assert json.loads(file.read_text())["complete"] is False
    done = run("satlife", *common[:-1])
    assert done.stdout == b"13\n"
    assert b"13 found (all; 5 of them before)" in done.stderr
    assert json.loads(file.read_text())["complete"] is True
    done = run("satlife", *common, "--json")
    record = json.loads(done.stdout)
    assert done.returncode == 0
    assert (record["found"], record["before"], record["complete"]) == (13, 13, True)
    other = run("satlife", "still-life", "--box", "5x5", "--continue", str(file), "--count")
    assert other.returncode == 2
    assert b"belongs to another problem" in other.stderr


def test_reject_by_code_and_by_file(tmp_path: Path) -> None:
    block = tmp_path / "block.rle"
    block.write_text("2o$2o!")
    every = run("satlife", "still-life", "--box", "3x3", "--count", "-q").stdout
    for what in ("xs4_33", str(block)):
        command = ("still-life", "--box", "3x3", "--reject", what, "--count", "-q")
        assert int(run("satlife", *command).stdout) == int(every) - 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--minimize", "beauty"), "beauty"),
        (("--reject", "no-such-thing"), "cannot be rejected; give a pattern file"),
        (("--maximize", "population", "--all"), "cannot be combined with"),
        (("--minimize", "population", "--solver", "kissat"), "use cadical"),
    ],
)
def test_wrong_use(options: tuple[str, ...], words: str) -> None:
    done = run("satlife", "still-life", "--box", "3x3", *options)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr


ENDLESS = ("still-life", "--box", "12x12", "--count", "--raw")


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
@pytest.mark.parametrize("as_json", [False, True])
def test_a_count_that_is_interrupted_prints_what_it_has(tmp_path: Path, as_json: bool) -> None:
    journal = tmp_path / "found.json"
    words = [*ENDLESS, "--continue", str(journal), *(["--json"] if as_json else [])]
    process = subprocess.Popen(
        [str(BIN / "satlife"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        until = time.monotonic() + 60
        while not journal.exists() and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    found = len(json.loads(journal.read_text())["found"])
    assert found > 0
    if as_json:
        record = json.loads(output)
        assert (record["found"], record["complete"]) == (found, False)
        assert record["state"] == "unfinished: stopped by Ctrl-C"
    else:
        assert output == f"{found}\n".encode()
        assert f"{found} found so far (unfinished: stopped by Ctrl-C)" in errors.decode()
    assert errors.decode().endswith("satlife: interrupted\n")


def test_a_count_that_runs_out_of_time_says_so() -> None:
    done = at_limit(
        lambda limit: run("satlife", *ENDLESS, "--timeout", f"{limit:g}"),
        lambda done: int(done.stdout) > 0,
    )
    assert done.returncode == 3
    assert int(done.stdout) > 0
    assert f"{int(done.stdout)} found so far (unfinished: time limit)" in done.stderr.decode()
    record = json.loads(run("satlife", *ENDLESS, "--timeout", "2", "--json").stdout)
    assert (record["complete"], record["state"]) == (False, "unfinished: time limit")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("oscillator", "2", "--box", "4x4", "--same", "rotor"), b"--same needs --all"),
        (("ship", "c/4d", "--box", "4x4", "--all", "--same", "rotor"), b"needs an oscillator"),
        (("oscillator", "2", "--box", "4x4", "--all", "--raw", "--same", "rotor"), b"raw counts"),
    ],
)
def test_the_same_rotor_is_refused_where_it_means_nothing(
    words: tuple[str, ...], complaint: bytes
) -> None:
    done = run("satlife", *words)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_another_phase_than_the_one_that_is_said_is_named() -> None:
    """Where the box is full, the ship of the phase that is said does not fit there."""
    done = run("satlife", "ship", "2c/4", "--box", "5x6", "--on", "2,5", "--minimize", "population")
    said = done.stderr.decode()
    match = re.search(r"least population@least (\d+) \(proved\)", said)
    assert match
    value = int(match[1])
    cells = Pattern.from_rle(done.stdout.decode()).population
    assert (cells == value) != (
        "the pattern is generation 0, since no other phase fits there" in said
    )
