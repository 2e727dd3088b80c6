"""Patterns: the normal form, the algebra, and what a person may get wrong."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.errors import FormatError, UsageError
from satlife.life import TRANSFORMS, Box, Pattern, Rule

near = st.integers(-5, 5)
cell_sets = st.sets(st.tuples(near, near), max_size=12)
rules = st.sampled_from(["B3/S23", "B36/S23", "B2/S"])
patterns = st.builds(Pattern.from_cells, cell_sets, rules)

GLIDER = Pattern.from_plaintext("""\
.O.
..O
OOO""")


@settings(deadline=None)
@given(cell_sets, near, near)
def test_normal_form(cells, dx, dy):
    pattern = Pattern.from_cells(cells)
    assert {tuple(p) for p in pattern.coordinates.tolist()} == cells
    assert all(cell in pattern for cell in cells)
    assert pattern.population == len(cells)
    moved = pattern.shift(dx, dy)
    assert moved == Pattern.from_cells((x + dx, y + dy) for x, y in cells)
    assert hash(moved.shift(-dx, -dy)) == hash(pattern)
    assert moved.normalized == pattern.normalized
    assert (moved == pattern) == (not cells or (dx, dy) == (0, 0))


@settings(deadline=None)
@given(cell_sets, cell_sets)
def test_union(a, b):
    assert Pattern.from_cells(a) | Pattern.from_cells(b) == Pattern.from_cells(a | b)


@settings(deadline=None)
@given(patterns)
def test_repr_is_an_expression_for_the_pattern(pattern):
    assert eval(repr(pattern)) == pattern


@settings(deadline=None)
@given(patterns)
def test_pickle(pattern):
    copy = pickle.loads(pickle.dumps(pattern))
    assert copy == pattern
    assert not copy.cells.flags.writeable


@settings(deadline=None)
@given(patterns, st.sampled_from(TRANSFORMS), st.sampled_from(TRANSFORMS))
def test_transforms_act(pattern, g, h):
    assert pattern.transformed(h).transformed(g) == pattern.transformed(g * h)


def test_dead_margins_do_not_matter():
    assert Pattern([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]], x=3, y=4) == Pattern([[1, 1]], 4, 5)
    assert Pattern(np.array([[True, False]])) == Pattern([[1]])


def test_empty_pattern():
    empty = Pattern([])
    assert empty == Pattern.from_cells([]) == Pattern(np.zeros((3, 4)), 7, 8) == empty.shift(5, 5)
    assert (empty.population, empty.is_empty, empty.box) == (0, True, Box(0, 0, 0, 0))
    assert empty.coordinates.shape == (0, 2)
    assert repr(empty) == "Pattern.from_rle('!')"
    assert empty[10] == empty | empty == empty
    assert (0, 0) not in empty


def test_repr():
    assert repr(GLIDER) == "Pattern.from_rle('bo$2bo$3o!')"
    assert repr(GLIDER.shift(-2, 5)) == "Pattern.from_rle('bo$2bo$3o!').shift(-2, 5)"
    assert (
        repr(GLIDER.with_rule("HighLife"))
        == "Pattern.from_rle('x = 3, y = 3, rule = B36/S23\\nbo$2bo$3o!')"
    )
    checkers = Pattern(np.indices((40, 40)).sum(axis=0) % 2)
    assert repr(checkers) == "<Pattern 40x40 at (0, 0), population 800, B3/S23>"


def test_rule_is_part_of_a_pattern():
    assert GLIDER.with_rule("B36/S23") != GLIDER
    assert GLIDER.with_rule(Rule("23/3")) == GLIDER
    with pytest.raises(UsageError, match="cannot join a pattern of B3/S23 with one of B36/S23"):
        GLIDER | GLIDER.with_rule("B36/S23")


def test_cells_cannot_be_written_to():
    array = np.ones((2, 2), dtype=np.uint8)
    block = Pattern(array)
    array[0, 0] = 0
    assert block.population == 4
    with pytest.raises(ValueError, match="read-only"):
        block.cells[0, 0] = 0
    with pytest.raises(AttributeError):
        block.x = 3


def test_crop_and_in_box():
    box = Box(-1, 1, 3, 2)
    assert GLIDER.in_box(box).tolist() == [[0, 0, 0], [0, 1, 1]]
    assert GLIDER.crop(box) == Pattern([[1, 1]], 0, 2)
    assert GLIDER.crop(Box(50, 50, 2, 2)).is_empty


@pytest.mark.parametrize(
    ("generation", "reason"),
    [
        (-1, "a generation is 0 or more, got -1"),
        (1.0, "a generation must be a whole number, got 1.0"),
        ("1", "a generation must be a whole number, got '1'"),
        (slice(2), "a generation must be a whole number"),
    ],
)
def test_generation_that_is_none(generation, reason):
    with pytest.raises(UsageError, match=reason):
        GLIDER[generation]


def test_a_pattern_is_not_a_sequence():
    with pytest.raises(TypeError, match="not iterable"):
        list(GLIDER)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([[0, 2]], "a cell's state is one of 0, 1, got 2"),
        ([[0.5]], "a cell's state is one of 0, 1, got 0.5"),
        ([[-1]], "got -1"),
        ([[257, 1]], "got 257"),
        ([[float("nan")]], "got nan"),
        ([["O"]], "got O"),
        ([1, 0], r"2 dimensions, \[y, x\], not of 1"),
        ([[[1]]], "2 dimensions"),
    ],
)
def test_arrays_that_are_no_pattern(cells, reason):
    with pytest.raises(UsageError, match=reason):
        Pattern(cells)


def test_too_large_and_too_far():
    with pytest.raises(UsageError, match="too large"):
        Pattern.from_cells([(0, 0), (100_000, 100_000)])
    with pytest.raises(UsageError, match="too far away"):
        Pattern.from_cells([(10**30, 0)])
    with pytest.raises(UsageError, match="too far away"):
        GLIDER.shift(2**20, 0)


def test_unknown_cells_are_for_partial_patterns():
    with pytest.raises(FormatError, match=r"x=1, y=0 is unknown \(2 such cells\); PartialPattern"):
        Pattern.from_rle("o2?!")


def test_a_pattern_remembers_the_box_that_it_was_drawn_in():
    drawn = Pattern.from_rle("x = 4, y = 3\n$b2o!")
    assert drawn.box == Box(1, 1, 2, 1)
    assert drawn.frame == Box(0, 0, 4, 3)
    assert drawn.shift(2, -1).frame == Box(2, -1, 4, 3)
    assert drawn.with_rule("B36/S23").frame == drawn.frame
    for transform in TRANSFORMS:
        assert drawn.transformed(transform).frame == drawn.frame.transformed(transform)
    assert drawn.crop(Box(1, 0, 9, 9)).frame == Box(1, 0, 9, 9)
    assert pickle.loads(pickle.dumps(drawn)).frame == drawn.frame
    assert Pattern([[0, 0], [0, 1]], 5, 5).frame == Box(5, 5, 2, 2)


def test_what_is_computed_was_not_drawn():
    assert GLIDER.frame == GLIDER.box
    for computed in (GLIDER[0], GLIDER[3], GLIDER | GLIDER, Pattern.from_cells([(2, 2)])):
        assert computed.frame is None
        assert computed.shift(1, 1).frame is None
        assert pickle.loads(pickle.dumps(computed)).frame is None


def test_margins_are_no_part_of_the_value():
    wide, narrow = Pattern.from_rle("x = 9, y = 9\n3o!"), Pattern.from_rle("3o!")
    assert wide == narrow
    assert hash(wide) == hash(narrow)
    assert repr(wide) == repr(narrow)
    assert wide.to_rle() == narrow.to_rle()
