"""Oscillators of any height, by rows: which are found, and which widths have none."""

from __future__ import annotations

import random
from contextlib import suppress

import numpy as np
import pytest

from satlife import Found, Impossible, Undecided, find, oscillator
from satlife.records import describe_outcome
from tests.fuzz.lasting import Lasting, check_lasting, draw_lasting
from tests.reference import TooLarge


@pytest.mark.parametrize(
    ("period", "box", "symmetry", "name", "height"),
    [
        (1, "4x*", "C1", "block", 2),
        (2, "3x*", "C1", "blinker", 3),
        (2, "5x*", "D2v", "blinker", 3),
        (3, "5x*", "C1", "trans-block tub eater", 10),
        (4, "7x*", "D2v", "monogram", 7),
        (3, "7x*", "C1", "trice tongs", 7),
        (5, "8x*", "D2v", "fumarole", 7),
    ],
)
def test_a_known_oscillator(period: int, box: str, symmetry: str, name: str, height: int) -> None:
    outcome = find(oscillator(period, box=box, symmetry=symmetry))
    assert isinstance(outcome, Found)
    assert outcome.finding.identity is not None
    assert outcome.finding.identity.name == name
    assert len(outcome.finding.history[0]) == height


@pytest.mark.parametrize(
    ("period", "box", "symmetry"),
    [
        (2, "2x*", "C1"),
        (3, "4x*", "C1"),
        (5, "4x*", "C1"),
        (3, "8x*", "D2v"),
        (4, "6x*", "C1:D2v"),
        (13, "2x*", "C1"),
    ],
)
def test_a_width_without_an_oscillator_is_exhausted(period: int, box: str, symmetry: str) -> None:
    outcome = find(oscillator(period, box=box, symmetry=symmetry))
    assert isinstance(outcome, Impossible)
    assert outcome.word == "exhausted"
    assert "of any height" in describe_outcome(outcome)


def test_a_glide_is_mirrored_after_half_of_its_period() -> None:
    outcome = find(oscillator(4, box="7x*", symmetry="C1:D2v"))
    assert isinstance(outcome, Found)
    first, _, third, _ = outcome.finding.history
    assert np.array_equal(first[:, ::-1], third)


def test_a_still_life_beside_something_does_not_count() -> None:
    problem = oscillator(6, box="7x*", symmetry="D2v", composite=True)
    outcome = find(problem, timeout=60)
    assert isinstance(outcome, Found)
    changes = [
        any(
            not np.array_equal(a, b)
            for a, b in zip(history, history[n:] + history[:n], strict=True)
        )
        for history in [outcome.finding.history]
        for n in (2, 3)
    ]
    assert all(changes)


def test_the_lowest_is_found_as_by_plain_walks_and_by_sat() -> None:
    """Random rules, periods and symmetries; ``just fuzz`` draws others."""
    chance, compared = random.Random(43), 0
    while compared < 25:
        with suppress(TooLarge):
            check_lasting(Lasting.of(draw_lasting(chance), ""), chance)
            compared += 1


def test_limits_end_a_search() -> None:
    problem = oscillator(6, box="5x*")
    assert isinstance(find(problem, timeout=1e-6), Undecided)
    outcome = find(problem, memory="10M")
    assert isinstance(outcome, Undecided)
    assert outcome.reason == "memory limit"
