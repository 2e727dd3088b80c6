"""A fixed part of the fuzzing, always the same problems; ``just fuzz`` draws others."""

from __future__ import annotations

import pytest

from tests.fuzz.running import run_batch
from tests.fuzz.shrinking import as_test, shrink

SEED = 2024
PARTS, EACH = 12, 30


@pytest.mark.parametrize("part", range(PARTS))
def test_random_problems_are_answered_as_by_brute_force(part: int) -> None:
    tally = run_batch(SEED, list(range(part * EACH, (part + 1) * EACH)))
    assert tally.problems == EACH
    assert not tally.failures, "\n\n".join(as_test(shrink(each)) for each in tally.failures[:3])
    assert tally.satisfiable >= EACH / 2
