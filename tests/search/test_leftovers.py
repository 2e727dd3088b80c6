"""What a reaction leaves beside its catalyst, and searches for those that leave something."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from satlife import Pattern
from satlife.cli.group import cli
from satlife.life.identity.leftovers import count_leftovers

PI = "pi-heptomino --region 5..10,-2..5 --population <=4 --contact 7..8 --recover 8 --hold 4"
BLOCK = Pattern.from_rle("2o$2o!")


def run_cli(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


@pytest.mark.parametrize(
    ("beside", "left"),
    [
        (Pattern.from_rle("2o$2o!").shift(9, 0), {"xs4_33": 1}),
        (Pattern.from_rle("bo$2bo$3o!").shift(9, 9), {"xq4_153": 1}),
        (Pattern.from_rle("2o!").shift(9, 0), {}),
        (Pattern.from_rle("3o$obo$obo!").shift(90, 0), None),
    ],
    ids=["block", "glider", "nothing", "pi"],
)
def test_what_is_left_is_counted(beside: Pattern, left: dict[str, int] | None) -> None:
    counted = count_leftovers(BLOCK | beside, BLOCK)
    if left is None:
        assert counted is not None
        assert counted["xp2_7"] >= 3
    else:
        assert counted == left


@pytest.mark.parametrize(
    "pattern",
    [
        Pattern.from_rle("3o!"),  # in place of the catalyst
        Pattern.from_rle("2o$2o!").shift(3, 0),  # another such object beside it
        Pattern.from_rle("o!"),  # nothing
        Pattern.from_rle("2o$o!").shift(1, 1),  # in the end, a block one cell further
    ],
)
def test_without_the_catalyst_nothing_is_left_beside_it(pattern: Pattern) -> None:
    assert count_leftovers(pattern, BLOCK) is None


def test_a_reaction_that_destroys_the_catalyst_later_is_left_out(tmp_path: Path) -> None:
    two_gliders = tmp_path / "two.rle"
    two_gliders.write_text(
        "#CXRLE Pos=-5,-8\nx = 19, y = 8, rule = B3/S23\n17bo$16bo$16b3o3$bo$2bo$3o!\n"
    )
    asked = f"{two_gliders} --region 0..3,0..3 --contact 12 --recover 8 --hold 0 --leaves nothing"
    done = run_cli("catalyst", *asked.split())
    assert done.exit_code == 3
    assert "left something else than was asked for" in done.stderr


def test_a_reaction_with_a_wanted_object_is_found() -> None:
    done = run_cli("catalyst", *PI.split(), "--leaves", "glider")
    assert done.exit_code == 0
    assert "escaping: 1 × glider" in done.stdout


def test_what_nothing_leaves_is_undecided() -> None:
    done = run_cli("catalyst", *PI.split(), "--leaves", "nothing")
    assert done.exit_code == 3
    assert "undecided (1 reaction left something else" in done.stderr
    done = run_cli("catalyst", *PI.split(), "--leaves", "nothing", "--all")
    assert done.exit_code == 3
    assert "0 found so far (unfinished: 1 reaction left something else" in done.stderr
    assert "left out: 1 that leave something else" in done.stderr


def test_a_list_is_not_complete_if_others_leave_something_else() -> None:
    question = "--at 10,-2 --region 0..3,0..3 --contact 10..14 --recover 4 --hold 0 --all"
    done = run_cli("catalyst", "2obo$ob2o$2o$o!", *question.split(), "--leaves", "beehive")
    assert done.exit_code == 3
    assert "1 found so far (unfinished: 2 reactions left something else" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--leaves", "r-pentomino"), "r-pentomino is not an object"),
        (("--leaves", "blork"), "neither a pattern, an apgcode nor a name"),
        (("--leaves", "glider", "--prove", "p"), "cannot be combined with --prove"),
        (("--leaves", "glider", "--minimize", "population"), "cannot be combined"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], told: str) -> None:
    done = run_cli("catalyst", *PI.split(), *words)
    assert done.exit_code == 2
    assert told in done.stderr
