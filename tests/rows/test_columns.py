"""Successors by columns and by halves against tables, and where there are no tables."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from satlife.errors import UsageError
from satlife.life import Rule
from satlife.rows import is_available
from satlife.rows.quotient import FOLDS, Fold, Quotient

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

from satlife.rows import compilation, kernels, tables
from satlife.rows.hunt import Hunt
from satlife.rows.tables import build_kit
from satlife.rows.units import DEAD, Unit, answer
from tests.rows.test_steps import find_next

LIFE = Rule("B3/S23").table.tobytes()


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Build the kit of a kind of search."""

    def build(quotient: Quotient, kind: str) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(tables, "find_kind", lambda _: kind)
            return build_kit(quotient)

    return build


def walk(quotient: Quotient, kit: Any, others: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield states of random walks, the rows that fit each, and those that each kit keeps."""
    p, k, w = quotient.period, quotient.step, quotient.bits
    sets, starts, lists = kit.sets, kit.starts, kit.lists
    generator = np.random.default_rng(quotient.width)
    for _ in range(60):
        # From nothing: rows that follow, and now and then one that only fits.
        state = np.zeros(2 * p, np.int64)
        for _ in range(12):
            kept = [find_next(state, each) for each in (kit, *others)]
            q, c = state[0] << w | state[p], state[p + k]
            if len(sets):
                fitting = np.array([x for x in range(1 << w) if int(sets[q, c]) >> x & 1])
            else:
                fitting = lists[q, starts[q, c] : starts[q, c + 1]]
            yield state, fitting, *kept
            if not len(fitting):
                break
            likely = kept[-1] and generator.random() < 0.8
            state = np.append(state[1:], generator.choice(kept[-1] if likely else fitting))


@pytest.mark.parametrize(
    "quotient",
    [
        Quotient(8, 3, 1, LIFE, "odd"),
        Quotient(7, 4, 1, LIFE, "even"),
        Quotient(8, 5, 2, LIFE, "gutter"),
        Quotient(7, 3, 2, LIFE),
        Quotient(6, 7, 1, LIFE, "even"),
        Quotient(3, 2, 1, LIFE, lanes=2),
        Quotient(2, 3, 2, LIFE, "even", lanes=4),
        Quotient(7, 2, 1, Rule("B36/S1247").table.tobytes(), "odd"),
    ],
    ids=lambda each: f"{each.fold}-{each.width}x{each.lanes}-{each.step}c{each.period}",
)
def test_columns_keep_what_tables_keep_unless_it_dies(quotient: Quotient, build: Any) -> None:
    kit = build(quotient, "narrow" if quotient.bits <= tables.NARROW else "listed")
    seen = 0
    for state, fitting, by_tables, by_columns in walk(quotient, kit, [build(quotient, "columns")]):
        assert set(by_columns) <= set(fitting.tolist())
        for d in set(by_tables) - set(by_columns):
            after = np.array([*state[1:], d], "<u2").tobytes()
            unit = Unit(quotient, after, b"\0", 3 * quotient.period)
            assert answer(unit, kit=kit).fates == bytes([DEAD])
        seen += len(by_columns)
    assert seen > 100


@pytest.mark.parametrize(
    "quotient",
    [
        Quotient(7, 4, 1, LIFE, slanted=True),
        Quotient(7, 5, 1, LIFE, "odd", slanted=True),
        Quotient(6, 6, 1, LIFE, "gutter", slanted=True),
        Quotient(8, 3, 1, Rule("B34/S34").table.tobytes(), "odd", slanted=True),
        Quotient(7, 5, 2, Rule("B2/S0").table.tobytes(), slanted=True),
        Quotient(3, 2, 1, LIFE, lanes=2, slanted=True),
    ],
    ids=lambda each: f"{each.fold}-{each.width}x{each.lanes}-{each.step}c{each.period}d",
)
def test_slanted_rows_keep_what_tables_keep_unless_it_dies(quotient: Quotient, build: Any) -> None:
    kit = build(quotient, "narrow" if quotient.bits <= tables.NARROW else "listed")
    seen = 0
    for state, fitting, by_tables, by_columns in walk(quotient, kit, [build(quotient, "slanted")]):
        assert set(by_columns) <= set(fitting.tolist())
        assert by_columns == sorted(by_columns)
        for d in set(by_tables) ^ set(by_columns):
            after = np.array([*state[1:], d], "<u2").tobytes()
            unit = Unit(quotient, after, b"\0", 5 * quotient.period)
            assert answer(unit, kit=kit).fates == bytes([DEAD])
        seen += len(by_columns)
    assert seen > 100


@pytest.mark.parametrize(
    ("quotient", "rows"),
    [
        (Quotient(4, 4, 1, LIFE, slanted=True), 10),  # the glider
        (Quotient(10, 4, 1, LIFE, slanted=True), 10),
        (Quotient(6, 5, 1, LIFE, "odd", slanted=True), None),
        (Quotient(6, 6, 1, LIFE, "gutter", slanted=True), None),
    ],
)
def test_a_hunt_of_slanted_rows_ends_as_one_by_tables(
    quotient: Quotient, rows: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_tables = next(Hunt(quotient).ships(), None)
    monkeypatch.setattr(tables, "find_kind", lambda _: "slanted")
    assert next(Hunt(quotient).ships(), None) == by_tables
    assert by_tables is None if rows is None else len(by_tables or ()) == rows


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize(
    ("width", "period", "step"),
    [(7, 2, 1), (8, 3, 1), (7, 3, 2), (9, 4, 1), (8, 5, 1), (7, 5, 2), (6, 7, 3), (5, 7, 2)],
)
def test_halves_keep_what_lists_keep(
    fold: Fold, width: int, period: int, step: int, build: Any
) -> None:
    for rule in ("B3/S23", "B36/S1247"):
        quotient = Quotient(width, period, step, Rule(rule).table.tobytes(), fold)
        kit, other = (build(quotient, kind) for kind in ("listed", "halves"))
        for state, _, by_lists, by_halves in walk(quotient, kit, [other]):
            assert by_halves == by_lists, state


@pytest.mark.parametrize(
    ("quotient", "rows"),
    [
        (Quotient(8, 3, 1, LIFE, "odd"), 29),  # the dart
        (Quotient(10, 3, 1, LIFE, "odd"), 29),
        (Quotient(6, 3, 1, LIFE, "even"), 39),  # the turtle
        (Quotient(7, 3, 1, LIFE), None),
        (Quotient(5, 4, 1, LIFE, "gutter"), None),
    ],
)
def test_a_hunt_by_columns_ends_as_one_by_tables(
    quotient: Quotient, rows: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_tables = next(Hunt(quotient).ships(), None)
    monkeypatch.setattr(tables, "find_kind", lambda _: "columns")
    assert next(Hunt(quotient).ships(), None) == by_tables
    assert by_tables is None if rows is None else len(by_tables or ()) == rows


def test_wide_rows_have_no_tables_and_are_searched() -> None:
    """The widest ship of c/2 by a rule with many: 23 cells, 12 of them free."""
    quotient = Quotient(12, 2, 1, Rule("B36/S1247").table.tobytes(), "odd")
    hunt = Hunt(quotient, threads=2)
    assert hunt.kit.images.size == hunt.kit.lists.size == 0
    assert next(hunt.ships())


def test_what_is_too_wide_is_refused() -> None:
    with pytest.raises(UsageError, match="17 cells are too wide, 16 is the most"):
        build_kit(Quotient(17, 3, 1, LIFE))
    with pytest.raises(UsageError, match="11 cells are too wide, 10 is the most"):
        build_kit(Quotient(11, 3, 1, LIFE, glide=True))


def test_compiled_code_is_kept_unless_it_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "user_cache_path", lambda *_, **__: tmp_path)
    monkeypatch.setattr(compilation, "_HELD", held := {})
    compilation.keep("narrow", b"code")
    held.clear()
    assert compilation.is_compiled("narrow")
    assert not compilation.is_compiled("listed")
    (kept,) = tmp_path.rglob("*.o")
    kept.write_bytes(b"other" * 9)
    held.clear()
    assert not compilation.is_compiled("narrow")
    monkeypatch.setattr(compilation, "user_cache_path", lambda *_, **__: kept)
    compilation.keep("narrow", b"code")  # there is no place for it, so it is held
    assert compilation.is_compiled("narrow")


def test_a_change_in_any_file_of_the_kernels_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = compilation._find("narrow")
    copy = shutil.copytree(Path(kernels.__file__).parent, tmp_path / "kernels")
    monkeypatch.setattr(kernels, "__file__", str(copy / "__init__.py"))
    assert compilation._find("narrow") == before
    (copy / "steps.py").write_text("another")
    assert compilation._find("narrow") != before


def test_arrays_of_another_type_are_refused() -> None:
    """Compiled code would read them as what they are not."""
    hunt = Hunt(Quotient(2, 3, 1, LIFE))
    for rows in (hunt.rows.astype(np.int64), hunt.rows[::2]):
        with pytest.raises(TypeError, match="needs an array of uint16"):
            compilation.call("mark_broken", hunt.kit, hunt.parents, rows, hunt._broken, 1)
