"""Eaters and other catalysts: what eats a glider, how fast, and with how many cells."""

from __future__ import annotations

import pytest

from satlife.errors import UsageError
from satlife.life import Box, Pattern, identify
from satlife.life.box import parse_window
from satlife.search import Found, Impossible, Problem, find
from satlife.search.kinds import eater, reaction, ship
from satlife.search.records import catalyst

GLIDER = Pattern.from_rle("bo$2bo$3o!")
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
