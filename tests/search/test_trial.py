"""What a hostile trial found, case by case: wrong answers, missed classes, false words.

Numbers are those of a brute force that shares no code with satlife (tests/reference).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from satlife import (
    Difference,
    Finding,
    Found,
    FullPeriod,
    Impossible,
    Known,
    Motion,
    NotEmpty,
    PatternPeriod,
    Problem,
    agar,
    complete,
    describe,
    find,
    find_all,
    oscillator,
    parent,
    ship,
    still_life,
    verify,
)
from satlife.certificates import Complete, NoneExists, certify, draw
from satlife.certificates.words.statement import make_statement
from satlife.errors import UsageError
from satlife.life import PartialPattern, Pattern
from satlife.problem.lls_grid import Grid
from satlife.verifier.verify import complaints


def everything(problem: Problem, raw: bool = False) -> list[Finding]:
    listing = find_all(problem, raw=raw)
    found = list(listing)
    assert listing.complete
    return found


def classes_and_solutions(problem: Problem) -> tuple[int, int]:
    return len(everything(problem)), len(everything(problem, raw=True))


# --- odd diagonal glides --------------------------------------------------------------------------


def glide(dx: int, dy: int) -> Problem:
    return Problem(
        boxes=("4x4",),
        motion=Motion(period=4, dx=dx, dy=dy),
        symmetry="C1:D2\\" if dx == dy else "C1:D2/",
        constraints=(FullPeriod(),),
    )


def test_the_glider_going_north_east_has_a_glide_symmetry(tmp_path: Path) -> None:
    problem = glide(1, -1)
    glider = Pattern.from_cells({(0, 2), (1, 0), (1, 1), (2, 1), (2, 2)})
    box = problem.all_boxes[0]
    verify(problem, tuple(glider[t].in_box(box) for t in range(4)))
    assert isinstance(find(problem), Found)
    assert isinstance(certify(problem, NoneExists(), tmp_path / "none"), Found)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("dx", [-1, 1])
@pytest.mark.parametrize("dy", [-1, 1])
def test_odd_diagonal_glides_are_alike_in_all_four_directions(dx: int, dy: int) -> None:
    found = everything(glide(dx, dy), raw=True)
    assert len(found) == 3
    assert {finding.identity.name for finding in found} == {"glider"}
    assert "half a cell above the centre" in make_statement(glide(dx, dy), NoneExists())


# --- classes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "classes"),
    [
        (oscillator(2, box="5x3", rule="B3/S12", population="=6"), 2),
        (oscillator(2, box="9x4", population="=11"), 52),
        (still_life(box="5x4"), 23),
    ],
)
def test_a_phase_inside_another_solution_does_not_hide_it(problem: Problem, classes: int) -> None:
    assert len(everything(problem)) == classes


def test_the_empty_pattern_is_a_solution_if_nothing_excludes_it() -> None:
    still = Problem(boxes=("4x4",), motion=Motion(period=1))
    assert classes_and_solutions(still) == (14, 83)
    symmetric = Problem(boxes=("4x4",), motion=Motion(period=1), symmetry="C2")
    for problem in (still, symmetric):
        empty = [f for f in everything(problem) if not any(map(np.any, f.history))]
        assert len(empty) == 1


def test_a_twisted_torus_has_its_own_maps() -> None:
    assert classes_and_solutions(agar(1, box="4x4", wrap=(1, 0))) == (7, 90)


def test_parents_of_a_symmetric_pattern_come_in_classes() -> None:
    assert classes_and_solutions(parent(Pattern.from_rle("2o$2o!"))) == (11, 51)


def test_a_motion_that_turns_the_pattern_has_classes() -> None:
    motion = Motion(period=2, dx=1, transform="flip-left-right")
    problem = Problem(rule="B4/S0123", boxes=("4x3",), motion=motion, constraints=(NotEmpty(),))
    assert classes_and_solutions(problem) == (14, 41)


def test_histories_are_counted_not_generation_0() -> None:
    grid = Grid.from_text("0 0 0\n0 0 0\n0 0 0\n\n0 0 0\n0 *' 0\n0 0 0\n")
    found = everything(complete(grid), raw=True)
    assert [int(finding.history[1].sum()) for finding in found] in ([0, 1], [1, 0])
    free = Problem(
        boxes=("3x3", "3x3"), steps=1, boundary="free", known=(Known(t=0, rows=("...",) * 3),)
    )
    assert len(everything(free, raw=True)) == 2**8


def test_complete_asks_for_nothing_that_is_not_drawn() -> None:
    problem = complete(PartialPattern.from_plaintext("???\n???\n???"))
    assert problem.constraints == ()
    assert not any(complaints(problem, (np.zeros((3, 3), np.uint8),)))


# --- exempt cells ---------------------------------------------------------------------------------


@pytest.mark.parametrize("constraint", [FullPeriod(), PatternPeriod(), NotEmpty(1)])
def test_exempt_cells_go_with_a_period(constraint: FullPeriod | PatternPeriod | NotEmpty) -> None:
    """Generation 0 may be empty: a cell is born without a reason, and dies again."""
    problem = Problem(
        boxes=("3x3",),
        motion=Motion(period=2),
        exempt=((1, 1, 1),),
        constraints=(constraint,),
    )
    found = everything(problem, raw=True)
    empty, dot = np.zeros((3, 3), np.uint8), np.zeros((3, 3), np.uint8)
    dot[1, 1] = 1
    assert any(np.array_equal(f.history, (empty, dot)) for f in found)
    assert len(everything(problem)) <= len(found)


# --- words ----------------------------------------------------------------------------------------


def test_a_statement_says_where_each_box_lies(tmp_path: Path) -> None:
    problem = oscillator(2, box="3x3,1x3-1+0")
    assert isinstance(find(problem), Impossible)
    assert isinstance(find(oscillator(2, box="3x3,1x3")), Found)
    words = make_statement(problem, NoneExists())
    assert "generation 1 in a box 1 wide and 3 high (column 0, rows 0 to 2)" in words
    assert "in 3×3+0+0, 1×3+0+0" in words.splitlines()[0]


def test_a_title_says_which_way_a_ship_goes() -> None:
    """The lightweight spaceship fits 6x5, but not on its way north."""
    assert isinstance(find(ship("2c/4", box="6x5")), Impossible)
    title = make_statement(ship("2c/4", box="6x5"), NoneExists()).splitlines()[0]
    assert title == "# There is no ship of speed 2c/4 going north in 6×5"


def test_a_title_does_not_deny_what_a_smaller_period_beside_another_makes() -> None:
    title = make_statement(oscillator(6, box="3x9"), NoneExists()).splitlines()[0]
    assert title == "# There is no oscillator with a cell of period 6 in 3×9"


def test_where_the_motion_turns_no_full_period_is_spoken_of() -> None:
    motion = Motion(period=2, transform="flip-left-right")
    problem = Problem(boxes=("3x3",), motion=motion, constraints=(FullPeriod(),))
    for words in (make_statement(problem, NoneExists()), describe(problem)):
        assert "full period" not in words
        assert "eneration 0 is not empty" in words


# --- what does not fit ----------------------------------------------------------------------------


def test_a_symmetry_that_does_not_fit_a_torus_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="does not map this torus onto itself"):
        agar(1, box="4x4", wrap=(1, 0), symmetry="D2|")
    assert agar(1, box="4x4", wrap=(1, 0), symmetry="C2").symmetry == "C2"


def test_a_statement_of_all_counts_the_empty_pattern_apart() -> None:
    problem = Problem(boxes=("2x2",), motion=Motion(period=1))
    claim = Complete(images=True, found=tuple(map(draw, everything(problem))))
    assert "One is empty. All others are strict still lifes." in make_statement(problem, claim)


def test_several_drawings_are_told_apart() -> None:
    def drawn(x: int, most: int) -> Difference:
        return Difference(rows=("o",), x=x, generation=0, most=most)

    statements = {
        make_statement(Problem(boxes=("3x1",), constraints=bounds), NoneExists()).rpartition(
            "Problem"
        )[0]
        for bounds in (
            (drawn(0, 1), drawn(1, 1), drawn(2, 2)),
            (drawn(0, 1), drawn(1, 2), drawn(2, 2)),
        )
    }
    assert len({words.split("\n", 1)[1] for words in statements}) == 2


@pytest.mark.parametrize(
    ("speed", "mixed"), [("c/6", False), ("6c/12", True), ("4c/8", False), ("2c/6", False)]
)
def test_words_about_mixed_periods_follow_the_motion(speed: str, mixed: bool) -> None:
    words = make_statement(ship(speed, box="3x3"), NoneExists())
    assert ("with a cell of speed" in words.splitlines()[0]) == mixed
    assert ("all have smaller periods" in words) == mixed


def test_a_twist_by_a_whole_side_is_none() -> None:
    assert agar(1, box="4x3", wrap=(3, 0)) == agar(1, box="4x3")
    assert agar(1, box="4x3", wrap=(0, -1)).wrap == (0, 3)
    assert isinstance(find(agar(1, box="2x2", wrap=(0, 1_000_000))), Found)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            "B3/S23",
            "a dead cell with 3 live neighbours of its eight becomes alive, "
            "a live cell with 2 or 3 stays alive",
        ),
        (
            "B2/S",
            "a dead cell with 2 live neighbours of its eight becomes alive, no cell stays alive",
        ),
        (
            "B/S23",
            "no cell becomes alive, "
            "a live cell with 2 or 3 live neighbours of its eight stays alive",
        ),
        ("B/S", "no cell becomes alive, no cell stays alive"),
    ],
)
def test_a_statement_says_its_rule(rule: str, words: str) -> None:
    told = make_statement(oscillator(2, box="3x3", rule=rule), NoneExists())
    assert f" by {rule}: {words}, all other cells are dead." in told
