"""Estimates of a plan's cost: against measured processor time, never against a clock."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from satlife.campaign.local.task_solver import measure_speed, search_inline
from satlife.campaign.plan import Plan
from satlife.campaign.plan.axes import read_boxes
from satlife.campaign.plan.dominance import find_embedding, find_turned, total_cost
from satlife.campaign.plan.question import Group, Question, fitting_boxes
from satlife.engine.estimates import count_orbits
from satlife.life.symmetry import SYMMETRIES, Symmetry
from satlife.sat import Limits

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "small-symmetric"

MEASURED = {
    ("oscillator", "p2", "C4"): 0.08,
    ("oscillator", "p2", "D4+"): 0.28,
    ("oscillator", "p3", "C4"): 0.19,
    ("oscillator", "p3", "D4+"): 0.60,
    ("oscillator", "p4", "C4"): 0.63,
    ("oscillator", "p4", "D4+"): 0.69,
    ("oscillator", "p5", "C4"): 0.70,
    ("oscillator", "p5", "D4+"): 1.73,
    ("oscillator", "p6", "C4"): 1.21,
    ("oscillator", "p6", "D4+"): 3.84,
    ("ship", "c/2", "D2|"): 0.91,
    ("ship", "c/3", "D2|"): 2.55,
    ("ship", "c/4", "D2|"): 20.78,
    ("ship", "c/5", "D2|"): 60.67,
}
"""Seconds of one processor for the tasks of each question of the example, without proofs."""


def example_groups() -> list[Group]:
    return list(Plan.read(EXAMPLE / "plan.toml").groups())


def test_every_question_of_the_example_is_estimated_within_a_factor_of_three() -> None:
    for group in example_groups():
        assert isinstance(group.asked, Question)
        asked = group.asked
        measured = MEASURED[asked.kind, asked.motion, asked.symmetry]
        assert 1 / 3 < total_cost(group) / measured < 3, asked


def test_the_whole_example_is_estimated_within_a_factor_of_three() -> None:
    groups = example_groups()
    assert 1 / 2 < sum(map(total_cost, groups)) / sum(MEASURED.values()) < 2
    # With proofs: the README tells what it took when it was made.
    words = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    minutes = re.search(r"(\d+) minutes of CPU time", words)
    assert minutes
    cost = sum(total_cost(group, prove=True) for group in groups)
    assert 1 / 3 < cost / (60 * int(minutes[1])) < 3


def test_some_tasks_take_here_what_is_estimated() -> None:
    """Both times are of this process, on this machine: their ratio does not depend on its load."""
    plan = Plan.from_toml(
        '[[search]]\nkind = "oscillator"\nperiods = "3..6"\nsymmetries = "D4+"\n'
        'boxes = ["6x7", "7x8", "8x8"]\n[[search]]\nkind = "ship"\nspeeds = ["c/3", "c/4"]\n'
        'symmetries = "D2|"\nboxes = ["7x6", "8x7", "8x8"]\n'
    )
    speed = measure_speed()
    groups = list(plan.groups())
    begun = time.process_time()
    for group in groups:
        for index in range(len(group)):
            search_inline(plan.task(group, index), Limits(seconds=60))
    spent = time.process_time() - begun
    assert 1 / 3 < sum(total_cost(group, speed=speed) for group in groups) / spent < 3


def test_limits_and_speed_count() -> None:
    (group,) = Plan.from_toml(
        '[[search]]\nkind = "oscillator"\nperiods = 6\nboxes = "20x20"'
    ).groups()
    assert total_cost(group) > 1e9
    assert total_cost(group, 60.0) == 60.0
    assert total_cost(group, speed=2.0) == total_cost(group) / 2


@pytest.mark.parametrize("symmetry", [str(each) for each in SYMMETRIES])
def test_free_cells_are_orbits(symmetry: str) -> None:
    for box in fitting_boxes(
        Question("still-life", "B3/S23", "p1", symmetry), read_boxes(["1x1..5x5"])
    ):
        about = {
            (x, y): frozenset(
                _turn(turn.name, x, y, box.width, box.height) for turn in Symmetry(symmetry).group
            )
            for x in range(box.width)
            for y in range(box.height)
        }
        assert count_orbits(box, symmetry) == len(set(about.values()))


def _turn(name: str, x: int, y: int, width: int, height: int) -> tuple[int, int]:
    left, top = width - 1 - x, height - 1 - y
    return {
        "identity": (x, y),
        "half-turn": (left, top),
        "flip-left-right": (left, y),
        "flip-top-bottom": (x, top),
        "flip-diagonal": (y, x),
        "flip-antidiagonal": (top, left),
        "quarter-turn-clockwise": (top, x),
        "quarter-turn-anticlockwise": (y, left),
    }[name]


@pytest.mark.parametrize(
    ("motion", "symmetry"),
    [
        *(("p4", symmetry) for symmetry in ("C1", "C2", "D2|", "D4+", "C1:D2|", "C2:D4+")),
        *(("2c/4", symmetry) for symmetry in ("C1", "D2|", "C1:D2|")),
        ("c/4d", "C1"),
    ],
)
def test_turned_boxes_are_those_that_a_schedule_does_not_try(motion: str, symmetry: str) -> None:
    kind = "oscillator" if motion.startswith("p") else "ship"
    question = Question(kind, "B3/S23", motion, symmetry)
    group = Group(0, question, read_boxes(["3x3..6x6"]))
    embedding = find_embedding(group)
    assert embedding is not None
    twins = {
        box for i, box in enumerate(group.boxes) if embedding.twins(i) and box.width > box.height
    }
    assert find_turned(group) == twins
