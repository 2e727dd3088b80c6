"""The table of formats and maps, and what all of them must do."""

from __future__ import annotations

from pathlib import Path

import pytest

import satlife.show.maps
from satlife.errors import UsageError
from satlife.life import Pattern, read_pattern
from satlife.show import MAPS, PICTURE_FORMATS, Style, draw, find_map, find_picture_format, save
from satlife.show.maps import MapKind
from tests.show.golden import COMPOSITE, GLIDER, OCTAGON, PARTIAL, STATES

ROOM = Path(satlife.show.__file__).parent


def test_every_file_is_in_the_tuple():
    files = {path.stem for path in (ROOM / "formats").glob("[a-z]*.py")}
    assert files == {each.name for each in PICTURE_FORMATS}


def test_every_map_is_in_the_tuple():
    made = {each.name for each in vars(satlife.show.maps).values() if isinstance(each, MapKind)}
    assert made == {each.name for each in MAPS}


def test_formats_are_found_by_name_and_by_suffix():
    assert find_picture_format("a/b.SVG") is find_picture_format("svg")
    with pytest.raises(UsageError, match=r"'x.bmp' is not the name of a picture.*\.svg, \.png"):
        find_picture_format("x.bmp")
    with pytest.raises(UsageError, match="no map 'heat'; choose one of period, rotor"):
        Style(map="heat")


def test_a_history_has_the_cells_of_generation_0_and_those_that_live_later():
    blinker = Pattern.from_rle("3o!")
    text = draw(blinker, "lifehistory").decode()
    assert text == "#CXRLE Pos=0,-1\nx = 3, y = 3, rule = LifeHistory\n.B$3A$.B!\n"
    assert read_pattern(text) == blinker
    other = draw(blinker.with_rule("B36/S23"), "x.history.rle").decode()
    assert "rule = B36/S23History\n" in other
    with pytest.raises(UsageError, match="a rule with two states"):
        draw(Pattern.from_rle("o!").with_rule("345/2/4"), "lifehistory")
    with pytest.raises(UsageError, match="known cells only: the cell at x=1, y=0 is unknown"):
        draw(read_pattern("o?$oo!"), "lifehistory")
    odd = Pattern.from_rle("bo$2bo$3o!").with_rule("B03/S23")[1]
    assert (
        read_pattern(draw(satlife.show.Scene.of(odd, generations=2), "lifehistory").decode()) == odd
    )


@pytest.mark.parametrize("format_", PICTURE_FORMATS, ids=lambda f: f.name)
@pytest.mark.parametrize(
    "what",
    [GLIDER, PARTIAL, STATES, Pattern([]), [GLIDER, OCTAGON], Pattern.from_rle("300o!")],
    ids=["pattern", "partial", "states", "empty", "several", "wide"],
)
def test_every_format_draws_everything_but_unknown_cells_in_a_history(format_, what):
    if format_.name == "lifehistory" and (what is PARTIAL or what is STATES):
        with pytest.raises(UsageError, match="LifeHistory holds known cells only"):
            draw(what, format_.name)
    else:
        assert draw(what, format_.name)


@pytest.mark.parametrize("format_", PICTURE_FORMATS, ids=lambda f: f.name)
def test_drawing_twice_gives_the_same_bytes(format_):
    assert draw(GLIDER, format_.name) == draw(GLIDER, format_.name)


def test_save_chooses_by_the_suffix(tmp_path):
    save(GLIDER, tmp_path / "glider.gif")
    assert (tmp_path / "glider.gif").read_bytes().startswith(b"GIF89a")


@pytest.mark.parametrize("kind", MAPS, ids=lambda kind: kind.name)
def test_maps_are_of_oscillators(kind):
    with pytest.raises(UsageError, match="this is a spaceship"):
        draw(GLIDER, map=kind.name)
    with pytest.raises(UsageError, match="in all of its phases; this is not one"):
        draw(Pattern.from_rle("2o!"), map=kind.name)


def test_period_map_of_parts_with_different_periods():
    made = find_map("period").make(satlife.show.Scene.of(COMPOSITE))
    counts = dict(zip((mark.label for mark in made.marks), made.counts, strict=True))
    assert counts == {"always alive": 9, "period 2": 4, "period 5": 32}
    assert len({mark.colour for mark in made.marks}) == 3


def test_text_of_a_map():
    blinker = Pattern.from_rle("3o!")
    assert draw(blinker, "text", map="period").decode().splitlines() == [
        ". . . . .",
        ". . 2 . .",
        ". 2 1 2 .",
        ". . 2 . .",
        ". . . . .",
        "1: always alive, 1 cell",
        "2: period 2, 4 cells",
    ]


def test_what_cannot_be_drawn():
    for wrong, words in [
        ([], "nothing to draw"),
        ("bo$2bo$3o!", "cannot draw a text"),
        ([1], "cannot draw a int"),
    ]:
        with pytest.raises(UsageError, match=words):
            draw(wrong)
    for style, words in [
        ({"cell": 0}, "1 to 200 pixels"),
        ({"rate": 99}, "0.1 to 50 generations"),
        ({"theme": "sepia"}, "choose light or dark"),
    ]:
        with pytest.raises(UsageError, match=words):
            draw(GLIDER, **style)
