"""The kinds: one value each, from which commands, plans, statements and the API are derived."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from satlife import Problem, find, oscillator
from satlife import kinds as package
from satlife.audit.formula import audit_formula
from satlife.campaign.plan.search import PlanSearch
from satlife.errors import UsageError
from satlife.kinds import KINDS, Kind, find_kind, kind_of
from satlife.kinds._bounds import BOUNDS, Bounds
from satlife.life import Motion
from satlife.problem import bounds
from satlife.records import answers_yes

ROOT = Path(__file__).resolve().parents[2]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)

FILES = {"glider.rle": "bo$2bo$3o!", "partial.rle": "2o$o?$b2o!", "block.rle": "2o$2o!"}
GIVEN = {
    "still-life": {"box": "3x3"},
    "oscillator": {"period": "2", "box": "3x3", "population": ("<=9", ">=1")},
    "ship": {"speed": "c/4d", "box": "4x4", "difference": (("glider.rle", "<=9"),)},
    "parent": {"pattern": "block.rle", "generations": "1", "margin": 1},
    "orphan": {"pattern": "block.rle"},
    "forced": {"pattern": "block.rle", "generations": "2"},
    "complete": {"partial": "partial.rle", "motion": None},
    "agar": {"period": "1", "box": "2x2", "wrap": "1,0"},
    "wick": {"period": "1", "box": "2x2", "slant": "1"},
    "eater": {"incoming": "glider.rle", "region": "4..11,4..11", "within": "8", "at": "0,0"},
    "reaction": {
        "before": "glider.rle",
        "after": "glider.rle",
        "region": "block.rle",
        "within": 4,
    },
    "catalyst": {"incoming": "glider.rle", "region": "6..9,6..9", "contact": "9..12"},
}
"""What a person writes for each kind."""


def test_folder_and_tuple_agree() -> None:
    folder = Path(package.__file__).parent
    files = {path.stem for path in folder.glob("[!_]*.py")}
    assert files == {kind.name.replace("-", "_") for kind in KINDS}


@every_kind
def test_parameters_are_the_keywords_of_the_function(kind: Kind) -> None:
    signature = inspect.signature(kind.function).parameters
    named = {name for name, each in signature.items() if each.kind is not each.VAR_KEYWORD}
    names = [parameter.name for parameter in kind.parameters]
    assert len(set(names)) == len(names)
    assert named <= set(names), "a keyword without an option"
    free = Bounds.__annotations__ if len(named) < len(signature) else {}
    assert set(names) <= named | set(free), "an option without a keyword"


@every_kind
def test_every_parameter_has_help(kind: Kind) -> None:
    assert all(each.help for each in kind.parameters if not each.argument)
    assert kind.summary.endswith(".")
    assert kind.text.endswith(".")
    assert all(example.startswith(f"{kind.name} ") for example in kind.examples)
    assert kind.examples


@every_kind
def test_texts_become_a_problem_of_the_kind(kind: Kind) -> None:
    problem = kind.build(GIVEN[kind.name], FILES.__getitem__)
    assert problem.kind == kind.name
    assert kind_of(problem) is kind
    assert problem == Problem.from_json(problem.to_json())


ALL = {kind.name for kind in KINDS}
ROW = re.compile(r"^\| (`--.*?) \|.*\| (.*?) \|$", re.M)


def test_a_bound_of_the_table_is_everywhere() -> None:
    names = [each.name for each in BOUNDS]
    assert sorted(names) == sorted(str(each.__struct_config__.tag) for each in bounds.BOUNDS)
    assert set(names) <= set(Bounds.__annotations__)
    assert {each.name for each in BOUNDS if each.counts} <= set(PlanSearch.__struct_fields__)
    told = {}
    for options, takers in ROW.findall((ROOT / "docs/how-to/bounds.md").read_text("utf-8")):
        kinds = set(re.findall("`(.*?)`", takers))
        kinds = ALL - kinds if takers.startswith("all but") else kinds
        told |= dict.fromkeys(re.findall("`--(.*?)`", options), kinds)
    assert told == {name: {each.name for each in KINDS if each.takes(name)} for name in names}


@pytest.mark.parametrize("bound", bounds.BOUNDS, ids=lambda bound: bound.__name__)
def test_the_audit_has_a_sentence_for_every_bound(bound: type[bounds.Bound]) -> None:
    drawn = {"rows": ("o",)} if bound is bounds.Difference else {}
    problem = oscillator(2, box="4x4")
    both = (*problem.constraints, bound(least=1, most=2, **drawn))
    assert audit_formula(msgspec.structs.replace(problem, constraints=both)).clauses


def test_what_is_not_given_has_the_default_of_the_function() -> None:
    parent = find_kind("parent")
    defaults = {each.name: (each.default, each.default_text) for each in parent.parameters}
    assert defaults["generations"] == (1, "1")
    assert defaults["population"] == (None, None)
    assert [each.name for each in parent.parameters if each.required] == ["pattern"]
    agar = {each.name: each.default_text for each in find_kind("agar").parameters}
    assert (agar["wrap"], agar["composite"]) == ("0,0", None)


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("agar", {"wrap": "x"}, "'x' is not DOWN,RIGHT; write for example 1,0"),
        ("agar", {"wrap": "1,2,3"}, "'1,2,3' is not DOWN,RIGHT"),
        ("parent", {"generations": "two"}, "'two' is not a whole number"),
        ("eater", {"incoming": "partial.rle"}, "not a complete pattern: the cell at x=1, y=1"),
    ],
)
def test_wrong_texts_are_refused(kind: str, changes: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find_kind(kind).build(GIVEN[kind] | changes, FILES.__getitem__)


def test_an_unknown_kind_is_refused_with_the_names() -> None:
    with pytest.raises(UsageError, match="no kind of search 'shipp'; the kinds are still-life"):
        find_kind("shipp")


def test_yes_is_what_the_kind_says() -> None:
    block = "2o$2o!"
    orphan = find_kind("orphan").build({"pattern": "block.rle"}, lambda _: block)
    parent = find_kind("parent").build({"pattern": "block.rle"}, lambda _: block)
    assert answers_yes(find(parent)) is True
    assert answers_yes(find(orphan)) is False  # it has a parent, so it is not an orphan
    plain = Problem(boxes=("2x2",), kind="whatever")
    assert kind_of(plain).yes == "found"
    assert answers_yes(find(plain)) is True
    assert answers_yes(find(plain, conflicts=0, engine="sat", timeout=0)) is None


@pytest.mark.parametrize("ask", [package.ship, package.oscillator, package.agar, package.wick])
def test_a_motion_that_turns_is_refused(ask: Callable[..., Problem]) -> None:
    with pytest.raises(UsageError, match="this motion is also a half-turn"):
        ask(Motion(4, transform="half-turn"), box="4x4")
