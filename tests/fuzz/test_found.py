"""What fuzzing has found, shrunk: each was a wrong answer once."""

from __future__ import annotations

import pytest

from tests.fuzz.shrinking import check_again

FOUND = (
    # A model of the audit formula was read without the dying cells of generation 0.
    (
        "least",
        '{"boxes":["1x1"],"known":[{"rows":["B"],"t":0}],"rule":"06/2345/3","schema":1}',
        "2024 310 0",
    ),
    (
        "least",
        '{"boxes":["1x1"],"known":[{"rows":["C"],"t":0}],"rule":"3//4V","schema":1,'
        '"symmetry":"D2\\\\"}',
        "2024 173 1",
    ),
)


@pytest.mark.parametrize(("check", "problem", "seed"), FOUND)
def test_it_stays_mended(check: str, problem: str, seed: str) -> None:
    assert check_again(check, problem, seed) is None
