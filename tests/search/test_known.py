"""The catalogue's answer to a question without a box: verified, and only where it can be judged."""

from __future__ import annotations

import pytest

from satlife import Found, find_known, oscillator, ship, still_life, verify
from satlife.engine import Wanted
from satlife.life.catalogue import catalogue

ASKED = sorted({(each.kind, each.period, each.speed) for each in catalogue()})


def make(kind: str, period: int, speed: str, **more):
    if kind == "still life":
        return lambda box: still_life(box=box, **more)
    if kind == "spaceship":
        return lambda box: ship(speed, box=box, **more)
    return lambda box: oscillator(period, box=box, **more)


def name(make_in_box, wanted: Wanted | None = None) -> str | None:
    known = find_known(make_in_box, wanted)
    return None if known is None else known.finding.identity.name


@pytest.mark.parametrize("asked", [each for each in ASKED if each[1] < 20], ids=str)
def test_each_short_period_and_speed_is_answered(asked) -> None:
    check_known(asked)


def test_each_long_period_is_answered() -> None:
    for asked in ASKED:
        if 20 <= asked[1] < 2700:
            check_known(asked)


def test_what_is_too_large_for_a_problem_is_no_answer() -> None:
    assert find_known(make("oscillator", 2700, "")) is None


def check_known(asked) -> None:
    kind, period, speed = asked
    known = find_known(make(*asked))
    assert isinstance(known, Found), asked
    problem = known.finding.problem
    assert problem.motion.period == period
    assert str(problem.motion) == (speed or f"p{period}")
    assert problem.kind == {"spaceship": "ship", "still life": "still-life"}.get(kind, kind)
    assert known.finding.provenance.engine == "catalogue"


@pytest.mark.parametrize(
    ("make_in_box", "expected", "box"),
    [
        (lambda box: ship("c/4d", box=box), "glider", "3x4"),
        (lambda box: ship("2c/4", box=box), "LWSS", "5x6"),
        (lambda box: ship("2c/4", box=box, include_last=True), "LWSS", "5x7"),
        (lambda box: ship("2c/4", box=box, symmetry="C1:D2v"), "LWSS", "5x6"),
        (lambda box: oscillator(2, box=box, symmetry="C4_4"), "phoenix 1", "8x8"),
        (lambda box: oscillator(15, box=box, population=40), "pentadecathlon", "9x16"),
        (lambda box: still_life(box=box, symmetry="D8", population=">4"), "pond", "4x4"),
        (lambda box: still_life(box=box, width=2, height=3), None, None),
        (lambda box: oscillator(2, box=box, rule="HighLife"), "blinker", "3x3"),
        (lambda box: oscillator(2, box=box, rule="B1/S"), None, None),
        (lambda box: oscillator(2, box=box, rule="B34[5]/S23"), None, None),
        (lambda box: still_life(box=box, on="0,0"), None, None),
        (lambda box: oscillator(2, box=box, rule="B03/S23"), None, None),
        (lambda box: oscillator(2, box=box, rule="345/2/4"), None, None),
    ],
)
def test_the_smallest_that_does_what_is_asked(make_in_box, expected, box) -> None:
    known = find_known(make_in_box)
    if expected is None:
        assert known is None
        return
    assert known is not None
    assert known.finding.identity.name == expected
    assert known.finding.problem.boxes == (box,)
    verify(make_in_box(box), known.finding.history)


def test_the_question_is_as_if_the_box_had_been_typed() -> None:
    known = find_known(lambda box: oscillator(3, box=box))
    assert known is not None
    assert known.finding.problem == oscillator(3, box=known.finding.problem.boxes[0])


def test_by_area_the_smallest_box_counts() -> None:
    few = find_known(lambda box: oscillator(3, box=box))
    small = find_known(lambda box: oscillator(3, box=box), by_area=True)
    assert few is not None
    assert small is not None
    assert (few.finding.identity.name, few.finding.problem.boxes) == ("caterer", ("6x9",))
    assert (small.finding.identity.name, small.finding.problem.boxes) == ("jam", ("7x7",))


def test_what_is_rejected_is_left_out() -> None:
    asked = make("oscillator", 2, "")
    assert name(asked) == "blinker"
    assert name(asked, Wanted(reject=("xp2_7",))) == "toad"
    everything = tuple(each.code for each in catalogue())
    assert find_known(asked, Wanted(reject=everything)) is None


@pytest.mark.parametrize("turn", ["D2\\", "D2/"])
def test_an_object_is_turned_to_the_symmetry(turn: str) -> None:
    known = find_known(lambda box: still_life(box=box, symmetry=turn, population=6))
    assert known is not None
    assert known.finding.identity.name == "ship"
