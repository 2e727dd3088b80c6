"""Answers in the words of the person who asked, with what may help."""

from __future__ import annotations

import pytest

from satlife.errors import FormatError, UsageError
from satlife.life import Pattern
from satlife.search import Impossible, Problem, describe, eater, parent, ship
from satlife.search.certificates.claims import NoneExists
from satlife.search.certificates.statement import make_statement
from satlife.search.records import describe_outcome

GLIDER = Pattern.from_rle("bo$2bo$3o!")


def test_c2_is_told_of_2c4() -> None:
    words = describe_outcome(Impossible(ship("c/2", box="6x6"), "refuted"))
    assert words.endswith("ships of period 4 at this speed are another search: ship 2c/4")


def test_2c4_is_not_told_of_4c8() -> None:
    assert "another search" not in describe_outcome(Impossible(ship("2c/4", box="4x4"), "refuted"))


def test_an_eater_is_described_as_it_was_asked_for() -> None:
    far = eater(GLIDER, region="14..21,14..21", within=12, population="<=7")
    assert describe_outcome(Impossible(far, "refuted")) == (
        "impossible (refuted): there is no eater of at most 7 cells in the region 14..21,14..21 "
        "that is alone and itself again in generation 12; the input alone never reaches the region"
    )
    near = eater(GLIDER, region="4..11,4..11", within=8)
    assert "never reaches" not in describe_outcome(Impossible(near, "refuted"))


def test_boxes_that_repeat_are_said_once() -> None:
    assert "26x26-2-2 in generations 0 to 11" in describe(
        eater(GLIDER, region="14..21,14..21", within=12)
    )
    assert "7x7-2-2 in generation 0, 5x5-1-1 in generation 1" in describe(
        parent(GLIDER, generations=2)
    )


def test_a_statement_says_each_box_once() -> None:
    words = make_statement(eater(GLIDER, region="14..21,14..21", within=32), NoneExists())
    assert words.count("in a box 26 wide and 26 high") == 1
    assert "generations 0 to 31 in a box 26 wide and 26 high (columns -2 to 23" in words


def test_a_wrong_boundary_is_answered_with_the_right_ones() -> None:
    with pytest.raises(UsageError, match="'cylinder'; it is one of dead, torus, free"):
        Problem(boxes=("4x4",), boundary="cylinder")
    with pytest.raises(
        FormatError, match=r"'cylinder' - at .*; it is one of agar, dead, free, torus"
    ):
        Problem.from_json('{"boxes": ["4x4"], "boundary": "cylinder"}')
