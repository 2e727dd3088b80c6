"""The best, proved: known optima, several goals, and honest ends."""

from __future__ import annotations

import pytest

from satlife import (
    Best,
    Goal,
    Impossible,
    Problem,
    Undecided,
    find_best,
    oscillator,
    parent,
    ship,
    still_life,
    wick,
)
from satlife.engine.goals import name_goals
from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.problem.words import describe_short
from satlife.verifier.verify import verify

DENSEST = {2: 4, 3: 6, 4: 8, 5: 16, 6: 18, 7: 28, 8: 36, 9: 43}
LOAFER = Pattern.from_rle("b2o2bob2o$o2bo2b2o$bobo$2bo$8bo$6b3o$5bo$6bo$7b2o!")
PULSAR = Pattern.from_rle(
    "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$"
    "2b3o3b3o!"
)
MOST, LEAST = Goal.parse("maximize", "population"), Goal.parse("minimize", "population")


@pytest.mark.parametrize("n", DENSEST)
def test_densest_still_lifes(n: int) -> None:
    best = find_best(still_life(box=f"{n}x{n}"), [MOST])
    assert isinstance(best, Best)
    assert (best.values, best.proved) == ((DENSEST[n],), True)
    assert best.finding.pattern.population == DENSEST[n]


@pytest.mark.parametrize(
    ("target", "margin", "least"),
    [(Pattern.from_rle("bo$2bo$3o!"), 2, 5), (LOAFER, 1, 21)],
    ids=["glider", "loafer"],
)
def test_least_parents(target: Pattern, margin: int, least: int) -> None:
    best = find_best(parent(target, margin=margin), [LEAST])
    assert isinstance(best, Best)
    assert (best.values, best.proved) == ((least,), True)
    assert best.finding.pattern[1] == target


def test_goals_in_their_order() -> None:
    """A blinker is the smallest oscillator of period 2, and all but one of its cells change."""
    rotor = Goal.parse("minimize", "rotor")
    best = find_best(oscillator(2, box="5x5"), [rotor, LEAST])
    assert isinstance(best, Best)
    assert best.proved
    other = find_best(oscillator(2, box="5x5"), [LEAST, rotor])
    assert isinstance(other, Best)
    assert other.values == (3, 4)
    assert best.values[0] <= other.values[1]
    assert best.values[1] >= other.values[0]


def test_the_smallest_box_of_a_ship() -> None:
    best = find_best(ship("c/4d", box="6x6"), [Goal.parse("minimize", "area"), LEAST])
    assert isinstance(best, Best)
    assert best.finding.identity.name == "glider"
    assert best.values == (12, 5)


def test_stopped_early_is_not_proved() -> None:
    best = find_best(still_life(box="14x14"), [MOST], timeout=5)
    assert isinstance(best, Best)
    assert not best.proved
    assert "not proved best: time limit" in str(best)


def test_no_solution_is_impossible_and_no_time_undecided() -> None:
    assert isinstance(find_best(ship("c/4d", box="3x3"), [LEAST]), Impossible)
    hard = find_best(ship("c/5", box="14x14"), [LEAST], timeout=0.3)
    assert isinstance(hard, Undecided)


def test_wrong_goals() -> None:
    with pytest.raises(UsageError, match="not to improve"):
        Goal.parse("improve", "population")
    with pytest.raises(UsageError, match="no measure 'beauty'"):
        Goal.parse("maximize", "beauty")
    with pytest.raises(UsageError, match="starts anew for every solution; use cadical"):
        find_best(still_life(box="3x3"), [MOST], solver="kissat")


def test_the_population_of_an_object_is_that_of_its_least_phase() -> None:
    """A table of known objects says that the LWSS has 9 cells; its other phases have 12."""
    problem = ship("2c/4", box="6x6")
    assert find_best(problem, minimize="population").values == (9,)
    assert find_best(problem, minimize="population@0").values == (12,)
    (goal,) = name_goals(problem, "population", ())
    assert goal.measure.spec == "population@least"
    for other in (parent(Pattern.from_rle("3o!")), still_life(box="3x3")):
        (goal,) = name_goals(other, "population", ())
        assert goal.measure.spec == "population@0"


@pytest.mark.parametrize(
    "problem",
    [
        oscillator(2, box="4x4", rule="B3/S23V", symmetry="D2v"),
        wick(2, box="5x3", rule="B3/S23V", symmetry="D2v"),
        oscillator(3, box="6x6", rule="B3/S23V"),
        ship("2c/4", box="6x7"),
        ship("c/2", box="3x4", rule="B2/S"),
    ],
    ids=describe_short,
)
@pytest.mark.parametrize("way", ["minimize", "maximize"])
def test_the_phase_that_is_shown_has_the_value_that_is_said(problem: Problem, way: str) -> None:
    best = find_best(problem, **{way: "population"})
    if isinstance(best, Best):
        fits = way == "minimize" or not any(problem.motion.displacement)  # the largest fill it
        assert best.values == (min((states == 1).sum() for states in best.finding.history),)
        assert not fits or best.finding.pattern.population == best.values[0]
        verify(problem, best.finding.history)
