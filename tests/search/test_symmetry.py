"""All 43 space-time symmetries: their number, their arithmetic, and what is found with them."""

from __future__ import annotations

import numpy as np
import pytest

from satlife import Found, Impossible, Problem, find, oscillator, ship
from satlife.errors import UsageError
from satlife.formula.isometry import Isometry, symmetry_isometries
from satlife.formula.spacetime import SpaceTime
from satlife.life import Pattern, Transform
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.symmetry import SYMMETRIES, Symmetry, generate

STATIC = [
    *("C1", "C2_1", "C2_2", "C2_4", "C4_1", "C4_4", "D2_+1", "D2_+2", "D2_x"),
    *("D4_+1", "D4_+2", "D4_+4", "D4_x1", "D4_x4", "D8_1", "D8_4"),
]


def fitting_box(symmetry: Symmetry, least: int = 5) -> str:
    for width in range(least, least + 2):
        for height in range(least, least + 2):
            try:
                symmetry.check(Box(0, 0, width, height))
            except UsageError:
                continue
            return f"{width}x{height}"
    raise AssertionError(symmetry)


def test_there_are_16_static_classes_and_27_with_a_time_operation() -> None:
    assert [str(s) for s in SYMMETRIES if s.factor == 1] == STATIC
    assert len(SYMMETRIES) == 43


@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=str)
def test_the_time_operation_generates_the_rest(symmetry: Symmetry) -> None:
    assert Symmetry(str(symmetry)) == symmetry
    operation = symmetry.time_operation
    generators = [*symmetry.group] + ([operation] if operation else [])
    assert generate(generators) == symmetry.full_group
    if operation:
        power = operation
        for _ in range(symmetry.factor - 1):
            assert power not in symmetry.group
            power = power * operation
        assert power in symmetry.group


@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=str)
def test_folding_is_idempotent_and_invariant(symmetry: Symmetry) -> None:
    """Equal literals exactly for cells that the group maps onto each other."""
    box = fitting_box(symmetry)
    period = 4
    spacetime = SpaceTime(
        Problem(boxes=(box,), motion=Motion(period=period), symmetry=str(symmetry))
    )
    frame = spacetime.boxes[0]
    y, x = np.divmod(np.arange(frame.area), frame.width)
    maps = symmetry_isometries(symmetry, frame, Motion(period))
    orbits = 0
    seen = set()
    for t in range(period):
        for g in maps:
            images = spacetime.literals(*g.points(x, y), t + g.dt)
            assert np.array_equal(spacetime.generation(t).ravel(), images)
        for i in range(frame.area):
            cell = (int(x[i]), int(y[i]), t)
            if cell not in seen:
                orbits += 1
                seen |= orbit(cell, maps, period)
    assert spacetime.variables == orbits


def orbit(cell, maps: list[Isometry], period: int):  # type: ignore[no-untyped-def]
    found, new = set(), {cell}
    while new:
        found |= new
        images = {g.point(*c) for c in found for g in maps}
        new = {(x, y, t % period) for x, y, t in images} - found
    return found


@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=str)
def test_what_is_found_has_the_symmetry(symmetry: Symmetry) -> None:
    """A period 2 or 4 pattern in a box that fits; checked on the patterns themselves."""
    period = 4 if symmetry.factor == 4 else 2
    for size in (5, 7, 9):
        box = fitting_box(symmetry, size)
        outcome = find(oscillator(period, box=box, symmetry=str(symmetry), composite=True))
        if isinstance(outcome, Found):
            check_symmetry(outcome.pattern, symmetry, box, period)
            return
        assert isinstance(outcome, Impossible)


def check_symmetry(pattern: Pattern, symmetry: Symmetry, box: str, period: int) -> None:
    frame = Box.parse(box)
    assert pattern[period] == pattern
    for g in symmetry.group:
        assert turned(pattern, g, frame) == pattern
    if symmetry.time_operation:
        later = pattern[period // symmetry.factor]
        assert turned(pattern, symmetry.time_operation, frame) == later


def turned(pattern: Pattern, g: Transform, frame: Box) -> Pattern:
    """Turn about the centre of the box, by arrays."""
    return Pattern.from_array(g.apply_to_array(pattern.in_box(frame)), rule=pattern.rule)


def test_the_glider_is_a_glide_symmetric_ship() -> None:
    outcome = find(ship("c/4d", box="4x4", symmetry="C1:D2b"))
    assert isinstance(outcome, Found)
    assert outcome.finding.identity.name == "glider"
    orthogonal = find(ship("2c/4", box="5x6", symmetry="C1:D2v"))
    assert isinstance(orthogonal, Found)
    assert orthogonal.finding.identity.name == "LWSS"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: oscillator(3, box="8x8", symmetry="C4_1"),
         "C4_1 needs an odd square box, got 8x8; use C4_4"),
        (lambda: oscillator(3, box="8x7", symmetry="C4"), "C4 needs a square box, got 8x7"),
        (lambda: oscillator(3, box="9x9", symmetry="C1:C2"),
         "C1:C2 needs a period that 2 divides, got 3"),
        (lambda: ship("c/3", box="8x8", symmetry="C4"), "cannot move north or south; it may"),
        (lambda: ship("c/4d", box="8x8", symmetry="D2|"), "cannot move diagonally; it may have"),
        (lambda: oscillator(3, box="8x8", symmetry="C5"), "no symmetry 'C5'"),
        (lambda: oscillator(3, box="8x8", symmetry="C2:D8"), "C2 can be combined with C4, D4"),
    ],
)  # fmt: skip
def test_wrong_combinations_say_what_would_fit(make, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=words):
        find(make())
