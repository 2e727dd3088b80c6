"""``--prove`` and ``satlife check``, as a person uses them."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.running import BIN, run

EDEN = "b9o$obo2bobobo$b2o2b4o$ob4o3bo$bo2bobobobo$o2b2o2bo$3o2b5o$2b2obobobo$ob4o2b2o!"


def test_none_is_proved_and_checked(tmp_path: Path) -> None:
    folder = str(tmp_path / "p3")
    made = run("satlife", "oscillator", "3", "--box", "4x4", "--prove", folder)
    assert made.returncode == 1
    assert f"proved, certificate in {folder}".encode() in made.stderr
    checked = run("satlife", "check", folder)
    assert checked.returncode == 0
    assert b"There is no oscillator of period 3" in checked.stdout
    assert checked.stdout.endswith(b": valid\n")
    record = json.loads(run("satlife", "check", folder, "--json").stdout)
    assert record["answer"] == "valid"
    assert "satlife" in record["checkers"]["proof"]


def test_json_names_the_certificate(tmp_path: Path) -> None:
    folder = str(tmp_path / "none")
    made = run(
        "satlife", "still-life", "--box", "2x2", "--population", "3", "--prove", folder, "--json"
    )
    assert json.loads(made.stdout)["certificate"] == folder


def test_a_found_pattern_is_printed_and_no_folder_is_left(tmp_path: Path) -> None:
    made = run("satlife", "still-life", "--box", "3x3", "--prove", str(tmp_path / "none"))
    assert made.returncode == 0
    assert b"rule = B3/S23" in made.stdout
    assert list(tmp_path.iterdir()) == []


def test_best_and_all(tmp_path: Path) -> None:
    for name, options in {"best": ("--maximize", "population"), "all": ("--all",)}.items():
        folder = str(tmp_path / name)
        made = run("satlife", "still-life", "--box", "4x4", *options, "--prove", folder)
        assert made.returncode == 0, made.stderr
        assert run("satlife", "check", folder, "-q").stdout == f"{folder}: valid\n".encode()


def test_an_orphan_is_shrunk(tmp_path: Path) -> None:
    (tmp_path / "eden.rle").write_text(f"x = 11, y = 9\n{EDEN}\n")
    made = run("satlife", "orphan", str(tmp_path / "eden.rle"), "--shrink")
    assert made.returncode == 0
    assert b"89 of its 99 cells" in made.stderr
    assert made.stdout.count(b"?") >= 7
    (tmp_path / "glider.rle").write_text("bo$2bo$3o!\n")
    made = run("satlife", "orphan", str(tmp_path / "glider.rle"), "--shrink")
    assert made.returncode == 1
    assert b"not an orphan" in made.stderr


def test_what_is_not_valid_ends_with_4(tmp_path: Path) -> None:
    folder = tmp_path / "p3"
    run("satlife", "oscillator", "3", "--box", "4x4", "--prove", str(folder), "--cubes", "2")
    (folder / "cube-2.lrat.xz").unlink()
    checked = run("satlife", "check", str(folder), "-q")
    assert checked.returncode == 4
    assert b"cube-2: there is no proof of it" in checked.stdout


def test_undecided_ends_with_3(tmp_path: Path) -> None:
    options = ("--prove", str(tmp_path / "x"), "--proof-size", "1K")
    made = run("satlife", "oscillator", "3", "--box", "6x6", *options)
    assert made.returncode == 3
    assert b"proof larger than" in made.stderr
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_all_cubes_and_leaves_nothing(tmp_path: Path) -> None:
    command = [str(BIN / "satlife"), "oscillator", "3", "--box", "7x6", "--cubes", "4"]
    command += ["--jobs", "2", "--prove", str(tmp_path / "cut")]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob(".satlife-*/cube-2")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=20)
    assert process.returncode == 130, words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("still-life", "--box", "3x3", "--cubes", "4"), b"--cubes goes with --prove"),
        (
            ("still-life", "--box", "3x3", "--prove", "{}", "--all", "--cubes", "4"),
            b"not with --all",
        ),
        (("still-life", "--box", "3x3", "--prove", "{}", "--limit", "3"), b"go with --limit"),
        (("still-life", "--box", "3x3", "--prove", "{}", "--grow", "both"), b"go with --grow"),
        (
            ("still-life", "--box", "3x3", "--prove", "{}", "--solver", "minisat"),
            b"writes no proofs",
        ),
        (("still-life", "--box", "3x3", "--prove", "{}", "--encoding", "direct"), b"plain formula"),
        (("still-life", "--box", "3x3", "--prove", "."), b"is not empty"),
        (("check", "{}/nowhere"), b"is no folder"),
    ],
)
def test_wrong_use_is_told(words: tuple[str, ...], message: bytes, tmp_path: Path) -> None:
    ended = run("satlife", *(word.replace("{}", str(tmp_path / "x")) for word in words))
    assert ended.returncode == 2
    assert message in ended.stderr
    assert b"Traceback" not in ended.stderr
