"""The list of rotors: counted again by others, by brute force, and by another way of searching."""

from __future__ import annotations

from itertools import product

import pytest

from atlas.table import read_answers
from atlas.tables.rotors import TABLE, Oscillator, divide, read_orders
from satlife import find_all, oscillator
from tests.reference.classing import rotors
from tests.reference.searching import solutions

FLIP_FLOPS = {3: 1, 4: 12, 5: 43, 6: 163, 7: 8424}
"""Pairs of phases in a box of n by n: OEIS A136279, by Knuth."""
Cell = tuple[int, int]


@pytest.fixture(scope="module")
def listed() -> dict[int, list[Oscillator]]:
    """The oscillators of the table, by period."""
    answers = read_answers(TABLE.folder)
    read = {asked.period: asked.read(answers) for asked in read_orders()}
    return {period: found[1] for period, found in read.items() if found}


def lie_within(oscillators: list[Oscillator], width: int, height: int) -> list[Oscillator]:
    fits = (each.size[0] <= width and each.size[1] <= height for each in oscillators)
    return [each for each, is_inside in zip(oscillators, fits, strict=True) if is_inside]


def list_images(shown: Oscillator, n: int) -> set[frozenset[frozenset[Cell]]]:
    """Return the phases of an oscillator, in all its places in a box of n by n."""
    phases = [{(int(x), int(y)) for x, y in shown.pattern[t].coordinates} for t in range(2)]
    found = set()
    for a, b, swapped in product((1, -1), (1, -1), (False, True)):
        turned = [
            {(a * (y if swapped else x), b * (x if swapped else y)) for x, y in phase}
            for phase in phases
        ]
        cells = turned[0] | turned[1]
        columns, rows = {x for x, _ in cells}, {y for _, y in cells}
        across = range(-min(columns), n - max(columns))
        for dx, dy in product(across, range(-min(rows), n - max(rows))):
            found.add(frozenset(frozenset((x + dx, y + dy) for x, y in each) for each in turned))
    return found


@pytest.mark.parametrize("n", FLIP_FLOPS)
def test_oscillators_of_period_2_are_as_many_as_knuth_counted(
    n: int, listed: dict[int, list[Oscillator]]
) -> None:
    images = [list_images(each, n) for each in lie_within(listed[2], n, n)]
    assert sum(map(len, images)) == len(set().union(*images)) == FLIP_FLOPS[n]


@pytest.mark.parametrize(("period", "box"), [(2, (3, 3)), (2, (3, 5)), (2, (4, 4)), (3, (4, 4))])
def test_rotors_in_small_boxes_are_those_of_brute_force(
    period: int, box: Cell, listed: dict[int, list[Oscillator]]
) -> None:
    asked = oscillator(period, box="{}x{}".format(*box)).to_json()
    expected = len(rotors(asked, solutions(asked)))
    assert len(divide(lie_within(listed[period], *box))) == expected


def test_rotors_are_those_that_a_search_by_rotor_finds(listed: dict[int, list[Oscillator]]) -> None:
    several = find_all(oscillator(2, box="6x6"), same="rotor")
    assert len(divide(lie_within(listed[2], 6, 6))) == len(list(several)) == 7


def test_every_oscillator_has_one_rotor(listed: dict[int, list[Oscillator]]) -> None:
    for period, number in ((2, 57), (3, 2)):
        divided = divide(listed[period])
        assert len(divided) == number
        assert sum(len(each.variants) for each in divided) == len(listed[period])
        for each in divided:
            assert each.shown.pattern[period] == each.shown.pattern != each.shown.pattern[1]
