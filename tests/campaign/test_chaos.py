"""Nothing is lost, whoever dies or stands still: bench.soak and bench.chaos, in short."""

from __future__ import annotations

import os
from pathlib import Path

from bench.chaos import play, undisturbed
from bench.soak import VICTIMS, make_plan, soak


def test_a_campaign_under_fire_has_the_answers_of_an_undisturbed_one(tmp_path: Path) -> None:
    report = soak(tmp_path, tasks=120, workers=4, every=2.5, most_seconds=600, say=print)
    assert report.wrong == []
    assert sum(report.answers.values()) == report.tasks
    assert report.findings > 0
    assert sum(report.kills.values()) >= len(VICTIMS), "it was over before much happened"


def test_a_full_disk_and_a_recorder_that_stands_still_lose_nothing(tmp_path: Path) -> None:
    plan = make_plan(16)
    # Only root can make a small disk.
    scene = "fill-and-stop" if os.geteuid() == 0 else "stop-recorder"
    report = play(scene, tmp_path, plan, undisturbed(plan), times=1)
    assert report.wrong == []
    assert sum(report.answers.values()) == report.tasks
