"""The independent check refuses whatever is changed in a solution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from satlife import Found, Problem, VerificationError, find, oscillator, ship, still_life, verify
from satlife.life import Pattern
from satlife.sat import Answer, Model, Satisfied, ScriptedSolver
from satlife.verifier.verify import complaints
from tests.search.brute import count_solutions
from tests.search.test_brute_force import problems


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(problems(), st.data())
def test_one_changed_cell_is_seen(problem: Problem, data: st.DataObject) -> None:
    """Where generation 0 decides all, another start with the same later generations is wrong."""
    outcome = find(problem)
    assume(isinstance(outcome, Found))
    assert isinstance(outcome, Found)
    history = [states.copy() for states in outcome.finding.history]
    verify(problem, tuple(history))
    t = data.draw(st.integers(0, len(history) - 1))
    y = data.draw(st.integers(0, history[t].shape[0] - 1))
    x = data.draw(st.integers(0, history[t].shape[1] - 1))
    history[t][y, x] ^= 1
    still_right = not list(complaints(problem, tuple(history)))
    if still_right:  # another solution, then: there must be more than one
        assert count_solutions(problem) > 1


def test_a_wrong_model_is_an_internal_error_and_keeps_its_formula() -> None:
    problem = ship("c/4d", box="4x4")
    wrong: Answer = Satisfied(Model(np.ones(10_000, bool)))
    with pytest.raises(VerificationError, match=r"does not follow .* \(kept in (.*)\)") as caught:
        find(problem, solver=ScriptedSolver([wrong]))
    import re
    import shutil
    from pathlib import Path

    folder = Path(re.search(r"kept in (.*)\)", str(caught.value))[1])  # type: ignore[index]
    assert sorted(path.name for path in folder.iterdir()) == [
        "formula.cnf.gz",
        "history.npz",
        "model.npy",
        "problem.json",
    ]
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("rle", "problem", "words"),
    [
        ("3o!", oscillator(1, box="3x3"), "does not follow from generation 0"),
        ("2o$2o!", oscillator(1, box="2x2", symmetry="C4"), None),
        ("2o$obo$bo!", oscillator(1, box="3x3", symmetry="D8"), "lacks the symmetry D8"),
        ("2o$2o!", oscillator(1, box="2x2", population=">=5"), "not true that at least 5 cells"),
        ("!", oscillator(1, box="2x2"), "not true that generation 0 is not empty"),
    ],
)
def test_what_is_wrong_is_said(rle: str, problem: Problem, words: str | None) -> None:
    pattern = Pattern.from_rle(rle)
    history = tuple(pattern[t].in_box(box) for t, box in enumerate(problem.all_boxes))
    found = list(complaints(problem, history))
    assert (words is None and found == []) or (words is not None and words in found[0])


def test_octagon_and_blinkers_have_no_cell_of_full_period() -> None:
    """A composite of periods 2 and 3 passes only as a pattern."""
    rows = "4b2o$3bo2bo$bo2bobo$bo3bo$bo7bo$4bo4bo$2b2o5bo!"
    pattern = Pattern.from_rle(rows).shift(1, 1)
    box = "12x10"
    for composite in (True, False):
        problem = oscillator(6, box=box, composite=composite)
        history = tuple(pattern[t].in_box(b) for t, b in enumerate(problem.all_boxes))
        assert bool(list(complaints(problem, history))) is not composite


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (np.pad([[1, 1], [1, 1]], ((7, 0), (7, 0))), "generation 0 is 9x9, its box 4x4"),
        (np.array([[1, 1], [1, 1]]), "generation 0 is 2x2, its box 4x4"),
        (np.pad([[7, 1], [1, 1]], ((0, 2), (0, 2))), "generation 0 has a cell in state 7"),
        (np.ones(16), "generation 0 is 0x16, its box 4x4"),
    ],
)
def test_arrays_of_another_shape_or_state_are_refused(states: Any, words: str) -> None:
    """A block outside of the box once passed: nobody had looked at the shape."""
    with pytest.raises(VerificationError, match=words):
        verify(still_life(box="4x4"), (states.astype(np.uint8),))
