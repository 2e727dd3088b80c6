"""The table of eaters: every still life of the region is tried, and must agree with the proofs."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from atlas.table import read_answers
from atlas.tables.eaters import SHIPS, TABLE, Case, Entry, find_recovery, list_cases

STILL_LIFES = {4: 83, 5: 417, 6: 3928}
"""In a box of n by n, the empty one included: OEIS A136278."""
Cells = frozenset[tuple[int, int]]
States = npt.NDArray[np.bool_]


@cache
def is_kept(above: int, row: int, below: int, width: int) -> bool:
    """Whether the cells of a row, and those beside it, do not change."""
    rows = [f"{each << 2:0{width + 4}b}" for each in (above, row, below)]
    for x in range(1, width + 3):
        count = sum(each[x - 1 : x + 2].count("1") for each in rows)
        is_alive = rows[1][x] == "1"
        if (count in (3, 4) if is_alive else count == 3) != is_alive:
            return False
    return True


@cache
def still_lifes(n: int) -> list[Cells]:
    """Return all still lifes in a square, the empty one included."""
    found = []

    def go_on(rows: list[int]) -> None:
        if len(rows) == n + 2:
            if is_kept(rows[-2], rows[-1], 0, n) and is_kept(rows[-1], 0, 0, n):
                found.append(rows[2:])
            return
        for row in range(1 << n):
            if is_kept(rows[-2], rows[-1], row, n):
                go_on([*rows, row])

    go_on([0, 0])
    return [
        frozenset((n - 1 - x, y) for y, row in enumerate(rows) for x in range(n) if row >> x & 1)
        for rows in found
    ]


def step(states: States) -> States:
    """Return the next generation of many patterns; what is at the edge has dead neighbours."""
    rows = np.pad(states, ((0, 0), (1, 1), (1, 1))).astype(np.uint8)
    rows = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    nine = rows[:, :, :-2] + rows[:, :, 1:-1] + rows[:, :, 2:]
    following: States = (nine == 3) | (states & (nine == 4))
    return following


@cache
def eat(case: Case) -> list[tuple[int, Cells]]:
    """Return all eaters of a case, with the generations after which they are alone."""
    field, lives = case.field, still_lifes(case.side)
    alone = np.zeros((len(lives), field.height + 2, field.width + 2), bool)
    for number, cells in enumerate(lives):
        for x, y in cells:
            alone[number, y - field.y + 1, x - field.x + 1] = True
    states = alone.copy()
    for x, y in case.arriving.coordinates:
        states[:, y - field.y + 1, x - field.x + 1] = True
    left, eaters = np.flatnonzero(alone.any(axis=(1, 2))), []
    states = states[left]
    for t in range(1, case.most + 1):
        states = step(states)
        is_alone = (states == alone[left]).all(axis=(1, 2))
        eaters += [(t, lives[number]) for number in left[is_alone]]
        is_inside = states[:, 1:-1, 1:-1].sum(axis=(1, 2)) == states.sum(axis=(1, 2))
        left, states = left[is_inside & ~is_alone], states[is_inside & ~is_alone]
    return eaters


@cache
def cases_of(ship: str) -> list[Case]:
    """Return the cases of the plan with a ship."""
    return [case for case in list_cases() if case.ship == ship]


@pytest.mark.parametrize("n", STILL_LIFES)
def test_all_still_lifes_are_tried(n: int) -> None:
    assert len(still_lifes(n)) == STILL_LIFES[n]


@pytest.mark.parametrize("ship", SHIPS)
def test_the_table_is_what_trying_all_still_lifes_gives(ship: str) -> None:
    records = read_answers(TABLE.folder).records
    for case in cases_of(ship):
        entry, eaters = Entry(case, records), eat(case)
        fastest = min((t for t, _ in eaters), default=None)
        assert entry.last < (fastest or case.most + 1), case.name
        if entry.is_settled:
            assert entry.fastest == fastest, case.name
        for within in {fastest, case.most} - {None}:
            least = entry.least(within or 0)
            cells = [len(cells) for t, cells in eaters if t <= (within or 0)]
            assert least is None or least.values == (min(cells),), case.name


@pytest.mark.parametrize("ship", SHIPS)
def test_eaters_that_are_shown_eat_their_ship(ship: str) -> None:
    records = read_answers(TABLE.folder).records
    for case in cases_of(ship):
        eaters = {(t, normalize(cells)) for t, cells in eat(case)}
        for recovery, pattern in Entry(case, records).found.items():
            alone = frozenset((int(x), int(y)) for x, y in pattern[recovery].coordinates)
            assert (recovery, normalize(alone)) in eaters
            assert find_recovery(pattern) == recovery


def normalize(cells: Cells) -> Cells:
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


@pytest.mark.parametrize("ship", SHIPS)
def test_every_lane_and_phase_is_there_or_its_mirror_image(ship: str) -> None:
    cases = cases_of(ship)
    known = {case.key for case in cases}
    assert len(known) == len(cases)
    some = cases[0]
    for lane, late in product(range(-20, 20), range(3)):
        case = Case(ship, lane, late, some.side, some.room, some.most)
        if not case.arriving.is_empty:
            assert case.key in known
