"""Twists of the encoder's tori, and the audit's counting: what other tests see late."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from satlife.audit.gates import PlainClauses
from satlife.formula.spacetime import SpaceTime
from satlife.kinds import agar
from satlife.sat import Formula, Satisfied, find_solver
from satlife.sat.solvers.pysat import InlineSolver


def test_a_cell_beyond_the_edge_is_the_cell_that_the_twist_says() -> None:
    right = SpaceTime(agar(2, box="5x4", wrap=(0, 1)))
    down = SpaceTime(agar(2, box="5x4", wrap=(1, 0)))
    below = right.wrap(np.array([0, 0]), np.array([4, 8]))
    beside = down.wrap(np.array([5, 10]), np.array([0, 0]))
    assert [each.tolist() for each in below] == [[4, 3], [0, 0]]
    assert [each.tolist() for each in beside] == [[0, 0], [3, 2]]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_audit_counts_literals(number: int) -> None:
    gates = PlainClauses()
    given = [gates.new() for _ in range(3)]
    enough = gates.at_least(number, given)
    clauses = [clause for _, group in gates.groups for clause in group]
    with InlineSolver(find_solver("minisat")).open(Formula.from_clauses(clauses)) as solver:
        for signs in product((1, -1), repeat=3):
            literals = [sign * each for sign, each in zip(signs, given, strict=True)]
            answer = solver.solve([*literals, enough])
            assert isinstance(answer, Satisfied) == (signs.count(1) >= number)
