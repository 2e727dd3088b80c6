"""Successors by columns against tables, up to eight cells, and where there are no tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from satlife.errors import UsageError
from satlife.life import Rule
from satlife.rows import is_available
from satlife.rows.quotient import Quotient

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

from satlife.rows import kernels, tables
from satlife.rows.hunt import Hunt
from satlife.rows.tables import build_kit
from satlife.rows.units import DEAD, Unit, answer

LIFE = Rule("B3/S23").table.tobytes()


@pytest.fixture
def columns(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Build kits without tables."""

    def build(quotient: Quotient) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(tables, "NARROW", 0)
            patch.setattr(tables, "LISTED", 0)
            return build_kit(quotient)

    return build


@pytest.mark.parametrize(
    "quotient",
    [
        Quotient(8, 3, 1, LIFE, "odd"),
        Quotient(7, 4, 1, LIFE, "even"),
        Quotient(8, 5, 2, LIFE, "gutter"),
        Quotient(7, 3, 2, LIFE),
        Quotient(6, 7, 1, LIFE, "even"),
        Quotient(7, 4, 1, LIFE, skew=1),
        Quotient(3, 2, 1, LIFE, lanes=2),
        Quotient(2, 3, 2, LIFE, "even", lanes=4),
        Quotient(7, 2, 1, Rule("B36/S1247").table.tobytes(), "odd"),
    ],
    ids=lambda each: f"{each.fold}-{each.width}x{each.lanes}-{each.step}c{each.period}-{each.skew}",
)
def test_columns_keep_what_tables_keep_unless_it_dies(quotient: Quotient, columns: Any) -> None:
    p, k, count = quotient.period, quotient.step, 1 << quotient.bits
    kits = build_kit(quotient), columns(quotient)
    rooms, out = [kernels.make_room(kit) for kit in kits], np.zeros(count, np.int64)
    results, generator = np.zeros(count, np.uint16), np.random.default_rng(quotient.width)
    seen = 0
    for _ in range(60):
        # A walk from nothing: rows that follow, and now and then one that only fits.
        state = np.zeros(2 * p, np.int64)
        for _ in range(12):
            by_tables, by_columns = (
                set(out[: kernels.find_next(state, 0, kit, out, room)].tolist())
                for kit, room in zip(kits, rooms, strict=True)
            )
            kernels.step_all(int(state[0]), int(state[p]), *kits[0][:2], results)
            fitting = np.flatnonzero(results == state[p + k])
            assert by_columns <= set(fitting.tolist())
            for d in by_tables - by_columns:
                after = np.array([*state[1:], d], "<u2").tobytes()
                unit = Unit(quotient, after, b"\0", 3 * p)
                assert answer(unit, kit=kits[0]).fates == bytes([DEAD])
            seen += len(by_columns)
            if not len(fitting):
                break
            likely = by_columns and generator.random() < 0.8
            following = sorted(by_columns) if likely else fitting.tolist()
            state = np.append(state[1:], generator.choice(following))
    assert seen > 100


@pytest.mark.parametrize(
    ("quotient", "rows"),
    [
        (Quotient(8, 3, 1, LIFE, "odd"), 29),  # the dart
        (Quotient(6, 3, 1, LIFE, "even"), 39),  # the turtle
        (Quotient(7, 4, 1, LIFE, skew=1), 12),  # the glider
        (Quotient(7, 3, 1, LIFE), None),
        (Quotient(5, 4, 1, LIFE, "gutter"), None),
    ],
)
def test_a_hunt_by_columns_ends_as_one_by_tables(
    quotient: Quotient, rows: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_tables = next(Hunt(quotient).ships(), None)
    monkeypatch.setattr(tables, "NARROW", 0)
    monkeypatch.setattr(tables, "LISTED", 0)
    assert next(Hunt(quotient).ships(), None) == by_tables
    assert by_tables is None if rows is None else len(by_tables or ()) == rows


def test_wide_rows_have_no_tables_and_are_searched() -> None:
    """The widest ship of c/2 by a rule with many: 23 cells, 12 of them free."""
    quotient = Quotient(12, 2, 1, Rule("B36/S1247").table.tobytes(), "odd")
    hunt = Hunt(quotient, threads=2)
    assert hunt.kit[3].size == hunt.kit[6].size == 0
    assert next(hunt.ships())


def test_what_is_too_wide_is_refused() -> None:
    with pytest.raises(UsageError, match="17 cells are too wide, 16 is the most"):
        build_kit(Quotient(17, 3, 1, LIFE))
    with pytest.raises(UsageError, match="11 cells are too wide, 10 is the most"):
        build_kit(Quotient(11, 3, 1, LIFE, glide=True))


def test_a_change_in_any_file_of_the_kernels_is_noticed() -> None:
    """numba would look at the file of the function alone."""
    from satlife.rows.kernels.compiled import KEEPS, compiled

    if not KEEPS:
        pytest.skip("numba has no place to keep what it compiles")
    first, again, changed = compiled(_double), compiled(_double), compiled(_double)
    changed._cache._cache_file._source_stamp = "another"
    assert [each(2) for each in (first, again, changed)] == [4, 4, 4]
    assert again.stats.cache_hits
    assert not changed.stats.cache_hits


def _double(x):
    return 2 * x
