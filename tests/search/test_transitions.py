"""Tables of transitions lose only what is said twice."""

from __future__ import annotations

import numpy as np

from satlife.formula.transitions import Transitions, distinct
from satlife.life.rule import LIFE
from satlife.sat.logic import FALSE, TRUE
from tests.search import kit


def mirror(transitions: Transitions) -> Transitions:
    return Transitions(
        transitions.cells[:, (2, 1, 0, 5, 4, 3, 8, 7, 6)],
        transitions.successors,
        transitions.places,
    )


def join(*tables: Transitions) -> Transitions:
    return Transitions(
        np.concatenate([table.cells for table in tables]),
        np.concatenate([table.successors for table in tables]),
        np.concatenate([table.places for table in tables]),
    )


def test_mirrored_rows_are_the_same_row_under_an_outer_totalistic_rule() -> None:
    table, _ = kit.plain_box(5, 4, 2)
    kept = distinct(join(table, mirror(table)), LIFE)
    assert np.array_equal(kept.cells, distinct(table, LIFE).cells)
    other = distinct(join(table, mirror(table)), kit.any_table(1))
    assert len(other) > len(kept)


def test_rows_keep_their_order_and_the_first_stays() -> None:
    table, _ = kit.torus(5, 4, 3)
    twice = join(table, table)
    kept = distinct(twice, LIFE)
    assert np.array_equal(kept.cells, table.cells)
    assert np.array_equal(kept.places, table.places)


def test_nothing_from_nothing_goes_but_something_from_nothing_stays() -> None:
    nothing = kit.one_row([FALSE] * 9, FALSE)
    assert len(distinct(nothing, LIFE)) == 0
    assert len(distinct(kit.one_row([FALSE] * 9, TRUE), LIFE)) == 1
    assert len(distinct(kit.one_row([FALSE] * 9, 1), LIFE)) == 1
