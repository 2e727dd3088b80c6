"""Eaters without a region, and eaters in one piece."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from satlife import Pattern, catalyst, find_all, identify
from satlife.cli.group import cli
from satlife.engine.regions import count_arrival, place_region, search_regions
from satlife.errors import UsageError
from satlife.kinds import eater, reaction
from satlife.life import TRANSFORMS, Box, Transform
from satlife.life.catalogue import name_pattern
from satlife.life.identity.flight import follow_ship
from satlife.life.identity.parts import parts
from satlife.problem import Problem

GLIDER = Pattern.from_rle("bo$2bo$3o!")


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


@pytest.mark.parametrize("turn", TRANSFORMS, ids=str)
@pytest.mark.parametrize("name", ["glider", "lwss", "copperhead"])
def test_a_region_lies_where_the_ship_goes_and_has_never_been(name: str, turn: Transform) -> None:
    ship = name_pattern(name).transformed(turn)
    flight = follow_ship(ship)
    assert flight is not None
    region = place_region(ship, 5)
    near = region.grow(2)
    assert all(flight[-age].crop(near).is_empty for age in range(100))
    t = count_arrival(ship, region)
    assert flight[t - 1].crop(near).is_empty
    assert not flight[t].crop(near).is_empty


@pytest.mark.parametrize("turn", [(), ("--turn", "half-turn"), ("--turn", "flip-left-right")])
def test_eater_1_is_the_first_for_a_glider(turn: tuple[str, ...]) -> None:
    done = call("eater", "--input", "glider", *turn, "--json")
    assert done.exit_code == 0
    record = json.loads(done.stdout)
    assert record["catalyst"]["identity"]["name"] == "eater 1"
    assert record["can_arrive"]
    assert record["region"] in ("-6..-3,-6..-3", "5..8,5..8", "5..8,-6..-3")
    assert (
        call("eater", "--input", "glider", *turn).stdout
        == call("eater", "--input", "glider", *turn).stdout
    )


def test_the_region_named_holds_the_eater() -> None:
    done = call("eater", "--input", "lwss")
    assert "eater 1" in done.stdout
    where = done.stderr.splitlines()[-1].removeprefix("the region: ")
    region, within = where.removeprefix("--region ").split(" --within ")
    again = call("eater", "--input", "lwss", f"--region={region}", "--within", within)
    assert again.exit_code == 0


def test_a_bound_and_a_time_are_kept() -> None:
    asked: list[Problem] = []

    def make(region: Box, within: int, population: str | None) -> Problem:
        asked.append(eater(GLIDER, region=region, within=within, population=population))
        return asked[-1]

    steps = list(search_regions(make, GLIDER, within=12, population="<=9"))
    assert steps[-1].finding is not None
    assert catalyst(steps[-1].finding).population <= 9
    assert {step.within for step in steps} == {12}


def test_a_refuted_region_is_not_asked_again() -> None:
    def make(region: Box, within: int, population: str | None) -> Problem:
        return eater(GLIDER, region=region, within=within, population=population)

    steps = []
    for step in search_regions(make, GLIDER, within=8, population="<=3"):
        steps.append(step)
        if len(steps) == 12:
            break
    places = [step.region for step in steps if step.refuted]
    assert len(places) == len(set(places)) > 3


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--input block", "without a region the input must be a spaceship, and it is not one"),
        ("--input glider --all", "--all needs --region"),
        ("--input glider --prove folder", "--prove needs --region: a certificate"),
        ("--input glider --jobs 2", "--jobs needs --region"),
        ("--input glider --engine brute", "--engine needs --region"),
        ("--input glider --field 0..30,0..30", "--field needs --region"),
        ("--input glider --region 4..9,4..9", "--within is required here"),
    ],
)
def test_what_needs_a_region_says_so(words: str, why: str) -> None:
    done = call("eater", *words.split())
    assert done.exit_code == 2
    assert why in done.stderr


def test_a_formula_still_needs_a_region() -> None:
    assert call("cnf", "eater", "--input", "glider").exit_code == 2


def test_nothing_found_is_undecided() -> None:
    done = call("eater", "--input", "glider", "--population", "<=3", "--timeout", "0.5")
    assert done.exit_code == 3
    assert "the last region: --region" in done.stderr


def test_only_connected_leaves_out_eaters_of_several_parts() -> None:
    problem = eater(GLIDER, region="4..11,4..11", within=8, population="=11")
    every = [catalyst(each) for each in find_all(problem, raw=True)]
    whole = [catalyst(each) for each in find_all(problem, raw=True, only_connected=True)]
    assert len(every) > len(whole) > 0
    assert {str(identify(each)) for each in whole} == {
        str(identify(each)) for each in every if len(parts(each)) == 1
    }


def test_only_connected_goes_with_reactions() -> None:
    blinker = Pattern.from_rle("3o!")
    problem = reaction(blinker, blinker, within=2, region="3..9,-4..4", population="<=8")
    found = find_all(problem, only_connected=True, limit=5)
    assert all(len(parts(catalyst(each))) == 1 for each in found)
    with pytest.raises(UsageError, match="reject goes only with still lifes"):
        find_all(problem, reject="block")
