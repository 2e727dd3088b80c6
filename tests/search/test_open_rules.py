"""Problems with an open rule: a pattern and its rules are found together."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from pysat.solvers import Solver

import satlife
from satlife import Problem
from satlife.audit.formula import audit_formula
from satlife.errors import RuleError, UsageError
from satlife.formula.build import build
from satlife.formula.spacetime import encode_open
from satlife.formula.transitions import Transitions
from satlife.life import Rule
from satlife.life.rulespaces import RuleSpace, rules_of
from satlife.sat import FormulaBuilder, find_solver
from satlife.verifier.verify import complaints, find_rules

SPACES = ("B?/S?", "B3[4][8]/S2[3]", "B2-a[2a]3/S2[3i][4]", "B[1e]2?3/S[0]2", "pB3a-c/S2ae8")
SMALL = satlife.oscillator(2, box="3x3", rule="B[2]3/S[2][3]")


def each_rule(problem: Problem) -> dict[str, Problem]:
    """Return the problem for each rule of its set."""
    rules = map(str, RuleSpace(problem.rule).rules())
    return {rule: msgspec.structs.replace(problem, rule=rule) for rule in rules}


@pytest.mark.parametrize("notation", SPACES)
def test_unit_propagation_finds_the_successor(notation: str) -> None:
    space = RuleSpace(notation)
    builder = FormulaBuilder(10)
    row = Transitions(np.arange(1, 10)[None], np.array([10]), np.zeros((1, 3)))
    entries = encode_open(row, space, builder).tolist()
    random = np.random.default_rng(1)
    with Solver("m22", [list(clause) for clause in builder.build()]) as solver:
        for _ in range(4):
            chosen = random.integers(0, 2, len(entries)).astype(bool).tolist()
            table = space.rule(chosen).table
            fates = [v if on else -v for v, on in zip(entries, chosen, strict=True)]
            for cells in range(512):
                given = [k if cells >> (9 - k) & 1 else -k for k in range(1, 10)]
                holds, found = solver.propagate([*given, *fates])
                assert holds
                assert (10 if table[cells] else -10) in found


def test_every_rule_has_as_many_solutions_as_alone() -> None:
    built = build(SMALL)
    cells = range(1, built.spacetime.variables + 1)
    with find_solver("cadical").open(built.formula) as opened:
        models = list(opened.models([*cells, *built.entries.tolist()]))
    space, counts = RuleSpace(SMALL.rule), dict.fromkeys(each_rule(SMALL), 0)
    for model in models:
        counts[str(space.rule(model.values(built.entries)))] += 1
    for rule, problem in each_rule(SMALL).items():
        alone = build(problem)
        with find_solver("cadical").open(alone.formula) as opened:
            project = range(1, alone.spacetime.variables + 1)
            assert counts[rule] == len(list(opened.models(project))), rule


def test_the_audit_formula_with_fixed_entries_is_that_of_each_rule() -> None:
    formula = audit_formula(SMALL)
    space = RuleSpace(SMALL.rule)
    entries = [formula.variable(name) for name in space.free]
    with find_solver("cadical").open(formula) as opened:
        for number, problem in enumerate(each_rule(SMALL).values()):
            on = [number >> (2 - k) & 1 for k in range(3)]
            answer = opened.solve([v if fate else -v for v, fate in zip(entries, on, strict=True)])
            found = isinstance(satlife.find(problem), satlife.Found)
            assert str(answer) == ("satisfied" if found else "refuted")


def test_a_finding_knows_all_its_rules() -> None:
    outcome = satlife.find(satlife.ship("c/4d", box="4x4", rule="B3[6][7]/S2[3][5]"))
    assert isinstance(outcome, satlife.Found)
    finding = outcome.finding
    assert finding.rules is not None
    assert finding.rule == finding.pattern.rule == finding.rules.least
    whole = rules_of(finding.pattern)
    both = [rule for rule in RuleSpace("B3[6][7]/S2[3][5]").rules() if rule in whole]
    assert list(finding.rules.rules()) == both


def test_impossible_means_in_every_rule() -> None:
    problem = satlife.ship("c/3", box="5x5", rule="B3[4]/S2[3]")
    assert isinstance(satlife.find(problem), satlife.Impossible)
    assert all(isinstance(satlife.find(p), satlife.Impossible) for p in each_rule(problem).values())


@pytest.mark.parametrize(
    "problem",
    [
        SMALL,
        satlife.oscillator(2, box="3x3", rule="B3-a[3a]/S2-i[2i]3[4n]"),
        satlife.agar(2, box="2x3", rule="B[2][3]4/S2[3]"),
    ],
)
def test_all_lists_every_rule_that_has_one(problem: Problem) -> None:
    listing = satlife.find_all(problem)
    found = list(listing)
    assert listing.result.complete
    covered = {str(rule) for each in found if each.rules for rule in each.rules.rules()}
    alone = each_rule(problem).items()
    assert covered == {r for r, p in alone if isinstance(satlife.find(p), satlife.Found)}


def test_generations_that_no_rule_has_are_refused() -> None:
    outcome = satlife.find(SMALL)
    assert isinstance(outcome, satlife.Found)
    first, second = outcome.finding.history
    assert not list(complaints(SMALL, (first, second)))
    wrong = second.copy()
    wrong[0, 0] ^= 1
    assert list(complaints(SMALL, (first, wrong)))
    solid = np.ones((3, 3), np.uint8)
    assert find_rules(SMALL, (solid, solid)) is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "brute"}, "set of rules"),
        ({"engine": "rows"}, "set of rules"),
        ({"encoding": "direct"}, "encoding of its own"),
    ],
)
def test_what_needs_one_rule_says_so(options: dict[str, str], words: str) -> None:
    problem = satlife.ship("c/2", box="4x4", rule="B3[4]/S23")
    with pytest.raises(UsageError, match=words):
        satlife.find(problem, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("keyword", ["raw", "only_connected"])
def test_a_listing_by_rules_has_no_copies(keyword: str) -> None:
    with pytest.raises(UsageError, match="needs one rule"):
        list(satlife.find_all(SMALL, **{keyword: True}))  # type: ignore[arg-type]


def test_a_single_rule_is_needed_where_patterns_are_run() -> None:
    with pytest.raises(RuleError, match="a single rule is needed"):
        Rule("B3[4]/S23")


def test_a_problem_keeps_its_set_of_rules() -> None:
    problem = satlife.ship("c/2", box="4x4", rule="pB3a-c/S2")
    assert problem.rule == "B3a[3-ac]/S2?"
    assert Problem.from_json(problem.to_json()) == problem
    assert satlife.ship("c/2", box="4x4", rule="isotropic").name != problem.name


def test_a_certificate_over_a_set_of_rules(tmp_path: Path) -> None:
    problem = satlife.ship("c/2", box="3x3", rule="B[2]3[4]/S2[3]")
    proved = satlife.prove(problem, tmp_path / "proof")
    assert isinstance(proved, satlife.Proved)
    judgement = satlife.check(tmp_path / "proof")
    assert judgement.valid
    assert "any of the 8 rules of B[2]3[4]/S2[3]" in judgement.statement
