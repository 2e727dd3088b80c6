"""The forms of the page: each has an example, and each error belongs to a field."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

import satlife
from satlife.kinds import HEADINGS, KINDS
from satlife.kinds._common import draw_known
from satlife.life import PartialPattern
from satlife.life.catalogue import name_partial
from satlife.problem import Problem
from satlife.problem.words import describe_short
from satlife.web.orders import Allowed
from satlife.web.questions import (
    EXAMPLES,
    LOOKS,
    FieldError,
    FilledForm,
    describe_forms,
    read_question,
    show_example,
)

FIELDS = {form["name"]: form["parameters"] for form in describe_forms()}
NONSENSE = (
    *("fast", "-1", "0x0", "9999999999x1", "B9/S", "%", "🙂", "0", "100000", "0..99999"),
    *([], ["fast"], [3.5], [[]], [["3o!", "fast"]], {"a": 1}, 3.5, -1, True),
    "x = 40000, y = 40000\n40000o!",
)


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


def test_an_example_asks_for_no_symmetry():
    """It would narrow what is asked, and stay there for whoever changes the rest."""
    assert not [kind for kind, example in EXAMPLES.items() if "symmetry" in example.values]


def test_what_is_drawn_are_parameters():
    for name, look in LOOKS.items():
        assert set(look.drawn) <= {field["name"] for field in FIELDS[name]}
    assert {field["heading"] for form in FIELDS.values() for field in form} <= set(HEADINGS)


def test_an_example_plays():
    told = {kind: show_example(kind)["scene"] for kind in EXAMPLES}
    titles = {kind: scene["caption"]["title"] for kind, scene in told.items()}
    assert titles["oscillator"] == "pulsar"
    assert titles["ship"] == "25P3H1V0.1"
    assert titles["orphan"] == titles["forced"] == titles["parent"] == "parent"
    assert (titles["eater"], told["eater"]["length"]) == ("eater", 18)
    assert told["agar"]["caption"]["facts"][0] == "moves by (2, 2) every generation"


@pytest.mark.parametrize("kind", EXAMPLES)
def test_nonsense_is_told_at_its_field(kind):
    for field, value in product(FIELDS[kind], (None, *NONSENSE)):
        values = {**EXAMPLES[kind].values, field["name"]: value}
        try:
            read_question(FilledForm(kind, values), Allowed().check)
        except FieldError as error:
            assert error.name == field["name"], (value, str(error))  # noqa: PT017 - it may be right
        else:
            boxless = field["name"] == "box" and kind in (
                "still-life",
                "oscillator",
                "ship",
            )  # a known object answers
            assert value is not None or boxless or not field["required"]


def test_of_several_errors_one_is_told():
    values = {"speed": "c/3", "box": "0x0", "symmetry": "C4", "population": ["fast"]}
    with pytest.raises(FieldError, match="no cells") as told:
        read_question(FilledForm("ship", values))
    assert told.value.name == "box"


def test_zero_is_not_left_out():
    values = {"pattern": "3o!", "margin": 0}
    assert read_question(FilledForm("parent", values)).boxes == ("3x1",)


def test_questions_in_a_few_words():
    assert {kind: describe_short(ask(kind)) for kind in EXAMPLES} == {
        "still-life": "still life in 9x9",
        "oscillator": "p3 in 15x15",
        "ship": "c/3 in 16x6",
        "parent": "parent of 5x5",
        "orphan": "parent of 5x5",
        "forced": "other parent of 5x5",
        "complete": "still life in 5x5",
        "agar": "p2 agar of 4x4",
        "wick": "p2 wick of 6x7",
        "eater": "eater in 6x6",
        "reaction": "catalyst in 5x6",
        "catalyst": "catalyst in 7x7",
        "find": "c/4d in 4x4",
    }
    assert describe_short(satlife.ship("c/3", box="7x*")) == "c/3, 7 wide"
    assert describe_short(satlife.oscillator(2, box="4x4", rule="HighLife")) == "p2 in 4x4, B36/S23"
    assert describe_short(satlife.orphan("o!")) == "parent of 1x1"
