"""Questions as a browser sends them, and the forms in which they are asked.

A form is derived from the one list of kinds, so a new kind has one at once.  Texts of patterns are
read as texts: a browser never names a file.

>>> asked = FilledForm(kind="ship", values={"speed": "c/3", "box": "16x6"})
>>> write_command(asked)
'satlife ship c/3 --box 16x6'
>>> read_question(asked).boxes
('16x6',)

The page also shows the cells that follow from a drawing before the search, and contradictions:

>>> from satlife.kinds import complete
>>> seen = look_at(complete("o?$??!", symmetry="D2v"))
>>> seen["cells"], seen["wrong"]
([['oo', '??']], [])
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache, partial
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from satlife.advice import advise
from satlife.engine import Options
from satlife.engine.first import find_roomy, list_multiples
from satlife.engine.known import MakeInBox, find_known
from satlife.errors import SatlifeError, UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.kinds import KINDS, Kind, Parameter, find_kind
from satlife.kinds._kind import PATTERN
from satlife.life import Motion, PartialPattern, Pattern, Symmetry
from satlife.life.catalogue import name_any
from satlife.life.rulespaces import read_rules
from satlife.life.symmetry import OLDER_NAMES, SPELLINGS
from satlife.problem import Problem
from satlife.problem.outcome import Found
from satlife.problem.words import entitle
from satlife.problem.words import write_command as write_problem_command
from satlife.sat.logic import FALSE, TRUE
from satlife.show import Scene
from satlife.show.caption import Caption
from satlife.show.player import write_scene
from satlife.show.scene import Frame

Value = Any
"""A text, a truth value or a number, or a list of texts or of lists of texts."""

SPEC: Final = "find"
"""The kind whose question is a problem file."""


class FilledForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of search, and the contents of its form."""

    kind: str
    values: dict[str, Value] = {}


class FieldError(UsageError):
    """An error in one field of a form."""

    def __init__(self, name: str, message: str) -> None:
        self.name = name
        super().__init__(message)


SPELLED: Final = {name: spelling for spelling, name in SPELLINGS.items()}
"""The spellings of symmetries that need no quotes in a shell."""
SYMMETRIES: Final = {"C1": "any"} | {SPELLED.get(n, n): words for n, words in OLDER_NAMES.items()}
"""The symmetries that a form offers, and what they mean."""

GENERATIONS: Final = 300
"""Maximum number of generations of a question."""


def check_generations(count: int) -> None:
    """Refuse a question about too many generations."""
    if count > GENERATIONS:
        raise UsageError(
            f"{count} generations are too many here; {GENERATIONS} is the most. "
            "The command line takes more"
        )


def _check_time(text: str) -> None:
    is_number = text.isascii() and text.removeprefix("-").isdecimal()
    # Ten digits show that a longer number is too large.
    check_generations(int(text[:10]) if is_number else Motion.parse(text).period)


_CHECKS: Final[dict[str, Callable[[str], object]]] = {
    "rule": read_rules,
    "symmetry": Symmetry,
    **dict.fromkeys(("speed", "motion", "period", "within", "generations"), _check_time),
}
"""Checks of fields whose text can be validated alone."""


def _accept(problem: Problem) -> Problem:
    return problem


def read_question(question: FilledForm, check: Callable[[Problem], Problem] = _accept) -> Problem:
    """Build the problem and check it; raise an error that names its field."""
    values = question.values
    if question.kind == SPEC:
        text = values.get("spec")
        if not isinstance(text, str) or not text.strip():
            raise FieldError("spec", "write a problem, in TOML or JSON")
        with _of_field("spec"):
            return check(Problem.from_text(text.encode()))
    kind = find_kind(question.kind)
    unknown = [name for name in values if not kind.takes(name)]
    if unknown:
        raise UsageError(f"a search of the kind {kind.name} has no {unknown[0]}")
    if is_boxless(question):
        if (known := find_answer(question, check)) is not None:
            return known.finding.problem
        return find_roomy(list_makes(question, check))
    given: dict[str, Any] = {}
    for each in kind.parameters:
        value = values.get(each.name)
        if _is_blank(value):
            if each.required:
                raise FieldError(each.name, f"{label(each)} is missing")
            continue
        with _of_field(each.name):
            given[each.name] = _read_value(each, value)
            if verify := _CHECKS.get(each.name):
                verify(str(value).strip())
    try:
        return check(kind.build(given, str))
    except UsageError as error:
        raise _find_wrong_field(kind, given, check, str(error)) from None


def is_boxless(question: FilledForm) -> bool:
    """Return whether no box is given, so that only a known object can answer."""
    has_kind = question.kind != SPEC and find_kind(question.kind).embeds
    return has_kind and _is_blank(question.values.get("box"))


def find_answer(
    question: FilledForm, check: Callable[[Problem], Problem] = _accept
) -> Found | None:
    """Find an object of the catalogue that answers a question without a box.

    >>> find_answer(FilledForm("oscillator", {"period": "14"})).finding.identity.name
    'tumbler'
    """
    found = (find_known(make) for make in list_makes(question, check))
    return next((known for known in found if known is not None), None)


def list_makes(
    question: FilledForm, check: Callable[[Problem], Problem] = _accept
) -> list[MakeInBox]:
    """Return what builds the problem of a box: for a speed, one for each of its periods."""

    def make(values: dict[str, Value], box: str) -> Problem:
        return read_question(FilledForm(question.kind, {**values, "box": box}), check)

    speed = question.values.get("speed")
    if not isinstance(speed, str) or _is_blank(speed):
        return [partial(make, question.values)]
    with _of_field("speed"):
        return [partial(make, {**question.values, "speed": each}) for each in list_multiples(speed)]


def _is_blank(value: Value) -> bool:
    return value is False or value in (None, "", [])


def _find_wrong_field(
    kind: Kind, given: dict[str, Any], check: Callable[[Problem], Problem], message: str
) -> FieldError:
    """Return the error of a form whose fields are each right alone, with the field to change.

    A contradiction is between fields, so trial decides.  First, each field is left out in turn, or
    given the value of the example, required ones last; and then those that are missing are.  It is
    the field that mends the form.  If no single field is wrong, the form is filled in again
    field by field, required ones first, until there is an error.
    """

    def complain(values: dict[str, Any]) -> str:
        try:
            check(kind.build(values, str))
        except UsageError as error:
            return str(error)
        return ""

    example = EXAMPLES[kind.name].values
    required = {each.name: example[each.name] for each in kind.parameters if each.required}
    for name in sorted(given, key=required.__contains__):
        others = {other: value for other, value in given.items() if other != name}
        trials = [] if name in required else [others]
        trials += [{**others, name: example[name]}] if name in example else []
        if not all(map(complain, trials)):
            return FieldError(name, message)
    for name in example.keys() - given.keys():
        if not complain({**given, name: example[name]}):
            return FieldError(name, message)
    values = dict(required)
    for name in sorted(given, key=required.__contains__, reverse=True):
        values[name] = given[name]
        if complaint := complain(values):
            return FieldError(name, complaint)
    return FieldError("", message)


def _read_value(parameter: Parameter, value: Value) -> Any:
    """Validate a value alone, so that an error names its field."""
    shape: Any = tuple[str, str] if parameter.reader.words == 2 else str
    if parameter.reader.name == "flag":
        shape = bool
    elif "number" in parameter.reader.name:
        shape = str | int
    try:
        found = msgspec.convert(value, list[shape] if parameter.many else shape)
    except msgspec.ValidationError as error:
        raise UsageError(f"{label(parameter)}: {error}") from None
    parameter.read(found, str)
    return found


@contextmanager
def _of_field(name: str) -> Iterator[None]:
    """Report errors together with the field that they belong to."""
    try:
        yield
    except FieldError:
        raise
    except SatlifeError as error:
        raise FieldError(name, str(error)) from None


def list_offers(
    question: FilledForm, check: Callable[[Problem], Problem], processors: int
) -> list[dict[str, Any]]:
    """Return the changes of a form that may help a search which takes long, and why."""

    def make(**changes: str) -> Problem:
        if changes and question.kind == SPEC:
            raise UsageError("a problem file is not changed here")
        return read_question(FilledForm(question.kind, {**question.values, **changes}), check)

    offers = []
    for advice in advise(make, Options(), processors=processors):
        if "save" not in (changes := advice.changes):
            text = f"{', '.join(map(' '.join, changes.items()))}: {advice.why}"
            offers.append({"changes": changes, "words": text})
    return offers


def label(parameter: Parameter) -> str:
    """Return the label of a field."""
    return parameter.name.replace("_", " ")


def write_command(question: FilledForm) -> str:
    """Return the equivalent command; patterns are files named after their fields."""
    return shlex.join(["satlife", *_words(question)])


def read_command(command: str, files: Mapping[str, str] | None = None) -> FilledForm | None:
    """Return the question of a command; None if it reads other files, or is not a search.

    >>> read_command("satlife parent cell.rle --margin 2", {"cell.rle": "o!"}).values
    {'pattern': 'o!', 'margin': '2'}
    >>> read_command("satlife ship c/4d --box=4x4").values
    {'speed': 'c/4d', 'box': '4x4'}
    """
    words = iter(_split_options(shlex.split(command)[1:]))
    try:
        kind = find_kind(next(words, ""))
    except UsageError:
        return None
    arguments = [each for each in kind.parameters if each.argument]
    options = {each.option: each for each in kind.parameters if not each.argument}
    values: dict[str, Any] = {}
    for word in words:
        each = options.get(word) if word.startswith("-") or not arguments else arguments.pop(0)
        if each is None:
            return None
        value: Value = (
            True if each.reader.name == "flag" else word if each.argument else next(words)
        )
        if "file" in each.reader.name and (value := _find_text(each, value, files or {})) is None:
            return None
        if each.reader.words > 1:
            value = [value, *(next(words) for _ in range(each.reader.words - 1))]
        values[each.name] = [*values.get(each.name, []), value] if each.many else value
    return FilledForm(kind.name, values)


def _split_options(words: list[str]) -> Iterator[str]:
    """Yield the words of a command, with an option and its value apart: --region=-7..9."""
    for word in words:
        yield from word.split("=", 1) if word.startswith("--") else [word]


def _find_text(parameter: Parameter, word: str, files: Mapping[str, str]) -> str | None:
    """Return the text that a word of a command stands for: a file's, or a pattern's own."""
    is_text = "!" in word or (parameter.reader.name != "file" and ".." in word)
    return files.get(word, word if is_text else None)


def recall_question(problem: Problem) -> FilledForm:
    """Return a question that asks for a problem: its command's, or a problem file."""
    question = read_command(write_problem_command(problem) or "")
    return question or FilledForm(SPEC, {"spec": problem.to_toml()})


def _words(question: FilledForm) -> Iterator[str]:
    yield question.kind
    if question.kind == SPEC:
        yield from ("--spec", "problem.toml")
        return
    options: list[str] = []
    for each in find_kind(question.kind).parameters:
        value = question.values.get(each.name)
        if _is_blank(value):
            continue
        for one in value if each.many and isinstance(value, list) else [value]:
            if each.argument:
                yield _write_value(each, one)
            elif one is True:
                options.append(each.option)
            elif isinstance(one, list):
                options += [each.option, file_name(each), *map(str, one[1:])]
            else:
                options += [each.option, _write_value(each, one)]
    yield from options


def _write_value(parameter: Parameter, value: Any) -> str:
    takes_file = "file" in parameter.reader.name
    is_text = takes_file and ("\n" in str(value) or "$" in str(value) or "!" in str(value))
    return file_name(parameter) if is_text or parameter.reader.name == "file" else str(value)


def file_name(parameter: Parameter) -> str:
    """Return the name of the file that stands for a text."""
    return f"{parameter.name}.txt" if parameter.name == "partial" else f"{parameter.name}.rle"


def describe_forms() -> list[dict[str, Any]]:
    """Return every kind with its fields, for a browser."""
    forms = [_describe_form(kind) for kind in KINDS]
    text = "A problem file in TOML or JSON, as satlife find --spec takes it."
    spec = Parameter(
        name="spec", reader=PATTERN, label="problem file", help=text, metavar="TOML", required=True
    )
    return [
        *forms,
        {
            "name": SPEC,
            "noun": "pattern",
            "summary": "Search for what a problem file asks.",
            "text": text,
            "example": show_example(SPEC),
            "parameters": [_describe_parameter(spec)],
        },
    ]


def _describe_form(kind: Kind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "noun": kind.noun,
        "summary": kind.summary,
        "text": kind.text,
        "example": show_example(kind.name),
        "parameters": [_describe_parameter(each) for each in kind.parameters],
    }


def _describe_parameter(each: Parameter) -> dict[str, Any]:
    return {
        "name": each.name,
        "label": each.label or label(each),
        "heading": each.heading,
        "reader": each.reader.name,
        "least": each.reader.least,
        "words": each.reader.words,
        "help": each.help,
        "metavar": each.metavar,
        "argument": each.argument,
        "many": each.many,
        "counts": each.counts,
        "timed": each.timed,
        "cell": each.cell,
        "blank": each.blank and asdict(each.blank),
        "required": each.required,
        "default": each.default_text or "",
    }


class Look(NamedTuple):
    """How the page asks for a kind, where that is special."""

    card: str = "find"
    begin: str = ""
    """The beginning of the sentence."""
    title: str = ""
    """The kind's name in it."""
    drawn: tuple[str, ...] = ()
    """The parameters that a drawing gives."""
    empty: str = "."
    """The state of the cells of an empty drawing."""
    several: bool = False
    """Whether a drawing may have several generations."""
    states: dict[str, str] | None = None
    """What the states of a drawing mean, if they are special."""


LOOKS: Final = {
    "ship": Look(title="spaceship"),
    "complete": Look("complete", "Complete this", "drawing", ("partial",), "?", several=True),
    "parent": Look("past", "Find what becomes this: a", drawn=("pattern",)),
    "orphan": Look("past", "Decide whether this is an", drawn=("pattern",)),
    "forced": Look("past", "Decide whether this is", drawn=("pattern",)),
    "eater": Look(
        begin="Find what absorbs this: an",
        drawn=("incoming", "at", "region"),
        states={"o": "what comes in", "?": "room for the eater", ".": "neither"},
    ),
    SPEC: Look(title="pattern of a problem file"),
}
"""Of the kinds that are asked for in a way of their own."""


def describe_looks() -> dict[str, dict[str, Any]]:
    """Return how each kind is asked for, for a browser."""
    looks = {name: LOOKS.get(name, Look()) for name in (*(kind.name for kind in KINDS), SPEC)}
    return {
        name: look._asdict()
        | {
            "begin": look.begin or f"Find {'an' if name[0] in 'aeiou' else 'a'}",
            "title": look.title or name.replace("-", " "),
        }
        for name, look in looks.items()
    }


# Examples, one for each form, so that none begins empty.


class Example(NamedTuple):
    """The values of a form, and a pattern that answers it."""

    values: dict[str, Value]
    rle: str


_GLIDER: Final = "bo$2bo$3o!"
_HASH: Final = "bobo$5o$bobo$5o$bobo!"
_BEE: Final = "4bo$2bobo$bobo$o2bo$bobo$2bobo$4bo!"
_BACK: Final = "#CXRLE Pos=7,0\nx = 5, y = 7\no$obo$bobo$bo2bo$bobo$obo$o!"

EXAMPLES: Final = {
    "still-life": Example(
        {"box": "9x9", "population": [">=40"]},
        "2b2ob2o$bobobobo$o2bobo2bo$4ob4o2$4ob4o$o2bobo2bo$bobobobo$2b2ob2o!",
    ),
    "oscillator": Example(
        {"period": "3", "box": "15x15"},
        "#CXRLE Pos=1,1\n2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$"
        "o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!",
    ),
    "ship": Example(
        {"speed": "c/3", "box": "16x6"}, "8bo$b2ob3ob3o$b2o4bo2b2ob2o$o2bob2o3bo2b2o$12bo2bo!"
    ),
    "parent": Example(
        {"pattern": _HASH},
        "#CXRLE Pos=-1,-1\n5bo$bobo$2bo2bo$bo2bobo$3b2o$obo$3bo!",
    ),
    "orphan": Example(
        {"pattern": _HASH},
        "#CXRLE Pos=-1,-1\n2b2o$o3bo$3bo$b2obobo$3bo$o3bo$2b2o!",
    ),
    "forced": Example(
        {"pattern": _HASH},
        "#CXRLE Pos=-1,-1\nbo3bo$2bobo$2o3b2o$3bo2bo$2o2bo$o2bobo$bo!",
    ),
    "complete": Example(
        {"partial": "2o3?$o4?$5?$4?o$3?2o!"}, "2o$obo$2bo$2bobo$3b2o!"
    ),
    "agar": Example(
        {"period": "2", "box": "4x4"}, "x = 4, y = 4, rule = B3/S23:T4,4\n3bo$bo$o$2bo!"
    ),
    "wick": Example(
        {"period": "2", "box": "6x7"},
        "x = 6, y = 9, rule = B3/S23:T6,0\n$bobobo$2bo2bo$obobo2$obobo$bo2bo$bobobo!",
    ),
    "eater": Example(
        {"incoming": _GLIDER, "region": "6..11,6..11", "within": "16", "population": "<=7"},
        "bo$2bo$3o4$6b2o$6bobo$8bo$8b2o!",
    ),
    "reaction": Example(
        {
            "before": _BEE, "after": _BACK, "within": "15", "region": "-7..-3,1..6",
            "population": "<=4",
        },
        "#CXRLE Pos=-5,0\n9bo$7bobo$6bobo$2o3bo2bo$2o4bobo$7bobo$9bo!",
    ),
    "catalyst": Example(
        {
            "incoming": _GLIDER, "region": "6..10,6..10", "contact": "11", "recover": "8",
            "hold": "4", "population": "<=7",
        },
        "bo$2bo$3o4$6b2o$6bobo$8bo$8b2o!",
    ),
    SPEC: Example(
        {"spec": 'boxes = ["4x4"]\n\n[motion]\nperiod = 4\ndx = -1\ndy = -1\n'},
        "#CXRLE Pos=1,1\n3o$o$bo!",
    ),
}  # fmt: skip
"""Of each form; a search finds such a pattern in seconds."""


@cache
def show_example(kind: str) -> dict[str, Any]:
    """Return the example of a kind, for a browser."""
    values, rle = EXAMPLES[kind]
    question, pattern = FilledForm(kind, values), name_any(rle)
    example = {"values": values, "command": write_command(question), "rle": pattern.to_rle()}
    return {**example, "scene": write_scene(show_answer(pattern, question))}


def show_answer(pattern: Pattern | PartialPattern, question: FilledForm | None) -> Scene:
    """Return a pattern; if it answers a question about some generations, these."""
    with suppress(SatlifeError):
        problem = None if question is None else read_question(question)
        if problem is not None and problem.motion is None and isinstance(pattern, Pattern):
            facts = f"{pattern.population} cells", f"generations 0 to {problem.steps}"
            frames = tuple(Frame.of(pattern[t]) for t in range(problem.steps + 1))
            return Scene(frames, Caption(entitle(problem), facts), pattern.rule, simulated=True)
    return Scene.of(pattern)


MOST: Final = 20_000
"""Maximum number of cells of a drawing that is analysed."""


def look_at(problem: Problem) -> dict[str, Any]:
    """Return the known cells of each box, mirror images included, and the cells that clash."""
    if problem.has_open_height or sum(box.area for box in problem.all_boxes) > MOST:
        return {"cells": [], "places": [], "wrong": [], "clash": ""}
    space = SpaceTime(problem)
    if space.clash is not None:
        return {"cells": [], "places": [], "wrong": [], "clash": space.clash}
    return {
        "cells": [_draw(space.generation(t)) for t in range(len(space.boxes))],
        "places": [[box.x, box.y] for box in space.boxes],
        "wrong": _find_wrong(space),
        "clash": "",
    }


def _draw(literals: Any) -> list[str]:
    letters = np.full(literals.shape, "?")
    letters[literals == TRUE] = "o"
    letters[literals == FALSE] = "."
    return ["".join(row) for row in letters.tolist()]


def _find_wrong(space: SpaceTime) -> list[list[int]]:
    """Return cells (x, y, t) that cannot follow, whatever the unknown cells are."""
    if not space.problem.steps or space.problem.has_open_rule or space.problem.slow_rule:
        return []
    steps = space.transitions()
    sure = np.abs(steps.successors) == TRUE
    cells, then = steps.cells[sure], steps.successors[sure] == TRUE
    bits = 1 << np.arange(8, -1, -1)
    alive = (cells == TRUE) @ bits
    fixed = (np.abs(cells) == TRUE) @ bits
    every = np.arange(512)
    fits = (every[None, :] & fixed[:, None]) == alive[:, None]
    fits &= space.problem.parsed.rule.table.astype(bool)[None, :] == then[:, None]
    wrong = ~fits.any(axis=1)
    return [_find_drawn(space.problem, *map(int, place)) for place in steps.places[sure][wrong]]


def _find_drawn(problem: Problem, x: int, y: int, t: int) -> list[int]:
    """Return the place of a cell's successor; that of generation p is a cell of generation 0."""
    motion = problem.motion
    if motion is None or t + 1 < motion.period:
        return [x, y, t + 1]
    return [x - motion.dx, y - motion.dy, 0]
