"""Partial patterns: what is known, what is not, and the box that matters."""

import pickle

import numpy as np
import pytest

from satlife.errors import UsageError
from satlife.life import TRANSFORMS, UNKNOWN, Box, PartialPattern, Pattern, read_pattern

DRAWING = """\
.?..
.OO.
????"""


def test_reading_a_drawing():
    partial = PartialPattern.from_plaintext(DRAWING)
    assert partial.states.shape == (1, 3, 4)
    assert (partial.unknown, partial.is_complete, partial.generations) == (5, False, 1)
    assert partial.box == Box(0, 0, 4, 3)
    assert partial.to_rle() == "x = 4, y = 3, rule = B3/S23\nb?$b2o$4?!"
    assert partial.to_plaintext() == DRAWING
    assert read_pattern(DRAWING) == partial
    assert eval(repr(partial)) == partial
    assert hash(pickle.loads(pickle.dumps(partial))) == hash(partial)


def test_the_headers_size_is_the_box():
    partial = PartialPattern.from_rle("x = 6, y = 5\n?$bo!")
    assert partial.box == Box(0, 0, 6, 5)
    assert partial != PartialPattern.from_rle("x = 6, y = 4\n?$bo!")
    assert PartialPattern.from_rle("?$bo!").box == Box(0, 0, 2, 2)


def test_a_complete_one_is_a_pattern():
    block = PartialPattern.from_rle("x = 9, y = 9, rule = B36/S23\n$b2o$b2o!")
    assert block.box == Box(0, 0, 9, 9)
    assert block.pattern() == Pattern([[1, 1], [1, 1]], 1, 1, "B36/S23")
    with pytest.raises(UsageError, match=r"not a complete pattern: the cell at x=1, y=0 is unkn"):
        PartialPattern.from_plaintext(DRAWING).pattern()


def test_several_generations():
    states = np.zeros((2, 2, 3), dtype=np.uint8)
    states[1, 1, 2] = UNKNOWN
    partial = PartialPattern(states, 5, 5)
    assert partial.describe_unknown() == "the cell at x=7, y=6 in generation 1 is unknown"
    assert repr(partial) == "<PartialPattern 3x2 at (5, 5), generations 2, unknown 1, B3/S23>"


@pytest.mark.parametrize("g", TRANSFORMS, ids=str)
def test_transformed_as_patterns_are(g):
    glider = Pattern.from_rle("bo$2bo$3o!").shift(3, 1)
    partial = PartialPattern.from_pattern(glider)
    assert partial.transformed(g).pattern() == glider.transformed(g)
    unknown = PartialPattern.from_plaintext(DRAWING)
    assert unknown.transformed(g).transformed(g.inverse) == unknown


def test_knowing_a_larger_box():
    partial = PartialPattern.from_pattern(Pattern([[1]]), Box(-1, -1, 3, 3))
    assert partial.states.tolist() == [[[0, 0, 0], [0, 1, 0], [0, 0, 0]]]
    assert partial.to_rle().startswith("#CXRLE Pos=-1,-1\nx = 3, y = 3")


def test_states_that_are_none():
    with pytest.raises(UsageError, match="a cell's state is one of 0, 1, 255, got 7"):
        PartialPattern([[7]])
    with pytest.raises(UsageError, match="3 dimensions"):
        PartialPattern(np.zeros((1, 1, 1, 1)))
