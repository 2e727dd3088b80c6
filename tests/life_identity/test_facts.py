"""Forty objects against recorded facts: methuselahs, guns, puffers, rakes, fuses, wicks, agars.

The lifespans, periods and speeds are those of the LifeWiki; the two codes of switch engines are
those that Catagolue has for them.
"""

from __future__ import annotations

import pytest

import satlife
from satlife.life import PartialPattern, Pattern
from satlife.life.identity import FAMOUS, identify
from satlife.life.identity.tiles import identify_tile

PATTERNS = {famous.name: famous.pattern for famous in FAMOUS}

METHUSELAHS = {
    # name: lifespan, least population at the end, escaping gliders
    "T-tetromino": (9, 12, 0),
    "century": (103, 15, 0),
    "Herschel": (128, 24, 2),
    "B-heptomino": (148, 28, 2),
    "pi-heptomino": (173, 55, 0),
    "queen bee": (191, 30, 0),
    "thunderbird": (243, 46, 0),
    "R-pentomino": (1103, 116, 6),
    "switch engine": (3911, 842, 12),
    "multum in parvo": (3933, 633, 13),
    "acorn": (5206, 633, 13),
    "7468M": (7468, 952, 24),
    "rabbits": (17331, 1744, 40),
}

GUNS = {
    # name: true period, gliders in a period
    "Gosper glider gun": (30, 1),
    "bi-gun": (46, 2),
    "AK-94 gun": (94, 1),
    "B-52 bomber": (104, 2),
    "Simkin glider gun": (120, 1),
    "new gun 2": (144, 1),
}

PUFFERS = {
    # name: speed, what is left in a period
    "blinker puffer 1": ("4c/8", {"blinker": 1}),
    "slow puffer 2": ("120c/240", {"block": 2}),
    "puffer 1": ("64c/128", {"blinker": 4, "bookends": 1}),
    "block-laying switch engine": ("24c/288d", {"block": 8}),
    "glider-producing switch engine": (
        "32c/384d",
        {"blinker": 4, "block": 3, "beehive": 2, "boat": 1, "ship": 1, "loaf": 1},
    ),
}

RAKES = {
    # name: speed
    "backrake 1": "4c/8",
    "backrake 2": "6c/12",
    "space rake": "10c/20",
}


@pytest.mark.parametrize("name", METHUSELAHS)
def test_methuselah(name):
    lifespan, population, gliders = METHUSELAHS[name]
    found = identify(PATTERNS[name], seconds=None)
    assert (found.kind, found.name, found.lifespan) == ("settles", name, lifespan)
    assert found.settlement.populations[0] == population
    assert sum(t.count for t in found.settlement.escaping if t.name == "glider") == gliders
    assert found.settlement.unnamed == 0


def test_census_of_the_r_pentomino():
    settled = identify(PATTERNS["R-pentomino"], seconds=None).settlement
    assert {tally.name: tally.count for tally in settled.ash} == {
        "block": 8, "beehive": 4, "blinker": 4, "boat": 1, "loaf": 1, "ship": 1,
    }  # fmt: skip
    assert str(settled.escaping[0]) == "6 × glider"
    assert settled.period == 2


def test_bunnies_become_rabbits():
    rabbits, bunnies = PATTERNS["rabbits"], PATTERNS["bunnies"]
    assert bunnies[40].normalized.cells.tolist() == rabbits[39].normalized.cells.tolist()


def test_diehard_dies():
    found = identify(PATTERNS["diehard"], seconds=None)
    assert (found.kind, found.lifespan, found.name) == ("dies", 130, "diehard")
    assert str(found) == "no apgcode (diehard): dies in generation 130"


@pytest.mark.parametrize("name", GUNS)
def test_gun(name):
    period, gliders = GUNS[name]
    found = identify(PATTERNS[name], seconds=None)
    assert (found.kind, found.name, found.period) == ("gun", name, period)
    assert found.displacement == (0, 0)
    assert [stream.code for stream in found.growth.streams] == ["xq4_153"] * gliders
    assert found.growth.interval == period
    assert found.growth.population == 5 * gliders
    assert found.apgcode.startswith("yl")


@pytest.mark.parametrize("name", PUFFERS)
def test_puffer(name):
    speed, debris = PUFFERS[name]
    found = identify(PATTERNS[name], seconds=None)
    assert (found.kind, found.name, found.speed) == ("puffer", name, speed)
    assert {tally.name or tally.code: tally.count for tally in found.growth.debris} == debris


@pytest.mark.parametrize("name", RAKES)
def test_rake(name):
    found = identify(PATTERNS[name], seconds=None)
    assert (found.kind, found.name, found.speed) == ("rake", name, RAKES[name])
    assert [stream.code for stream in found.growth.streams] == ["xq4_153"]
    assert found.growth.debris == ()


@pytest.mark.parametrize(
    ("rle", "code"),
    [
        # ten cells, and five by five: each becomes a block-laying switch engine
        ("6bo$4bob2o$4bobo$4bo$2bo$obo!", "yl144_1_16_afb5f3db909e60548f086e22ee3353ac"),
        ("3obo$o$3b2o$b2obo$obobo!", "yl144_1_16_afb5f3db909e60548f086e22ee3353ac"),
    ],
)
def test_codes_of_linear_growth_as_catagolue_has_them(rle, code):
    found = identify(Pattern.from_rle(rle), seconds=None)
    assert (found.apgcode, found.name) == (code, "block-laying switch engine")


def test_the_code_of_the_glider_producing_switch_engine():
    found = identify(PATTERNS["glider-producing switch engine"], seconds=None)
    assert found.apgcode == "yl384_1_59_7aeb1999980c43b4945fb7fcdb023326"
    assert [stream.code for stream in found.growth.streams] == ["xq4_153"]


def test_two_engines_at_once():
    """The line of one cell's height that grows for ever: two block-laying switch engines."""
    found = identify(Pattern.from_rle("8ob5o3b3o6b7ob5o!"), seconds=None)
    assert (found.kind, found.growth.engines, found.growth.population) == ("puffer", 2, 64)
    assert str(found.growth.debris[0]) == "16 × block"


@pytest.mark.parametrize(
    ("rle", "words"),
    [
        (  # a fuse that burns along a diagonal line
            "14b2o$13bobo$12bo$11bo$10bo$9bo$8bo$7bo$6bo$5bo$4bo$3bo$3o$2bo$2bo!",
            "settles in generation 25 with 14 to 16 cells: 2 × block, 1 × beacon",
        ),
        (  # a row of ten cells
            "10o!",
            "becomes a pentadecathlon (xp15_4r4z4r4, an oscillator of period 15) in generation 2",
        ),
    ],
)
def test_what_it_becomes(rle, words):
    assert identify(Pattern.from_rle(rle), seconds=None).reason == words


@pytest.mark.parametrize(
    ("rle", "wrap", "words"),
    [
        ("x = 4, y = 2\n2o2b$2b2o!", "both", "agar p1, 4x2, 4 cells"),  # chicken wire
        ("x = 1, y = 2\no!", "both", "agar p1, 1x2, 1 cell"),  # zebra stripes
        ("x = 5, y = 5\n$b3o!", "both", "agar p2, 5x5, 3 cells"),  # blinkers
        (
            "x = 10, y = 10\nbo$2bo$3o!",
            "both",
            "agar p40, moves by (1, 1) every 4 generations, 10x10, 5 cells",
        ),
        (
            "x = 5, y = 4\n2o$2b2o$2b2o$2o!",  # ants
            "across",
            "wick p5, moves by (1, 0) every generation, 5 wide, 8 cells",
        ),
        (
            "x = 4, y = 5\no2bo$o2bo$b2o$b2o$!",
            "down",
            "wick p5, moves by (0, 1) every generation, 5 high, 8 cells",
        ),
    ],
)
def test_agars_and_wicks(rle, wrap, words):
    assert str(identify_tile(PartialPattern.from_rle(rle), wrap)) == words


def test_every_famous_pattern_has_its_facts_here():
    tested = {*METHUSELAHS, *GUNS, *PUFFERS, *RAKES, "diehard", "bunnies"}
    untested = {"blom", "Lidka"}  # they take tens of thousands of generations
    assert {famous.name for famous in FAMOUS} == tested | untested


@pytest.mark.parametrize("rule", ["B3/S23", "B0168/S123", "B01/S1"])
def test_a_find_with_a_cell_of_full_period_is_not_said_to_have_none(rule: str) -> None:
    for period, box in ((2, "2x1"), (2, "3x3"), (4, "4x4"), (6, "3x3")):
        outcome = satlife.find(satlife.oscillator(period, rule=rule, box=box), timeout=60)
        if isinstance(outcome, satlife.Found):
            assert not outcome.finding.identity.is_composite
            assert "no cell has the full period" not in str(outcome.finding.identity)
