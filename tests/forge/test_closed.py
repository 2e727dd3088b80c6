"""A changed set of states is accepted only where it proves that its width has no ship."""

from __future__ import annotations

from tests.forge.closed import try_forgeries

COUNT = 40


def test_no_forged_set_of_a_diagonal_or_oblique_width_is_accepted() -> None:
    tally, wrong = try_forgeries(2026, COUNT)
    assert not wrong
    assert tally["diagonal, a ship exists: refused"] == COUNT // 4
    assert tally["oblique, a ship exists: refused"] == COUNT // 4
    assert tally["diagonal, not closed: refused"] > 0
