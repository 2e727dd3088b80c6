"""Answers in the words of the person who asked, with what may help."""

from __future__ import annotations

import pytest

from satlife import (
    Found,
    Impossible,
    Problem,
    Undecided,
    describe,
    eater,
    find,
    orphan,
    parent,
    ship,
)
from satlife.certificates.claims import NoneExists
from satlife.certificates.words.statement import make_statement
from satlife.errors import FormatError, UsageError
from satlife.life import Pattern
from satlife.problem.outcome import Provenance
from satlife.records import describe_outcome, make_record

GLIDER = Pattern.from_rle("bo$2bo$3o!")


def test_c2_is_told_of_2c4() -> None:
    words = describe_outcome(Impossible(ship("c/2", box="6x6"), "refuted"))
    assert words.endswith("; 2c/4 is the same speed: satlife ship 2c/4 --box 6x6")
    words = describe_outcome(Undecided(ship("c/2", box="6x6", symmetry="D2v"), "time limit"))
    command = "satlife ship 2c/4 --box 6x6 --symmetry 'D2|'"
    assert words.endswith(f"; 2c/4 is the same speed: {command}")
    record = make_record(Undecided(ship("c/2", box="6x6"), "time limit"))
    assert record["hint"] == "2c/4 is the same speed: satlife ship 2c/4 --box 6x6"


def test_a_speed_that_was_asked_without_a_box_is_not_told_of_others() -> None:
    by = Provenance("hunters", 1.0)
    words = describe_outcome(Undecided(ship("c/2", box="6x6"), "work limit", by))
    assert "the same speed" not in words


def test_2c4_is_not_told_of_4c8() -> None:
    words = describe_outcome(Impossible(ship("2c/4", box="4x4"), "refuted"))
    assert "the same speed" not in words


@pytest.mark.parametrize("speed", ["2c/3", "c", "c/3d", "(2,1)c/5", "4c/6"])
def test_what_is_too_fast_for_life_is_offered_no_longer_period(speed: str) -> None:
    words = describe_outcome(Impossible(ship(speed, box="6x6"), "refuted"))
    assert words.endswith("no ship of B3/S23 is faster than c/2, or c/4 diagonally, in any box")
    assert "the same speed" not in words


def test_one_generation_is_not_said_to_be_several() -> None:
    assert "moves by (0, -1) in 1 generation;" in describe(ship("c", box="5x5"))


def test_only_rules_with_that_limit_are_said_to_have_it() -> None:
    words = describe_outcome(Impossible(ship("2c/3", box="6x6", rule="B2/S"), "refuted"))
    assert words.endswith("4c/6 is the same speed: satlife ship 4c/6 --box 6x6 --rule B2/S")
    several = ship("2c/3", box="6x6", rule="B3[6]/S23")
    assert "faster" not in describe_outcome(Impossible(several, "refuted"))


def test_an_eater_is_described_as_it_was_asked_for() -> None:
    far = eater(GLIDER, region="14..21,14..21", within=12, population="<=7")
    assert describe_outcome(Impossible(far, "refuted")) == (
        "impossible (refuted): there is no eater of at most 7 cells in the region 14..21,14..21, "
        "with nothing outside the field -2..23,-2..23, that is alone and itself again in "
        "generation 12; the input alone does not reach the region within 12 generations"
    )
    near = eater(GLIDER, region="4..11,4..11", within=8)
    assert "reach" not in describe_outcome(Impossible(near, "refuted"))


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


def test_a_parent_is_not_shown_as_an_orphan() -> None:
    outcome = find(orphan("3o!"))
    assert isinstance(outcome, Found)
    assert describe_outcome(outcome).startswith("no, not an orphan: this is a parent")
    assert outcome.finding.scene().caption.title == "parent"
    assert "orphan" not in outcome.finding._repr_html_().partition("<details")[0]
