"""The atlas: its pages are what is recorded, and the certificates that it keeps are valid."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

from atlas import archive, page, widths
from atlas.__main__ import main
from atlas.boxes import (
    Question,
    is_refuted,
    is_too_thin,
    list_elsewhere,
    order,
    settle,
    write_cell,
)
from atlas.commands import list_pages
from atlas.elsewhere import list_proofs
from atlas.familiar import find_familiar
from atlas.gallery import make as gallery
from atlas.gallery.rows import read_kept
from atlas.make import Maker
from atlas.table import ARCHIVE, DATA, ROOT, Record, Table, read_answers, read_records
from atlas.tables import TABLES, orphans, oscillators, rotors, ships
from satlife import Impossible, PartialPattern, find, ship
from satlife.life.box import Box
from satlife.life.symmetry import Symmetry

ROTORS = rotors.TABLE.folder
EACH = pytest.mark.parametrize("table", TABLES, ids=[each.name for each in TABLES])


def test_the_pages_are_what_is_recorded() -> None:
    for path, text in list_pages(list(TABLES)):
        assert path.read_text("utf-8") == text, f"just atlas pages ({path.name})"


def test_every_file_of_a_table_is_in_the_list() -> None:
    folder = Path(page.__file__).parent / "tables"
    names = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert names == {each.name.replace("-", "_") for each in TABLES}


@EACH
def test_kept_certificates_are_valid(table: Table, tmp_path: Path) -> None:
    records = read_records(table.folder)
    kept = {each.name for each in records.values() if archive.is_quick(each)}
    checked = list(Maker(table.folder, tmp_path).check(is_quick=True))
    assert {record.name for record, _ in checked} == kept
    assert all(told["sha256"] == record.sha256 for record, told in checked)


@EACH
def test_an_archive_is_small(table: Table) -> None:
    path = table.folder / ARCHIVE
    assert not path.exists() or path.stat().st_size <= 2_000_000


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_all_small_certificates_are_kept(table: Table) -> None:
    for each in read_records(table.folder).values():
        assert each.kept or each.answer != "certified" or each.bytes > archive.SMALL


def test_the_archive_of_all_has_a_manifest(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    main(["archive", str(tmp_path / "all"), "--kept", "--name", "orphans"])
    assert "orphans: 2 certificates" in capsys.readouterr().out
    rows = json.loads((tmp_path / "all" / "manifest.json").read_text("utf-8"))
    records = read_records(next(each for each in TABLES if each.name == "orphans").folder)
    assert [row["sha256"] for row in rows] == [records[row["name"]].sha256 for row in rows]
    with tarfile.open(tmp_path / "all" / "orphans.tar.xz") as packed:
        assert {name.split("/")[0] for name in packed.getnames()} == {row["name"] for row in rows}


def test_small_certificates_of_the_gallery_are_kept_and_valid(tmp_path: Path) -> None:
    archive.unpack(gallery.KEPT, tmp_path)
    rows = read_kept().rows.values()
    small = {row.name: row.sha256 for row in rows if row.folder_bytes <= archive.SMALL}
    assert {path.name: archive.measure(path)["sha256"] for path in tmp_path.iterdir()} == small
    for name in small:
        archive.check(tmp_path / name)


def list_small_widths() -> list[str]:
    """Return the names of the certificates of widths that are kept, the smallest first."""
    certified = widths.list_certified(widths.read_answers())
    sizes = {question.name: known.check["bytes"] for question, known in certified}
    return sorted((name for name in sizes if sizes[name] <= archive.SMALL), key=sizes.__getitem__)


def test_small_certificates_of_widths_are_kept(tmp_path: Path) -> None:
    archive.unpack(widths.KEPT, tmp_path)
    small = list_small_widths()
    assert {path.name for path in tmp_path.iterdir()} == set(small)
    for name in small[:4]:
        archive.check(tmp_path / name)


def test_all_small_certificates_of_widths_are_valid(tmp_path: Path) -> None:
    archive.unpack(widths.KEPT, tmp_path)
    for name in list_small_widths():
        archive.check(tmp_path / name)


@pytest.mark.parametrize("name", ["gallery", "widths"])
def test_the_archive_of_all_has_gallery_and_widths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr({"gallery": gallery, "widths": widths}[name], "WORK", tmp_path / "work")
    main(["archive", str(tmp_path), "--kept", "--name", name])
    kept = (DATA / f"{name}.tar.xz").read_bytes()
    is_kept = (tmp_path / f"{name}.tar.xz").read_bytes() == kept
    assert is_kept  # pytest would take minutes to show where two archives differ
    rows = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    assert {row["name"] for row in rows} == archive.list_names(DATA / f"{name}.tar.xz")
    assert all(row["statement"].startswith(("There ", "All: ")) for row in rows), rows


def test_a_changed_certificate_is_refused(tmp_path: Path) -> None:
    table = TABLES[0]
    name = next(each.name for each in read_records(table.folder).values() if each.kept)
    archive.unpack(table.folder / ARCHIVE, tmp_path, {name})
    problem = json.loads((tmp_path / name / "problem.json").read_text())
    problem["boxes"] = ["99x99"]
    (tmp_path / name / "problem.json").write_text(json.dumps(problem))
    with pytest.raises(SystemExit, match="not valid"):
        archive.check(tmp_path / name)


# Whether certificates leave no box out, told from their commands alone, without the atlas's code.

ASKS_LESS = {
    "C1": "C1",
    "C2": "C1 C2",
    "C4": "C1 C2 C4",
    "D2|": "C1 D2|",
    "D2\\": "C1 D2\\",
    "D4+": "C1 C2 D2| D4+",
    "D4x": "C1 C2 D2\\ D4x",
    "D8": "C1 C2 C4 D2| D2\\ D4+ D4x D8",
}
SQUARE = {"C4", "D2\\", "D4x", "D8"}
Refuted = tuple[str, str, int, int, bool, bool]
"""Motion, symmetry, width, height; whether width and height must be filled."""


def read_refuted(record: Record) -> Refuted:
    words = dict(itertools.pairwise(shlex.split(record.command)))
    width, height = words["--box"].split("x")
    exact = "--width" in words, "--height" in words
    motion = shlex.split(record.command)[2]
    tall = 10**6 if height == "*" else int(height)
    return motion, words.get("--symmetry", "C1"), int(width), tall, *exact


def refutes(refuted: Refuted, symmetry: str, width: int, height: int) -> bool:
    """Whether nothing of just this size is left, by one certificate."""
    _, name, most_wide, most_high, fills_width, fills_height = refuted
    across, down = most_wide - width, most_high - height
    keeps_width = name not in {"C1", "D2\\"}
    keeps_height = keeps_width and name != "D2|"
    return (
        name in ASKS_LESS[symmetry].split()
        and min(across, down) >= 0
        and not (keeps_width and across % 2)
        and not (keeps_height and down % 2)
        and not (fills_width and across)
        and not (fills_height and down)
    )


@pytest.mark.parametrize("table", [oscillators, ships], ids=["oscillators", "ships"])
def test_every_smaller_box_has_a_certificate(table: ModuleType) -> None:
    answers = read_answers(table.TABLE.folder)
    nones = [each for each in answers.records.values() if each.claim == "none"]
    refuted = [read_refuted(each) for each in nones]
    entries = [settle(answers, each) for each in table.list_questions()]
    settled = [each for each in entries if each.undecided is None]
    assert settled
    for entry in settled:
        symmetry, least = entry.question.asked, entry.least
        some = [each for each in refuted if each[0] == entry.question.motion.removeprefix("p")]
        turns = symmetry != "D2|" and (table is oscillators or entry.question.motion.endswith("d"))
        for width, height in itertools.product(range(1, least.area + 1), repeat=2):
            is_before = (width * height, width) < (least.area, least.width)
            if turns:
                is_before = (width * height, min(width, height)) < (least.area, least.width)
            if is_before and (width == height or symmetry not in SQUARE):
                assert any(
                    refutes(each, symmetry, width, height)
                    or (
                        (turns or (each[1] == "C1" and table is oscillators))
                        and refutes(each, symmetry, height, width)
                    )
                    for each in some
                ), f"{entry.question.words} in {width}x{height}"


@pytest.mark.parametrize("table", [oscillators, ships], ids=["oscillators", "ships"])
def test_no_box_that_any_page_certifies_is_called_undecided(table: ModuleType) -> None:
    """Told from the commands of the other pages alone: of rotors, and of the gallery."""
    commands = [each.command for each in read_records(ROTORS).values() if each.claim == "none"]
    commands += [f"satlife {row.command}" for row in read_kept().rows.values() if not row.shown]
    refuted = []
    for command in commands:
        words = shlex.split(command)
        if words[1] in ("oscillator", "ship"):
            record = Record(name="", question="", command=command, answer="certified")
            refuted.append((words[1], read_refuted(record)))
    assert len(refuted) >= 8
    answers = read_answers(table.TABLE.folder)
    for question in table.list_questions():
        undecided = settle(answers, question).undecided
        if undecided is None:
            continue
        turns = question.kind == "oscillator" and question.symmetry != "D2|"
        for kind, each in refuted:
            if (kind, each[0]) == (question.kind, question.motion.removeprefix("p")):
                sides = undecided.width, undecided.height
                assert not refutes(each, question.asked, *sides), (question.words, each)
                assert not (turns and refutes(each, question.asked, *sides[::-1]))


def test_a_complete_list_refutes_the_boxes_that_none_of_it_fits() -> None:
    """There are two oscillators of period 3 in 7x7, and both need all of it."""
    proof = next(each for each in list_proofs() if each.name == "all-p3-7x7")
    assert [len(proof.patterns), proof.box.area] == [2, 49]
    anything, diagonal, turned = map(Symmetry, ("C1", "D2\\", "C4"))
    assert proof.holds(anything, Box.parse("7x7"))
    assert not proof.holds(anything, Box.parse("6x7"))
    assert proof.holds(diagonal, Box.parse("7x7"))
    assert not proof.holds(turned, Box.parse("7x7"))


def test_the_gallery_counts_in_the_tables() -> None:
    named = {each.name: each for each in list_proofs()}
    assert {"p3-5x5", "p3-6x6", "c3-9x13", "p2-4x4", "all-p2-7x7"} <= set(named)
    assert not {"densest-8x8", "still-10-8x8", "orphan-10x10"} & set(named)
    ship = Question("ship", "c/3")
    refuted = [(asked, box) for _, asked, box in list_elsewhere(ship)]
    assert is_refuted(ship, Box.parse("8x8"), refuted)
    assert not is_refuted(ship, Box.parse("16x6"), refuted)


def test_the_box_of_the_glider_is_the_same_on_every_page() -> None:
    answers = read_answers(ships.TABLE.folder)
    least = settle(answers, Question("ship", "c/4d")).least
    text = (ROOT / "docs" / "how-to" / "which-search.md").read_text("utf-8")
    assert f"the glider is 3x3, but needs {least}." in text


@pytest.mark.parametrize("table", [ships, oscillators], ids=["ships", "oscillators"])
def test_no_known_object_contradicts_a_table(table: ModuleType) -> None:
    """Those of the catalogue are simulated; the boxes of the tables are certified."""
    answers, shown = read_answers(table.TABLE.folder), 0
    for question in table.list_questions():
        entry, known = settle(answers, question), find_familiar(question)
        first = entry.undecided or entry.least
        assert known is None or first is None or order(known.box) >= order(first), question.words
        if entry.undecided is not None and known is not None:
            is_less = entry.least is None or order(known.box) < order(entry.least)
            assert (known.entry.name in write_cell(entry)) == is_less
            shown += is_less
    assert shown > 8
    text = (ROOT / "docs" / "atlas" / f"{table.TABLE.name}.md").read_text("utf-8")
    assert "… ? |" not in text


def test_known_objects_are_in_their_boxes() -> None:
    found = {
        question: find_familiar(Question(*question))
        for question in (
            ("ship", "c/4d"), ("ship", "2c/4"), ("ship", "c/3"), ("oscillator", "p2"),
            ("oscillator", "p8", "D4x"),
        )
    }  # fmt: skip
    sizes = {question[1]: str(each.box) for question, each in found.items() if each}
    assert sizes == {"c/4d": "3x4", "2c/4": "5x6", "c/3": "16x5", "p2": "3x3", "p8": "10x10"}
    text = (ROOT / "docs" / "atlas" / "known.md").read_text("utf-8")
    assert "25P3H1V0.1 (c/3) fits into\n16x5" in text


@pytest.mark.parametrize("speed", ["c/2", "c/3", "2c/4", "c/4d", "c/5"])
@pytest.mark.parametrize("size", ["14x1", "12x2", "1x14", "2x12"])
def test_no_ship_fits_into_two_rows(speed: str, size: str) -> None:
    """The page has a proof; here a solver says the same of some boxes."""
    assert is_too_thin(Question("ship", speed), Box.parse(size))
    assert isinstance(find(ship(speed, box=size)), Impossible)


def test_what_others_claimed_is_told_with_its_source() -> None:
    assert "21,767,045,299" in orphans.TABLE.known
    assert "viewtopic.php?t=6042" in orphans.TABLE.known
    assert "is open" not in orphans.TABLE.known


def test_the_comparison_has_the_figures_of_the_benchmarks() -> None:
    """Of B04 and B05: satlife, lifesrc, and the solver alone."""
    compared = (ROOT / "docs" / "compare.md").read_text("utf-8").replace("\n", " ")
    table = (ROOT / "docs" / "benchmarks.md").read_text("utf-8").splitlines()
    rows = [
        next(line for line in table if line.startswith(f"| {task} | ship c/3")).split("|")
        for task in ("B04", "B05")
    ]
    for column in (5, 7, 9):  # satlife, lifesrc, the solver alone
        first, second = (row[column].split()[0] for row in rows)
        assert f"{first} s and {second} s" in compared
    assert "must be installed" not in compared


def test_a_certificate_of_something_else_is_refused(tmp_path: Path) -> None:
    table = TABLES[0]
    first, second = [each for each in read_records(table.folder).values() if each.kept][:2]
    archive.unpack(table.folder / ARCHIVE, tmp_path, {first.name})
    maker = Maker(table.folder, tmp_path)
    assert maker.compare(first, tmp_path / first.name)["sha256"] == first.sha256
    with pytest.raises(SystemExit, match="is not the one that is recorded"):
        maker.compare(second, tmp_path / first.name)


@pytest.mark.parametrize("table", [oscillators.TABLE, ships.TABLE], ids=["oscillators", "ships"])
def test_only_refutations_are_named_where_no_smaller_box_has_one(table: Table) -> None:
    claims = {page.anchor(each.name): each.claim for each in read_records(table.folder).values()}
    told = re.findall(r"no smaller box has one \(certificates: (.*)", table.page.read_text("utf-8"))
    named = [re.findall('href="#([^"]*)">[0-9]+ for ', each) for each in told]
    assert named
    assert all(each and {claims[name] for name in each} == {"none"} for each in named)


def test_the_cores_that_are_drawn_are_those_that_are_certified(tmp_path: Path) -> None:
    archive.unpack(orphans.FOLDER / ARCHIVE, tmp_path)
    folders = sorted(tmp_path.iterdir())
    assert folders
    for folder in folders:
        core = PartialPattern.from_rle((orphans.FOLDER / f"{folder.name}.rle").read_text("utf-8"))
        drawn = [
            "".join({0: ".", 1: "o", 255: "?"}[cell] for cell in row) for row in core.states[0]
        ]
        assert json.loads((folder / "problem.json").read_text())["known"][0]["rows"] == drawn
