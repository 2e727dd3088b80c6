"""The fast universe against the plain simulator, other programs' results, and known facts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.life import Pattern, universe
from satlife.life import universe as circuit
from satlife.life import universe as popcount
from satlife.life.universe import Universe
from tests.life.test_simulate import SOUPS, digest, name, rules, soups


def pattern_of(it: Universe) -> Pattern:
    return Pattern.from_cells(np.stack(it.cells, axis=1).tolist(), rule=it.rule)


@pytest.mark.parametrize("soup", SOUPS, ids=name)
def test_soup_as_golly_runs_it(soup):
    it = Universe.of(Pattern.from_rle(soup["rle"]))
    for generation in (1, 2, 10, 100):
        it.advance(generation - it.generation)
        assert digest(pattern_of(it).cells) == soup["after"][str(generation)]["sha256"]


@given(soups, rules, st.integers(-100, 100), st.integers(-100, 100), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_it_agrees_with_the_plain_simulator(cells, rule, x, y, generations):
    pattern = Pattern(cells, x, y, rule)
    it = Universe.of(pattern)
    populations = it.advance(generations).tolist()
    assert pattern_of(it) == pattern[generations]
    assert it.box == pattern[generations].box
    assert populations == [pattern[t].population for t in range(1, generations + 1)]


@given(st.lists(st.integers(1, 20), min_size=1, max_size=6))
@settings(max_examples=30, deadline=None)
def test_broken_strides_change_nothing(steps):
    it = Universe.of(Pattern.from_rle("bo$3bo$2o2b3o!"))
    for step in steps:
        it.advance(step)
    assert it.generation == sum(steps)
    assert pattern_of(it) == Pattern.from_rle("bo$3bo$2o2b3o!")[sum(steps)]


@pytest.mark.parametrize("checks", [0, 1, 5, 40])
def test_a_run_that_is_stopped_can_go_on(checks, monkeypatch):
    """It stops between two tiles, and nothing of that stride is done."""
    monkeypatch.setattr(universe, "_CHUNK", 1)
    soup = Pattern(np.random.default_rng(5).integers(0, 2, (90, 90), dtype=np.uint8))
    it, left = Universe.of(soup), iter(range(checks))

    def check():
        if next(left, None) is None:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        it.advance(200, check)
    reached = it.generation
    assert reached % universe.HALO == 0
    assert pattern_of(it) == soup[reached]
    populations = it.advance(20).tolist()
    assert populations == [soup[reached + t].population for t in range(1, 21)]
    assert pattern_of(it) == soup[reached + 20]


def test_a_copy_goes_its_own_way():
    it = Universe.of(Pattern.from_rle("b2o$2o$bo!"))
    it.advance(100)
    other = it.copy()
    other.advance(1003)
    assert (it.population, other.population) == (
        Pattern.from_rle("b2o$2o$bo!")[100].population,
        116,
    )
    it.advance(1003)
    assert pattern_of(it) == pattern_of(other)


def test_the_empty_universe():
    it = Universe.of(Pattern([]))
    assert it.advance(20).tolist() == [0] * 20
    assert it.population == 0
    assert [axis.tolist() for axis in it.cells] == [[], []]


def test_gliders_leave_no_tiles_behind(monkeypatch):
    monkeypatch.setattr(universe, "_FEW", 4)
    glider = Pattern.from_rle("bo$2bo$3o!")
    it = Universe.of(glider | Pattern.from_rle("2o$2o!").shift(-30, -30))
    assert set(it.advance(20_000).tolist()) == {9}
    assert it.tiles < 20
    assert pattern_of(it) == glider.shift(5000, 5000) | Pattern.from_rle("2o$2o!").shift(-30, -30)


def test_a_blinker_that_looks_into_an_empty_tile_is_not_forgotten(monkeypatch):
    monkeypatch.setattr(universe, "_FEW", 0)
    edge = universe.TILE
    blinker = Pattern.from_rle("o$o$o!").shift(edge - 1, 5)  # its other phase has a cell beyond
    gliders = [Pattern.from_rle("bo$2bo$3o!").shift(200 * i, 300) for i in range(4)]
    it = Universe.of(blinker | gliders[0] | gliders[1] | gliders[2] | gliders[3])
    assert set(it.advance(5001).tolist()) == {23}
    assert (edge, 6) in pattern_of(it)


def test_what_is_stable_sleeps():
    it = Universe.of(Pattern.from_rle("3o!") | Pattern.from_rle("2o$2o!").shift(1000, 0))
    it.advance(24)
    assert not it._awake.any()
    assert set(it.advance(80).tolist()) == {7}


@given(st.lists(st.sampled_from([0, 1]), min_size=512, max_size=512))
@settings(max_examples=10, deadline=None)
def test_a_diagram_computes_its_table(table):
    """For any table at all, all 512 neighbourhoods at once."""
    index = np.arange(512, dtype=np.uint64)
    planes = [(index >> np.uint64(8 - place)) & np.uint64(1) for place in range(9)]
    values = circuit._Diagram(tuple(table)).evaluate(planes) & np.uint64(1)
    assert values.tolist() == table


def test_bits_are_counted_without_numpy_2_too():
    words = np.array([[0, 1, 2**64 - 1], [2**63, 7, 255]], dtype=np.uint64)
    assert popcount._count_by_table(words).tolist() == popcount.count_bits(words).tolist()
