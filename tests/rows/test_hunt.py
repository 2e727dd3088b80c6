"""Hunts: known ships, widths without ships, and the same answers however the work is cut."""

from __future__ import annotations

import numpy as np
import pytest

from satlife.life import Pattern, Rule
from satlife.life.identity import identify
from satlife.rows import is_available
from satlife.rows.quotient import Fold, Quotient

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

from satlife.rows.hunt import Hunt

LIFE = Rule("B3/S23").table.tobytes()


def pattern(quotient: Quotient, rows: tuple[int, ...]) -> Pattern:
    return Pattern.from_array(quotient.unfold(rows)[1][0])


@pytest.mark.parametrize(
    ("width", "step", "period", "fold", "name"),
    [
        (6, 1, 3, "even", "turtle"),
        (8, 1, 3, "odd", "dart"),
        (7, 1, 4, "odd", None),
    ],
)
def test_the_first_ship_of_a_width(
    width: int, step: int, period: int, fold: Fold, name: str | None
) -> None:
    hunt = Hunt(Quotient(width, period, step, LIFE, fold))
    ship = pattern(hunt.quotient, next(hunt.ships()))
    identity = identify(ship)
    assert (identity.period, identity.displacement[1]) == (period, -step)
    assert name is None or identity.name == name


@pytest.mark.parametrize(
    ("width", "step", "period", "fold"),
    [(6, 1, 4, "odd"), (7, 2, 5, "odd"), (7, 1, 4, "none"), (7, 1, 3, "none"), (3, 1, 10, "even")],
)
@pytest.mark.parametrize(("limit", "threads"), [(10**9, 1), (500, 1), (500, 2)])
def test_a_width_without_ships_runs_dry(
    width: int, step: int, period: int, fold: Fold, limit: int, threads: int
) -> None:
    hunt = Hunt(Quotient(width, period, step, LIFE, fold), limit=limit, threads=threads)
    assert list(hunt.ships()) == []
    assert hunt.counts.queue == 0
    if limit == 500 and hunt.level < hunt.probed_to:
        assert hunt.dropped


def test_without_merging_every_ship_of_a_length_is_listed_once() -> None:
    """Against all paths of at most 34 rows, by the exact successors alone."""
    quotient = Quotient(5, 2, 1, Rule("B2/S").table.tobytes(), "even")
    hunt = Hunt(quotient, merge=False)
    found = set()
    for ship in hunt.ships():
        if len(ship) > 12:
            break
        assert ship not in found
        found.add(ship)
    assert found == set(plain_ships(quotient, 12))


def plain_ships(quotient: Quotient, longest: int) -> list[tuple[int, ...]]:
    from tests.rows.test_steps import steps

    table, p, k = steps(quotient), quotient.period, quotient.step
    ships = []

    def follow(path: tuple[int, ...]) -> None:
        state = ((0,) * (2 * p) + path)[-2 * p :]
        if path and not any(state):
            ships.append(path[: -2 * p])
            return
        if len(path) < longest + 2 * p:
            for d in np.flatnonzero(table[state[0], state[p]] == state[p + k]).tolist():
                if path or d:
                    follow((*path, d))

    follow(())
    return ships


@pytest.mark.parametrize(
    ("width", "period", "fold", "is_found"),
    [(6, 3, "even", True), (5, 4, "none", False)],
)
@pytest.mark.parametrize(("level", "count"), [(1, 2), (5, 3), (12, 7)])
def test_the_shares_of_a_level_are_the_whole(
    width: int, period: int, fold: Fold, is_found: bool, level: int, count: int
) -> None:
    quotient = Quotient(width, period, 1, LIFE, fold)
    whole = Hunt(quotient)
    ships = list(whole.ships())
    found, nodes = [], 0
    for number in range(count):
        hunt = Hunt(quotient, limit=2000)
        hunt.keep_share(level, number, count)
        nodes += hunt.count - hunt.head
        for again in range(2) if number == 1 else (0,):  # and shares of a share
            if number == 1:
                hunt = Hunt(quotient, limit=2000)
                hunt.keep_share(level, number, count)
                hunt.keep_share(level + 4, again, 2)
                assert 0 < hunt.head <= hunt.count  # nothing may be left, and is not searched
            found += list(hunt.ships())
    assert nodes == whole.widths[level]
    assert bool(found) is bool(ships) is is_found
    if found:
        assert min(map(len, found)) == min(map(len, ships))


@pytest.mark.parametrize("piece", [1, 7, 4096])
@pytest.mark.parametrize("limit", [10**9, 300])
@pytest.mark.parametrize(
    "quotient",
    [
        Quotient(6, 4, 1, LIFE, "odd"),
        Quotient(7, 4, 1, LIFE, "even"),
        Quotient(4, 6, 1, LIFE, "gutter"),
        Quotient(3, 2, 1, LIFE, lanes=2),
        Quotient(7, 3, 1, LIFE, glide=True),
    ],
)
def test_threads_and_pieces_change_no_node(
    quotient: Quotient, limit: int, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Levels are expanded by all threads, but their nodes are entered in order."""
    ends = []
    for threads, size in ((1, 4096), (2, piece)):
        monkeypatch.setattr("satlife.rows.hunt._PIECE", size)
        hunt = Hunt(quotient, limit=limit, threads=threads)
        ships = list(hunt.ships())
        nodes = [each[: hunt.count].tolist() for each in (hunt.parents, hunt.rows)]
        ends.append((ships, hunt.counts, hunt.best, hunt.widths, nodes))
    assert ends[0] == ends[1]


def test_no_two_nodes_are_of_one_state() -> None:
    """The index is full and grows many times; every state is found again."""
    hunt = Hunt(Quotient(7, 5, 1, LIFE, "odd"))
    for _ in hunt.work():
        if hunt.count > 100_000:
            break
    rows, nodes = 2 * hunt.quotient.period, np.arange(hunt.count)
    states = np.empty((hunt.count, rows), np.uint16)
    for i in range(rows - 1, -1, -1):
        states[:, i], nodes = hunt.rows[nodes], hunt.parents[nodes]
    assert len(np.unique(states, axis=0)) == hunt.count > 60_000
