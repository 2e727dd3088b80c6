"""Trimming LRAT proofs: numbered as the formula is, nothing needless, and still proofs."""

from __future__ import annotations

import io
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from satlife.errors import FormatError
from satlife.sat import Formula, Limits, Reason, Refuted, Undecided, find_solver
from satlife.sat.proofs import solve_with_proof, trim_lrat
from tests.sat.both import check_lrat

CADICAL = find_solver("cadical")
SQUARE = Formula.from_clauses([(1, 2), (-1, 2), (1, -2), (-1, -2)])


def trim(formula: Formula, text: str, folder: Path) -> str:
    (folder / "raw").write_text(text)
    with (folder / "trimmed").open("w") as file:
        trim_lrat(formula, folder / "raw", file)
    return (folder / "trimmed").read_text()


def random_formula(chance: random.Random) -> Formula:
    """Many units: their consequences get ids between those of the clauses."""
    variables = chance.randint(2, 30)
    sizes = (1, 2, 3, 3, 3, 4)
    return Formula.from_clauses(
        [chance.choice((1, -1)) * chance.randint(1, variables) for _ in range(chance.choice(sizes))]
        for _ in range(variables * 6)
    )


@pytest.mark.parametrize("seed", range(4))
def test_what_cadical_writes_is_a_proof_whatever_ids_it_gave(seed: int, tmp_path: Path) -> None:
    chance, refuted = random.Random(seed), 0
    for _ in range(10):
        formula = random_formula(chance)
        if solve_with_proof(formula, CADICAL, tmp_path / "proof") == Refuted():
            refuted += 1
            assert check_lrat(formula, tmp_path / "proof")
            steps = [line.split() for line in (tmp_path / "proof").read_text().splitlines()]
            names = [int(step[0]) for step in steps if step[1] != "d"]
            first = formula.clauses + 1
            assert names == list(range(first, first + len(names)))
    assert refuted > 5


@pytest.mark.parametrize(
    "clauses",
    [
        [()],
        [(1, 2), ()],
        [(1,), (-1,)],
        [(1,), (2,), (-1, -2)],
        [(1, 1, 2), (-2,), (2, -1)],
        [(1, -1), (2,), (-2,)],
        [(1,), (1,), (-1, 2), (-2, 1), (-2,)],
    ],
    ids=str,
)
def test_refuted_while_the_clauses_are_read(clauses: list[tuple[int, ...]], tmp_path: Path) -> None:
    formula = Formula.from_clauses(clauses)
    assert solve_with_proof(formula, CADICAL, tmp_path / "proof") == Refuted()
    assert check_lrat(formula, tmp_path / "proof")


def test_a_needless_step_is_left_out(tmp_path: Path) -> None:
    text = "5 2 0 1 2 0\n6 1 0 1 3 0\n6 d 1 0\n7 0 5 3 4 0\n8 1 0 5 0\n"
    assert trim(SQUARE, text, tmp_path) == "5 2 0 1 2 0\n6 0 5 3 4 0\n"
    assert check_lrat(SQUARE, tmp_path / "trimmed")


def test_ids_between_the_clauses(tmp_path: Path) -> None:
    """The solver derived 3 before it was given the last two clauses."""
    text = "3 2 0 1 2 0\n6 0 3 4 5 0\n"
    assert trim(SQUARE, text, tmp_path) == "5 2 0 1 2 0\n6 0 5 3 4 0\n"


def test_a_later_clause_is_deleted(tmp_path: Path) -> None:
    """Clause 6, the last one, is deleted before any step has a larger id."""
    formula = Formula.from_clauses([*SQUARE, (1, 2, 3)])
    text = "3 2 0 1 2 0\n3 d 1 6 0\n7 0 3 4 5 0\n"
    assert trim(formula, text, tmp_path) == "6 2 0 1 2 0\n7 0 6 3 4 0\n"


def test_clauses_are_deleted_after_their_last_use(
    tmp_path: Path, pigeonhole: Callable[[int], Formula]
) -> None:
    formula = pigeonhole(6)
    assert solve_with_proof(formula, CADICAL, tmp_path / "proof") == Refuted()
    verdict = check_lrat(formula, tmp_path / "proof")
    assert verdict
    assert verdict.deleted > verdict.added // 2


def test_nothing_follows_the_empty_clause(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("satlife.sat.proofs.trim._BATCH", 1)
    text = "5 2 0 1 2 0\n6 0 5 3 4 0\n"
    assert trim(SQUARE, text, tmp_path) == "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"


def test_a_proof_with_rat_steps_is_only_renumbered(tmp_path: Path) -> None:
    """3 is new: 3 or 1 is RAT on it, and so is -3 or 2, for its resolvent is clause 1."""
    raw = "3 3 1 0 0\n4 -3 2 0 -3 1 0\n7 2 0 4 3 2 0\n7 d 3 0\n8 0 7 5 6 0\n"
    assert trim(SQUARE, raw, tmp_path) == (
        "5 3 1 0 0\n6 -3 2 0 -5 1 0\n7 2 0 6 5 2 0\n7 d 5 0\n8 0 7 3 4 0\n"
    )
    assert check_lrat(SQUARE, tmp_path / "trimmed")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5 2 0 1 2 0\n",
        "5 2 0 1 2 0\n5 0 5 3 4 0\n",
        "5 2 0 9 2 0\n6 0 5 3 4 0\n",
        "5 2\n6 0 5 3 4 0\n",
        "a\x02\n",
        "99999999999 0 1 2 0\n",
        "6 d 1 0\n",
        "9 d 8 0\n10 3 0 0\n7 0 10 0\n",
        "99 d 98 0\n5 3 0 0\n6 0 5 0\n",
    ],
)
def test_what_is_not_a_proof(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        trim(SQUARE, text, tmp_path)


def test_the_time_limit(tmp_path: Path, pigeonhole: Callable[[int], Formula]) -> None:
    (tmp_path / "raw").write_text("5 2 0 1 2 0\n6 0 5 3 4 0\n")
    with pytest.raises(TimeoutError):
        trim_lrat(SQUARE, tmp_path / "raw", io.StringIO(), deadline=time.monotonic() - 1)
    (tmp_path / "raw").unlink()
    answer = solve_with_proof(pigeonhole(10), CADICAL, tmp_path / "proof", Limits(seconds=0.5))
    assert isinstance(answer, Undecided)
    assert answer.reason is Reason.TIME_LIMIT
    assert list(tmp_path.iterdir()) == []
