"""Hunters: soups, restrictions and rows, each of which solves the whole problem or says nothing."""

from __future__ import annotations

from itertools import islice

import pytest

from satlife import Problem, oscillator, ship, still_life, verify
from satlife.engine.heuristics.hunters import hunt, run_soups, search_rows, solve_restrictions
from satlife.engine.heuristics.restrictions import (
    Restriction,
    is_twin,
    kept_transforms,
    restrictions,
    ship_widths,
)
from satlife.engine.heuristics.soups import SEEDS, Arena, soups
from satlife.life import Rule
from satlife.life.symmetry import Symmetry


@pytest.mark.parametrize(
    ("problem", "way"),
    [
        (oscillator(8, box="20x20"), "soups"),
        (oscillator(8, box="27x27", symmetry="C4"), "soups"),
        (ship("c/8d", box="20x20", rule="B36/S125"), "soups"),
        (oscillator(5, box="16x16"), "D8 in 8x8"),
        (ship("c/3", box="30x20", symmetry="D2|"), "rows, D2| in 12x20"),
    ],
    ids=["figure eight", "Kok's galaxy", "the glider of 2x2", "octagon 2", "turtle"],
)
def test_a_hunt_finds_what_is_known(problem: Problem, way: str) -> None:
    found = hunt(problem.to_json(), 1.0, lambda news: None)
    assert found is not None
    details, history = found
    verify(problem, history)
    assert str(details["restriction"]).startswith(way)


def test_the_same_problem_gives_the_same_soups() -> None:
    problem = oscillator(3, box="30x30")
    first, second = (list(islice(soups(problem), 3)) for _ in range(2))
    assert [(each.where, each.seconds) for each in first] == [
        (each.where, each.seconds) for each in second
    ]
    assert any(each.history is not None for each in first)


@pytest.mark.parametrize(
    "problem",
    [
        oscillator(2, box="9x8", symmetry="D2|"),
        oscillator(2, box="11x11", symmetry="D8"),
        oscillator(2, box="12x9", population="<=8"),
        ship("c/4d", box="12x12", symmetry="C1:D2\\"),
        oscillator(2, box="70x6"),
    ],
    ids=str,
)
def test_what_soups_find_solves_the_problem(problem: Problem) -> None:
    found = next(each.history for each in islice(soups(problem), 40) if each.history)
    verify(problem, found)


@pytest.mark.parametrize(
    "problem",
    [
        still_life(box="9x9"),
        oscillator(4, box="3x3"),
    ],
    ids=["a still life", "no room"],
)
def test_there_are_no_soups_where_they_cannot_help(problem: Problem) -> None:
    assert list(soups(problem)) == []


def test_an_arena_keeps_the_centre_of_the_box() -> None:
    problem = oscillator(2, box="101x70")
    arena = Arena(problem, Rule("B3/S23"))
    assert (arena.width, arena.height) == (39, 40)
    assert (2 * arena.left + arena.width, 2 * arena.top + arena.height) == (101, 70)
    assert SEEDS % 64 == 0


def test_twins_are_left_out_and_nothing_else() -> None:
    problem = oscillator(3, box="12x12")
    given, kept = restrictions(problem), kept_transforms(problem)
    assert len(kept) == 8
    assert not _twins(given, problem)
    names = {str(each.symmetry) for each in given}
    assert "D2|" in names
    assert "D2-" not in {str(each.symmetry) for each in given if _is_square(each)}
    # A bound on the width is not the same as one on the height.
    assert kept_transforms(oscillator(3, box="12x12", width="<=5")) < kept
    assert {str(each) for each in kept_transforms(ship("c/3", box="9x9"))} == {
        "identity",
        "flip-left-right",
    }


def _is_square(each: Restriction) -> bool:
    return each.boxes[0].width == each.boxes[0].height


def _twins(given: tuple[Restriction, ...], problem: Problem) -> list[tuple[str, str]]:
    kept = kept_transforms(problem)
    squares = [each for each in given if _is_square(each)]
    return [
        (str(a), str(b))
        for i, a in enumerate(squares)
        for b in squares[:i]
        if a.boxes == b.boxes and is_twin(a.symmetry, b.symmetry, kept)
    ]


def test_the_widths_of_ships_keep_the_symmetry_and_its_axis() -> None:
    problem = ship("c/4", box="20x9", symmetry="D2|")
    widths = list(ship_widths(problem))
    assert {each.symmetry for each in widths} == {Symmetry("D2|")}
    assert all(each.boxes[0].width % 2 == 0 for each in widths)
    assert list(ship_widths(ship("c/4d", box="9x9"))) == []
    assert list(ship_widths(oscillator(3, box="9x9"))) == []


@pytest.mark.parametrize("hunter", [run_soups, solve_restrictions, search_rows])
def test_a_hunter_tells_how_much_it_has_done(hunter: object) -> None:
    assert callable(hunter)
    for seconds, details, _ in islice(hunter(ship("c/5", box="12x12")), 5):
        assert seconds > 0
        assert details["restriction"]
