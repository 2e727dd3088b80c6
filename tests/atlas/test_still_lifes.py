"""The still lifes of the atlas: the theorem on their boxes, and strictness, by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from atlas.table import Answers, read_answers
from atlas.tables.still_lifes import (
    DENSEST,
    FEWEST,
    STRICT,
    TABLE,
    Cells,
    is_strict,
    list_conditions,
    list_counting,
    list_strict,
    most_side,
    name_class,
    read_cells,
)
from satlife import Pattern
from satlife.life.catalogue import find_entries
from satlife.life.identity import parts
from tests.reference.parting import islands, step
from tests.reference.rules import read_rules

(LIFE,) = read_rules("B3/S23").tables
SIDE, MOST = 6, 7


def list_all(width: int, height: int, most: int) -> Iterator[Cells]:
    """Yield the still lifes of at most so many cells in a box, row by row, without satlife."""
    alive: set[tuple[int, int]] = set()

    def is_still(x: int, y: int) -> bool:
        near = [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
        count = sum(cell in alive for cell in near)
        return count in (2, 3) if (x, y) in alive else count != 3

    def extend(x: int, y: int) -> Iterator[Cells]:
        if y == height + 2:
            if alive:
                yield frozenset(alive)
            return
        inside = x < width and y < height
        following = (x + 1, y) if x <= width else (-1, y + 1)
        for lives in (False, True)[: 1 + (inside and x >= 0 and len(alive) < most)]:
            if lives:
                alive.add((x, y))
            if is_still(x - 1, y - 1):  # all that it sees is settled
                yield from extend(*following)
            alive.discard((x, y))

    return extend(-1, 0)


@cache
def small() -> tuple[Cells, ...]:
    """Return all still lifes of few cells in a box wider than the theorem allows them to be."""
    return tuple(list_all(SIDE, SIDE, MOST))


def is_strict_by_steps(alive: Cells) -> bool:
    """Divide the islands in all ways, and step both parts."""
    pieces = islands(alive)
    for number in range(1, 2 ** (len(pieces) - 1)):
        chosen = [p for i, p in enumerate(pieces) if number >> i & 1]
        one = frozenset().union(*chosen)
        if step(LIFE, one) == one and step(LIFE, alive - one) == alive - one:
            return False
    return True


def size(alive: Cells) -> tuple[int, int]:
    return tuple(max(c[k] for c in alive) - min(c[k] for c in alive) + 1 for k in (0, 1))  # type: ignore[return-value]


def enumerated() -> list[Cells]:
    found = find_entries(kind="still life", how="enumerated")
    return [read_cells(each.pattern) for each in found]


def test_strict_ones_are_no_wider_than_the_theorem_says() -> None:
    found = [alive for alive in small() if is_strict_by_steps(alive)]
    assert len({name_class(alive) for alive in found}) == sum(STRICT[:MOST])
    for alive in [*found, *enumerated()]:
        assert max(size(alive)) <= most_side(len(alive))


def test_the_bound_is_reached() -> None:
    widest: dict[int, int] = {}
    for alive in enumerated():
        widest[len(alive)] = max(widest.get(len(alive), 0), *size(alive))
    assert widest == {cells: most_side(cells) for cells in widest}


def test_one_image_of_a_strict_still_life_meets_all_conditions() -> None:
    for alive in enumerated():
        images = [image for image in list_images(alive) if meets_conditions(image)]
        assert images, Pattern.from_cells(alive).to_rle()


def list_images(alive: Cells) -> Iterator[Cells]:
    for turned in (alive, frozenset((y, x) for x, y in alive)):
        wide, high = size(turned)
        if wide >= high:
            left, top = (min(cell[k] for cell in turned) for k in (0, 1))
            placed = [(x - left, y - top) for x, y in turned]
            yield frozenset(placed)
            yield frozenset((wide - 1 - x, y) for x, y in placed)
            yield frozenset((x, high - 1 - y) for x, y in placed)
            yield frozenset((wide - 1 - x, high - 1 - y) for x, y in placed)


def meets_conditions(alive: Cells) -> bool:
    return all(
        sum(
            state != "?" and ((x, y) in alive) != (state == "o")
            for y, row in enumerate(rows)
            for x, state in enumerate(row)
        )
        >= least
        for rows, least in list_conditions(*size(alive))
    )


def test_three_programs_agree_on_what_is_strict() -> None:
    records = answers().records
    listed = [Pattern.from_rle(rle) for n in (8, 9) for rle in records[f"strict-{n}"].patterns]
    for pattern in listed:
        alive = read_cells(pattern)
        told = is_strict(alive)
        assert told == is_strict_by_steps(alive) == parts.is_strict(pattern)
    for alive in small():
        assert is_strict(alive) == is_strict_by_steps(alive)


@cache
def answers() -> Answers:
    return read_answers(TABLE.folder)


@pytest.mark.parametrize("side", range(1, len(DENSEST) + 1))
def test_the_densest_are_those_of_a055397(side: int) -> None:
    record = answers().records[f"densest-{side}"]
    assert record.answer == "certified"
    assert (record.values or (0,)) == (DENSEST[side - 1],)


@pytest.mark.parametrize("cells", range(FEWEST, len(STRICT) + 1))
def test_the_strict_ones_are_counted_by_a019473(cells: int) -> None:
    found = [answers().records[order.name] for order in list_counting(cells)]
    assert {each.answer for each in found} == {"certified"}
    assert len(list_strict(found)) == STRICT[cells - 1]
