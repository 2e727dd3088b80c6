"""Problems: one canonical text, one name, and clear words for what is wrong."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from satlife import (
    Grid,
    Known,
    Link,
    Motion,
    Population,
    Problem,
    agar,
    complete,
    describe,
    orphan,
    oscillator,
    problem_schema,
    ship,
    start,
)
from satlife.campaign.core.events import QueuedEvent
from satlife.campaign.ledger import export, merge, open_ledger
from satlife.campaign.messages import Task, decode_task, encode
from satlife.campaign.plan import Plan
from satlife.campaign.results import read_plan
from satlife.certificates import check_certificate
from satlife.certificates.make.width_folder import certify_width
from satlife.errors import FormatError, UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.life import Pattern
from satlife.problem.problem import parse_profile
from tests.search.test_brute_force import problems


@given(problems())
def test_json_and_toml_round_trip(problem: Problem) -> None:
    assert Problem.from_json(problem.to_json()) == problem
    assert Problem.from_toml(problem.to_toml()) == problem
    assert Problem.from_json(problem.to_json()).to_json() == problem.to_json()
    assert describe(problem).startswith("a pattern of B")


def test_the_name_covers_what_is_asked_and_only_that() -> None:
    one = oscillator(3, box="9x9", symmetry="C4", rule="b3s23")
    assert one.name == oscillator("p3", box=" 9 x 9 ".replace(" ", ""), symmetry="C4").name
    assert one.name == msgspec.structs.replace(one, kind="find").name
    assert one.name != oscillator(3, box="9x9").name
    assert one.name != oscillator(3, box="9x9", symmetry="C4", composite=True).name


def test_a_profile_of_equal_boxes_is_one_box() -> None:
    assert ship("c/3", box="8x8,8x8*2") == ship("c/3", box="8x8")


def test_known_cells_are_merged_and_trimmed() -> None:
    spread = Problem(
        boxes=("5x5",),
        motion=Motion(period=1),
        known=(Known(t=0, rows=("?????", "??o??")), Known(t=0, x=1, y=2, rows=("?.",))),
    )
    assert spread.known == (Known(t=0, x=2, y=1, rows=("o", ".")),)


def test_the_schema_describes_what_is_written() -> None:
    schema = problem_schema()
    fields = set(schema["$defs"]["Problem"]["properties"])
    written = json.loads(oscillator(3, box="9x9", population="<=20").to_json())
    assert set(written) <= fields


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "not a problem: Expected `object`"),
        ('{"boxes": ["3x3"], "colour": "red"}', "unknown field `colour`"),
        ('{"boxes": ["3x3"], "schema": 99}', "has schema 99; this satlife reads schema 1"),
        ('{"boxes": ["3by3"]}', "'3by3' is not a box"),
        ('{"boxes": []}', "has 0 boxes for 1 generation; give one"),
        ('{"boxes": ["3x3"], "rule": "B0/S"}', "B0"),
        ('{"boxes": ["3x3"], "symmetry": "C3"}', "C3 is a symmetry of the hexagonal grid"),
        ('{"boxes": ["3x3"], "motion": {"period": 0}}', "a period is at least 1"),
        ('{"boxes": ["3x3"], "constraints": [{"type": "pretty"}]}', "pretty"),
        ('{"boxes": ["3x3"], "known": [{"t": 0, "rows": ["x"]}]}', "is o, . or \\?"),
        ('{"boxes": ["3x3"], "boundary": "torus", "wrap": [1, 1]}', "twisted one way only"),
        ('{"boxes": ["3x3"], "boundary": "torus", "include_last": true}', "nothing leaves a torus"),
        ('{"boxes": ["3x3"], "boundary": "free", "motion": {"period": 1}}', "outside that is dead"),
    ],
)
def test_wrong_problems(text: str, words: str) -> None:
    with pytest.raises((FormatError, UsageError), match=words):
        Problem.from_json(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0,1\n1\n", "line 2: this row has 1 cells, the first has 2"),
        ("0 1\n\n0 1\n0 1\n", "line 3: generation 1 has 2 rows, the first has 1"),
        ("0 ;\n", "line 1, column 3: ';' is not a cell"),
        ("# nothing\n", "the grid has no cells"),
    ],
)
def test_wrong_grids(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        Grid.from_text(text)


def test_a_grid_with_everything() -> None:
    grid = Grid.from_text("# a comment\r\n0,1,*\r\na,-a,--a'\r\n\r\n* -0 -1\n1' * a\n")
    assert grid.links == (
        Link(first=(0, 1, 0), second=(1, 1, 0), opposite=True),
        Link(first=(0, 1, 0), second=(2, 1, 0), opposite=False),
        Link(first=(0, 1, 0), second=(2, 1, 1), opposite=False),
    )
    assert grid.exempt == ((2, 1, 0), (0, 1, 1))
    spacetime = SpaceTime(complete(grid))
    first, second = spacetime.generation(0), spacetime.generation(1)
    assert first[1, 0] == -first[1, 1] == first[1, 2] == second[1, 2]


def test_a_clash_says_which_cell() -> None:
    problem = oscillator(1, box="3x3", symmetry="D2|")
    clash = msgspec.structs.replace(problem, known=(Known(t=0, rows=("o?.",)),))
    assert SpaceTime(clash).clash == (
        "cell (2, 0) of generation 0 is given dead, which contradicts cell (0, 0) of generation 0"
    )
    outside = msgspec.structs.replace(problem, known=(Known(t=0, x=5, rows=("o",)),))
    assert "is given alive, but it is outside the box" in str(SpaceTime(outside).clash)


def test_profiles() -> None:
    assert parse_profile("9x9,11x11,9x9+1-1", 3) == ("9x9", "11x11-1-1", "9x9+1-1")
    with pytest.raises(UsageError, match="2 boxes for 3 generations"):
        parse_profile("9x9,9x9", 3)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [(">=3", 3, None), ("> 3", 4, None), ("<=3", 0, 3), ("<3", 0, 2), ("=3", 3, 3), ("3", 3, 3)],
)
def test_bounds(text: str, least: int, most: int | None) -> None:
    assert Population.parse(text) == Population(least=least, most=most)


def test_an_open_height_is_a_box() -> None:
    problem = ship("c/3", box=" 15X* ", symmetry="D2v")
    assert problem.boxes == ("15x*",)
    assert problem.has_open_height
    assert Problem.from_json(problem.to_json()) == Problem.from_toml(problem.to_toml()) == problem
    assert problem.name != ship("c/3", box="15x15", symmetry="D2v").name
    assert problem.with_height(12) == ship("c/3", box="15x12", symmetry="D2v")
    assert "at most 15 wide, of any height" in describe(problem)
    with pytest.raises(UsageError, match="open height"):
        _ = problem.all_boxes


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"symmetry": "D8"}, "cannot move north or south"),
        ({"include_last": True}, "include_last"),
        ({"box": "0x*"}, "no cells"),
        ({"box": "15x*,3x3"}, "for all generations"),
        ({"population": "<=9@7"}, "no generation 7"),
    ],
)
def test_what_does_not_fit_an_open_height(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        ship("c/3", **({"box": "15x*"} | options))


UNUSED = {"wrap": (0, 1), "background": ("o.",)}
"""Fields that mean nothing where the height is open."""


@pytest.mark.parametrize("name", UNUSED)
def test_an_open_height_has_no_other_name(name: str, tmp_path: Path) -> None:
    asked = ship("c/3", box="7x*")
    fields = json.loads(asked.to_json()) | {name: UNUSED[name]}
    text = json.dumps(fields)
    words = f"leave {name} out"
    with pytest.raises(UsageError, match=words):
        Problem(boxes=asked.boxes, motion=asked.motion, **{name: UNUSED[name]})
    with pytest.raises(UsageError, match=words):
        Problem.from_text(text.encode())
    with pytest.raises(UsageError, match=words):
        Problem.from_toml(tomli_w.dumps(fields))
    plan = tmp_path / "plan.toml"
    plan.write_text(tomli_w.dumps({"problem": [fields]}))
    with pytest.raises(UsageError, match=words):
        Plan.read(plan)


@pytest.mark.parametrize("name", UNUSED)
def test_a_record_of_such_a_problem_is_read_as_before(name: str, tmp_path: Path) -> None:
    fields = json.loads(ship("c/3", box="3x*").to_json()) | {name: UNUSED[name]}
    text = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
    old = Problem.from_json(text)
    assert old.to_json() == text
    assert decode_task(encode(Task(problem=old))).problem == old
    plan = Plan(problem=(old,))
    with open_ledger(":memory:") as ledger, open_ledger(":memory:") as other:
        for each in (ledger, other):
            each.begin(plan.name, plan.to_toml())
        ledger.record([QueuedEvent(Task(problem=old))])
        merge(other, list(export(ledger)))
        assert read_plan(other) == plan
        assert [row.task.problem for row in other.rows()] == [old]
    certify_width(old, tmp_path / "proof")
    assert check_certificate(tmp_path / "proof").valid


def test_an_open_height_needs_an_engine_that_takes_it() -> None:
    for engine in (None, "sat", "brute"):
        with pytest.raises(UsageError, match=r"cannot search for this: .*17x"):
            start(ship("c/3", box="17x*"), engine=engine)


NAMES = {
    "5fef7c743473": Problem(boxes=("4x4",), motion=Motion(period=4, dx=-1, dy=-1)),
    "ceb8058194cb": oscillator(3, box="9x9", symmetry="C4", population="<=20@every"),
    "d0db19e2887b": agar(2, box="4x4", wrap=(1, 0)),
    "58019d99286a": orphan(Pattern.from_rle("3o!")),
    "c2a29e434fbb": ship("c/3", box="16x6"),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_never_change(name: str) -> None:
    """Certificates and ledgers hang on them: what is new in the schema leaves the old as it was."""
    assert NAMES[name].name.startswith(name)


def test_a_problem_keeps_its_name_on_its_way_to_another_process() -> None:
    problem = oscillator(3, box="9x9")
    assert pickle.loads(pickle.dumps(problem)).to_json() == problem.to_json()
    told = problem.to_json().replace(b'"period":3', b'"period":3,"transform":"identity"')
    assert Problem.from_json(told).name == problem.name


@given(problems(), st.sampled_from(("23/36", "B2/S", "B2/S/3", "B03/S23", "B3[4]/S23", "B08/S8")))
def test_another_rule_gives_the_problem_that_would_have_been_made(
    problem: Problem, rule: str
) -> None:
    try:
        made = msgspec.structs.replace(problem, rule=rule)
    except UsageError as error:
        with pytest.raises(UsageError, match=re.escape(str(error))):
            problem.with_rule(rule)
    else:
        other = problem.with_rule(rule)
        assert (other, other.name, other.all_boxes) == (made, made.name, made.all_boxes)
