"""Catalysts after which a generation is as drawn: those that a simulation of each one finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from satlife import Finding, PartialPattern, Pattern, catalyst, find_all
from satlife.cli.group import cli
from satlife.kinds import perturbation
from satlife.life import Box

GLIDER = Pattern.from_rle("bo$2bo$3o!")
PI = Pattern.from_rle("3o$obo$obo!")
LATE = 15
QUESTIONS = {
    "glider": (GLIDER, {"region": "3..8,3..8", "contact": (4, 6), "recover": 8, "hold": 1}),
    "pi": (PI, {"region": "5..9,-2..3", "contact": 8, "recover": 6, "hold": 1}),
}
"""Inputs and what is asked of them; the last generation of both is 15."""


@pytest.fixture(scope="module", params=QUESTIONS)
def finds(request: pytest.FixtureRequest) -> tuple[str, list[Finding]]:
    """All catalysts of a question, whatever comes out."""
    found = ask_all(request.param)
    assert len(found) > 2
    return request.param, found


def ask_all(name: str, *becomes: tuple[PartialPattern, int]) -> list[Finding]:
    """Return all catalysts after which generations are as drawn."""
    incoming, asked = QUESTIONS[name]
    problem = perturbation(incoming, **asked, population="<=9", becomes=becomes)
    assert problem.steps == 2 + max([LATE, *(t for _, t in becomes)])
    listing = find_all(problem, raw=True)
    found = list(listing)
    assert listing.complete
    assert len({catalyst(each) for each in found}) == len(found)  # nothing else is open
    return found


def draw(pattern: Pattern, box: Box) -> PartialPattern:
    """Draw two of three cells of a part of a pattern."""
    cells = pattern.in_box(box).tolist()
    rows = (
        "".join("bo?"[2 if (x + y) % 3 == 0 else c] for x, c in enumerate(row))
        for y, row in enumerate(cells)
    )
    return PartialPattern.from_rle(f"#CXRLE Pos={box.x},{box.y}\n{'$'.join(rows)}!")


@pytest.mark.parametrize("t", [9, LATE, LATE + 3])
@pytest.mark.parametrize("box", [Box(3, 2, 6, 6), Box(7, -3, 5, 4)], ids=["there", "beside"])
def test_those_that_become_it_are_found(finds: tuple[str, list[Finding]], t: int, box: Box) -> None:
    name, every = finds
    different = {each.pattern[t].in_box(box).tobytes(): each for each in every}
    for each in list(different.values())[:2]:
        drawn = draw(each.pattern[t], box)
        cells = list_known(drawn)
        wanted = {
            catalyst(other)
            for other in every
            if all((place in other.pattern[t]) == lives for place, lives in cells.items())
        }
        assert catalyst(each) in wanted
        assert {catalyst(other) for other in ask_all(name, (drawn, t))} == wanted


def list_known(drawn: PartialPattern) -> dict[tuple[int, int], bool]:
    states = drawn.states[0].tolist()
    return {
        (x, y): state == 1
        for y, row in enumerate(states, drawn.y)
        for x, state in enumerate(row, drawn.x)
        if state in (0, 1)
    }


WORDS = "--region 5..10,-2..5 --recover 8 --hold 4"


def run_cli(words: str) -> Result:
    return CliRunner().invoke(cli, ["catalyst", "3o$obo$obo!", *f"{WORDS} {words}".split()])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--contact 8 --becomes o! 5", "is there before a contact in generation 8"),
        ("--contact 8 --becomes 2?! 12", "nothing is drawn of generation 12"),
        ("--contact 8 --becomes blork 12", "neither a pattern, an apgcode nor a name"),
        ("--contact 8 --becomes o! soon", "'soon' is not a whole number"),
        ("--becomes o! 1", "does not come near the region by generation 1"),
        ("--not r-pentomino", "r-pentomino is not an object"),
        ("--not glider --prove p", "--not follows every reaction"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(words: str, told: str) -> None:
    done = run_cli(words)
    assert done.exit_code == 2
    assert told in done.stderr


def test_reactions_that_leave_something_are_left_out() -> None:
    done = run_cli("--population <=4 --contact 7..8 --not glider")
    assert done.exit_code == 3
    assert "1 reaction left something else" in done.stderr
    assert run_cli("--population <=4 --contact 7..8 --not nothing").exit_code == 0
    both = run_cli("--population <=4 --contact 7..8 --leaves glider --not hwss")
    assert both.exit_code == 0


def test_a_late_drawing_that_all_meet_changes_no_list_of_outcomes(tmp_path: Path) -> None:
    gliders = tmp_path / "gliders.rle"
    gliders.write_text("#CXRLE Pos=-9,-6\nx = 11, y = 5\n2bo$obo$b2o5bobo$9b2o$9bo!")
    far = tmp_path / "far.rle"
    far.write_text("#CXRLE Pos=14,-8\nx = 1, y = 1\nb!")
    words = "--region 0..3,0..4 --recover 6 --hold 1 --contact 1..23 --same outcome --count -q"
    counts = [
        CliRunner().invoke(cli, ["catalyst", str(gliders), *words.split(), *more]).stdout
        for more in ([], ["--becomes", str(far), "31"])
    ]
    assert counts[0] == counts[1] != "0\n"


def test_the_command_says_which_generation_is_drawn() -> None:
    done = run_cli("--population <=4 --contact 7..8 --becomes 9o! 12")
    assert done.exit_code == 1
    assert "and generation 12 is as drawn" in done.stderr
    done = run_cli("--population <=4 --contact 8 --becomes 9o! 12 --becomes 9o! 14")
    assert "and generation 12 is as drawn, and generation 14 is as drawn" in done.stderr
