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
        ("cnf ship c/3 --box 12x*", "no formula describes; the search by rows needs none"),
        ("ship c/3 --box 30x*", "write a height, 30x60, for SAT"),
        ("ship c/3 --box 12x* --symmetry C4", "C4 cannot move north or south; it may have C1, D2|"),
        ("ship c/4d --box 5x* --symmetry C1:D2b", "needs a height; with an open height"),
        ("ship c/4d --box 5x* --gutter", "use D2\\ (D2b)"),
        ("ship c/4d --box 6x6 --gutter", "use D2\\ (D2b)"),
        ("ship c/3 --box 5x* --gutter", "use D2| (D2v)"),
        ("ship (2,1)c/6 --box 9x9 --gutter", "moves obliquely has no mirror"),
        ("ship c/5d --box 17x*", "write a height, 34x34, for SAT"),
        ("ship c/3 --box 12x* --engine sat", "write one, 12x24, or leave the engine out"),
        ("ship c/3 --box 12x* --engine brute", "it needs a height"),
        ("ship c/3 --box 12x* --include-last", "leave include_last out"),
        ("ship c/3 --box 12x* --grow width", "has no height that could grow"),
        ("ship c/3 --box 12x*,12x*,12x*", "write '12x*' alone"),
        ("ship c/3 --box 12x* --symmetry D2v --population >=9", "it takes no bounds but"),
        ("ship c/3 --box 12x* --symmetry D2v --height <=9", "write a height, 12x9, for SAT"),
        ("ship c/3 --box 12x* --without D2v", "no bounds but on the most live cells"),
        ("ship c/3 --box 12x* --on 3,0 --population <=9", "bounds are on @least, @every"),
        ("ship c/4d --box 5x* --on 3,0", "where the width counts lines along the motion"),
        ("ship c/3 --box 12x* --on 3,0@7", "there is no generation 7"),
        ("ship c/3 --box 12x* --symmetry D2v --solver cadical", "does not take --solver"),
        ("ship (3,2)c/9 --box 7x*", "whose way up is a multiple of that to the side"),
        ("oscillator 3 --box 9x*", "9 free cells are too wide, 8 is the most (D2v halves them)"),
        ("oscillator 7 --box 5x*", "7 phases of 5 free cells are 35, 30 is the most"),
        ("oscillator 3 --box 5x* --engine rows", "the engine strips finds oscillators"),
        ("oscillator 3 --box 5x* --prove new", "of any height, without a certificate"),
        ("oscillator 3 --box 5x* --all", "finds one oscillator of a width; write a height"),
        ("oscillator 3 --box 5x* --minimize population", "write a height and take the engine sat"),
        ("oscillator 3 --box 5x* --population <=20", "it takes no bounds (at most 20 cells"),
        ("oscillator 3 --box 5x* --on 1,1", "it takes no given cells"),
        ("oscillator 3 --box 5x* --symmetry C4", "with an open height it may be C1, D2|"),
        ("oscillator 3 --box 1x* --symmetry D2v --gutter", "leaves no cells in a width of 1"),
        ("oscillator 3 --box 5x* --save file", "does not take --save; it takes --timeout"),
        ("oscillator 3 --box 5x* --rule 345/2/4", "it takes rules of two states"),
        ("oscillator 3 --box 5x5 --engine strips", "oscillators in a width without a height"),
        ("ship c/3 --box 5x* --engine strips", "it finds oscillators in a width"),
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
