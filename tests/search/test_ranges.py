"""A pattern works in a range of rules if it is a solution, with the same generations, in each."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satlife
from satlife import Problem
from satlife.life import Pattern
from satlife.life.motion import Motion
from satlife.life.rulespaces import RuleSpace, rules_of
from satlife.verifier.generations import VerificationError
from satlife.verifier.verify import (
    complaints,
    find_rules,
    pattern_complaints,
    settle_rule,
)
from tests.reference import Asked, History, is_solution
from tests.reference.rules import Table, read_rules

SETS = ("B45[6]/S1234[5]", "B[1]2[3]/S[2]3", "B[3]/S[0][1]", "B2-a[2a]3-i[3i]/S[2i]3")
PROBLEMS = (
    satlife.oscillator(2, box="3x3"),
    satlife.still_life(box="3x3"),
    satlife.ship("c/2", box="3x4", include_last=True),
    satlife.oscillator(3, box="3x3", symmetry="D2|", population="<=4"),
    satlife.oscillator(2, box="3x3", symmetry="C1:C2"),
    satlife.agar(2, box="3x3"),
    Problem(boxes=("3x2",), motion=Motion(period=2), boundary="torus", wrap=(1, 0)),
    Problem(boxes=("4x4",), steps=2),
    Problem(boxes=("3x3",), steps=2, boundary="torus"),
    Problem(boxes=("2x2", "4x4-1-1", "6x6-2-2"), steps=2),
    Problem(boxes=("5x5", "3x3+1+1"), steps=1, boundary="free"),
    Problem(boxes=("3x3",), steps=2, exempt=((1, 1, 1), (0, 1, 2))),
    Problem(boxes=("3x3",), motion=Motion(period=2), exempt=((1, 1, 1), (0, 1, 2))),
    Problem(boxes=("3x3",), motion=Motion(period=1, transform="quarter-turn-clockwise")),
)


def run(problem: Problem, first: int, table: Table) -> History:
    """Return the generations of a numbered generation 0, cut to their boxes."""
    asked = Asked(problem.to_json())
    box = asked.boxes[0]
    bits = [first >> k & 1 for k in range(box.width * box.height)]
    history = [np.array(bits, np.uint8).reshape(box.height, box.width)]
    for t, frame in enumerate(asked.boxes[1:]):
        states = np.zeros((frame.height, frame.width), np.uint8)
        for x, y in frame:
            number = 0
            for i, j in product((-1, 0, 1), repeat=2):
                cell = asked.cell((x + j, y + i), t)
                alive = (
                    not isinstance(cell, str)
                    and history[t][cell[0][1] - asked.boxes[t].y, cell[0][0] - asked.boxes[t].x]
                )
                number = 2 * number + int(alive)
            states[y - frame.y, x - frame.x] = table[number]
        history.append(states)
    return tuple(history)


def parts_of(space: RuleSpace) -> list[RuleSpace]:
    """Return every range of a set, from single rules to the whole."""
    return [space.fill(fates) for fates in product((False, True, None), repeat=len(space.places))]


@pytest.mark.parametrize("rules", SETS)
@pytest.mark.parametrize("problem", PROBLEMS)
@settings(max_examples=5)
@given(
    st.integers(0, 7),
    st.tuples(*[st.integers(0, (1 << 25) - 1)] * 2),
    st.none() | st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 1)),
)
def test_generations_are_a_solution_in_a_range_if_they_are_one_in_each_of_its_rules(
    problem: Problem,
    rules: str,
    number: int,
    cells: tuple[int, int],
    change: tuple[int, int, int] | None,
) -> None:
    problem, space = problem.with_rule(rules), RuleSpace(rules)
    first = cells[0] & cells[1]  # few cells, so that often none leaves its box
    history = run(problem, first, read_rules(rules).tables[number % space.size])
    if change is not None:  # few generations follow by no rule at all
        t, y, x = change
        history[t % len(history)][y % len(history[0]), x] ^= 1
    solved = {
        str(rule)
        for rule in space.rules()
        if is_solution(problem.with_rule(str(rule)).to_json(), history)
    }
    assert (not list(complaints(problem, history))) is bool(solved)
    for part in parts_of(space):
        words = list(complaints(problem.with_rule(str(part)), history, every=True))
        assert (not words) is solved.issuperset(map(str, part.rules())), part
    if solved:
        found = find_rules(problem, history)
        assert found is not None
        assert {str(rule) for rule in found.rules()} == solved
        assert settle_rule(problem, history).rule == str(found.least)


@pytest.mark.parametrize(
    ("rules", "box"), [("B45[6]/S1234[5]", "3x3"), ("B2-a[2a]3-i[3i]/S3", "2x4")]
)
def test_all_patterns_of_a_small_box_in_all_ranges(rules: str, box: str) -> None:
    problem, space = satlife.oscillator(2, box=box, rule=rules), RuleSpace(rules)
    frame = problem.all_boxes[0]
    several = 0
    for first in range(1, 1 << frame.area, 2):  # those with a live cell in the corner
        alone = {}  # by each rule that makes it a solution, its generations
        for rule in space.rules():
            one = problem.with_rule(str(rule))
            history = run(one, first, read_rules(str(rule)).tables[0])
            if is_solution(one.to_json(), history):
                alone[str(rule)] = tuple(states.tobytes() for states in history)
        if not alone:
            continue
        states = run(problem, first, read_rules(rules).tables[0])[0]
        several += len(set(alone.values())) > 1
        for part in parts_of(space):
            pattern = Pattern.from_array(states, frame.x, frame.y, part.least)
            words = list(pattern_complaints(problem.with_rule(str(part)), pattern, every=True))
            films = {alone.get(str(rule)) for rule in part.rules()}
            assert (not words) is (len(films) == 1 and None not in films), (part, first)
    assert several or box != "3x3"  # other rules make another solution of the same pattern


def test_two_rules_with_a_pattern_do_not_speak_for_the_rules_between_them() -> None:
    """Both ends of the range have it, by other generations; two rules between them do not."""
    rules, rle = "B45[6]/S1234[5]", "#CXRLE Pos=0,0\nx = 3, y = 3, rule = B45/S1234\n3o$3o$bo!"
    pattern, problem = Pattern.from_rle(rle), satlife.oscillator(2, box="3x3", rule=rules)
    works = [
        not list(pattern_complaints(problem.with_rule(str(rule)), pattern))
        for rule in RuleSpace(rules).rules()
    ]
    assert works == [True, False, True, True]
    assert list(pattern_complaints(problem, pattern, every=True)) == [
        f"only B45[6]/S1234 has these generations, not all of {rules}"
    ]
    assert not list(pattern_complaints(problem, pattern))
    other = pattern.with_rule("B3/S23")
    assert list(pattern_complaints(problem, other)) == [f"its rule B3/S23 is not one of {rules}"]


@pytest.mark.parametrize("rle", ["bo$2bo$3o!", "3o!", "2o$2o!", "b2o$obo$bo!"])
@pytest.mark.parametrize("family", ["outer-totalistic", "isotropic"])
def test_the_rules_of_a_pattern_are_those_of_its_generations(rle: str, family: str) -> None:
    pattern = Pattern.from_rle(rle)
    found = rules_of(pattern, family=family)
    problem = Problem(boxes=("8x8-2-2",), steps=4, rule=family)
    history = tuple(pattern[t].in_box(box) for t, box in enumerate(problem.all_boxes))
    assert find_rules(problem, history) == found
    assert not list(complaints(problem.with_rule(str(found)), history, every=True))
    assert list(complaints(problem, history, every=True))


def test_generations_of_no_rule_have_no_problem() -> None:
    solid = np.ones((3, 3), np.uint8)
    problem = satlife.oscillator(2, box="3x3", rule="B3[4]/S23")
    with pytest.raises(VerificationError, match="no rule of"):
        settle_rule(problem, (solid, solid))


@pytest.mark.parametrize(
    ("rle", "why"),
    [
        ("2A$2B!", ""),
        ("2A!", "the dying cells of generation 1 are not those of generation 0"),
        ("2A$2B$$2B!", "the dying cells of generation 1 are not those of generation 0"),
        ("2A$AB!", "does not follow"),
    ],
)
def test_a_ship_with_dying_cells_is_run_with_all_its_states(rle: str, why: str) -> None:
    pattern = Pattern.from_rle(f"#CXRLE Pos=1,0\nx = 2, y = 4, rule = /2/3\n{rle}")
    problem = satlife.ship("c", box="4x4", rule="/2/3")
    assert why in next(pattern_complaints(problem, pattern), "")
    assert bool(why) is bool(list(pattern_complaints(problem, pattern)))
