"""A search in your hands: its events, stopping it, its result, and engines of one's own."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from satlife import (
    ENGINES,
    Best,
    Engine,
    Finished,
    Found,
    GaveUp,
    Impossible,
    Improved,
    Known,
    Link,
    Listed,
    Motion,
    Options,
    Population,
    Problem,
    Progress,
    Started,
    Undecided,
    VerificationError,
    agar,
    find,
    find_all,
    find_best,
    oscillator,
    ship,
    start,
    still_life,
)
from satlife.engine import Run, Wanted
from satlife.engine.brute import BruteEngine
from satlife.engine.goals import Goal
from satlife.errors import InternalError, UsageError
from satlife.life import Pattern
from tests.patience import PATIENCE, at_limit

HARD = oscillator(4, box="13x13")
BLOCK = np.array([[1, 1, 0, 0, 0], [1, 1, 0, 0, 0], [0] * 5, [0] * 5], np.uint8)
GENERAL = [engine for engine in ENGINES if engine.refuses(still_life(box="2x2")) is None]
"""The engines that take every kind of problem; the others have tests of their own."""
MOST = Goal.parse("maximize", "population")


def test_events_come_in_their_order() -> None:
    with start(ship("c/4d", box="4x4")) as search:
        names = [type(event).__name__ for event in search if not isinstance(event, Progress)]
    assert names == ["Started", "Built", "Found", "Finished"]


def test_a_search_runs_though_nobody_listens() -> None:
    search = start(ship("c/4d", box="3x3"))
    assert isinstance(search.result(), Impossible)
    assert search.is_over
    late = list(search)
    assert isinstance(late[0], Started)
    assert late[-1] == Finished(search.result())


@pytest.mark.parametrize("jobs", [1, 2])
def test_stop_ends_a_search_soon(jobs: int) -> None:
    search = start(HARD, jobs=jobs)
    for event in search:
        if isinstance(event, Progress):
            break
    begun = time.monotonic()
    threading.Thread(target=search.stop).start()
    result = search.result()
    assert isinstance(result, Undecided)
    assert result.reason == "stopped"
    assert time.monotonic() - begun < PATIENCE


def test_a_search_can_be_stopped_before_it_has_done_anything() -> None:
    search = start(HARD)
    search.stop()
    assert search.result() == Undecided(HARD, "stopped", search.result().provenance)  # type: ignore[union-attr]


def test_leaving_the_block_stops_the_search() -> None:
    with start(HARD) as search:
        pass
    assert search.is_over


def test_a_race_says_who_speaks() -> None:
    with start(HARD, jobs=2, timeout=8) as search:
        speakers = {event.racer for event in search if isinstance(event, Progress)}
    assert all(" on " in speaker for speaker in speakers - {"restrictions", "glucose"})


def test_unread_progress_is_replaced_and_finds_are_kept() -> None:
    search = start(still_life(box="5x5"), wanted=None, goals=())
    search.result()
    events = list(search)
    assert sum(isinstance(event, Progress) for event in events) <= 2
    listing = find_all(still_life(box="4x4"), raw=True)
    assert listing.result.found == 82
    assert len(list(listing)) == 82


def test_a_listing_says_why_it_ended() -> None:
    done = find_all(still_life(box="3x3"))
    assert (len(list(done)), done.complete) == (4, True)
    some = find_all(still_life(box="4x4"), limit=5)
    assert len(list(some)) == 5
    assert (some.result.complete, some.result.reached_limit) == (False, True)
    late = at_limit(lambda limit: find_all(still_life(box="9x9"), timeout=limit), list, first=1)
    assert late.result.found > 0
    assert (late.complete, late.result.reason) == (False, "time limit")
    none = find_all(ship("c/4d", box="3x3"))
    assert (list(none), none.complete) == ([], True)


def test_a_loop_that_is_left_stops_the_listing() -> None:
    listing = find_all(still_life(box="9x9"))
    for _ in listing:
        break
    assert listing.search.is_over
    assert not listing.complete


def test_a_climb_tells_of_every_step() -> None:
    with start(still_life(box="5x5"), goals=[MOST]) as search:
        steps = [event.best.values[0] for event in search if isinstance(event, Improved)]
        best = search.result()
    assert isinstance(best, Best)
    assert best.proved
    assert steps == sorted(set(steps))
    assert best.values == (steps[-1],) == (16,)


def test_an_optimum_out_of_time_is_the_best_so_far() -> None:
    best = at_limit(
        lambda limit: find_best(still_life(box="13x13"), maximize="population", timeout=limit),
        lambda best: isinstance(best, Best),
    )
    assert isinstance(best, Best)
    assert not best.proved
    assert "time" in best.reason


# --- engines --------------------------------------------------------------------------------------

SMALL = (
    still_life(box="4x4"),
    oscillator(2, box="4x4"),
    oscillator(2, box="5x5", symmetry="C4"),
    oscillator(2, box="5x5", symmetry="C2:C4"),
    ship("c/4d", box="4x4"),
    ship("c/4d", box="4x4", symmetry="C1:D2b"),
    agar(2, box="4x3"),
    agar(1, box="4x4", wrap=(1, 0)),
    Problem(boxes=("3x3",), motion=Motion(period=2, transform="flip-left-right"), rule="B2/S1"),
    Problem(boxes=("3x3",), motion=Motion(period=2), exempt=((1, 1, 1),)),
    Problem(
        boxes=("3x3", "3x2"),
        steps=1,
        boundary="free",
        known=(Known(t=1, rows=("oo.", ".o.")),),
        links=(Link(first=(0, 0, 0), second=(2, 2, 0), opposite=True),),
    ),
)


@pytest.mark.parametrize("problem", SMALL, ids=range(len(SMALL)))
def test_every_engine_lists_the_same_solutions_and_classes(problem: Problem) -> None:
    listed = []
    for engine in GENERAL:
        raw = find_all(problem, raw=True, engine=engine)
        solutions = {b"".join(s.tobytes() for s in each.history) for each in raw}
        classes = find_all(problem, engine=engine.name)
        listed.append((solutions, sum(1 for _ in classes), raw.complete, classes.complete))
    assert listed[0] == listed[1]


@pytest.mark.parametrize("engine", GENERAL, ids=lambda engine: engine.name)
def test_every_engine_finds_the_best(engine: Engine) -> None:
    best = find_best(still_life(box="4x4"), [MOST], engine=engine)
    assert isinstance(best, Best)
    assert (best.values, best.proved) == ((8,), True)
    assert isinstance(find_best(ship("c/4d", box="3x3"), [MOST], engine=engine), Impossible)


@pytest.mark.parametrize("engine", GENERAL, ids=lambda engine: engine.name)
def test_provenance_names_the_engine(engine: Engine) -> None:
    outcome = find(still_life(box="2x2"), engine=engine)
    assert isinstance(outcome, Found)
    assert outcome.finding.provenance.engine == engine.name
    assert outcome.finding.provenance.seconds > 0


def test_brute_force_refuses_what_is_too_large() -> None:
    with pytest.raises(UsageError, match="25 free cells are more than 22"):
        start(still_life(box="5x5"), engine="brute")
    with pytest.raises(UsageError, match="no engine 'quantum'; there are turns, sat, brute"):
        start(still_life(box="5x5"), engine="quantum")


class Guess(Engine):
    """Guess that a block is the answer."""

    name, title = "guess", "blocks"

    def solutions(self, problem, run: Run):  # type: ignore[no-untyped-def]
        yield (np.ones((2, 2), np.uint8),)
        raise GaveUp("no more ideas")


def test_an_engine_of_ones_own_is_verified_like_any_other() -> None:
    block = find(still_life(box="2x2"), engine=Guess())
    assert isinstance(block, Found)
    assert block.pattern.population == 4
    with pytest.raises(VerificationError, match="kept in"):
        find(still_life(box="2x2", population="<=3"), engine=Guess())
    listing = find_all(still_life(box="2x2"), engine=Guess())
    assert len(list(listing)) == 1
    assert listing.result == Listed(
        still_life(box="2x2"), 1, False, "no more ideas", provenance=listing.result.provenance
    )


class Silent(Engine):
    """Return without a word."""

    name, title = "silent", "nothing"

    def solutions(self, problem, run: Run):  # type: ignore[no-untyped-def]
        yield from ()


class Refusing(Engine):
    """Give up at once, without being a generator."""

    name, title = "refusing", "nothing"

    def solutions(self, problem, run: Run):  # type: ignore[no-untyped-def]
        raise GaveUp("no ideas at all")


def test_an_engine_that_simply_returns_has_a_reason() -> None:
    words = "the engine silent found no more"
    problem = still_life(box="2x2")
    assert find(problem, engine=Silent()).reason == words  # type: ignore[union-attr]
    assert find_all(problem, engine=Silent()).result.reason == words
    best = find_best(problem, minimize="population", engine=Silent())
    assert isinstance(best, Impossible)
    assert best.reason == words


def test_an_engine_that_is_not_a_generator_can_give_up() -> None:
    problem = still_life(box="2x2")
    outcome = find(problem, engine=Refusing())
    assert isinstance(outcome, Undecided)
    assert outcome.reason == "no ideas at all"
    assert find_all(problem, engine=Refusing()).result.reason == "no ideas at all"
    best = find_best(problem, minimize="population", engine=Refusing())
    assert isinstance(best, Undecided)


def test_two_searches_run_in_two_threads() -> None:
    searches = [start(oscillator(p, box="6x6")) for p in (2, 3)]
    assert [type(search.result()) for search in searches] == [Found, Impossible]


@pytest.mark.parametrize(
    "wanted",
    [
        {"only_connected": True},
        {"reject": (Pattern.from_rle("2o$2o!"),)},
        {"already_found": ((BLOCK,),)},
        {"raw": True, "limit": 7},
    ],
    ids=str,
)
def test_every_engine_leaves_out_what_is_not_wanted(wanted: dict[str, Any]) -> None:
    problem = still_life(box="5x4", population="<=8")
    counts = {sum(1 for _ in find_all(problem, engine=each, **wanted)) for each in GENERAL}
    assert len(counts) == 1
    assert counts.pop() < len(list(find_all(problem, raw="raw" in wanted)))


def test_a_reader_that_stops_reading_does_not_hold_up_the_result() -> None:
    everything = Problem(boxes=("4x3",))
    search = start(everything, engine="brute", wanted=Wanted(raw=True))
    events = iter(search)
    for _ in range(4):
        next(events)
    result = search.result()
    assert isinstance(result, Listed)
    assert result.found == 2**12


def test_a_forgotten_search_stops() -> None:
    listing = find_all(ship("c/5", box="22x22"))
    thread = listing.search._thread
    del listing
    gc.collect()
    assert thread.over.wait(PATIENCE)


def test_a_search_that_failed_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its error refers to it, so nothing that waits for its end may refer to the error."""

    def fail(*_: Any) -> Any:
        raise InternalError("no history")

    monkeypatch.setattr(BruteEngine, "solutions", fail)
    engine = BruteEngine()
    for search in (find, lambda *words, **how: list(find_all(*words, **how))):
        with pytest.raises(InternalError, match="no history"):
            search(ship("c/4d", box="4x4"), engine=engine)
    kept = weakref.ref(engine)
    del engine
    gc.collect()
    assert kept() is None


def test_brute_force_keeps_its_time() -> None:
    problem = Problem(boxes=("4x4",), constraints=(Population(least=17),))
    begun = time.monotonic()
    outcome = find(problem, engine="brute", timeout=0.5)
    assert isinstance(outcome, Undecided)
    assert time.monotonic() - begun < PATIENCE


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"wanted": Wanted(), "goals": [MOST]}, "not for both"),
        ({"wanted": Wanted(), "jobs": 2}, "take one job"),
        ({"goals": [MOST], "jobs": 2}, "take one job"),
        ({"jobs": 0}, "at least one job"),
        ({"timeout": -1}, "cannot be negative"),
        ({"timeout": "soon"}, "'soon' is not a time; write for example 10m"),
        ({"timeout": [1]}, r"timeout must be a number of seconds, .* got \[1\]"),
        ({"memory": "much"}, "'much' is not a size; write for example 4G"),
        ({"jobs": "2"}, "jobs must be a whole number, got '2'"),
        ({"jobs": True}, "jobs must be a whole number, got True"),
        ({"jobs": None}, "jobs must be a whole number, got None"),
        ({"seed": "a"}, "seed must be a whole number, got 'a'"),
        ({"conflicts": 1.5}, "conflicts must be a whole number, got 1.5"),
        ({"solver": 5}, "solver must be the name of a solver, .* got 5"),
        ({"encoding": 3}, "encoding must be the name of an encoding, .* got 3"),
        ({"break_symmetry": "no"}, "break_symmetry must be True, False or None, got 'no'"),
        ({"save": 3}, "save must be the name of a file, got 3"),
        ({"partials": -1}, "partials is a number"),
        ({"extend": "3o!"}, "extend must be a Pattern"),
        ({"partials": 3}, "the engine sat does not take partials; it takes solver, encoding"),
        ({"engine": "brute", "solver": "nope"}, "the engine brute does not take solver; .*timeout"),
        ({"engine": "brute", "break_symmetry": False}, "does not take break_symmetry"),
        ({"engine": 5}, "no engine 5; there are turns, sat"),
        ({"wanted": Wanted(), "limit": 0}, "limit is at least 1, got 0"),
        ({"wanted": Wanted(), "limit": -1}, "limit is at least 1, got -1"),
        ({"wanted": Wanted(), "limit": "x"}, "limit must be a whole number, got 'x'"),
        ({"goals": [3]}, "goals must be a Goal, .* got 3"),
        ({"goals": [MOST, structs.replace(MOST, maximize=False)]}, "both minimized and maximized"),
    ],
)
def test_what_does_not_go_together_is_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        start(still_life(box="3x3"), **keywords)


def test_options_can_be_texts(tmp_path: Path) -> None:
    assert isinstance(find(still_life(box="3x3"), timeout="10m", memory="1G"), Found)
    options = Options.of(timeout="1.5h", memory="2 GiB", save=str(tmp_path / "ships.save"))
    assert options == Options(timeout=5400, memory=2**31, save=tmp_path / "ships.save")
    assert Options.of(jobs=np.int64(2), timeout=np.float64(3)).timeout == 3  # type: ignore[arg-type]


@pytest.mark.parametrize("search", [start, find, find_all])
def test_only_a_problem_can_be_searched(search) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=r"problem must be a Problem, .* got 'x'"):
        search("x")


def test_the_best_of_something_that_is_not_a_problem() -> None:
    with pytest.raises(UsageError, match="problem must be a Problem"):
        find_best("x", minimize="population")  # type: ignore[arg-type]


def test_measures_are_names() -> None:
    problem = still_life(box="3x3")
    with pytest.raises(UsageError, match=r"minimize must be the name of a measure, .* got 3"):
        find_best(problem, minimize=3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"population@?0? is to be both minimized and maximized"):
        find_best(problem, minimize="population", maximize=("area", "population"))


def test_one_thing_can_be_rejected_without_a_list() -> None:
    problem = still_life(box="3x3")
    codes = [finding.identity.apgcode for finding in find_all(problem, reject="xs4_33")]
    assert "xs4_33" not in codes
    assert len(codes) == 3
    block = Pattern.from_rle("2o$2o!")
    assert len(list(find_all(problem, reject=block))) == 3
    assert list(find_all(problem, reject="known")) == []
    with pytest.raises(UsageError, match=r"'xp3_7' cannot be rejected.*its cells are xp2_7"):
        find_all(problem, reject="xp3_7")
    with pytest.raises(UsageError, match=r"there is no file 'block\.rle'"):
        find_all(problem, reject=["block.rle"])
    with pytest.raises(UsageError, match=r"reject must be a pattern, .* got 5"):
        find_all(problem, reject=5)  # type: ignore[arg-type]


def test_objects_are_asked_for_only_where_solutions_are_objects() -> None:
    with pytest.raises(UsageError, match="only with still lifes, oscillators, ships and catalysts"):
        find_all(agar(1, box="4x4"), only_connected=True)


def test_conflicts_are_counted_over_all_solutions() -> None:
    listing = find_all(still_life(box="9x9"), conflicts=50)
    assert list(listing)
    assert listing.result.reason == "conflict limit"
