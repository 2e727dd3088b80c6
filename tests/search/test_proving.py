"""``prove`` and ``check`` as functions: what they return, and what they leave behind."""

from __future__ import annotations

from pathlib import Path

import pytest

import satlife
from satlife import Found, Proved, Undecided, check, orphan, oscillator, prove, still_life
from satlife.certificates import BestClaim, Complete, Core, NoneExists
from satlife.errors import UsageError

ORPHAN = (
    "x = 10, y = 10\nbob3obo$2bobobo2bo$ob3o2b2o$bob5obo$o2bo2b4o$4o2bo2bo$ob5obo$b2o2b3obo$"
    "o2bobobo$2bob3obo!\n"
)


def test_none(tmp_path: Path) -> None:
    proved = prove(oscillator(3, box="3x3"), tmp_path / "none")
    assert isinstance(proved, Proved)
    assert (proved.claim, proved.findings) == (NoneExists(), ())
    assert proved.folder == tmp_path / "none"
    assert "There is no oscillator of period 3" in proved.statement
    judgement = check(proved.folder)
    assert judgement.valid
    assert judgement.statement == proved.statement
    with pytest.raises(TypeError, match=r"ask for \.valid"):
        bool(judgement)


def test_the_best(tmp_path: Path) -> None:
    proved = prove(still_life(box="3x3"), tmp_path / "best", maximize="population")
    assert isinstance(proved, Proved)
    assert isinstance(proved.claim, BestClaim)
    assert proved.claim.values == (6,)
    assert proved.findings[0].pattern.population == 6
    assert check(str(tmp_path / "best")).valid


@pytest.mark.parametrize("raw", [False, True])
def test_all(tmp_path: Path, raw: bool) -> None:
    proved = prove(still_life(box="3x3"), tmp_path / "all", list_all=True, raw=raw)
    assert isinstance(proved, Proved)
    assert isinstance(proved.claim, Complete)
    assert proved.claim.images is not raw
    assert len(proved.findings) == (11 if raw else 4)  # blocks 4, tub 1, boats 4, ships 2
    assert check(proved.folder).valid


def test_all_of_none_is_none(tmp_path: Path) -> None:
    proved = prove(oscillator(3, box="3x3"), tmp_path / "all", list_all=True)
    assert isinstance(proved, Proved)
    assert proved.claim == NoneExists()


def test_what_can_be_found_is_not_proved(tmp_path: Path) -> None:
    found = prove(oscillator(2, box="3x3"), tmp_path / "none")
    assert isinstance(found, Found)
    assert not (tmp_path / "none").exists()


def test_a_limit_is_not_a_proof(tmp_path: Path) -> None:
    hard = oscillator(5, box="11x11")
    assert isinstance(prove(hard, tmp_path / "hard", timeout=0.5), Undecided)
    assert isinstance(prove(hard, tmp_path / "hard", list_all=True, timeout=0.5), Undecided)
    assert not (tmp_path / "hard").exists()


def test_an_orphan_whose_cells_are_all_needed(tmp_path: Path) -> None:
    pattern = satlife.Pattern.from_rle(ORPHAN)
    proved = prove(orphan(pattern), tmp_path / "core", shrink=True)
    assert isinstance(proved, Proved)
    assert isinstance(proved.claim, Core)
    assert len(proved.claim.needed) < 100


def test_a_folder_in_use_is_refused_before_the_search(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        prove(oscillator(3, box="3x3"), tmp_path)
    with pytest.raises(UsageError, match="is not a folder"):
        check(tmp_path / "file")
