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


TETROMINOES = (
    '{"problem":{"boxes":["3x2"],"motion":{"period":1},"rule":"B/S01234V","constraints":'
    '[{"type":"population","least":4,"most":4}]},"reject":["xs4_17"],"connected":false}'
)


def test_mirror_images_are_rejected_in_a_von_neumann_rule() -> None:
    # Its codes were those of the hexagonal grid, so that only some orientations were rejected.
    for n in range(8):
        assert check_again("rejected", TETROMINOES, f"again {n}", "reject-count") is None
