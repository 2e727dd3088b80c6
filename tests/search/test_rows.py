"""The row engine behind the same problems as SAT: what it finds, refuses and agrees on."""

from __future__ import annotations

import random
import re
import threading
import time
from collections import Counter
from functools import partial
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
import pytest

from satlife import (
    Best,
    Found,
    Impossible,
    Problem,
    Progress,
    Undecided,
    find,
    find_all,
    find_best,
    oscillator,
    ship,
    start,
    still_life,
)
from satlife.engine import Options, Run
from satlife.engine.rows.closed_sets import refuse_width
from satlife.engine.rows.engine import ROWS, Finisher, RowEngine, finish, read_partial
from satlife.engine.rows.quotients import make_quotient
from satlife.errors import UsageError
from satlife.life import Box, Pattern, identify
from satlife.machine import how_to_install
from satlife.records import describe_outcome, make_record
from satlife.rows import is_available
from satlife.sat.solvers.confined import run_confined
from satlife.verifier.verify import complaints, verify
from tests.fuzz.northward import compare_with_sat, draw_northward
from tests.patience import PATIENCE

needs_numba = pytest.mark.skipif(not is_available(), reason="numba is missing")


@needs_numba
@pytest.mark.parametrize(
    ("speed", "box", "symmetry", "name"),
    [
        ("c/3", "12x*", "D2v", "turtle"),
        ("c/3", "15x*", "D2v", "dart"),
        ("c/3", "12x13", "D2v", "turtle"),
        ("2c/5", "15x*", "D2v", "44P5H2V0"),
    ],
)
def test_a_known_ship(speed: str, box: str, symmetry: str, name: str) -> None:
    outcome = find(ship(speed, box=box, symmetry=symmetry), engine="rows")
    assert isinstance(outcome, Found)
    assert identify(outcome.pattern).name == name


@needs_numba
def test_a_width_without_ships_is_exhausted_not_impossible() -> None:
    outcome = find(ship("c/4", box="11x*", symmetry="D2v"))
    assert isinstance(outcome, Impossible)
    assert outcome.word == "exhausted"
    assert describe_outcome(outcome).startswith("exhausted (the search by rows has no state left)")
    record = make_record(outcome)
    assert record["answer"] == "exhausted"
    assert record["provenance"]["details"]["states"] == 6650


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (oscillator(3, box="5x5"), "it finds ships that travel north"),
        (ship("(2,1)c/6", box="5x5"), "oblique ships in a width without a height"),
        (ship("c/4d", box="9x9"), "rows of 17 free cells are too wide"),
        (ship("4c/8", box="5x*"), "at 4c/8 it searches 4 rows at once"),
        (ship("4c/8", box="5x*", symmetry="C1:D2v"), "half of a glide may have none"),
        (ship("2c/6", box="11x*", symmetry="C1:D2v"), "11 free cells are too wide, 10 is"),
        (ship("2c/4", box="9x*"), "rows of 18 free cells are too wide"),
        (ship("c/3", box="30x*"), "write a height, 30x60, for SAT"),
        (ship("c/3", box="30x9"), "the engine sat takes it"),
        (ship("c/4d", box="17x*"), "rows of 17 free cells are too wide, 16 is the most (D2b"),
        (ship("c/4d", box="5x5", symmetry="C1:D2b"), "the symmetries C1 and D2"),
        (ship("(2,1)c/6", box="11x*"), "rows of 11 free cells are too wide, 10 is the most"),
        (ship("(3,2)c/9", box="5x*"), "whose way up is a multiple of that to the side"),
        (ship("(9,1)c/12", box="5x*"), "it shears rows by 8 cells at most, not 9"),
        (ship("c", box="5x5", rule="B2/S"), "below the speed of light"),
        (ship("c/3", box="30x*"), "rows of 30 free cells are too wide"),
        (ship("c/3", box="8x8", population="<=20"), "it takes no bounds"),
        (ship("c/3", box="8x8", include_last=True), "it takes no given cells"),
        (ship("c/3", box="8x8,6x8,6x8"), "it takes one box"),
    ],
)
def test_what_it_cannot_do_it_refuses_by_its_reason(problem: Problem, reason: str) -> None:
    said = ROWS.refuses(problem)
    assert said is not None
    assert reason in said


def test_without_numba_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satlife.engine.rows.engine.is_available", lambda: False)
    with pytest.raises(UsageError, match=re.escape(how_to_install("fast"))):
        start(ship("c/3", box="12x*", symmetry="D2v"))


@needs_numba
@pytest.mark.parametrize(
    ("bounds", "is_found"),
    [
        *(("<=44", True), ("<=43", False), ("<=44@least", True), ("<=43@least", False)),
        *(("<=56@every", True), ("<=55@most", False), ("<=152@sum", True), ("<=151@sum", False)),
        *((("<=44", "<=56@1"), True), (("<=44", "<=52@1"), False), (("<=44", "<=52@2"), True)),
    ],
)
def test_few_live_cells_are_a_condition_for_a_width(bounds: str, is_found: bool) -> None:
    """The turtle has 44, 56 and 52 cells."""
    outcome = find(ship("c/3", box="12x*", symmetry="D2v", population=bounds))
    assert isinstance(outcome, Found if is_found else Impossible)


@needs_numba
@pytest.mark.parametrize("limit", [10**9, 30])
def test_a_lighter_way_to_a_state_stays_beside_a_shorter_one(limit: int) -> None:
    asked = {"box": "9x*", "symmetry": "D2v", "rule": "B3/S0235"}
    engine, least = RowEngine(limit=limit), []
    for bounds in ({}, {"population": "<=9"}, {"population": "<=8"}):
        outcome = find(ship("c/2", **asked, **bounds), engine=engine)
        found = isinstance(outcome, Found)
        least.append(min(map(np.count_nonzero, outcome.finding.history)) if found else 0)
    assert least[0] > 9 or limit == 30
    assert least[1:] == [9, 0]
    best = find_best(ship("c/2", **{**asked, "box": "9x6"}), minimize="population")
    assert isinstance(best, Best)
    assert best.values == (9,)


@needs_numba
def test_cells_are_given_by_rows_from_the_front() -> None:
    turtle = find(ship("c/3", box="12x*", symmetry="D2v"))
    assert isinstance(turtle, Found)
    first = turtle.finding.history
    for late in range(3):
        # Generation ``late`` is generation 0; after the period, the ship is a row higher.
        down = [0 if t >= 3 or not late else 1 for t in range(late, late + 3)]
        later = [
            np.roll(np.pad(first[(late + t) % 3], ((0, 1), (0, 0))), down[t], 0) for t in range(3)
        ]
        y, x = np.argwhere(later[0])[0].tolist()
        cells = [
            f"{column},{row}@{t}"
            for t in range(3)
            for row, column in np.argwhere(later[t]).tolist()
            if row < 3
        ]
        asked = ship("c/3", box="12x*", symmetry="D2v", on=cells)
        found = find(asked)
        assert isinstance(found, Found)
        assert not list(complaints(asked, found.finding.history))
        halves = {"on": f"{x},{y}", "off": f"{11 - x},{y}"}
        assert isinstance(find(ship("c/3", box="12x*", symmetry="D2v", **halves)), Impossible)


@needs_numba
def test_conditions_are_of_no_certificate() -> None:
    for asked in ({"population": "<=5"}, {"on": "2,1"}):
        why = refuse_width(ship("c/4", box="5x*", **asked))
        assert "at most 5 cells" in why or "cells are given" in why


@needs_numba
def test_an_optimum_needs_a_height() -> None:
    with pytest.raises(UsageError, match="does not optimise"):
        find_best(ship("c/3", box="12x*", symmetry="D2v"), minimize="population")


@needs_numba
def test_a_listing_names_each_ship_once() -> None:
    problem = ship("c/3", box="12x*", symmetry="D2v")
    found = list(find_all(problem, limit=4))
    codes = [finding.identity.apgcode for finding in found]
    assert len(codes) == len(set(codes)) == 4
    more = find_all(problem, limit=1, already_found=[found[0].history])
    assert next(iter(more)).identity.apgcode == codes[1]


@needs_numba
def test_a_listing_without_ships_is_complete() -> None:
    listing = find_all(ship("c/3", box="8x*", symmetry="D2v"))
    assert list(listing) == []
    assert listing.complete


@needs_numba
def test_progress_counts_and_draws_and_a_stop_ends_it() -> None:
    with start(ship("c/10", box="10x*", symmetry="D2v")) as search:
        for event in search:
            if isinstance(event, Progress) and event.details["level"] > 6:
                break
        assert {"level", "queue", "deepest", "states", "states/s", "partial"} <= set(event.details)
        assert set(event.details["partial"]) <= set(".O\n")
        begun = time.monotonic()
        threading.Thread(target=search.stop).start()
        result = search.result()
    assert isinstance(result, Undecided)
    assert time.monotonic() - begun < PATIENCE


@needs_numba
def test_limits_end_a_search() -> None:
    problem = ship("c/10", box="12x*", symmetry="D2v")
    late = find(problem, timeout=1)
    assert isinstance(late, Undecided)
    assert late.reason == "time limit"
    full = find(problem, memory=10_000_000)
    assert isinstance(full, Undecided)
    assert full.reason == "memory limit"


@needs_numba
def test_compiling_is_told_and_ends_at_a_limit_and_at_a_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("satlife.rows.compilation.is_compiled", lambda _: False)
    monkeypatch.setattr(
        "satlife.engine.rows.engine.run_confined",
        lambda *_, **how: run_confined("time:sleep", 600, **how),
    )
    late = find(TURTLE, timeout=0.3)
    assert isinstance(late, Undecided)
    assert late.reason == "time limit"
    with start(TURTLE) as search:
        told = next(event for event in search if isinstance(event, Progress))
        assert (
            told.details["doing"] == "compiling for rows of this width, once, in about ten seconds"
        )
        search.stop()
        stopped = search.result()
    assert isinstance(stopped, Undecided)
    assert stopped.reason == "stopped"


@needs_numba
@pytest.mark.parametrize("part", range(10))
def test_rows_and_sat_agree(part: int) -> None:
    """Random boxes, speeds, symmetries and tables, counts included; ``just fuzz`` draws others."""
    compared = Counter(
        compare_with_sat(draw_northward(random.Random(number)))
        for number in range(20 * part, 20 * part + 20)
    )
    assert compared["undecided"] < 10, compared


@needs_numba
@pytest.mark.parametrize(
    ("speed", "box", "name"),
    [
        ("2c/4", "5x6", "LWSS"),
        ("2c/4", "5x*", "LWSS"),
        ("c/4d", "4x4", "glider"),
        ("c/4d", "4x*", "glider"),
        ("c/4d", "12x*", "glider"),
    ],
)
def test_ships_of_a_divided_motion_and_on_the_diagonal(speed: str, box: str, name: str) -> None:
    outcome = find(ship(speed, box=box), engine="rows")
    assert isinstance(outcome, Found)
    assert identify(outcome.pattern).name == name
    assert "*" in box or compare_with_sat(ship(speed, box=box)) in ("listed", "found")


@needs_numba
def test_a_ship_of_a_part_of_the_period_is_not_an_answer() -> None:
    """Mirrored ships of c/2 once failed their check where a glide 2c/4 was asked for."""
    rule = "B36/S1247"
    assert isinstance(find(ship("c/2", box="4x5", symmetry="D2v", rule=rule), engine="rows"), Found)
    for symmetry in ("C1", "D2v", "C1:D2v"):
        problem = ship("2c/4", box="4x5", symmetry=symmetry, rule=rule)
        assert compare_with_sat(problem) in ("none", "listed")


@needs_numba
def test_a_period_may_have_any_divisor() -> None:
    """Four rows at once: a ship of 4c/8, and none of it where a part of the period is."""
    rule = "B3aijq5k6k/S1e2ae3ainqr4jr5j6k"
    outcome = find(ship("4c/8", box="3x*", rule=rule))
    assert isinstance(outcome, Found)
    assert outcome.finding.identity.apgcode == "xq8_167"
    assert compare_with_sat(ship("4c/8", box="3x6", rule=rule)) == "listed"
    shorter = "B36/S1247"  # it has a ship of c/2 in this box
    problem = ship("4c/8", box="4x5", symmetry="D2v", rule=shorter)
    assert compare_with_sat(problem) == "none"


@needs_numba
def test_wider_rows_and_diagonals_are_taken() -> None:
    assert ROWS.refuses(ship("c/4d", box="8x8")) is None
    assert ROWS.refuses(ship("c/3", box="32x*", symmetry="D2v")) is None


@needs_numba
@pytest.mark.parametrize(
    ("speed", "symmetry", "side", "rule"),
    [
        ("c/4d", "C1", 4, "B3/S23"),
        ("c/3d", "C1", 4, "B34/S34"),
        ("c/3d", "D2b", 7, "B34/S34"),
        ("c/3d", "D2b", 5, "B35/S234"),
        ("c/4d", "D2b", 6, "B36/S245"),
        ("2c/4d", "D2b", 5, "B2/S0"),
    ],
)
def test_diagonal_ships_in_a_square_are_those_of_sat(
    speed: str, symmetry: str, side: int, rule: str
) -> None:
    for gutter in (False, True) if symmetry == "D2b" else (False,):
        problem = ship(speed, box=f"{side}x{side}", symmetry=symmetry, rule=rule, gutter=gutter)
        assert compare_with_sat(problem) in ("none", "listed")


@needs_numba
@pytest.mark.parametrize("gutter", [False, True])
def test_a_diagonal_width_has_what_its_squares_have(gutter: bool) -> None:
    """A square of n cells meets 2n - 1 diagonals, so what a width has not, no such square has."""
    found = Counter[bool]()
    for rule in ("B34/S34", "B35/S234", "B34/S0346", "B3678/S023", "B3/S23"):
        asked = partial(ship, "c/3d", rule=rule, symmetry="D2b", gutter=gutter)
        wide, square = find(asked(box="9x*")), find(asked(box="5x5"), engine="sat")
        assert isinstance(wide, Found) or isinstance(square, Impossible)
        found[isinstance(wide, Found)] += 1
    assert found[False]
    assert gutter or found[True]


@needs_numba
def test_a_width_of_diagonals_is_verified() -> None:
    problem = ship("c/4d", box="4x*")
    outcome = find(problem)
    assert isinstance(outcome, Found)
    verify(problem, outcome.finding.history)
    narrow = ship("c/4d", box="3x*")
    assert any("meets 4 diagonals" in each for each in complaints(narrow, outcome.finding.history))


@needs_numba
@pytest.mark.parametrize("gutter", [False, True])
def test_a_diagonal_front_is_read_back(gutter: bool) -> None:
    from satlife.rows.hunt import Hunt

    problem = ship("c/5d", box="13x*", symmetry="D2b", gutter=gutter)
    hunt = Hunt(make_quotient(problem), limit=10**9)
    assert not list(hunt.ships())
    front = Pattern.from_array(hunt.quotient.unfold(hunt.best)[1][0]).shift(3, 1)
    rows = read_partial(hunt.quotient, front, problem.width)
    assert len(rows) > 10
    assert rows == hunt.best[: len(rows)]


@needs_numba
def test_ships_that_follow_each_other_are_listed_where_the_height_allows() -> None:
    """A listing in a box once left out two ships in a row, and called itself complete."""
    problem = ship("c/2", box="4x8", rule="B37/S124")
    assert compare_with_sat(problem) == "listed"
    assert len(list(find_all(problem, engine="rows"))) == 2


@needs_numba
def test_a_ship_that_is_longer_than_the_box_is_not_an_answer() -> None:
    problem = ship("c/3", box="12x11", symmetry="D2v")  # the turtle needs 13
    outcome = find(problem, engine="rows")
    assert isinstance(outcome, Impossible)
    assert outcome.word == "exhausted"
    assert "short enough" in outcome.reason
    assert isinstance(find(ship("c/3", box="12x13", symmetry="D2v"), engine="rows"), Found)


@needs_numba
@pytest.mark.parametrize(
    ("speed", "box", "rule"),
    [("c/2", "7x7", "B36/S1247"), ("c/3", "9x7", "B35/S124"), ("c/4", "9x7", "B35/S3478")],
)
def test_a_gutter_is_a_dead_middle_column(speed: str, box: str, rule: str) -> None:
    problem = ship(speed, box=box, rule=rule, symmetry="D2v", gutter=True)
    assert make_quotient(problem).full_width == problem.width
    assert compare_with_sat(problem) in ("none", "found", "listed")


@needs_numba
def test_the_empty_pattern_is_no_ship_and_not_forgotten() -> None:
    """Where the empty pattern is a solution, rows must not say that there is none."""
    asked = ship("c/4", box="5x5")
    assert ROWS.refuses(msgspec.structs.replace(asked, constraints=())) is not None


@needs_numba
def test_the_least_phase_is_taken_for_a_box() -> None:
    outcome = find(ship("2c/5", box="15x12", symmetry="D2v"), engine="rows")
    assert isinstance(outcome, Found)
    assert [cells.shape for cells in outcome.finding.history] == [(12, 15)] * 5
    assert all(np.any(cells) for cells in outcome.finding.history)


TURTLE = ship("c/3", box="12x*", symmetry="D2v")


@needs_numba
def test_a_search_goes_on_from_its_file(tmp_path: Path) -> None:
    problem, file = ship("c/10", box="8x*", symmetry="D2v"), tmp_path / "hunt"
    whole = find(problem)
    assert isinstance(whole, Impossible)
    for _ in range(3):
        assert isinstance(find(problem, save=file, timeout=0.4), Undecided | Impossible)
    last = find(problem, save=file)
    assert isinstance(last, Impossible)
    assert last.provenance is not None
    assert whole.provenance is not None
    assert last.provenance.details["states"] == whole.provenance.details["states"]


@needs_numba
def test_partials_are_told_at_the_end() -> None:
    outcome = find(ship("c/4", box="11x*", symmetry="D2v"), partials=3)
    assert isinstance(outcome, Impossible)
    assert outcome.provenance is not None
    fronts = [Pattern.from_rle(rle) for rle in outcome.provenance.details["partials"]]
    assert len(set(fronts)) == 3
    assert sorted((each.box.height for each in fronts), reverse=True)[0] == fronts[0].box.height
    assert min(each.box.height for each in fronts) > 12  # the deepest, not a sample
    front = fronts[0]
    assert front.box.height > 15
    dead = find(ship("c/4", box="11x*", symmetry="D2v"), extend=front)
    assert isinstance(dead, Undecided)
    assert dead.reason == "the given rows lead to no ship; others were not searched"


@needs_numba
@pytest.mark.parametrize(("speed", "width", "count"), [("c/5", 11, 4), ("c/6", 9, 5)])
def test_no_partial_is_printed_twice(speed: str, width: int, count: int) -> None:
    """Other generations may differ where generation 0 is the same."""
    outcome = find(ship(speed, box=f"{width}x*", symmetry="D2v"), partials=count)
    assert isinstance(outcome, Impossible)
    assert outcome.provenance is not None
    partials = outcome.provenance.details["partials"]
    assert len(set(partials)) == len(partials) == count
    films = [Pattern.from_rle(rle) for rle in partials]
    for shorter, longer in ((b, a) for a, b in combinations(films, 2)):
        assert shorter.box.height <= longer.box.height
        rows = 3 * shorter.box.height // 4
        begins = [
            each.in_box(Box(-99, each.box.y, 200, rows)).tolist() for each in (shorter, longer)
        ]
        assert begins[0] != begins[1]


@needs_numba
def test_an_exhausted_width_says_how_many_states_it_has() -> None:
    outcome = find(ship("c/4", box="11x*", symmetry="D2v"))
    assert isinstance(outcome, Impossible)
    assert re.search(
        r"\[rows, 6,650 states, \d+ rows deep, [\d.]+ s by the clock\]$", describe_outcome(outcome)
    )


@needs_numba
def test_a_front_is_extended_to_its_ship() -> None:
    whole = find(TURTLE)
    assert isinstance(whole, Found)
    turtle = whole.pattern
    front = turtle.crop(Box(turtle.x, turtle.y, turtle.box.width, 8))
    extended = find(TURTLE, extend=front)
    assert isinstance(extended, Found)
    assert extended.finding.identity.name == "turtle"


FLEET = ship("(2,1)c/5", box="9x*", rule="B2-a3ainq4cjqryz5-c6-ak7e8/S23inqr4-acew5eknr6ik7c")
"""Its ship meets 9 lines in all its phases together, and fewer in each."""


@needs_numba
@pytest.mark.parametrize("gap", [3, 4, 6])
def test_an_oblique_front_that_repeats_itself_is_extended(gap: int) -> None:
    """Merged with the rows of the front, a second ship once led nowhere."""
    whole = find(FLEET)
    assert isinstance(whole, Found)
    first = whole.finding.pattern
    front = first | first.shift(gap, 2 * gap)
    extended = find(FLEET, extend=front)
    assert isinstance(extended, Found)
    pattern = extended.finding.pattern
    assert pattern.shift(first.x - pattern.x, first.y - pattern.y) == front


@needs_numba
def test_a_second_turtle_follows_the_first() -> None:
    whole = find(TURTLE)
    assert isinstance(whole, Found)
    front = whole.pattern | whole.pattern.shift(0, 16)
    extended = find(TURTLE, extend=front)
    assert isinstance(extended, Found)
    assert extended.pattern.population == front.population


@needs_numba
def test_an_oblique_partial_leads_no_further_than_its_search() -> None:
    narrow = ship("(2,1)c/6", box="8x*", rule=FLEET.rule)
    outcome = find(narrow, partials=2)
    assert isinstance(outcome, Impossible)
    assert outcome.provenance is not None
    partials = outcome.provenance.details["partials"]
    assert len(partials) == 2
    with pytest.raises(UsageError, match="says nothing for certain; it needs 7"):
        find(narrow, extend=Pattern.from_rle(partials[0]))


@needs_numba
@pytest.mark.parametrize(
    ("rle", "words"),
    [
        ("13o!", "does not lie in the middle"),
        ("3o!", "does not lie in the middle"),
        ("4o!", "says nothing for certain"),
        ("b2o$4o$4o$b2o$b2o$4o$4o$b2o!", "is not as the motion says|no rows that are certain"),
    ],
)
def test_a_front_that_does_not_fit_is_refused(rle: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find(TURTLE, extend=Pattern.from_rle(rle))


def test_what_only_rows_does_is_refused_elsewhere() -> None:
    with pytest.raises(UsageError, match="the engine turns does not take"):
        start(ship("c/4d", box="4x4"), partials=2)


@pytest.mark.parametrize(
    "problem", [TURTLE, ship("c/3", box="4x*", rule="B34/S34")], ids=["turtle", "B34/S34"]
)
def test_a_search_that_has_found_something_tells_of_it_again(
    problem: Problem, tmp_path: Path
) -> None:
    """The second run once said "exhausted: there is no pattern"."""
    file = tmp_path / "hunt"
    first, second = find(problem, save=file), find(problem, save=file)
    assert isinstance(first, Found)
    assert isinstance(second, Found)
    assert second.pattern == first.pattern


def test_a_saved_extension_is_another_search(tmp_path: Path) -> None:
    """Resumed without its front, an extension once said "exhausted" where the turtle is."""
    file, front = tmp_path / "hunt", Pattern.from_rle("2bo6bo$bobo4bobo$o3bo2bo3bo$b2obo2bob2o!")
    assert isinstance(find(TURTLE, save=file, extend=front), Undecided)
    with pytest.raises(UsageError, match="front differs"):
        find(TURTLE, save=file)
    assert isinstance(find(TURTLE, save=file, extend=front), Undecided)


def test_a_listing_that_ran_dry_is_exhausted() -> None:
    listing = find_all(ship("c/3", box="7x*"), engine="rows")
    assert list(listing) == []
    assert listing.result.word == "exhausted"
    assert find_all(still_life(box="3x3")).result.word == "all"


COPPERHEAD = "4b2o$3b4o2$2b6o$3b4o2$2b2o2b2o$2obo2bob2o$3bo2bo3$4b2o$4b2o!"


@needs_numba
def test_a_front_of_the_copperhead_is_finished_by_sat() -> None:
    problem = ship("c/10", box="10x*", symmetry="D2v")
    quotient, copperhead = make_quotient(problem), Pattern.from_rle(COPPERHEAD)
    box = copperhead.box
    rows = quotient.read(0, [copperhead[t].in_box(box) for t in range(10)])
    finished = finish(problem, quotient, rows[:60], Run(Options(timeout=120)))
    assert finished is not None
    verify(problem.with_height(len(finished[0])), finished)
    assert identify(Pattern.from_array(finished[0])).name == "copperhead"


@needs_numba
def test_a_finisher_works_beside_the_search_if_there_are_several_jobs() -> None:
    problem = ship("c/10", box="10x*", symmetry="D2v")
    quotient, copperhead = make_quotient(problem), Pattern.from_rle(COPPERHEAD)
    rows = quotient.read(0, [copperhead[t].in_box(copperhead.box) for t in range(10)])
    for jobs in (1, 2):
        finisher = Finisher(problem, quotient, Run(Options(jobs=jobs)))
        finisher.offer(rows[:70])
        deadline = time.monotonic() + (3 if jobs == 1 else 60)
        while finisher.found is None and time.monotonic() < deadline:
            time.sleep(0.05)
        finisher.close()
        assert (finisher.found is not None) == (jobs == 2)
