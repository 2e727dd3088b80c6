"""``satlife campaign`` as a person uses it: run, kill, go on, look, share."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from satlife.campaign.plan import Plan
from tests.cli.running import BIN, HUP, run
from tests.patience import PATIENCE, wait_until
from tests.processes import descendants, is_running

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

SMALL = """
title = "Small things"

[[search]]
kind = "oscillator"
periods = "2..3"
symmetries = ["C1", "D4+"]
boxes = "2x2..4x4"

[[search]]
kind = "ship"
speeds = "c/4d"
boxes = "3x3..4x4"
"""
HARD = '[limits]\ntimeout = "0.3s"\n[[search]]\nkind = "ship"\nspeeds = "c/5"\nboxes = "13x13"\n'
LONG = SMALL + '\n[[search]]\nkind = "ship"\nspeeds = "c/5"\nboxes = ["13x13", "14x13"]\n'
"""Some answers within a second, and then none for hours."""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(SMALL)
    return path


def campaign(*words: object) -> subprocess.CompletedProcess[bytes]:
    return run("satlife", "campaign", *map(str, words))


def status(plan: Path) -> dict[str, object]:
    done = campaign("status", plan, "--json")
    assert done.returncode == 0, done.stderr
    read: dict[str, object] = json.loads(done.stdout)
    return read


def start(plan: Path, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(BIN / "satlife"), "campaign", "run", str(plan), "--jobs", "2", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "80"},
    )


def answers(plan: Path) -> list[dict[str, object]]:
    done = campaign("results", plan, "--json")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return sorted(
        (record for record in records if record["record"] == "question"),
        key=lambda record: str(record["question"]),
    )


def test_a_dry_run_counts_and_writes_nothing(plan: Path) -> None:
    done = campaign("plan", plan, "--dry-run")
    assert done.returncode == 0
    assert b"40 tasks, at most about" in done.stdout
    assert b"oscillator p3 with D4+" in done.stdout
    assert list(plan.parent.iterdir()) == [plan]


def test_a_plan_as_json_lists_every_task(plan: Path) -> None:
    done = campaign("plan", plan, "--dry-run", "--json")
    names = {json.loads(line)["name"] for line in done.stdout.splitlines()}
    assert len(names) == 40


def test_run_status_results(plan: Path, tmp_path: Path) -> None:
    done = campaign("run", plan, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert b"40 answered" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.db", "plan.toml"]
    told = status(plan)
    assert (told["done"], told["planned"], told["undecided"]) == (40, 40, 0)
    assert told["eta_seconds"] == 0
    table = campaign("status", plan).stdout.decode()
    assert "done" in table
    assert "40 " in table
    page, rle = tmp_path / "page.html", tmp_path / "finds.rle"
    assert campaign("results", plan, "--html", page, "--rle", rle).stdout == b""
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "#N glider" in rle.read_text()
    words = campaign("results", plan).stdout.decode()
    assert "xq4_153: glider" in words
    assert "oscillator p3 with D4+" in words


def test_watching_ends_with_the_campaign(plan: Path) -> None:
    campaign("run", plan, "-q")
    assert campaign("status", plan, "--watch").returncode == 0


@linux
def test_a_run_that_is_killed_goes_on(plan: Path, tmp_path: Path) -> None:
    undisturbed = tmp_path / "other.toml"
    undisturbed.write_text(SMALL)
    assert campaign("run", undisturbed, "-q").returncode == 0
    plan.write_text(LONG)
    process = start(plan)
    assert process.stderr is not None
    with process.stderr:
        # All of the small tasks are answered; the children are at the long ones.
        wait_until(lambda: (tmp_path / "plan.db").exists() and status(plan)["done"] == 40)
        wait_until(lambda: len(descendants(process.pid)) == 2)
        children = descendants(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
    wait_until(lambda: not any(map(is_running, children)))
    before = status(plan)
    assert before["leased"] == 2, "the dead runner's leases"
    assert before["is_running"] is False
    words = campaign("status", plan).stdout.decode()
    assert f"not running; satlife campaign run {plan} continues" in words
    again = start(plan)
    assert again.stderr is not None
    with again.stderr:
        wait_until(lambda: len(descendants(again.pid)) == 2)
        assert status(plan)["is_running"] is True
        time.sleep(1)
        again.send_signal(signal.SIGINT)
        assert again.wait(PATIENCE) == 130
    after = status(plan)
    assert (after["done"], after["leased"]) == (40, 0)
    small = [row for row in answers(plan) if row["question"] != "ship c/5"]
    assert small == answers(undisturbed)


@linux
def test_a_run_that_is_killed_early_and_often_ends_as_if_it_were_not(
    plan: Path, tmp_path: Path
) -> None:
    for pause in (0.7, 1.0, 1.3, 1.6):
        process = start(plan)
        assert process.stderr is not None
        with process.stderr:
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
            process.wait()
    assert campaign("run", plan, "-q").returncode == 0
    other = tmp_path / "other.toml"
    other.write_text(SMALL)
    assert campaign("run", other, "-q").returncode == 0
    assert answers(plan) == answers(other)


@linux
def test_ctrl_c_ends_the_children_and_says_how_to_go_on(plan: Path) -> None:
    plan.write_text(LONG)
    process = start(plan)
    assert process.stderr is not None
    with process.stderr:
        wait_until(lambda: len(descendants(process.pid)) == 2)
        children = descendants(process.pid)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        words = process.stderr.read().decode()
        assert process.wait(PATIENCE) == 130
    assert not any(map(is_running, children))
    assert "continues" in words
    assert words.endswith("satlife: interrupted\n")
    assert status(plan)["leased"] == 0
    assert not list(plan.parent.glob("*.lock"))


@linux
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (HUP, 129)], ids=["term", "hup"]
)
def test_other_signals_end_it_as_ctrl_c_does(number: signal.Signals, code: int, plan: Path) -> None:
    plan.write_text(LONG)
    ledger = plan.with_name("other.db")
    process = start(plan, "--ledger", str(ledger))
    assert process.stderr is not None
    with process.stderr:
        wait_until(lambda: len(descendants(process.pid)) == 2)
        children = descendants(process.pid)
        time.sleep(0.5)
        process.send_signal(number)
        words = process.stderr.read().decode()
        assert process.wait(PATIENCE) == code
    assert not any(map(is_running, children))
    assert f"stopped; satlife campaign run {plan} --ledger {ledger} continues" in words
    assert words.endswith(f"satlife: ended by {number.name}\n")
    assert status(ledger)["leased"] == 0
    assert not list(plan.parent.glob("*.lock"))


@linux
def test_two_runs_at_once_are_refused(plan: Path) -> None:
    plan.write_text(LONG)
    process = start(plan)
    assert process.stderr is not None
    with process.stderr:
        wait_until(lambda: len(descendants(process.pid)) == 2)
        second = campaign("run", plan)
        other = plan.with_name("other.toml")
        other.write_text(HARD)
        third = campaign("run", other, "--ledger", plan.with_suffix(".db"))
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    assert second.returncode == 2
    assert b"another run is using this ledger" in second.stderr
    assert b"belongs to the plan" in third.stderr


def test_undecided_then_retried(plan: Path) -> None:
    plan.write_text(HARD)
    done = campaign("run", plan)
    assert done.returncode == 3
    assert b"1 undecided" in done.stderr
    assert campaign("run", plan, "-q").returncode == 3, "it is not tried again by itself"
    again = campaign("retry", plan, "--undecided", "--timeout", "0.5s")
    assert again.returncode == 0
    assert b"1 task queued again" in again.stderr
    assert status(plan)["queued"] == 1
    assert campaign("run", plan, "-q").returncode == 3
    assert (status(plan)["undecided"], status(plan)["queued"]) == (1, 0)
    assert campaign("retry", plan).returncode == 2


def test_export_and_merge(plan: Path, tmp_path: Path) -> None:
    assert campaign("run", plan, "-q").returncode == 0
    lines = tmp_path / "mine.jsonl.gz"
    assert campaign("export", plan, "-o", lines).returncode == 0
    other = tmp_path / "other.toml"
    other.write_text(SMALL)
    for _ in range(2):
        done = campaign("merge", other, lines)
        assert done.returncode == 0, done.stderr
    assert b" 0 new events" in done.stderr
    assert answers(other) == answers(plan)
    assert campaign("run", other, "-q").returncode == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("run", "missing.toml"), b"missing.toml: No such file"),
        (("status", "missing.toml"), b"no ledger missing.db, and missing.toml is not a plan"),
        (("status", "."), b"'.' is not a plan"),
        (("status", ".."), b", and .. is not a plan"),
        (("check", "bad.toml"), b"there is no ledger bad.db, and bad.toml is not a plan"),
        (("results", "missing.toml"), b"there is no ledger missing.db"),
        (("plan", "bad.toml"), b"bad.toml: search 1: a search of the kind ship needs"),
        (("run", "bad.toml"), b"bad.toml: search 1: "),
        (("retry", "missing.toml", "--undecided"), b"there is no ledger"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    words: tuple[str, ...], complaint: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text('[[search]]\nkind = "ship"\nboxes = "3x3"\n')
    done = campaign(*words)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]


def test_only_a_plan_is_said_to_make_a_ledger(plan: Path) -> None:
    done = campaign("status", plan)
    assert done.returncode == 2
    assert f"plan.db; satlife campaign run {plan} creates it" in done.stderr.decode()


def test_another_plan_does_not_write_into_the_ledger(plan: Path) -> None:
    assert campaign("run", plan, "-q").returncode == 0
    plan.write_text(SMALL.replace("2..3", "2..4"))
    name = Plan.from_toml(SMALL).name[:12]
    for command in ("run", "plan", "status", "results", "export", "retry"):
        options = ["--undecided"] if command == "retry" else []
        done = campaign(command, plan, *options)
        assert done.returncode == 2, command
        assert f"plan.db belongs to the plan {name}, not to " in done.stderr.decode()
        assert len(done.stderr.splitlines()) == 1
    assert campaign("status", plan.with_suffix(".db")).returncode == 0
    plan.unlink()
    assert campaign("status", plan).returncode == 0


def test_merge_names_what_it_refuses(plan: Path, tmp_path: Path) -> None:
    assert campaign("run", plan, "-q").returncode == 0
    honest, forged = tmp_path / "honest.jsonl", tmp_path / "forged.jsonl"
    assert campaign("export", plan, "-o", honest).returncode == 0
    lines = honest.read_text().splitlines()
    index = next(i for i, line in enumerate(lines) if '"event":"found"' in line)
    found = json.loads(lines[index])
    name = found["event"]["name"]
    false = {"event": "certified", "name": name, "worker": "eve", "round": 0,
             "proof_hash": "00", "checker": "eve"}  # fmt: skip
    lines.append(json.dumps({"time": found["time"] + 1, "event": false}))
    found["event"]["identity"] = "xs4_33"
    lines.append(json.dumps(found))
    forged.write_text("\n".join(lines))
    before = answers(plan)
    done = campaign("merge", plan, forged)
    assert done.returncode == 3
    words = done.stderr.decode()
    assert f"forged.jsonl: refused: line {len(lines)}: the object is not xs4_33" in words
    assert f"CONTRADICTION: {name[:12]}: found, claimed to be impossible by eve" in words
    assert answers(plan) == before


def test_an_export_from_the_future_poisons_nothing(plan: Path, tmp_path: Path) -> None:
    assert campaign("run", plan, "-q").returncode == 0
    mine, bad = tmp_path / "mine.jsonl", tmp_path / "bad.jsonl"
    assert campaign("export", plan, "-o", mine).returncode == 0
    bad.write_text(re.sub(r'"time":\d+', '"time":9007199254740991', mine.read_text()))
    for trust in ((), ("--trust",)):
        done = campaign("merge", plan, bad, *trust)
        assert done.returncode == 3
        assert b": 0 new events" in done.stderr
        assert b"its time is more than a day ahead of this machine's clock" in done.stderr
    assert campaign("export", plan, "-o", mine).returncode == 0
    done = campaign("merge", plan, mine)
    assert done.returncode == 0
    assert b": 0 new events" in done.stderr
    assert b"refused" not in done.stderr
    other = tmp_path / "other.toml"
    other.write_text(SMALL)
    assert campaign("merge", other, bad).returncode == 3
    assert campaign("merge", other, mine).returncode == 0
    assert answers(other) == answers(plan)


def test_a_question_whose_bound_occurs_twice_is_told_once(plan: Path) -> None:
    plan.write_text(
        '[[search]]\nkind = "oscillator"\nperiods = 2\nboxes = "3x3"\n'
        'population = ["<=9", "<=9", "<10"]\n'
    )
    assert campaign("run", plan, "-q").returncode == 0
    (question,) = answers(plan)
    assert question["found"] == 1


def test_a_file_that_merge_refuses_is_named_and_leaves_no_ledger(plan: Path) -> None:
    bad = plan.with_name("bad.jsonl")
    bad.write_text("nonsense\n")
    for file, words in ((bad, "bad.jsonl: line 1: "), (plan.with_name("none"), "none: No such")):
        done = campaign("merge", plan, file)
        assert done.returncode == 2
        assert words in done.stderr.decode()
        assert sorted(path.name for path in plan.parent.iterdir()) == ["bad.jsonl", "plan.toml"]
    assert campaign("run", plan, "-q").returncode == 0
    assert campaign("merge", plan, bad).returncode == 2
    assert status(plan)["done"] == 40
    campaign("export", plan, "-o", bad)
    other = plan.with_name("other.toml")
    other.write_text(HARD)
    done = campaign("merge", other, bad)
    names = [Plan.from_toml(text).name[:12] for text in (HARD, SMALL)]
    assert f"belongs to the plan {names[0]}, not to {names[1]};" in done.stderr.decode()
    assert not other.with_suffix(".db").exists()


def test_one_task_is_told_as_one(plan: Path) -> None:
    plan.write_text('[[search]]\nkind = "oscillator"\nperiods = 2\nboxes = "3x3"\n')
    words = campaign("plan", plan, "--dry-run").stdout.decode()
    assert "\n1 task, " in words
    assert " 3x3 " in words
    assert b"found: blinker (xp2_7)\n" in campaign("run", plan).stderr


def test_every_subcommand_has_a_help_with_an_example() -> None:
    for name in ("plan", "run", "status", "results", "retry", "export", "merge"):
        text = campaign(name, "--help").stdout.decode()
        assert f"satlife campaign {name} " in text.split("Examples:")[1]
