"""What a notebook shows of patterns, questions and answers; and the command for a question."""

from __future__ import annotations

import re
import shlex
from importlib.resources import files
from xml.etree import ElementTree as ET

import click
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satlife
from satlife import Impossible, PartialPattern, Pattern, Problem, Undecided
from satlife.campaign.page import _STYLE as CAMPAIGN_STYLE
from satlife.cli.search.asked import build_problem
from satlife.cli.search.options import make_parameters
from satlife.kinds import KINDS
from satlife.life.motion import Motion
from satlife.problem.outcome import Provenance
from satlife.problem.sketch import make_sketch
from satlife.problem.words import write_command
from satlife.show import Sheet
from satlife.show.card import Card
from satlife.show.style import BADGES

GLIDER = Pattern.from_rle("bo$2bo$3o!")


class Printer:
    """What IPython hands to ``_repr_pretty_``."""

    def __init__(self) -> None:
        self.said = ""

    def text(self, words: str) -> None:
        self.said += words


def pretty(value: object) -> str:
    printer = Printer()
    value._repr_pretty_(printer, False)
    return printer.said


def parse(html: str) -> ET.Element:
    """Cards are well-formed XML, so a mistake in nesting is seen."""
    return ET.fromstring(html)


@pytest.fixture(scope="module")
def found() -> satlife.Found:
    return satlife.find(satlife.ship("c/4d", box="4x4"))


def test_a_pattern_is_a_picture_and_in_text_a_drawing():
    ET.fromstring(GLIDER._repr_svg_())
    assert pretty(GLIDER) == " ▀▄\n▀▀▀"
    assert pretty(Pattern([])) == repr(Pattern([]))
    wide = Pattern(np.ones((1, 500)))
    assert pretty(wide) == repr(wide)


def test_unknown_cells_are_hatched_in_every_generation():
    partial = PartialPattern(np.full((2, 2, 2), 255, np.uint8))
    assert partial._repr_svg_().count('class="satlife-mark"') == 2
    assert pretty(partial) == "░░░░\n░░░░"


def test_a_finding_is_a_card(found):
    card = parse(found._repr_html_())
    words = "".join(card.itertext())
    for part in ("✔ glider", "spaceship c/4d", "xq4_153", "Verified by simulation", "generation 3"):
        assert part in words
    rle = card.find("details/pre").text
    assert Pattern.from_rle(rle) == found.pattern
    assert found.finding._repr_html_() == found._repr_html_()


def test_a_card_needs_no_script(found):
    html = found._repr_html_()
    assert "<script" not in html
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")


def test_none_and_undecided_are_unmistakably_different():
    problem = satlife.oscillator(3, box="4x4")
    none = Impossible(problem, "refuted by the solver")._repr_html_()
    unknown = Undecided(problem, "time limit")._repr_html_()
    assert "No such pattern exists" in none
    assert "∅" in none
    assert "period 3" in none
    assert "Undecided: time limit" in unknown
    assert "Neither found nor refuted" in unknown
    assert "No such pattern" not in unknown
    dry = Provenance("rows", 1.0, {"exhausted": True})
    exhausted = Impossible(problem, "no more rows", dry)._repr_html_()
    assert "Search exhausted" in exhausted
    assert "has not been checked" in exhausted
    assert "No such pattern" not in exhausted
    for card in (none, unknown, exhausted):
        parse(card)
    signs = {badge.sign for badge in BADGES.values()}
    assert len(signs) == len(BADGES), "colour is not the only sign"


@pytest.mark.parametrize("mood", ["found", "impossible", "exhausted", "undecided"])
def test_an_answer_looks_the_same_on_the_local_page(mood):
    client = files("satlife.web.client")
    script, sheet = (client.joinpath(name).read_text("utf-8") for name in ("job.js", "page.css"))
    assert re.search(rf'^  {mood}: \["(.+?)"', script, re.MULTILINE)[1] == BADGES[mood].sign
    role = {"found": "good", "impossible": "none"}.get(mood, "open")
    shown = re.findall(rf"--{role}: (#\w+);", sheet)
    assert shown == [BADGES[mood].light, BADGES[mood].dark, BADGES[mood].dark]


def test_none_has_the_same_colour_on_the_pages_of_campaigns():
    none = BADGES["impossible"]
    assert re.findall(r"--none:(#\w+)", CAMPAIGN_STYLE) == [none.tint, none.shade]


def test_a_picture_without_its_style_sheet_is_light(found):
    """Sites such as GitHub remove style sheets; what is painted has its colour as an attribute."""
    for svg in (GLIDER._repr_svg_(), satlife.show.draw(found).decode()):
        painted = [
            each for each in ET.fromstring(svg).iter() if "satlife-" in each.get("class", "")
        ]
        assert len(painted) > 2
        for each in painted[1:]:  # the first is the picture
            assert each.get("fill") or each.get("stroke")


def test_wide_pictures_are_not_shrunk():
    wide = Pattern(np.ones((1, 300)))
    for html in (wide._repr_html_(), Sheet([wide])._repr_html_()):
        frame = parse(html)
        assert "overflow-x:auto" in frame.get("style")
        least = re.search(r"min-width:(\d+)px", frame[0].get("style"))
        assert int(least[1]) >= 300 * 1.5, "half as large as it is"
    phases = ET.fromstring(satlife.show.draw(Pattern(np.tile([1, 1, 1, 0], 20)[None]), "svg"))
    assert int(phases.get("width")) > 80 * 8, "one below the other"


def test_a_list_is_a_contact_sheet_and_can_be_read_again():
    listing = satlife.find_all(satlife.oscillator(2, box="4x4"))
    words = "".join(parse(listing._repr_html_()).itertext())
    for part in ("✔ 4 solutions, and there are no others", "beacon", "blinker", "clock", "toad"):
        assert part in words
    assert len([*listing]) == 4
    some = satlife.find_all(satlife.oscillator(2, box="4x4"), limit=1)
    assert "1 solution: stopped at the limit of 1" in some._repr_html_()
    assert "∅ No such" in satlife.find_all(satlife.oscillator(3, box="4x4"))._repr_html_()


def test_the_best_says_what_it_is_best_by():
    best = satlife.find_best(satlife.still_life(box="4x4"), maximize="population")
    assert "Most population 8 (proved)." in best._repr_html_()


def test_a_question_has_its_sentence_its_boxes_and_its_command():
    words = "".join(parse(satlife.ship("c/3", box="16x6")._repr_html_()).itertext())
    assert "moves by (0, -1) in 3 generations" in words
    assert "satlife ship c/3 --box 16x6" in words
    asked = satlife.complete(PartialPattern.from_rle("x = 3, y = 2\n2o?$?2o!"), motion="p1")
    html = asked._repr_html_()
    assert "satlife find problem.toml" in html
    toml = parse(html).find("details/pre").text
    assert Problem.from_toml(toml) == asked


def test_a_sketch_has_the_known_cells():
    asked = satlife.complete(PartialPattern.from_rle("x = 3, y = 2\n2o?$?2b!"), motion="p1")
    assert make_sketch(asked).frames[0].cells.tolist() == [[1, 1, 255], [255, 0, 0]]


@pytest.mark.parametrize(
    "problem",
    [satlife.agar(1, box="5x1", wrap=(0, 2)), satlife.agar(2, box="4x4")],
    ids=["twisted", "untwisted"],
)
def test_a_finding_on_a_torus_fills_the_plane(problem):
    """Every copy is in its place: the plane follows from itself by the rule."""
    frames = satlife.find(problem).finding.scene().frames
    following = Pattern(frames[0].cells)[1]
    inner = frames[0].box.grow(-2)
    assert inner.area > 40
    assert np.array_equal(following.in_box(inner), frames[-1].see(inner))


def test_a_finding_without_a_motion_shows_its_history():
    finding = satlife.find(satlife.parent(GLIDER, generations=2)).finding
    scene = finding.scene()
    assert len(scene.frames) == 3
    last = scene.frames[-1]
    assert Pattern(last.cells, last.box.x, last.box.y) == GLIDER
    assert scene.caption.title == "parent"


def test_texts_in_cards_are_escaped():
    card = Card("found", "<b>", ("a & b",), notes=("<script>",), details=(("<i>", "</pre>"),))
    words = list(parse(card.to_html()).itertext())
    assert "✔ <b>" in words
    assert "</pre>" in words


PLAIN = st.one_of(
    st.builds(lambda box, **rest: satlife.still_life(box=box, **rest), st.just("5x5"),
              symmetry=st.sampled_from(["C1", "C4", "D2|", "D8"])),
    st.builds(satlife.oscillator, st.integers(1, 6), box=st.sampled_from(["6x6", "8x8"]),
              symmetry=st.sampled_from(["C1", "C4", "D4+"]), composite=st.booleans(),
              rule=st.sampled_from(["B3/S23", "B36/S23", "B2-a/S12"])),
    st.builds(satlife.ship, st.sampled_from(["c/3", "2c/5", "c/4d", "(2,1)c/6", "c"]),
              box=st.sampled_from(["9x9", (7, 4)]), include_last=st.booleans(),
              composite=st.booleans()),
    st.builds(satlife.agar, st.sampled_from([1, 2, "c/2"]), box=st.just("6x4"),
              wrap=st.sampled_from([(0, 0), (1, 0), (0, 2)])),
)  # fmt: skip


@given(PLAIN)
def test_the_command_asks_for_the_same_problem(problem):
    words = shlex.split(write_command(problem))
    assert words[0] == "satlife"
    (kind,) = (each for each in KINDS if each.name == words[1])
    command = click.Command(kind.name, params=make_parameters(kind))
    options = command.make_context("satlife", words[2:]).params
    assert build_problem(kind, options) == problem


@pytest.mark.parametrize(
    "problem",
    [
        satlife.parent(GLIDER),
        satlife.ship("c/3", box="9x9", population="<=20"),
        satlife.ship("c/3", box="9x9,8x8*2"),
        Problem(kind="ship", boxes=("4x4",), motion=Motion(period=4, dx=1, dy=1)),
        Problem(kind="oscillator", boxes=("4x4",), motion=Motion(period=2)),
        Problem(boxes=("4x4",)),
    ],
    ids=["parent", "bound", "profile", "south-east", "may be empty", "no kind"],
)
def test_where_the_options_do_not_say_all_there_is_no_command(problem):
    assert write_command(problem) is None
