"""A first pattern without a box: found with nominal work, the same each time, and verified."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from satlife import Found, Impossible, Undecided, find_first, oscillator, ship, still_life
from satlife.engine import Wanted, first
from satlife.engine.first import list_multiples
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.rows import is_available

MakeInBox = Callable[[str], Problem]
needs_rows = pytest.mark.skipif(not is_available(), reason="numba is not installed")


def ships(speed: str) -> list[MakeInBox]:
    return [lambda box, each=each: ship(each, box=box) for each in list_multiples(speed)]


def test_multiples_of_a_speed_have_it_too() -> None:
    assert list_multiples("c/2", 8) == ("c/2", "2c/4", "3c/6", "4c/8")
    assert list_multiples("c/4d", 12) == ("c/4d", "2c/8d", "3c/12d")
    assert list_multiples("(2,1)c/6", 12) == ("(2,1)c/6", "(4,2)c/12")
    assert list_multiples("2c/25") == ("2c/25",)


@pytest.mark.parametrize("period", [2, 3, 4, 5, 6, 8, 15])
def test_oscillators_are_found(period: int) -> None:
    found = find_first(lambda box: oscillator(period, box=box))
    assert isinstance(found, Found)
    assert found.finding.identity.period == period
    assert found.finding.provenance.engine == "hunters"


@pytest.mark.parametrize(
    ("speed", "found_at"), [("c/2", "2c/4"), ("2c/4", "2c/4"), ("c/4d", "c/4d")]
)
def test_small_ships_are_found(speed: str, found_at: str) -> None:
    found = find_first(ships(speed))
    assert isinstance(found, Found)
    assert found.finding.identity.speed == found_at


@needs_rows
@pytest.mark.parametrize("speed", ["c/3", "c/4", "2c/5"])
def test_wide_ships_are_found_by_rows(speed: str) -> None:
    found = find_first(ships(speed))
    assert isinstance(found, Found)
    assert found.finding.identity.speed == speed
    assert found.finding.provenance.engine == "rows"
    assert found.finding.problem.symmetry == "C1"


def test_a_still_life_with_many_cells_is_found() -> None:
    found = find_first(lambda box: still_life(box=box, population=">=30"))
    assert isinstance(found, Found)
    assert found.pattern.population >= 30


def test_the_same_question_has_the_same_answer() -> None:
    first_one, second = (find_first(ships("c/4d")) for _ in range(2))
    assert isinstance(first_one, Found)
    assert isinstance(second, Found)
    assert first_one.pattern == second.pattern


def test_a_symmetry_that_needs_a_parity_gets_it() -> None:
    found = find_first(lambda box: oscillator(2, box=box, symmetry="C4_1"))
    assert isinstance(found, Found)
    assert found.finding.problem.width % 2 == 1


def test_what_is_rejected_is_not_found() -> None:
    found = find_first(
        lambda box: oscillator(2, box=box), wanted=Wanted(reject=("xp2_7", "xp2_7e"))
    )
    assert isinstance(found, Found)
    assert found.finding.identity.name not in ("blinker", "toad")


def test_nothing_is_faster_than_half_of_light() -> None:
    assert isinstance(find_first(ships("2c/3")), Impossible)
    odd = find_first(lambda box: ship("c", box=box, symmetry="D2_+1"))
    assert isinstance(odd, Impossible)
    assert odd.problem.width % 2 == 1


def test_what_was_covered_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "ROUNDS", 1)
    monkeypatch.setattr(first, "SECONDS", 0.5)
    outcome = find_first(lambda box: oscillator(7, box=box, symmetry="D8"))
    assert isinstance(outcome, Undecided)
    assert outcome.reason.startswith("work limit; no p7 in ")
    assert outcome.reason.endswith(", turned or not")


@needs_rows
def test_widths_that_were_exhausted_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for each, value in {"ROUNDS": 1, "SECONDS": 0.0, "CELLS": 4}.items():
        monkeypatch.setattr(first, each, value)
    outcome = find_first([lambda box: ship("c/3", box=box)])
    assert isinstance(outcome, Undecided)
    assert outcome.reason == "work limit; no c/3 in 7x* D2|, 8x* D2|, 4x*"


@needs_rows
def test_a_width_whose_ships_are_rejected_is_not_said_to_have_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for each, value in {"ROUNDS": 1, "SECONDS": 0.0, "CELLS": 6}.items():
        monkeypatch.setattr(first, each, value)
    turtle = Wanted(reject=("xq3_3u0228mc53bgzof0882d6koq1",))
    outcome = find_first([lambda box: ship("c/3", box=box, symmetry="D2v")], wanted=turtle)
    if isinstance(outcome, Found):
        assert outcome.finding.identity.name != "turtle"
    else:
        assert "12x*" not in outcome.reason


def test_options_that_it_does_not_take_are_refused() -> None:
    with pytest.raises(UsageError, match="the engine hunters does not take solver"):
        find_first(lambda box: still_life(box=box), solver="glucose")
    with pytest.raises(UsageError, match="is not a rule"):
        find_first(lambda box: still_life(box=box, rule="B3/Q"))
