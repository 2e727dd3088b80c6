"""Pictures: text that can be compared by eye, and SVG that is well formed."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from satlife.errors import UsageError
from satlife.life import UNKNOWN, Box, PartialPattern, Pattern, draw_svg, draw_text
from satlife.life.draw import DONT_CARE
from satlife.life.draw.palette import THEMES, to_rgb
from satlife.life.draw.svg import measure_tile

GLIDER = Pattern.from_rle("bo$2bo$3o!")
SVG = "{http://www.w3.org/2000/svg}"


def find_paths(svg: str, kind: str) -> list[str]:
    root = ET.fromstring(svg)
    return [path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == kind]


def test_text_of_a_glider():
    assert draw_text(GLIDER).split("\n") == [" ▀▄", "▀▀▀"]


def test_text_in_a_box():
    assert draw_text(GLIDER, Box(-1, -1, 5, 5)).split("\n") == ["  ▄", " ▄▄█", ""]


def test_text_of_nothing():
    assert draw_text(Pattern([])) == ""


def test_text_of_a_partial_pattern():
    partial = PartialPattern.from_plaintext("O?\n.O")
    assert draw_text(partial).split("\n") == ["██░░", " ·██"]
    assert draw_text(partial, Box(1, -1, 2, 3)).split("\n") == ["", "░░", "██"]


def test_svg_of_a_glider():
    svg = draw_svg(GLIDER)
    root = ET.fromstring(svg)
    assert root.get("viewBox") == "0 0 5 5"
    assert (root.get("width"), root.get("height"), root.get("role")) == ("80", "80", "img")
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "5 cells in a box of 3x3, B3/S23"
    (alive,) = find_paths(svg, "satlife-alive")
    assert alive.count("M") == 5
    (grid,) = find_paths(svg, "satlife-grid")
    assert grid.count("M") == 8


def test_svg_without_a_grid_joins_runs():
    svg = draw_svg(GLIDER, grid=False)
    assert find_paths(svg, "satlife-grid") == []
    assert find_paths(svg, "satlife-alive") == ["M2 1h1v1h-1zM3 2h1v1h-1zM1 3h3v1h-3z"]


def test_svg_of_phases_in_one_frame():
    svg = draw_svg([GLIDER[t] for t in range(5)], labels=[f"t < {t}" for t in range(5)])
    root = ET.fromstring(svg)
    assert root.get("viewBox") == "0 0 34 7.5"
    assert [text.text for text in root.iter(f"{SVG}text")] == [f"t < {t}" for t in range(5)]
    assert len(find_paths(svg, "satlife-alive")) == 5


def test_svg_of_a_partial_pattern():
    svg = draw_svg(PartialPattern.from_plaintext("O??\n.O."), Box(0, 0, 3, 2))
    assert find_paths(svg, "satlife-unknown") == ["M1 0h2v1h-2z"]
    assert find_paths(svg, "satlife-mark")[0].count("M") == 2
    assert "A partial pattern with 2 unknown cells in a box of 3x2" in svg


def test_svg_of_nothing():
    assert find_paths(draw_svg(Pattern([])), "satlife-alive") == []
    with pytest.raises(UsageError, match="nothing to draw"):
        draw_svg([])


def test_svg_escapes_its_words():
    assert ET.fromstring(draw_svg(GLIDER, title="a < b & c"))[0].text == "a < b & c"


def test_svg_needs_a_label_for_each():
    with pytest.raises(UsageError, match="2 labels for 1 patterns; give one for each"):
        draw_svg(GLIDER, labels=["a", "b"])


def test_svg_of_a_soup_is_small():
    soup = Pattern(np.random.default_rng(1).random((50, 50)) < 0.4)
    assert len(draw_svg(soup, grid=False)) < 30 * soup.population


def test_every_state_has_a_look_of_its_own():
    states = np.array([[0, 1, 2, 3], [4, 5, DONT_CARE, UNKNOWN]], np.uint8)
    assert draw_text(states).split("\n") == [" ·██▓▓▒▒", "▒▒▒▒××░░"]
    svg = draw_svg(states)
    for name in ("alive", *(f"dying{k}of6" for k in range(2, 6)), "unknown"):
        assert len(find_paths(svg, f"satlife-{name}")) == 1, name
    (marks,) = find_paths(svg, "satlife-mark")
    assert marks.count("M") == 2, "a ring and a stroke"


def test_dying_cells_become_smaller():
    sides = [measure_tile(state, 6) for state in range(1, 6)]
    assert sides == sorted(sides, reverse=True)
    assert len(set(sides)) == 5


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_colours_have_contrast(theme):
    """By WCAG 2.2: 3 for what is drawn, 4.5 for letters."""
    for colour in (theme.alive, theme.fresh, theme.hatch):
        assert contrast(colour, theme.panel) >= 3, colour
    assert contrast(theme.hatch, theme.unknown) >= 2.5
    for ink in (theme.ink, theme.soft):
        assert contrast(ink, theme.panel) >= 4.5, ink


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    values = [value / 255 for value in to_rgb(colour)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
