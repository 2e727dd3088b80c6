"""The laws of the group of the square, and what each element does to a drawing."""

from itertools import product

import numpy as np
import pytest

from satlife.errors import UsageError
from satlife.life import TRANSFORMS, Box, Pattern, Transform

IDENTITY = Transform("identity")

# The letter F has no symmetry: its eight images differ.
IMAGES = {
    "identity": """
        OOO
        O..
        OO.
        O..""",
    "quarter-turn-clockwise": """
        OOOO
        .O.O
        ...O""",
    "half-turn": """
        ..O
        .OO
        ..O
        OOO""",
    "quarter-turn-anticlockwise": """
        O...
        O.O.
        OOOO""",
    "flip-left-right": """
        OOO
        ..O
        .OO
        ..O""",
    "flip-top-bottom": """
        O..
        OO.
        O..
        OOO""",
    "flip-diagonal": """
        OOOO
        O.O.
        O...""",
    "flip-antidiagonal": """
        ...O
        .O.O
        OOOO""",
}


def draw(text: str) -> np.ndarray:
    return np.array([[int(c == "O") for c in row] for row in text.split()])


def test_there_are_eight_and_the_identity_is_first():
    assert len(set(TRANSFORMS)) == 8
    assert TRANSFORMS[0] == IDENTITY


@pytest.mark.parametrize("g", TRANSFORMS, ids=str)
def test_image_of_the_letter_f(g):
    letter = draw(IMAGES["identity"])
    assert g.apply_to_array(letter).tolist() == draw(IMAGES[g.name]).tolist()


def test_products_stay_in_the_group_and_every_row_is_a_permutation():
    for g in TRANSFORMS:
        assert {g * h for h in TRANSFORMS} == set(TRANSFORMS)


def test_product_is_associative():
    for f, g, h in product(TRANSFORMS, repeat=3):
        assert (f * g) * h == f * (g * h)


@pytest.mark.parametrize("g", TRANSFORMS, ids=str)
def test_identity_and_inverse(g):
    assert g * IDENTITY == g == IDENTITY * g
    assert g * g.inverse == IDENTITY == g.inverse * g


def test_orders():
    assert sorted(g.order for g in TRANSFORMS) == [1, 2, 2, 2, 2, 2, 4, 4]
    assert [g.order for g in TRANSFORMS if g.determinant == 1] == [1, 4, 2, 4]


def test_action_respects_products():
    array = np.arange(6).reshape(2, 3)
    points = np.array([[3, 1], [-2, 5]])
    for g, h in product(TRANSFORMS, repeat=2):
        assert np.array_equal(
            (g * h).apply_to_array(array), g.apply_to_array(h.apply_to_array(array))
        )
        assert np.array_equal(
            (g * h).apply_to_points(points), g.apply_to_points(h.apply_to_points(points))
        )
        assert (g * h).apply_to_point(3, 1) == g.apply_to_point(*h.apply_to_point(3, 1))


@pytest.mark.parametrize("g", TRANSFORMS, ids=str)
def test_actions_on_points_arrays_boxes_and_patterns_agree(g):
    pattern = Pattern.from_plaintext("OOO\nO..\nOO.\nO..").shift(5, -3)
    moved = Pattern.from_cells(tuple(p) for p in g.apply_to_points(pattern.coordinates))
    assert pattern.transformed(g) == moved
    assert pattern.box.transformed(g) == moved.box
    assert g.swaps_axes == (moved.box.width != pattern.box.width)


def test_array_of_generations():
    array = np.arange(24).reshape(2, 3, 4)
    for g in TRANSFORMS:
        turned = g.apply_to_array(array)
        assert np.array_equal(turned[1], g.apply_to_array(array[1]))


def test_unknown_name_and_matrix():
    with pytest.raises(UsageError, match="no transform 'twist'; choose one of identity, quarter"):
        Transform("twist")
    with pytest.raises(UsageError, match="not a rotation or reflection"):
        Transform.from_matrix(((1, 1), (0, 1)))


def test_box_of_no_cells():
    assert Box(3, 4, 0, 5).transformed(Transform("half-turn")) == Box(0, 0, 0, 0)


def test_repr_is_the_constructor():
    for g in TRANSFORMS:
        assert eval(repr(g)) == g
