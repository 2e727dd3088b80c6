"""Known objects, found by name; known impossibilities, refuted."""

from __future__ import annotations

import pytest

from satlife import (
    Found,
    Impossible,
    Problem,
    agar,
    complete,
    find,
    orphan,
    oscillator,
    parent,
    ship,
    still_life,
)
from satlife.life import PartialPattern, Pattern

LIFE = Pattern.from_rle(
    "o3b3ob3ob3o$o4bo2bo3bo$o4bo2bo3bo$o4bo2b2o2b2o$o4bo2bo3bo$o4bo2bo3bo$3ob3obo3b3o!"
)
ORPHANS = {
    "10x10": "bob3obo$2bobobo2bo$ob3o2b2o$bob5obo$o2bo2b4o$4o2bo2bo$ob5obo$b2o2b3obo$o2bobobo$"
    "2bob3obo!",
    "11x11": "b3o2b2o$b2obobob3o$b3o2b5o$obobobobobo$4obobobo$4b3o$bobobob4o$obobobobobo$5o2b3o$"
    "3obobob2o$3b2o2b3o!",
    "11x9": "b9o$obo2bobobo$b2o2b4o$ob4o3bo$bo2bobobobo$o2b2o2bo$3o2b5o$2b2obobobo$ob4o2b2o!",
}

NAMED = {
    "glider": ship("c/4d", box="4x4"),
    "LWSS": ship("2c/4", box="5x6"),
    "25P3H1V0.1": ship("c/3", box="16x6"),
    "turtle": ship("c/3", box="12x13", symmetry="D2|"),
    "octagon 2": oscillator(5, box="8x8", symmetry="C4"),
    "quad": oscillator(2, box="6x6", symmetry="C4"),
    "A for all": oscillator(6, box="10x10", symmetry="D4+:D8"),
    "eater 1": complete(PartialPattern.from_plaintext("OO..\nO.??\n..??\n..OO")),
}


@pytest.mark.parametrize("name", NAMED)
def test_found_by_name(name: str) -> None:
    outcome = find(NAMED[name])
    assert isinstance(outcome, Found)
    assert outcome.finding.identity.name == name


def test_an_oscillator_of_period_3_with_quarter_turns() -> None:
    outcome = find(oscillator(3, box="9x9", symmetry="C4"))
    assert isinstance(outcome, Found)
    assert outcome.finding.identity.period == 3
    assert outcome.finding.identity.symmetry.startswith(("C4", "D8"))


@pytest.mark.parametrize("generations", [1, 2, 3, 4])
def test_ancestors_of_the_word_life(generations: int) -> None:
    outcome = find(parent(LIFE, generations=generations))
    assert isinstance(outcome, Found)
    assert outcome.pattern[generations] == LIFE


IMPOSSIBLE: dict[str, Problem] = {
    "glider in 3x3": ship("c/4d", box="3x3"),
    **{f"LWSS in {box}": ship("2c/4", box=box) for box in ("6x4", "5x5", "6x5", "7x5")},
    "turtle in 12x12": ship("c/3", box="12x12", symmetry="D2|"),
    "c/3 in 8x8": ship("c/3", box="8x8"),
    "p3 in 5x5": oscillator(3, box="5x5", composite=True),
    "C4 p3 in 8x8": oscillator(3, box="8x8", symmetry="C4", composite=True),
    "C4 p2 in 5x5": oscillator(2, box="5x5", symmetry="C4", composite=True),
    "29 cells in 7x7": still_life(box="7x7", population=">=29"),
}


def orphan_problem(size: str) -> Problem:
    width, height = map(int, size.split("x"))
    return orphan(PartialPattern.from_rle(f"x = {width}, y = {height}\n{ORPHANS[size]}"))


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_refuted(name: str) -> None:
    assert isinstance(find(IMPOSSIBLE[name]), Impossible)


@pytest.mark.parametrize("size", ORPHANS)
def test_orphans_have_no_parent(size: str) -> None:
    assert isinstance(find(orphan_problem(size)), Impossible)


OTHER_RULES = {
    "B35/S236 c/2": ship("c/2", box="8x8", rule="B35/S236"),
    "B2/S at the speed of light": ship("c", box="8x8", rule="B2/S"),
    "HighLife (1,1)c/4": ship("c/4d", box="8x8", rule="B36/S23"),
    "B34/S34 c/3": ship("c/3", box="8x8", rule="B34/S34"),
}


@pytest.mark.parametrize("name", OTHER_RULES)
def test_other_rules(name: str) -> None:
    assert isinstance(find(OTHER_RULES[name]), Found)


def test_composite_periods_are_not_full_ones() -> None:
    """A blinker beside a jam has period 6 as a whole, and no cell of it has."""
    known = PartialPattern.from_plaintext(JAM_AND_BLINKER)
    assert isinstance(find(complete(known, motion="p6")), Found)
    assert isinstance(find(complete(known, motion="p6", full_period=True)), Impossible)


JAM_AND_BLINKER = """\
...........
....OO.....
...O..O....
.O..O.O....
.O...O.....
.O.......O.
....O....O.
..OO.....O.
...........
"""


def test_agars() -> None:
    outcome = find(agar(2, box="4x4"))
    assert isinstance(outcome, Found)
    # Each of the three cells is its own neighbour twice, and each of the others three times.
    twisted = find(agar(1, box="3x1", wrap=(0, 1)))
    assert isinstance(twisted, Impossible)
