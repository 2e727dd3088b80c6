"""The sixteen classes, drawn, and symmetries in time."""

from __future__ import annotations

import itertools

import pytest

from satlife.errors import UsageError
from satlife.life import TRANSFORMS, Box, Pattern, Transform
from satlife.life.identity import find_symmetries, find_symmetry, spacetime_symmetries
from satlife.life.identity.symmetries import name_symmetry
from satlife.life.symmetry import CLASSES

DRAWINGS = {
    "C1": "O.O\nO..\nO..",
    "C2_1": "OO.\n.O.\n.OO",
    "C2_2": "OO..\n.OO.\n..OO",
    "C2_4": ".OOO\nOOO.",
    "C4_1": "O..OO\nO....\n..O..\n....O\nOO..O",
    "C4_4": "O.OO\nO...\n...O\nOO.O",
    "D2_+1": ".O.\nOOO\nO.O",
    "D2_+2": ".OO.\nOOOO\nO..O",
    "D2_x": ".O.\nO.O\n.OO",
    "D4_+1": "OOO",
    "D4_+2": ".OO.\nO..O\n.OO.",
    "D4_+4": "OOOO\nOOOO",
    "D4_x1": "OO.\nO.O\n.OO",
    "D4_x4": "OO..\nOO..\n..OO\n..OO",
    "D8_1": ".O.\nO.O\n.O.",
    "D8_4": "OO\nOO",
}


def test_there_is_a_drawing_of_each_class():
    assert list(DRAWINGS) == [each.name for each in CLASSES]


@pytest.mark.parametrize("name", DRAWINGS)
def test_class_of_a_drawing_in_all_orientations(name: str):
    pattern = Pattern.from_plaintext(DRAWINGS[name])
    for transform in TRANSFORMS:
        assert find_symmetry(pattern.transformed(transform).shift(3, -2)) == name


def is_group(transforms: tuple[Transform, ...]) -> bool:
    return all(g * h in transforms for g in transforms for h in transforms)


def test_all_ten_groups_have_names_that_the_searches_know():
    groups = [
        transforms
        for n in range(1, 9)
        for transforms in itertools.combinations(TRANSFORMS, n)
        if is_group(transforms)
    ]
    assert len(groups) == 10
    names = {
        name_symmetry(group, Box(0, 0, width, height))
        for group in groups
        for width in (4, 5)
        for height in (4, 5)
        if width == height or not any(g.swaps_axes for g in group)
    }
    assert names == {each.name for each in CLASSES}


def test_the_empty_pattern_has_every_symmetry():
    assert find_symmetries(Pattern([])) == TRANSFORMS


@pytest.mark.parametrize(
    ("rle", "mod", "transforms"),
    [
        ("bo$2bo$3o!", 2, {"flip-diagonal"}),  # glider
        ("bo2bo$o$o3bo$4o!", 2, {"flip-top-bottom"}),  # LWSS
        ("2o3b2o$bobobo$b2ob2o$bobobo$2o3b2o!", 2, {"quarter-turn-clockwise"}),  # monogram
        ("b2ob2o$b2ob2o$2bobo$obobobo$obobobo$2o3b2o!", 7, {"half-turn"}),  # tumbler
        ("3o!", 1, {"quarter-turn-clockwise", "flip-diagonal"}),  # blinker
    ],
)
def test_symmetries_in_time(rle: str, mod: int, transforms: set[str]):
    pattern = Pattern.from_rle(rle).shift(5, -7)
    found = spacetime_symmetries(pattern)
    later = [each for each in found if each.phase > 0]
    assert min(each.phase for each in later) == mod
    assert transforms <= {str(each.transform) for each in later}
    for each in found:
        assert pattern.transformed(each.transform).shift(*each.shift) == pattern[each.phase]


def test_symmetries_of_phase_0_are_the_static_ones():
    for name, drawing in DRAWINGS.items():
        pattern = Pattern.from_plaintext(drawing)
        if name in {"C2_4", "D4_+1", "D4_+2", "D4_x1", "D8_4"}:  # those that recur
            now = [each.transform for each in spacetime_symmetries(pattern) if each.phase == 0]
            assert tuple(now) == find_symmetries(pattern)


def test_a_pattern_that_does_not_recur_has_none():
    with pytest.raises(UsageError, match="dies in generation 1"):
        spacetime_symmetries(Pattern.from_rle("o!"))
