"""What hunters ask beyond shape and numbers, against plain counts over everything in the box."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from satlife import (
    ENCODINGS,
    Best,
    Changes,
    Found,
    Goal,
    Impossible,
    NotEmpty,
    Problem,
    find,
    find_all,
    find_best,
    oscillator,
    parent,
    ship,
    still_life,
    wick,
)
from satlife.certificates import NoneExists, Proved, check, make_statement, prove
from satlife.cli.group import cli
from satlife.engine.heuristics.hunters import hunt
from satlife.errors import UsageError
from satlife.life import Transform
from satlife.records import describe_outcome, write_rle
from satlife.verifier.verify import complaints
from tests.reference import solutions


def count(problem: Problem) -> int:
    return sum(1 for _ in find_all(problem, raw=True))


def test_a_gutter_is_the_middle_column_without_a_live_cell() -> None:
    plain = solutions(still_life(box="5x3", symmetry="D2|").to_json())
    gutter = still_life(box="5x3", symmetry="D2|", gutter=True)
    assert count(gutter) == sum(not history[0][:, 2].any() for history in plain) > 0


@pytest.mark.parametrize("symmetry", ["D2|", "D2-", "D2\\", "D4+", "D4x", "D8", "D2|:D4+"])
def test_every_encoding_knows_gutters(symmetry: str) -> None:
    problem = oscillator(2, box="3x3", rule="B2/S", symmetry=symmetry, gutter=True)
    answers = {type(find(problem, encoding=each.name)) for each in ENCODINGS}
    assert answers == {Found if solutions(problem.to_json()) else Impossible}


def test_restrictions_keep_the_gutter() -> None:
    problem = oscillator(2, box="21x11", symmetry="D2|", gutter=True)
    found = hunt(problem.to_json(), 1.0, lambda news: None)
    assert found is not None
    assert not list(complaints(problem, found[1]))
    assert not any(states[:, 10].any() for states in found[1])


def test_the_verifier_sees_a_live_cell_in_the_gutter() -> None:
    problem = still_life(box="3x3", symmetry="D2|", gutter=True)
    tub = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.uint8)
    assert any("axis" in words for words in complaints(problem, (tub,)))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"box": "5x5", "symmetry": "C2"}, "a gutter is the axis of a mirror"),
        ({"box": "6x5", "symmetry": "D2|"}, "needs an odd width, got 6x5"),
        ({"box": "5x6", "symmetry": "D2-"}, "needs an odd height, got 5x6"),
        ({"box": "6x6", "symmetry": "D4+"}, "needs an odd width or height, got 6x6"),
        ({"box": "5x5", "symmetry": "C1:D2|"}, "has none in every generation"),
    ],
)
def test_a_gutter_needs_an_axis_that_runs_through_cells(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        oscillator(2, gutter=True, **asked)


def test_a_gutter_in_a_box_of_open_height() -> None:
    assert ship("c/2", box="9x*", symmetry="D2|", gutter=True).constraints[-1].__class__
    with pytest.raises(UsageError, match="odd width"):
        ship("c/2", box="8x*", symmetry="D2|", gutter=True)


def test_statements_speak_of_gutters() -> None:
    said = make_statement(still_life(box="5x4", symmetry="D2|", gutter=True), NoneExists())
    assert "with a gutter" in said.splitlines()[0]
    assert "Every cell on an axis of the symmetry is dead in every generation." in said


@pytest.mark.parametrize(
    ("asked", "alive", "dead"),
    [
        ({"on": "1,0"}, [(1, 0, 0)], []),
        ({"on": ("1,0@1",), "off": "0,0"}, [(1, 0, 1)], [(0, 0, 0)]),
        ({"off": "0..1,2@every"}, [], [(0, 2, 0), (1, 2, 0), (0, 2, 1), (1, 2, 1)]),
        ({"on": "0..2, 1 @2"}, [(0, 1, 0), (1, 1, 0), (2, 1, 0)], []),
    ],
)
def test_cells_that_are_on_and_off(
    asked: dict[str, Any], alive: list[tuple[int, int, int]], dead: list[tuple[int, int, int]]
) -> None:
    every = solutions(oscillator(2, box="3x3", rule="B2/S2").to_json())
    wanted = sum(
        all(history[t][y, x] for x, y, t in alive) and not any(history[t][y, x] for x, y, t in dead)
        for history in every
    )
    assert count(oscillator(2, box="3x3", rule="B2/S2", **asked)) == wanted


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3", "write column,row@generation"),
        ("3,0@last", "write column,row@generation"),
        ("4..1,0", "write the lower number first"),
        ("1,1@9", "they are 0 to 2"),
        ("0..9999,0..9999", "the cells of a range"),
    ],
)
def test_cells_that_are_not_cells(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        oscillator(2, box="3x3", on=text)


def populations(history: tuple[Any, ...]) -> list[int]:
    return [int(states.sum()) for states in history]


@pytest.mark.parametrize("rule", ["B3/S23", "B2/S2"])
def test_summed_population_and_change_count_as_by_hand(rule: str) -> None:
    every = list(map(populations, solutions(oscillator(2, box="3x3", rule=rule).to_json())))
    for most in (0, 1, 3, 6):
        summed = oscillator(2, box="3x3", rule=rule, population=f"<={most}@sum")
        assert count(summed) == sum(sum(each) <= most for each in every)
        for name, sign in (("growth", 1), ("decay", -1)):
            change = [sign * (b - a) for a, b in every]
            asked = oscillator(2, box="3x3", rule=rule, **{name: f"<={most}"})  # type: ignore[arg-type]
            assert count(asked) == sum(max(d, -d) <= most for d in change)


def test_the_lightweight_spaceship_grows_by_three_cells() -> None:
    assert isinstance(find(ship("2c/4", box="5x7", growth="<=2")), Impossible)
    best = find_best(ship("2c/4", box="5x7"), [Goal.parse("minimize", "growth")])
    assert isinstance(best, Best)
    assert best.values == (3,)


def test_growth_of_an_ancestor_counts_no_step_back() -> None:
    """Without a motion there is no step from the last generation to the first."""
    dies = parent("o!", generations=1, margin=1, growth="<=0", decay=">=2")
    found = solutions(dies.to_json(), 2**15)
    assert count(dies) == len(found) > 0
    assert all(int(a.sum()) - int(b.sum()) >= 2 for a, b in found)


def test_the_only_asymmetric_still_life_in_4x4_with_seven_cells_is_the_eater() -> None:
    listed = find_all(still_life(box="4x4", without="any", population="<=7"))
    assert [finding.identity.name for finding in listed] == ["eater 1"]


@pytest.mark.parametrize(("name", "lacking"), [("C2", 4), ("D2|", 6), ("D2\\", 2), ("D8", 6)])
def test_still_lifes_in_3x3_that_lack_a_symmetry(name: str, lacking: int) -> None:
    """A block in four places, a tub, a boat in four ways, a ship in two."""
    problem = still_life(box="3x3", without=name)
    assert count(problem) == len(solutions(problem.to_json())) == lacking


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"without": "C4_1"}, "C4_1 cannot be forbidden; it can be one of C2"),
        ({"without": "C1"}, "C1 cannot be forbidden"),
        ({"without": "D2v", "box": "300x300"}, "use a smaller box"),
        ({"without": 3}, "without"),
    ],
)
def test_symmetries_that_cannot_be_forbidden(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        still_life(**({"box": "3x3"} | asked))


def is_wick(tile: np.ndarray, slant: int, period: int, dy: int, survive: set[int]) -> bool:
    """Lay copies of the tile side by side on a plane, and watch the one in the middle."""
    height, width = tile.shape
    copies, margin = 9, 12 + 5 * abs(slant)
    plane = np.zeros((height + 2 * margin, width * copies), int)
    for k in range(copies):
        top = margin + (k - copies // 2) * slant
        plane[top : top + height, k * width : (k + 1) * width] = tile
    left = width * (copies // 2)
    first = plane[:, left : left + width].copy()
    for t in range(1, period + 1):
        wide = np.pad(plane, 1)
        moves = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
        around = sum(wide[i : i + len(plane), j : j + plane.shape[1]] for i, j in moves)
        plane = np.where(plane == 1, np.isin(around, list(survive)), around == 2).astype(int)
        now = plane[:, left : left + width]
        if t < period and (now[:margin].any() or now[margin + height :].any()):
            return False
    return bool(first.any()) and np.array_equal(now, np.roll(first, dy, axis=0))


@pytest.mark.parametrize(
    ("period", "dy", "steps", "box", "slant"),
    [
        (1, 0, 1, (2, 3), 0), (2, 0, 2, (3, 3), 0), (2, 0, 2, (2, 3), 1), (2, 0, 2, (2, 3), -2),
        ("c/2", -1, 2, (3, 3), 0), ("c", -1, 1, (2, 3), 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("survive", [set(), {2}])
def test_wicks_are_what_repeats_side_by_side(
    period: int | str, dy: int, steps: int, box: tuple[int, int], slant: int, survive: set[int]
) -> None:
    rule = f"B2/S{''.join(map(str, survive))}"
    problem = wick(period, box=box, slant=slant, rule=rule)
    width, height = box
    fillings = (np.arange(2 ** (width * height))[:, None] >> np.arange(width * height)) & 1
    tiles = fillings.reshape(-1, height, width)
    plain = msgspec.structs.replace(problem, constraints=(NotEmpty(),))
    assert count(plain) == sum(is_wick(tile, slant, steps, dy, survive) for tile in tiles)
    assert count(problem) <= count(plain)


def test_a_wick_is_written_as_a_cylinder() -> None:
    found = find(wick(2, box="4x3"))
    assert isinstance(found, Found)
    assert ":T4,0" in write_rle(found.finding)
    assert "there is no wick" in describe_outcome(find(wick(3, box="2x2")))


def test_changes_are_counted_in_every_step() -> None:
    """Of a glider four cells change in each generation; of a toad all its cells but two do."""
    assert isinstance(find(ship("c/4d", box="4x4", changes="<=3")), Impossible)
    glider = find(ship("c/4d", box="4x4", changes="=4"))
    assert isinstance(glider, Found)
    for t in range(4):
        now, then = (set(map(tuple, glider.pattern[n].coordinates.tolist())) for n in (t, t + 1))
        assert len(now ^ then) == 4
    best = find_best(ship("2c/4", box="5x6"), [Goal.parse("maximize", "changes")])
    assert isinstance(best, Best)
    assert (best.values, best.proved) == ((13,), True)
    cells = [set(map(tuple, best.finding.pattern[t].coordinates.tolist())) for t in range(5)]
    assert max(len(a ^ b) for a, b in pairwise(cells)) == 13


def test_the_cells_that_change_of_all_oscillators_in_a_box() -> None:
    asked = oscillator(2, box="4x4")
    everything = [each.history for each in find_all(asked, raw=True)]
    numbers = [int((a != b).sum()) for a, b in everything]
    assert len(set(numbers)) > 1
    for most in sorted(set(numbers)):
        bounded = oscillator(2, box="4x4", changes=f"<={most}")
        assert sum(1 for _ in find_all(bounded, raw=True)) == sum(n <= most for n in numbers)


def test_changes_are_certified(tmp_path: Path) -> None:
    problem = ship("c/4d", box="4x4", changes="<=3")
    assert isinstance(prove(problem, tmp_path / "proof"), Proved)
    judgement = check(tmp_path / "proof")
    assert judgement.complaints == judgement.doubts == ()
    assert "at most 3 cells changing" in judgement.statement


@pytest.mark.parametrize("boundary", ["free", "agar"])
def test_changes_need_a_known_outside(boundary: str) -> None:
    tile = ("o.",) if boundary == "agar" else ()
    with pytest.raises(UsageError, match="cells that change"):
        Problem(
            boxes=("4x4",),
            steps=1,
            boundary=boundary,  # type: ignore[arg-type]
            background=tile,
            constraints=(Changes(most=3),),
        )


def test_a_problem_without_the_bound_keeps_its_name() -> None:
    assert b"changes" not in oscillator(3, box="9x9", population="<=20").to_json()
    problem = oscillator(3, box="9x9", changes="<=12")
    assert Problem.from_json(problem.to_json()).constraints[-1] == Changes(most=12)


@pytest.mark.parametrize(
    ("period", "box", "transform"),
    [(1, "3x3", "quarter-turn-clockwise"), (2, "4x4", "half-turn"), (1, "4x4", "flip-diagonal")],
)
def test_an_oscillator_is_itself_turned_after_the_period(
    period: int, box: str, transform: str
) -> None:
    problem = oscillator(period, box=box, transform=transform)
    found = list(find_all(problem, raw=True))
    assert len(found) == len(solutions(problem.to_json())) > 0
    for each in found:
        turned = each.pattern.transformed(Transform(transform)).normalized
        assert each.pattern[period].normalized == turned
        assert each.pattern[1] != each.pattern


def test_a_glide_is_a_ship_that_is_mirrored_after_the_period() -> None:
    outcome = find(ship("c/2", box="5x6", transform="flip-left-right"))
    assert isinstance(outcome, Found)
    assert outcome.finding.identity.name == "LWSS"
    assert outcome.pattern[4] == outcome.pattern.shift(0, -2)
    with pytest.raises(UsageError, match="not turned on its way"):
        outcome.finding.facing("E")


def test_the_identity_changes_no_question() -> None:
    for problem, plain in (
        (oscillator(3, box="9x9", transform="identity"), oscillator(3, box="9x9")),
        (ship("c/3", box="9x9", transform="identity"), ship("c/3", box="9x9")),
    ):
        assert problem.name == plain.name


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("oscillator 2 --transform half-turn", "--transform needs --box"),
        ("oscillator 2 --box 5x5 --transform spin", "there is no transform 'spin'"),
        ("oscillator 2 --box 4x5 --transform quarter-turn-clockwise", "misses the cells"),
        ("ship c/2 --box 5x* --transform flip-left-right", "a motion that only shifts"),
    ],
)
def test_a_wrong_transform_is_refused(words: str, why: str) -> None:
    done = CliRunner().invoke(cli, words.split())
    assert done.exit_code == 2
    assert why in done.stderr


def test_without_a_transform_no_box_is_needed() -> None:
    done = CliRunner().invoke(cli, ["oscillator", "2", "--changes", "<=4"])
    assert done.exit_code == 0
    assert "blinker" in done.stdout
