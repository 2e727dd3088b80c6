"""Oscillators with the same rotor as one: counted as brute force counts them."""

from __future__ import annotations

from typing import Any

import pytest

from satlife import Problem, agar, find_all, oscillator, ship, still_life
from satlife.engine.wanted import name_rotor
from satlife.errors import UsageError
from tests.reference.asked import History
from tests.reference.classing import rotors
from tests.reference.searching import solutions


def list_solutions(problem: Problem) -> list[History]:
    """All solutions, by the reference where it can, and otherwise by the engine that it checks."""
    if problem.symmetry == "C1":
        return solutions(problem.to_json())
    return [finding.history for finding in find_all(problem, raw=True, engine="brute")]


@pytest.mark.parametrize(
    ("period", "options"),
    [
        (2, {"box": "3x3"}),
        (2, {"box": "4x4"}),
        (2, {"box": "4x4", "rule": "B36/S245"}),
        (2, {"box": "3x5", "rule": "B2/S23"}),
        (2, {"box": "4x4", "composite": True, "rule": "B3/S12"}),
        (3, {"box": "4x4", "rule": "B2/S34"}),
        (4, {"box": "4x4", "rule": "B2/S1"}),
        (2, {"box": "5x6", "symmetry": "C2", "rule": "B36/S23"}),
        (2, {"box": "8x8", "symmetry": "C4"}),
        (2, {"box": "7x7", "symmetry": "D4+", "rule": "B3/S2345"}),
        (2, {"box": "4x4,3x4"}),
    ],
)
def test_counts_agree_with_brute_force(period: int, options: dict[str, Any]) -> None:
    problem = oscillator(period, **options)
    every = list_solutions(problem)
    expected = len(rotors(problem.to_json(), every))
    listing = find_all(problem, same="rotor", engine="sat")
    found = [finding.history for finding in listing]
    assert listing.complete
    assert len(found) == expected
    assert len({name_rotor(problem, history) for history in found}) == expected
    assert len({name_rotor(problem, history) for history in every}) == expected
    by_brute_force = find_all(problem, same="rotor", engine="brute")
    assert (len(list(by_brute_force)), by_brute_force.complete) == (expected, True)


def test_variants_of_the_stator_are_one() -> None:
    problem = oscillator(2, box="7x7", symmetry="D4+", rule="B3/S2345")
    objects = list(find_all(problem))
    names = [name_rotor(problem, finding.history) for finding in objects]
    assert len(list(find_all(problem, same="rotor"))) == len(set(names)) < len(names)


@pytest.mark.parametrize("engine", ["sat", "brute"])
def test_what_is_left_out_does_not_hide_others_with_its_rotor(engine: str) -> None:
    problem = oscillator(2, box="7x7", symmetry="D4+", rule="B3/S2345")
    connected = [each.history for each in find_all(problem, only_connected=True, engine=engine)]
    names = {name_rotor(problem, history) for history in connected}
    kept = find_all(problem, same="rotor", only_connected=True, engine=engine)
    assert {name_rotor(problem, finding.history) for finding in kept} == names


def test_a_listing_goes_on_after_rotors_that_were_found() -> None:
    problem = oscillator(2, box="4x4")
    first = [each.history for each in find_all(problem, same="rotor", limit=2)]
    rest = [each.history for each in find_all(problem, same="rotor", already_found=first)]
    assert len({name_rotor(problem, history) for history in first + rest}) == 4
    assert len(rest) == 2


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (still_life(box="4x4"), "needs an oscillator"),
        (ship("c/4d", box="4x4"), "needs an oscillator"),
        (agar(2, box="4x4"), "in a plane"),
    ],
)
def test_what_has_no_rotor_is_refused(problem: Problem, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find_all(problem, same="rotor")


def test_a_wrong_word_is_refused() -> None:
    with pytest.raises(UsageError, match="use object or rotor"):
        find_all(oscillator(2, box="3x3"), same="shape")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="raw"):
        find_all(oscillator(2, box="3x3"), same="rotor", raw=True)
