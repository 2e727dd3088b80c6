"""Eaters of a ship that has flown there, in a lane and at a time that the search may choose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from satlife import Arrival, Found, Impossible, Problem, catalyst, find, find_all
from satlife.certificates import NoneExists, Proved, check, make_statement, prove
from satlife.errors import UsageError
from satlife.kinds import eater, reaction
from satlife.kinds._catalysts import list_inputs
from satlife.life import TRANSFORMS, Box, Pattern, Transform
from satlife.life.box import parse_window
from satlife.life.identity.flight import CLEAR, follow_ship
from satlife.problem.outcome import Finding
from satlife.records import can_arrive, describe_outcome, find_arrivals, make_record, write_rle
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


SHIPS = ("bo$2bo$3o!", "bo2bo$o$o3bo$4o!")


@pytest.mark.parametrize("turn", TRANSFORMS, ids=str)
@pytest.mark.parametrize("rle", SHIPS)
def test_a_ship_is_moved_back_as_far_as_it_must(rle: str, turn: Transform) -> None:
    """By simulation alone: before, it was always clear of the box, and a generation later not."""
    flight = follow_ship(Pattern.from_rle(rle).transformed(turn))
    assert flight is not None
    for box in (Box(-2, 3, 6, 1), Box(0, 0, 1, 1), Box(-9, -9, 4, 7), Box(9, -5, 9, 3)):
        back, near = flight.count_back(box), box.grow(CLEAR)
        start = flight[-back - 40]
        touches = [t for t in range(back + 40) if not start[t].crop(near).is_empty]
        assert not any(t <= 40 for t in touches)
        assert back == 0 or not start[41].crop(near).is_empty
        assert start[back + 40] == flight[0]


def find_one(problem: Problem) -> Finding:
    outcome = find(problem)
    assert isinstance(outcome, Found)
    return outcome.finding


def replay(finding: Finding) -> bool:
    """Whether the ship comes, beside the eater, from forty periods earlier."""
    alone = catalyst(finding)
    ship = Pattern.from_cells(
        [(x, y) for x, y in finding.pattern.coordinates.tolist() if (x, y) not in alone]
    )
    dx, dy = ship[4].x - ship.x, ship[4].y - ship.y
    return (ship.shift(-40 * dx, -40 * dy) | alone)[160] == finding.pattern


def test_a_finding_says_that_its_input_cannot_arrive() -> None:
    """The glider begins in the middle of the region, which it must have flown through."""
    finding = find_one(eater(GLIDER, at=(3, 3), region="0..8,0..8", within=4))
    assert can_arrive(finding) is replay(finding) is False
    words = "the input cannot arrive: it would have met this on its way"
    said = describe_outcome(Found(finding))
    assert f"; {words}; --approach far asks for one that it reaches [" in said
    assert f"; {words}\n" in write_rle(finding)
    assert make_record(Found(finding))["can_arrive"] is False


def test_a_finding_says_that_its_input_can_arrive() -> None:
    finding = find_one(eater(GLIDER, **NARROW))
    assert can_arrive(finding) is replay(finding) is True
    assert "; the input can arrive [" in describe_outcome(Found(finding))
    assert make_record(Found(finding))["can_arrive"] is True


def test_of_what_is_no_ship_nothing_is_said() -> None:
    finding = find_one(eater("o!", region="4..7,4..7", within=4))
    assert can_arrive(finding) is None
    assert "arrive" not in describe_outcome(Found(finding))
    assert "can_arrive" not in make_record(Found(finding))
    assert can_arrive(find_one(reaction(GLIDER, GLIDER[4], within=4, region="6..9,6..9"))) is True


@pytest.mark.parametrize("at", [(-1, 0), (1, 0), (4, 1)])
def test_from_afar_a_ship_arrives(at: tuple[int, int]) -> None:
    """It is where it is given after the approach, in which it touches nothing."""
    region = parse_window("4..11,4..11")
    problem = eater(GLIDER, at=at, approach="far", region=region, within=9)
    approach = problem.steps - 1 - 9
    finding = find_one(problem)
    alone = catalyst(finding)
    assert can_arrive(finding) is replay(finding) is True
    assert finding.pattern.crop(region) == alone
    assert finding.pattern[approach] == GLIDER.shift(*at) | alone
    assert finding.pattern[approach + 9] == alone
    near = region.grow(CLEAR)
    moved = finding.pattern.population - alone.population
    assert moved == 5
    back = follow_ship(GLIDER.shift(*at))
    assert back is not None
    assert approach == 0 or not back[1 - approach].crop(near).is_empty


def test_approaches_of_all_lanes_and_times_begin_far_away() -> None:
    problem = eater(GLIDER, lanes="-2..3", times="-1..2", approach="far", at=(1, 1), **NARROW)
    (arrival,) = (each for each in problem.constraints if isinstance(each, Arrival))
    early, late = arrival.times
    assert late - early == 3
    near = parse_window(NARROW["region"]).grow(CLEAR)
    inputs = list_inputs(arrival, GLIDER.rule)
    assert len(inputs) == 6 * 4
    assert all(each.crop(near).is_empty for each in inputs)
    assert all(problem.all_boxes[0].contains_box(each.box) for each in inputs)
    assert can_arrive(find_one(problem)) is True


def test_where_a_ship_is_far_away_already_nothing_changes() -> None:
    away = NARROW | {"at": (-1, -1)}
    assert eater(GLIDER, approach="far", **away) == eater(GLIDER, **away)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"approach": "near"}, "approach is a number of generations, or far, got 'near'"),
        ({"approach": "far", "incoming": "3o!"}, "the approach is far for a spaceship only"),
        ({"approach": "far", "at": (99_000, 99_000)}, "too large a number; generations before"),
        ({"approach": "far", "at": (5, 5), "field": "4..9,4..9"}, "the field must hold"),
    ],
)
def test_approaches_that_are_none(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        eater(**({"incoming": GLIDER} | NARROW | asked))


def test_from_afar_times_count_from_where_the_ship_was_moved_back_to() -> None:
    asked: dict[str, Any] = {"region": "7..10,4..7", "within": 9, "lanes": (0, 3), "times": (0, 1)}
    times = [
        next(each.times for each in problem.constraints if isinstance(each, Arrival))
        for problem in (eater(GLIDER, **asked), eater(GLIDER, approach="far", **asked))
    ]
    assert times == [(0, 1), (1, 2)]
