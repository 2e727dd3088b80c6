"""Boxes of open height, ``15x*``, on the command line: what refuses one says why and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

TURTLE = (
    "#CXRLE Pos=1,5\nx = 10, y = 12, rule = B3/S23\n4b2o$2obo2bob2o$2o6b2o$obo4bobo$2b2o2b2o$"
    "b2ob2ob2o$3bo2bo$bo6bo$bo6bo2$b8o$2o6b2o!\n"
)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("cnf ship c/3 --box 12x*", "no formula describes; the engine rows searches"),
        ("ship c/3 --box 30x*", "write a height, 30x60, for SAT"),
        ("ship c/3 --box 12x* --symmetry C4", "C4 needs a height"),
        ("ship c/3 --box 12x* --engine sat", "write one, 12x24, or leave the engine out"),
        ("ship c/3 --box 12x* --engine brute", "it needs a height"),
        ("ship c/3 --box 12x* --include-last", "leave include_last out"),
        ("ship c/3 --box 12x* --grow width", "has no height that could grow"),
        ("ship c/3 --box 12x*,12x*,12x*", "write '12x*' alone"),
        ("ship c/3 --box 12x* --symmetry D2v --population <=9", "it takes no bounds"),
        ("ship c/3 --box 12x* --symmetry D2v --solver cadical", "does not take --solver"),
        ("ship (2,1)c/6 --box 7x*", "it finds ships that travel north or north-west"),
        ("oscillator 3 --box 5x*", "it finds ships that travel north"),
    ],
)
def test_what_refuses_an_open_height_says_why_and_what_to_do(command: str, words: str) -> None:
    done = run("satlife", *command.split())
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert len(done.stderr.splitlines()) == 1


def test_verify_takes_one_in_a_set_of_rules(tmp_path: Path) -> None:
    spec, ship = tmp_path / "ship.toml", tmp_path / "ship.rle"
    asked = ["cnf", "ship", "c/3", "--box", "12x*", "--rule", "B3[8]/S23", "--problem"]
    assert run("satlife", *asked, "-o", str(spec)).returncode == 0
    for rule, code in (("B3/S23", 0), ("B38/S23", 0), ("B36/S23", 1)):
        ship.write_text(TURTLE.replace("B3/S23", rule))
        assert run("satlife", "verify", str(ship), "--spec", str(spec)).returncode == code


def test_verify_takes_one(tmp_path: Path) -> None:
    spec, ship = tmp_path / "ship.toml", tmp_path / "ship.rle"
    asked = ["cnf", "ship", "c/3", "--box", "12x*", "--symmetry", "D2v", "--problem"]
    assert run("satlife", *asked, "-o", str(spec)).returncode == 0
    for text, code in ((TURTLE, 0), (TURTLE.replace("1,5", "0,5"), 1), ("!", 1), ("3o!", 1)):
        ship.write_text(text)
        assert run("satlife", "verify", str(ship), "--spec", str(spec)).returncode == code
