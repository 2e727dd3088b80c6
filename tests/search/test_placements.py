"""Placements and the clauses against them: by brute force on small boxes."""

from __future__ import annotations

import numpy as np
import pytest

from satlife import agar, oscillator, ship, still_life
from satlife.errors import UsageError
from satlife.formula.placements import blocking_clauses, placements, solution_placements
from satlife.formula.spacetime import SpaceTime
from satlife.kinds import complete
from satlife.life import Box, Pattern, Transform

BLOCK = Pattern.from_rle("2o$2o!")
BOAT = Pattern.from_rle("2o$obo$bo!")
BLINKER = Pattern.from_rle("3o!")
GLIDER = Pattern.from_rle("bo$2bo$3o!")


def images(pattern: Pattern, *boxes: str, **options: object) -> set[Pattern]:
    groups = placements(pattern, [Box.parse(box) for box in boxes], **options)  # type: ignore[arg-type]
    flat = [image for group in groups for image in group]
    assert len(flat) == len(set(flat)) == sum(map(len, groups))
    return set(flat)


def test_a_block_has_no_orientation() -> None:
    assert images(BLOCK, "4x3") == {BLOCK.shift(dx, dy) for dx in range(3) for dy in range(2)}


def test_a_boat_has_four() -> None:
    assert len(images(BOAT, "3x3")) == 4
    assert len(images(BOAT, "3x3", transforms=[Transform("identity")])) == 1
    assert len(images(BOAT, "5x4")) == 4 * 3 * 2


def test_every_generation_has_its_box() -> None:
    lying, standing = BLINKER, BLINKER[1]
    assert images(BLINKER, "3x3") == {BLINKER.shift(0, y) for y in range(3)} | {
        standing.shift(-1 + x, 1) for x in range(3)
    }
    assert images(BLINKER, "3x3", "3x3", phases=2) == {lying.shift(0, 1), standing.shift(0, 1)}
    assert images(BLINKER, "3x1", "3x3") == set()


def test_ships_keep_their_way() -> None:
    spacetime = SpaceTime(ship("c/4d", box="4x4"))
    flying = GLIDER.transformed(Transform("half-turn"))
    groups = solution_placements(spacetime, flying)
    found = {image for group in groups for image in group}
    assert len(found) == 6
    assert all(image[4] == image.shift(-1, -1) for image in found)
    # Those that travel elsewhere fit as well, but are no solutions.
    assert len(images(GLIDER, *["4x4"] * 4, phases=4)) > 6


def test_wrong_use() -> None:
    with pytest.raises(UsageError, match="empty pattern"):
        placements(Pattern([]), [Box.parse("3x3")])
    with pytest.raises(UsageError, match="a box and a phase"):
        placements(BLOCK, [])
    with pytest.raises(UsageError, match="torus"):
        solution_placements(SpaceTime(agar(2, box="4x4")), BLOCK)


def all_states(count: int) -> np.ndarray:
    return ((np.arange(2**count)[:, None] >> np.arange(count)) & 1).astype(np.bool_)


@pytest.mark.parametrize("ring", [None, 0, 1, 2])
@pytest.mark.parametrize("pattern", [BLOCK, BOAT], ids=["block", "boat"])
def test_what_is_blocked(pattern: Pattern, ring: int | None) -> None:
    """All states of a 4x3 box that hold an image, with so many rings of dead cells."""
    box = Box.parse("4x3")
    spacetime = SpaceTime(still_life(box=str(box)))
    assert spacetime.generation(0).ravel().tolist() == list(range(1, 13))
    groups = placements(pattern, spacetime.boxes)
    clauses = blocking_clauses(spacetime, groups, ring=ring)
    assert (clauses == 0).sum() == sum(map(len, groups))
    states = all_states(12)
    forbidden = np.zeros(len(states), np.bool_)
    for clause in np.split(clauses, 1 + np.flatnonzero(clauses == 0))[:-1]:
        forbidden |= (states[:, np.abs(clause[:-1]) - 1] != (clause[:-1] > 0)).all(axis=1)
    expected = np.zeros(len(states), np.bool_)
    for group in groups:
        for image in group:
            alive = image.in_box(box) > 0
            dead = (~alive & near(alive, ring)).ravel()
            expected |= states[:, alive.ravel()].all(axis=1) & ~states[:, dead].any(axis=1)
    assert np.array_equal(forbidden, expected)
    assert expected.any()


def near(alive: np.ndarray, ring: int | None) -> np.ndarray:
    if ring is None:
        return np.ones_like(alive)
    found = np.zeros_like(alive)
    for y, x in np.argwhere(alive):
        found[max(0, y - ring) : y + ring + 1, max(0, x - ring) : x + ring + 1] = True
    return found


def test_several_generations_in_one_clause() -> None:
    spacetime = SpaceTime(oscillator(2, box="3x3"))
    groups = placements(BLINKER, spacetime.boxes, phases=2)
    one = blocking_clauses(spacetime, groups, ring=0)
    both = blocking_clauses(spacetime, groups, ring=0, generations=(0, 1))
    assert [(clauses == 0).sum() for clauses in (one, both)] == [2, 2]
    assert [clauses.size for clauses in (one, both)] == [2 * 4, 2 * 7]


def test_known_and_symmetric_cells_are_folded_away() -> None:
    spacetime = SpaceTime(complete(Pattern.from_rle("2o$2o!")))
    clauses = blocking_clauses(spacetime, placements(BLOCK, spacetime.boxes))
    assert clauses.tolist() == [0]  # it is the block, so nothing is left
    mirrored = SpaceTime(still_life(box="2x2", symmetry="D8"))
    clauses = blocking_clauses(mirrored, placements(BLOCK, mirrored.boxes))
    assert clauses.tolist() == [-1, 0]
