"""Embeddings as sets of bits: the same as the definition, for every symmetry, motion and turn."""

from __future__ import annotations

import pytest

from satlife.campaign.plan import dominance as module
from satlife.campaign.plan.axes import read_boxes
from satlife.campaign.plan.dominance import Embedding, embeds, find_embedding
from satlife.campaign.plan.question import Group, Question
from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.symmetry import SYMMETRIES

LIFE = "B3/S23"
BOXES = read_boxes(["1x1..7x7", "8x3", "9x9", "10x10", "3x11"])
SYMMETRIC = sorted({str(symmetry) for symmetry in SYMMETRIES} | {"C1", "C2", "D2-", "D2/", "D8"})
MOTIONS = (("oscillator", "p2"), ("oscillator", "p4"), ("ship", "c/3"), ("ship", "2c/4d"))


def members(bits: int) -> set[int]:
    return {index for index in range(bits.bit_length()) if bits >> index & 1}


def check(question: Question, boxes: tuple[Box, ...]) -> None:
    found = find_embedding(Group(0, question, boxes))
    assert found is not None
    for i, box in enumerate(boxes):
        above = {j for j, other in enumerate(boxes) if j != i and embeds(question, box, other)}
        below = {j for j, other in enumerate(boxes) if j != i and embeds(question, other, box)}
        assert members(found.above(i)) == above, (question, box)
        assert members(found.below(i)) == below, (question, box)
        assert members(found.twins(i)) == above & below


@pytest.mark.parametrize("symmetry", SYMMETRIC)
def test_sets_are_those_of_the_definition(symmetry: str) -> None:
    for kind, motion in MOTIONS:
        question = Question(kind, LIFE, motion, symmetry)
        boxes = tuple(filter(question.fits, BOXES))
        try:
            question.problem(boxes[0])
        except (IndexError, UsageError):
            continue  # the symmetry does not go with these boxes, or with this motion
        check(question, boxes)


@pytest.mark.parametrize("rule", [LIFE, "B2/S34H"])
@pytest.mark.parametrize("bounds", [(), (("width", ("<=4",)),)])
def test_fewer_turns_embed_less(rule: str, bounds: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
    for symmetry in ("C1", "C2", "D2|", "D4+"):
        question = Question("oscillator", rule, "p2", symmetry, bounds)
        check(question, tuple(filter(question.fits, BOXES)))


def test_few_pairs_are_decided_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """That is what makes a question with many boxes cheap: counted, not timed."""
    decided = 0

    def count(question: Question, small: Box, large: Box) -> bool:
        nonlocal decided
        decided += 1
        return embeds(question, small, large)

    monkeypatch.setattr(module, "embeds", count)
    boxes = read_boxes(["3x3..42x42"])
    found = find_embedding(Group(0, Question("oscillator", LIFE, "p3", "D4+"), boxes))
    assert found is not None
    for index in range(len(boxes)):
        found.above(index)
        found.below(index)
    assert len(boxes) == 1600
    assert decided < 1600, "of 2,560,000 pairs"


def test_questions_share_an_embedding() -> None:
    boxes, shared = read_boxes(["3x3..5x5"]), {}
    first = find_embedding(Group(0, Question("oscillator", LIFE, "p3"), boxes), shared)
    same = find_embedding(Group(0, Question("oscillator", "B36/S23", "p3"), boxes), shared)
    other = find_embedding(Group(0, Question("oscillator", LIFE, "p3", "D2|"), boxes), shared)
    assert first is same
    assert first is not other
    assert find_embedding(Group(0, Question("agar", LIFE, "p3"), boxes), shared) is None


def test_sets_are_forgotten_before_they_take_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_BITS", 100)
    found = Embedding(Question("oscillator", LIFE, "p3"), read_boxes(["3x3..9x9"]))
    again = Embedding(Question("oscillator", LIFE, "p3"), read_boxes(["3x3..9x9"]))
    assert [found.above(i) for i in range(49)] == [again.above(i) for i in range(49)]
    assert len(found._above) <= 2
