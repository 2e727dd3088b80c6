"""The forms of the page: each has an example, and each error belongs to a field."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import satlife
from satlife.kinds import KINDS
from satlife.kinds._common import draw_known
from satlife.life import PartialPattern
from satlife.life.catalogue import name_partial
from satlife.problem import Problem
from satlife.web.questions import EXAMPLES, FilledForm, read_question, show_example


def ask(kind: str) -> Problem:
    return read_question(FilledForm(kind, EXAMPLES[kind].values))


def test_every_form_has_an_example():
    assert list(EXAMPLES) == [*(kind.name for kind in KINDS), "find"]


@pytest.mark.parametrize("kind", EXAMPLES)
def test_an_example_is_found(kind):
    assert isinstance(satlife.find(ask(kind), jobs=1, timeout=120), satlife.Found)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_pattern_of_an_example_answers_it(kind):
    """With its cells given, the search can only find it; and what is found has been verified."""
    problem, drawn = ask(kind), name_partial(EXAMPLES[kind].rle)
    box = problem.all_boxes[0]
    at = (box.x, box.y) if drawn.torus else (drawn.x, drawn.y)
    given = PartialPattern(drawn.states[0], *at, drawn.rule)
    asked = replace(problem, known=(*problem.known, draw_known(given, 0)))
    found = satlife.find(asked, jobs=1, timeout=120)
    assert isinstance(found, satlife.Found)
    alive = {(x, y) for x, y in found.pattern.coordinates.tolist()}
    assert int((given.states == 1).sum()) == len(alive)


def test_an_example_plays():
    told = {kind: show_example(kind)["scene"] for kind in EXAMPLES}
    titles = {kind: scene["caption"]["title"] for kind, scene in told.items()}
    assert titles["oscillator"] == "pulsar"
    assert titles["ship"] == "25P3H1V0.1"
    assert titles["orphan"] == titles["parent"] == "parent"
    assert (titles["eater"], told["eater"]["length"]) == ("eater", 15)
    assert told["agar"]["caption"]["facts"][0] == "moves by (2, 2) every generation"
