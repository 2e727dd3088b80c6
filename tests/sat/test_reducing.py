"""Reduced formulas: the same models, and each clause follows by the steps that are written."""

from __future__ import annotations

import io
import random
from itertools import product
from pathlib import Path

from satlife.sat import Formula, Model, Refuted, Satisfied, find_solver
from satlife.sat.proofs import solve_with_proof, trim_lrat
from satlife.sat.proofs.reduction import Reduced, reduce_formula
from tests.sat.both import check_lrat

UNFINISHED = "the proof ends without the empty clause"


def draw_formula(chance: random.Random) -> Formula:
    """Many units, and chains of equal literals."""
    count = chance.randint(3, 8)
    literals = [sign * variable for variable in range(1, count + 1) for sign in (1, -1)]
    clauses = [chance.choices(literals, k=3) for _ in range(chance.randint(0, 12))]
    clauses += [chance.choices(literals, k=1) for _ in range(chance.randint(0, 2))]
    for _ in range(chance.randint(0, 4)):
        one, other = chance.choices(literals, k=2)
        clauses += [[one, -other], [-one, other]]
    chance.shuffle(clauses)
    return Formula.from_clauses(clauses, variables=count)


def list_models(formula: Formula) -> list[Model]:
    models = (
        Model.from_literals([v if true else -v for v, true in enumerate(truth, 1)])
        for truth in product((False, True), repeat=formula.variables)
    )
    return [each for each in models if all(map(any, map(each.values, map(list, formula))))]


def check_steps(small: Reduced, folder: Path) -> None:
    """Each step must be right, whether the others go or stay."""
    for alone in (False, True):
        text = io.StringIO()
        ids, last = small.write_steps(range(small.formula.clauses), text, alone=alone)
        assert max(ids.values(), default=0) <= last
        (folder / "steps").write_text(text.getvalue() or "c")
        verdict = check_lrat(small.whole, folder / "steps")
        assert verdict or not text.getvalue() or UNFINISHED in verdict.reason


def test_the_models_are_the_same_and_the_steps_are_right(tmp_path: Path) -> None:
    chance = random.Random(17)
    for _ in range(40):
        whole = draw_formula(chance)
        small = reduce_formula(whole)
        wanted = {tuple(each.truth) for each in list_models(whole)}
        lifted = [small.lift(model) for model in list_models(small.formula)]
        assert {tuple(each.truth) for each in lifted} <= wanted
        assert bool(lifted) == bool(wanted)
        check_steps(small, tmp_path)


def test_decided_and_equal_variables_are_gone() -> None:
    clauses = [(1,), (-1, 2), (3, 4), (-3, -4), (4, 5), (-4, -5), (-1, 3, 6, 7), (5, 3, 6, 7)]
    small = reduce_formula(Formula.from_clauses(clauses))
    assert list(small.formula) == [(3, 2, 1)]
    assert small.variables.tolist() == [0, 7, 6, 3]


def test_the_formula_of_a_problem_gets_smaller_and_its_proof_is_of_the_whole(
    tmp_path: Path,
) -> None:
    cases = product((-1,), (2, -3), (4, -4), (5, -5))
    whole = Formula.from_clauses([(1,), (2, -3), (-2, 3), *cases, (-1, 2, 6), (-6, 3)])
    for name in ("cadical", "cadical195"):
        assert solve_with_proof(whole, find_solver(name), tmp_path / "proof") == Refuted()
        assert check_lrat(whole, tmp_path / "proof")
    model = solve_with_proof(
        Formula.from_clauses([(1,), (2, -3), (-2, 3), (-3, 4, 5), (3,), (-4, 6)]),
        find_solver("cadical"),
        tmp_path / "proof",
    )
    assert isinstance(model, Satisfied)
    assert model.model.values([1, 2, 3]).all()


def test_rat_steps_speak_of_what_the_solver_was_given(tmp_path: Path) -> None:
    """The fifth variable is new: 5 or 1 is RAT on it, and so is -5 or 2, by clause 1 or 2."""
    cube = [(-4,), *((4, *signs) for signs in product((1, -1), (2, -2), (3, -3)))]
    small = reduce_formula(Formula.from_clauses(cube))
    raw = (
        "9 4 3 0 0\n10 -4 3 2 0 -9 1 2 0\n11 3 2 0 9 10 0\n12 3 0 11 3 4 0\n12 d 9 10 11 0\n"
        "13 2 0 12 5 6 0\n14 0 12 13 7 8 0\n"
    )
    (tmp_path / "raw").write_text(raw)
    with (tmp_path / "trimmed").open("w") as file:
        trim_lrat(small, tmp_path / "raw", file)
    assert "18 5 1 0 0\n19 -5 1 2 0 -18 10 11 0" in (tmp_path / "trimmed").read_text()
    verdict = check_lrat(small.whole, tmp_path / "trimmed")
    assert verdict
