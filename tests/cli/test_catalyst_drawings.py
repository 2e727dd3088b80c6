"""satlife catalyst with a drawing: what it takes, what it writes, and that it takes that again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from satlife import Box, PartialPattern, Pattern
from satlife.cli.group import cli
from satlife.life.cells import UNKNOWN

DRAWING = "x = 10, y = 10, rule = LifeHistory\n.A$2.A$3A2$4.6B$4.6B$4.6B$4.6B$4.6B$4.6B!"
QUICK = ("--contact", "7", "--recover", "6", "--hold", "4")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("drawing.rle").write_text(DRAWING, encoding="utf-8")


def catalyst(*words: str) -> Result:
    return CliRunner().invoke(cli, ["catalyst", *words], prog_name="satlife")


def test_an_answer_is_a_question() -> None:
    asked = catalyst("drawing.rle", *QUICK, "-o", "answer.rle")
    assert asked.exit_code == 0, asked.stderr
    assert asked.stderr.startswith("without a catalyst: recurs in generation 4\n")
    first = Path("answer.rle").read_text("utf-8")
    assert "rule = LifeHistory\n.A" in first
    again = catalyst("answer.rle", *QUICK)
    assert again.exit_code == 0, again.stderr
    assert again.stdout.split("rule = ")[1] == first.split("rule = ")[1]
    plain = catalyst("bo$2bo$3o!", "--region", "4..9,4..9", *QUICK, "--json")
    record = json.loads(plain.stdout)
    assert first.endswith(f"{record['drawing']}\n")
    assert "rule = B3/S23" in record["rle"]
    whole = Pattern.from_rle(record["catalyst"]["rle"])
    matters = PartialPattern.from_rle(record["reaction"]["matters"])
    known = matters.states[0] != UNKNOWN
    assert known.any()
    assert not known.all()
    height, width = known.shape
    states = whole.in_box(Box(matters.x, matters.y, width, height))
    assert np.array_equal(states[known], matters.states[0][known])


def test_states_have_other_meanings() -> None:
    Path("other.rle").write_text(DRAWING.replace("B", "D"), encoding="utf-8")
    counts = [
        catalyst(*words, *QUICK, "--count").stdout
        for words in (("drawing.rle",), ("other.rle", "--states", "4=region"))
    ]
    assert counts[0] == counts[1] != "0\n"


@pytest.mark.parametrize(("name", "start"), [("a.svg", "<svg"), ("a.html", "<!DOCTYPE html>")])
def test_pictures(name: str, start: str) -> None:
    asked = catalyst("drawing.rle", *QUICK, "-o", name)
    assert asked.exit_code == 0, asked.stderr
    assert Path(name).read_text("utf-8").startswith(start)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("glider",), "the region is missing: give it, or a drawing in LifeHistory in place of"),
        (("drawing.rle", "--region", "4..9,4..9"), "leave out region, at and turn"),
        (("drawing.rle", "--states", "2=home"), "'2=home' is not STATE=MEANING, such as 4=alive"),
        (("glider", "--region", "drawing.rle"), "cells in states above 1 (LifeHistory is read as"),
        (("glider", "--region", "4..9,4..9", "--states", "2=dead"), "only a drawing in LifeHis"),
    ],
)
def test_mistakes(words: tuple[str, ...], message: str) -> None:
    asked = catalyst(*words)
    assert (asked.exit_code, asked.stdout) == (2, "")
    assert message in asked.stderr
