"""Journals: a listing that was stopped goes on where it ended, and never finds anything twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from satlife import find_all, oscillator, start, still_life
from satlife.engine import Journal
from satlife.engine.journal import _sum
from satlife.engine.wanted import read_rejected
from satlife.errors import FormatError, UsageError

PROBLEM = still_life(box="4x4")


def populations(listing) -> list[int]:
    return sorted(finding.pattern.population for finding in listing)


def test_two_halves_are_the_whole(tmp_path: Path) -> None:
    whole = populations(find_all(PROBLEM))
    file = tmp_path / "found.json"
    first = find_all(PROBLEM, limit=3, journal=file)
    half = populations(first)
    assert not first.complete
    assert len(Journal(file, PROBLEM).found) == 3
    rest = find_all(PROBLEM, journal=file)
    assert sorted([*half, *populations(rest)]) == whole
    assert rest.complete
    assert list(find_all(PROBLEM, journal=file)) == []


def test_a_listing_that_is_left_has_written_what_it_found(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    for _ in find_all(PROBLEM, journal=file):
        break
    assert Journal(file, PROBLEM).found


def test_what_is_not_the_problems_journal_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    list(find_all(PROBLEM, journal=file))
    with pytest.raises(UsageError, match="belongs to another problem"):
        find_all(oscillator(2, box="3x3"), journal=file)
    file.write_text("[]")
    with pytest.raises(FormatError, match="is not the journal of a listing"):
        find_all(PROBLEM, journal=file)
    with pytest.raises(UsageError, match="use find_all"):
        start(PROBLEM, journal=file)


@pytest.mark.parametrize(
    ("generations", "words"),
    [
        ([], "0 generations instead of 1"),
        ([["..", ".."]] * 2, "2 generations instead of 1"),
        ([["xy..", "....", "....", "...."]], "a drawing has other characters than"),
    ],
)
def test_what_is_wrong_in_a_journal_is_told_with_its_name(
    tmp_path: Path, generations: list[list[str]], words: str
) -> None:
    file = tmp_path / "found.json"
    list(find_all(PROBLEM, journal=file, limit=1))
    record = json.loads(file.read_text())
    record["found"][0]["generations"] = generations
    del record["sha256"]
    file.write_text(json.dumps(record | {"sha256": _sum(record)}))
    with pytest.raises(FormatError, match=f"found.json: {words}"):
        Journal(file, PROBLEM)


def test_what_to_reject_is_a_pattern_a_code_a_file_or_all_that_is_known(tmp_path: Path) -> None:
    (tmp_path / "tub.rle").write_text("bo$obo$bo!")
    (block,) = read_rejected(["xs4_33"])
    given = [block, "xs5_253", str(tmp_path / "tub.rle")]
    assert populations(find_all(still_life(box="3x3"), reject=given)) == [6]
    assert populations(find_all(still_life(box="3x3"), reject=["known"])) == []
    with pytest.raises(UsageError, match="'blok' cannot be rejected; give a pattern file"):
        find_all(PROBLEM, reject=["blok"])


def test_an_edited_journal_is_refused(tmp_path: Path) -> None:
    """A pattern that stands there twice would be counted twice."""
    file = tmp_path / "found.json"
    list(find_all(PROBLEM, limit=3, journal=file))
    record = json.loads(file.read_text())
    for edited in (
        record | {"found": [*record["found"], record["found"][0]]},
        record | {"found": {}},
        {name: value for name, value in record.items() if name != "sha256"},
    ):
        file.write_text(json.dumps(edited))
        with pytest.raises(FormatError, match=r"found\.json was changed since it was written"):
            find_all(PROBLEM, journal=file)


def test_what_is_not_a_solution_is_not_continued(tmp_path: Path) -> None:
    """A checksum can be made anew, so the patterns are simulated too."""
    file = tmp_path / "found.json"
    list(find_all(PROBLEM, limit=1, journal=file))
    record = json.loads(file.read_text())
    record["found"][0]["generations"] = [["o...", "....", "....", "...."]]
    del record["sha256"]
    file.write_text(json.dumps(record | {"sha256": _sum(record)}))
    with pytest.raises(FormatError, match="number 1 is not a solution"):
        find_all(PROBLEM, journal=file)
