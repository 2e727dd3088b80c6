"""Restrictions: what solves one solves the whole, and nothing else is concluded from them."""

from __future__ import annotations

import time

import numpy as np
import pytest

from satlife import (
    Found,
    Impossible,
    Problem,
    Undecided,
    agar,
    complete,
    find,
    find_all,
    oscillator,
    parent,
    ship,
    start,
    still_life,
    verify,
)
from satlife.engine.heuristics.hunters import hunt
from satlife.engine.heuristics.restrictions import Restriction, embed, restrictions
from satlife.formula.classes import History
from satlife.life import PartialPattern, Pattern
from tests.patience import PATIENCE

SMALL = [
    oscillator(2, box="5x5"),
    oscillator(2, box="8x7", symmetry="D2|"),
    still_life(box="6x5", population="<=6"),
    ship("c/4d", box="6x6"),
    agar(2, box="4x4"),
    complete(Pattern.from_rle("bo$obo$bo!"), symmetry="C1"),
    parent(Pattern.from_rle("2o$2o!")),
    complete(PartialPattern.from_rle("7?$7?$2?2o3?$7?$7?$7?$7?!"), symmetry="C2"),
]


def _solutions(problem: Problem, most: int = 10) -> list[History]:
    return [each.history for each in find_all(problem, raw=True, limit=most)]


@pytest.mark.parametrize("problem", SMALL, ids=lambda problem: problem.kind)
def test_a_solution_of_a_restriction_solves_the_whole(problem: Problem) -> None:
    checked = 0
    for restriction in restrictions(problem)[:-25:-2]:
        smaller = restriction.apply(problem)
        for history in _solutions(smaller) if smaller is not None else ():
            verify(problem, embed(problem, smaller, history))
            checked += 1
    assert checked


def test_what_a_refutation_implies_is_refuted() -> None:
    problem = oscillator(2, box="6x6")
    given = restrictions(problem)
    wanted = [each for each in given if each.orbits < 20 and each.apply(problem)]
    answers = {each: _is_solved(problem, each) for each in wanted}
    assert any(answers.values())
    implied = [(a, b) for a in wanted for b in wanted if a != b and a.implies(b)]
    assert len(implied) > 20
    for a, b in implied:
        assert answers[a] or not answers[b], (str(a), str(b))


def _is_solved(problem: Problem, restriction: Restriction) -> bool:
    smaller = restriction.apply(problem)
    assert smaller is not None
    return isinstance(find(smaller, restrictions=False), Found)


def test_the_smallest_come_first_and_the_whole_is_not_among_them() -> None:
    problem = oscillator(4, box="20x20")
    given = restrictions(problem)
    assert [each.orbits for each in given] == sorted(each.orbits for each in given)
    assert problem not in [each.apply(problem) for each in given[-60:]]
    assert len(set(given)) == len(given)


def test_a_symmetry_that_was_asked_for_is_kept() -> None:
    problem = oscillator(4, box="15x15", symmetry="C4")
    for restriction in restrictions(problem):
        assert restriction.boxes[0].width % 2 == 1
        assert {"C4", "D8"} & set(str(restriction.symmetry).split(":")[:1])


@pytest.mark.parametrize(
    "problem",
    [oscillator(4, box="20x20"), oscillator(3, box="60x60"), agar(3, box="30x30")],
    ids=lambda problem: problem.kind,
)
def test_a_roomy_box_does_not_lose_an_easy_find(problem: Problem) -> None:
    found = hunt(problem.to_json(), 1.0, lambda news: None)
    assert found is not None
    verify(problem, found[1])


def test_a_find_names_its_restriction() -> None:
    outcome = find(oscillator(4, box="20x20"), timeout=300)
    assert isinstance(outcome, Found)
    details = outcome.finding.provenance.details
    assert details["restriction"] in map(str, restrictions(outcome.finding.problem))


def test_a_refutation_comes_from_the_whole() -> None:
    outcome = find(oscillator(3, box="5x5"), restrictions=True)
    assert isinstance(outcome, Impossible)
    assert outcome.reason == "refuted by the solver"


def test_a_seed_asks_for_one_run() -> None:
    search = start(oscillator(4, box="20x20"), seed=1, timeout=1.5)
    assert all(getattr(event, "racer", "") != "restrictions" for event in search)


def test_hunting_stops_with_the_search() -> None:
    with start(oscillator(14, box="40x40")) as search:
        for event in search:
            if getattr(event, "racer", "") == "restrictions":
                break
        begun = time.monotonic()
        search.stop()
        outcome = search.result()
    assert isinstance(outcome, Undecided)
    assert outcome.reason == "stopped"
    assert time.monotonic() - begun < PATIENCE


def test_hunting_leaves_no_answer_where_nothing_is_found() -> None:
    assert hunt(oscillator(3, box="4x4").to_json(), 1.0, lambda news: None) is None


def test_an_embedded_torus_repeats() -> None:
    whole, small = agar(2, box="4x6"), agar(2, box="2x3")
    tile = np.array([[1, 0], [0, 1], [0, 0]], np.uint8)
    (first, _) = embed(whole, small, (tile, tile))
    assert first.shape == (6, 4)
    assert (first == np.tile(tile, (2, 2))).all()


def test_bounds_do_not_hold_for_a_repeated_torus() -> None:
    assert restrictions(agar(3, box="24x24", population="1..40")) == ()


def test_the_centre_of_a_symmetry_stays_where_it_was() -> None:
    """The embedding of an eccentric box lacked the symmetry, and the search ended as a bug."""
    text = "24?$" * 4 + "4?2o18?$" + "24?$" * 18 + "24?!"
    problem = complete(PartialPattern.from_rle(text), motion="p3", symmetry="C2")
    whole = problem.all_boxes[0]
    for restriction in restrictions(problem):
        (box,) = restriction.boxes
        assert 2 * box.x + box.width == 2 * whole.x + whole.width
        assert 2 * box.y + box.height == 2 * whole.y + whole.height


def test_the_details_are_those_of_the_restriction_alone() -> None:
    outcome = find(oscillator(4, box="20x20"), timeout=300)
    assert isinstance(outcome, Found)
    assert set(outcome.finding.provenance.details) == {"solver", "restriction"}


def test_a_smaller_torus_is_not_implied_by_a_larger_one() -> None:
    """A pattern on a 3x3 torus is not one on a 4x4 torus."""
    tori = {str(each): each for each in restrictions(agar(3, box="12x12"))}
    large, small = tori["C1 in 4x4"], tori["C1 in 3x3"]
    assert not large.implies(small, torus=True)
    assert large.implies(tori["C4 in 4x4"], torus=True)


def test_a_symmetry_about_another_centre_is_not_implied() -> None:
    text = "9?$9?$2?2o5?$9?$9?$9?$9?$9?$9?!"
    given = restrictions(complete(PartialPattern.from_rle(text)))
    pairs = [(a, b) for a in given for b in given if a != b and a.implies(b)]
    assert pairs
    for large, small in pairs:
        assert large.boxes[0].contains_box(small.boxes[0])
        if str(large.symmetry) != "C1":
            a, b = large.boxes[0], small.boxes[0]
            assert (2 * a.x + a.width, 2 * a.y + a.height) == (
                2 * b.x + b.width,
                2 * b.y + b.height,
            )
