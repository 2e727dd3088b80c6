"""The rule on rows, and the look-ahead, against plain enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, reduce
from itertools import product
from operator import or_

import numpy as np
import pytest

from satlife.errors import UsageError
from satlife.life import Rule
from satlife.life.catalogue import find_entries
from satlife.life.steps import step_by_table
from satlife.life.transforms import TRANSFORMS
from satlife.rows import is_available
from satlife.rows.quotient import FOLDS, Fold, Quotient

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

from numba import njit

from satlife.rows import tables
from satlife.rows.compilation import Kit, call
from satlife.rows.kernels import measure_memo
from satlife.rows.tables import build_kit

LIFE = Rule("B3/S23").table
RULES = ("B3/S23", "B36/S23", "B2/S", "B24678/S0357")


def plain_steps(quotient: Quotient, a: int, b: int) -> list[int]:
    """G(a, b, x) for all x by the simulator: the middle row of the step of three; -1 if none."""
    count = 1 << quotient.width
    blocks = np.zeros((count, 5, quotient.full_width), np.uint8)
    blocks[:, 0], blocks[:, 1] = quotient.draw_row(a), quotient.draw_row(b)
    blocks[:, 2] = [quotient.draw_row(x) for x in range(count)]
    if quotient.twist == 2:
        blocks[:, [0, 2]] = blocks[:, [0, 2], ::-1]
    plane = blocks.reshape(count * 5, quotient.full_width)
    stepped = step_by_table(plane, np.frombuffer(quotient.table, np.uint8))[2:-2:5]
    found = []
    for row in stepped:
        inside = row[1:-1]
        born = row[0] or row[-1] or (quotient.fold == "gutter" and inside[quotient.width])
        found.append(
            -1 if born else quotient.read_row(inside[::-1] if quotient.twist == 1 else inside)
        )
    return found


def plain_slanted_steps(quotient: Quotient, a: int, b: int) -> list[int]:
    """The same of a diagonal ship: its cells are placed in the plane, where x - y is the column."""
    axis = quotient.full_width // 2 if quotient.fold != "none" else 0
    inside = range(-axis, quotient.full_width - axis)
    beside = {-axis - 2, -axis - 1, inside.stop, inside.stop + 1}
    beside |= {0} if quotient.fold == "gutter" else set()

    def place(row: int, column: int) -> tuple[int, int]:
        total = 2 * row + column % 2  # x + y; upper cells have an even x - y
        return 20 + (total - column) // 2, 20 + (total + column) // 2

    found = []
    for x in range(1 << quotient.width):
        plane = np.zeros((40, 40), np.uint8)
        for row, number in ((-1, a), (0, b), (1, x)):
            for column, cell in zip(inside, quotient.draw_row(number), strict=True):
                plane[place(row, column)] = cell
        plane = step_by_table(plane, np.frombuffer(quotient.table, np.uint8))[1:-1, 1:-1]
        row = np.array([plane[place(0, column)] for column in inside])
        born = any(plane[place(0, column)] for column in beside)
        found.append(-1 if born else quotient.read_row(row))
    return found


@pytest.mark.parametrize("rule", [*RULES, "B2-a/S12", "B1e3/S23"])
@pytest.mark.parametrize("fold", ["none", "odd", "gutter"])
def test_steps_of_slanted_rows_are_those_of_the_simulator(rule: str, fold: Fold) -> None:
    table = Rule(rule).table
    for width in range(1, 5):
        quotient = Quotient(width, 3, 1, table.tobytes(), fold, slanted=True)
        sets, rows = build_kit(quotient)[2], range(1 << width)
        for a, b in product(rows, rows) if width < 4 else [(5, 9), (15, 6), (0, 0), (3, 12)]:
            own = sets[a << width | b].tolist()
            found = [[c for c in rows if own[c] >> x & 1] for x in rows]
            assert found == [[c][: c + 1] for c in plain_slanted_steps(quotient, a, b)]


SHAPED: list[tuple[Fold, bool, int]] = [
    *((fold, False, 3) for fold in FOLDS),
    *(("none", True, period) for period in (3, 4)),
]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("fold", "glide", "period"), SHAPED)
def test_steps_of_rows_are_those_of_the_simulator(
    rule: str, fold: Fold, glide: bool, period: int
) -> None:
    table = Rule(rule).table
    for width in range(1, 5):
        quotient = Quotient(width, period, 1, table.tobytes(), fold, glide)
        sets, rows = build_kit(quotient)[2], range(1 << width)
        for a, b in product(rows, rows) if width < 4 else [(5, 9), (15, 6), (0, 0), (3, 12)]:
            own = sets[a << width | b].tolist()
            found = [[c for c in rows if own[c] >> x & 1] for x in rows]
            assert found == [[c][: c + 1] for c in plain_steps(quotient, a, b)]


@cache
def steps(quotient: Quotient) -> np.ndarray[tuple[int, int, int], np.dtype[np.int64]]:
    """G as a table of all triples of rows, -1 where there is none; by the simulator."""
    rows = range(1 << quotient.width)
    return np.array([[plain_steps(quotient, a, b) for b in rows] for a in rows])


def followers(table: np.ndarray, state: tuple[int, ...], p: int, k: int) -> list[int]:
    return np.flatnonzero(table[state[0], state[p]] == state[p + k]).tolist()


@njit
def can_go_on(table, rows, m, last, p, k):
    """Whether rows m to last can follow the rows before them, by plain depth-first search."""
    if m > last:
        return True
    for d in range(table.shape[0]):
        if table[rows[m - 2 * p], rows[m - p], d] == rows[m - p + k]:
            rows[m] = d
            if can_go_on(table, rows, m + 1, last, p, k):
                return True
    return False


def find_next(state: Sequence[int], kit: Kit) -> list[int]:
    """The rows that can follow a state: what a probe without patience leaves to do."""
    lists = np.empty((2, 1 << int(kit.quotient.bits)), np.int64)
    r, counts, places, front, visited = np.full((5, len(state) + 2), -1, np.int64)
    fates = np.zeros(1, np.uint8)
    memo = np.empty(measure_memo(kit.quotient, 1), np.uint64)
    given = (np.array(state), fates, fates.copy(), visited, r, lists, counts, places, front, memo)
    call("probe", kit, *given, 1, 0, 1, 0)
    return lists[0, : counts[0]].tolist()


SHAPES = [(p, k) for p in range(2, 5) for k in range(1, p) if np.gcd(p, k) == 1]


KINDS: dict[str, dict[str, int]] = {
    "narrow": {},
    "halves": {"NARROW": 0},
    "listed": {"NARROW": 0, "HALVED": 0},
    "columns": {"NARROW": 0, "HALVED": 0, "LISTED": 0},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("p", "k"), SHAPES)
@pytest.mark.parametrize("width", [2, 3, 4, 5])
def test_look_ahead_drops_only_what_dies(
    width: int, p: int, k: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in KINDS[kind].items():
        monkeypatch.setattr(tables, name, value)
    generator = np.random.default_rng(width * 100 + p * 10 + k)
    for fold in FOLDS if width < 5 else FOLDS[2:3]:
        quotient = Quotient(width, p, k, LIFE.tobytes(), fold)
        kit, table = build_kit(quotient), steps(quotient)
        for _ in range(30 if width < 5 else 10):
            # A random walk: states that really occur, and, at its start, some that do not.
            state = tuple(generator.integers(0, 1 << width, 2 * p).tolist())
            for _ in range(6):
                kept = find_next(state, kit)
                plain = followers(table, state, p, k)
                assert set(kept) <= set(plain)
                assert kept == sorted(kept)
                for d in set(plain) - set(kept):
                    rows = np.array((*state, d) + (0,) * 3 * p)
                    assert not can_go_on(table, rows, 2 * p + 1, 5 * p - 2 * k, p, k)
                if not plain:
                    break
                state = (*state[1:], int(generator.choice(plain)))


def test_exact_successors_are_those_of_enumeration_without_look_ahead() -> None:
    quotient = Quotient(4, 3, 1, LIFE.tobytes(), "odd")
    kit, table = build_kit(quotient), steps(quotient)
    sets, images = kit.sets, kit.images
    for a, b in product(range(16), range(16)):
        for c in range(16):
            plain = np.flatnonzero(table[a, b] == c)
            assert [x for x in range(16) if int(sets[a * 16 + b, c]) >> x & 1] == plain.tolist()
        assert int(images[a * 16 + b, 0]) == sum(1 << c for c in set(table[a, b].tolist()) - {-1})


def northward_ships() -> Iterator[tuple[str, int, int, list[np.ndarray]]]:
    """Every ship of the catalogue that moves orthogonally, turned north, all its generations."""
    for entry in find_entries(kind="spaceship"):
        for transform in TRANSFORMS:
            ship = entry.pattern.transformed(transform)
            last = ship[entry.period]
            if last.x == ship.x and last.y < ship.y:
                generations = [ship[t] for t in range(entry.period)]
                box = reduce(or_, (each.box for each in generations))
                cells = [each.in_box(box) for each in generations]
                yield entry.name, entry.period, ship.y - last.y, cells
                break


def quotients(
    period: int, step: int, cells: list[np.ndarray]
) -> Iterator[tuple[Quotient, tuple[int, ...]]]:
    """Every quotient in which a ship is a path, and its rows."""
    width = cells[0].shape[1]
    for fold, half in zip(FOLDS, (width, (width + 1) // 2, width // 2, width // 2), strict=True):
        for glide in (False, True):
            p, k = (period // 2, step // 2) if glide else (period, step)
            with suppress(UsageError):
                quotient = Quotient(half, p, k, LIFE.tobytes(), fold, glide)
                if quotient.full_width == width:
                    yield quotient, quotient.read(0, cells)


def test_every_ship_of_the_catalogue_is_a_path_that_look_ahead_keeps() -> None:
    seen = set()
    for name, period, step, cells in northward_ships():
        for quotient, rows in quotients(period, step, cells):
            top, unfolded = quotient.unfold(rows)
            assert {int(each.sum()) for each in unfolded} == {int(each.sum()) for each in cells}
            assert quotient.read(top, unfolded) == rows
            if quotient.width > quotient.widest:
                continue
            kit, empty = build_kit(quotient), (0,) * (2 * quotient.period)
            path = empty + rows + empty
            for o in range(len(path) - len(empty)):
                end = o + len(empty)
                assert path[end] in find_next(path[o:end], kit), (name, quotient.fold, o)
            seen.add((name, quotient.fold))
    assert {("turtle", "even"), ("dart", "odd"), ("copperhead", "even"), ("loafer", "none")} <= seen


def test_a_glide_is_half_of_the_motion() -> None:
    """No ship of the catalogue glides with an odd step; a made-up sequence shows the frames."""
    for period, step in ((3, 1), (2, 1)):
        quotient = Quotient(4, period, step, LIFE.tobytes(), glide=True)
        rows = (0b0011, 0b1000, 0b0111, 0b0001, 0b1010)
        top, frames = quotient.unfold(rows)
        assert len(frames) == 2 * period
        assert quotient.read(top, frames) == rows
        for t in range(period):
            early, late = frames[t], frames[t + period]
            assert np.array_equal(early[step:, ::-1], late[:-step])
            assert not late[-step:].any()
