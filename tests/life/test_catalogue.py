"""The catalogue: its counts, its codes against the simulator, and the command that lists it."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from click.testing import CliRunner
from msgspec.structs import astuple

from atlas import catalogue as maker
from satlife.cli.group import cli
from satlife.errors import FormatError, UsageError
from satlife.life import Motion, Pattern, identify
from satlife.life.catalogue import (
    HOWS,
    KINDS,
    Entry,
    catalogue,
    famous_entries,
    find_entries,
    find_entry,
    read_table,
    write_table,
)
from satlife.life.catalogue.entries import COLUMNS
from satlife.life.identity import find_recurrence, object_names
from satlife.life.identity.parts import is_strict, parts

STRICT = {4: 2, 5: 1, 6: 5, 7: 4, 8: 9, 9: 10, 10: 25, 11: 46, 12: 121}
"""OEIS A019473."""
PERIOD_2 = {3: 1, 6: 3, 8: 1, 9: 1, 10: 1}
"""OEIS A056614."""


def counts(kind: str) -> Counter[int]:
    return Counter(e.population for e in find_entries(kind=kind, how="enumerated"))


def test_all_strict_still_lifes() -> None:
    assert counts("still life") == STRICT


def test_all_small_oscillators_of_period_2() -> None:
    assert counts("oscillator") == PERIOD_2


@pytest.mark.parametrize("entry", catalogue()[::20], ids=lambda entry: entry.code[:20])
def test_an_entry_is_what_it_says(entry: Entry) -> None:
    identity = identify(entry.pattern, seconds=60)
    assert (
        identity.apgcode,
        identity.name or "",
        identity.kind,
        min(identity.populations),
        identity.period,
        identity.speed or "",
    ) == astuple(entry)[:6]


def test_every_entry_is_what_it_says() -> None:
    for entry in catalogue():
        test_an_entry_is_what_it_says(entry)


def test_what_was_enumerated_is_in_one_part() -> None:
    for entry in find_entries(how="enumerated"):
        assert len(parts(entry.pattern)) == 1
        assert entry.kind != "still life" or is_strict(entry.pattern)


def test_every_object_with_a_name_is_in_it_once() -> None:
    assert {entry.code: entry.name for entry in catalogue() if entry.name} == object_names()
    assert len({entry.code for entry in catalogue()}) == len(catalogue())


def test_how_they_came_in() -> None:
    assert {entry.how for entry in catalogue()} == set(HOWS) - {"imported"}
    assert all(entry.command.startswith("satlife ") for entry in catalogue())


def test_ships_that_searches_find() -> None:
    ships = find_entries(kind="spaceship", how="found")
    assert {ship.name for ship in ships} >= {
        *("glider", "LWSS", "MWSS", "HWSS", "25P3H1V0.1", "turtle"),
    }


@pytest.mark.parametrize("ship", find_entries(kind="spaceship"), ids=lambda ship: ship.name)
def test_ships_travel_as_searches_have_it(ship: Entry) -> None:
    recurrence = find_recurrence(ship.pattern)
    assert recurrence.displacement == Motion.parse(ship.speed).displacement


def test_famous_patterns_are_in_it_too() -> None:
    assert {entry.name for entry in find_entries(kind="gun")} >= {"Gosper glider gun"}
    assert find_entry("R-PENTOMINO").pattern == Pattern.from_rle("b2o$2o$bo!")
    assert all(entry.kind in KINDS.values() for entry in famous_entries())
    assert {find_entry(entry.name).kind for entry in famous_entries()} <= {*KINDS.values()}
    assert find_entry("B-52 bomber").kind == "gun"
    assert find_entry("eaten B-52 bomber").kind == "oscillator"


def test_finding() -> None:
    assert find_entry("EATER 1") == find_entry("xs7_178c")
    assert find_entry("middleweight spaceship") == find_entry("MWSS")
    with pytest.raises(UsageError, match="3 objects are called 'p13 honey farm hassler'; use an"):
        find_entry("p13 honey farm hassler")
    assert find_entry("glider").pattern == Pattern.from_rle("2o$obo$o!")
    assert {e.name for e in find_entries(speed="2c/4")} >= {"LWSS", "MWSS", "HWSS"}
    assert {e.population for e in find_entries(population=(4, 5))} == {4, 5}
    assert find_entries("no such thing") == ()
    with pytest.raises(UsageError, match="did you mean 'glider'"):
        find_entry("glidr")


def test_the_file_is_read_as_it_is_written() -> None:
    assert read_table(write_table(catalogue(), COLUMNS)) == catalogue()
    text = write_table(catalogue()[:1])
    with pytest.raises(FormatError, match="line 1: the columns are"):
        read_table("code\n")
    head = text.splitlines()[0]
    with pytest.raises(FormatError, match="line 2: 2 columns"):
        read_table(head + "\nxs4_33\tblock\n")
    with pytest.raises(FormatError, match="line 2: period is a number, got 'p1'"):
        read_table(head + "\nxs4_33\tblock\tstill life\t4\tp1\t\tfound\tx\n")


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["catalogue", *words])
    return done.exit_code, done.stdout


def test_the_command() -> None:
    assert run("eater 1") == (0, "xs7_178c  still life  7 cells  eater 1\n")
    assert run("--kind", "still-life", "--population", "<=5")[1].splitlines() == [
        "xs4_33   still life  4 cells  block",
        "xs4_252  still life  4 cells  tub",
        "xs5_253  still life  5 cells  boat",
    ]
    assert "\n\n█▀▄\n▀\n\n" in run("xq4_153", "--show")[1]
    assert run("no", "such", "thing")[0] == 1


def test_the_command_gives_patterns() -> None:
    status, text = run("block", "--rle")
    assert (status, Pattern.from_rle(text)) == (0, Pattern.from_rle("2o$2o!"))
    record = json.loads(run("--speed", "c/4d", "glider", "--json")[1].splitlines()[0])
    assert (record["name"], record["period"]) == ("glider", 4)
    assert record["command"] == "satlife ship c/4d --box 4x4"


def test_one_pattern_at_a_time() -> None:
    done = CliRunner().invoke(cli, ["catalogue", "long", "--rle"])
    assert done.exit_code == 2
    assert "objects match: long snake" in done.stderr


def test_the_recipe_makes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first few of it, by searching."""
    monkeypatch.setattr(maker, "say", lambda text: None)
    found = {*maker.still_lifes(7), *maker.oscillators(6, [])}
    assert found == {
        entry
        for entry in find_entries(how="enumerated")
        if entry.population <= (7 if entry.kind == "still life" else 6)
    }


def test_ships_fly_north_or_north_west_as_those_of_searches_do() -> None:
    ships = find_entries(kind="spaceship")
    assert len(ships) >= 12
    for entry in ships:
        found = find_recurrence(entry.pattern)
        assert found is not None
        assert found.displacement == Motion.parse(entry.speed).displacement, entry.name
