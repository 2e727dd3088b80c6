"""Symmetry in certificates: maps that are kept take solutions to solutions, and others are refused.

What is allowed is compared with all solutions of random problems, one by one; the source is broken
in every small way; and forgers name symmetries that a problem does not have.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from satlife import (
    Impossible,
    Known,
    Motion,
    NotEmpty,
    Population,
    Problem,
    agar,
    orphan,
    oscillator,
    ship,
    still_life,
)
from satlife.audit import invariance
from satlife.audit.formula import TURNS, Map, audit_formula
from satlife.audit.invariance import Invariance
from satlife.audit.symmetries import choose_maps, require_least, show
from satlife.certificates import Complete, NoneExists, certify, check_certificate
from satlife.certificates import folder as files
from satlife.certificates.obligations import obligations
from satlife.errors import FormatError
from satlife.life import PartialPattern
from satlife.problem.constraints import FullPeriod, Width
from satlife.sat import Formula
from tests.mutation.changes import load, mutants
from tests.search.draws import draw, make_rule
from tests.search.test_audit import Solution, audited
from tests.search.test_certificates import rehash

MOST = 200
"""Solutions of a problem that are looked at."""


def list_maps(problem: Problem) -> Iterator[Map]:
    """Every turn, generation, and on a torus every move, that could be a symmetry."""
    times = range(problem.motion.period + 1 if problem.motion else 2)
    moves = [(0, 0), (1, 0), (0, 1)]
    for turn, (dx, dy), dt in product(TURNS, moves, times):
        yield Map(turn, dx, dy, dt)


def look(said: Invariance, g: Map, cells: list[int], solution: Solution) -> Solution:
    """What a solution looks like through a map."""
    alive = {cell for cell, state in zip(cells, solution, strict=True) if state}
    image = show(said, g)
    return tuple(image[said.same[cell]] in alive for cell in cells)


@pytest.mark.parametrize("part", range(4))
def test_what_a_solution_looks_like_is_a_solution_and_the_least_is_left(part: int) -> None:
    """So of the problems that are drawn at random, and with each map by itself."""
    chance = random.Random(part)
    used = 0
    for number in range(part, 64, 4):
        problem, formula = draw(chance, number)
        said = Invariance(problem)
        kept = [g for g in list_maps(problem) if said.keeps(show(said, g))]
        assert Map("identity") in kept
        chosen = choose_maps(said)
        assert set(chosen) <= set(list_maps(problem)) or problem.boundary == "torus"
        used += len(chosen)
        with audited(problem, formula) as plain:
            cells = [*plain.cells]
            first = problem.all_boxes[0].area
            found = list(islice(plain.solutions(), MOST))
            for g in kept:
                for solution in found:
                    assert plain.allows(look(said, g, cells, solution)), (problem, g)
        if len(found) == MOST:
            continue
        with audited(problem, require_least(formula, said, chosen)) as least:
            wanted = {
                each
                for each in found
                if all(each[:first] <= look(said, g, cells, each)[:first] for g in chosen)
            }
            assert set(least.solutions()) == wanted
            assert bool(wanted) == bool(found)
    assert used > 10


BOXES = Problem(boxes=("3x3", "3x4"), motion=Motion(period=2), constraints=(FullPeriod(),))
KNOWN = replace(oscillator(3, box="4x4"), known=(Known(t=0, x=1, y=1, rows=("o",)),))
EXPECTED = {
    "still life": (still_life(box="4x3"), 4),
    "still life in a square": (still_life(box="3x3"), 8),
    "oscillator": (oscillator(3, box="3x4"), 4 * 3),
    "composite oscillator": (oscillator(2, box="3x3", composite=True), 8 * 2),
    "ship": (ship("c/3", box="5x5"), 2),
    "diagonal ship": (ship("c/4d", box="4x4"), 2),
    "one known cell, off the centre": (KNOWN, 2),
    "boxes of different heights": (BOXES, 2),
    "a wide one": (oscillator(2, box="3x3", width=">=3"), 4 * 2),
    "few cells in generation 0": (oscillator(2, box="3x3", population="<=4"), 8),
    "few cells in every generation": (oscillator(2, box="3x3", population="<=4@every"), 8 * 2),
    "a torus": (agar(2, box="3x3"), 8 * 2),
    "a rule without symmetries": (still_life(box="3x3", rule=make_rule("map", 1)), 1),
    "hexagons": (still_life(box="3x3", rule=make_rule("hexagonal", 1)), 4),
    "cells that are free": (orphan(PartialPattern([[1, 0], [0, 1]])), 4),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_symmetries_that_are_found(name: str) -> None:
    problem, number = EXPECTED[name]
    times = range(problem.motion.period if problem.motion else 1)
    said = Invariance(problem)
    maps = [Map(turn, dt=dt) for turn, dt in product(TURNS, times)]
    assert sum(said.keeps(show(said, g)) for g in maps) == number


def test_a_torus_may_be_moved() -> None:
    said = Invariance(agar(2, box="4x3"))
    assert all(said.keeps(show(said, Map("identity", dx, dy))) for dx, dy in ((1, 0), (0, 1)))
    said = Invariance(still_life(box="4x3"))
    assert not said.keeps(show(said, Map("identity", 1, 0)))


def test_listed_patterns_belong_to_what_is_said() -> None:
    """All but a blinker and its images: with one image missing, there is no such symmetry."""
    problem = oscillator(2, box="3x3")
    blinker = (("...", "ooo", "..."), (".o.", ".o.", ".o."))
    (every,) = obligations(problem, Complete(images=True, found=(blinker,)))
    (alone,) = obligations(problem, Complete(images=False, found=(blinker,)))
    turn, later = Map("quarter-turn-clockwise"), Map("identity", dt=1)
    assert every.said.keeps(show(every.said, turn))
    assert not alone.said.keeps(show(alone.said, turn))
    assert not every.said.keeps(show(every.said, later))  # only generation 0 is listed
    assert alone.said.keeps(show(alone.said, Map("half-turn")))


# --- forgeries ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate") / "p3"
    assert isinstance(certify(oscillator(3, box="4x4"), NoneExists(), folder), Impossible)
    assert len(files.read_symmetries(folder)["formula"]) == 8 * 3 - 1
    assert check_certificate(folder).valid
    return folder


def forge(folder: Path, problem: Problem, maps: list[list[Any]] | None) -> str:
    """Put another problem, or other maps, into the folder, with honest hashes; then check it."""
    (folder / "problem.json").write_bytes(problem.to_json() + b"\n")
    from satlife.certificates.words.statement import make_statement

    (folder / "statement.md").write_text(make_statement(problem, NoneExists()))
    if maps is not None:
        (folder / "symmetries.json").write_text(json.dumps({"formula": maps}))
    record = json.loads((folder / "certificate.json").read_text())
    record["problem"] = problem.name
    rehash(folder, record)
    return str(check_certificate(folder))


PLAIN = oscillator(3, box="4x4")
FORGED = {
    "by one known cell": (
        replace(PLAIN, known=(Known(t=0, rows=("o",)),)), None, "not the same for"),
    "by one box": (
        replace(PLAIN, boxes=("4x4", "4x4", "4x5")),
        None, "not the same for"),
    "by one bound": (
        replace(PLAIN, constraints=(*PLAIN.constraints, Width(most=3))), None, "not the same for"),
    "by one generation": (
        replace(PLAIN, constraints=(*PLAIN.constraints, Population(most=9, generation=1))),
        None, "not the same for"),
    "a move": (PLAIN, [["identity", 1, 0, 0]], "not the same for moved by (1, 0)"),
    "no turn": (PLAIN, [["no turn", 0, 0, 0]], "there is no symmetry"),
    "far away": (PLAIN, [["identity", 0, 0, 10**12]], "there is no symmetry"),
    "one map alone": (PLAIN, [["half-turn", 0, 0, 0]], "that the problem gives is another"),
    "none": (PLAIN, [], "that the problem gives is another"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_symmetry_that_the_problem_lacks_is_not_valid(
    name: str, certificate: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(certificate, tmp_path / "forged")
    judgement = forge(folder, *FORGED[name][:2])
    assert judgement.startswith("not valid")
    assert FORGED[name][2] in judgement


def test_an_order_of_another_generation_is_not_valid(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forger's satlife orders by generation 1, and by generation 0 for one map."""
    true = invariance.Invariance.require_least

    def require(self: Invariance, formula: Any, image: dict[int, int], words: str) -> Any:
        if words != "half-turn":
            return true(self, formula, image, words)
        at, self.audit.at = self.audit.at, lambda x, y, t: at(x, y, t + 1)  # type: ignore[method-assign]
        try:
            return true(self, formula, image, words)
        finally:
            self.audit.at = at  # type: ignore[method-assign]

    with monkeypatch.context() as patch:
        patch.setattr(invariance.Invariance, "require_least", require)
        (needed,) = obligations(PLAIN, NoneExists(), lambda each: [Map("half-turn")])
    from satlife.sat.files.paths import open_to_write

    folder = shutil.copytree(certificate, tmp_path / "forged")
    text = files.formula_text(needed.formula)
    with open_to_write(folder / "formula.cnf.xz") as file:
        file.write(text)
    record = json.loads((folder / "certificate.json").read_text())
    record["parts"][0]["formula"] = files.hash_bytes(text)
    (folder / "symmetries.json").write_text('{"formula": [["half-turn", 0, 0, 0]]}')
    rehash(folder, record)
    assert "the formula that the problem gives is another" in str(check_certificate(folder))


# --- the source, broken -------------------------------------------------------------------------

EXEMPT = ((0, 0, 1), (0, 0, 2), (0, 0, 3))
UNLIKE = (Population(least=2), Population(most=1, generation=1))
BATTERY = (
    still_life(box="2x1"),
    still_life(box="2x2", rule=make_rule("hexagonal", 1)),
    oscillator(2, box="2x2", width=">=2"),
    oscillator(3, box="2x2", composite=True),
    replace(oscillator(3, box="1x1", composite=True), exempt=EXEMPT),
    oscillator(3, box="1x1", composite=True, rule="B3/S2[3]"),
    replace(oscillator(2, box="2x2"), constraints=UNLIKE),
    ship("c/2", box="2x2", include_last=True),
    Problem(boxes=("2x2",), boundary="free", constraints=(NotEmpty(),)),
    Problem(boxes=("2x2",), motion=Motion(period=2, transform="flip-diagonal")),
    agar(2, box="2x3", wrap=(1, 0), composite=True),
)
MAPS = [Map(turn, dx, 0, dt) for turn, dx, dt in product(TURNS, (0, 1), (0, 1))]


def judge(module: Any, problem: Problem) -> object:
    """Everything that a module says about a problem."""
    try:
        said = module.Invariance(problem)
        gates = said.audit.any(2, 3), *said.audit.tally(2, [2, 3]), len(said.audit.gates)
        kept = [g for g in MAPS if said.keeps(show(said, g))]
        formula = formula_of(problem)
        for g in MAPS:
            try:
                formula = said.require_least(formula, show(said, g), "it")
            except FormatError:
                kept.append(Map("refused"))
        assert formula.names is not None
        return gates, kept, [*formula][-200:], formula.variables, formula.names.tolist()
    except Exception as error:
        return type(error)


@cache
def formula_of(problem: Problem) -> Formula:
    return audit_formula(problem)


@cache
def judge_true() -> list[object]:
    return [judge(invariance, problem) for problem in BATTERY]


EQUIVALENT = {
    'module: """Symmetry in certificates: | Image = dict[int, int] is left out',  # a type
    # Without a motion no shift in time is kept.
    "starts: decided = plain and p.motion | without p.motion",
    # The clauses must say that the two are equal, whatever is compared.
    "_find_same: one = audit.at(*back, 0) if | t == d.period is True",
    "_find_same: one = audit.at(*back, 0) if | 0 becomes -1",
    "_find_same: one = audit.at(*back, 0) if | 0 becomes 1",
    "_find_same: same[cell] = one if {(-cell, | {(-cell, one), (cell, -one)} <= stated: Lt",
    "require_least: names = [*([] if formula.nam | formula.names is None is False",  # it has names
    "_find_ways: if all(fates[other] == fate | zip without strict",  # both have 512
    "_find_ways: if all(fates[other] == fate | True is negated",
    # Cells and gates are told apart from these anyway.
    "_extend: to = {variable: variable for | len(self.audit.names) + 1: Sub",
    "_extend: to = {variable: variable for | 1 becomes 2",
    "_extend: to = {variable: variable for | 1 becomes 0",
    # Gates with cells of generation p say that it changes, which every symmetry of the rest keeps.
    "__init__: def __init__(self, problem: | self._gates = list(audit.gates.items()) is left out",
    # No problem here lies in an agar.
    "starts: decided = plain and p.motion | without p.boundary != 'agar'",
    # What is remembered saves time, and nothing else.
    "keeps: if image in self._kept: | return True is left out",
    "keeps: if image in self._kept: | image in self._kept is False",
    "keeps: def keeps(self, image: Image | if image in self._kept: is left out",
    "keeps: def keeps(self, image: Image | self._kept.append(image) is left out",
}


def test_every_small_break_is_noticed() -> None:
    alive = set()
    for words, code in mutants(invariance):
        try:
            module = load(code)
        except Exception:
            continue
        if all(
            judge(module, problem) == true
            for problem, true in zip(BATTERY, judge_true(), strict=True)
        ):
            alive.add(words)
    assert alive == EQUIVALENT
