"""What a search has found is written, whatever ends it; and one line says what was tried."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from satlife import Undecided, still_life
from satlife.cli import endings
from satlife.cli.endings import Stopping, Terminated, stopping
from satlife.cli.search.proofs import _finish
from satlife.cli.search.report import Output
from tests.cli.running import BIN, HUP, run
from tests.cli.test_endings import posix
from tests.patience import PATIENCE, at_limit
from tests.processes import wait_for_children

BEST = ("still-life", "--box", "12x12", "--maximize", "population")
PARTIALS = ("ship", "c/6", "--box", "13x*", "--symmetry", "D2v", "--partials", "2")
ALL = ("still-life", "--box", "7x7", "--all")
WORDS = {
    signal.SIGINT: ("stopped by Ctrl-C", "satlife: interrupted"),
    signal.SIGTERM: ("stopped by SIGTERM", "satlife: ended by SIGTERM"),
    HUP: ("stopped by SIGHUP", "satlife: ended by SIGHUP"),
}


def has_found(done: subprocess.CompletedProcess[bytes]) -> bool:
    return b'"answer":"found"' in done.stdout


def run_until(
    what: str, *words: str, numbers: tuple[int, ...] = (signal.SIGINT,)
) -> tuple[int, str, str]:
    """Run a command until it has said something, then send signals; return code and outputs."""
    process = subprocess.Popen(
        [str(BIN / "satlife"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stderr
    output: list[str] = []
    reader = threading.Thread(target=lambda: output.extend(process.stdout or ()), daemon=True)
    reader.start()
    said = ""
    late = threading.Timer(100, process.kill)
    late.start()
    with process:
        for line in process.stderr:
            said += line
            if what in line:
                break
        for number in numbers:
            process.send_signal(number)
        said += process.stderr.read()
        reader.join()
    late.cancel()
    return process.returncode, "".join(output), said


@posix
@pytest.mark.parametrize(
    "numbers",
    [(signal.SIGINT,), (signal.SIGINT, signal.SIGINT), (signal.SIGTERM,), (HUP,)],
    ids=["Ctrl-C", "as timeout -s INT sends it", "SIGTERM", "SIGHUP"],
)
def test_the_best_so_far_is_printed(numbers: tuple[signal.Signals, ...]) -> None:
    code, output, said = run_until("so far: population", *BEST, numbers=numbers)
    why, last = WORDS[numbers[0]]
    assert code == 128 + numbers[0]
    best = re.findall(r"so far: population (\d+)", said)[-1]
    assert f"still life, {best} cells" in output
    assert f"best: most population {best} (not proved best: {why}): " in said
    assert re.search(
        r"\[cadical, columns, [\d,]+ clauses, .*[\d.]+ s by the clock\]$", said, re.MULTILINE
    )
    assert said.splitlines()[-1] == last


@posix
def test_the_best_so_far_goes_into_a_file_and_a_record(tmp_path: Path) -> None:
    file = tmp_path / "best.rle"
    code, output, _ = run_until("so far: population", *BEST, "-o", str(file))
    assert (code, output) == (130, "")
    assert "rule = B3/S23" in file.read_text()
    process = subprocess.Popen([str(BIN / "satlife"), *BEST, "--json"], stdout=subprocess.PIPE)
    wait_for_children(process)  # nothing is said that one could wait for
    process.send_signal(signal.SIGINT)
    record = json.loads(process.communicate(timeout=PATIENCE)[0])
    assert process.returncode == 130
    assert record["answer"] in ("found", "undecided")  # mostly found
    assert record.get("proved", False) is False


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_everything_found_is_printed_once_and_counted(number: signal.Signals) -> None:
    code, output, said = run_until("found: ", *ALL, numbers=(number, number))
    assert code == 128 + number
    codes = re.findall(r"^#C (xs\S+):", output, re.MULTILINE)
    counted = re.search(r"^(\d+) found so far \(unfinished: stopped by", said, re.MULTILINE)
    assert counted is not None
    assert len(set(codes)) == len(codes) == output.count("rule = B3/S23") == int(counted[1]) > 0


LEADER = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
if sys.argv[1] == "nohup":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Takes the terminal as its own, which sends SIGHUP when it is closed, and becomes satlife."""


@posix
def test_a_best_whose_proof_is_stopped_is_still_the_best(tmp_path: Path) -> None:
    """The search has proved it, and only the certificate is missing."""
    prove = ("still-life", "--box", "8x8", "--maximize", "population", "--prove", str(tmp_path))
    code, output, said = run_until("solving the formula", *prove, numbers=(signal.SIGTERM,))
    assert code == 143
    assert "still life, 36 cells" in output
    assert "best: most population 36 (proved)" in said
    missing, last = said.splitlines()[-2:]
    assert missing == (
        "no certificate (stopped by SIGTERM, while solving the formula); "
        "the search itself has shown that this is the best"
    )
    assert last == "satlife: ended by SIGTERM"
    assert "undecided" not in said


@posix
@pytest.mark.parametrize("number", WORDS)
def test_a_proof_says_which_signal_stopped_it(number: signal.Signals, tmp_path: Path) -> None:
    command = ("oscillator", "3", "--box", "9x9", "--prove", str(tmp_path / "x"))
    code, output, said = run_until("solving the formula", *command, numbers=(number,))
    assert (code, output) == (128 + number, "")
    why, last = WORDS[number]
    assert f"undecided ({why}, while solving the formula): neither found nor refuted" in said
    assert said.splitlines()[-1] == last


def test_an_unfinished_listing_to_be_proved_ends_with_a_report(tmp_path: Path) -> None:
    command = (*ALL, "--prove", str(tmp_path / "x"), "--json", "--timeout")
    done = at_limit(lambda limit: run("satlife", *command, f"{limit:g}"), has_found)
    *found, last = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 3
    assert {record["answer"] for record in found} == {"found"}
    assert last["answer"] == "report"
    assert (last["found"], last["complete"]) == (len(found), False)
    assert last["state"] == "unfinished: time limit"


def test_the_record_of_a_certificate_that_is_missing_says_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = Undecided(still_life(box="8x8"), "time limit, while solving the formula")
    for as_json in (True, False):
        with pytest.raises(SystemExit, match="3"):
            _finish(outcome, Output(as_json, quiet=False, file="-"), "that this is the best")
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {
        "answer": "certificate", "folder": None, "reason": "time limit, while solving the formula"
    }  # fmt: skip
    assert printed.err == (
        "no certificate (time limit, while solving the formula); "
        "the search itself has shown that this is the best\n"
    )


def test_the_record_of_an_unproved_best_says_why() -> None:
    command = (*BEST, "--json", "--timeout")
    done = at_limit(lambda limit: run("satlife", *command, f"{limit:g}"), has_found)
    record = json.loads(done.stdout)
    assert done.returncode == 3
    assert (record["answer"], record["proved"]) == ("found", False)
    assert record["reason"] == "time limit"


class Terminal:
    """A command on a terminal of its own; standard output may be a file instead."""

    def __init__(self, file: Path | None, *words: str, how: str = "") -> None:
        import pty

        self.screen, theirs = pty.openpty()
        with contextlib.ExitStack() as stack:
            self.process = subprocess.Popen(
                [sys.executable, "-c", LEADER, how, str(BIN / "satlife"), *words],
                stdout=stack.enter_context(file.open("wb")) if file else theirs,
                stderr=theirs,
                stdin=theirs,
                start_new_session=True,
            )
        os.close(theirs)
        self.seen = ""

    def close_when(self, shown: str) -> int:
        """Close the terminal when it shows something; return the exit code."""
        for seen in self.read():
            if re.search(shown, seen[-3000:]):
                os.close(self.screen)
                return self.process.wait(60)
        raise AssertionError(self.seen)

    def read(self) -> Iterator[str]:
        """Yield all that has been on the screen, as often as there is more."""
        until = time.monotonic() + 100
        while time.monotonic() < until:
            if select.select([self.screen], [], [], 0.1)[0]:
                try:
                    piece = os.read(self.screen, 1 << 16)
                except OSError:  # Linux: the other end is closed
                    piece = b""
                if not piece:
                    break
                self.seen += piece.decode("utf-8", "replace")
                yield self.seen
        self.process.wait(PATIENCE)
        os.close(self.screen)


@posix
def test_a_file_gets_the_patterns_though_the_line_of_progress_is_on_a_terminal(
    tmp_path: Path,
) -> None:
    """Rich prints on its terminal what goes to standard output, even if that is a file."""
    file = tmp_path / "all.rle"
    terminal = Terminal(file, "oscillator", "2", "--box", "5x5", "--all")
    for _ in terminal.read():
        pass
    assert terminal.process.returncode == 0
    assert file.read_text().count("rule = B3/S23") == 5
    assert "5 found (all)" in terminal.seen


@posix
def test_ctrl_c_on_a_terminal_leaves_the_best_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "max.out"
    terminal = Terminal(file, *BEST)
    sent = False
    for seen in terminal.read():
        if not sent and "so far: population" in seen:
            terminal.process.send_signal(signal.SIGINT)
            sent = True
    assert terminal.process.returncode == 130
    assert file.read_text().count("rule = B3/S23") == 1


@posix
def test_the_longest_partial_ships_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "partials.rle"
    terminal = Terminal(file, *PARTIALS)
    sent = False
    for seen in terminal.read():
        deep = re.search(r"partial:\s+(\d+)\s+rows", seen[-3000:])
        if not sent and deep and int(deep[1]) >= 4:
            terminal.process.send_signal(signal.SIGINT)
            sent = True
    assert terminal.process.returncode == 130
    assert file.read_text().count("#C a partial ship\n") == 2
    plain = " ".join(terminal.seen.split())
    assert re.search(r"undecided \(stopped by Ctrl-C\): .*\[rows, [\d,]+ states, \d+ rows", plain)


CLOSED = {
    "best": ((*BEST, "-o", "f"), "so far: population", "rule = B3/S23"),
    "best, redirected": ((*BEST, "> f"), "so far: population", "rule = B3/S23"),
    "picture": ((*BEST, "-o", "f.svg"), "so far: population", "<svg"),
    "partials": ((*PARTIALS, "-o", "f"), r"partial:\s+\d*[4-9]\s+rows", "#C a partial ship\n"),
    "all": ((*ALL, "-o", "f"), "found so far", "rule = B3/S23"),
    "count": ((*ALL[:-1], "--count", "--continue", "f"), "found so far", '"complete": false'),
    "map": (("map", "ship", "c/3", "--box", "5x5", "-o", "f"), "[2-9] regions", "rules"),
    "saved": ((*PARTIALS[:-2], "--save", "f"), r"partial:\s+\d*[4-9]\s+rows", ""),
}
"""Commands, what is on the screen when it is closed, and what is then in the file."""


@posix
@pytest.mark.parametrize("what", CLOSED)
def test_a_closed_terminal_loses_nothing(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The progress line cannot be written any more, nor can what goes to the terminal."""
    words, shown, written = CLOSED[what]
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "f"
    is_redirected = words[-1] == "> f"
    terminal = Terminal(file if is_redirected else None, *words[: -1 if is_redirected else None])
    assert terminal.close_when(shown) == 129
    kept = file / "regions.jsonl" if file.is_dir() else next(tmp_path.glob("f*"))
    assert written.encode() in kept.read_bytes()


@posix
def test_a_search_goes_on_without_its_terminal(tmp_path: Path) -> None:
    """As under nohup: it ends at its limit, with what it has found."""
    file = tmp_path / "best.rle"
    terminal = Terminal(None, *BEST, "--timeout", "20", "-o", str(file), how="nohup")
    assert terminal.close_when("so far: population") == 3
    assert "rule = B3/S23" in file.read_text()


@posix
def test_sizes_that_hold_nothing_are_told_when_growing_is_stopped() -> None:
    code, output, said = run_until(
        "impossible in 5x4", "ship", "c/5", "--box", "4x3", "--grow", "both"
    )
    assert (code, output) == (130, "")
    assert "undecided (stopped by Ctrl-C): neither found nor refuted [" in said
    assert said.splitlines()[-2].startswith("the box was ")


@posix
def test_the_regions_of_a_map_are_printed_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "map"
    command = ("map", "ship", "c/2", "--box", "6x6", "-o", str(folder))
    process = subprocess.Popen(
        [str(BIN / "satlife"), *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    regions = folder / "regions.jsonl"
    until = time.monotonic() + 60
    while time.monotonic() < until and not (regions.exists() and b"found" in regions.read_bytes()):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, said = process.communicate(timeout=60)
    assert process.returncode == 130
    kept = [json.loads(line) for line in regions.read_text().splitlines()]
    assert output.count("!") == sum(each["answer"] == "found" for each in kept) > 0
    assert "unfinished: stopped by Ctrl-C" in said


# The signals themselves, in this process.


def hear_signals(*numbers: int, code: int | None = None) -> list[str]:
    """Send signals to a command that stops when asked; return what it hears and does."""
    heard: list[str] = []
    with stopping() as state:
        state.hand_to(heard.append)
        for number in numbers:
            signal.raise_signal(number)
            time.sleep(0.01)
        heard.append("written")
        record.append(heard)
        if code is not None:
            sys.exit(code)
    return heard


record: list[list[str]] = []
"""What was heard by commands that ended with an exception."""


def test_the_first_signal_asks_and_is_raised_at_the_end() -> None:
    with pytest.raises(Terminated, match="interrupted"):
        hear_signals(signal.SIGINT, signal.SIGINT)  # as timeout does: to the group, too
    assert record.pop() == ["stopped by Ctrl-C", "written"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_signal_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "TWICE", 0.0)
    with pytest.raises(KeyboardInterrupt):
        hear_signals(signal.SIGINT, signal.SIGINT)
    assert record == []


def test_a_signal_comes_before_an_exit_code() -> None:
    with pytest.raises(Terminated):
        hear_signals(signal.SIGINT, code=3)
    record.clear()
    with pytest.raises(SystemExit, match="3"):
        hear_signals(code=3)
    record.clear()
    assert hear_signals() == ["written"]
    record.clear()


def test_a_signal_that_came_before_is_handed_on() -> None:
    state, heard = Stopping(), list[str]()
    state.receive(signal.SIGINT)
    state.hand_to(heard.append)
    assert heard == ["stopped by Ctrl-C"]
