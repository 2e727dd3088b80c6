"""Parts of patterns: what falls apart, and what needs each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.life.identity.parts import divisions, is_strict, number_islands, parts


def draw(text: str) -> Pattern:
    return Pattern.from_plaintext(text)


STRICT = {
    "block": "OO\nOO",
    "table on table": "O..O\nOOOO\n....\nOOOO\nO..O",
    "block on table": "OO....\nOO....\n......\nOOOO..\nO..O..",
    "cis-boat with tail": "OO...\n.O...\n.O.OO\n..O.O\n...O.",
    "aircraft carrier, of two islands": "OO..\nO..O\n..OO",
    "dead spark coil": "OO...OO\nO.O.O.O\n..O.O..\nO.O.O.O\nOO...OO",
}
PSEUDO = {
    "bi-block": ("OO.OO\nOO.OO", [4, 4]),
    "blocks corner to corner": ("OO...\nOO...\n.....\n...OO\n...OO", [4, 4]),
    "two separate blocks": ("OO.....OO\nOO.....OO", [4, 4]),
    "block beside a beehive": ("OO...O.\nOO..O.O\n....O.O\n.....O.", [4, 6]),
    "pond on pond": (".OO...OO.\nO..O.O..O\nO..O.O..O\n.OO...OO.", [8, 8]),
    "snakes side by side": ("OO.OO\nO...O\n.O.O.\nOO.OO", [6, 6]),
}

TRIPLE = """\
..OO..OO
.O..O..O
.O.OO.O.
OO....OO
.O.OO...
O..OO.OO
OO....O.
.O.OO.O.
O..O.O..
OO......
"""
"""Falls into three stable parts or more, but not into two."""


@pytest.mark.parametrize("name", STRICT)
def test_strict(name: str) -> None:
    pattern = draw(STRICT[name])
    assert pattern[1] == pattern
    assert is_strict(pattern)
    assert parts(pattern) == (pattern,)


@pytest.mark.parametrize("name", PSEUDO)
def test_not_strict(name: str) -> None:
    text, populations = PSEUDO[name]
    pattern = draw(text)
    assert pattern[1] == pattern
    assert not is_strict(pattern)
    assert sorted(part.population for part in parts(pattern)) == populations


def test_three_parts_but_not_two() -> None:
    pattern = draw(TRIPLE)
    found = parts(pattern)
    assert all(part[1] == part for part in (pattern, *found))
    assert len(found) >= 3
    assert is_strict(pattern)
    assert not any(halves_are_stable(pattern, mask) for mask in bipartitions(pattern))


OCTAGON = Pattern.from_rle("3b2o$2bo2bo$bo4bo$o6bo$o6bo$bo4bo$2bo2bo$3b2o!")
BLINKER = Pattern.from_rle("3o!")
GLIDER = Pattern.from_rle("bo$2bo$3o!")
LWSS = Pattern.from_rle("bo2bo$o$o3bo$4o!")
PULSAR = Pattern.from_rle(
    "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$"
    "2b3o3b3o!"
)


def test_an_oscillator_beside_another() -> None:
    blinker = BLINKER.shift(11, 3)
    assert set(parts(OCTAGON | blinker)) == {OCTAGON, blinker}


def test_two_gliders_side_by_side() -> None:
    other = GLIDER.shift(5, 0)
    assert set(parts(GLIDER | other)) == {GLIDER, other}


def test_the_islands_of_an_oscillator_need_each_other() -> None:
    assert number_islands(PULSAR.cells)[1] > 4
    assert parts(PULSAR) == (PULSAR,)


def test_blinkers_that_make_a_traffic_light_together_are_one_thing() -> None:
    """Three cells in a row thrice, in the same phase: alone each would live otherwise."""
    close = BLINKER | BLINKER.shift(0, 2)
    assert len(parts(close, 1)) == 1


@pytest.mark.parametrize("t", range(4))
def test_a_spark_is_no_part_of_its_own(t: int) -> None:
    """The single cell of one phase dies by itself, and the LWSS would not miss it."""
    assert parts(LWSS[t]) == (LWSS[t],)
    assert len(parts(LWSS, 4)) == 2


def test_a_ship_that_passes_a_block() -> None:
    block = Pattern.from_rle("2o$2o!").shift(-4, -4)
    assert (LWSS | block)[16] == LWSS[16] | block
    assert block in parts(LWSS | block, 16)


def test_a_collision_makes_one_of_two() -> None:
    block = Pattern.from_rle("2o$2o!").shift(4, 4)
    assert len(parts(GLIDER | block, 1)) == 2
    assert len(parts(GLIDER | block, 8)) == 1


def test_what_does_not_recur_needs_a_number() -> None:
    with pytest.raises(UsageError, match="does not recur"):
        parts(GLIDER | Pattern.from_rle("2o$2o!").shift(4, 4))
    with pytest.raises(UsageError, match="at least 1"):
        parts(GLIDER, 0)
    with pytest.raises(UsageError, match="only a still life can be strict"):
        is_strict(BLINKER)


def test_nothing_has_no_parts() -> None:
    assert parts(Pattern([])) == ()


def test_many_parts_are_no_trouble() -> None:
    row = Pattern([[1, 1, 0] * 30] * 2)
    assert len(parts(row)) == 30
    assert not is_strict(row)


@pytest.mark.parametrize("seed", range(30))
def test_parts_as_by_trying_all_divisions(seed: int) -> None:
    """The law itself, by simulation: each part evolves as it does in the whole."""
    random = np.random.default_rng(seed)
    pattern = Pattern(random.random((7, 7)) < 0.24)
    generations = 1 + seed % 3
    found = parts(pattern, generations)
    assert evolve_apart(pattern, found, generations)
    labels, count = number_islands(pattern.cells)
    if count > 6:
        return
    best = max(
        (
            len(division)
            for division in divisions(range(1, count + 1))
            if evolve_apart(
                pattern,
                [
                    Pattern(np.isin(labels, group), pattern.x, pattern.y)
                    for group in map(list, division)
                ],
                generations,
            )
        ),
        default=0,
    )
    assert len(found) == best


def evolve_apart(whole: Pattern, divided: Sequence[Pattern], generations: int) -> bool:
    """Whether the parts are disjoint, never touch, and are the whole in every generation."""
    for t in range(generations + 1):
        pieces = [part[t] for part in divided]
        box = whole[t].box
        for piece in pieces:
            box |= piece.box
        box = box.grow(1)
        arrays = [piece.in_box(box) for piece in pieces]
        expected = whole[t].in_box(box)
        if not np.array_equal(sum(arrays, np.zeros_like(expected)), expected):
            return False
        labels, _ = number_islands(expected)
        for array in arrays:
            mine = set(labels[array > 0].tolist())
            if np.isin(labels, list(mine)).sum() != array.sum():
                return False
    return True


def bipartitions(pattern: Pattern) -> list[tuple[bool, ...]]:
    count = number_islands(pattern.cells)[1]
    return [(False, *rest) for rest in product((False, True), repeat=count - 1) if any(rest)]


def halves_are_stable(pattern: Pattern, mask: tuple[bool, ...]) -> bool:
    labels = number_islands(pattern.cells)[0]
    chosen = 1 + np.flatnonzero(mask)
    one = Pattern(np.isin(labels, chosen))
    other = Pattern((labels > 0) & ~np.isin(labels, chosen))
    return one[1] == one and other[1] == other
