"""Ships that are turned into another direction after they were found."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner, Result

from satlife import Found, Pattern, Problem, Rule, find, oscillator, ship
from satlife.cli.group import cli
from satlife.errors import UsageError
from satlife.life import Motion
from satlife.life.directions import list_directions
from satlife.problem.outcome import Finding, find_facing
from satlife.records import describe_finding, make_record

STEPS = {
    "N": (0, -1),
    "E": (1, 0),
    "S": (0, 1),
    "W": (-1, 0),
    "NE": (1, -1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "NW": (-1, -1),
}


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def find_one(problem: Problem) -> Finding:
    outcome = find(problem)
    assert isinstance(outcome, Found)
    return outcome.finding


@pytest.mark.parametrize("direction", ["N", "E", "S", "W"])
@pytest.mark.parametrize(
    ("speed", "box", "rule"),
    [("2c/4", "5x6", "B3/S23"), ("c/3", "6x6", "B34/S34"), ("c", "5x5", "B2/S/3")],
)
def test_an_orthogonal_ship_goes_there(speed: str, box: str, rule: str, direction: str) -> None:
    finding = find_one(ship(speed, box=box, rule=rule))
    turned, (dx, dy) = finding.facing(direction), STEPS[direction]
    period, far = finding.problem.steps, max(np.abs(finding.identity.displacement))
    assert turned.pattern[period] == turned.pattern.shift(far * dx, far * dy)
    assert turned.direction == direction
    assert turned.identity.apgcode == finding.identity.apgcode
    assert turned.generation(1) == turned.pattern[1]
    assert (turned.problem, turned.history) == (finding.problem, finding.history)


@pytest.mark.parametrize("direction", ["NE", "SE", "SW", "NW"])
def test_a_diagonal_ship_goes_there(direction: str) -> None:
    turned = find_one(ship("c/4d", box="4x4")).facing(direction)
    assert turned.pattern[4] == turned.pattern.shift(*STEPS[direction])
    assert (turned.pattern.box | turned.problem.all_boxes[0]) == turned.problem.all_boxes[0]


def test_a_strobing_rule_keeps_its_phase() -> None:
    finding = find_one(ship("c/2", box="5x5", rule="B0138/S035"))
    turned = finding.facing("E")
    assert turned.pattern[2] == turned.pattern.shift(1, 0)


def test_a_knightship_has_eight_directions_between() -> None:
    every = list_directions(Motion.parse("(2,1)c/6"), Rule("Life"))
    assert list(every) == ["NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW", "NNW"]
    moved = {name: turn.apply_to_point(-1, -2) for name, turn in every.items()}
    assert (moved["NNW"], moved["ENE"], moved["SSE"]) == ((-1, -2), (2, -1), (1, 2))


def test_a_rule_turns_by_its_own_symmetries_only() -> None:
    hexagonal = list_directions(Motion.parse("c/2"), Rule("B2/S34H"))
    assert list(hexagonal) == ["N", "E", "S", "W"]
    assert {turn.name for turn in hexagonal.values()} == {
        *("identity", "half-turn", "flip-diagonal", "flip-antidiagonal")
    }
    # A live cell goes to the north, and nothing else ever happens.
    shifted = [index >> 1 & 1 for index in range(512)]
    rule = Rule.from_table(shifted)
    assert list(list_directions(Motion.parse("c"), rule)) == ["N"]
    problem = ship("c", box="2x2", rule=rule)
    north = find_one(problem)
    assert north.facing("N").pattern == north.pattern
    with pytest.raises(UsageError, match="cannot be turned to E: the rule does not have that"):
        north.facing("E")


@pytest.mark.parametrize(
    ("speed", "direction", "why"),
    [
        ("c/3", "NE", "not a direction of c/3 ships; it is one of N, E, S, W"),
        ("c/4d", "e", "not a direction of c/4d ships; it is one of NE, SE, SW, NW"),
        ("(2,1)c/6", "N", "it is one of NNE, ENE, ESE, SSE, SSW, WSW, WNW, NNW"),
        ("c/3", "", "'' is not a direction"),
    ],
)
def test_a_wrong_direction_is_refused_before_the_search(
    speed: str, direction: str, why: str
) -> None:
    for box in (("--box", "40x40"), ()):
        done = call("ship", speed, *box, "--direction", direction)
        assert done.exit_code == 2
        assert why in done.stderr
        assert done.stdout == ""


def test_only_ships_have_a_direction() -> None:
    with pytest.raises(UsageError, match="only a ship has a direction"):
        find_facing(oscillator(2, box="3x3"), "E")
    done = call("oscillator", "2", "--direction", "E")
    assert done.exit_code == 2


@pytest.mark.parametrize("more", [(), ("--all",), ("--minimize", "population"), ("--json",)])
def test_the_command_prints_ships_turned(more: tuple[str, ...]) -> None:
    done = call("ship", "c/4d", "--box", "4x4", "--direction", "se", *more)
    assert done.exit_code == 0
    record = json.loads(done.stdout) if more == ("--json",) else {}
    text = record.get("rle", done.stdout)
    pattern = Pattern.from_rle(text)
    assert pattern[4] == pattern.shift(1, 1)
    if record:
        assert record["direction"] == "SE"
        assert record["name"] == ship("c/4d", box="4x4").name
    else:
        assert "heading SE" in done.stderr


def test_what_is_not_turned_says_nothing_of_it() -> None:
    finding = find_one(ship("c/4d", box="4x4"))
    assert "heading" not in describe_finding(finding)
    assert "direction" not in make_record(Found(finding))
