"""The plain formula agrees with every encoding and with brute force, and stays plain."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, product
from types import TracebackType
from typing import Any, Self, get_args

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from satlife import ENCODINGS, Encoding, Known, Link, Motion, Problem, build, kinds, verify
from satlife.audit import formula as audit
from satlife.audit import rule_clauses
from satlife.errors import UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.life import Rule
from satlife.problem.constraints import Area, Constraint, Height, NotEmpty, Width
from satlife.problem.problem import PROBLEM_COMMENT, problem_comments
from satlife.sat import Formula, dumps
from satlife.sat.logic import TRUE
from tests.search.brute import count_solutions
from tests.search.draws import GLIDES, NOTATIONS, SHIFTS, TABLES, TURNS, draw
from tests.search.kit import RULES
from tests.search.test_bounds import bounded
from tests.search.test_brute_force import problems

MOST = 25
C3 = Problem(
    boxes=("8x8",), motion=Motion(period=3, dy=-1), symmetry="D2|", constraints=(NotEmpty(),)
)
Solution = tuple[bool, ...]
"""The cells of all generations that have cells of their own, row by row."""


# --- solutions ----------------------------------------------------------------------------------


class Asked:
    """A formula and its cells, in a solver."""

    def __init__(self, formula: Formula, cells: Sequence[int]) -> None:
        self.cells = cells
        self.free = formula.variables + 1
        self.solver = Solver("g4", bootstrap_with=[list(clause) for clause in formula])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.solver.delete()

    def solutions(self) -> Iterator[Solution]:
        """All solutions, each once."""
        wanted = sorted({abs(cell) for cell in self.cells} - {TRUE})
        while self.solver.solve([self.free]):
            model = {TRUE, *self.solver.get_model()}
            yield tuple(cell in model for cell in self.cells)
            self.solver.add_clause([-v if v in model else v for v in wanted] + [-self.free])

    def allows(self, solution: Solution) -> bool:
        """Whether this is a solution, found before or not."""
        literals = [
            cell if alive else -cell for cell, alive in zip(self.cells, solution, strict=True)
        ]
        given = [literal for literal in literals if abs(literal) != TRUE]
        return -TRUE not in literals and bool(self.solver.solve([-self.free, *given]))


def audited(problem: Problem, formula: Formula) -> Asked:
    assert formula.names is not None
    numbers = {name.decode(): v for v, name in enumerate(formula.names.tolist(), 1)}
    return Asked(
        formula,
        [
            numbers[f"x{x}y{y}t{t}"]
            for t, box in enumerate(problem.all_boxes)
            for y in range(box.y, box.bottom)
            for x in range(box.x, box.right)
        ],
    )


def encoded(problem: Problem, encoding: Encoding) -> Asked:
    built = build(problem, encoding)
    generations = range(problem.generations)
    cells = [built.spacetime.generation(t).ravel().tolist() for t in generations]
    return Asked(built.formula, [*chain(*cells)])


def agree(
    problem: Problem,
    encodings: Iterable[Encoding] = ENCODINGS,
    formula: Formula | None = None,
) -> set[Solution]:
    """Check that all ways give the same solutions, of which there may be more than are compared."""
    with audited(problem, formula or audit.audit_formula(problem)) as plain:
        found = set(islice(plain.solutions(), MOST))
        for encoding in encodings:
            if encoding.supports(problem.parsed.rule):
                with encoded(problem, encoding) as other:
                    others = set(islice(other.solutions(), MOST))
                    assert len(others) == len(found), encoding.name
                    assert all(map(other.allows, sorted(found - others))), encoding.name
                    assert all(map(plain.allows, sorted(others - found))), encoding.name
    return found


def as_history(problem: Problem, solution: Solution) -> tuple[Any, ...]:
    cells = iter(solution)
    return tuple(
        np.array([next(cells) for _ in range(box.area)], np.uint8).reshape(box.height, box.width)
        for box in problem.all_boxes
    )


PARTS, EACH = 5, 100


@pytest.mark.parametrize("part", range(PARTS))
def test_problems_at_random_have_the_same_solutions_in_every_encoding(part: int) -> None:
    chance = random.Random(part)
    seen: Counter[object] = Counter()
    for number in range(part * EACH, (part + 1) * EACH):
        problem, formula = draw(chance, number)
        try:
            found = agree(problem, formula=formula)
        except AssertionError as error:
            raise AssertionError(f"{error}: {problem.to_json().decode()}") from None
        # Verification takes links out of the box at their word, not around the torus.
        said = problem.boundary == "dead" or not problem.links
        for solution in sorted(found)[:2] if said else ():
            verify(problem, as_history(problem, solution))
        seen.update([bool(found), problem.kind, problem.boundary])
        seen.update([TABLES.get(problem.rule, "counts")])
        seen.update({type(each) for each in problem.constraints})
    assert seen[True] > EACH / 3
    made = {kind.name for kind in kinds.KINDS}
    tables = {"counts", *TABLES.values()}
    assert {*made, *tables, *get_args(Constraint), "dead", "torus", "free"} <= seen.keys()


@settings(max_examples=100, suppress_health_check=list(HealthCheck), deadline=None)
@given(problems() | bounded(), st.sampled_from(ENCODINGS))
def test_any_problem_has_as_many_solutions_as_by_brute_force(
    problem: Problem, encoding: Encoding
) -> None:
    assert len(agree(problem, [encoding])) == min(count_solutions(problem), MOST)


@pytest.mark.parametrize("boundary", ["dead", "torus"])
@pytest.mark.parametrize("symmetry", GLIDES)
def test_time_operations(symmetry: str, boundary: str) -> None:
    for period, move, box in product((2, 4), ((0, 0), (0, -2), (-1, -1)), ("3x3", "4x4")):
        motion = Motion(period=period, dx=move[0], dy=move[1])
        try:
            problem = Problem(boxes=(box,), motion=motion, symmetry=symmetry, boundary=boundary)
            SpaceTime(problem)
        except UsageError:
            continue  # such a pattern cannot move so
        agree(problem, ENCODINGS[:1])


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("boundary", ["dead", "torus"])
def test_motions_that_turn(turn: str, boundary: str) -> None:
    for box, dx, dy in product(("3x3", "4x4"), (0, 1), (0, -1)):
        motion = Motion(period=2, dx=dx, dy=dy, transform=turn)
        for last in {False, boundary == "dead"}:
            problem = Problem(
                boxes=(box,), motion=motion, include_last=last, boundary=boundary, rule="B2/S"
            )
            agree(problem, ENCODINGS[:1])


def test_a_cell_may_show_its_full_period_after_generation_0() -> None:
    # In random problems some other cell mostly shows it at once.
    for box in ("4x1", "4x3"):
        assert agree(kinds.agar(4, box=box, rule="B36/S23"))


@pytest.mark.parametrize("wrap", [(1, 0), (0, 1), (2, 0), (0, -1)])
def test_twisted_tori(wrap: tuple[int, int]) -> None:
    for rule, box in product(("B3/S23", "B2/S"), ("3x3", "4x2", "2x3", "1x5", "3x4")):
        torus = Problem(
            boxes=(box,), rule=rule, motion=Motion(period=2, dx=1), boundary="torus", wrap=wrap
        )
        agree(torus, ENCODINGS[:1])
        half_turn = msgspec.structs.replace(torus, motion=Motion(period=2), symmetry="C2")
        agree(half_turn, ENCODINGS[:1])


@pytest.mark.parametrize("rule", [*NOTATIONS, *RULES, *SHIFTS[0][:1], "B03/S23", "B03/S238"])
def test_the_clauses_of_a_step_decide_all_neighbourhoods(rule: str) -> None:
    clauses = [set(clause) for clause in rule_clauses.rule_clauses(Rule(rule))]
    assert len(clauses) <= 512
    for index, successor in product(range(512), (0, 1)):
        states = {k if index >> (9 - k) & 1 else -k for k in range(1, 10)}
        states.add(10 if successor else -10)
        assert all(c & states for c in clauses) == (Rule(rule).table[index] == successor)


def test_the_clauses_of_life() -> None:
    clauses = list(rule_clauses.rule_clauses(Rule("B3/S23")))
    assert len(clauses) == 190
    assert clauses[0] == (-10, 2, 3, 4, 6, 7, 8, 9)


def test_each_sentence_has_its_block_and_the_bytes_are_the_same_twice() -> None:
    known = Known(t=1, rows=("o?",))
    link = Link(first=(0, 0, 0), second=(1, 1, 1))
    problem = msgspec.structs.replace(C3, known=(known,), links=(link,))
    formula = audit.audit_formula(problem, problem_comments(problem))
    text = dumps(formula, "dimacs")
    again = Problem.from_json(problem.to_json())
    assert text == dumps(audit.audit_formula(again, problem_comments(again)), "dimacs")
    assert text.startswith(f"c {PROBLEM_COMMENT}")
    assert [block.origin for block in formula.blocks] == [
        "variable 1 is false",
        "cells outside the boxes are dead",
        "generation 1 follows from generation 0",
        "generation 2 follows from generation 1",
        "generation 3 follows from generation 2",
        "generation 3 is generation 0 moved by (0, -1)",
        "symmetry D2|: flip-left-right",
        "known cells of generation 1",
        "links",
        "constraint: generation 0 is not empty",
    ]
    assert formula.names is not None
    assert {b"x0y0t0", b"x7y7t3", b"x-1y-2t0"} <= set(formula.names.tolist())


TORUS = Problem(boxes=("4x3",), motion=Motion(period=1), boundary="torus")
REFUSED: dict[str, tuple[Problem, dict[str, Any]]] = {
    "D2. does not map this torus onto itself": (TORUS, {"symmetry": "D2|", "wrap": (1, 0)}),
    "a quarter-turn-clockwise does not map this torus onto itself": (
        TORUS,
        {"boxes": ("4x2",), "motion": Motion(period=1, transform="quarter-turn-clockwise")},
    ),
    "a pattern on a torus has no width": (TORUS, {"constraints": (Width(most=3),)}),
    "on a torus has no width, height": (TORUS, {"constraints": (Height(),)}),
    "on a torus has no width, height or area": (TORUS, {"constraints": (Area(),)}),
    "needs a motion that only shifts": (
        Problem(boxes=("4x4",), motion=Motion(period=2, transform="half-turn")),
        {"symmetry": "C1:C2"},
    ),
    "wrap needs boundary torus": (Problem(boxes=("3x3",)), {"wrap": (1, 0)}),
    "include_last needs a motion": (Problem(boxes=("3x3",)), {"include_last": True}),
    "outside the boxes, where nothing is asked": (
        Problem(boxes=("3x3",), steps=1, boundary="free"),
        {"links": (Link(first=(0, 0, 0), second=(3, 0, 1)),)},
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_fit_is_refused_before_anything_is_encoded(what: str) -> None:
    problem, changes = REFUSED[what]
    with pytest.raises(UsageError, match=what):
        msgspec.structs.replace(problem, **changes)
