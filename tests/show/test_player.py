"""The player, in a real browser: what it shows, how it is used, and that its simulator is right."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from satlife.life import PartialPattern, Pattern, Rule
from satlife.life.draw.palette import THEMES
from satlife.show import Scene, draw, maps, save
from satlife.show.formats.html import shorten_script
from satlife.show.player import read_script, read_sheet, write_scene
from tests.browser import open_browser
from tests.show.golden import BLINKER, COMPOSITE, GLIDER, OCTAGON, STATES

RULES = (
    *("B3/S23", "B36/S23", "B2/S", "B3678/S34678", "B1357/S1357", "B2-a/S12", "B2/S34H"),
    *("B03/S23", "B0123478/S01234678", "/2/3", "345/2/4"),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page on which any error fails the test."""
    opened = browser.new_page(viewport={"width": 800, "height": 800})
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield opened
    opened.close()
    assert errors == []


def show(page: Any, tmp_path: Any, what: Any, **style: Any) -> None:
    save(what, tmp_path / "player.html", **style)
    page.goto((tmp_path / "player.html").as_uri())


def said(page: Any) -> str:
    return page.locator(".satlife-stats").first.inner_text()


def load_module(page: Any) -> None:
    """Make the functions of the module known to ``page.evaluate``."""
    script = f"{read_script()}\nwindow.player = {{ readScene, findPeriods, mount }};"
    page.set_content("<main></main>")
    page.add_script_tag(content=script, type="module")
    page.wait_for_function("window.player")


def play_all(page: Any, scene: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all generations as the script computes them."""
    return page.evaluate(
        "scene => player.readScene(scene).map(f => ({...f, cells: [...f.cells]}))", scene
    )


def encode(table: np.ndarray) -> str:
    return base64.b64encode(np.packbits(table).tobytes()).decode()


@pytest.mark.parametrize("rule", RULES)
def test_the_script_simulates_as_the_simulator_does(page, rule):
    load_module(page)
    chance = np.random.default_rng(5)
    for _ in range(3):
        soup = Pattern(chance.integers(0, Rule(rule).states, (11, 8)), -3, 5, rule)
        scene = Scene.of(soup, generations=12)
        for t, frame in enumerate(play_all(page, write_scene(scene))):
            cells = np.array(frame["cells"], np.uint8).reshape(frame["h"], frame["w"])
            assert np.array_equal(cells, soup[t].cells), (t, soup)
            assert (frame["x"], frame["y"]) == (soup[t].x, soup[t].y)


def test_the_script_knows_rules_that_are_not_symmetric(page):
    """A rule that only shifts: a cell lives if its western neighbour did."""
    load_module(page)
    scene = write_scene(Scene.of(GLIDER, generations=3))
    table = np.array([(index >> 5) & 1 for index in range(512)], np.uint8)
    scene["tables"] = [encode(table)]
    frames = play_all(page, scene)
    assert [(frame["x"], frame["y"]) for frame in frames] == [(0, 0), (1, 0), (2, 0)]
    assert frames[2]["cells"] == frames[0]["cells"]


def test_frames_of_any_states_are_read(page):
    load_module(page)
    chance = np.random.default_rng(1)
    cells = chance.integers(0, 256, (9, 17), dtype=np.uint8)
    cells[chance.random((9, 17)) < 0.4] = 0
    cells[4] = 0
    cells[:, -1] = 1
    (frame,) = play_all(page, write_scene(Scene.of(cells)))
    assert np.array_equal(np.array(frame["cells"]).reshape(9, 17), cells)


def test_the_script_finds_periods_as_the_map_does(page):
    load_module(page)
    scene = Scene.of(COMPOSITE)
    made = page.evaluate(
        "scene => [...player.findPeriods(player.readScene(scene))]", write_scene(scene)
    )
    expected = maps.make_period_map(scene)
    signs = ["", *(mark.sign for mark in expected.marks)]
    box = expected.box
    rows, columns = expected.classes.nonzero()
    assert {tuple(map(int, key.split(","))): p for key, p in made} == {
        (int(x) + box.x, int(y) + box.y): int(signs[expected.classes[y, x]])
        for y, x in zip(rows, columns, strict=True)
    }


def test_it_plays_by_itself_and_pauses(page, tmp_path):
    show(page, tmp_path, OCTAGON, rate=20)
    page.wait_for_function("document.querySelector('.satlife-stats').textContent.includes('n 3')")
    page.get_by_label("Pause").click()
    before = said(page)
    page.wait_for_timeout(200)
    assert said(page) == before
    assert page.get_by_label("Play", exact=True).is_visible()


def test_it_is_still_at_first_where_motion_is_not_wanted(page, tmp_path):
    page.emulate_media(reduced_motion="reduce")
    show(page, tmp_path, OCTAGON)
    page.wait_for_timeout(400)
    assert said(page).startswith("Generation 0 ·")


def test_by_keyboard_alone(page, tmp_path):
    page.emulate_media(reduced_motion="reduce")
    show(page, tmp_path, OCTAGON)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "CANVAS"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert said(page) == f"Generation 2 · {OCTAGON[2].population} cells (16 to 24)"
    page.keyboard.press("ArrowLeft")
    assert said(page).startswith("Generation 1 ·")
    page.keyboard.press(" ")
    assert page.get_by_label("Pause").is_visible()
    page.keyboard.press(" ")
    assert page.get_by_label("Play", exact=True).is_visible()


def test_scrubbing_ends_where_it_began(page, tmp_path):
    show(page, tmp_path, OCTAGON)
    page.get_by_label("Generation", exact=True).fill("5")
    assert said(page) == "Generation 5 · 16 cells (16 to 24)"
    page.get_by_label("Step forward").click()
    assert said(page).startswith("Generation 0 ·")


def count_pixels(page: Any, colour: str) -> int:
    """How many pixels of the canvas have a colour."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return page.evaluate(
        """([r, g, b]) => {
            const canvas = document.querySelector("canvas");
            const pen = canvas.getContext("2d");
            const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
            let n = 0;
            for (let k = 0; k < data.length; k += 4)
                n += data[k] === r && data[k + 1] === g && data[k + 2] === b;
            return n;
        }""",
        [red, green, blue],
    )


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_cells_are_drawn_in_the_colours_of_the_theme(page, tmp_path, theme):
    page.emulate_media(color_scheme=theme.name)
    show(page, tmp_path, STATES)
    for colour in (theme.alive, theme.fresh, theme.hatch, theme.panel):
        assert count_pixels(page, colour) > 50, colour
    # The page's own theme is stronger than the system's.
    other = next(each for each in THEMES if each is not theme)
    page.evaluate("name => document.documentElement.dataset.theme = name", other.name)
    page.wait_for_timeout(100)
    assert count_pixels(page, other.alive) > 50


def test_all_living_cells_are_drawn(page, tmp_path):
    """Twice as many cells, twice as many pixels: nothing is cut off, in any generation."""
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    show(page, tmp_path, OCTAGON)
    pixels = []
    for t in range(5):
        page.get_by_label("Generation", exact=True).fill(str(t))
        pixels.append(count_pixels(page, THEMES[0].alive) / OCTAGON[t].population)
    assert max(pixels) - min(pixels) < 0.01 * pixels[0]


def test_follow_keeps_a_ship_in_its_place(page, tmp_path):
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    show(page, tmp_path, GLIDER)
    middle = """() => {
        const canvas = document.querySelector("canvas");
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        let [n, x] = [0, 0];
        for (let k = 0; k < data.length; k += 4)
            if (data[k] === 0x1f && data[k + 1] === 0x2a) { n++; x += (k / 4) % canvas.width; }
        return x / n / canvas.width;
    }"""
    scrub = page.get_by_label("Generation", exact=True)
    places = []
    for follow in (True, False):
        page.get_by_label("Follow").set_checked(follow)
        for t in ("0", "4"):
            scrub.fill(t)
            places.append(page.evaluate(middle))
    assert abs(places[0] - places[1]) < 0.01
    assert places[3] - places[2] > 0.05


def test_views(page, tmp_path):
    page.emulate_media(color_scheme="light")
    show(page, tmp_path, COMPOSITE)
    views = page.get_by_label("View")
    assert views.locator("option").all_inner_texts() == [
        *("Cells", "Trails", "Period map", "Rotor and stator")
    ]
    views.select_option("period")
    assert said(page) == "Always alive: 9 cells · period 2: 4 cells · period 5: 32 cells"
    assert count_pixels(page, maps.BETWEEN[0]) > 100
    views.select_option("rotor")
    assert said(page) == "Stator: 9 cells · rotor: 36 cells"
    page.get_by_label("Play", exact=True).click()
    assert views.input_value() == "cells", "a map does not move"
    show(page, tmp_path, GLIDER)
    assert views.locator("option").all_inner_texts() == ["Cells", "Trails"]


def test_a_map_can_be_the_first_view(page, tmp_path):
    show(page, tmp_path, OCTAGON, map="rotor")
    assert said(page) == "Stator: 8 cells · rotor: 32 cells"


def test_rle_is_copied(page, tmp_path):
    show(page, tmp_path, GLIDER)
    page.get_by_label("Copy RLE").click()
    page.get_by_text("RLE copied").wait_for()
    # What was copied can be pasted.
    page.evaluate("document.body.append(document.createElement('textarea'))")
    page.locator("textarea").focus()
    page.keyboard.press("Control+V")
    assert Pattern.from_rle(page.locator("textarea").input_value()) == GLIDER


def test_of_several_only_the_first_plays(page, tmp_path):
    show(page, tmp_path, [BLINKER, GLIDER, OCTAGON])
    assert page.get_by_label("Pause").count() == 1
    assert page.get_by_label("Play", exact=True).count() == 2


def test_the_canvas_speaks(page, tmp_path):
    page.emulate_media(reduced_motion="reduce")
    show(page, tmp_path, GLIDER)
    assert page.locator("canvas").get_attribute("aria-label") == (
        "glider, spaceship c/4d, period 4, 5 cells, 3x3, B3/S23, xq4_153. Generation 0 · 5 cells"
    )


def test_nothing_is_drawn_while_it_is_paused(page, tmp_path):
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(
        "window.asked = 0; const ask = window.requestAnimationFrame;"
        "window.requestAnimationFrame = act => { window.asked++; return ask(act); };"
    )
    show(page, tmp_path, GLIDER)
    page.wait_for_timeout(200)
    assert page.evaluate("window.asked") == 0


def load_widget(page: Any, script: str, traits: dict[str, Any]) -> None:
    """Render a widget as a notebook does, with a model whose traits can be set."""
    page.set_content("<main></main>")
    host = """
        const acts = {};
        window.sent = [];
        window.traits = %s;
        const model = {
            get: name => window.traits[name],
            on: (name, act) => { acts[name] = act; },
            send: message => window.sent.push(message),
        };
        window.set = (name, value) => { window.traits[name] = value; acts[`change:${name}`](); };
        const { default: widget } = await import(`data:text/javascript,${encodeURIComponent(%s)}`);
        window.leave = widget.render({ model, el: document.querySelector("main") });
        window.ready = true;
    """
    page.add_script_tag(content=host % (json.dumps(traits), json.dumps(script)), type="module")
    page.wait_for_function("window.ready")


def test_the_player_is_a_widget(page):
    load_widget(page, read_script(), {"scene": write_scene(Scene.of(GLIDER))})
    assert page.locator("strong").inner_text() == "glider"
    page.evaluate("scene => set('scene', scene)", write_scene(Scene.of(OCTAGON)))
    assert page.locator("strong").all_inner_texts() == ["octagon 2"]
    page.evaluate("leave()")
    assert page.locator(".satlife-player").count() == 0


def test_the_monitor_is_a_widget(page):
    script = (files("satlife.show.player") / "monitor.js").read_text(encoding="utf-8")
    load_widget(page, script, {"text": "Searching: 0 s", "html": "", "running": True})
    assert page.get_by_role("status").inner_text() == "Searching: 0 s"
    page.evaluate("set('text', 'Searching: 3 s')")
    assert page.get_by_role("status").inner_text() == "Searching: 3 s"
    page.get_by_role("button", name="Stop").click()
    assert page.evaluate("sent") == ["stop"]
    page.evaluate("set('html', '<b>found</b>'); set('running', false)")
    assert page.locator("b").inner_text() == "found"
    assert page.get_by_role("button").count() == 0


def test_texts_cannot_become_html(page, tmp_path):
    evil = '</script><img src=x onerror="window.evil=1">'
    show(page, tmp_path, Scene.of(GLIDER, name=evil))
    page.wait_for_timeout(100)
    assert page.evaluate("window.evil") is None
    assert page.locator("strong").inner_text() == evil[:80]


def test_at_390_pixels_nothing_is_cut_off(page, tmp_path):
    page.set_viewport_size({"width": 390, "height": 800})
    show(page, tmp_path, GLIDER)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sizes = page.evaluate(
        "[...document.querySelectorAll('button, select, input[type=range]')]"
        ".map(e => e.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 44


def test_a_file_is_small_and_contacts_nobody(page, tmp_path):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    show(page, tmp_path, Pattern.from_rle("7bo$5b3ob3ob2o$b2ob2o2bo4b2o$b2o2bo3b2obo2bo$o2bo!"))
    page.wait_for_timeout(100)
    assert len(requests) == 1
    assert (tmp_path / "player.html").stat().st_size <= 30_000


def test_a_long_film_is_as_small_as_a_short_one():
    soup = Pattern(np.random.default_rng(2).random((40, 40)) < 0.4)
    assert len(draw(soup, "html", generations=1000)) <= 30_000


def test_sixty_frames_a_second_at_128x128(page):
    """In seconds of the processor: a frame may take a sixtieth."""
    load_module(page)
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")

    def used() -> float:
        told = client.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in told}["ThreadTime"]

    soup = Pattern(np.random.default_rng(1).random((128, 128)) < 0.4)
    scene = write_scene(Scene.of(soup, generations=60))
    page.evaluate(
        "scene => { window.film = player.mount(document.querySelector('main'), scene) }", scene
    )
    before = used()
    page.evaluate("() => { for (let t = 0; t < 120; t++) window.film.go(t % 60) }")
    assert (used() - before) / 120 < 1 / 60


def test_colours_of_the_sheet_are_those_of_the_palette():
    sheet = read_sheet()
    for theme in THEMES:
        for name in ("panel", "grid", "alive", "fresh", "old", "hatch", "ink"):
            assert sheet.count(f"--{name}: {getattr(theme, name)}") == 2, (theme.name, name)
    for colour in (maps.STATOR, maps.FULL, *maps.BETWEEN):
        assert f'"{colour}"' in read_script()


def test_the_script_is_shortened_without_a_change():
    script = shorten_script(read_script())
    assert not re.search(r"^\s*(/\*\*|//)", script, re.MULTILINE)
    code = [line.strip() for line in read_script().splitlines()]
    kept = [line for line in script.splitlines() if line]
    assert [line for line in code if line in set(kept)][: len(kept)]
    assert set(kept) <= set(code)


def test_scenes_are_plain_json():
    for what in (GLIDER, STATES, PartialPattern.from_rle("o?!")):
        scene = write_scene(Scene.of(what))
        assert json.loads(json.dumps(scene)) == scene
    assert write_scene(Scene.of(STATES))["tables"] == [], "an array is not simulated"
    assert Rule(write_scene(Scene.of(GLIDER))["rule"]) == GLIDER.rule
