"""Proofs: our checkers against drat-trim and lrat-check, and against all that is no proof.

``bash .ci/tools`` gets the two programs; without them these tests fail.
"""

from __future__ import annotations

import itertools
import os
import random
import stat
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from satlife.errors import FormatError, SolverError, UsageError
from satlife.sat import Formula, Limits, Reason, Refuted, Satisfied, Undecided, find_solver
from satlife.sat.proofs import (
    CAKE_LPR,
    DRAT_TRIM,
    LRAT_CHECK,
    ProofStep,
    Verdict,
    check_drat,
    check_with,
    elaborate,
    find_tool,
    lrat,
    proof_format,
    read_drat,
    rup,
    solve_with_proof,
)
from satlife.sat.solver import Solver
from satlife.sat.solvers import CommandSolver
from tests.patience import PATIENCE
from tests.sat.both import check_lrat

KISSAT = find_solver("kissat-binary")
CADICAL = find_solver("cadical")

SQUARE = Formula.from_clauses([(1, 2), (-1, 2), (1, -2), (-1, -2)])
"""All the clauses of two variables."""

# Eight clauses of three variables, of which any seven have a model.
CUBE = Formula.from_clauses(itertools.product((1, -1), (2, -2), (3, -3)))

# 2 is true, whatever 3; and it is not. Clause 1 is there to be resolved with.
FORK = Formula.from_clauses([(-1, 2), (2, 3), (2, -3), (-2, 4), (-2, -4)])


def lrat_of(text: str, formula: Formula, tmp_path: Path) -> Verdict:
    path = tmp_path / "proof.lrat"
    path.write_text(text)
    return check_lrat(formula, path)


def drat_of(content: bytes, formula: Formula, tmp_path: Path) -> Verdict:
    path = tmp_path / "proof.drat"
    path.write_bytes(content)
    return check_drat(formula, path)


def random_refuted(chance: random.Random) -> Formula:
    """A small formula without a model: mixed clause lengths, or pigeons under other names."""
    if chance.random() < 0.2:
        holes = chance.randint(2, 5)
        clauses = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
        clauses += [
            [-(p * holes + h + 1), -(q * holes + h + 1)]
            for h in range(holes)
            for p, q in itertools.combinations(range(holes + 1), 2)
        ]
        count = holes * (holes + 1)
    else:
        count = chance.randint(4, 25)
        clauses = [
            chance.sample(range(1, count + 1), chance.choice((2, 3, 3, 3, 4)))
            for _ in range(6 * count)
        ]
        clauses = [[chance.choice((-1, 1)) * v for v in clause] for clause in clauses]
    names = list(range(1, count + 1))
    chance.shuffle(names)
    signs = [chance.choice((-1, 1)) for _ in names]
    chance.shuffle(clauses)
    return Formula.from_clauses(
        [
            [(1 if lit > 0 else -1) * signs[abs(lit) - 1] * names[abs(lit) - 1] for lit in clause]
            for clause in clauses
        ]
    )


def mutate(lines: list[str], chance: random.Random) -> str:
    """Do one thing to a proof that may spoil it."""
    lines = list(lines)
    place = chance.randrange(len(lines))
    words = lines[place].split()
    kind = chance.choice(("flip", "drop", "truncate", "swap", "renumber", "repeat", "exchange"))
    numbers = [k for k in range(len(words)) if words[k] not in ("0", "d")]
    if kind == "flip":
        k = chance.choice(numbers)
        words[k] = str(-int(words[k]))
    elif kind == "drop":
        del words[chance.randrange(len(words))]
    elif kind == "swap":
        j, k = chance.choice(numbers), chance.choice(numbers)
        words[j], words[k] = words[k], words[j]
    elif kind == "renumber":
        k = chance.choice(numbers)
        words[k] = str(int(words[k]) + chance.choice((-1, 1)))
    lines[place] = " ".join(words)
    if kind == "repeat":
        lines.insert(place, lines[place])
    elif kind == "exchange":
        other = chance.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    text = "\n".join(lines) + "\n"
    return text[: chance.randrange(len(text))] if kind == "truncate" else text


# --- LRAT ---------------------------------------------------------------------------------------


def test_a_handmade_refutation(tmp_path: Path) -> None:
    verdict = lrat_of("5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n", SQUARE, tmp_path)
    assert verdict
    assert (verdict.steps, verdict.added, verdict.deleted, verdict.rat) == (3, 2, 2, 0)
    assert str(verdict) == "valid"


def test_nothing_is_read_after_the_empty_clause(tmp_path: Path) -> None:
    assert lrat_of("5 2 0 1 2 0\n6 0 5 3 4 0\nnonsense", SQUARE, tmp_path)


def test_a_proof_from_a_formula_with_the_empty_clause(tmp_path: Path) -> None:
    formula = Formula.from_clauses([(1,), ()])
    assert lrat_of("3 0 2 0\n", formula, tmp_path)
    assert not lrat_of("3 0 1 0\n", formula, tmp_path)
    assert drat_of(b"", formula, tmp_path)


RAT_PROOFS = {
    "a definition: 4 is 1 and 2": (
        CUBE,
        "9 4 -1 -2 0 0\n10 -4 1 0 -9 0\n11 -4 2 0 -9 0\n12 1 2 0 1 2 0\n13 1 0 12 3 4 0\n"
        "14 -1 2 0 5 6 0\n15 0 13 14 7 8 0\n",
        3,
    ),
    "a resolvent with hints": (FORK, "6 1 0 -1 2 3 0\n7 2 0 1 6 0\n8 0 7 4 5 0\n", 1),
    "a unit before the resolvents makes one of them true": (
        Formula.from_clauses([(-1, 2, 5), (2, 3), (2, -3), (-2, 4), (-2, -4), (1, 5)]),
        "7 1 0 6 -1 0\n8 2 0 2 3 0\n9 0 8 4 5 0\n",
        1,
    ),
    "a clause that would be resolved with is deleted": (
        Formula.from_clauses([(-1, 6), (2, 3), (2, -3), (-2, 4), (-2, -4)]),
        "5 d 1 0\n6 1 0 0\n7 2 0 2 3 0\n8 0 7 4 5 0\n",
        1,
    ),
    "a derived clause that would be resolved with is deleted": (
        FORK,
        "6 2 -5 0 2 3 0\n7 6 0 0\n8 7 -5 0 0\n8 d 6 8 0\n9 5 0 0\n10 2 0 2 3 0\n11 0 10 4 5 0\n",
        3,
    ),
    "a clause that holds a literal twice": (
        Formula.from_clauses([(-1, 2, -1), (2, 3), (2, -3), (-2, 4), (-2, -4)]),
        "6 1 0 -1 2 3 0\n7 2 0 6 1 0\n8 0 7 4 5 0\n",
        1,
    ),
}


@pytest.mark.parametrize("name", RAT_PROOFS)
def test_handmade_rat_steps(name: str, tmp_path: Path, checkers: Path) -> None:
    formula, text, rat = RAT_PROOFS[name]
    verdict = lrat_of(text, formula, tmp_path)
    assert verdict, verdict
    assert verdict.rat == rat
    # lrat-check, for a RAT step without hints, looks at deleted clauses, too.
    agrees = "deleted" not in name
    proof = tmp_path / "proof.lrat"
    assert check_with(LRAT_CHECK, formula, proof, folder=checkers).valid == agrees


WRONG = {
    "": "line 0: the proof ends without the empty clause",
    "5 2 0 1 2 0\n": "line 1: the proof ends without the empty clause",
    "\n": "line 1: this step does not end with 0: ''",
    "5\n": "line 1: this step does not end with 0: '5'",
    "0\n": "line 1: this step does not end with 0: '0'",
    "5 2 0 1 2\n": "line 1: this step does not end with 0: '5 2 0 1 2'",
    "5 d 1\n": "line 1: this step does not end with 0: '5 d 1'",
    "c 5 2 0 1 2 0\n": "line 1: this is not a step: 'c 5 2 0 1 2 0'",
    "5 d d 1 0\n": "line 1: this is not a step: '5 d d 1 0'",
    "d 1 0\n": "line 1: this is not a step: 'd 1 0'",
    "5 2 0 1 +2 0\n": "line 1: this is not a step: '5 2 0 1 +2 0'",
    "5 2 0 1 0_2 0\n": "line 1: this is not a step: '5 2 0 1 0_2 0'",
    "5 2 0 1 - 2 0\n": "line 1: this is not a step: '5 2 0 1 - 2 0'",
    "a\x0a\x04\0": "line 1: this is not LRAT text; binary LRAT is not supported",
    "5 2 0\0": "line 1: this is not LRAT text; binary LRAT is not supported",
    "0 0\n": "line 1: clause 0: a step is an id, literals, 0, hints, 0",
    "5 2 0\n": "line 1: clause 5: a step is an id, literals, 0, hints, 0",
    "5 0\n": "line 1: clause 5: a step is an id, literals, 0, hints, 0",
    "5 2 0 1 2 0 1 0\n": "line 1: clause 5: something follows the hints",
    "4 2 0 1 2 0\n": "line 1: clause 4: ids must grow, and 4 is taken",
    "-5 2 0 1 2 0\n": "line 1: clause -5: ids must grow, and 4 is taken",
    "6 2 0 1 2 0\n5 0 6 3 4 0\n": "line 2: clause 5: ids must grow, and 6 is taken",
    "5 0 1 2 0\n": "line 1: clause 5: hint 1 is not unit",
    "5 2 0 1 0\n": "line 1: clause 5: it is not implied, nor RAT on 2: see clause 3",
    "5 2 0 1 -3 0\n": "line 1: clause 5: it is not implied, nor RAT on 2: see clause 4",
    "5 2 0 1 -3 -4 -5 0\n": "line 1: clause 5: it is not implied, nor RAT on 2: see clause 5",
    "5 2 0 1 -4 -3 0\n": "line 1: clause 5: it is not implied, nor RAT on 2: see clause 3",
    "5 2 0 -3 -4 0\n": (
        "line 1: clause 5: the resolvent with clause 3: the hints do not lead to a conflict"
    ),
    "5 2 0 -3 1 7 -4 0\n": (
        "line 1: clause 5: the resolvent with clause 4: the hints do not lead to a conflict"
    ),
    "5 2 0 -3 9 -4 0\n": "line 1: clause 5: the resolvent with clause 3: hint 9 is not a clause",
    "5 2 0 5 0\n": "line 1: clause 5: hint 5 is not a clause",
    "5 2 0 1 2 0\n6 0 5 3 0\n": "line 2: clause 6: the hints do not lead to a conflict",
    "5 2 0 1 2 0\n6 0 5 3 -1 0\n": "line 2: clause 6: the hints do not lead to a conflict",
    "5 0 0\n": "line 1: clause 5: the hints do not lead to a conflict",
    "4 d 1 0\n5 2 0 1 2 0\n": "line 2: clause 5: hint 1 is not a clause",
    "4 d 1 1 0\n": "line 1: deleted id 1 is not a clause",
    "4 d 0 0\n": "line 1: deleted id 0 is not a clause",
    "4 d -1 0\n": "line 1: deleted id -1 is not a clause",
    "4 d 5 0\n": "line 1: deleted id 5 is not a clause",
    "4 d 1 5 0\n": "line 1: deleted id 5 is not a clause",
    # What would be right, or a d, if only some of its bits were looked at.
    "4 d 4294967297 0\n": "line 1: deleted id 4294967297 is not a clause",
    "5 4294967298 0 1 2 0\n": "line 1: clause 5: hint 1 is not unit",
    "5 2 0 4294967297 2 0\n": "line 1: clause 5: hint 4294967297 is not a clause",
    "5 2 0 1 18446744073709551618 0\n": (
        "line 1: clause 5: hint 18446744073709551618 is not a clause"
    ),
    "18446744073709551621 0 1 0\n": "line 1: clause 18446744073709551621: hint 1 is not unit",
    "5 -4611686018427387904 1 0\n": "line 1: clause 5: a step is an id, literals, 0, hints, 0",
    "5 2 0 1 2 0\n5 d 5 0\n6 0 5 3 4 0\n": "line 3: clause 6: hint 5 is not a clause",
    "5 2 0 1 2 0\n6 0 5 3 4 d 0\n": "line 2: this is not a step: '6 0 5 3 4 d 0'",
    "5 2 0 1 2 0\nd d 1 0\n6 0 5 3 4 0\n": "line 2: this is not a step: 'd d 1 0'",
    # Derived clauses are resolved with, too: those from before the first RAT step and later ones.
    "5 7 8 0 0\n6 -7 9 0 0\n": "line 2: clause 6: it is not implied, nor RAT on -7: see clause 5",
    "5 2 7 0 1 2 0\n6 -7 0 0\n": (
        "line 2: clause 6: it is not implied, nor RAT on -7: see clause 5"
    ),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_proof_is_not_valid_and_says_why(text: str, tmp_path: Path) -> None:
    verdict = lrat_of(text, SQUARE, tmp_path)
    assert not verdict
    assert verdict.decided
    assert verdict.reason == WRONG[text]
    assert str(verdict) == f"not valid: {WRONG[text]}"


def test_the_empty_clause_is_no_rat_clause(tmp_path: Path) -> None:
    # lrat-check takes this for a refutation of a formula that has a model.
    assert not lrat_of("2 0 0\n", Formula.from_clauses([(1,)]), tmp_path)
    assert not lrat_of("2 0 1 0\n", Formula.from_clauses([(1,)]), tmp_path)


def test_a_line_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lrat, "LONGEST_LINE", 12)
    assert lrat_of("5 2 0 1 2 0", SQUARE, tmp_path).reason.startswith("line 1: the proof ends")
    verdict = lrat_of("5 2 0 1 2 0 \n", SQUARE, tmp_path)
    assert verdict.reason.startswith("line 1: this step does not end")


@pytest.mark.parametrize("last", [6, 400, 2**40, 2**63, 2**70])
def test_ids_may_leave_gaps(last: int, tmp_path: Path) -> None:
    assert lrat_of(f"5 2 0 1 2 0\n{last} 1 0 1 3 0\n{last + 1} 0 {last} 5 4 0\n", SQUARE, tmp_path)


def test_ids_that_double_do_not_fill_the_memory(tmp_path: Path) -> None:
    """Each line has a block of its own, and the largest id that a growing table would have."""
    lines = [f"{5 << k} 1 0 1 3 {'1 ' * 600}0\n" for k in range(56)]
    assert lrat_of("".join(lines) + f"{5 << 57} 0 {5 << 55} 2 4 0\n", SQUARE, tmp_path)


def test_the_kernel_takes_all_steps_that_are_implied(
    tmp_path: Path, pigeonhole: Callable[[int], Formula], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    assert solve_with_proof(pigeonhole(6), CADICAL, tmp_path / "proof") == Refuted()
    monkeypatch.setattr(lrat.LratChecker, "_run", lambda *_: "a line is left")
    assert rup.check_in_time(pigeonhole(6), tmp_path / "proof", pays=1)
    assert not rup.check_in_time(pigeonhole(6), tmp_path / "proof")


def test_a_missing_proof_is_the_callers_error(tmp_path: Path) -> None:
    for check in (check_lrat, check_drat):
        with pytest.raises(UsageError, match="cannot be opened"):
            check(SQUARE, tmp_path / "none")


def test_random_bytes_are_never_a_proof(tmp_path: Path) -> None:
    chance = random.Random(5)
    satisfiable = Formula.from_clauses(list(CUBE)[:-1])
    path = tmp_path / "garbage"
    for number in range(600):
        alphabet = (bytes(range(256)), b"0123456789 -\nd", b"0123 \n", b"ad\0\2\3\4\5\6\7")[
            number % 4
        ]
        path.write_bytes(bytes(chance.choices(alphabet, k=chance.randint(0, 60))))
        assert not check_lrat(satisfiable, path)
        assert not check_drat(satisfiable, path)


@pytest.mark.parametrize("seed", range(6))
def test_checkers_agree_on_random_refutations(seed: int, tmp_path: Path, checkers: Path) -> None:
    chance = random.Random(seed)
    drat, path = tmp_path / "proof.drat", tmp_path / "proof.lrat"
    own, other = tmp_path / "own.lrat", tmp_path / "mutated.lrat"
    refuted = steps = rat = still_valid = 0
    while refuted < 50:
        formula = random_refuted(chance)
        if not isinstance(solve_with_proof(formula, KISSAT, drat), Refuted):
            continue
        refuted += 1
        trimmed = check_with(DRAT_TRIM, formula, drat, lrat=path, folder=checkers)
        assert trimmed, trimmed
        mine = check_drat(formula, drat)
        assert mine, mine
        if path.stat().st_size == 0:
            continue  # drat-trim writes no steps where units are enough
        verdict = check_lrat(formula, path)
        assert verdict, verdict
        steps += verdict.steps
        rat += verdict.rat
        if refuted % 5 == 0:
            assert check_with(LRAT_CHECK, formula, path, folder=checkers)
            assert elaborate(formula, drat, own)
            assert check_with(LRAT_CHECK, formula, own, folder=checkers)
        lines = path.read_text().splitlines()
        weaker = Formula.from_clauses(list(formula)[:: chance.choice((2, 3))])
        has_model = isinstance(solve_with_proof(weaker, KISSAT, drat), Satisfied)
        for _ in range(10):
            other.write_text(mutate(lines, chance))
            if check_lrat(formula, other):
                still_valid += 1
                if still_valid % 10 == 0:
                    assert check_with(LRAT_CHECK, formula, other, folder=checkers)
            assert not (has_model and check_lrat(weaker, other))
    assert steps > 500
    assert rat
    assert still_valid


def test_mutations_pass_only_where_lrat_check_lets_them(tmp_path: Path, checkers: Path) -> None:
    path = tmp_path / "mutated.lrat"
    found = 0
    for name, (formula, text, _) in RAT_PROOFS.items():
        if "deleted" in name or "twice" in name:
            continue  # lrat-check refuses valid steps on these: see above
        chance = random.Random(name)
        texts = {mutate(text.splitlines(), chance) for _ in range(200)}
        for mutated in texts:
            path.write_text(mutated)
            if check_lrat(formula, path):
                found += 1
                assert check_with(LRAT_CHECK, formula, path, folder=checkers), mutated
    assert found > 20


def test_no_proof_refutes_a_formula_with_a_model(tmp_path: Path) -> None:
    path = tmp_path / "mutated.lrat"
    for name, (formula, text, _) in RAT_PROOFS.items():
        chance = random.Random(name)
        clauses = list(formula)
        needed = range(8) if formula is CUBE else range(1, 5)
        for _ in range(60):
            # One clause is made weaker by a fresh literal, so that ids stay; that gives a model.
            place = chance.choice(needed)
            weaker = [*clauses[:place], (*clauses[place], 99), *clauses[place + 1 :]]
            path.write_text(mutate(text.splitlines(), chance))
            assert not check_lrat(Formula.from_clauses(weaker), path), name
            path.write_text(text)
            assert not check_lrat(Formula.from_clauses(weaker), path), name


# --- DRAT ---------------------------------------------------------------------------------------


def test_both_forms_of_drat_hold_the_same_steps(
    tmp_path: Path, pigeonhole: Callable[[int], Formula]
) -> None:
    text = replace(KISSAT, command=("kissat", "--no-binary"))
    assert isinstance(solve_with_proof(pigeonhole(5), text, tmp_path / "text"), Refuted)
    assert isinstance(solve_with_proof(pigeonhole(5), KISSAT, tmp_path / "binary"), Refuted)
    steps = list(read_drat(tmp_path / "text"))
    assert steps == list(read_drat(tmp_path / "binary"))
    assert steps[-1].literals == () or any(not step.literals for step in steps)


def test_the_forms_of_drat(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    steps = [ProofStep((1, -64)), ProofStep((-(2**31) + 1,), deletes=True), ProofStep(())]
    path.write_bytes(b"c words\n1 -64 0\nd -2147483647 0\n0\n")
    assert list(read_drat(path)) == steps
    path.write_bytes(b"a\x02\x81\x01\0d\xff\xff\xff\xff\x0f\0a\0")
    assert list(read_drat(path)) == steps
    path.write_bytes(b"d\x02\0")
    assert list(read_drat(path)) == [ProofStep((1,), deletes=True)]


NO_DRAT = {
    b"1 2\n": "line 1: this is not a step",
    b"2 0\n1 0 2 0\n": "line 2: this is not a step",
    b"\n": "line 1: this is not a step",
    b"1 x 0\n": "line 1: this is not a step",
    b"1_0 0\n": "line 1: this is not a step",
    b"1 d 0\n": "line 1: this is not a step",
    b"2147483648 0\n": "line 1: a literal is beyond ±2147483647",
    b"-2147483648 0\n": "line 1: a literal is beyond ±2147483647",
    b"a\x02": "step 1 is truncated",
    b"a\x02\0b\x02\0": "step 2 begins with byte 98",
    b"a\x80\x80\x80\x80\x80\x80\x01\0": "a literal of step 1 has too many bytes",
    b"a\xff\xff\xff\xff\x7f\0": "line 1: a literal is beyond ±2147483647",
    b"a\x01\0": "line 1: a literal is beyond ±2147483647",
    b"0\n": "step 1: the empty clause is not implied",
    b"": "the proof ends without the empty clause",
    b"-1 7 0\nd 1 2 3 0\n2 0\n": "step 3: the clause (2,) is neither implied nor RAT on 2",
}


@pytest.mark.parametrize("content", NO_DRAT)
def test_wrong_drat_is_not_valid_and_says_why(content: bytes, tmp_path: Path) -> None:
    verdict = drat_of(content, CUBE, tmp_path)
    assert not verdict
    assert verdict.decided
    assert NO_DRAT[content] in verdict.reason
    if "step" not in verdict.reason.partition(":")[0] and "ends" not in verdict.reason:
        with pytest.raises(FormatError):
            list(read_drat(tmp_path / "proof.drat"))


DRAT_PROOFS = {
    "RUP": (CUBE, b"1 2 0\n1 0\n2 0\n0\n"),
    "without the last step": (CUBE, b"1 2 0\n1 0\n2 0\n"),
    "a definition": (CUBE, b"4 -1 -2 0\n-4 1 0\n-4 2 0\n1 2 0\n1 0\n2 0\n"),
    "a resolvent with hints": (FORK, b"1 0\n2 0\n"),
    "deletions, one of them of nothing": (CUBE, b"1 2 0\nd 3 2 1 0\nd 7 0\n1 0\n2 0\n"),
    "a unit's deletion is passed over": (CUBE, b"1 2 0\n1 0\nd 1 0\n2 0\n"),
    "a clause that is true already": (CUBE, b"1 2 0\n1 0\n5 1 0\n2 0\n"),
    "a tautology": (CUBE, b"5 -5 0\n1 2 0\n1 0\n2 0\n"),
    "a literal twice": (CUBE, b"1 2 1 0\n1 1 0\n2 0\n"),
    "units are enough": (Formula.from_clauses([(1,), (-1, 2), (-2,)]), b""),
}


@pytest.mark.parametrize("name", DRAT_PROOFS)
def test_handmade_drat(name: str, tmp_path: Path) -> None:
    verdict = drat_of(DRAT_PROOFS[name][1], DRAT_PROOFS[name][0], tmp_path)
    assert verdict, verdict


def test_elaboration_stops_at_its_time_limit(
    tmp_path: Path, pigeonhole: Callable[[int], Formula]
) -> None:
    assert solve_with_proof(pigeonhole(5), KISSAT, tmp_path / "proof") == Refuted()
    verdict = check_drat(pigeonhole(5), tmp_path / "proof", seconds=0)
    assert not verdict
    assert not verdict.decided
    assert str(verdict) == "not checked: step 0: time limit"


# --- programs -----------------------------------------------------------------------------------


def script(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return folder


@pytest.mark.parametrize(
    ("body", "valid", "decided", "reason"),
    [
        ("echo s VERIFIED", True, True, ""),
        ("printf 'c 50%%\\rs VERIFIED\\n'", True, True, ""),
        ("echo s VERIFIED; exit 1", False, False, "s VERIFIED (exit code 1)"),
        ("echo s VERIFIED; kill -9 $$", False, False, "s VERIFIED (signal 9 (SIGKILL))"),
        ("echo s VERIFIED; echo s NOT VERIFIED", False, True, "s NOT VERIFIED (exit code 0)"),
        ("echo s NOT VERIFIED; exit 1", False, True, "s NOT VERIFIED (exit code 1)"),
        ("echo c s VERIFIED", False, False, "c s VERIFIED (exit code 0)"),
        ("echo no room >&2; exit 3", False, False, "no room (exit code 3)"),
        ("exit 0", False, False, "it printed nothing (exit code 0)"),
    ],
)
def test_what_a_checker_says(
    body: str, valid: bool, decided: bool, reason: str, tmp_path: Path, no_files_left: Path
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    script(folder, "drat-trim", f'echo lemma > "$7"; {body}')
    proof, made = folder / "proof", folder / "made.lrat"
    proof.write_text("0\n")
    verdict = check_with(DRAT_TRIM, SQUARE, proof, lrat=made, folder=folder)
    assert (verdict.valid, verdict.decided, verdict.reason) == (valid, decided, reason)
    assert verdict.checker == "drat-trim"
    assert made.exists() == valid
    assert [path.name for path in no_files_left.iterdir()] == ["bin"]


def test_a_checker_that_takes_too_long(
    tmp_path: Path, gone_within: Callable[[int, float], bool]
) -> None:
    script(tmp_path, "cake_lpr", f'echo $$ > "{tmp_path}/pid"; echo s VERIFIED UNSAT; sleep 600')
    (tmp_path / "proof").touch()
    start = time.monotonic()
    verdict = check_with(CAKE_LPR, SQUARE, tmp_path / "proof", seconds=1, folder=tmp_path)
    assert time.monotonic() - start < PATIENCE
    assert (verdict.valid, verdict.decided, verdict.reason) == (False, False, "time limit")
    assert gone_within(int((tmp_path / "pid").read_text()), PATIENCE)


def test_checkers_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(SolverError, match=r"there is no drat-trim in .*package drat-trim"):
        check_with(DRAT_TRIM, SQUARE, tmp_path / "proof", folder=tmp_path)
    assert not CAKE_LPR.is_available(tmp_path)
    with pytest.raises(SolverError, match="cannot write LRAT"):
        check_with(LRAT_CHECK, SQUARE, tmp_path / "proof", lrat=tmp_path / "out")
    assert find_tool("cake_lpr") is CAKE_LPR
    with pytest.raises(SolverError, match="use one of drat-trim, lrat-check, cake_lpr"):
        find_tool("gratchk")
    folder = script(tmp_path, "lrat-check", "")
    (folder / "lrat-check").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "proof").touch()
    with pytest.raises(SolverError, match="lrat-check cannot be started"):
        check_with(LRAT_CHECK, SQUARE, tmp_path / "proof", folder=folder)


# --- solving ------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", [KISSAT, CADICAL, find_solver("kissat-unsat")], ids=repr)
def test_solvers_write_proofs(
    solver: Solver,
    no_files_left: Path,
    checkers: Path,
    pigeonhole: Callable[[int], Formula],
    random_3sat: Callable[[int, int, int], Formula],
) -> None:
    proof = no_files_left / "proof"
    assert proof_format(solver) == ("lrat" if solver is CADICAL else "drat")
    for formula in (pigeonhole(5), random_3sat(60, 330, 1), SQUARE):
        proof.write_text("an old proof")
        assert solve_with_proof(formula, solver, proof) == Refuted()
        if solver is CADICAL:
            assert check_with(LRAT_CHECK, formula, proof, folder=checkers)
            assert check_lrat(formula, proof)
        else:
            assert check_with(DRAT_TRIM, formula, proof, folder=checkers)
            assert check_drat(formula, proof)
    satisfiable = random_3sat(60, 180, 1)
    answer = solve_with_proof(satisfiable, solver, proof)
    assert isinstance(answer, Satisfied)
    assert answer.model.satisfies(satisfiable)
    assert list(no_files_left.iterdir()) == []


@pytest.mark.parametrize("solver", [KISSAT, CADICAL], ids=repr)
def test_a_proof_that_grows_too_large(
    solver: CommandSolver, no_files_left: Path, pigeonhole: Callable[[int], Formula]
) -> None:
    proof = no_files_left / "proof"
    answer = solve_with_proof(pigeonhole(12), solver, proof, Limits(60), most_bytes=100_000)
    assert answer == Undecided(Reason.PROOF_LIMIT, "the proof is larger than 100000 bytes")
    # It may be too large only when it is complete.
    answer = solve_with_proof(pigeonhole(4), solver, proof, most_bytes=10)
    assert answer == Undecided(Reason.PROOF_LIMIT, "the proof is larger than 10 bytes")
    assert list(no_files_left.iterdir()) == []
    assert solve_with_proof(pigeonhole(4), solver, proof, most_bytes=10**6) == Refuted()


def test_the_time_limit_leaves_no_proof(
    no_files_left: Path, pigeonhole: Callable[[int], Formula]
) -> None:
    for solver in (KISSAT, CADICAL):
        answer = solve_with_proof(pigeonhole(12), solver, no_files_left / "proof", Limits(0.3))
        assert answer == Undecided(Reason.TIME_LIMIT)
        assert list(no_files_left.iterdir()) == []


def test_what_cannot_be_done(tmp_path: Path) -> None:
    for solver in (find_solver("minisat"), CommandSolver("x", "x", ("kissat", "{}"))):
        with pytest.raises(
            SolverError, match="cannot write proofs; use cadical, cadical195, kissat"
        ):
            solve_with_proof(SQUARE, solver, tmp_path / "proof")
    with pytest.raises(UsageError, match=r"cannot contain \{\}"):
        solve_with_proof(SQUARE, KISSAT, tmp_path / "{}")
    with pytest.raises(UsageError, match="cannot be written"):
        solve_with_proof(SQUARE, KISSAT, tmp_path / "none" / "proof")


def test_the_program_cadical_is_asked_for_lrat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver = find_solver("cadical-binary")
    assert proof_format(solver) == "lrat"
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    # The solver's variables are those of the formula, from the last to the first.
    steps = "9 3 2 0 1 2 0\\n10 3 0 9 3 4 0\\n11 2 0 10 5 6 0\\n12 0 10 11 7 8 0\\n"
    cube = Formula.from_clauses(itertools.product((1, -1), (2, -2), (3, -3)))
    version = 'test "$1" = --version && echo {} && exit'
    solve = (
        f'test "$1 $2" = "--lrat --no-binary" && printf "{steps}" > "$4" && echo s UNSATISFIABLE'
    )
    script(tmp_path, "cadical", version.format("2.1.3") + f"; {solve}; exit 20")
    assert solve_with_proof(cube, solver, tmp_path / "proof") == Refuted()
    assert check_lrat(cube, tmp_path / "proof")
    for told, words in (("1.9.5", "is 1.9.5"), ("what?", "of an unknown version")):
        script(tmp_path, "cadical", version.format(f"'{told}'"))
        with pytest.raises(SolverError, match=words):
            solve_with_proof(SQUARE, solver, tmp_path / "proof")


def test_the_speed_of_our_checker(
    tmp_path: Path, checkers: Path, random_3sat: Callable[[int, int, int], Formula]
) -> None:
    formula = random_3sat(265, 1219, 1)
    drat, path = tmp_path / "proof.drat", tmp_path / "proof.lrat"
    assert solve_with_proof(formula, KISSAT, drat) == Refuted()
    assert check_with(DRAT_TRIM, formula, drat, lrat=path, folder=checkers)
    verdict = check_lrat(formula, path)
    assert verdict, verdict
    size = path.stat().st_size / 1e6
    print(f"{size:.1f} MB, {verdict.steps} steps, {verdict.seconds:.1f} s")  # noqa: T201
