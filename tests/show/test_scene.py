"""Scenes, and the camera on them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satlife.errors import UsageError
from satlife.life import PartialPattern, Pattern, identify
from satlife.life.catalogue import catalogue
from satlife.show import Scene
from satlife.show.layout import Camera
from satlife.show.scene import LONGEST
from tests.show.golden import BLINKER, COMPOSITE, GLIDER

SHIPS = [entry.pattern for entry in catalogue() if entry.kind == "spaceship"]
R_PENTOMINO = Pattern.from_rle("b2o$2o$bo!")
GUN = Pattern.from_rle(
    "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$"
    "11bo3bo$12b2o!"
)


def test_one_period_is_shown():
    scene = Scene.of(COMPOSITE)
    assert len(scene.frames) == 10
    assert scene.loop.displacement == (0, 0)
    assert not scene.is_moving


def test_what_dies_is_shown_until_it_is_gone():
    scene = Scene.of(Pattern.from_rle("2o!"))
    assert [np.count_nonzero(frame.cells) for frame in scene.frames] == [2, 0]
    assert str(scene.caption) == "2 cells: 2x1, dies in generation 1, B3/S23"


def test_what_settles_is_shown_until_it_repeats():
    scene = Scene.of(Pattern.from_rle("3o$bo!"))  # becomes a traffic light
    patterns = [Pattern(frame.cells, frame.box.x, frame.box.y) for frame in scene.frames]
    assert patterns[-1][1] == patterns[-2]
    assert scene.loop is None


def test_what_does_not_recur_is_shown_for_a_while():
    assert len(Scene.of(R_PENTOMINO).frames) == LONGEST
    assert "settles in generation 1103 with 116 cells" in Scene.of(R_PENTOMINO).caption.facts


def test_a_gun_is_shown_for_some_of_its_periods():
    scene = Scene.of(GUN)
    assert (len(scene.frames), scene.loop) == (120, None)
    assert scene.caption.title == "Gosper glider gun"
    assert "gun, period 30" in scene.caption.facts


def test_as_many_generations_as_are_wanted():
    scene = Scene.of(GLIDER, generations=9)
    assert len(scene.frames) == 9
    assert scene.loop is None, "nine generations of a glider do not go round"
    with pytest.raises(UsageError, match="1 to 10000 generations, got 0"):
        Scene.of(GLIDER, generations=0)


def test_captions():
    assert str(Scene.of(GLIDER).caption) == (
        "glider: spaceship c/4d, period 4, 5 cells, 3x3, B3/S23, xq4_153"
    )
    assert str(Scene.of(Pattern.from_rle("2o$2o!")).caption) == (
        "block: still life, 4 cells, 2x2, B3/S23, xs4_33"
    )
    assert str(Scene.of(COMPOSITE).caption) == (
        "blinker and octagon 2: oscillator, period 10, no cell has the full period, "
        "19 to 27 cells, 13x8, B3/S23, xp10_idiidiy0ez01w1"
    )
    assert Scene.of(GLIDER, name="my ship").caption.title == "my ship"
    assert "B36/S23 (HighLife)" in Scene.of(GLIDER.with_rule("HighLife")).caption.facts


def test_a_partial_pattern_has_all_its_generations():
    scene = Scene.of(PartialPattern(np.full((3, 2, 2), 255, np.uint8)))
    assert len(scene.frames) == 3
    assert scene.pattern is None
    assert scene.caption.facts[0] == "12 unknown cells"


def test_arrays_of_states_are_generations():
    assert len(Scene.of(np.zeros((4, 5), np.uint8)).frames) == 1
    scene = Scene.of(np.array([[[0, 1, 2]], [[1, 2, 3]]]))
    assert (len(scene.frames), scene.states) == (2, 4)
    for wrong in (np.array([[-1]]), np.array([[256]]), np.array([[0.5]]), np.zeros(3)):
        with pytest.raises(UsageError):
            Scene.of(wrong)
    with pytest.raises(UsageError, match="cannot draw a dict"):
        Scene.of({})


def test_a_large_soup_is_not_followed_for_long(monkeypatch):
    asked = []

    def remember(pattern, **limits):
        asked.append(limits)
        return identify(pattern, generations=2)

    monkeypatch.setattr("satlife.show.scene.identify", remember)
    Scene.of(Pattern(np.random.default_rng(1).random((500, 500)) < 0.4), generations=2)
    (limits,) = asked
    assert limits["generations"] <= 100
    assert limits["seconds"] <= 2


@given(st.sampled_from(SHIPS))
def test_the_camera_is_back_after_a_period(ship):
    scene = Scene.of(ship)
    camera = Camera.on(scene)
    period = scene.loop.period
    dx, dy = scene.loop.displacement
    x, y = camera.at(period)
    assert (x - camera.box.x, y - camera.box.y) == (dx, dy)
    again = Scene.of(ship[period], generations=1).frames[0].see(camera.box.shift(dx, dy))
    assert np.array_equal(again, scene.frames[0].see(camera.box))


@given(st.sampled_from(SHIPS))
def test_the_camera_sees_all_of_a_ship(ship):
    scene = Scene.of(ship)
    camera = Camera.on(scene)
    for t, frame in enumerate(scene.frames):
        cells, left, top = camera.see(scene, t)
        assert np.count_nonzero(cells) == np.count_nonzero(frame.cells)
        assert 0 <= left < 1
        assert 0 <= top < 1
        x, y = camera.at(t)
        # A margin of a cell on every side, wherever the camera is between two cells.
        assert frame.box.x - x >= 1
        assert frame.box.y - y >= 1
        assert x + camera.box.width - frame.box.right >= 1
        assert y + camera.box.height - frame.box.bottom >= 1


def test_the_camera_flies_as_fast_as_the_ship():
    camera = Camera.on(Scene.of(GLIDER))
    assert (camera.dx, camera.dy) == (Fraction(1, 4), Fraction(1, 4))
    assert not Camera.on(Scene.of(BLINKER)).is_moving
