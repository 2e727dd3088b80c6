"""The table of names: each object is what it says."""

from __future__ import annotations

import pytest

from satlife.life import TRANSFORMS, Pattern, Rule
from satlife.life.identity import find_object_name, from_apgcode, identify, object_names
from satlife.life.identity.names import read_objects

NAMES = object_names()


def test_every_name_is_found_by_its_code():
    assert len(NAMES) > 2_243
    assert {code: find_object_name(code) for code in NAMES} == NAMES


def test_the_rows_are_sorted():
    rows = [row for row in read_objects() if not row.startswith("#")]
    assert rows == sorted(rows)
    assert rows[0].startswith("code\tname\talso\t")
    assert len({row.partition("\t")[0] for row in rows}) == len(rows)


# Codes as Catagolue has them: written here, not computed.
@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("xs4_33", "block"),
        ("xs6_696", "beehive"),
        ("xs7_2596", "loaf"),
        ("xs5_253", "boat"),
        ("xp2_7", "blinker"),
        ("xp15_4r4z4r4", "pentadecathlon"),
        ("xq4_153", "glider"),
        ("xq4_6frc", "LWSS"),
        ("xq4_27dee6", "MWSS"),
        ("xq4_27deee6", "HWSS"),
        ("xq7_3nw17862z6952", "loafer"),
    ],
)
def test_names_of_famous_codes(code: str, name: str):
    assert find_object_name(code) == name


# The P, H and V in a ship's name are its least population, period and displacement.
@pytest.mark.parametrize(
    ("name", "speed", "population"),
    [
        ("25P3H1V0.1", "c/3", 25),
        ("30P5H2V0", "2c/5", 30),
        ("37P4H1V0", "c/4", 37),
        ("44P5H2V0", "2c/5", 44),
        ("46P4H1V0", "c/4", 46),
        ("55P9H3V0", "3c/9", 55),
        ("56P6H1V0", "c/6", 56),
        ("58P5H1V1", "c/5d", 58),
        ("64P2H1V0", "c/2", 64),
        ("glider", "c/4d", 5),
        ("LWSS", "2c/4", 9),
        ("MWSS", "2c/4", 11),
        ("HWSS", "2c/4", 13),
        ("turtle", "c/3", 44),
        ("dart", "c/3", 34),
        ("spider", "c/5", 58),
        ("loafer", "c/7", 20),
        ("weekender", "2c/7", 36),
        ("copperhead", "c/10", 28),
        ("Schick engine", "6c/12", None),
        ("Coe ship", "8c/16", None),
        ("Sir Robin", "(2,1)c/6", None),
    ],
)
def test_ships(name: str, speed: str, population: int | None):
    code = next(code for code, known in NAMES.items() if known == name)
    found = identify(from_apgcode(code))
    assert found.speed == speed
    if population is not None:
        assert min(found.populations) == population


@pytest.mark.parametrize("code", ["xs9_0", "xp99_7", "ov_p30", "no code", "", "xs4_33z"])
def test_codes_without_a_name(code: str):
    assert find_object_name(code) is None


def test_names_hold_by_another_rule_if_the_object_lives_alike():
    assert find_object_name("xq4_153", "B36/S23") == "glider"
    assert find_object_name("xp2_7", "B36/S23") == "blinker"
    assert find_object_name("xs5_253", "B3678/S34678") is None  # a boat does not survive there


def test_a_rule_without_symmetries_tells_orientations_apart():
    rule = Rule("B38/S23")
    vars(rule)["symmetries"] = TRANSFORMS[:1]  # no such rule is supported yet: pretend
    eater = Pattern.from_rle("2o$obo$2bo$2b2o!").with_rule(rule)
    found = [identify(eater.transformed(transform)) for transform in TRANSFORMS]
    assert len({each.apgcode for each in found}) == 8
    assert {(each.name, each.symmetry) for each in found} == {("eater 1", "C1")}
    assert identify(Pattern.from_rle("2o$2o!").with_rule(rule)).symmetry == "C1"


BLOCKS = Pattern.from_rle("2o13b2o$2o13b2o14$2o13b2o$2o13b2o!")


def test_parts_are_named():
    cross = from_apgcode("xp3_s471174sz11744711").shift(4, 4)
    found = identify(cross | BLOCKS)
    assert found.name == "cross and 4 blocks"
    assert [(each.count, each.name) for each in found.parts] == [(4, "block"), (1, "cross")]
    assert ": cross and 4 blocks, oscillator p3" in str(found)
    assert found.to_dict()["parts"][1]["apgcode"] == "xp3_s471174sz11744711"


@pytest.mark.parametrize(
    ("rle", "name"),
    [
        ("2ob2o$2ob2o!", "bi-block"),
        ("2b3o2$o5bo$o5bo$o5bo2$2b3o!", "traffic light"),
        ("2o3bo$2o2bobo$4bobo$5bo!", "block and beehive"),
        ("3o5b2o$8b2o!", "blinker and block"),
        ("b2o8b2o$o2bo6bo2bo$bobo7bobo$2bo9bo!", "2 loaves"),
        ("2o20b2o$obo19bobo$bo21bo$10b2o$10bobo$11bo!", "3 boats"),
        ("bo9bo$2bo9bo$3o7b3o!", "2 gliders"),
    ],
)
def test_a_name_of_the_whole_comes_before_those_of_its_parts(rle: str, name: str):
    assert identify(rle).name == name


def test_a_part_without_a_name_is_shown_by_its_code():
    found = identify(from_apgcode("xs14_j9a4zc93") | BLOCKS.shift(30, 0))
    assert found.name is None
    assert ": xs14_j9a4zc93 and 4 blocks, still life" in str(found)
    mine = found.named({"xs14_j9a4zc93": "my table"})
    assert mine.name == "my table and 4 blocks"
    assert found.named({found.apgcode or "": "my ring"}).name == "my ring"


def test_what_settles_into_a_constellation_is_called_by_its_name():
    found = identify("3o$bo!")
    assert found.settlement is not None
    assert found.settlement.name == "traffic light"
    assert found.reason.endswith(": traffic light (4 × blinker)")
