"""Still lifes and oscillators in an agar: around the box there is a tile that repeats."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from satlife import (
    ENCODINGS,
    Found,
    Impossible,
    Problem,
    complete,
    find,
    find_all,
    oscillator,
    still_life,
)
from satlife.certificates import NoneExists, Proved, check, make_statement, prove
from satlife.errors import UsageError
from satlife.life import Box, PartialPattern, Pattern, Rule
from satlife.records import describe_outcome, write_rle
from satlife.verifier.verify import complaints
from tests.reference import classes, solutions

ZEBRA = "x = 1, y = 2\no$b!"
"""Stripes: every second row is alive."""
BLOCKS = "x = 4, y = 4\n2o$2o!"
BLINKERS = "x = 5, y = 5\n$b3o!"


def count(problem: Problem, **options: Any) -> int:
    return sum(1 for _ in find_all(problem, raw=True, **options))


@pytest.mark.parametrize("box", ["3x3", "4x3", "2x2+1-1"])
def test_a_dead_background_is_no_background(box: str) -> None:
    assert count(still_life(box=box, background="x = 2, y = 1\n2b!")) == count(still_life(box=box))


@pytest.mark.parametrize(
    ("background", "box", "rule"),
    [
        (ZEBRA, "4x3", "B3/S23"), (ZEBRA, "3x4+0+1", "B38/S23"), (BLOCKS, "3x3+1+1", "B3/S23"),
        ("o!", "3x3", "B3/S8"), ("x = 2, y = 2\no$bo!", "3x3", "B2/S4"),
    ],
)  # fmt: skip
def test_still_lifes_in_a_background_are_those_of_the_brute_force(
    background: str, box: str, rule: str
) -> None:
    problem = still_life(box=box, background=background, rule=rule)
    every = solutions(problem.to_json())
    assert count(problem) == len(every)
    assert sum(1 for _ in find_all(problem)) == len(classes(problem.to_json(), every))


def test_every_encoding_knows_backgrounds() -> None:
    problem = oscillator(2, box="3x3+1+1", background=BLINKERS)
    expected = Found if solutions(problem.to_json()) else Impossible
    assert {type(find(problem, encoding=each.name)) for each in ENCODINGS} == {expected}


def test_an_oscillator_in_zebra_stripes() -> None:
    """Run on a torus, the pattern comes back, and the stripes around it never change."""
    outcome = find(oscillator(2, box="7x7", background=ZEBRA))
    assert isinstance(outcome, Found)
    written = PartialPattern.from_rle(write_rle(outcome.finding))
    assert written.torus is not None
    first = written.states[0]
    second = written.torus.step(first, Rule("B3/S23"))
    assert not np.array_equal(first, second)
    assert np.array_equal(written.torus.step(second, Rule("B3/S23")), first)
    around = np.ones(first.shape, bool)
    around[1:8, 1:8] = False
    assert np.array_equal(first[around], second[around])
    assert "not as in the background" in describe_outcome(outcome)


def test_nothing_smaller_oscillates_in_zebra_stripes() -> None:
    outcome = find(oscillator(2, box="5x5", background=ZEBRA))
    assert isinstance(outcome, Impossible)
    assert "a background that repeats every 1x2 cells" in describe_outcome(outcome)


def test_a_completion_in_a_background() -> None:
    """Where nothing but a block has room, there is one, or its place stays empty."""
    problem = complete("x = 4, y = 4\n2?2b$2?2b$4b$4b!", background=BLOCKS)
    assert count(problem) == len(solutions(problem.to_json())) == 2


def test_a_twisted_torus_is_a_larger_tile() -> None:
    twisted = PartialPattern.from_rle("x = 2, y = 2, rule = B3/S23:T2,2+1\n2o!")
    assert still_life(box="2x2", background=twisted).background == ("oo..", "..oo")


def test_equal_backgrounds_are_one() -> None:
    one = still_life(box="3x3", background=ZEBRA)
    assert one.background == ("o", ".")
    assert one == still_life(box="3x3", background="x = 3, y = 4\n3o2$3o!")
    assert Problem.from_toml(one.to_toml()) == one
    moved = still_life(box="3x3", background=PartialPattern([[1], [0]], 0, 1))
    assert moved.background == (".", "o")


TILES = (
    "o$b!",
    "bob$bbo!",
    "x = 4, y = 4\n2o$2o!",
    "x = 5, y = 5\n$b3o!",
    "x = 2, y = 1\n2b!",
    "o!",
)


@pytest.mark.parametrize("rle", TILES)
@pytest.mark.parametrize("rule", ["B3/S23", "B2/S23", "B3/S8"])
def test_a_pattern_is_the_tile_that_was_drawn(rle: str, rule: str) -> None:
    """In Python, and as a text, as the command reads it: the same problem, or the same refusal."""

    def ask(background: Any) -> object:
        try:
            return still_life(box="3x3", background=background, rule=rule)
        except UsageError as refused:
            return str(refused)

    tile = Pattern.from_rle(rle)
    assert ask(tile) == ask(rle) == ask(PartialPattern.from_rle(rle))
    assert ask(tile.shift(2, 1)) == ask(PartialPattern.from_rle(rle).shift(2, 1))
    assert ask(pickle.loads(pickle.dumps(tile))) == ask(rle)
    assert ask(tile.with_rule("B3/S012")) == ask(rle)


def test_dead_margins_decide_whether_a_tile_is_stable() -> None:
    """Two columns of it are, by B/S4; it was drawn with three."""
    cut = Pattern.from_rle("bob$bbo!").crop(Box(1, 0, 2, 2))
    assert still_life(box="3x3", background=cut, rule="B/S4").background == (".o", "o.")
    with pytest.raises(UsageError, match="background"):
        still_life(box="3x3", background=Pattern.from_rle("bob$bbo!"), rule="B/S4")
    zebra = still_life(box="3x3", background=Pattern.from_rle("o$b!"))
    assert zebra == still_life(box="3x3", background=ZEBRA)


def test_what_was_computed_is_no_tile() -> None:
    blinker = Pattern.from_rle("x = 5, y = 5\n$b3o!")
    for computed in (blinker[1], blinker | blinker, Pattern.from_cells([(0, 0)])):
        with pytest.raises(UsageError, match=r"PartialPattern.from_pattern\(pattern, box\)"):
            still_life(box="3x3", background=computed)
    box = Box(0, -1, 5, 5)
    assert oscillator(2, box="3x3", background=blinker[1].crop(box)) == oscillator(
        2, box="3x3", background=PartialPattern.from_pattern(blinker[1], box)
    )


def test_a_background_without_cells_is_said_to_have_none() -> None:
    with pytest.raises(UsageError, match="the background has no cells"):
        still_life(box="3x3", background=Pattern.from_rle("!"))


def test_the_verifier_sees_a_birth_outside_the_box() -> None:
    problem = oscillator(2, box="3x1", background="x = 1, y = 1\nb!")
    asked = msgspec.structs.replace(problem, constraints=())
    three = np.array([[1, 1, 1]], np.uint8)
    middle = np.array([[0, 1, 0]], np.uint8)
    assert any("(1, -1) of generation 1" in words for words in complaints(asked, (three, middle)))


def test_the_verifier_sees_the_background() -> None:
    """A row of three dead cells in stripes comes to life again, from its ends."""
    problem = msgspec.structs.replace(still_life(box="3x1", background=ZEBRA), constraints=())
    assert not list(complaints(problem, (np.ones((1, 3), np.uint8),)))
    assert list(complaints(problem, (np.zeros((1, 3), np.uint8),)))


def test_statements_draw_the_background() -> None:
    said = make_statement(still_life(box="4x3", background=BLOCKS), NoneExists())
    assert "with at least 1 cell" in said.splitlines()[0]
    assert "a background that repeats" in said.splitlines()[0]
    assert "Every cell outside is as in the background drawn below" in said
    assert "```text\noo..\noo..\n....\n....\n```" in said
    assert "Patterns in other backgrounds" in said


def test_an_impossibility_in_a_background_is_certified(tmp_path: Path) -> None:
    made = prove(still_life(box="3x3", background=ZEBRA), tmp_path / "none")
    assert isinstance(made, Proved)
    assert check(tmp_path / "none").valid


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"background": "3o!"}, "not itself again after 1 generation"),
        ({"background": BLINKERS}, "not itself again after 1 generation"),
        ({"background": "x = 2, y = 1\no?!"}, "cells that are alive or dead"),
        ({"background": "x = 4, y = 4, rule = B3/S23:T4,0\n2o$2o!"}, "repeats in both directions"),
        ({"background": 3}, "background must be a pattern"),
        ({"background": ZEBRA, "symmetry": "C4"}, "does not have the symmetry C4 about 3x3"),
        ({"background": ZEBRA, "gutter": True, "symmetry": "D2v"}, "there is no width, .* gutter"),
        ({"background": ZEBRA, "width": 3}, "there is no width"),
        ({"background": ZEBRA, "on": "5,5"}, "lies outside the box, in the background"),
        ({"background": "o!", "rule": "B3/S2[3]"}, "needs one rule"),
        ({"background": BLOCKS, "rule": "3457/357/5"}, "not supported"),
    ],
)
def test_backgrounds_that_do_not_fit(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        still_life(**({"box": "3x3"} | asked))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"boundary": "agar"}, "a background is for boundary agar"),
        ({"background": ["o"]}, "a background is for boundary agar"),
        ({"boundary": "agar", "background": ["o", "oo"]}, "of one length"),
        ({"boundary": "agar", "background": [""]}, "has no cells"),
        ({"boundary": "agar", "background": ["o?"]}, "is o or ."),
        (
            {"boundary": "agar", "background": ["."], "motion": {"period": 2, "dx": 1}},
            "nothing moves",
        ),
    ],
)
def test_problem_files_with_wrong_backgrounds(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Problem.from_json(msgspec.json.encode({"boxes": ["3x3"], "schema": 1, **fields}))
