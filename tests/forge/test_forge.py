"""A fixed part of the forging, always the same; ``just forge`` makes others, and many more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.forge import defects
from tests.forge.folders import write_folder
from tests.forge.judging import is_true, judge
from tests.forge.running import SHARES, make_pool, run_batch
from tests.fuzz.drawing import name_family

SEED, SIZE = 2026, 4
COUNT = 250


@pytest.mark.parametrize("kind", SHARES)
def test_what_forgeries_are_made_of_is_valid_and_true(kind: str, tmp_path: Path) -> None:
    folders = make_pool(SEED, SIZE).folders[kind]
    assert len(folders) == SIZE
    for number, folder in enumerate(folders):
        place = tmp_path / str(number)
        write_folder(folder, place)
        verdict = judge(place, kind)
        assert verdict.word == "valid"
        assert is_true(place, kind, verdict)


def test_there_are_rules_of_every_family() -> None:
    families = {name_family(case.problem.rule) for case in make_pool(SEED, SIZE).cases}
    assert families >= {"open", "dying", "strobing", "Life", "any table", "lettered", "counting"}
    assert "other neighbours" in families  # hexagonal, and von Neumann's


def test_no_forgery_is_taken(tmp_path: Path) -> None:
    tally = run_batch(SEED, range(COUNT), tmp_path, SIZE)
    assert sum(tally.answers.values()) == COUNT
    assert [(each.kind, each.name, each.words) for each in tally.findings] == []
    assert tally.count("refused") > COUNT / 2
    assert tally.count("true") > COUNT / 20  # valid ones are among them, so the check can fail
    assert tally.count("unknown") < COUNT / 100


@pytest.mark.parametrize(
    ("kind", "put_back", "number"),
    [
        ("width", defects.births_from_nothing, 120),
        ("map", defects.ends_of_a_range, 60),
        ("width-map", defects.least_of_a_range, 120),
    ],
)
def test_a_defect_that_was_mended_would_be_found(
    kind: str, put_back: Callable[[], AbstractContextManager[object]], number: int, tmp_path: Path
) -> None:
    numbers = range(1, number)  # none by the command, whose checkers are whole
    with put_back():
        tally = run_batch(SEED, (n for n in numbers if n % 100), tmp_path, SIZE, (kind,))
    assert tally.answers[kind, "FALSE"] >= 1
    assert all(each.folder.is_dir() for each in tally.findings)
