"""What is found, and what is refuted, in rules of every family."""

from __future__ import annotations

from pathlib import Path

import pytest

from satlife import Found, Impossible, find, ship
from tests.life.test_golly import pytestmark as needs_golly
from tests.life.test_golly import run_golly

SHIPS = [
    ("HighLife", "c/4d", "4x4", "C1"),
    ("B35/S236", "c/2", "7x7", "C1"),
    ("B35/S236", "c/3", "8x*", "C1"),
    ("B34/S34", "c/3", "6x6", "C1"),
    ("Day & Night", "c/2", "14x9", "D2|"),
    ("Seeds", "c", "4x4", "C1"),
    ("B24/S02356H", "c/2", "5x5", "C1"),
    ("tlife", "c/4d", "6x6", "C1"),
    ("tlife", "c/5", "5x5", "C1"),
    ("Brian's Brain", "c", "2x1", "C1"),
    ("345/2/4", "c", "3x3", "C1"),
    ("B0138/S035", "c/2", "5x5", "C1"),
    ("B01257/S1245", "c/4d", "5x5", "C1"),
]


@needs_golly
@pytest.mark.parametrize(("rule", "speed", "box", "symmetry"), SHIPS)
def test_a_ship_is_found_and_golly_replays_it(
    rule: str, speed: str, box: str, symmetry: str, tmp_path: Path
) -> None:
    problem = ship(speed, box=box, rule=rule, symmetry=symmetry)
    found = find(problem, timeout=120)
    assert isinstance(found, Found)
    assert found.finding.identity.speed == speed
    motion, pattern = problem.motion, found.finding.pattern
    assert motion is not None
    later = run_golly(pattern, 3 * motion.period, tmp_path)
    assert later.normalized == pattern.normalized
    assert later.phase == pattern.phase


NONE = [
    ("B35/S236", "c/2", "6x6", "C1"),
    ("Day & Night", "c/2", "11x8", "D2|"),
    ("B2-a/S12", "c/2", "5x5", "C1"),
    ("B2/S34H", "c/2", "7x7", "C1"),
    ("tlife", "c/3d", "6x6", "C1"),
    ("345/2/4", "c/2", "5x5", "C1"),
    ("B03/S23", "2c/4", "6x6", "C1"),
]


@pytest.mark.parametrize(("rule", "speed", "box", "symmetry"), NONE)
def test_there_is_no_ship(rule: str, speed: str, box: str, symmetry: str) -> None:
    problem = ship(speed, box=box, rule=rule, symmetry=symmetry)
    assert isinstance(find(problem, timeout=120), Impossible)
