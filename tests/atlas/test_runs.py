"""A table of the atlas does not depend on how its plan was run: at once, or on two machines.

The processes are real: one is killed, one interrupted, and both go on.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from atlas.archive import choose_kept
from atlas.boxes import Entry, Question, draw, settle, write_cell
from atlas.make import SATLIFE, Maker, satlife
from atlas.page import players, table, write_page
from atlas.table import LEDGER, PLAN, Answers, Table, read_answers
from satlife.campaign.ledger import open_ledger

ASKED = """
title = "Small oscillators"
prove = true

[limits]
timeout = "10m"

[[search]]
kind = "oscillator"
periods = "2..3"
boxes = ["1x8", "2x4", "3x3"]

[[search]]
kind = "oscillator"
periods = "2..3"
symmetries = "C4"
boxes = ["4x4", "5x5", "6x6"]
"""


def entries(answers: Answers) -> Iterator[Entry]:
    for period in (2, 3):
        for symmetry in ("C1", "C4"):
            yield settle(answers, Question("oscillator", f"p{period}", symmetry))


def write_body(answers: Answers) -> str:
    rows = [(each.question.words, write_cell(each)) for each in entries(answers)]
    shown = players(draw(entries(answers), answers, lambda each: each.symmetry))
    return table(("question", "least box"), rows) + shown


TABLE = Table("small", "Small oscillators", "", write_body, "")


def make(folder: Path) -> Maker:
    folder.mkdir()
    (folder / PLAN).write_text(ASKED)
    return Maker(folder, folder / "work")


def start(machine: Maker, shard: str) -> subprocess.Popen[bytes]:
    words = ["campaign", "run", str(machine.folder / PLAN), "--ledger", str(machine.ledger)]
    words += ["--keep-proofs", str(machine.proofs), "--jobs", "1", "--shard", shard]
    machine.work.mkdir(exist_ok=True)
    return subprocess.Popen([*SATLIFE, *words])


def count_answers(machine: Maker) -> int:
    if not machine.ledger.exists():
        return 0
    with open_ledger(str(machine.ledger)) as ledger:
        counts = ledger.counts()
        return counts.total - counts.open


def stop_in_the_middle(machine: Maker, shard: str, how: signal.Signals) -> None:
    running = start(machine, shard)
    while running.poll() is None and not count_answers(machine):
        time.sleep(0.05)
    assert running.poll() is None, "it was to be stopped before its end"
    running.send_signal(how)
    running.wait(60)


def page_without_times(folder: Path) -> str:
    answers = read_answers(folder)
    timeless = {
        name: structs.replace(each, check=0.0, seconds=0.0)
        for name, each in answers.records.items()
    }
    return write_page(TABLE, replace(answers, records=choose_kept(timeless)))


def test_a_plan_stopped_continued_and_merged_gives_the_same_table(tmp_path: Path) -> None:
    whole = make(tmp_path / "whole")
    whole.make(TABLE)

    one, two, both = (make(tmp_path / name) for name in ("one", "two", "both"))
    stop_in_the_middle(one, "1/2", signal.SIGKILL)
    stop_in_the_middle(two, "2/2", signal.SIGINT)
    both.work.mkdir()
    for machine, shard in ((one, "1/2"), (two, "2/2")):
        before = count_answers(machine)
        assert start(machine, shard).wait() == 0
        assert 0 < before < count_answers(machine)
        machine.export()
        words = [str(both.folder / PLAN), str(machine.folder / LEDGER)]
        words += ["--proofs", str(machine.proofs), "--ledger", str(both.ledger)]
        satlife("campaign", "merge", *words)
        shutil.copytree(machine.proofs, both.proofs, dirs_exist_ok=True)
    both.make(TABLE)

    page = page_without_times(both.folder)
    assert page == page_without_times(whole.folder)
    assert "**<a href" in page, "some least boxes are settled"
    assert "blinker" in page
    assert "quad" in page
