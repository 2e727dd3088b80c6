"""Long runs: what they claim is checked by plain simulation, and what is unsure stays unknown."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.errors import UsageError
from satlife.life import PartialPattern, Pattern, Transform
from satlife.life.identity import FAMOUS, identify, limits, recurrence
from satlife.life.identity.limits import WatchLimit
from satlife.life.identity.longrun import growth, packed, watch
from satlife.life.identity.longrun.run import Trend, encode_growth, find_trend
from satlife.life.identity.longrun.scene import Bodies, Body, Recogniser
from satlife.life.identity.tiles import identify_tile
from satlife.life.rule import LIFE
from satlife.life.universe import Universe

BLOCK = Pattern.from_rle("2o$2o!")
GLIDER = Pattern.from_rle("bo$2bo$3o!")  # it flies to the south-east
GUN = next(famous.pattern for famous in FAMOUS if famous.name == "Gosper glider gun")
ENGINE = next(f.pattern for f in FAMOUS if f.name == "block-laying switch engine")
EATER = Pattern.from_rle("2o$bo$bobo$2b2o!").transformed(Transform("flip-antidiagonal")).normalized


def keys_of(pattern: Pattern) -> packed.Keys:
    return packed.pack(*pattern.coordinates.T)


def test_a_glider_that_will_hit_something_has_not_settled():
    pattern = GLIDER | BLOCK.shift(201, 200)
    found = identify(pattern, seconds=None)
    assert (found.kind, found.lifespan) == ("dies", 793)
    assert pattern[793].is_empty
    assert not pattern[792].is_empty


def test_a_glider_that_passes_has_settled():
    found = identify(GLIDER | BLOCK.shift(201, 180), seconds=None)
    assert (found.kind, found.lifespan) == ("settles", 0)
    assert [str(t) for t in (*found.settlement.ash, *found.settlement.escaping)] == [
        "1 × block",
        "1 × glider",
    ]


def test_a_gun_with_a_distant_target_is_not_a_gun():
    """Its gliders come to an end after 1400 generations."""
    target = EATER.shift(383, 370)
    near = GUN | target.shift(-300, -300)
    assert near[600] == near[630]
    found = identify(GUN | target, seconds=None)
    assert (found.kind, found.growth) == ("settles", None)
    assert found.lifespan > 1200


def test_a_puffer_with_a_block_in_its_way_is_not_a_puffer():
    found = identify(ENGINE | BLOCK.shift(-402, -400), seconds=None)
    assert (found.kind, found.growth) == ("settles", None)


def test_limits_are_told():
    found = identify(GUN, generations=40)
    assert found.kind == "unknown"
    assert "within 40 generations" in found.reason
    found = identify(Pattern.from_rle("b2o$2o$bo!"), seconds=1e-9)
    assert found.kind == "unknown"
    assert "within 1e-09 seconds of processor time" in found.reason
    for wrong in ({"generations": 0}, {"seconds": 0}, {"seconds": -1.0}):
        with pytest.raises(UsageError, match="at least 1 generation and more than 0 seconds"):
            identify(GUN, **wrong)


def test_waiting_does_not_use_up_the_limit() -> None:
    limit = WatchLimit(0.05)
    time.sleep(0.2)
    assert not limit.is_over
    while not limit.is_over:
        pass
    assert str(limit) == "within 0.05 seconds of processor time"


def test_a_large_soup_ends_at_its_time():
    soup = Pattern(np.random.default_rng(1).integers(0, 2, (2000, 2000), dtype=np.uint8))
    start = time.monotonic()
    found = identify(soup, seconds=1)
    assert found.kind == "unknown"
    assert "within 1 second of processor time" in found.reason
    assert time.monotonic() - start < 60  # a busy machine may take a multiple of its seconds


EXPLODING = Pattern([[1]], rule="B1/S012345678")


class StoppingClock:
    """A clock that says that the time is over from its nth look on, and then counts the looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __call__(self) -> float:
        self.looks -= 1
        return 0.0 if self.looks > 0 else 1e9


@pytest.mark.parametrize("looks", [2, 20, 200, 800])
@pytest.mark.parametrize("rule", ["B1/S012345678", "B2/S", "B3/S23", "B2/S/3", "B0123478/S34678"])
def test_nothing_goes_on_when_the_time_is_over(looks, rule, monkeypatch):
    """Whatever is done then: at most some tiles are stepped once more, to say how large it is."""
    late = {"tiles": 0, "steps": 0}
    clock = StoppingClock(looks)
    step_tiles, advance = Universe._step_tiles, recurrence.advance_array

    def count_tiles(self, tiles, generations):
        late["tiles"] += tiles.size * (clock.looks <= 0)
        return step_tiles(self, tiles, generations)

    def count_steps(*words):
        late["steps"] += clock.looks <= 0
        return advance(*words)

    monkeypatch.setattr(limits, "thread_time", clock)
    monkeypatch.setattr(Universe, "_step_tiles", count_tiles)
    monkeypatch.setattr(recurrence, "advance_array", count_steps)
    seed = EXPLODING if "B1" in rule else Pattern.from_rle("b2o$2o$bo!")
    found = identify(seed.with_rule(rule), seconds=15)
    if clock.looks <= 0:
        assert found.kind == "unknown"
        assert "within 15 seconds of processor time" in found.reason
        assert late["tiles"] <= 200
        assert late["steps"] == 0


def test_an_explosion_ends_at_its_time():
    start, spent = time.monotonic(), time.process_time()
    found = identify(EXPLODING, seconds=1)
    assert found.kind == "unknown"
    assert "within 1 second of processor time" in found.reason
    assert time.process_time() - spent < 5
    assert time.monotonic() - start < 60  # a busy machine may take a multiple of its seconds


def test_what_was_seen_last_is_told_exactly():
    found = identify(EXPLODING, generations=500)
    last = Universe.of(EXPLODING)
    population = int(last.advance(500)[-1])
    assert f"{population:,} cells in 1001x1001 at the end" in found.reason


@given(st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_a_soup_settles_as_the_plain_simulator_says(seed):
    """The population repeats with the period from the lifespan on, and did not just before."""
    soup = Pattern(np.random.default_rng(seed).integers(0, 2, (9, 9), dtype=np.uint8))
    found = identify(soup, seconds=None)
    if found.kind == "dies":
        assert soup[found.lifespan].is_empty
        assert not soup[found.lifespan - 1].is_empty
    if found.settlement is None or found.settlement.escaping:
        return
    settled, period = soup[found.lifespan], found.settlement.period
    assert settled[period] == settled
    if found.lifespan:
        before = soup[found.lifespan - 1]
        assert before[period] != before


@pytest.mark.parametrize("density", [0.02, 0.05, 0.1, 0.4])
def test_clusters_are_as_a_plain_search_finds_them(density):
    cells = (np.random.default_rng(7).random((30, 40)) < density).astype(np.uint8)
    left = {(int(x), int(y)) for x, y in Pattern(cells).coordinates}
    expected = set()
    while left:
        cluster, fresh = set(), {left.pop()}
        while fresh:
            cluster |= fresh
            near = {(x + i, y + j) for x, y in fresh for i in range(-2, 3) for j in range(-2, 3)}
            fresh = near & left
            left -= fresh
        expected.add(frozenset(cluster))
    found = packed.find_clusters(keys_of(Pattern(cells)))
    assert {
        frozenset(zip(*(axis.tolist() for axis in packed.unpack(cluster)), strict=True))
        for cluster in found
    } == expected


def test_no_cells_have_no_clusters():
    assert packed.find_clusters(np.zeros(0, dtype=np.int64)) == []


def test_trends():
    assert find_trend(np.array([5] * 20)) == Trend(1, 0)
    assert find_trend(np.array([3, 4] * 10)) == Trend(2, 0)
    assert find_trend(np.array([7 * n + (n % 2) for n in range(30)])) == Trend(2, 14)
    assert find_trend(np.array([n * n for n in range(60)])) is None
    assert find_trend(np.array([1, 2])) is None


def test_a_code_of_a_wick_whose_phases_grow_differently():
    populations = np.array([(1 + n % 2) * (n // 2) for n in range(60)])
    trend = find_trend(populations)
    assert trend == Trend(2, 1.5)
    assert encode_growth(populations, trend).startswith("yl2_2_")


def test_ships_that_fly_apart_are_free_and_others_are_not():
    recogniser = Recogniser(LIFE)

    def count_free(*patterns: Pattern) -> int:
        whole = patterns[0]
        for other in patterns[1:]:
            whole |= other
        scene = Bodies.of(keys_of(whole), recogniser)
        return len(scene.find_free(scene.ships))

    away = Pattern.from_rle("3o$o$bo!")  # to the north-west
    assert count_free(GLIDER) == 1
    assert count_free(GLIDER, GLIDER.shift(30, 30)) == 2
    assert count_free(GLIDER, away.shift(50, 50)) == 0
    assert count_free(away, GLIDER.shift(50, 50)) == 2
    assert count_free(GLIDER, BLOCK.shift(40, 40)) == 0
    assert count_free(GLIDER, BLOCK.shift(-40, -40)) == 1


def test_a_pseudo_period_is_seen_in_the_stream():
    """Two gliders on a line in forty generations, twenty apart, are a stream of period 20."""
    recogniser = Recogniser(LIFE)
    scene = Bodies.of(keys_of(GLIDER | GLIDER.shift(5, 5)), recogniser)
    found = growth.find_streams(scene.ships, 40)
    assert [(s.code, s.count, s.interval, s.direction) for s in found] == [
        ("xq4_153", 2, 20, "south-east")
    ]
    uneven = growth.find_streams(
        Bodies.of(keys_of(GLIDER | GLIDER.shift(7, 7)), recogniser).ships, 40
    )
    assert [(s.count, s.interval) for s in uneven] == [(2, None)]


def test_a_body_knows_its_past():
    species = Recogniser(LIFE).recognise(keys_of(GLIDER))
    body = Body(species, 0)
    for t in (-9, -4, 0, 3, 17):
        back = Pattern.from_rle("bo$2bo$3o!").shift(-20, -20)[80 + t]
        assert keys_of(back).tolist() == body.at(t).tolist()


def test_a_ship_of_several_parts_is_followed_as_a_whole():
    schick = Pattern.from_rle("4o$o3bo$o$bo2bo2$4b3o$4b3o$4b3o2$bo2bo$o$o3bo$4o!")
    found = watch(schick, deadline=WatchLimit(None))
    assert not hasattr(found, "reason")


def test_tiles_are_checked():
    with pytest.raises(UsageError, match="the tile is empty"):
        identify_tile(PartialPattern([[0, 0]]))
    with pytest.raises(UsageError, match="both, across or down, got 'up'"):
        identify_tile(PartialPattern([[1]]), "up")
    with pytest.raises(UsageError, match="must be known in full"):
        identify_tile(PartialPattern.from_rle("x = 2, y = 1\no?!"))
    dying = identify_tile(PartialPattern.from_rle("x = 5, y = 5\no!"))
    assert (dying.kind, dying.reason) == ("dies", "dies in generation 1")
    settling = identify_tile(PartialPattern.from_rle("x = 6, y = 6\n2o$o!"))
    assert (settling.kind, settling.reason) == ("settles", "has period 1 from generation 1 on")
