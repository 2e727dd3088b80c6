"""Growing boxes: by area from the smallest on, each box once, and none that does not fit."""

from __future__ import annotations

from itertools import islice

import pytest

from satlife import Found, Impossible, grow, oscillator, ship, still_life
from satlife.engine.grow import list_problems
from satlife.errors import RuleError, UsageError
from satlife.life.box import Box
from satlife.life.symmetry import Symmetry
from satlife.problem.exact import list_largest


def first_boxes(make, number: int, start: str = "1x1") -> list[str]:
    return [problem.boxes[0] for problem in islice(list_problems(make, start, "area"), number)]


def test_boxes_come_by_area_then_width_but_for_twins() -> None:
    boxes = first_boxes(lambda box: oscillator(3, box=box), 9)
    assert boxes == ["1x1", "1x2", "1x3", "1x4", "2x2", "1x5", "1x6", "2x3", "1x7"]


def test_an_orthogonal_ship_has_no_twin_and_a_diagonal_one_has() -> None:
    north = ["1x1", "1x2", "2x1", "1x3", "3x1", "1x4", "2x2", "4x1"]
    assert first_boxes(lambda box: ship("c/3", box=box), 8) == north
    assert "2x1" not in first_boxes(lambda box: ship("c/4d", box=box), 8)


def test_what_names_a_place_has_no_twin() -> None:
    boxes = first_boxes(lambda box: still_life(box=box, on="0,0"), 4)
    assert boxes == ["1x1", "1x2", "2x1", "1x3"]


def test_a_twin_that_is_smaller_than_the_start_is_asked() -> None:
    assert first_boxes(lambda box: still_life(box=box), 3, "3x1") == ["3x1", "4x1", "5x1"]


@pytest.mark.parametrize(
    ("symmetry", "boxes"),
    [
        ("C4", ["1x1", "2x2", "3x3", "4x4"]),
        ("C4_4", ["2x2", "4x4", "6x6", "8x8"]),
        ("D8_1", ["1x1", "3x3", "5x5", "7x7"]),
        ("C2_2", ["1x2", "1x4", "1x6", "2x3"]),
        ("D2_+2", ["2x1", "2x2", "4x1", "2x3"]),
    ],
)
def test_boxes_have_the_parity_that_the_symmetry_needs(symmetry: str, boxes: list[str]) -> None:
    assert first_boxes(lambda box: oscillator(2, box=box, symmetry=symmetry), 4) == boxes


def test_what_is_wrong_in_every_box_is_told() -> None:
    with pytest.raises(RuleError, match="is not a rule"):
        next(list_problems(lambda box: still_life(box=box, rule="B3/Q"), "1x1", "area"))
    with pytest.raises(UsageError, match="a gutter is the axis of a mirror"):
        next(grow(lambda box: oscillator(3, box=box, gutter=True), direction="area"))


@pytest.mark.parametrize(
    ("make", "last"),
    [
        (lambda box: still_life(box=box), "2x2"),
        (lambda box: still_life(box=box, population=">=5"), "2x4"),
        (lambda box: oscillator(2, box=box), "3x3"),
        (lambda box: oscillator(2, box=box, symmetry="C4_4"), "6x6"),
        (lambda box: ship("c/4d", box=box), "3x4"),
    ],
)
def test_the_first_box_that_holds_one(make, last: str) -> None:
    *before, end = grow(make, direction="area")
    assert (end.box, type(end.outcome)) == (last, Found)
    assert end.outcome.finding.problem.boxes == (last,)
    assert all(type(step.outcome) is Impossible for step in before)


def test_by_width_boxes_that_do_not_fit_are_left_out() -> None:
    steps = grow(lambda box: oscillator(2, box=box, symmetry="C4_4"), "2x2", "width")
    assert [step.box for step in steps] == ["2x2", "4x4", "6x6"]


def test_the_largest_boxes_name_all() -> None:
    boxes = [Box(0, 0, w, h) for w in range(1, 8) for h in range(1, 8) if w * h < 13]
    largest = list_largest(Symmetry("C1"), boxes)
    assert list(map(str, largest)) == ["1x7", "2x6", "3x4", "4x3", "6x2", "7x1"]
    mirrored = list_largest(Symmetry("D2|"), boxes)  # even widths are not in odd ones
    assert list(map(str, mirrored)) == ["1x7", "2x6", "3x4", "4x3", "5x2", "6x2", "7x1"]
