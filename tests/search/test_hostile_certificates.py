"""Folders of strangers: whatever lies in them, a check costs little and says what is wrong."""

from __future__ import annotations

import json
import lzma
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from satlife import Impossible, Problem
from satlife.audit.formula import audit_formula
from satlife.certificates import (
    Allowance,
    BestClaim,
    Complete,
    NoneExists,
    Proving,
    certify,
    check_certificate,
    make_statement,
)
from satlife.certificates.check import checker
from satlife.certificates.check.checker import Judgement, judge_folder
from satlife.certificates.claims import encode_claim, estimate_claim, estimate_clauses
from satlife.errors import UsageError
from satlife.kinds import agar, orphan, oscillator, parent, ship, still_life
from satlife.life import Pattern
from satlife.plain import LARGEST_TEXT
from satlife.problem.constraints import NotEmpty
from satlife.sat.files.paths import hash_file
from tests.cli.running import run
from tests.patience import PATIENCE

if sys.platform != "win32":
    import resource

CHEAP = 10.0
"""Seconds for what is refused before anything is built, on a busy machine."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate") / "p3"
    assert isinstance(certify(oscillator(3, box="3x3"), NoneExists(), folder), Impossible)
    return folder


@pytest.fixture
def copy(certificate: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(certificate, tmp_path / "copy"))


def read_record(folder: Path) -> dict[str, object]:
    record: dict[str, object] = json.loads((folder / "certificate.json").read_bytes())
    return record


def rehash(folder: Path, **changes: object) -> None:
    """Make certificate.json tell the hashes of what is there, as a forger would."""
    path = folder / "certificate.json"
    record = read_record(folder) | changes
    record["files"] = {
        each.name: hash_file(each) for each in sorted(folder.iterdir()) if each != path
    }
    path.write_text(json.dumps(record))


def forge_problem(folder: Path, problem: Problem) -> None:
    (folder / "problem.json").write_bytes(problem.to_json() + b"\n")
    (folder / "statement.md").write_text(make_statement(problem, NoneExists()))
    rehash(folder, problem=problem.name)


def check_cheaply(folder: Path, allowance: Allowance | None = None) -> Judgement:
    begun = time.monotonic()
    judgement = check_certificate(folder, allowance)
    assert time.monotonic() - begun < CHEAP
    return judgement


def test_the_copy_is_valid(copy: Path) -> None:
    assert check_certificate(copy).valid


def test_a_problem_of_eighteen_million_clauses_is_not_built(copy: Path) -> None:
    forge_problem(copy, still_life(box="300x300"))
    judgement = check_cheaply(copy)
    assert judgement.word == "not decided"
    assert "the problem asks for about 18," in str(judgement)
    assert "the limit is 5,000,000" in str(judgement)


def test_the_limit_can_be_set(copy: Path) -> None:
    judgement = check_cheaply(copy, Allowance(most_clauses=1000))
    assert judgement.word == "not decided"
    assert "the limit is 1,000" in str(judgement)


PROBLEMS = (
    ship("c/3", box="8x8"),
    ship("c/4d", box="6x6"),
    ship("2c/5", box="9x8", symmetry="D2|"),
    oscillator(6, box="6x6"),
    oscillator(4, box="9x9", symmetry="C4"),
    oscillator(3, box="5x5", rotor="<=8"),
    oscillator(3, box="6x6", population="<=8@every"),
    still_life(box="8x8", population=">=37"),
    still_life(box="8x8", population="=10"),
    still_life(box="5x5", width=">=4"),
    still_life(box="5x5", area=">=4"),
    still_life(box="6x6", rule="B36/S23"),
    agar(2, box="4x4"),
    orphan(Pattern.from_rle("3o$obo$3o!")),
    parent(Pattern.from_rle("3o$obo$3o!")),
)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: f"{p.kind}-{p.name[:6]}")
def test_the_estimate_is_near(problem: Problem) -> None:
    clauses = audit_formula(problem).clauses
    assert 0.8 * clauses <= estimate_clauses(problem) <= 2 * clauses


def test_claims_cost_more_than_their_problem() -> None:
    problem = still_life(box="8x8")
    plain = estimate_claim(problem, NoneExists())
    found = ((("oo......", "oo......", *["........"] * 6),),)
    every = Complete(images=True, found=found)
    assert estimate_claim(problem, every) > plain + 49
    best = BestClaim(goals=("maximize population",), values=(36,), found=found[0])
    assert estimate_claim(problem, best) > 2 * plain


def test_forty_gigabytes_of_zeros_are_not_hashed(copy: Path) -> None:
    with (copy / "proof.lrat.xz").open("wb") as file:
        file.truncate(40_000_000_000)
    judgement = check_cheaply(copy)
    assert judgement.word == "not decided"
    assert "the files have 40,0" in str(judgement)


def test_a_huge_text_is_not_read(copy: Path) -> None:
    with (copy / "certificate.json").open("r+b") as file:
        file.truncate(LARGEST_TEXT + 1)
    assert str(check_cheaply(copy)) == (
        "not decided: certificate.json is larger than 50,000,000 bytes"
    )


def bomb(folder: Path, size: int, start: bytes = b"") -> None:
    """Put a proof that unpacks to so many zeros, and have certificate.json say so."""
    with lzma.open(folder / "proof.lrat.xz", "wb", preset=0) as file:
        file.write(start)
        block = bytes(1 << 24)
        for _ in range(size >> 24):
            file.write(block)
    (part,) = read_record(folder)["parts"]  # type: ignore[misc]
    total = len(start) + (size >> 24 << 24)
    rehash(folder, parts=[part | {"proof_bytes": total}])


@pytest.mark.skipif(sys.platform == "win32", reason="the module resource is of POSIX")
def test_a_small_file_that_unpacks_to_much_is_not_unpacked(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    bomb(copy, 1 << 28)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    judgement = check_cheaply(copy)
    assert judgement.word == "not valid"
    assert "line 1" in str(judgement)
    grown = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert grown <= max(before, 200_000)  # kB
    assert list((tmp_path / "scratch").iterdir()) == []


def test_what_unpacks_beyond_the_limit_is_not_decided(copy: Path) -> None:
    (part,) = read_record(copy)["parts"]  # type: ignore[misc]
    rehash(copy, parts=[part | {"proof_bytes": 5_000_000_000}])
    judgement = check_cheaply(copy)
    assert judgement.word == "not decided"
    assert "unpacks to 5,000,000,000 bytes; the limit is 4,000,000,000" in str(judgement)


def test_what_unpacks_to_more_or_less_than_is_said_is_not_valid(copy: Path) -> None:
    (part,) = read_record(copy)["parts"]  # type: ignore[misc]
    for size in (part["proof_bytes"] - 1, 10):
        rehash(copy, parts=[part | {"proof_bytes": size}])
        judgement = judge_folder(copy)
        assert judgement.word == "not valid"
        assert "longer than expected" in str(judgement)
    rehash(copy, parts=[part | {"proof_bytes": part["proof_bytes"] + 1}])
    assert "shorter than" in str(judge_folder(copy))


def test_hashes_are_compared_before_anything_is_built(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge_problem(copy, still_life(box="100x100"))
    with (copy / "claim.json").open("ab") as file:
        file.write(b"\n")
    monkeypatch.setattr(checker, "estimate_claim", None)
    judgement = judge_folder(copy)
    assert judgement.complaints == ("claim.json is not the file that certificate.json lists",)


@pytest.mark.parametrize("limit", [Allowance(seconds=1), Allowance(seconds=3)])
def test_time_holds_for_the_building_too(limit: Allowance, copy: Path) -> None:
    forge_problem(copy, still_life(box="150x150"))
    begun = time.monotonic()
    judgement = check_certificate(copy, limit)
    assert time.monotonic() - begun < (limit.seconds or 0) + 3
    assert judgement.word == "not decided"
    assert "time limit, while" in str(judgement)


def test_memory_holds_for_the_building_too(copy: Path) -> None:
    forge_problem(copy, still_life(box="60x60"))
    judgement = check_certificate(copy, Allowance(memory_bytes=90_000_000))
    assert str(judgement) == "not decided: memory limit, while building the formula"


def double(text: bytes, key: bytes) -> bytes:
    """Write the first key of a text twice."""
    return text.replace(b"{", b'{"' + key + b'": 1, ', 1)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("problem.json", b"boxes"),
        ("claim.json", b"type"),
        ("certificate.json", b"format"),
        ("certificate.json", b"\\u0066ormat"),
    ],
)
def test_a_key_that_stands_twice_is_not_valid(name: str, key: bytes, copy: Path) -> None:
    path = copy / name
    path.write_bytes(double(path.read_bytes(), key))
    if name != "certificate.json":
        rehash(copy)
    judgement = judge_folder(copy)
    assert judgement.word == "not valid"
    assert "stands there twice" in str(judgement)


def test_a_key_that_stands_twice_deep_inside_is_not_valid(copy: Path) -> None:
    path = copy / "certificate.json"
    path.write_bytes(path.read_bytes().replace(b'"files": {', b'"files": {"claim.json": "0",'))
    assert "the key 'claim.json' stands there twice" in str(judge_folder(copy))


def test_a_part_that_is_listed_twice_is_not_valid(copy: Path) -> None:
    (part,) = read_record(copy)["parts"]  # type: ignore[misc]
    rehash(copy, parts=[part, part])
    assert str(judge_folder(copy)) == (
        "not valid: certificate.json: the part 'proof' is listed twice"
    )


def link(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_a_copy(path: Path) -> None:
    other = path.parent.parent / "other"
    path.rename(other)
    path.symlink_to(other)


@pytest.mark.parametrize("make", [getattr(os, "mkfifo", os.mkdir), os.mkdir, link, link_to_a_copy])
@pytest.mark.parametrize("name", ["proof.lrat.xz", "certificate.json", "tree.txt"])
def test_only_plain_files_are_read(make: Callable[[Path], None], name: str, copy: Path) -> None:
    path = copy / name
    if make is not link_to_a_copy:
        path.unlink(missing_ok=True)
    elif not path.exists():
        path.write_text("leaf\n")
    make(path)
    judgement = check_cheaply(copy)
    assert str(judgement) == f"not valid: {name} is not a plain file"


def test_json_without_end_is_not_valid(copy: Path) -> None:
    for name in ("problem.json", "claim.json", "certificate.json"):
        (copy / name).write_bytes(b"[" * 1_000_000)
        if name != "certificate.json":
            rehash(copy)
        assert judge_folder(copy).word == "not valid"


def test_a_claim_of_many_patterns_is_not_counted_for_ever(copy: Path) -> None:
    claim = Complete(images=True, found=((("ooo", "ooo", "ooo"),) * 3,) * 20_000)
    (copy / "claim.json").write_bytes(encode_claim(claim))
    rehash(copy)
    begun = time.monotonic()
    judgement = check_certificate(copy, Allowance(seconds=3))
    assert time.monotonic() - begun < PATIENCE
    assert not judgement.valid


def test_what_is_not_looked_at_is_named(copy: Path) -> None:
    assert judge_folder(copy).unread == ()
    (copy / "index.html").write_text("<h1>There is no oscillator of period 4 either")
    rehash(copy)
    judgement = judge_folder(copy)
    assert (judgement.word, judgement.unread) == ("valid", ("index.html",))


def test_another_kind_is_the_same_problem_and_is_not_looked_at(tmp_path: Path) -> None:
    problem = msgspec.structs.replace(oscillator(3, box="3x3"), kind="still-life")
    certify(problem, NoneExists(), tmp_path / "p3")
    judgement = judge_folder(tmp_path / "p3")
    assert judgement.valid
    assert "kind in problem.json" in judgement.hearsay
    assert judgement.statement.startswith("# There is no oscillator of period 3 in 3×3")


@pytest.mark.parametrize("name", ["proof.lrat.xz", "formula.cnf.xz"])
@pytest.mark.parametrize("more", [b"x", bytes(4), bytes(5), lzma.compress(b"more")])
def test_nothing_follows_a_packed_file(copy: Path, name: str, more: bytes) -> None:
    with (copy / name).open("ab") as file:
        file.write(more)
    rehash(copy)
    judgement = judge_folder(copy)
    assert judgement.word == "not valid"
    assert f"{name} goes on after its end" in str(judgement)


def test_a_packed_file_cannot_ask_for_much_memory(copy: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    text = lzma.decompress((copy / "proof.lrat.xz").read_bytes())
    (copy / "proof.lrat.xz").write_bytes(lzma.compress(text, filters=filters))
    rehash(copy)
    judgement = judge_folder(copy)
    assert judgement.word == "not valid"
    assert "Memory usage limit" in str(judgement)


def test_steps_after_the_empty_clause_are_named(copy: Path) -> None:
    text = lzma.decompress((copy / "proof.lrat.xz").read_bytes()) + b"This is a proof of P = NP.\n"
    (copy / "proof.lrat.xz").write_bytes(lzma.compress(text))
    (part,) = read_record(copy)["parts"]  # type: ignore[misc]
    rehash(copy, parts=[part | {"proof_bytes": len(text)}])
    judgement = judge_folder(copy)
    assert judgement.valid
    assert str(judgement) == "valid; not looked at: steps after the empty clause of proof"


@pytest.mark.parametrize("change", [{"title": "P = NP"}, {"variables": 1}, {"clauses": 1}])
def test_titles_and_sizes_are_compared(copy: Path, change: dict[str, object]) -> None:
    (part,) = read_record(copy)["parts"]  # type: ignore[misc]
    rehash(copy, parts=[part | change])
    judgement = judge_folder(copy)
    assert "certificate.json gives it another title or size" in str(judgement)


def test_symmetries_of_a_formula_that_is_not_there_are_refused(copy: Path) -> None:
    maps = json.loads((copy / "symmetries.json").read_bytes())
    (copy / "symmetries.json").write_text(json.dumps(maps | {"formula-2": []}))
    rehash(copy)
    assert str(judge_folder(copy)) == "not valid: symmetries.json: there is no formula 'formula-2'"


def test_a_false_symmetry_beside_a_tree_is_the_reason(tmp_path: Path) -> None:
    """A ship that travels north is not the same upside down."""
    proving = Proving(cubes=2)
    certify(ship("c/3", box="3x4"), NoneExists(), folder := tmp_path / "tree", proving)
    assert (folder / "tree.txt").exists()
    maps = [["flip-top-bottom", 0, 0, 0]]
    (folder / "symmetries.json").write_text(json.dumps({"formula": maps}))
    rehash(folder)
    judgement = judge_folder(folder)
    assert str(judgement) == "not valid: the problem is not the same for flip-top-bottom"


def test_a_file_for_notes_that_cannot_be_used_is_not_the_folders_fault(
    copy: Path, tmp_path: Path
) -> None:
    for save in (tmp_path / "no" / "such", copy, copy / "claim.json"):
        with pytest.raises(UsageError):
            check_certificate(copy, Allowance(save=save))


def test_what_is_no_certificate_at_all_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    with pytest.raises(UsageError, match="neither a certificate nor a map"):
        check_certificate(tmp_path)


@pytest.mark.parametrize("name", [b"a\ncopy: valid", b"\xff\xfe", b"\x1b[2J"])
def test_names_of_files_are_shown_on_one_line_and_harmless(copy: Path, name: bytes) -> None:
    (copy / os.fsdecode(name)).write_text("")
    for options in ((), ("-q",), ("--json",)):
        done = run("satlife", "check", str(copy), *options)
        assert done.returncode == 4
        assert b"\x1b" not in done.stdout
        assert not [line for line in done.stdout.splitlines() if line.startswith(b"copy: valid")]


TITLES = {
    "There is no oscillator of period 3 in 3×3": oscillator(3, box="3x3").constraints,
    "There is no oscillator of period 3 (or of a smaller period) in 3×3": (NotEmpty(),),
    "There is no oscillator of period 3 (or of a smaller period, or nothing at all) in 3×3": (),
}


@pytest.mark.parametrize("title", TITLES)
def test_a_title_names_only_what_the_constraints_ask_for(title: str) -> None:
    problem = msgspec.structs.replace(oscillator(3, box="3x3"), constraints=TITLES[title])
    assert make_statement(problem, NoneExists()).startswith(f"# {title}\n")
