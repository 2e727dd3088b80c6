"""A search with a certificate, and a check, that are killed again and again: both go on."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from satlife.certificates import check_certificate
from satlife.certificates.check.states import STATES
from satlife.rows import is_available

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

KILLS = 20
ASKED = ("ship", "c/7", "--box", "12x*", "--symmetry", "D2v")
SEARCH = """
import sys
from satlife.cli.app import main
from satlife.engine.rows import engine
engine.SAVE_EVERY = 0.1
main()
"""
CHECK = """
import sys
from pathlib import Path
from satlife.certificates import Allowance
from satlife.certificates.check import checker
checker._PLACES_EVERY = 0.05
print(checker.judge_folder(Path(sys.argv[1]), Allowance(save=Path(sys.argv[2]))))
"""
"""The same as the commands do, but more is kept, for these are short."""


def run_killed(most: float, program: str, *words: object) -> Iterator[str]:
    """Run a program and kill it; yield after each kill, and at last what it prints."""
    command = [sys.executable, "-c", program, *map(str, words)]
    chance = random.Random(1)
    for _ in range(KILLS):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            try:
                child.wait(chance.uniform(most / 3, most))
            except subprocess.TimeoutExpired:
                child.kill()
        yield ""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    yield done.stdout + done.stderr


def certify(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "satlife", *ASKED, "--prove", folder], check=False)


def test_a_killed_search_goes_on_to_its_certificate(tmp_path: Path) -> None:
    whole, killed, save = tmp_path / "whole", tmp_path / "killed", tmp_path / "hunt"
    certify(whole)
    sizes, words = set(), ""
    for words in run_killed(2.5, SEARCH, *ASKED, "--prove", killed, "--save", save):  # noqa: B007
        sizes.add(save.stat().st_size if save.exists() else 0)
    assert killed.exists(), words
    assert len(sizes) > 2, "no kill came amid the search"
    assert check_certificate(killed).valid
    assert (killed / STATES).read_bytes() == (whole / STATES).read_bytes()


def test_a_killed_check_goes_on(tmp_path: Path) -> None:
    folder, save = tmp_path / "width", tmp_path / "checked"
    certify(folder)
    places, words = set(), ""
    for words in run_killed(6.0, CHECK, folder, save):  # noqa: B007
        kept = save.read_text("ascii").split(" up to ") if save.exists() else [""]
        places.add(kept[-1])
    assert words.startswith("valid")
    assert len(places) > 3, "no kill came amid the check"
    (folder / STATES).write_bytes((folder / STATES).read_bytes()[:-1])
    assert check_certificate(folder).word == "not valid"
