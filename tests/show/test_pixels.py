"""PNG and GIF: what is in the pixels, frame by frame, and how long each is shown."""

from __future__ import annotations

import io
import time
from math import floor

import numpy as np
import pytest
from PIL import Image, ImageSequence

from satlife.life import Pattern
from satlife.life.draw.palette import DARK, LIGHT, to_rgb
from satlife.show import Scene, draw, find_map
from satlife.show import raster as module
from satlife.show.layout import PAD, Camera
from tests.show.golden import BLINKER, COMPOSITE, GLIDER, OCTAGON

SHIP = Pattern.from_rle("7bo$5b3ob3ob2o$b2ob2o2bo4b2o$b2o2bo3b2obo2bo$o2bo!")


def open_frames(drawn: bytes) -> tuple[list[np.ndarray], list[int]]:
    image = Image.open(io.BytesIO(drawn))
    frames = [(np.asarray(f.convert("RGB")), f.info["duration"]) for f in _iterate(image)]
    return [frame for frame, _ in frames], [duration for _, duration in frames]


def _iterate(image):
    return ImageSequence.Iterator(image)


def read_cells(pixels: np.ndarray, cell: int, columns: int, rows: int, colour: str) -> np.ndarray:
    """Which cells have this colour in their middle."""
    middle = cell // 2
    picked = pixels[PAD + middle :: cell, PAD + middle :: cell][:rows, :columns]
    return (picked == to_rgb(colour)).all(axis=2).astype(np.uint8)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("cell", [2, 5, 9, 20])
def test_png_shows_the_cells(cell, theme):
    drawn = draw(OCTAGON, "png", generations=1, cell=cell, caption=False, theme=theme.name)
    pixels = np.asarray(Image.open(io.BytesIO(drawn)).convert("RGB"))
    seen = read_cells(pixels, cell, 10, 10, theme.alive)
    assert np.array_equal(seen, OCTAGON.in_box(OCTAGON.box.grow(1)))
    assert tuple(pixels[1, 1]) == to_rgb(theme.panel)


def test_gif_of_an_oscillator_loops_its_period():
    drawn = draw(OCTAGON, "gif", cell=8, caption=False, rate=10)
    frames, durations = open_frames(drawn)
    assert durations == [100] * 5
    assert Image.open(io.BytesIO(drawn)).info["loop"] == 0
    box = Scene.of(OCTAGON).box.grow(1)
    for t, pixels in enumerate(frames):
        seen = read_cells(pixels, 8, box.width, box.height, LIGHT.alive)
        assert np.array_equal(seen, OCTAGON[t].in_box(box)), t


@pytest.mark.parametrize("ship", [GLIDER, SHIP], ids=["glider", "25P3H1V0.1"])
def test_gif_of_a_ship_follows_it(ship):
    cell = 12
    scene = Scene.of(ship)
    camera = Camera.on(scene)
    frames, _ = open_frames(draw(scene, "gif", cell=cell, caption=False))
    assert len(frames) == scene.loop.period
    for t, pixels in enumerate(frames):
        x, y = camera.at(t)
        for column, row in ship[t].coordinates.tolist():
            left = PAD + floor((column - x) * cell) + cell // 2
            top = PAD + floor((row - y) * cell) + cell // 2
            assert tuple(pixels[top, left]) == to_rgb(LIGHT.alive), (t, column, row)
    dark = [(f == to_rgb(LIGHT.alive)).all(axis=2).sum() for f in frames]
    populations = [ship[t].population for t in range(len(frames))]
    assert {n / p for n, p in zip(dark, populations, strict=True)} == {dark[0] / populations[0]}


@pytest.mark.parametrize(
    ("generations", "rate", "duration"),
    [(3, None, 200), (50, None, 100), (300, None, 50), (3, 7, 140), (3, 50, 20), (3, 0.5, 2000)],
)
def test_gif_timing(generations, rate, duration):
    glider = draw(GLIDER, "gif", generations=generations, rate=rate, cell=2, caption=False)
    frames, durations = open_frames(glider)
    assert (len(frames), set(durations)) == (generations, {duration})


def test_a_sheet_goes_round_when_all_of_its_scenes_do():
    frames, _ = open_frames(draw([BLINKER, OCTAGON], "gif", cell=4, caption=False))
    assert len(frames) == 10


def test_a_still_life_is_one_frame():
    assert len(open_frames(draw(Pattern.from_rle("2o$2o!"), "gif"))[0]) == 1


def test_a_map_does_not_move():
    assert len(open_frames(draw(COMPOSITE, "gif", map="period"))[0]) == 1


def test_the_work_grows_with_pixels_not_with_cells(monkeypatch):
    """A thousand frames of 40x40, and 500x500 cells: the tiles are drawn once, and rarely."""
    painted = []
    monkeypatch.setattr(module, "_paint", lambda *rest: painted.append(rest))
    film = [np.random.default_rng(t).integers(0, 2, (40, 40), np.uint8) for t in range(1000)]
    begun = time.process_time()
    drawn = draw(film, "gif", rate=10, caption=False)
    assert time.process_time() - begun < 2
    frames, _ = open_frames(drawn)
    assert len(frames) <= 1000
    assert frames[0].size // 3 * 1000 <= 100_000_000
    begun = time.process_time()
    draw(np.ones((500, 500), np.uint8), "png", caption=False)
    assert time.process_time() - begun < 2
    assert len(painted) <= 6


@pytest.mark.parametrize("cell", [4, 16])
def test_map_in_pixels(cell):
    drawn = draw(BLINKER, "png", map="rotor", cell=cell, caption=False)
    pixels = np.asarray(Image.open(io.BytesIO(drawn)).convert("RGB"))
    colours = {to_rgb(mark.colour) for mark in find_map("rotor").make(Scene.of(BLINKER)).marks}
    left = (pixels.shape[1] - 5 * cell) // 2
    field = pixels[PAD : PAD + 5 * cell, left : left + 5 * cell]
    middles = field[cell // 2 :: cell, cell // 2 :: cell]
    assert {tuple(middles[2, 2])} | {tuple(middles[1, 2])} == colours
    assert tuple(middles[0, 0]) == to_rgb(LIGHT.panel)
