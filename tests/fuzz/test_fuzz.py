"""A fixed part of the fuzzing, always the same problems; ``just fuzz`` draws others."""

from __future__ import annotations

import pytest

from satlife.rows import is_available
from tests.fuzz.running import run_batch
from tests.fuzz.shrinking import as_test, shrink
from tests.fuzz.sorts import SORTS

SEED = 2024
PARTS, EACH = 4, 30
FEW, FEWEST = 6, 3
"""Problems of each sort; of reactions, whose brute force takes ten seconds each."""
OLD = ("planted", "kind", "object", "wild")
NEW = tuple(sort.name for sort in SORTS if sort.name not in OLD)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_problems_are_answered_as_by_brute_force(part: int) -> None:
    tally = run_batch(SEED, list(range(part * EACH, (part + 1) * EACH)), OLD)
    assert tally.problems == EACH
    assert not tally.failures, "\n\n".join(as_test(shrink(each)) for each in tally.failures[:3])
    assert tally.satisfiable >= EACH / 2


@pytest.mark.parametrize("name", NEW)
def test_every_other_sort_is_answered_as_by_brute_force(name: str) -> None:
    if name in ("campaign-split", "rows-killed", "rows-map") and not is_available():
        pytest.skip("numba is missing")
    few = FEWEST if name == "catalyst" else FEW
    tally = run_batch(SEED, list(range(few)), (name,))
    assert tally.sorts[name] == few
    assert not tally.failures, "\n\n".join(as_test(shrink(each)) for each in tally.failures[:3])
    assert tally.satisfiable >= few / 2
    if name == "campaign-split":
        assert tally.notes["split: campaigns with a split"] >= FEW / 4
