"""The lists of outcomes: all still lifes in all places, simulated by a program of its own."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from atlas.table import read_records
from atlas.tables.outcomes import TABLE, Question, follow, list_outcomes, read_questions
from satlife import Pattern, identify
from satlife.life.box import parse_window
from satlife.life.catalogue import catalogue
from satlife.life.transforms import TRANSFORMS

Grids = npt.NDArray[np.uint8]
QUESTIONS = {each.name: each for each in itertools.chain(*read_questions())}
RECORDS = read_records(TABLE.folder)
LISTS = {name: each.read(RECORDS) for name, each in QUESTIONS.items()}
LISTED = [name for name, each in LISTS.items() if each and each.answer != "undecided"]
SMALL = {4: 2, 5: 1, 6: 5, 7: 4, 8: 10}
"""Still lifes of n cells in the catalogue: those of OEIS A019473, and bi-block."""


def list_small(cells: int) -> list[Pattern]:
    """Return the still lifes of that many cells in the catalogue."""
    still = (each for each in catalogue() if (each.rule, each.kind) == ("B3/S23", "still life"))
    return [each.pattern for each in still if each.pattern.population == cells]


@pytest.mark.parametrize("cells", SMALL)
def test_all_small_still_lifes_are_in_the_catalogue(cells: int) -> None:
    assert len({identify(each).apgcode for each in list_small(cells)}) == SMALL[cells]


def step(grids: Grids) -> Grids:
    """Return the next generation of many grids, indexed [n, y, x]; all is dead outside."""
    around = count(grids)
    alive: Grids = ((around == 3) | ((around == 4) & (grids == 1))).astype(np.uint8)
    return alive


def count(grids: Grids) -> Grids:
    """Return the number of live cells in the 3x3 around each cell."""
    wide = np.pad(grids, ((0, 0), (1, 1), (1, 1)))
    height, width = grids.shape[1:]
    views = (wide[:, y : y + height, x : x + width] for y in range(3) for x in range(3))
    total = np.zeros_like(grids)
    for view in views:
        total += view
    return total


def place_all(columns: range, rows: range, left: int, top: int, size: int) -> Iterator[Grids]:
    """Yield all still lifes of at most eight cells in the region, each in a grid."""
    singles = []
    for small in itertools.chain(*map(list_small, SMALL)):
        images = (turn.apply_to_array(small.cells) for turn in TRANSFORMS)
        for cells in {(each.shape, each.tobytes()): each for each in images}.values():
            height, width = cells.shape
            for y, x in itertools.product(rows[: 1 - height or None], columns[: 1 - width or None]):
                grid = np.zeros((size, size), np.uint8)
                grid[y - top : y - top + height, x - left : x - left + width] = cells
                singles.append(grid)
    yield from divide(singles)
    fours = [each for each in singles if each.sum() == 4]
    pairs = itertools.combinations(fours, 2)
    yield from divide(one | two for one, two in pairs if not (one & two).any())


def divide(grids: Iterable[Grids]) -> Iterator[Grids]:
    left = iter(grids)
    while some := list(itertools.islice(left, 4000)):
        drawn = np.array(some)
        yield drawn[(step(drawn) == drawn).all(axis=(1, 2))]


def simulate(question: Question) -> Iterator[Pattern]:
    """Yield the input with each still life that is restored as the question asks."""
    home = parse_window(question.region)
    columns, rows = range(home.x, home.right), range(home.y, home.bottom)
    last = question.contact + question.recover + question.hold
    margin = last + 4
    left, top = min(columns[0], 0) - margin, min(rows[0], 0) - margin
    size = max(columns[1] - left, rows[1] - top) + margin + 8
    incoming = np.zeros((1, size, size), np.uint8)
    for x, y in Pattern.from_rle(question.rle).coordinates:
        incoming[0, y - top, x - left] = 1
    for placed in place_all(columns, rows, left, top, size):
        alone = placed[~((count(placed) > 0) & (incoming == 1)).any(axis=(1, 2))]
        zone, free, now = count(alone) > 0, incoming, alone | incoming
        disturbed: list[npt.NDArray[np.bool_]] = []
        for t in range(1, last + 1):
            free, now = step(free), step(now)
            differs = (zone & (now != alone)).any(axis=(1, 2))
            meets = differs | (zone & (free == 1)).any(axis=(1, 2))
            if t <= question.contact:
                kept = meets if t == question.contact else ~meets
                alone, zone, now, differs = alone[kept], zone[kept], now[kept], differs[kept]
                disturbed = [each[kept] for each in disturbed]
            disturbed.append(differs)
        for grid, *when in zip(alone, *disturbed, strict=True):
            after = when[question.contact - 1 :]
            ends = range(1, question.recover + 1)
            if not all(any(after[n : n + question.hold + 1]) for n in ends):
                yield Pattern.from_cells(
                    (int(x) + left, int(y) + top) for y, x in np.argwhere(grid | incoming[0])
                )


@pytest.mark.parametrize("name", LISTED)
def test_outcomes_are_those_of_a_simulation(name: str) -> None:
    question, record = QUESTIONS[name], LISTS[name]
    assert record
    listed = list_outcomes(question, record)
    found = [follow(question, each) for each in simulate(question)]
    assert {each.reaction.key for each in found} == {each[0].reaction.key for each in listed}
