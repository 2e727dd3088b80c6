"""What one box's answer says of another's: against brute force, and against real searches."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from satlife.campaign.local.task_solver import search_inline
from satlife.campaign.messages import Task
from satlife.campaign.plan import dominance
from satlife.campaign.plan.axes import read_boxes
from satlife.campaign.plan.dominance import _carries, _symmetries, embeds, find_turns
from satlife.campaign.plan.question import Question
from satlife.formula.isometry import Isometry
from satlife.life import Rule
from satlife.life.box import Box
from satlife.life.symmetry import SYMMETRIES, Symmetry
from satlife.life.transforms import Transform
from satlife.problem.outcome import Found, Impossible
from satlife.sat import Limits

LIFE = "B3/S23"
BOXES = read_boxes(["1x1..4x4"])
STATIC = [str(s) for s in SYMMETRIES if s.factor == 1] + ["C2", "D2-", "D2/", "D4+", "D8"]


Cells = npt.NDArray[np.uint8]


@cache
def patterns(width: int, height: int) -> Cells:
    """All patterns of a box, each with two dead rings around it."""
    count = width * height
    numbers = np.arange(1 << count, dtype=np.uint32)
    bits = (numbers[:, None] >> np.arange(count, dtype=np.uint32)) & 1
    cells = bits.astype(np.uint8).reshape(-1, height, width)
    return np.pad(cells, ((0, 0), (2, 2), (2, 2)))


def step(cells: Cells, rule: str) -> Cells:
    """A plain simulator of its own: every cell of every pattern by the rule's table."""
    table = np.asarray(Rule(rule).table)
    index = np.zeros(cells.shape, np.int64)
    for bit, (dy, dx) in zip(range(8, -1, -1), product((-1, 0, 1), repeat=2), strict=True):
        index += np.roll(cells, (-dy, -dx), (1, 2)).astype(np.int64) << bit
    return table[index].astype(np.uint8)


def inside(cells: Cells) -> npt.NDArray[np.bool_]:
    frame = cells.copy()
    frame[:, 2:-2, 2:-2] = 0
    return ~frame.any((1, 2))


@cache
def solutions(rule: str, period: int, box: Box) -> Cells:
    """All patterns of period 1 or 2 whose phases are in the box; not empty."""
    first = patterns(box.width, box.height)
    second = step(first, rule)
    is_still = (first == second).all((1, 2))
    if period == 1:
        return first[is_still & first.any((1, 2))][:, 2:-2, 2:-2]
    returns = (step(second, rule) == first).all((1, 2))
    return first[returns & ~is_still & inside(second)][:, 2:-2, 2:-2]


def has_solution(question: Question, box: Box, most: int) -> bool:
    period = int(question.motion[1:])
    cells = solutions(question.rule, period, box)
    keep = cells.sum((1, 2)) <= most
    phase = np.pad(cells, ((0, 0), (2, 2), (2, 2)))
    for _ in range(period):
        inner = phase[:, 2:-2, 2:-2]
        for turn in Symmetry(question.symmetry).group:
            keep &= (turn.apply_to_array(inner) == inner).all((1, 2))
        phase = step(phase, question.rule)
    return bool(keep.any())


@pytest.mark.parametrize("rule", [LIFE, "B36/S125", "B2/S", "B345/S5"])
@pytest.mark.parametrize("period", [1, 2])
def test_what_is_implied_is_true_by_brute_force(rule: str, period: int) -> None:
    implications = 0
    for symmetry, most in product(STATIC, (3, 4, 16)):
        bounds = (("population", (f"<={most}",)),)
        question = Question("oscillator", rule, f"p{period}", symmetry, bounds)
        boxes = [box for box in BOXES if question.fits(box)]
        has = {box: has_solution(question, box, most) for box in boxes}
        for small, large in product(boxes, boxes):
            if embeds(question, small, large) and small != large:
                assert has[large] or not has[small], (question, small, large)
                implications += has[small]
    assert implications > 20 or rule != LIFE


def test_without_the_right_parity_it_would_be_false() -> None:
    # A blinker has D4+ in 3x3; nothing of period 2 has it in 4x4 or 4x3.
    question = Question("oscillator", LIFE, "p2", "D4+")
    three, four, wide = (Box.parse(text) for text in ("3x3", "4x4", "4x3"))
    assert has_solution(question, three, 16)
    assert not has_solution(question, four, 16)
    assert not has_solution(question, wide, 16)
    assert not embeds(question, three, four)
    assert not embeds(question, three, wide)
    assert embeds(question, three, Box.parse("5x3"))


def test_a_rule_without_symmetries_turns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # No such rule can be written yet; this one only says that it has none.
    monkeypatch.setattr(dominance, "rule_symmetries", lambda rule: (Transform("identity"),))
    question = Question("oscillator", "lopsided", "p1")
    wide, tall, square = (Box.parse(text) for text in ("2x3", "3x2", "3x3"))
    assert not embeds(question, wide, tall)
    assert embeds(question, wide, square)
    mirrored = Question("oscillator", "lopsided", "p1", "D4+")
    assert not embeds(mirrored, Box.parse("2x4"), Box.parse("4x2"))


@pytest.mark.parametrize(
    ("question", "turned"),
    [
        (Question("oscillator", LIFE, "p3"), True),
        (Question("ship", LIFE, "c/3"), False),
        (Question("ship", LIFE, "c/4d"), True),
        (Question("ship", LIFE, "(2,1)c/6"), False),
        (Question("oscillator", LIFE, "p3", "D2|"), False),
        (Question("oscillator", LIFE, "p3", "D4+"), True),
        (Question("oscillator", LIFE, "p3", bounds=(("width", ("<=4",)),)), False),
        (Question("oscillator", LIFE, "p3", bounds=(("area", ("<=20",)),)), True),
        (Question("agar", LIFE, "p3"), False),
    ],
)
def test_boxes_are_turned_where_rule_motion_and_bounds_allow(
    question: Question, turned: bool
) -> None:
    assert embeds(question, Box.parse("4x6"), Box.parse("6x4")) == turned


def test_nothing_is_implied_on_a_torus() -> None:
    question = Question("agar", LIFE, "p2")
    assert not any(embeds(question, a, b) for a, b in product(BOXES, BOXES))


def test_the_places_tried_are_enough() -> None:
    """Trying every shift of the small box gives the same answers."""
    boxes = read_boxes(["1x1..6x6"])
    for symmetry in ("C1", "C2", "C4", "D2|", "D2\\", "D2/", "D4+", "D4x", "D8", "C1:C2", "C1:D2/"):
        question = Question("oscillator", LIFE, "p4", symmetry)
        fitting = [box for box in boxes if question.fits(box)]
        for small, large in product(fitting, fitting):
            given, wanted = (_symmetries(symmetry, "p4", box) for box in (small, large))
            expected = any(
                _carries(given, wanted, Isometry(turn, dx - turned.x, dy - turned.y))
                for turn in find_turns(question)
                for turned in [small.transformed(turn)]
                for dx in range(large.width - turned.width + 1)
                for dy in range(large.height - turned.height + 1)
            )
            assert embeds(question, small, large) == expected, (symmetry, small, large)


@pytest.mark.parametrize(
    ("question", "largest"),
    [
        (Question("ship", LIFE, "c/4d"), "4x5"),
        (Question("ship", LIFE, "c/4d", "C1:D2\\"), "5x5"),
        (Question("ship", LIFE, "c/2", "C1", include_last=True), "6x5"),
        (Question("ship", LIFE, "2c/4", "C1:D2|"), "6x5"),
        (Question("oscillator", LIFE, "p2", "C1:C2"), "5x4"),
        (Question("oscillator", LIFE, "p4", "D4+:D8"), "7x7"),
        (Question("oscillator", LIFE, "p2", "C2", (("stator", ("=2",)),)), "5x5"),
        (Question("oscillator", LIFE, "p2", bounds=(("width", (">=3",)),)), "4x4"),
        (Question("oscillator", "B36/S23", "p3", "D2|", composite=True), "4x5"),
    ],
    ids=lambda value: value.describe() if isinstance(value, Question) else value,
)
def test_what_is_implied_is_true_by_searching(question: Question, largest: str) -> None:
    boxes = [box for box in read_boxes([f"2x2..{largest}"]) if question.fits(box)]
    has: dict[Box, bool] = {}
    for box in boxes:
        outcome = search_inline(Task(problem=question.problem(box)), Limits(seconds=60))
        assert isinstance(outcome, Found | Impossible)
        has[box] = isinstance(outcome, Found)
    for small, large in product(boxes, boxes):
        if embeds(question, small, large):
            assert has[large] or not has[small], (small, large)
