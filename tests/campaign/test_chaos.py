"""Nothing is lost, whoever dies: the two-minute form of ``python -m bench.soak``."""

from __future__ import annotations

from pathlib import Path

from bench.soak import VICTIMS, soak


def test_a_campaign_under_fire_has_the_answers_of_an_undisturbed_one(tmp_path: Path) -> None:
    report = soak(tmp_path, tasks=240, workers=4, every=2.5, most_seconds=600, say=print)
    assert report.wrong == []
    assert sum(report.answers.values()) == report.tasks
    assert report.findings > 0
    assert sum(report.kills.values()) >= len(VICTIMS), "it was over before much happened"
