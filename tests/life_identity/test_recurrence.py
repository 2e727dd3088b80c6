"""Periods, displacements, and what becomes of patterns that do not recur."""

from __future__ import annotations

import pytest

from satlife.errors import UsageError
from satlife.life import Pattern, Rule
from satlife.life.identity import Recurrence, find_recurrence, follow
from satlife.life.identity.recurrence import trace_phases

R_PENTOMINO = Pattern.from_rle("b2o$2o$bo!")
GLIDER_GUN = Pattern.from_rle(
    "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$"
    "12b2o!"
)


@pytest.mark.parametrize(
    ("rle", "period", "displacement", "kind", "speed", "simplified"),
    [
        ("2o$2o!", 1, (0, 0), "still life", None, None),
        ("3o!", 2, (0, 0), "oscillator", None, None),
        ("bo$2bo$3o!", 4, (1, 1), "spaceship", "c/4d", "c/4d"),
        ("bo2bo$o$o3bo$4o!", 4, (-2, 0), "spaceship", "2c/4", "c/2"),
        ("2bo4bo$2ob4ob2o$2bo4bo!", 15, (0, 0), "oscillator", None, None),
    ],
)
def test_recurrence(rle, period, displacement, kind, speed, simplified):
    found = find_recurrence(Pattern.from_rle(rle))
    assert found == Recurrence(period, displacement)
    assert (found.kind, found.speed, found.simplified_speed) == (kind, speed, simplified)


def test_speed_of_a_knightship_has_the_larger_number_first():
    assert Recurrence(6, (-1, 2)).speed == "(2,1)c/6"
    assert Recurrence(12, (2, 4)).simplified_speed == "(2,1)c/6"


def test_a_rule_may_have_ships_at_the_speed_of_light():
    pattern = Pattern.from_rle("x = 2, y = 2, rule = B2/S\no$o!")
    assert find_recurrence(pattern) is None  # it splits
    assert Recurrence(1, (0, -1)).kind == "spaceship"
    assert Recurrence(1, (0, -1)).speed == "c"


def test_the_empty_pattern_is_a_still_life():
    assert find_recurrence(Pattern([])) == Recurrence(1, (0, 0))


@pytest.mark.parametrize(
    ("rle", "outcome", "generation", "reason"),
    [
        ("o!", "dies", 1, "dies in generation 1"),
        ("6bo$2o$bo3b3o!", "dies", 130, "dies in generation 130"),
        ("2o$o!", "settles", 1, "becomes a still life in generation 1"),
        ("3o$bo!", "settles", 9, "becomes an oscillator of period 2 in generation 9"),
        ("bo8bo$2bo$3o!", "settles", 1, "becomes a spaceship of period 4 in generation 1"),
    ],
)
def test_patterns_that_never_recur(rle, outcome, generation, reason):
    fate = follow(Pattern.from_rle(rle))
    assert (fate.outcome, fate.generation, fate.reason) == (outcome, generation, reason)
    assert find_recurrence(Pattern.from_rle(rle)) is None


def test_limits_are_told():
    assert follow(R_PENTOMINO, generations=50).reason == "does not recur within 50 generations"
    fate = follow(GLIDER_GUN, growth=20)
    assert fate.outcome == "undecided"
    assert fate.recurrence is None
    assert fate.reason == (
        f"grows by more than 20 cells in width or height by generation {fate.generation} "
        "and has not recurred"
    )


def test_a_limit_just_large_enough():
    pentadecathlon = Pattern.from_rle("2bo4bo$2ob4ob2o$2bo4bo!")
    assert find_recurrence(pentadecathlon, generations=15) == Recurrence(15, (0, 0))
    assert find_recurrence(pentadecathlon, generations=14) is None
    assert find_recurrence(pentadecathlon, growth=6) == Recurrence(15, (0, 0))
    assert find_recurrence(pentadecathlon, growth=5) is None


@pytest.mark.parametrize("limits", [{"generations": 0}, {"growth": -1}, {"generations": 1.5}])
def test_limits_that_make_no_sense(limits):
    with pytest.raises(UsageError):
        follow(R_PENTOMINO, **limits)


def test_a_glider_at_the_edge_of_the_plane_still_recurs():
    glider = Pattern.from_rle("bo$2bo$3o!").shift(2**20 - 3, 2**20 - 3)
    assert find_recurrence(glider) == Recurrence(4, (1, 1))


def test_phases_are_in_one_frame():
    glider = Pattern.from_rle("bo$2bo$3o!")
    assert trace_phases(glider.shift(7, -3), 4) == tuple(glider[t] for t in range(4))


def test_other_rules():
    beehive = Pattern.from_cells([(0, 1), (0, 2), (1, 0), (1, 3), (2, 1), (2, 2)], "B36/S23")
    assert find_recurrence(beehive) == Recurrence(1, (0, 0))
    assert find_recurrence(Pattern([[1, 1], [1, 1]], rule=Rule("B3678/S34678"))).period == 1
