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

from satlife.errors import UsageError
from satlife.search import Problem
from satlife.search.certificates import NoneExists, make_statement
from tests.fuzz.drawing import RULES, STATIC, TIMED, TRANSFORMS, draw_raw, write
from tests.fuzz.running import draw_case
from tests.reference import Asked, TooLarge, refused, solutions
from tests.reference.asked import Frame, NoCell
from tests.reference.classing import is_plain

Fields = dict[str, Any]
PARTS, EACH = 6, 25


def mutants(fields: Fields) -> Iterator[Fields]:
    """Yield problems that differ from this one in one place."""
    for i, text in enumerate(fields["boxes"]):
        box = Frame.read(text)
        for dx, dy, dw, dh in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
            boxes = [*fields["boxes"]]
            boxes[i] = f"{box.width + dw}x{box.height + dh}{box.x + dx:+d}{box.y + dy:+d}"
            yield fields | {"boxes": boxes}
    yield from (fields | {"rule": rule} for rule in sorted({*RULES}))
    yield from (fields | {"symmetry": name} for name in (*STATIC, *TIMED, "C1"))
    yield from (fields | {"boundary": name} for name in ("dead", "torus", "free"))
    yield from (fields | {"wrap": wrap} for wrap in ([1, 0], [0, 1], [-1, 0], [2, 0], [0, 0]))
    yield fields | {"include_last": not fields.get("include_last", False)}
    yield fields | {"steps": fields.get("steps", 0) + 1}
    if "motion" in fields:
        yield from (fields | {"motion": each} for each in _mutate_motion(fields["motion"]))
    for name in ("known", "links", "exempt", "constraints"):
        listed = fields.get(name, [])
        for i, each in enumerate(listed):
            yield fields | {name: listed[:i] + listed[i + 1 :]}
            for other in _MUTATE[name](each):
                yield fields | {name: [*listed[:i], other, *listed[i + 1 :]]}
    yield fields | {"exempt": [*fields.get("exempt", []), [0, 0, 1]]}
    yield fields | {"known": [*fields.get("known", []), {"t": 0, "rows": ["o"]}]}
    link = {"first": [0, 0, 0], "second": [1, 0, 0]}
    yield fields | {"links": [*fields.get("links", []), link]}
    for kind in ("full-period", "pattern-period", "not-empty"):
        yield fields | {"constraints": [*fields.get("constraints", []), {"type": kind}]}


def _mutate_motion(motion: Fields) -> Iterator[Fields]:
    yield motion | {"period": motion["period"] + 1}
    for name in ("dx", "dy"):
        yield motion | {name: motion.get(name, 0) + 1}
        yield motion | {name: -motion.get(name, 0)}
    yield from (motion | {"transform": each} for each in (*TRANSFORMS, "identity"))


def _mutate_known(known: Fields) -> Iterator[Fields]:
    for name in ("t", "x", "y"):
        yield known | {name: known.get(name, 0) + 1}
    for y, row in enumerate(known["rows"]):
        for x, state in enumerate(row):
            for other in set(".o?") - {state}:
                rows = [*known["rows"]]
                rows[y] = row[:x] + other + row[x + 1 :]
                yield known | {"rows": rows}


def _mutate_place(place: list[int]) -> Iterator[list[int]]:
    for axis in range(3):
        yield [n + (i == axis) for i, n in enumerate(place)]


def _mutate_link(link: Fields) -> Iterator[Fields]:
    yield link | {"opposite": not link.get("opposite", False)}
    for name in ("first", "second"):
        yield from (link | {name: place} for place in _mutate_place(link[name]))


def _mutate_constraint(constraint: Fields) -> Iterator[Fields]:
    if constraint["type"] == "not-empty":
        yield constraint | {"t": constraint.get("t", 0) + 1}
        return
    if "period" in constraint["type"]:
        return
    bound = {"least": constraint.get("least", 0), "most": constraint.get("most")}
    yield constraint | {"least": bound["least"] + 1}
    yield constraint | {"most": (bound["most"] or 0) + 1}
    for other in ("rotor", "stator", "width", "height", "area", "population"):
        yield {"type": other, **bound}
    if constraint["type"] == "population":
        yield from (
            constraint | {"generation": which} for which in (0, 1, "every", "least", "most")
        )
    if constraint["type"] == "difference":
        yield constraint | {"generation": constraint.get("generation", 0) + 1}
        for known in _mutate_known(constraint | {"t": 0}):
            yield {k: v for k, v in known.items() if k != "t"}


_MUTATE: dict[str, Callable[[Any], Iterator[Any]]] = {
    "known": _mutate_known,
    "links": _mutate_link,
    "exempt": _mutate_place,
    "constraints": _mutate_constraint,
}


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


def twins(number: int, words: Callable[[Problem], str]) -> Iterator[tuple[Problem, Problem]]:
    """Yield problems with the same words and other solutions."""
    chance = random.Random(f"twins {number}")
    fields = draw_raw(chance, "planted") if number % 3 else None
    problem = read(json.loads(write(fields))) if fields else draw_case(99, number).problem
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
