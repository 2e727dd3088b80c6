"""Values of wrong types, given to the functions of the kinds: an error in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import satlife
from satlife import Pattern, SatlifeError
from satlife.errors import UsageError
from satlife.problem.constraints import Difference, Width

GLIDER = "bo$2bo$3o!"
call: Any = satlife  # what is wrong here is wrong on purpose


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: call.ship(5, box="4x4"), "a motion must be a text such as 'c/3' or 'p5', got 5"),
        (lambda: call.ship("c/3", box=4), r"box must be a text such as '16x7', or .* got 4"),
        (lambda: call.ship("c/3", box=(4,)), r"box must be .* got \(4,\)"),
        (lambda: call.ship("c/3", box=("4", 4)), "box must be .* got '4'"),
        (lambda: call.ship("c/3", box=None), "box must be .* got None"),
        (lambda: call.ship("c/3", box=(0, 4)), "has no cells"),
        (lambda: call.ship("c/3", box="9x9", rule=5), "5"),
        (lambda: call.ship("c/3", box="9x9", symmetry=5), "5"),
        (lambda: call.oscillator(2.5, box="9x9"), "not a motion"),
        (lambda: call.still_life(box="4x4", population=1.5), "population must be a bound .* 1.5"),
        (lambda: call.still_life(box="4x4", population=True), "population must be a bound"),
        (lambda: call.still_life(box="4x4", population=Width(most=3)), "population must be"),
        (lambda: call.still_life(box="4x4", difference="<=3"), r"Difference\.of\(pattern"),
        (lambda: call.agar(2, box="4x4", wrap=5), r"wrap must be two whole numbers, .* got 5"),
        (lambda: call.agar(2, box="4x4", wrap=(1, 2, 3)), "wrap must be two whole numbers"),
        (lambda: call.parent(5), "pattern must be a pattern, or the text of one, .* got 5"),
        (lambda: call.parent(GLIDER, generations="2"), "generations must be a whole number"),
        (lambda: call.parent(GLIDER, generations=0), "generations is at least 1, got 0"),
        (lambda: call.parent(GLIDER, margin=1.5), "margin must be a whole number, got 1.5"),
        (lambda: call.orphan([1]), "pattern must be a pattern"),
        (lambda: call.complete(None), "partial must be a pattern"),
        (lambda: call.complete(GLIDER, motion=3), "a motion must be a text"),
        (lambda: call.eater(5, region="4..9,4..9", within=4), "incoming must be a pattern"),
        (lambda: call.eater(GLIDER, region=5, within=4), "region must be a window"),
        (lambda: call.eater(GLIDER, region="4..9,4..9", within="4"), "within must be a whole"),
        (lambda: call.eater(GLIDER, region="4..9,4..9", within=4, at=3), "at must be two whole"),
        (lambda: call.reaction(GLIDER, 5, region="4..9,4..9", within=4), "after must be a pattern"),
        (lambda: call.parent("gl!der"), "gl!der|line 1"),
        (lambda: call.identify(5), "pattern must be a pattern, a text, an apgcode or a name, got"),
        (lambda: call.identify("glidr"), "did you mean 'glider'"),
        (lambda: call.identify(GLIDER, seconds="9"), "seconds must be a number, or None"),
        (lambda: call.identify(GLIDER, generations="9"), "whole number"),
        (lambda: call.read(5), "source must be the name of a file"),
        (lambda: call.prove("x", "folder"), "problem must be a Problem"),
        (lambda: call.prove(satlife.still_life(box="2x2"), 5), "folder must be the name"),
    ],
)
def test_a_wrong_type_is_refused_in_words(ask: Callable[[], Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        ask()
    assert isinstance(caught.value, SatlifeError)


def test_patterns_are_read_from_texts() -> None:
    glider = Pattern.from_rle(GLIDER)
    assert satlife.parent(GLIDER) == satlife.parent(glider)
    assert satlife.orphan(GLIDER) == satlife.orphan(glider)
    assert satlife.complete(".O.\n?OO") == satlife.complete(satlife.read(".O.\n?OO", partial=True))
    asked = {"region": "4..11,4..11", "within": 8}
    assert satlife.eater(GLIDER, **asked) == satlife.eater(glider, **asked)  # type: ignore[arg-type]
    after = glider[4].to_rle()
    assert satlife.reaction(GLIDER, after, region="6..9,6..9", within=4).kind == "reaction"


def test_sizes_and_bounds_come_in_several_forms() -> None:
    box = satlife.still_life(box="4x5")
    assert satlife.still_life(box=[4, 5]) == satlife.still_life(box=(4, 5)) == box
    assert satlife.still_life(box=tuple(np.array([4, 5]))) == box
    counted: Any = np.int64(4)
    assert satlife.still_life(box="4x5", population=counted).constraints[-1].least == 4  # type: ignore[union-attr]
    apart = Difference.of(Pattern.from_rle("2o!"), "<=3")
    assert apart in satlife.still_life(box="4x5", difference=apart).constraints
    assert satlife.still_life(box="4x5", population=None) == box


def test_identify_takes_names_and_apgcodes() -> None:
    assert satlife.identify("glider").apgcode == satlife.identify("xq4_153").apgcode
    assert satlife.identify("glider").name == satlife.identify("xq4_153").name == "glider"


DRAWN = ("3o2b!", "2b3o$5b!", "x = 5, y = 4\n$b3o!", "#CXRLE Pos=-3,2\nx = 4, y = 2\nbo$2bo!")


@pytest.mark.parametrize("rle", DRAWN)
@pytest.mark.parametrize(
    "ask",
    [
        satlife.orphan,
        satlife.complete,
        satlife.parent,
        lambda cells: satlife.eater(cells, region="9..12,0..3", within=3),
        lambda cells: satlife.reaction(cells, cells, region="9..12,0..3", within=3),
        lambda cells: satlife.complete("x = 3, y = 3\n3?$3?$3?!", background=cells, rule="B/S"),
    ],
)
def test_a_pattern_asks_what_its_text_asks(rle: str, ask: Callable[[Any], Any]) -> None:
    """Its dead margins and its place are there in Python as on the command line."""

    def asked(cells: object) -> object:
        try:
            return ask(cells)
        except UsageError as refused:
            return str(refused)

    assert asked(Pattern.from_rle(rle)) == asked(rle)


@pytest.mark.parametrize("rle", DRAWN)
def test_a_difference_has_no_margins(rle: str) -> None:
    from satlife.kinds._kind import DIFFERENCE

    read = DIFFERENCE.read((rle, "<=3"), lambda text: text)
    assert Difference.of(Pattern.from_rle(rle), "<=3") == read
