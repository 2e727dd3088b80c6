"""Eaters and other catalysts: what eats a glider, how fast, and with how many cells."""

from __future__ import annotations

import pytest

from satlife import Found, Impossible, Problem, find
from satlife.certificates.claims import NoneExists
from satlife.certificates.words.statement import make_statement
from satlife.errors import UsageError
from satlife.kinds import eater, reaction, ship
from satlife.kinds._catalysts import REACH
from satlife.life import TRANSFORMS, Box, Pattern, Transform, identify
from satlife.life.box import format_window, parse_window
from satlife.records import catalyst, describe_outcome, make_record

GLIDER = Pattern.from_rle("bo$2bo$3o!")
DIES = Pattern.from_plaintext("...O\n.OO.\n..OO\nO..O\nOOO.")
"""Gone in generation 46, after it was 17 cells wide and 15 high."""
NOTHING = Pattern([])
WINDOW = "0..19,0..19"
SMALL = {"region": "4..11,4..11", "field": "-1..13,-1..13", "within": 8}


def find_both(problem: Problem) -> tuple[Pattern, Pattern]:
    outcome = find(problem)
    assert isinstance(outcome, Found)
    return outcome.pattern, catalyst(outcome.finding)


def test_eater_1_has_seven_cells() -> None:
    whole, alone = find_both(eater(GLIDER, population="<=7", **SMALL))
    assert identify(alone).name == "eater 1"
    assert whole == GLIDER | alone
    assert whole.population == 12
    assert whole[8] == alone
    assert alone[1] == alone


def test_six_cells_are_too_few() -> None:
    assert isinstance(find(eater(GLIDER, population="<=6", **SMALL)), Impossible)


@pytest.mark.parametrize("phase", [0, 1])
@pytest.mark.parametrize("generations", [1, 2, 3])
def test_no_eater_is_itself_again_within_three_generations(phase: int, generations: int) -> None:
    """Of a glider that came along: it flew freely in the generation before."""
    problem = eater(
        GLIDER[phase],
        at=(8, 8),
        approach=1,
        region=WINDOW,
        field=WINDOW,
        within=1 + generations,
    )
    assert isinstance(find(problem), Impossible)


def test_four_generations_are_enough() -> None:
    problem = eater(
        GLIDER[1],
        at=(8, 8),
        approach=1,
        region="4..17,4..17",
        field=WINDOW,
        within=5,
        population="<=7",
    )
    whole, alone = find_both(problem)
    assert identify(alone).name == "eater 1"
    assert whole[1] == GLIDER[2].normalized.shift(*whole_corner(whole[1], alone)) | alone
    assert whole[5] == alone


def whole_corner(whole: Pattern, alone: Pattern) -> tuple[int, int]:
    """The top left of what is not the eater."""
    rest = [(x, y) for x, y in whole.coordinates.tolist() if (x, y) not in alone]
    return min(x for x, _ in rest), min(y for _, y in rest)


def test_the_input_can_lie_anywhere() -> None:
    moved = eater(
        GLIDER.shift(100, 100),
        at=(-3, 2),
        region="1..8,6..13",
        field="-4..10,1..15",
        within=8,
        population="<=7",
    )
    whole, alone = find_both(moved)
    assert whole == GLIDER.shift(-3, 2) | alone


@pytest.mark.parametrize("within", [5, 6])
def test_an_oscillator_comes_back_in_its_phase(within: int) -> None:
    problem = eater(GLIDER, region="2..9,2..9", within=within, period=2)
    whole, alone = find_both(problem)
    assert whole == GLIDER | alone
    assert alone[2] == alone
    assert whole[within] == alone[within]


def test_a_reaction_that_leaves_nothing_is_an_eater() -> None:
    whole, alone = find_both(reaction(GLIDER, NOTHING, population="<=7", **SMALL))
    assert identify(alone).name == "eater 1"
    assert whole == GLIDER | alone


def test_a_catalyst_that_stands_by() -> None:
    """A glider flies past; what is asked of the catalyst is then only to be still."""
    mask = Pattern.from_rle("2o$2o!").shift(9, 0)
    whole, alone = find_both(reaction(GLIDER, GLIDER[4], within=4, region=mask))
    assert alone == mask
    assert whole[4] == GLIDER[4] | mask


def test_a_mask_that_holds_nothing_still() -> None:
    mask = Pattern.from_rle("2o$o!").shift(9, 0)
    assert isinstance(find(reaction(GLIDER, GLIDER[4], within=4, region=mask)), Impossible)


def test_a_reaction_of_period_2() -> None:
    """Only a blinker has three cells, and it is in the other phase after an odd time."""
    mask = Pattern([[0, 1, 0], [1, 1, 1], [0, 1, 0]], 9, 0)
    problem = reaction(GLIDER, GLIDER[5], within=5, region=mask, period=2, population="=3")
    whole, alone = find_both(problem)
    assert identify(alone).name == "blinker"
    assert alone[1] != alone
    assert whole[5] == GLIDER[5] | alone[1]


def test_windows() -> None:
    assert parse_window("4..11, -1..13") == Box(4, -1, 8, 15)
    for wrong in ("4..11", "4-11,4-11", "5..4,1..2", "x..y,1..2"):
        with pytest.raises(UsageError, match=r"window"):
            parse_window(wrong)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"within": 0}, "within is at least 1, got 0"),
        ({"period": 0}, "period is at least 1"),
        ({"region": "4..20,4..11"}, "the field must hold .* 0..20,0..11"),
        ({"region": "everywhere"}, "is not a region"),
        ({"approach": 8}, "0 to 7 generations, got 8"),
        ({"population": "few"}, "'few' is not a bound"),
    ],
)
def test_wrong_use(change: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        eater(GLIDER, **{**SMALL, **change})  # type: ignore[arg-type]


def test_nothing_to_eat_and_nowhere_to_be() -> None:
    with pytest.raises(UsageError, match="nothing to react with"):
        eater(NOTHING, **SMALL)
    with pytest.raises(UsageError, match="no place for a catalyst"):
        reaction(GLIDER, NOTHING, within=4, region=NOTHING)
    with pytest.raises(UsageError, match="lives by"):
        reaction(GLIDER, NOTHING.with_rule("B36/S23"), within=4, region="4..8,4..8")


def test_only_catalysts_are_told_apart() -> None:
    outcome = find(ship("c/4d", box="4x4"))
    assert isinstance(outcome, Found)
    with pytest.raises(UsageError, match="no catalyst"):
        catalyst(outcome.finding)


BESIDE = {"region": "14..17,0..3", "within": 46}
TIGHT = "-2..19,-2..6"


def describe_none(problem: Problem) -> str:
    return describe_outcome(Impossible(problem, "refuted"))


def test_the_field_holds_what_the_input_becomes_by_itself() -> None:
    problem = eater(DIES, **BESIDE)
    field = problem.all_boxes[0]
    reached = [DIES[t].box for t in range(46)]
    assert not parse_window(TIGHT).contains_box(reached[30])
    assert all(field.contains_box(box.grow(2)) for box in reached if not box.is_empty)
    whole, alone = find_both(problem)
    assert whole == DIES | alone
    assert whole[46] == alone == alone[1]


@pytest.mark.parametrize("field", [TIGHT, "-12..20,-12..14"])
def test_none_names_its_field(field: str) -> None:
    problem = eater(DIES, field=field, **BESIDE)
    columns, rows = (span.replace("..", " to ") for span in field.split(","))
    assert f"with nothing outside the field {field}," in describe_none(problem)
    assert make_record(Impossible(problem, "refuted"))["field"] == field
    assert f"(columns {columns}, rows {rows})" in make_statement(problem, NoneExists())


def test_a_field_that_the_input_leaves_is_said_to_be_why() -> None:
    problem = eater(DIES, field=TIGHT, **BESIDE)
    outcome = find(problem)
    assert isinstance(outcome, Impossible)
    words = "alone, the input leaves the field in generation 6, so a larger --field may hold one"
    assert words in describe_outcome(outcome)
    assert words in make_record(outcome)["hint"]
    assert "leaves the field" not in describe_none(eater(DIES, **BESIDE))


def test_an_input_that_grows_is_followed_a_part_of_the_way() -> None:
    """By B1, a dot grows as fast as anything can."""
    dot = Pattern([[1]], rule="B1/S012345678")
    problem = eater(dot, region="3..6,0..3", within=90)
    assert problem.all_boxes[0] == dot.box.grow(REACH + 1 + 2) & Box(0, 0, 7, 4).grow(REACH + 2)
    assert f"leaves the field in generation {REACH + 2 + 1}, so a larger" in describe_none(problem)


def test_a_reaction_has_room_for_what_comes_before() -> None:
    problem = reaction(DIES, NOTHING, **BESIDE)
    assert problem.all_boxes[0] == eater(DIES, **BESIDE).all_boxes[0]
    assert "leaves the field" not in describe_none(problem)
    said = describe_none(reaction(DIES, NOTHING, field=TIGHT, **BESIDE))
    assert f"with nothing outside the field {TIGHT}," in said
    assert said.endswith("leaves the field in generation 6, so a larger --field may hold one")


def test_all_lanes_and_times_have_room() -> None:
    """A block that stands by needs room for every glider that flies past, until the end."""
    problem = eater(GLIDER, lanes="-3..2", times="-2..9", region="9..12,0..3", within=12)
    field = problem.all_boxes[0]
    for lane in (-3, 2):
        for age in range(-9, 12 + 2):
            turns, phase = divmod(age, 4)
            assert field.contains_box(GLIDER[phase].shift(lane + turns, turns).box)


@pytest.mark.parametrize(
    ("region", "words"),
    [
        ("-14..-7,-9..-3", "moves away from the region: --turn half-turn turns it, --at moves it"),
        ("20..27,20..27", "the input alone does not reach the region within 16 generations"),
    ],
)
def test_an_input_that_never_comes_is_reported_as_that(region: str, words: str) -> None:
    outcome = find(eater(GLIDER, region=region, within=16))
    assert isinstance(outcome, Impossible)
    assert words in describe_outcome(outcome)
    assert words in make_record(outcome)["hint"]


def test_an_input_that_dies_by_itself_needs_no_eater() -> None:
    """Whatever stands far away survives, and is called an eater."""
    alone = "; the input dies by itself, without any eater ["
    outcome = find(eater(Pattern.from_cells([(0, 0)]), region="4..7,4..7", within=4))
    assert isinstance(outcome, Found)
    assert alone in describe_outcome(outcome)
    assert alone not in describe_outcome(find(eater(GLIDER, **SMALL)))


def test_what_dies_far_away_is_not_said_to_move_away() -> None:
    said = describe_none(eater(DIES, population="=3", **BESIDE))
    assert "the input alone never reaches the region, and dies" in said
    assert "moves away" not in said


@pytest.mark.parametrize("transform", TRANSFORMS, ids=str)
def test_a_turned_input_is_eaten_by_a_turned_eater(transform: Transform) -> None:
    home = parse_window("4..11,4..11").transformed(transform)
    corner = GLIDER.transformed(transform).box
    problem = eater(
        GLIDER,
        turn=transform.name,
        at=(corner.x, corner.y),
        region=format_window(home),
        within=8,
        population="<=7",
    )
    whole, alone = find_both(problem)
    assert identify(alone).name == "eater 1"
    assert whole == GLIDER.transformed(transform) | alone
    again = eater(
        GLIDER,
        turn=transform,
        at=(corner.x, corner.y),
        region=home,
        within=8,
        population="<=7",
    )
    assert again == problem


def test_there_are_eight_turns() -> None:
    with pytest.raises(UsageError, match="no transform 'left'; choose one of identity, quarter-"):
        eater(GLIDER, turn="left", **SMALL)
