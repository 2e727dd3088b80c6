"""The set of formulas for other solvers: as recorded, as competitions ask, and honest."""

from __future__ import annotations

import csv
import hashlib
import lzma
from pathlib import Path

import pytest

from atlas import suite
from atlas.suite import ASKED, FAMILIES, SIZES, Asked, Family, read_record
from satlife.sat import Formula, Refuted, Satisfied, find_solver, read_formula
from satlife.sat.files import dimacs
from satlife.sat.proofs import check_lrat

RECORD = read_record()["formulas"]
EASY = [each for each in ASKED if each.size == SIZES[0]]
TINY = Family(
    "tiny",
    "a still life of {1} cells in {0}",
    "cnf still-life --box {0} --population {1}",
    (("2x2", 4), ("3x3", 6), ("3x3", 7)),
)


def test_sixty_formulas_have_names_of_their_own() -> None:
    assert len({each.name for each in ASKED}) == 60
    assert len({each.command for each in ASKED}) == 60


def test_all_of_them_are_recorded() -> None:
    assert list(RECORD) == [each.name for each in ASKED]
    assert {each.name: f"satlife {each.command}" for each in ASKED} == {
        name: entry["command"] for name, entry in RECORD.items()
    }
    assert all(entry["status"] in {"SAT", "UNSAT"} for entry in RECORD.values())


@pytest.mark.parametrize("asked", EASY, ids=[each.name for each in EASY])
def test_an_easy_formula_is_written_as_recorded(asked: Asked) -> None:
    text, entry = asked.build(), RECORD[asked.name]
    told = suite.describe_text(text)
    assert told == {name: entry[name] for name in told}


@pytest.mark.parametrize("family", FAMILIES, ids=[each.name for each in FAMILIES])
def test_a_small_formula_has_the_status_that_is_recorded(family: Family, tmp_path: Path) -> None:
    asked = Asked(family, SIZES[0])
    path = tmp_path / "formula.cnf"
    path.write_bytes(asked.build())
    with path.open("rb") as file, find_solver("glucose4").open(read_formula(file)) as solver:
        wanted = {"SAT": Satisfied, "UNSAT": Refuted}[RECORD[asked.name]["status"]]
        assert isinstance(solver.solve(), wanted)


def test_the_hash_is_that_of_the_benchmark_database() -> None:
    told = suite.describe_text(b"c a comment\np cnf 2 2\n1 -2 0\n2 0\n")
    assert told["gbd"] == hashlib.md5(b"1 -2 0 2 0").hexdigest()


@pytest.mark.parametrize(
    "text",
    [
        b"c\np cnf 3 2\n1 -2 0\n2 0\n",
        b"c\np cnf 2 2\n1 -1 0\n2 0\n",
        b"c\np cnf 2 2\n1 1 0\n2 0\n",
        b"c\np cnf 2 2\n1 -2 0\nc late\n2 0\n",
    ],
    ids=["a variable is missing", "a tautology", "a literal twice", "a late comment"],
)
def test_what_competitions_do_not_take_is_refused(text: bytes) -> None:
    with pytest.raises(AssertionError):
        suite.describe_text(text)


def test_a_wrong_status_is_noticed() -> None:
    with pytest.raises(AssertionError, match="SAT"):
        suite.measure(Formula.from_clauses([(1,)]), "minisat", "UNSAT")


def test_the_work_continues_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tuple(Asked(TINY, size) for size in SIZES)
    monkeypatch.setattr(suite, "ASKED", asked)
    assert suite.work(tmp_path, asked, -1) == {}
    entries = suite.work(tmp_path, asked, 1e9)
    assert [each["status"] for each in entries.values()] == ["SAT", "SAT", "UNSAT"]
    assert suite.work(tmp_path, asked, -1) == entries  # nothing is left to do

    suite.write_manifest(entries, tmp_path / "manifest.csv")
    with (tmp_path / "manifest.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["result"] for row in rows] == ["sat", "sat", "unsat"]
    assert "1 are not" in " ".join(suite.write_description(entries).split())
    with lzma.open(tmp_path / "formulas" / "tiny-hard.cnf.xz") as file:
        formula = dimacs.read(file)
    proof = tmp_path / "proof"
    proof.write_bytes(lzma.decompress((tmp_path / "proofs" / "tiny-hard.lrat.xz").read_bytes()))
    assert check_lrat(formula, proof)
    assert hashlib.sha256(proof.read_bytes()).hexdigest() == rows[2]["proof_sha256"]
    assert "2o$2o!" in (tmp_path / "models" / "tiny-easy.rle").read_text()


def test_another_formula_of_the_same_name_is_decided_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (Asked(TINY, SIZES[0]), Asked(TINY, SIZES[2]))
    for asked in (first, second):
        other = Asked(Family("one", "", asked.command, ((), (), ())), SIZES[0])
        monkeypatch.setattr(suite, "ASKED", (other,))
        entry = suite.work(tmp_path, (other,), 1e9)["one-easy"]
        assert entry["status"] == {first: "SAT", second: "UNSAT"}[asked]
        assert any((tmp_path / "models").iterdir()) == (asked == first)
