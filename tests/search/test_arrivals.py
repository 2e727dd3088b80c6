"""Eaters of a ship whose lane and time of arrival are left to the search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from satlife import Arrival, Found, Impossible, Problem, catalyst, find, find_all
from satlife.certificates import NoneExists, Proved, check, make_statement, prove
from satlife.errors import UsageError
from satlife.kinds import eater
from satlife.life import Pattern
from satlife.records import describe_outcome, find_arrivals, make_record, write_rle
from satlife.verifier.verify import complaints

GLIDER = Pattern.from_rle("bo$2bo$3o!")

NARROW = {"region": "4..7,4..7", "within": 9}


def find_lane(problem: Problem) -> tuple[Pattern, Pattern, tuple[int, int]]:
    outcome = find(problem)
    assert isinstance(outcome, Found)
    ((lane, time),) = find_arrivals(outcome.finding)
    return outcome.pattern, catalyst(outcome.finding), (lane, time)


def test_a_lane_and_a_time_are_found() -> None:
    problem = eater(GLIDER, lanes="-2..2", times="0..1", **NARROW)
    whole, alone, (lane, time) = find_lane(problem)
    assert -2 <= lane <= 2
    assert time in (0, 1)
    glider = Pattern.from_cells(
        [(x, y) for x, y in whole.coordinates.tolist() if (x, y) not in alone]
    )
    assert glider[time] == GLIDER.shift(lane, 0)
    assert whole[9] == alone == alone[1]
    fixed = eater(glider, at=(glider.x, glider.y), **NARROW)
    assert isinstance(find(fixed), Found)


@pytest.mark.parametrize(
    ("lanes", "why"),
    [
        ("-12..-9", "the input alone does not reach the region within 9 generations"),
        ("12..14", "the input moves away from the region"),
    ],
)
def test_no_lane_will_do(lanes: str, why: str) -> None:
    problem = eater(GLIDER, lanes=lanes, **NARROW)
    outcome = find(problem)
    assert isinstance(outcome, Impossible)
    said = describe_outcome(outcome)
    assert f"any lane {lanes} and time 0" in said
    assert why in said


def test_one_lane_and_time_ask_what_the_place_asks() -> None:
    """Lane 2 and time 0 are a glider two cells further right; all else is the same."""
    narrow = {"region": "4..6,4..6", "field": "0..8,0..8", "within": 5}
    chosen = find_all(eater(GLIDER, lanes=2, **narrow), raw=True)
    placed = find_all(eater(GLIDER, at=(2, 0), **narrow), raw=True)
    assert {each.pattern for each in chosen} == {each.pattern for each in placed}


def test_several_lanes_are_the_union_of_each() -> None:
    narrow = {"region": "3..5,3..5", "field": "-1..7,-1..7", "within": 4, "approach": 1}
    together = [each.pattern for each in find_all(eater(GLIDER, lanes="0..2", **narrow), raw=True)]
    each = [find_all(eater(GLIDER, at=(x, 0), **narrow), raw=True) for x in (0, 1, 2)]
    assert len(together) == len(set(together))
    assert set(together) == {finding.pattern for listing in each for finding in listing}


def test_a_ship_that_flies_left_has_lanes_below_each_other() -> None:
    west = Pattern.from_rle("bo2bo$o$o3bo$4o!")
    assert west[4] == west.shift(-2, 0)
    (arrival,) = [
        each
        for each in eater(west, region="0..3,0..3", at=(8, 0), lanes="0..3", within=4).constraints
        if isinstance(each, Arrival)
    ]
    assert (arrival.across, arrival.lanes, arrival.times) == ("down", (0, 3), (0, 0))


def test_a_ship_has_flown_before_it_is_where_it_is_given() -> None:
    (arrival,) = [
        each
        for each in eater(GLIDER, times="-1..5", approach=2, **NARROW).constraints
        if isinstance(each, Arrival)
    ]
    film = [Pattern.from_cells(still.cells) for still in arrival.flight]
    assert len(film) == 7 + 2
    assert film[5] == GLIDER
    assert all(film[0][age] == still for age, still in enumerate(film))


def test_the_answer_tells_lane_and_time() -> None:
    outcome = find(eater(GLIDER, lanes="0..1", **NARROW))
    assert isinstance(outcome, Found)
    ((lane, time),) = find_arrivals(outcome.finding)
    assert f"; the input comes in lane {lane}, at time {time}" in describe_outcome(outcome)
    assert f"; the input comes in lane {lane}, at time {time}" in write_rle(outcome.finding)
    assert make_record(outcome)["arrival"] == {"lane": lane, "time": time}


def test_a_statement_draws_the_flight() -> None:
    problem = eater(GLIDER, lanes="-1..1", times="0..1", approach=1, **NARROW)
    said = make_statement(problem, NoneExists())
    assert "with at least" not in said.splitlines()[0]
    assert "an input whose lane or time is open" in said.splitlines()[0]
    assert "The input comes in one of the lanes -1 to 1, at one of the times 0 to 1." in said
    assert "generations 0 and 9, age -T; generations 1 and 9, age 1 - T" in said
    assert [f"Flight 1, age {age};" in said for age in range(-2, 3)] == [0, 1, 1, 1, 0]


def test_the_verifier_sees_another_lane() -> None:
    problem = eater(GLIDER, lanes="0..1", **NARROW)
    outcome = find(problem)
    assert isinstance(outcome, Found)
    *others, arrival = problem.constraints
    elsewhere = msgspec.structs.replace(arrival, lanes=(7, 8))
    changed = msgspec.structs.replace(problem, constraints=(*others, elsewhere))
    assert any("lanes 7 to 8" in each for each in complaints(changed, outcome.finding.history))


def test_no_lane_of_a_narrow_region_is_certified(tmp_path: Path) -> None:
    problem = eater(GLIDER, region="3..4,3..4", field="0..5,0..5", lanes="0..1", within=3)
    made = prove(problem, tmp_path / "none")
    assert isinstance(made, Proved)
    assert check(tmp_path / "none").valid


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"lanes": "3..0"}, "there are no lanes 3..0; write the lower number first"),
        ({"lanes": "few"}, "'few' is not a range; write for example -3..3"),
        ({"times": 2.5}, r"times must be a range such as '0..3'"),
        ({"times": (1, 2, 3)}, r"times must be a range"),
        ({"lanes": "0..99999"}, "99,999 is too large a number; lanes go to 1,000"),
        ({"lanes": "0..99", "times": "0..99"}, "10,000 lanes and times are too many"),
        ({"lanes": "0..3", "field": "0..7,0..3"}, "the field must hold"),
    ],
)
def test_lanes_and_times_that_are_none(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        eater(GLIDER, **(NARROW | asked))


def test_only_ships_have_lanes() -> None:
    for pattern in ("3o!", "2o$2o!", "b2o$2o$bo!"):
        with pytest.raises(UsageError, match="those of a spaceship, and the input is not one"):
            eater(pattern, lanes="0..1", **NARROW)
