"""Boxes: their notation, and the algebra of intersection and union."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.errors import UsageError
from satlife.life import Box

small = st.integers(-6, 6)
sizes = st.integers(0, 6)
boxes = st.builds(Box, small, small, sizes, sizes)


def cells(box: Box) -> set[tuple[int, int]]:
    return {(x, y) for x in range(box.x, box.right) for y in range(box.y, box.bottom)}


@pytest.mark.parametrize("text", ["16x7", " 16 x 7 ", "16X7", "16×7"])
def test_notation(text):
    assert Box.parse(text) == Box(0, 0, 16, 7)
    assert str(Box.parse(text)) == "16x7"


@pytest.mark.parametrize(
    "text", ["", "16", "16x", "x7", "-1x7", "16x7x2", "1.5x2", "9" * 5000 + "x1"]
)
def test_notation_that_is_none(text):
    with pytest.raises(UsageError, match="is not a box; write WIDTHxHEIGHT, for example 16x7"):
        Box.parse(text)


def test_sizes_must_be_right():
    with pytest.raises(UsageError, match="0x7 has no cells"):
        Box.parse("0x7")
    with pytest.raises(UsageError, match="cannot be -1x7"):
        Box(0, 0, -1, 7)
    with pytest.raises(UsageError, match=r"a box's width must be a whole number, got 1\.5"):
        Box(0, 0, 1.5, 7)


@settings(deadline=None)
@given(boxes, boxes)
def test_intersection_union_and_containment(a, b):
    assert cells(a & b) == cells(a) & cells(b)
    assert cells(a) | cells(b) <= cells(a | b)
    assert a.contains_box(b) == (cells(b) <= cells(a))
    assert (a | b).contains_box(a)
    assert a.area == len(cells(a))


@settings(deadline=None)
@given(boxes, small, small)
def test_shift_and_grow(box, dx, dy):
    assert cells(box.shift(dx, dy)) == {(x + dx, y + dy) for x, y in cells(box)}
    assert box.grow(2).area == (box.width + 4) * (box.height + 4)


def test_points_in_a_box():
    box = Box(1, 1, 2, 2)
    assert (1, 2) in box
    assert np.array([2, 1]) in box
    assert (3, 1) not in box
    assert (1.5, 1) not in box
    assert "no" not in box
    assert 1 not in box
