"""The plain formula agrees with every encoding and with brute force, and stays plain."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from satlife.errors import UsageError
from satlife.life import Rule
from satlife.sat import Formula
from satlife.search import ENCODINGS, Encoding, Known, Link, Movement, Problem, audit, build
from satlife.search.build import PROBLEM_COMMENT
from satlife.search.constraints import (
    Area,
    Constraint,
    Difference,
    FullPeriod,
    Height,
    NotEmpty,
    PatternPeriod,
    Population,
    Rotor,
    Stator,
    Width,
)
from tests.search.brute import count_solutions
from tests.search.kit import RULES
from tests.search.test_bounds import bounded
from tests.search.test_brute_force import problems

MOST = 200
SOURCE = Path(audit.__file__).read_text()
C3 = Problem(
    boxes=("8x8",), motion=Movement(period=3, dy=-1), symmetry="D2|", constraints=(NotEmpty(),)
)


def count(formula: Formula, cells: Iterable[int], most: int = MOST) -> int:
    """How many solutions there are on some cells; no more than ``most`` are counted."""
    wanted = sorted(set(cells))
    found = 0
    with Solver("g4", bootstrap_with=[list(clause) for clause in formula]) as solver:
        while found < most and solver.solve():
            found += 1
            model = set(solver.get_model())
            solver.add_clause([-v if v in model else v for v in wanted])
    return found


def audited(problem: Problem) -> int:
    formula = audit.audit_formula(problem)
    names = [name.decode() for name in formula.names.tolist()]  # type: ignore[union-attr]
    box = problem.all_boxes[0]
    first = [f"x{x}y{y}t0" for y in range(box.y, box.bottom) for x in range(box.x, box.right)]
    return count(formula, [names.index(name) + 1 for name in first])


def encoded(problem: Problem, encoding: Encoding | None = None) -> int:
    built = build(problem, encoding)
    literals = abs(built.spacetime.generation(0)).ravel().tolist()
    return count(built.formula, [v for v in literals if v <= built.spacetime.variables])


def agree(problem: Problem, encoding: Encoding) -> int:
    """Check that both ways give as many solutions, and return how many."""
    number = audited(problem)
    assert number == encoded(problem, encoding)
    return number


COVERED = (NotEmpty, FullPeriod, PatternPeriod, Population, Rotor, Stator)


@settings(max_examples=250, suppress_health_check=list(HealthCheck), deadline=None)
@given(problems(), st.sampled_from(ENCODINGS))
def test_any_problem_has_as_many_solutions_as_by_brute_force(
    problem: Problem, encoding: Encoding
) -> None:
    assert agree(problem, encoding) == min(count_solutions(problem), MOST)


@settings(max_examples=250, suppress_health_check=list(HealthCheck), deadline=None)
@given(bounded(), st.sampled_from(ENCODINGS))
def test_any_bounded_problem_has_as_many_solutions_as_by_brute_force(
    problem: Problem, encoding: Encoding
) -> None:
    assume(all(isinstance(each, COVERED) for each in problem.constraints))
    assert agree(problem, encoding) == min(count_solutions(problem), MOST)


GLIDES = (
    ("C1:C2", 2, 0, 0),
    ("C1:D2|", 2, 0, -1),
    ("C1:D2\\", 4, -1, -1),
    ("C1:C4", 4, 0, 0),
    ("C2:C4", 2, 0, 0),
    ("D2|:D4+", 2, 0, 0),
    ("C2:D4+", 4, 0, 0),
)
TURNS = ("half-turn", "quarter-turn-clockwise", "flip-left-right", "flip-diagonal")


@pytest.mark.parametrize("boundary", ["dead", "torus"])
@pytest.mark.parametrize(("symmetry", "period", "dx", "dy"), GLIDES)
def test_time_operations(symmetry: str, period: int, dx: int, dy: int, boundary: str) -> None:
    motion = Movement(period=period, dx=dx, dy=2 * dy if "|" in symmetry else dy)
    for box, rule in product(("3x3", "4x4"), ("B3/S23", "B2/S", "B1357/S1357")):
        problem = Problem(
            boxes=(box,), rule=rule, motion=motion, symmetry=symmetry, boundary=boundary
        )
        agree(problem, ENCODINGS[0])


@pytest.mark.parametrize("turn", TURNS)
def test_motions_that_turn(turn: str) -> None:
    for rule, include_last, box in product(("B3/S23", "B2/S"), (False, True), ("3x3", "4x4")):
        for dx, dy in ((0, 0), (1, 0), (0, -1)):
            motion = Movement(period=2, dx=dx, dy=dy, transform=turn)
            problem = Problem(boxes=(box,), rule=rule, motion=motion, include_last=include_last)
            agree(problem, ENCODINGS[0])


@pytest.mark.parametrize("wrap", [(1, 0), (0, 1), (2, 0), (0, -1)])
def test_shifted_tori(wrap: tuple[int, int]) -> None:
    for rule, box in product(("B3/S23", "B2/S", "B36/S23"), ("3x3", "4x2", "2x3", "1x5", "3x4")):
        motion = Movement(period=2, dx=1)
        agree(
            Problem(boxes=(box,), rule=rule, motion=motion, boundary="torus", wrap=wrap),
            ENCODINGS[0],
        )


PLACES = st.tuples(st.integers(-1, 4), st.integers(-1, 4), st.integers(0, 2))


@settings(max_examples=100, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data(), st.sampled_from(["dead", "torus", "free"]), st.sampled_from(ENCODINGS))
def test_links_exempt_and_known_cells(
    data: st.DataObject, boundary: str, encoding: Encoding
) -> None:
    links = [
        Link(first=a, second=b, opposite=c)
        for a, b, c in data.draw(st.lists(st.tuples(PLACES, PLACES, st.booleans()), max_size=2))
    ]
    boxes = (
        ("3x3", "4x3", "3x4-1+0") if boundary != "torus" and data.draw(st.booleans()) else ("3x3",)
    )
    known = Known(t=data.draw(st.integers(0, 2)), rows=(data.draw(st.text("?.o?", max_size=3)),))
    exempt = [p for p in data.draw(st.lists(PLACES, max_size=3)) if boundary != "torus"]
    problem = Problem(
        boxes=boxes,
        steps=2,
        boundary=boundary,
        links=tuple(links),
        known=(known,),
        exempt=tuple(exempt),
    )
    agree(problem, encoding)


FORBIDDEN = {
    "numpy",
    "cardinality",
    "components",
    "cover",
    "encodings",
    "measures",
    "periods",
    "spacetime",
    "transitions",
    "build",
}


def test_it_is_short_and_uses_nothing_of_the_encoder() -> None:
    assert len(SOURCE.splitlines()) <= 200
    words = set()
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            parts = [getattr(node, "module", None) or "", *(name.name for name in node.names)]
            words |= {word for part in parts for word in part.split(".")}
    assert not words & FORBIDDEN


@pytest.mark.parametrize("rule", RULES)
def test_the_clauses_of_a_step_decide_all_neighbourhoods(rule: str) -> None:
    clauses = [set(clause) for clause in audit.rule_clauses(Rule(rule))]
    for index, successor in product(range(512), (0, 1)):
        states = {k if index >> (9 - k) & 1 else -k for k in range(1, 10)}
        states.add(10 if successor else -10)
        assert all(c & states for c in clauses) == (Rule(rule).table[index] == successor)


def test_each_sentence_has_its_comment_and_the_bytes_are_the_same_twice() -> None:
    known = Known(t=1, rows=("o?",))
    link = Link(first=(0, 0, 0), second=(1, 1, 1))
    problem = msgspec.structs.replace(C3, known=(known,), links=(link,))
    text = audit.audit_formula(problem).to_dimacs()
    assert text == audit.audit_formula(Problem.from_json(problem.to_json())).to_dimacs()
    assert text.startswith(f"c {PROBLEM_COMMENT}")
    assert [line for line in text.splitlines() if line.startswith("c block")] == [
        "c block cells outside the boxes are dead",
        "c block generation 1 follows from generation 0",
        "c block generation 2 follows from generation 1",
        "c block generation 3 follows from generation 2",
        "c block generation 3 is generation 0 moved by (0, -1)",
        "c block symmetry D2|: flip-left-right, 0 generations later",
        "c block known cells of generation 1",
        "c block links",
        "c block constraint: generation 0 is not empty",
    ]
    names = audit.audit_formula(problem).names
    assert names is not None
    assert {b"x0y0t0", b"x7y7t3", b"x-1y-2t0"} <= set(names.tolist())


@pytest.mark.parametrize("what", [Width(most=3), Height(), Area(), Difference(rows=("o",))])
def test_what_is_not_covered_is_refused(what: Constraint) -> None:
    with pytest.raises(UsageError, match="not covered by certificates yet"):
        audit.audit_formula(msgspec.structs.replace(C3, constraints=(what,)))


def test_shifted_tori_with_symmetry_are_refused() -> None:
    problem = Problem(
        boxes=("4x4",), motion=Movement(period=1), boundary="torus", wrap=(1, 0), symmetry="D2|"
    )
    with pytest.raises(UsageError, match="not covered by certificates yet"):
        audit.audit_formula(problem)
