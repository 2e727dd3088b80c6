"""Certificates: made, checked, and tampered with."""

from __future__ import annotations

import json
import lzma
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from atlas.gallery.items import ITEMS, Item
from atlas.gallery.make import make
from atlas.gallery.rows import read_kept
from satlife import (
    Difference,
    Found,
    Goal,
    Impossible,
    Known,
    Link,
    Motion,
    NotEmpty,
    Options,
    Population,
    Problem,
    Undecided,
    find_all,
    find_best,
)
from satlife.audit.formula import audit_formula
from satlife.certificates import (
    BestClaim,
    Complete,
    Core,
    Needed,
    NoneExists,
    Proving,
    certify,
    check_certificate,
    draw,
    known_places,
    make_statement,
    read_certificate,
)
from satlife.certificates import folder as files
from satlife.certificates.check.checker import Allowance, judge_folder
from satlife.certificates.make.shrink import shrink
from satlife.engine.goals import Best
from satlife.engine.sat.cases import split_problem
from satlife.errors import InternalError, SatlifeError, UsageError
from satlife.kinds import agar, orphan, oscillator, ship, still_life
from satlife.life import Pattern
from satlife.sat.files.paths import hash_file
from tests.cli.running import run
from tests.patience import PATIENCE

SLOW = (
    "p3-6x6",
    "p3-6x6-cubes",
    "c3-9x13",
    "c4-p4-9x9",
    "c4-p8-9x9",
    "still-10-8x8",
    "densest-8x8",
    "eater-0-1",
    "eater-0-2",
    "eater-0-3",
    "eater-1-1",
    "eater-1-3",
)
"""Of the gallery, these are left to ``just atlas gallery``: minutes, or like another."""

SMALL = oscillator(3, box="4x4")
NO_CLAIM = NoneExists()
CORE = {"orphan-10x10-core": 92, "orphan-11x11-core": 105, "orphan-11x9-core": 89}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small certificate; the tests work on copies of it."""
    folder = tmp_path_factory.mktemp("certificate") / "p3"
    assert isinstance(certify(SMALL, NoneExists(), folder), Impossible)
    return folder


@pytest.mark.parametrize("item", [i for i in ITEMS if i.name not in SLOW], ids=lambda i: i.name)
def test_known_impossibilities_are_certified_by_lrat_check_and_by_us(
    item: Item, tmp_path: Path, checkers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(checkers), prepend=os.pathsep)
    made = make(item, tmp_path)
    assert {"satlife", "lrat-check"} <= made.checkers
    kept = read_kept().rows[item.name]
    assert (made.row.title, made.row.problem) == (kept.title, kept.problem), (
        f"run: just atlas gallery {item.name}"
    )
    if item.name in CORE:
        claim = files.read_claim(tmp_path / item.name)
        assert isinstance(claim, Core)
        assert len(claim.needed) == CORE[item.name]


def test_a_certificate_needs_no_other_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    options = Options(solver="cadical")
    folder = tmp_path / "certificate"
    assert isinstance(certify(SMALL, NoneExists(), folder, Proving(options=options)), Impossible)
    (part,) = read_certificate(folder).parts
    assert {check.checker for check in part.checks} == {"satlife"}
    assert check_certificate(folder).valid


def test_the_same_problem_gives_the_same_formula_and_statement(
    tmp_path: Path, certificate: Path
) -> None:
    certify(SMALL, NoneExists(), tmp_path / "again")
    for name in ("formula.cnf.xz", "statement.md", "problem.json", "claim.json"):
        assert (tmp_path / "again" / name).read_bytes() == (certificate / name).read_bytes()


def test_formulas_stay_what_they_are() -> None:
    """If this fails, the audit formula has changed: raise AUDIT in certificates/folder.py."""
    problems = (
        SMALL,
        ship("c/3", box="5x5"),
        still_life(box="4x4", population="<=3", symmetry="D8"),
    )
    texts = b"".join(files.formula_text(audit_formula(problem)) for problem in problems)
    assert (files.AUDIT, files.hash_bytes(texts)) == (4, HASH)


HASH = "75bcb2c190b092eab48ef89a2e2f9df4039ac36aba21f4c6de581b7afe04ae58"


def test_the_statement_says_everything() -> None:
    problem = ship("c/3", box="8x8", population="<=9", symmetry="D2|")
    text = make_statement(problem, NoneExists())
    for words in (
        "There is no ship of speed c/3 going north in 8×8 with symmetry D2",
        "a dead cell with 3 live neighbours of its eight becomes alive",
        "Generations 0 to 2 lie in one box, 8 wide and 8 high",
        "Generation 3 is generation 0, moved 1 cell up",
        "At most 9 cells in generation 0",
        "Patterns without this symmetry",
        problem.name,
    ):
        assert words in text


def test_a_pattern_that_exists_leaves_no_certificate(tmp_path: Path) -> None:
    outcome = certify(still_life(box="3x3"), NoneExists(), tmp_path / "none")
    assert isinstance(outcome, Found)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("proving", "reason"),
    [
        (Proving(options=Options(timeout=0.3)), "time"),
        (Proving(most_bytes=1000), "the proof is larger than 1000 bytes"),
    ],
)
def test_limits_leave_no_certificate(tmp_path: Path, proving: Proving, reason: str) -> None:
    outcome = certify(oscillator(3, box="6x6"), NoneExists(), tmp_path / "none", proving)
    assert isinstance(outcome, Undecided)
    assert reason in outcome.reason
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        certify(SMALL, NoneExists(), tmp_path)
    assert (tmp_path / "file").read_text() == "mine"


def test_the_best(tmp_path: Path) -> None:
    problem = still_life(box="5x5")
    goals = [Goal.parse("maximize", "population"), Goal.parse("minimize", "width")]
    best = find_best(problem, goals)
    assert isinstance(best, Best)
    claim = BestClaim(
        goals=("maximize population", "minimize width"),
        values=best.values,
        found=draw(best.finding),
    )
    assert isinstance(certify(problem, claim, tmp_path / "best"), Impossible)
    judgement = check_certificate(tmp_path / "best")
    assert judgement.valid
    assert [name for name, _ in judgement.verdicts] == ["better-1", "better-2"]
    assert "none has more live cells in generation 0 than 16" in judgement.statement
    wrong = msgspec.structs.replace(claim, values=(15, best.values[1]))
    with pytest.raises(InternalError, match="has not 15, but 16"):
        certify(problem, wrong, tmp_path / "wrong")


def test_all(tmp_path: Path) -> None:
    problem = oscillator(2, box="5x5", population="<=6")
    found = tuple(draw(finding) for finding in find_all(problem))
    claim = Complete(images=True, found=found)
    assert isinstance(certify(problem, claim, tmp_path / "all"), Impossible)
    judgement = check_certificate(tmp_path / "all")
    assert judgement.valid
    assert (
        f"one of the {len(found)} patterns drawn below, or that one shifted" in judgement.statement
    )
    with pytest.raises(InternalError, match="was to be refuted"):
        certify(problem, Complete(images=True, found=found[1:]), tmp_path / "fewer")


def test_the_core_of_an_orphan_cannot_be_shrunk_by_a_false_parent(tmp_path: Path) -> None:
    problem = orphan(Pattern.from_rle(ITEMS[4].inputs["orphan-11x9.rle"]))
    shrunk = shrink(problem)
    assert shrunk is not None
    assert sum(step.kept for step in shrunk.steps) == len(shrunk.claim.needed)
    first, second, *rest = shrunk.claim.needed
    swapped = Needed(x=first.x, y=first.y, parent=second.parent)
    with pytest.raises(InternalError, match=r"the parent without cell"):
        certify(shrunk.problem, Core(needed=(swapped, second, *rest)), tmp_path / "core")
    with pytest.raises(InternalError, match="are not those that are asked for"):
        certify(shrunk.problem, Core(needed=(second, *rest)), tmp_path / "core")
    with pytest.raises(InternalError, match="not those that are asked for"):
        certify(shrunk.problem, Core(needed=(first, first, second, *rest)), tmp_path / "core")
    with pytest.raises(UsageError, match="only an orphan"):
        shrink(SMALL)


def rehash(folder: Path, record: dict[str, object] | None = None) -> None:
    """Make certificate.json tell the hashes of what is there, as a forger would."""
    path = folder / "certificate.json"
    record = record or json.loads(path.read_text())
    record["files"] = {
        each.name: hash_file(each) for each in sorted(folder.iterdir()) if each != path
    }
    path.write_text(json.dumps(record))


def flip_literal(text: bytes, chance: random.Random) -> bytes:
    lines = text.split(b"\n")
    spots = [
        (i, j)
        for i, line in enumerate(lines)
        for j, w in enumerate(line.split())
        if w.strip(b"-").isdigit()
    ]
    i, j = chance.choice(spots)
    words = lines[i].split()
    words[j] = words[j][1:] if words[j].startswith(b"-") else b"-" + words[j]
    lines[i] = b" ".join(words)
    return b"\n".join(lines)


def drop_line(text: bytes, chance: random.Random) -> bytes:
    lines = text.split(b"\n")
    del lines[chance.randrange(len(lines) - 1)]
    return b"\n".join(lines)


def truncate(text: bytes, chance: random.Random) -> bytes:
    return text[: chance.randrange(len(text))]


def change_byte(text: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(text))
    return (
        text[:place] + bytes([(text[place] + chance.randrange(1, 256)) % 256]) + text[place + 1 :]
    )


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flip_literal,
    drop_line,
    truncate,
    change_byte,
)
FILES = (
    "proof.lrat.xz",
    "formula.cnf.xz",
    "statement.md",
    "problem.json",
    "claim.json",
    "certificate.json",
)


@pytest.mark.parametrize("part", range(4))
def test_two_hundred_forgeries_are_not_valid(part: int, certificate: Path, tmp_path: Path) -> None:
    """Each with honest hashes of the forged files, so that only the check itself can tell."""
    chance = random.Random(part)
    told: set[str] = set()
    for number in range(50):
        folder = tmp_path / str(number)
        shutil.copytree(certificate, folder)
        name = chance.choice(FILES)
        mutate = chance.choice(MUTATIONS if name.endswith("xz") else MUTATIONS[1:])
        data = (folder / name).read_bytes()
        text = lzma.decompress(data) if name.endswith(".xz") else data
        forged = mutate(text, chance)
        (folder / name).write_bytes(lzma.compress(forged) if name.endswith(".xz") else forged)
        with_size = name == "proof.lrat.xz"
        try:
            record = json.loads((folder / "certificate.json").read_bytes())
            if with_size:
                record["parts"][0]["proof_bytes"] = len(forged)
            if chance.random() < 0.8:
                rehash(folder, record)
        except (ValueError, KeyError, TypeError):
            pass
        judgement = judge_folder(folder, Allowance(seconds=PATIENCE, most_clauses=200_000))
        told.add(judgement.word)
        if judgement.valid:
            assert_harmless(name, folder, certificate)
        shutil.rmtree(folder)
    assert "not valid" in told


def assert_harmless(name: str, folder: Path, certificate: Path) -> None:
    """A forgery that is valid must claim the same: a proof may be changed and still be one."""
    for same in ("statement.md", "claim.json"):
        assert (folder / same).read_bytes() == (certificate / same).read_bytes()
    kept = files.read_problem(certificate)
    assert files.read_problem(folder).name == kept.name
    packed, true = ((each / "formula.cnf.xz").read_bytes() for each in (folder, certificate))
    assert lzma.decompress(packed) == lzma.decompress(true)
    assert name in ("proof.lrat.xz", "certificate.json", "problem.json")


def test_a_swapped_formula_or_proof_is_not_valid(certificate: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    certify(oscillator(3, box="4x5"), NoneExists(), other)
    for name in ("formula.cnf.xz", "proof.lrat.xz", "problem.json", "statement.md"):
        folder = tmp_path / name
        shutil.copytree(certificate, folder)
        shutil.copy(other / name, folder / name)
        record = json.loads((folder / "certificate.json").read_bytes())
        size = read_certificate(other).parts[0].proof_bytes
        if name == "proof.lrat.xz":
            record["parts"][0]["proof_bytes"] = size
        rehash(folder, record)
        assert check_certificate(folder).word == "not valid", name


def test_what_is_missing_or_too_much_is_told(certificate: Path, tmp_path: Path) -> None:
    for name in (*FILES, "more.txt"):
        folder = tmp_path / name
        shutil.copytree(certificate, folder)
        path = folder / name
        path.unlink() if path.exists() else path.write_text("more")
        judgement = check_certificate(folder)
        assert judgement.word == "not valid"
        assert name in str(judgement)
    with pytest.raises(UsageError, match="is not a folder"):
        check_certificate(tmp_path / "nowhere")


def test_another_version_is_not_decided(certificate: Path, tmp_path: Path) -> None:
    folder = tmp_path / "later"
    shutil.copytree(certificate, folder)
    record = json.loads((folder / "certificate.json").read_bytes())
    (folder / "certificate.json").write_text(json.dumps(record | {"audit": 99, "satlife": "9.9"}))
    judgement = check_certificate(folder)
    assert judgement.word == "not decided"
    assert "check it with satlife 9.9" in str(judgement)


def test_a_proof_that_leads_elsewhere_is_not_read(certificate: Path, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    shutil.copytree(certificate, folder)
    record = json.loads((folder / "certificate.json").read_bytes())
    record["parts"][0]["proof"] = "../here/proof.lrat.xz"
    (folder / "certificate.json").write_text(json.dumps(record))
    assert "the proof of 'proof' is not in its file" in str(check_certificate(folder))


@pytest.mark.parametrize(
    "options",
    [Options(solver="minisat"), Options(encoding="columns")],
)
def test_what_does_not_go_with_a_proof(options: Options, tmp_path: Path) -> None:
    with pytest.raises(SatlifeError, match=r"cannot write proofs|plain formula"):
        certify(SMALL, NoneExists(), tmp_path / "x", Proving(options=options))


def test_cubes_are_cases_of_the_whole() -> None:
    assert split_problem(SMALL, 1) == ()
    assert [len(known_places(cube)) for cube in split_problem(SMALL, 5)] == [2, 2, 2, 3, 3]
    with pytest.raises(UsageError, match="cubes can be made"):
        split_problem(SMALL, 0)


def titles(problem: Problem, claim: NoneExists | Complete | BestClaim = NO_CLAIM) -> str:
    return make_statement(problem, claim).partition("\n1.")[0]


def test_what_calls_itself_an_orphan_is_none_if_more_is_asked() -> None:
    known = (Known(t=1, rows=("o",)),)
    plain = Problem(kind="orphan", boxes=("3x3-1-1", "1x1"), steps=1, boundary="free", known=known)
    assert "An orphan of 1 cell" in titles(plain)
    for changes in ({"constraints": (Population(most=2),)}, {"boundary": "dead"}):
        forged = msgspec.structs.replace(plain, **changes)
        assert "orphan" not in titles(forged)


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (oscillator(2, box="3x3,1x1"), "in 3×3+0+0, 1×1+1+1"),
        (ship("c/4d", box="3x3", include_last=True), "generation p in the box"),
        (agar(1, box="4x4", wrap=(1, 0)), "a twist of (1, 0)"),
        (still_life(box="3x3", width="<=2"), "a width of at most 2"),
        (Problem(boxes=("2x2",), links=(Link(first=(0, 0, 0), second=(1, 0, 0)),)), "with 1 link"),
    ],
)
def test_the_title_leaves_nothing_out(problem: Problem, words: str) -> None:
    assert words in titles(problem).partition("\n")[0]


def test_the_drawing_of_a_difference_is_in_the_statement() -> None:
    drawn = Difference.of(Pattern.from_rle("3o!"), "<=2")
    text = make_statement(still_life(box="3x3", difference=drawn), NoneExists())
    assert "```text\nooo\n```" in text
    assert "what is not drawn counts as drawn dead" in text


def test_a_list_names_every_pattern_once(tmp_path: Path) -> None:
    block = (("oo", "oo"),)
    with pytest.raises(InternalError, match="pattern 2 is an image of one before it"):
        certify(still_life(box="2x2"), Complete(images=True, found=(block, block)), tmp_path / "x")


def test_where_nothing_is_said_of_the_outside_no_pattern_can_be_shown(tmp_path: Path) -> None:
    rows = ("ooo",) * 3
    problem = Problem(boxes=("3x3",), steps=1, boundary="free", known=(Known(t=0, rows=rows),))
    later = ("ooo", "o.o", "ooo")
    claim = BestClaim(goals=("maximize population@1",), values=(8,), found=(rows, later))
    with pytest.raises(InternalError, match="only where the outside is dead"):
        certify(problem, claim, tmp_path / "x")


def test_all_on_a_torus_and_with_a_turn_and_with_nothing(tmp_path: Path) -> None:
    turn = Motion(period=1, transform="quarter-turn-clockwise")
    nothing = Problem(boxes=("2x2",), motion=Motion(period=1))
    turned = Problem(boxes=("3x3",), motion=turn, constraints=(NotEmpty(),))
    for number, problem in enumerate((agar(1, box="3x3"), turned, nothing)):
        spec = tmp_path / f"{number}.json"
        spec.write_bytes(problem.to_json())
        folder = tmp_path / str(number)
        made = run("satlife", "find", "--spec", str(spec), "--all", "--prove", str(folder))
        assert made.returncode == 0, made.stderr
        assert check_certificate(folder).valid
    assert len(list(find_all(turned))) == 2  # the tub and the blinker, of which --all lost one


def test_senseless_claims_are_not_valid(certificate: Path, tmp_path: Path) -> None:
    claims = (
        '{"type":"best","goals":["maximize population"],"values":[1],"found":[]}',
        '{"type":"all","images":true,"found":[[]]}',
        '{"type":"best","goals":["maximize population@7"],"values":[1],"found":[["...."]]}',
    )
    for number, claim in enumerate(claims):
        folder = tmp_path / str(number)
        shutil.copytree(certificate, folder)
        (folder / "claim.json").write_text(claim)
        rehash(folder)
        assert check_certificate(folder).word == "not valid"


def test_a_bound_beyond_all_cells_is_refuted_at_once(tmp_path: Path) -> None:
    problem = still_life(box="3x3", population=">=900000000")
    assert isinstance(certify(problem, NoneExists(), tmp_path / "x"), Impossible)
