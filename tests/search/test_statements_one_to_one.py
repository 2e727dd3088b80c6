"""Whoever reads a statement knows the problem: other problems have other statements.

Where two statements are the same but for the problem's name, the problems must have the same
solutions, by brute force.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from satlife import Problem
from satlife.certificates import NoneExists, make_statement
from satlife.errors import UsageError
from tests.fuzz.drawing import draw_raw, write
from tests.fuzz.mutants import mutants
from tests.fuzz.running import draw_subject
from tests.fuzz.sorts import find_sorts
from tests.reference import Asked, TooLarge, refused, solutions
from tests.reference.asked import NoCell
from tests.reference.classing import is_plain

Fields = dict[str, Any]
PARTS, EACH = 6, 25


def solution_set(problem: Problem, frame: Asked) -> set[frozenset[tuple[int, int, int]]] | None:
    """Return the live cells (x, y, t) of each solution; None if there are too many.

    On a torus where no cell is named they count from the corner of the box, for its place says
    nothing; otherwise, copies of a cell are those of the frame.
    """
    try:
        asked, found = Asked(problem.to_json()), solutions(problem.to_json(), 2**14)
    except (TooLarge, NoCell):
        return None
    torus = asked.boundary == frame.boundary == "torus"
    corner = (asked.boxes[0].x, asked.boxes[0].y) if torus and is_plain(asked) else (0, 0)
    move = (frame.boxes[0].x, frame.boxes[0].y) if torus and is_plain(asked) else (0, 0)
    return {
        frozenset(
            (*frame.in_tile((x - corner[0] + move[0], y - corner[1] + move[1])), t)
            for t, box in enumerate(asked.boxes)
            for x, y in box
            if history[t][y - box.y, x - box.x]
        )
        for history in found
    }


def statement(problem: Problem) -> str:
    """Return the statement without the problem's name."""
    return make_statement(problem, NoneExists()).replace(problem.name, "")


def read(fields: Fields) -> Problem | None:
    text = json.dumps(fields)
    try:
        problem = Problem.from_json(text)
        return None if refused(problem.to_json()) else problem
    except (UsageError, NoCell):
        return None


def draw_any(number: int) -> Problem:
    """Draw a problem of a sort that is made of nothing but a problem."""
    sorts = find_sorts(["planted", "kind", "object", "wild"])
    _, text, _ = draw_subject(99, number, sorts=sorts)
    return Problem.from_json(text)


def twins(number: int, words: Callable[[Problem], str]) -> Iterator[tuple[Problem, Problem]]:
    """Yield problems with the same words and other solutions."""
    chance = random.Random(f"twins {number}")
    fields = draw_raw(chance, "planted") if number % 3 else None
    problem = read(json.loads(write(fields))) if fields else draw_any(number)
    if problem is None:
        return
    said, mine = words(problem), None
    for mutant in mutants(json.loads(problem.to_json())):
        other = read(mutant)
        if other is None or other.name == problem.name or words(other) != said:
            continue
        frame = Asked(problem.to_json())
        mine = mine or solution_set(problem, frame)
        theirs = solution_set(other, frame)
        if mine is not None and theirs is not None and mine != theirs:
            yield problem, other


@pytest.mark.parametrize("part", range(PARTS))
def test_other_problems_have_other_statements(part: int) -> None:
    for number in range(part * EACH, (part + 1) * EACH):
        for one, other in twins(number, statement):
            same = f"{one.to_json().decode()}\n{other.to_json().decode()}"
            pytest.fail(f"one statement for two problems:\n{same}\n{statement(one)}")
