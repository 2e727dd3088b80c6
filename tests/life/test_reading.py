"""Reading a pattern from a file or a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from satlife import PartialPattern, Pattern, read
from satlife.errors import UsageError

GLIDER = "bo$2bo$3o!"


def test_a_file_and_its_text_are_the_same_pattern(tmp_path: Path) -> None:
    file = tmp_path / "glider.rle"
    file.write_text(GLIDER, encoding="utf-8-sig")
    assert read(file) == read(str(file)) == read(GLIDER) == Pattern.from_rle(GLIDER)


def test_unknown_cells_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    assert read("o?$2o!", partial=True) == PartialPattern.from_rle("o?$2o!")
    with pytest.raises(UsageError, match="is unknown"):
        read("o?$2o!")


def test_what_is_neither_a_file_nor_a_pattern_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no file 'glidr.rle', and it is not a pattern"):
        read("glidr.rle")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "glidr.rle")
    (tmp_path / "notes.txt").write_text("my notes")
    with pytest.raises(UsageError, match=r"notes.txt: not a pattern in any known format"):
        read(tmp_path / "notes.txt")
    for text in ("x" * 10_000, "\0", "pulser"):
        with pytest.raises(UsageError, match="neither a pattern, an apgcode nor a name"):
            read(text)


def test_an_apgcode_and_a_name_are_read_too() -> None:
    assert read("xs4_33") == read("block") == read("2o$2o!")
    assert read("pulsar", partial=True).pattern() == read("pulsar")
