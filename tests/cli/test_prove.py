"""``--prove`` and ``satlife check``, as a person uses them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from satlife.certificates import Stage
from satlife.cli.endings import be_quiet
from satlife.cli.search.progress import PlainReport
from satlife.deadline import Deadline
from tests.cli.running import BIN, run
from tests.patience import PATIENCE, at_limit

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
    assert b"no, not an orphan" in made.stderr


def test_what_is_not_valid_ends_with_4(tmp_path: Path) -> None:
    folder = tmp_path / "p3"
    run("satlife", "oscillator", "3", "--box", "4x4", "--prove", str(folder), "--cubes", "2")
    (folder / "leaf-2.lrat.xz").unlink()
    checked = run("satlife", "check", str(folder), "-q")
    assert checked.returncode == 4
    assert b"leaf-2.lrat.xz is missing" in checked.stdout


def test_undecided_ends_with_3(tmp_path: Path) -> None:
    options = ("--prove", str(tmp_path / "x"), "--proof-size", "1K")
    made = run("satlife", "oscillator", "3", "--box", "6x6", *options)
    assert made.returncode == 3
    assert b"the proof is larger than" in made.stderr
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_all_cubes_and_leaves_nothing(tmp_path: Path) -> None:
    command = [str(BIN / "satlife"), "oscillator", "3", "--box", "7x6", "--cubes", "4"]
    command += ["--jobs", "2", "--prove", str(tmp_path / "cut")]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + PATIENCE
        while not list(tmp_path.glob(".satlife-*/case-*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, words
    assert list(tmp_path.iterdir()) == []


HARD = ("oscillator", "3", "--box", "9x9")


def processes_with(mark: str) -> list[str]:
    """The command lines of all processes that have this word in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def run_marked(*words: str, path: str | None = None) -> tuple[int, str, float]:
    """Run satlife to its end; return the code, what it said, and the seconds; nothing is left."""
    mark = f"SATLIFE_TEST={uuid.uuid4()}"
    environ = os.environ | dict([mark.split("=", 1)]) | ({"PATH": path} if path else {})
    begun = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", "from satlife.cli.app import main; main()", *words],
        env=environ,
        capture_output=True,
        timeout=300,
        check=False,
    )
    seconds = time.monotonic() - begun
    # A shell that watches over a solver needs a moment to see that it is alone.
    while (left := processes_with(mark)) and time.monotonic() - begun < seconds + 2:
        time.sleep(0.05)
    assert left == []
    return ended.returncode, ended.stderr.decode(), seconds


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_the_time_limit_holds_for_a_proof(tmp_path: Path) -> None:
    options = ("--prove", str(tmp_path / "x"), "--timeout", "5")
    code, said, seconds = run_marked(*HARD, *options)
    assert code == 3
    # On a loaded machine five seconds may not be enough to begin.
    assert re.search(r"undecided \(time limit, while \w+", said)
    assert 4 < seconds < PATIENCE
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_the_time_limit_holds_for_building(tmp_path: Path) -> None:
    words = ("still-life", "--box", "200x200", "--prove", str(tmp_path / "x"), "--timeout", "5")
    code, said, seconds = run_marked(*words)
    assert code == 3
    assert re.search(r"undecided \(time limit, while (starting|building the formula)", said)
    assert seconds < PATIENCE
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_the_time_limit_holds_for_checking_where_drat_trim_is_missing(tmp_path: Path) -> None:
    options = ("--solver", "kissat-binary", "--prove", str(tmp_path / "x"), "--timeout")
    words = ("oscillator", "3", "--box", "5x5", "--no-break-symmetry", *options)
    code, said, _ = at_limit(
        lambda limit: run_marked(*words, f"{limit:g}", path="/usr/bin:/bin"),
        lambda ended: "could not be checked" in ended[1],
        first=8,
    )
    assert code == 3
    assert said.startswith("satlife: without drat-trim a DRAT proof takes minutes")
    assert re.search(r"proof could not be checked: step \d+: time limit; without drat-trim", said)
    assert "or let cadical write the proof" in said
    assert list(tmp_path.iterdir()) == []


def test_the_memory_limit_holds_for_building(tmp_path: Path) -> None:
    options = ("--prove", str(tmp_path / "x"), "--memory", "50M")
    code, said, _ = run_marked("still-life", "--box", "60x60", *options)
    assert code == 3
    assert "undecided (memory limit, while building the formula)" in said
    assert list(tmp_path.iterdir()) == []


def test_the_time_limit_is_for_the_search_and_the_proof_together(tmp_path: Path) -> None:
    options = ("--maximize", "population", "--prove", str(tmp_path / "x"), "--timeout", "4")
    code, _, seconds = run_marked("still-life", "--box", "9x9", *options)
    assert code == 3
    assert seconds < PATIENCE
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["/usr/bin:/bin", None])
def test_a_proof_says_what_it_does(path: str | None, tmp_path: Path) -> None:
    options = ("--prove", str(tmp_path / "p3"), "--timeout", "100")
    code, said, _ = run_marked("oscillator", "3", "--box", "5x5", *options, path=path)
    assert code == 1
    told = [line.removeprefix("satlife: ") for line in said.splitlines()[:-1]]
    starts = (
        "building the formula, ",
        "solving the formula: 972 variables, 25,869 clauses, ",
        "trimming the proof, ",
        "checking the proof: by satlife, proof ",
        "packing the proof: ",
        "writing the certificate, ",
    )
    assert all(any(line.startswith(start) for line in told) for start in starts), said
    assert all("of 100 s" in line for line in told)


def test_a_long_stage_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    be_quiet(False)  # a command before may have been
    now = 0.0
    report = PlainReport(Deadline.after(60, clock=lambda: now))
    for size in range(25):
        now += 1
        report.stage(Stage("solving the formula", f"proof {size} MB"))
    said = capsys.readouterr().err.splitlines()
    assert [line.rpartition(",")[0] for line in said] == [
        "satlife: solving the formula: proof 0 MB",
        "satlife: solving the formula: proof 10 MB",
        "satlife: solving the formula: proof 20 MB",
    ]


def test_the_parts_of_a_proof_are_numbered(tmp_path: Path) -> None:
    options = ("--prove", str(tmp_path / "p3"), "--minimize", "population", "--maximize", "rotor")
    _, said, _ = run_marked("oscillator", "2", "--box", "3x3", *options)
    for number in (1, 2):
        for doing in ("solving formula", "trimming proof", "checking proof", "packing proof"):
            assert f"satlife: {doing} {number} of 2" in said


def test_the_leaves_of_a_tree_are_counted(tmp_path: Path) -> None:
    options = ("--prove", str(tmp_path / "p3"), "--cubes", "3")
    _, said, _ = run_marked("oscillator", "3", "--box", "4x4", *options)
    assert "satlife: dividing the formula" in said
    assert "satlife: proving the leaves: 0 of 3" in said


def test_quiet_is_quiet(tmp_path: Path) -> None:
    options = ("--prove", str(tmp_path / "p3"), "-q")
    assert run_marked("oscillator", "3", "--box", "3x3", *options)[:2] == (1, "")


def test_the_limits_of_a_check(tmp_path: Path) -> None:
    folder = str(tmp_path / "p3")
    run("satlife", "oscillator", "3", "--box", "4x4", "--prove", folder, "-q")
    for option, value, reason in (
        ("--clauses", "100", b"about 21,"),
        ("--proof-size", "1K", b"the limit is 1,024"),
        ("--timeout", "0.01", b"time limit"),  # whoever looks at the clock first
        ("--memory", "1M", b"memory limit, while "),
    ):
        checked = run("satlife", "check", folder, "-q", option, value)
        assert checked.returncode == 3, checked
        assert b": not decided: " in checked.stdout
        assert reason in checked.stdout


def test_a_strangers_words_do_not_reach_the_terminal(tmp_path: Path) -> None:
    run("satlife", "oscillator", "3", "--box", "3x3", "--prove", str(tmp_path / "p3"), "-q")
    (tmp_path / "p3" / "\x1b[2J").touch()
    checked = run("satlife", "check", str(tmp_path / "p3"))
    assert checked.returncode == 4
    assert b"\x1b" not in checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("still-life", "--box", "3x3", "--cubes", "4"), b"--cubes needs --prove"),
        (
            ("still-life", "--box", "3x3", "--prove", "{}", "--all", "--cubes", "4"),
            b"not for --all",
        ),
        (("still-life", "--box", "3x3", "--prove", "{}", "--limit", "3"), b"combined with --limit"),
        (
            ("still-life", "--box", "3x3", "--prove", "{}", "--grow", "both"),
            b"combined with --grow",
        ),
        (
            ("still-life", "--box", "3x3", "--prove", "{}", "--solver", "minisat"),
            b"cannot write proofs",
        ),
        (("still-life", "--box", "3x3", "--prove", "{}", "--encoding", "direct"), b"plain formula"),
        (("still-life", "--box", "3x3", "--prove", "{}", "--save", "{}"), b"without a proof"),
        (("still-life", "--box", "3x3", "--prove", "."), b"is not empty"),
        (("check", "{}/nowhere"), b"is not a folder"),
    ],
)
def test_wrong_use_is_told(words: tuple[str, ...], message: bytes, tmp_path: Path) -> None:
    ended = run("satlife", *(word.replace("{}", str(tmp_path / "x")) for word in words))
    assert ended.returncode == 2
    assert message in ended.stderr
    assert b"Traceback" not in ended.stderr


def test_a_patch_that_forces_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pair.rle").write_text("x = 3, y = 2, rule = B8/S012\n2o$2bo!\n")
    made = run(
        "satlife",
        "forced",
        "pair.rle",
        "--shrink",
        "--prove",
        "proof",
    )
    assert made.returncode == 0
    assert b"yes, it forces itself: 2 of its 6 cells are needed" in made.stderr
    assert run("satlife", "check", "proof", "-q").stdout.startswith(b"proof: valid")
    (tmp_path / "orphan.rle").write_text("x = 1, y = 1, rule = B/S\no!\n")
    for folder, words in (("none", []), ("core", ["--shrink"])):
        made = run("satlife", "forced", "orphan.rle", *words, "--prove", folder)
        assert made.returncode == 1
        assert b"no, an orphan: nothing becomes this, so it forces nothing (proved" in made.stderr
        assert run("satlife", "check", folder, "-q").stdout == f"{folder}: valid\n".encode()


def test_the_still_life_around_a_patch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cell.rle").write_text("x = 1, y = 1, rule = B/S23\no!\n")
    made = run("satlife", "forced", "cell.rle", "--complete")
    assert made.returncode == 0
    assert made.stdout.endswith(b"o$2o!\n")
    assert b"so gliders cannot make it" in made.stderr
    none = run("satlife", "forced", "cell.rle", "--complete", "--margin", "0")
    assert none.returncode == 1
    assert b"a larger --margin may help" in none.stderr
    for words, why in (
        (["o!", "--margin", "2"], b"--margin needs --complete"),
        (["o!", "--complete", "--shrink"], b"--complete cannot be combined with --shrink"),
        (["b!", "--complete"], b"needs a patch with a live cell"),
        (["b!", "--shrink"], b"no cell of it is alive"),
        (["?!"], b"no cell of the pattern is known"),
        (["o!", "--all"], b"No such option '--all'. It is an option of"),
    ):
        refused = run("satlife", "forced", *words)
        assert refused.returncode == 2
        assert why in refused.stderr
