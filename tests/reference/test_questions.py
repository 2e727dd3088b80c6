"""The reference's own reading of plans, parts, catalysts and strips, against what is known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.reference import solutions
from tests.reference.parting import (
    Cells,
    Return,
    divisions,
    find_rejected,
    find_return,
    orientations,
    read_code,
    verdicts,
)
from tests.reference.planning import Planned, list_boxes, list_rules, planned, read_speed
from tests.reference.reacting import catalysts
from tests.reference.rules import read_rules
from tests.reference.unbounded import has_ship

(LIFE,) = read_rules("B3/S23").tables


def cells(drawing: str) -> Cells:
    rows = drawing.split("|")
    return frozenset((x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s == "o")


def window(left: int, right: int, top: int, bottom: int) -> Cells:
    return frozenset((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


@pytest.mark.parametrize(
    ("drawing", "count"),
    [
        ("oo.oo|oo.oo", 2),  # a bi-block
        ("o..o|oooo|....|oooo|o..o", 1),  # a table on a table
        ("ooo....oo|.......oo", 2),
        (".oo.|o..o|o..o|.oo.", 1),  # islands that need each other
    ],
)
def test_parts_evolve_as_they_would_alone(drawing: str, count: int) -> None:
    assert {len(each) for each in divisions(LIFE, cells(drawing))} == {count}


def test_codes_name_objects() -> None:
    assert read_code("xs4_33") == ("xs4", cells("oo|oo"))
    assert read_code("xq4_153") == ("xq4", cells("ooo|..o|.o."))
    assert find_return(LIFE, read_code("xq4_153")[1]) == Return(4, 1, -1)
    pulsar = read_code("xp3_co9nas0san9oczgoldlo0oldlogz1047210127401")
    assert find_return(LIFE, pulsar[1]) == Return(3, 0, 0)
    assert find_rejected(LIFE, ["xs4_33", "xs1_1", "xp2_33"]) == [cells("oo|oo")]


@pytest.mark.parametrize(
    ("rule", "count"),
    [("B3/S23", 8), ("B2/S34H", 12), ("B2/S013V", 8), ("B/S012345678", 8), ("B2ek/S3q", 8)],
)
def test_rules_respect_turns_of_the_square_or_of_the_hexagon(rule: str, count: int) -> None:
    turns = orientations(read_rules(rule).tables[0])
    assert len({(turn(1, 0), turn(0, 1)) for turn in turns}) == count


def test_what_counts_has_no_rejected_part_in_any_phase() -> None:
    both, blinker = cells("ooo....oo|.......oo"), cells("o|o|o")
    assert verdicts(LIFE, both, [blinker], False) == {False}
    assert verdicts(LIFE, both, [cells("oo|oo.|..o")], False) == {True}
    assert verdicts(LIFE, both, [], True) == {False}
    assert verdicts(LIFE, blinker, [], True) == {True}


def test_the_block_of_the_queen_bee_is_a_catalyst() -> None:
    bee = cells("....o|..o.o|.o.o.|o..o.|.o.o.|..o.o|....o")
    back = frozenset((x + 7, y) for x, y in cells("o....|o.o..|.o.o.|.o..o|.o.o.|o.o..|o...."))
    found = catalysts(
        LIFE, bee, back, within=15, region=window(-6, -4, 2, 4), field=window(-9, 14, -2, 9), most=4
    )
    assert found == [window(-5, -4, 2, 3), window(-5, -4, 3, 4)]  # the bee is its mirror image


@pytest.mark.parametrize(
    ("rule", "period", "width", "symmetry", "is_there"),
    [
        ("B3/S23", 3, 4, "C1", False),
        ("B3/S23", 3, 6, "D2|", False),
        ("B246/S0247", 3, 3, "C1", True),
        ("B36/S35", 2, 7, "D2|", True),
    ],
)
def test_strips_with_and_without_ships(
    rule: str, period: int, width: int, symmetry: str, is_there: bool
) -> None:
    fields = {"rule": rule, "boxes": [f"{width}x*"], "symmetry": symmetry}
    assert has_ship(json.dumps(fields | {"motion": {"period": period, "dy": -1}})) is is_there


@pytest.mark.parametrize("rule", ["B246/S0247", "B3/S23", "B2/S0", "B35/S02357", "B36/S245"])
@pytest.mark.parametrize(("period", "box"), [(2, "3x4"), (3, "3x4"), (2, "4x3")])
def test_a_ship_in_a_box_is_one_in_the_strip(rule: str, period: int, box: str) -> None:
    fields: dict[str, Any] = {"rule": rule, "boxes": [box], "motion": {"period": period, "dy": -1}}
    fields["constraints"] = [{"type": "not-empty"}]
    if solutions(json.dumps(fields), 2**16):
        assert has_ship(json.dumps(fields | {"boxes": [f"{box[0]}x*"]}))


def test_axes_are_read() -> None:
    assert list_boxes(["2x2..3x3", "3x3", "4x*"]) == ["2x2", "2x3", "3x2", "3x3", "4x*"]
    assert list_rules(["B3[6]/S2[3]", "B3/S23"]) == ["B3/S2", "B3/S23", "B36/S2", "B36/S23"]
    assert read_speed("2c/5") == {"period": 5, "dx": 0, "dy": -2}
    assert read_speed("c/4d") == {"period": 4, "dx": -1, "dy": -1}
    assert read_speed("(2,1)c/6") == {"period": 6, "dx": -1, "dy": -2}
    assert read_speed("c") == {"period": 1, "dx": 0, "dy": -1}


def test_what_cannot_be_is_not_planned() -> None:
    search = {"kind": "oscillator", "periods": "2..3", "symmetries": ["C4", "D4+"]}
    tasks = planned({"search": [search | {"boxes": "3x3..6x6", "population": "<=9@2"}]})
    # Of the boxes, C4 takes the four squares; and period 2 has no generation 2.
    assert len(tasks) == 4 + 16
    assert {json.loads(each.problem)["motion"]["period"] for each in tasks} == {3}
    first = json.loads(tasks[0].problem)
    assert first["constraints"] == [
        {"type": "full-period"},
        {"type": "population", "generation": 2, "most": 9, "least": 0},
    ]


def test_problems_that_are_written_out_come_first() -> None:
    plan = {"problem": [{"boxes": ["1x1"]}], "search": [{"kind": "still-life", "boxes": "2x2"}]}
    assert [each.scope for each in planned(plan)] == [-1, 0]
    assert planned(plan)[0] == Planned(-1, '{"boxes": ["1x1"]}')
