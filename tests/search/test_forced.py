"""Patches that force themselves, by plain enumeration and by a patch of a still life."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from satlife import (
    Box,
    Found,
    Impossible,
    PartialPattern,
    Problem,
    Proved,
    check,
    find,
    forced,
    kinds,
    prove,
)
from satlife.certificates import (
    Claim,
    Forced,
    Needed,
    NoneExists,
    certify,
    known_places,
    make_statement,
)
from satlife.certificates.make import shrink as module
from satlife.certificates.make.shrink import Shrunk, shrink
from satlife.certificates.obligations import witness_complaints
from satlife.errors import FormatError, UsageError
from satlife.life import Pattern, Rule
from satlife.problem.constraints import Population
from satlife.records import answers_yes, describe_outcome, make_record

PATCH = PartialPattern.from_plaintext(
    (Path(__file__).parents[1] / "data/forced/patch.cells").read_text()
)
"""From a discussion of 2024, about a still life of 184 cells by 400spartans."""
STAYS, DIES, KEEPS = "B/S23", "B/S", "B/S012345678"
"""Rules in which a live cell was alive before; in which there is none; in which nothing changes."""

State = dict[tuple[int, int], int]


def draw(rows: str, rule: str = "B3/S23") -> PartialPattern:
    states = [[{".": 0, "o": 1, "?": 255}[cell] for cell in row] for row in rows.split()]
    return PartialPattern(states, rule=rule)


def answer(patch: PartialPattern, generations: int = 1) -> str:
    outcome = find(forced(patch, generations=generations))
    assert isinstance(outcome, Found | Impossible)
    if isinstance(outcome, Impossible):
        return "orphan" if outcome.vacuous else "forced"
    return "other"


def enumerate_answer(rows: list[str], rule: Rule, generations: int = 1) -> str:
    """Try every ancestor on the cells that can matter."""
    known = {
        (x, y): int(cell == "o")
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell != "?"
    }
    places = sorted(_around(known, generations))
    answers = set()
    for states in product((0, 1), repeat=len(places)):
        first = now = dict(zip(places, states, strict=True))
        for n in reversed(range(generations)):
            now = {place: _next(now, place, rule) for place in _around(known, n)}
        if all(now[place] == state for place, state in known.items()):
            answers.add(all(first[place] == state for place, state in known.items()))
    return "orphan" if not answers else "other" if False in answers else "forced"


def _around(places: object, steps: int) -> set[tuple[int, int]]:
    around = range(-steps, steps + 1)
    return {(x + dx, y + dy) for x, y in places for dx in around for dy in around}  # type: ignore[attr-defined]


def _next(now: State, place: tuple[int, int], rule: Rule) -> int:
    x, y = place
    count = sum(now[x + dx, y + dy] for dx in (-1, 0, 1) for dy in (-1, 0, 1)) - now[place]
    counts = rule.survivals if now[place] else rule.births
    assert counts is not None
    return int(count in counts)


RULES = ("B3/S23", STAYS, DIES, KEEPS, "B3/S012345678", "B4/S8", "B12/S", "B45678/S5678")


@pytest.mark.parametrize("rule", RULES)
def test_small_patches_by_enumeration(rule: str) -> None:
    seen = set()
    for row in ("".join(cells) for cells in product("o.?", repeat=2) if set(cells) != {"?"}):
        told = answer(draw(row, rule))
        assert told == enumerate_answer([row], Rule(rule)), row
        seen.add(told)
    assert rule != STAYS or seen == {"forced", "other"}
    assert rule != DIES or seen == {"orphan", "other"}


@pytest.mark.parametrize("rows", ["oo?", "?oo", "?o? ooo", "ooo ?o?", "?o ?o ?o"])
def test_unknown_cells_at_the_edge_are_not_asked_about(rows: str) -> None:
    assert answer(draw(rows, STAYS)) == "forced"


@pytest.mark.parametrize(("rule", "cell"), [(STAYS, "o"), (STAYS, "."), (DIES, "o"), (KEEPS, ".")])
def test_grandparents(rule: str, cell: str) -> None:
    ways = {(STAYS, "o"): "forced", (DIES, "o"): "orphan", (KEEPS, "."): "forced"}
    assert answer(draw(cell, rule), 2) == ways.get((rule, cell), "other")


def test_a_patch_of_a_still_life_forces_itself() -> None:
    assert (PATCH.states != 255).sum() == 276
    outcome = find(forced(PATCH))
    assert isinstance(outcome, Impossible)
    assert answers_yes(outcome)
    assert describe_outcome(outcome).startswith("yes, it forces itself: whatever becomes this ")
    assert make_record(outcome)["vacuous"] is False


def test_an_orphan_forces_nothing() -> None:
    outcome = find(forced(draw("o", DIES)))
    assert isinstance(outcome, Impossible)
    assert outcome.vacuous
    assert repr(outcome).endswith(", vacuous=True)")
    assert answers_yes(outcome) is False
    assert describe_outcome(outcome).startswith("no, an orphan: nothing becomes this, so it forces")
    assert make_record(outcome)["vacuous"] is True


def test_a_parent_that_differs() -> None:
    outcome = find(forced(draw("ooo")))
    assert isinstance(outcome, Found)
    assert answers_yes(outcome) is False
    place = Box(0, 0, 3, 1)
    assert outcome.pattern[1].in_box(place).all()
    assert not outcome.pattern.in_box(place).all()
    other = [(x, 0) for x, alive in enumerate(outcome.pattern.in_box(place)[0]) if not alive]
    assert outcome.finding.differences == make_record(outcome)["differences"] == other
    assert f"differs from it in {len(other)} cell" in describe_outcome(outcome)
    assert (outcome.scene().frames[0].cells == 3).sum() == len(other)


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (draw("???"), "no cell of the pattern is known"),
        (draw("o", "B3/S23/C4"), "dying cells"),
        (draw("o", "B03/S23"), "strobing background"),
    ],
)
def test_refused(patch: PartialPattern, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        forced(patch)


PAIR = draw("oo. ..o", "B8/S012")
"""A cell can only be born among eight, so two neighbours were both alive; one of them says less."""


def shrink_to_core(patch: PartialPattern, generations: int = 1) -> Shrunk:
    shrunk = shrink(forced(patch, generations=generations))
    assert isinstance(shrunk, Shrunk)
    assert isinstance(shrunk.claim, Forced)
    assert not list(witness_complaints(shrunk.problem, shrunk.claim))
    return shrunk


def test_the_core_of_a_patch_by_enumeration() -> None:
    shrunk = shrink_to_core(PAIR)
    assert shrunk.pattern.to_rle().split()[-1] == "2o!"
    assert shrunk.pattern.rule == PAIR.rule
    assert len(shrunk.claim.needed) == 2
    assert enumerate_answer(["oo"], PAIR.rule) == "forced"
    assert {enumerate_answer([each], PAIR.rule) for each in ("o?", "?o")} == {"other"}


def test_a_live_cell_is_kept() -> None:
    for patch in (draw("ooo", STAYS), draw("o..", KEEPS)):
        shrunk = shrink_to_core(patch, 2)
        assert shrunk.pattern.to_rle().split()[-1] == "o!"
        assert not shrunk.claim.needed
    with pytest.raises(UsageError, match="no cell of it is alive"):
        shrink(forced(draw("..", KEEPS)))


def test_what_does_not_force_itself_has_no_core() -> None:
    assert shrink(forced(draw("ooo"))) is None
    assert shrink(forced(draw("o", DIES))) is None  # an orphan


def test_certificates(tmp_path: Path) -> None:
    proved = prove(forced(PAIR), tmp_path / "whole")
    assert isinstance(proved, Proved)
    assert proved.statement.startswith("# A patch of 6 cells forces itself\n")
    assert check(proved.folder).valid
    core = prove(forced(PAIR), tmp_path / "core", shrink=True)
    assert isinstance(core, Proved)
    assert core.statement.startswith("# A patch of 2 cells forces itself\n")
    assert "No single cell can be left out: for each of the 2 a pattern is" in core.statement
    assert check(core.folder).valid
    orphan = prove(forced(draw("o", DIES)), tmp_path / "orphan")
    assert isinstance(orphan, Proved)
    assert orphan.statement.startswith("# An orphan of 1 cell")
    assert check(orphan.folder).valid
    assert isinstance(prove(forced(draw("ooo")), tmp_path / "other"), Found)


def test_what_is_said_without_a_parent() -> None:
    said = make_statement(forced(PAIR), NoneExists())
    assert said.startswith("# A patch of 6 cells forces itself, if anything becomes it\n")
    assert "Whether there is such a pattern is not said" in said


def _forgeries() -> dict[str, tuple[Problem, Claim]]:
    shrunk = shrink_to_core(PAIR)
    problem, claim = shrunk.problem, shrunk.claim
    assert isinstance(claim, Forced)
    first, second = claim.needed
    empty = ("." * 5,) * 4
    (differs,) = problem.constraints
    return {
        "the parent: ": (problem, Forced(parent=empty)),
        "the rows do not fill": (problem, Forced(parent=empty[1:])),
        "not those that are asked for": (problem, replace(claim, needed=(first,))),
        "without cell (1, 0): it is not true": (
            problem,
            replace(claim, needed=(first, Needed(x=1, y=0, parent=claim.parent))),
        ),
        "without cell (0, 0)": (
            problem, replace(claim, needed=(replace(first, parent=empty), second))
        ),
        "only what asks": (replace(problem, constraints=()), claim),
        "for another parent": (replace(problem, constraints=(differs, differs)), claim),
    }  # fmt: skip


@pytest.mark.parametrize("why", [*_forgeries()])
def test_forgeries_are_refused(why: str) -> None:
    problem, claim = _forgeries()[why]
    try:
        told = list(witness_complaints(problem, claim))
    except FormatError as error:
        told = [str(error)]
    assert why in " ".join(told)


def test_the_patch_that_was_found_by_hand_is_certified_and_shrinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROUNDS", 1)
    shrunk = shrink_to_core(PATCH)
    cells = len(known_places(shrunk.problem))
    assert 0 < cells == len(shrunk.claim.needed) <= 273  # the figure of that discussion
    assert any(known.alive for known in shrunk.problem.known)
    for problem, claim in (
        (shrunk.problem, shrunk.claim),
        (forced(PATCH), Forced(parent=shrunk.claim.parent)),  # type: ignore[union-attr]
    ):
        folder = tmp_path / str(len(known_places(problem)))
        assert isinstance(certify(problem, claim, folder), Impossible)
        assert check(folder).valid


@pytest.mark.parametrize(
    "change",
    [
        {"constraints": lambda asked: (*asked.constraints, Population(most=0))},
        {"constraints": lambda asked: ()},
        {"boundary": lambda asked: "dead"},
        {"symmetry": lambda asked: "D8"},
        {"exempt": lambda asked: ((0, 0, 1),)},
    ],
    ids=["more", "no difference", "dead", "symmetric", "exempt"],
)
def test_a_problem_that_asks_something_else_is_no_forced_patch(change):
    asked = kinds.forced(Pattern.from_rle("3o$3o$3o!"))
    ((field, value),) = change.items()
    assert kinds.kind_of(asked).name == "forced"
    assert kinds.kind_of(replace(asked, **{field: value(asked)})).name == "find"


def test_an_orphan_is_asked_for_nothing_else():
    asked = kinds.orphan(Pattern.from_rle("3o$3o$3o!"))
    assert kinds.kind_of(asked).name == "orphan"
    assert kinds.kind_of(replace(asked, constraints=(Population(most=0),))).name == "find"
    assert kinds.kind_of(replace(asked, exempt=((0, 0, 1),))).name == "find"


def test_a_past_that_need_not_follow_the_rule_is_no_ancestor() -> None:
    for make in (kinds.orphan, kinds.forced):
        asked = make(draw("o", "B8/S"), generations=2)
        free = replace(asked, exempt=tuple((x, y, 1) for x in range(-1, 2) for y in range(-1, 2)))
        assert isinstance(found := find(free), Found)
        assert describe_outcome(found).startswith("found: 0 cells in 0x0 [")
