"""Times and sizes, as people write them."""

from __future__ import annotations

import pytest

from satlife.errors import UsageError
from satlife.machine import count_processors
from satlife.quantities import SIZE, TIME, Quantity


@pytest.mark.parametrize(
    ("quantity", "text", "number"),
    [
        (TIME, "90", 90),
        (TIME, "10m", 600),
        (TIME, " 1.5 H ", 5400),
        (TIME, "2d", 172_800),
        (TIME, 0.25, 0.25),
        (SIZE, "4G", 4 * 2**30),
        (SIZE, "4GB", 4 * 2**30),
        (SIZE, "4 GiB", 4 * 2**30),
        (SIZE, "512k", 2**19),
        (SIZE, "1b", 1),
        (SIZE, 7, 7),
    ],
)
def test_known_quantities(quantity: Quantity, text: str | float, number: float) -> None:
    assert quantity.parse(text) == number


@pytest.mark.parametrize(
    ("quantity", "text", "words"),
    [
        (TIME, "soon", "'soon' is not a time; write for example 10m"),
        (TIME, "", "'' is not a time"),
        (TIME, "-5", "'-5' is not a time"),
        (TIME, -5, "-5 is not a time"),
        (TIME, float("nan"), "nan is not a time"),
        (TIME, "5b", "'5b' is not a time"),
        (TIME, "١٠m", "is not a time"),
        (SIZE, "4X", r"'4X' is not a size; write for example 4G \(units: k, m, g, t\)"),
        (SIZE, "4ibb", "'4ibb' is not a size"),
        (SIZE, "2000T", "'2000T' is too much"),
        (TIME, 1e16, "is too much"),
        (TIME, "9" * 5000, r"'999999999999\.\.\.' is too much"),
    ],
)
def test_others_are_refused_with_an_example(
    quantity: Quantity, text: str | float, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        quantity.parse(text)


def test_there_is_a_processor() -> None:
    assert count_processors() >= 1
