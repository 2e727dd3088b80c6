"""Trees of tasks, by rows and by rules, outlive whoever works on them: with the real commands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from satlife.campaign.core.events import Status
from satlife.campaign.ledger import open_ledger
from satlife.campaign.maps import read_maps
from satlife.campaign.plan import Plan
from satlife.rows import is_available
from satlife.rulemaps import make_map
from tests.campaign.children import command
from tests.campaign.nats import broker
from tests.campaign.running import Command, nothing_left
from tests.patience import wait_until

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

PLAN = """
split = true
[limits]
timeout = "10m"
[[search]]
kind = "ship"
speeds = "c/4"
boxes = "5x*"
[[search]]
kind = "ship"
speeds = "c/3"
symmetries = "D2|"
boxes = "12x*"
[[search]]
kind = "ship"
speeds = "c/2"
boxes = "4x4"
rules = "B3[4][5]/S[1]2[3][4]"
map = true
"""
DIVIDE = "from satlife.campaign.local import pool; pool.COMMAND = {!r}".format(
    command({"5x*": "share", "12x*": "share", "4x4": "piece"})
)
"""Every search is divided, whether it takes long or not."""


def count_done(where: Path) -> int:
    """How many cases have been answered."""
    if not where.exists():
        return 0
    with open_ledger(str(where)) as ledger:
        return ledger.counts().cases - ledger.counts().open_cases


def check_answers(where: Path) -> None:
    plan = Plan.from_toml(PLAN)
    with open_ledger(str(where)) as ledger:
        states = [ledger.state(plan.task(group, 0).name) for group in plan.groups()]
        assert [state and state.status for state in states] == [
            Status.IMPOSSIBLE,
            Status.FOUND,
            Status.FOUND,
        ]
        counts = ledger.counts()
        assert (counts.open_cases, counts.contradicted) == (0, 0)
        assert all(state is not None and state.children for state in states)
        (made,) = read_maps(ledger)
    assert made.is_complete
    assert np.array_equal(made.answers, make_map(made.problem).answers)


def test_a_runner_that_is_killed_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    words = ["campaign", "run", str(path), "--jobs", "2"]
    runner = Command("survival-run", tmp_path / "log", words, first=DIVIDE)
    with nothing_left("survival-run"):
        runner.start()
        wait_until(lambda: count_done(tmp_path / "plan.db") > 3)
        runner.kill()
        before = count_done(tmp_path / "plan.db")
        runner.start()
        assert runner.wait(120) == 0, runner.log.read_text()
    assert count_done(tmp_path / "plan.db") > before
    check_answers(tmp_path / "plan.db")


def test_recorder_and_worker_that_are_killed_go_on(tmp_path: Path) -> None:
    path, where = tmp_path / "plan.toml", tmp_path / "plan.db"
    path.write_text(PLAN, encoding="utf-8")
    with broker(tmp_path) as nats, nothing_left("survival-nats"):
        access = ["--nats", nats.url]
        recorder = Command(
            "survival-nats",
            tmp_path / "recorder.log",
            ["campaign", "serve", str(path), *access, "--lease", "3s"],
        )
        workers = [
            Command(
                "survival-nats",
                tmp_path / f"{name}.log",
                ["worker", *access, "--jobs", "1", "--name", name],
                first=DIVIDE,
            )
            for name in ("a", "b")
        ]
        try:
            for each in (recorder, *workers):
                each.start()
            wait_until(lambda: count_done(where) > 3)
            recorder.kill()
            workers[0].kill()
            recorder.start()
            workers[0].start()
            assert recorder.wait(120) == 0, recorder.log.read_text()
        finally:
            for each in (recorder, *workers):
                each.stop()
    check_answers(where)
