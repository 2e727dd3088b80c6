"""Exact boxes: the theorem of ``problem/exact.py`` against a brute force that knows nothing of it.

Every solution of a problem, shifted to the corner, is a solution of exactly one of its parts, and
the parts have no others.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from satlife import Found, Problem, Undecided, find, oscillator, ship, still_life
from satlife.engine.sat import attempt
from satlife.errors import UsageError
from satlife.formula.build import build
from satlife.formula.least_images import free_isometries
from satlife.formula.spacetime import SpaceTime
from satlife.life.box import Box
from satlife.life.symmetry import SYMMETRIES, Symmetry
from satlife.problem.constraints import Difference, Gutter, Height, Population, Width
from satlife.problem.exact import (
    ExactBox,
    can_be_shifted,
    choose_low,
    cover,
    find_steps,
    has_exact_boxes,
    list_parts,
    narrow,
    place,
)
from satlife.problem.statement import Known
from satlife.sat.cubes import conquest
from satlife.verifier.verify import complaints
from tests.fuzz.drawing import draw_raw, write
from tests.reference import History, TooLarge, solutions

Shape = tuple[frozenset[tuple[int, int]], ...]
LARGEST = 1 << 16


def shape(history: History) -> Shape:
    """The live cells of all generations, shifted so that together they begin at (0, 0)."""
    alive = [np.argwhere(states == 1) for states in history]
    cells = np.concatenate(alive)
    corner = cells.min(axis=0) if len(cells) else np.zeros(2, int)
    return tuple(frozenset(map(tuple, (each - corner).tolist())) for each in alive)


def shapes(problem: Problem) -> set[Shape]:
    return {shape(history) for history in solutions(problem.to_json(), LARGEST)}


def draw_low(chance: random.Random, problem: Problem) -> str:
    """A box from which the parts of a problem may begin."""
    box, group = problem.all_boxes[0], problem.parsed.symmetry.group
    across, down = find_steps(problem.parsed.symmetry)
    wide = chance.choice(range(box.width, 0, -across))
    high = chance.choice(range(box.height, 0, -down))
    if any(turn.swaps_axes for turn in group):
        high = wide
    return f"{wide}x{high}"


def check_parts(problem: Problem, low: str) -> int:
    """Compare the solutions of all parts with those of the whole; return how many there are."""
    whole, seen = shapes(problem), Counter[Shape]()
    for part in cover(problem, low):
        narrowed = narrow(problem, part)
        found = solutions(narrowed.to_json(), LARGEST)
        seen.update({shape(history) for history in found})
        for history in found[:3]:
            assert not list(complaints(problem, place(problem, history)))
    assert set(seen) == whole
    assert set(seen.values()) <= {1}
    return len(whole)


class TestTheorem:
    def test_drawn_problems_have_their_solutions_in_parts(self):
        chance, checked, solved = random.Random(24), 0, 0
        symmetries = Counter[str]()
        while checked < 150:
            try:
                problem = Problem.from_json(write(draw_raw(chance, "dead")))
            except UsageError:
                continue
            if not has_exact_boxes(problem) or problem.has_open_rule:
                continue
            try:
                count = check_parts(problem, draw_low(chance, problem))
            except TooLarge:
                continue
            checked, solved = checked + 1, solved + (count > 0)
            symmetries[problem.symmetry] += 1
        assert solved > 40
        assert len(symmetries) > 5

    @pytest.mark.parametrize("symmetry", [str(each) for each in SYMMETRIES if each.factor == 1])
    @pytest.mark.parametrize("rule", ["B3/S23", "B2/S", "B1/S1"])
    def test_all_symmetries(self, symmetry, rule):
        chance, count = random.Random(symmetry), 0
        for side in (3, 4):
            for sizes in ((side, side), (side, side - 1), (side - 1, side)):
                box = "x".join(map(str, sizes))
                try:
                    turning = oscillator(2, box=box, symmetry=symmetry, rule=rule)
                except UsageError:
                    continue
                still = still_life(box=box, symmetry=symmetry, rule=rule)
                for problem in (turning, still):
                    count += check_parts(problem, draw_low(chance, problem))
        assert count or rule != "B3/S23"

    def test_ships_that_move_along_their_axis(self):
        problem = ship("c", box="4x3", symmetry="D2|", rule="B2/S")
        assert check_parts(problem, "2x1") > 0

    def test_a_diagonal_symmetry_moves_along_its_own_diagonal(self):
        for name in ("D2\\", "D2/"):
            problem = still_life(box="4x4", symmetry=name)
            assert check_parts(problem, "1x1") > 0


class TestParts:
    def test_the_parts_of_a_range(self):
        parts = cover(ship("c/3", box="5x4"), "4x3")
        assert parts == (
            ExactBox("4x3"),
            ExactBox("5x3", ("width",)),
            ExactBox("4x4", ("height",)),
            ExactBox("5x4", ("width", "height")),
        )

    def test_only_fitting_sizes(self):
        mirrored = cover(ship("c/3", box="7x4", symmetry="D2|"), "3x3")
        assert [part.box for part in mirrored] == ["3x3", "5x3", "7x3", "3x4", "5x4", "7x4"]
        squares = cover(oscillator(3, box="7x7", symmetry="C4"), "3x3")
        assert [part.box for part in squares] == ["3x3", "5x5", "7x7"]
        diagonal = cover(oscillator(3, box="5x5", symmetry="D2\\"), "3x3")
        assert [part.box for part in diagonal] == ["3x3", "4x4", "5x5"]
        assert diagonal[-1].sides == ("width", "height")

    @pytest.mark.parametrize("low", ["6x4", "3x5", "9x9"])
    def test_a_low_box_must_fit(self, low):
        with pytest.raises(UsageError, match="does not fit"):
            cover(ship("c/3", box="7x4", symmetry="D2|"), low)

    def test_an_exact_box_takes_four_clauses(self):
        problem = ship("c/3", box="8x12")
        exact = narrow(problem, ExactBox("8x12", ("width", "height")))
        plain, narrowed = build(problem).formula, build(exact).formula
        assert narrowed.variables == plain.variables
        assert narrowed.clauses == plain.clauses + 4

    @pytest.mark.parametrize(
        "change",
        [
            {"include_last": True},
            {"symmetry": "C1:C2"},
            {"known": (Known(t=0, x=0, y=0, rows=("o",)),)},
            {"constraints": (Difference(rows=("o",), most=3),)},
            {"boundary": "torus"},
        ],
    )
    def test_what_names_a_place_has_no_exact_boxes(self, change):
        plain = oscillator(2, box="4x4")
        assert has_exact_boxes(plain)
        named = replace(plain, **change)
        assert not has_exact_boxes(named)
        assert not can_be_shifted(named)
        with pytest.raises(UsageError, match="a place has a name"):
            cover(named, "3x3")

    def test_a_gutter_and_a_turning_motion_have_none(self):
        mirrored = oscillator(2, box="5x5", symmetry="D2|")
        assert has_exact_boxes(mirrored)
        assert not can_be_shifted(mirrored)
        gutter = replace(mirrored, constraints=(*mirrored.constraints, Gutter()))
        assert not has_exact_boxes(gutter)

    def test_bounds_that_a_shift_keeps(self):
        problem = oscillator(2, box="4x4")
        more = (Population(most=6), Width(least=3), Height(most=3))
        assert check_parts(replace(problem, constraints=(*problem.constraints, *more)), "2x2") > 0


class TestTurnedParts:
    def test_a_part_that_is_another_one_turned_is_left_out(self):
        boxes = [part.box for part in list_parts(oscillator(3, box="8x8"))]
        assert boxes == ["6x6", "6x7", "7x7", "6x8", "7x8", "8x8"]

    @pytest.mark.parametrize(
        "problem",
        [
            ship("c/3", box="8x8"),
            oscillator(3, box="8x9"),
            oscillator(3, box="8x8", symmetry="D2|"),
            oscillator(3, box="8x8", width="<=7"),
            oscillator(3, box="8x8", rule="MAP" + "AAAB" * 21 + "AA"),
        ],
    )
    def test_all_parts_are_asked_where_no_turn_swaps_the_sides(self, problem):
        assert list_parts(problem) == cover(problem, choose_low(problem))

    def test_diagonal_ships_turn_about_their_way(self):
        assert len(list_parts(ship("c/4d", box="8x8"))) == 6

    def test_drawn_problems_lose_nothing(self):
        chance, checked = random.Random(7), 0
        while checked < 40:
            try:
                problem = Problem.from_json(write(draw_raw(chance, "dead")))
            except UsageError:
                continue
            box = problem.all_boxes[0]
            if not has_exact_boxes(problem) or problem.has_open_rule or box.width != box.height:
                continue
            try:
                solved = [bool(shapes(narrow(problem, part))) for part in list_parts(problem)]
                assert any(solved) == bool(shapes(problem))
            except TooLarge:
                continue
            checked += 1


class TestSearchByParts:
    @pytest.fixture(autouse=True)
    def _at_once(self, monkeypatch):
        """Let every search with several jobs be divided after its first conflicts."""
        monkeypatch.setattr(attempt, "FENCE", 1)
        monkeypatch.setattr(attempt, "TABLE", [replace_row(row) for row in attempt.TABLE])
        monkeypatch.setattr(conquest, "SMALLEST_BUDGET", 1)

    @pytest.mark.parametrize(
        "problem",
        [
            ship("c/4d", box="5x5"),
            ship("c/2", box="5x4"),
            ship("c/2", box="7x5", symmetry="D2|"),
            ship("c/2", box="8x6"),
            oscillator(3, box="6x6"),
            oscillator(2, box="5x5", symmetry="C4"),
            oscillator(2, box="6x6", symmetry="D2/"),
            oscillator(2, box="6x6", population="<=3"),
            oscillator(4, box="5x5"),
        ],
        ids=lambda problem: f"{problem.kind} {problem.boxes[0]} {problem.symmetry}",
    )
    def test_the_answer_is_that_of_one_job(self, problem):
        outcome = find(problem, jobs=2, restrictions=False)
        assert type(outcome) is type(find(problem, jobs=1))
        if isinstance(outcome, Found):
            assert outcome.finding.problem == problem
            assert not list(complaints(problem, outcome.finding.history))

    def test_parts_are_counted_as_cases(self):
        outcome = find(oscillator(3, box="6x6"), jobs=2)
        assert outcome.provenance.details["cases"] >= 3

    def test_limits_hold_in_parts(self, monkeypatch):
        monkeypatch.setattr(attempt, "FENCE", 1000)
        monkeypatch.setattr(conquest, "SMALLEST_BUDGET", 500)
        outcome = find(ship("c/3", box="9x9"), jobs=2, conflicts=4000)
        assert isinstance(outcome, Undecided)
        assert outcome.reason == "conflict limit"


def replace_row(row: attempt.Row) -> attempt.Row:
    return replace(row, hunts=False, divides=True, solver="cadical195")


def test_steps_follow_from_the_group():
    steps = {name: find_steps(Symmetry(name)) for name in ("C1", "C2", "D2-", "D2/", "D4x", "D8")}
    assert steps == {
        "C1": (1, 1),
        "C2": (2, 2),
        "D2-": (1, 2),
        "D2/": (1, 1),
        "D4x": (2, 2),
        "D8": (2, 2),
    }
    assert Box.parse("3x3").area == ExactBox("3x3").area


def test_an_exact_square_has_all_symmetries_of_its_box():
    """The width becomes the height, and both are asked for, so what swaps them may be broken."""
    for whole in (oscillator(3, box="5x5"), ship("c/4d", box="5x5")):
        part = narrow(whole, ExactBox("5x5", ("width", "height")))
        one_side = narrow(whole, ExactBox("5x5", ("width",)))
        counts = [len(list(free_isometries(SpaceTime(each)))) for each in (whole, part, one_side)]
        assert counts[0] == counts[1] > counts[2]


def test_a_single_exact_box_is_the_problem_itself_and_is_divided_by_its_cells():
    problem = oscillator(7, box="7x7", symmetry="C2")
    assert len(list_parts(problem)) == 1
    outcome = find(problem, jobs=2, restrictions=False)
    assert outcome.provenance.details["cases"] > 1
