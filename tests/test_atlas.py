"""The atlas: its pages are what is recorded, and the certificates that it keeps are valid."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from satlife import PartialPattern
from scripts.atlas import archive, page
from scripts.atlas.__main__ import list_pages
from scripts.atlas.boxes import settle
from scripts.atlas.make import Maker
from scripts.atlas.table import ARCHIVE, Record, Table, read_answers, read_records
from scripts.atlas.tables import TABLES, orphans, oscillators, ships

EACH = pytest.mark.parametrize("table", TABLES, ids=[each.name for each in TABLES])


def test_the_pages_are_what_is_recorded() -> None:
    for path, text in list_pages(list(TABLES)):
        assert path.read_text("utf-8") == text, f"python -m scripts.atlas write ({path.name})"


def test_every_file_of_a_table_is_in_the_list() -> None:
    folder = Path(page.__file__).parent / "tables"
    names = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert names == {each.name.replace("-", "_") for each in TABLES}


@EACH
def test_kept_certificates_are_valid(table: Table, tmp_path: Path) -> None:
    records = read_records(table.folder)
    kept = {each.name for each in records.values() if each.kept}
    checked = list(Maker(table.folder, tmp_path).check(is_quick=True))
    assert {record.name for record, _ in checked} == kept
    assert all(told["sha256"] == record.sha256 for record, told in checked)


@EACH
def test_an_archive_is_small(table: Table) -> None:
    path = table.folder / ARCHIVE
    assert not path.exists() or path.stat().st_size <= 800_000


def test_a_changed_certificate_is_refused(tmp_path: Path) -> None:
    table = TABLES[0]
    name = next(each.name for each in read_records(table.folder).values() if each.kept)
    archive.unpack(table.folder, tmp_path, {name})
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


def test_a_certificate_of_something_else_is_refused(tmp_path: Path) -> None:
    table = TABLES[0]
    first, second = [each for each in read_records(table.folder).values() if each.kept][:2]
    archive.unpack(table.folder, tmp_path, {first.name})
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
    archive.unpack(orphans.FOLDER, tmp_path)
    folders = sorted(tmp_path.iterdir())
    assert folders
    for folder in folders:
        core = PartialPattern.from_rle((orphans.FOLDER / f"{folder.name}.rle").read_text("utf-8"))
        drawn = [
            "".join({0: ".", 1: "o", 255: "?"}[cell] for cell in row) for row in core.states[0]
        ]
        assert json.loads((folder / "problem.json").read_text())["known"][0]["rows"] == drawn
