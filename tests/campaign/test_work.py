"""Who works, what is stuck, what was refused: in the terminal, as JSON and on the page."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from satlife.campaign.core.events import ClaimedEvent, DiedEvent, FoundEvent
from satlife.campaign.ledger import open_ledger
from satlife.campaign.plan import Plan
from satlife.campaign.work import WorkReport, read_work
from satlife.cli.group import cli
from satlife.cluster.operating import seen
from satlife.cluster.operating.seen import Seen

PLAN = '[[search]]\nkind = "still-life"\nboxes = "1x1..3x3"\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A campaign that a recorder has left a report of."""
    plan = Plan.from_toml(PLAN)
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    watch = Seen()
    for number in range(20):
        watch.hear("claimed", f"alice.w{number % 2}", 1.0)
    watch.hear("undecided", "bert")
    watch.refuse("eve.<b>box</b>", "not a result: <script>alert(1)</script>")
    with open_ledger(str(tmp_path / "plan.db")) as ledger:
        ledger.begin(plan.name, plan.to_toml(), plan.size)
        tasks = [plan.task(group, index) for group in plan.groups() for index in range(len(group))]
        ledger.add(tasks)
        ledger.record([DiedEvent(tasks[1].name, "bert"), ClaimedEvent(tasks[0].name, "alice")])
        ledger.save_report(watch.report(out=8).encode())
    return path


def campaign(*words: object) -> str:
    done = CliRunner().invoke(cli, ["campaign", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.output


def test_status_names_who_works_what_waits_and_what_was_refused(place: Path) -> None:
    lines = [line.split(maxsplit=2) for line in campaign("status", place).splitlines()]
    works = [line[1:] for line in lines if line[0] == "works"]
    assert works[0][0] == "alice"
    assert "20 in all; 2 workers lately" in works[0][1]
    assert works[1][0] == "bert"
    assert ["out", "8", "with the broker and its workers"] in lines
    (waits,) = [line for line in lines if line[0] == "longest"]
    assert re.search(r"still-life (in|exactly|at most) .* is queued$", waits[2])
    (refused,) = [line for line in lines if line[0] == "refused"]
    assert refused[1:] == ["eve", "1, the last: not a result: <script>alert(1)</script>"]
    status = json.loads(campaign("status", place, "--json"))
    assert status["users"][0]["answers"] == 20
    assert len(status["oldest_open"]) == 5
    assert sum(task["deaths"] for task in status["oldest_open"]) <= 1


def test_a_recorder_that_is_silent_is_told(place: Path) -> None:
    with open_ledger(str(place.with_suffix(".db"))) as ledger:
        old = WorkReport(time=time.time() - 7300, since=0.0)
        ledger.save_report(old.encode())
    assert re.search(r"recorder +silent +its last report is 2.0 h old", campaign("status", place))


def test_the_page_shows_the_work_and_escapes_what_strangers_wrote(place: Path) -> None:
    page = place.with_name("page.html")
    campaign("results", place, "--html", page)
    text = page.read_text(encoding="utf-8")
    for words in ("Who works", "What waits longest", "What was refused", "alice"):
        assert words in text
    assert "<script" not in text


def test_a_run_on_one_machine_has_no_such_tables(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('[[search]]\nkind = "still-life"\nboxes = "2x2"\n')
    campaign("run", path, "--jobs", 1)
    campaign("results", path, "--html", tmp_path / "page.html")
    assert "<h2>Work</h2>" not in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "works" not in campaign("status", path)


def test_an_unreadable_report_is_left_alone(place: Path) -> None:
    with open_ledger(str(place.with_suffix(".db"))) as ledger:
        ledger.save_report("{}")
        assert read_work(ledger).report is None


def test_what_is_seen_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "MOST_WORKERS", 100)
    now = 0.0
    watch = Seen(clock=lambda: now)
    for number in range(1000):
        now += 1.0
        watch.hear("claimed", f"user-{number}.w")
        watch.refuse(f"user-{number}", "x" * 10_000)
    report = watch.report()
    assert len(report.users) <= seen.MOST_SHOWN
    assert len(report.encode()) < 100_000
    assert watch.workers() == 100
    assert watch.answers["claimed"] == watch.refused == 1000
    watch.refuse("\x1b[2J\n", "forged\n2026-01-01 a line")
    refused = watch.report().refused[0]
    assert (refused.user + refused.words).isprintable()


def test_rates_survive_a_clock_that_is_set() -> None:
    now = 1e9
    watch = Seen(clock=lambda: now)
    event = FoundEvent("a", "alice.w", 0, (("oo", "oo"),), "xs4_33", 1.0)
    for jump in (1.0, -3600.0, 86_400.0, 1.0):
        now += jump
        watch.note(event)
    (user,) = watch.report().users
    assert user.answers == 4
    assert 0 <= user.rate <= 4
