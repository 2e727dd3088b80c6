"""What becomes some cells, one generation before or more, against a brute force by definition."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from msgspec import structs

from satlife import (
    Found,
    Impossible,
    Pattern,
    Proved,
    check,
    describe,
    find,
    find_all,
    find_best,
    forced,
    orphan,
    parent,
    prove,
)
from satlife.campaign.plan import Plan
from satlife.certificates import Forced, Needed
from satlife.certificates.obligations import witness_complaints
from satlife.certificates.words.statement import make_statement
from satlife.errors import UsageError
from satlife.kinds import find_kind
from satlife.kinds._common import ask_other
from satlife.life import PartialPattern, read_pattern
from satlife.problem.constraints import Population
from satlife.records import answers_yes, describe_outcome
from tests.reference.ancestry import Rows, has_ancestor, has_finite_parent, parents, past_cells
from tests.reference.halfplanes import find_word

SHY = """\
x = 11, y = 11, rule = B3/S23
bobobobobo$3ob3ob3o$bo2b3o2bo$o2bobobo2bo$b2obobob2o$4obob4o$b2obobob2o$
o2bobobo2bo$bo2b3o2bo$3ob3ob3o$bobobobobo!
"""
"""It has parents, none of them with dead cells around it: github.com/senegrom/Conway-life, 2026."""

GRANDFATHERLESS = """\
x = 24, y = 23, rule = B3/S23
8ob5ob4ob3o$obo2b2o2b3o2b4ob2o2bo$2obob4ob4ob2obo2b3o$3obobobobo2bob3ob3o$
ob2o6bo2b5o3b2o$bobob9obobo$obob2o4bo2bob4obo$obobo2b3ob3ob2o$4o2b2ob3ob4o
4bo$4ob6o2bo6bo$obob3ob2ob2ob3ob2o3bo$ob3obob6ob4obo$2b6obob2o2b3o$2o2bobo
bob4o$b4ob4o2b6o4b2o$obobobo2b2ob2o2b2o2b3o$o3b2ob2o2b3ob2o3bo$2ob2o4b2o4b
3o$3obob5o3b4obobobo$ob4o2b2o3bobo4bo2bo$2ob2o4b2o3bo5b2obo$b4obo2bobo4bob
2o2b2o$3o3b2ob3o2bobo6bo!
"""
"""The first pattern known to have a parent but no grandparent: mtve, May 2016."""


def cells(rows: Rows, rule: str = "B3/S23") -> PartialPattern:
    states = {".": 0, "o": 1, "?": 255}
    return PartialPattern([[states[cell] for cell in row] for row in rows], rule=rule)


def drawings(width: int, height: int, letters: str = ".o") -> list[Rows]:
    rows = ["".join(row) for row in product(letters, repeat=width)]
    return list(product(rows, repeat=height))


def pad(pattern: Pattern, rings: int) -> PartialPattern:
    return PartialPattern.from_pattern(pattern, pattern.box.grow(rings))


class TestGenerations:
    @pytest.mark.parametrize(
        ("rule", "width", "height", "generations"),
        [("B8/S", 2, 2, 1), ("B8/S", 1, 1, 2), ("B78/S8", 1, 2, 2), ("B/S8", 1, 1, 2)],
    )
    def test_every_small_patch_is_answered_as_by_brute_force(
        self, rule: str, width: int, height: int, generations: int
    ) -> None:
        for rows in drawings(width, height, ".o?" if width * height < 3 else ".o"):
            asked = orphan(cells(rows, rule), generations=generations)
            expected = has_ancestor(rule, rows, generations)
            assert isinstance(find(asked), Found) == expected, rows

    def test_a_dot_with_a_parent_but_no_grandparent(self, tmp_path) -> None:
        dot = cells(("o",), "B8/S")
        assert len(list(parents("B8/S", ("o",)))) == 1
        assert isinstance(find(orphan(dot)), Found)
        problem = orphan(dot, generations=2)
        assert problem.boxes == ("5x5-2-2", "3x3-1-1", "1x1")
        outcome = find(problem)
        assert describe_outcome(outcome).startswith(
            "yes, without ancestors: nothing becomes this in 2 generations"
        )
        prove(problem, tmp_path / "none")
        statement = (tmp_path / "none" / "statement.md").read_text()
        assert statement.startswith("# No ancestor of 1 cell: nothing becomes this in 2 steps\n")
        assert "becomes, in 2 steps, a pattern with the 1 cell drawn below" in statement
        assert not check(tmp_path / "none").complaints

    def test_cells_that_are_not_needed_are_left_out(self, tmp_path) -> None:
        problem = orphan(cells((".o",), "B8/S"), generations=2)
        proved = prove(problem, tmp_path / "core", shrink=True)
        assert isinstance(proved, Proved)
        assert [known.rows for known in proved.problem.known] == [("o",)]
        statement = (tmp_path / "core" / "statement.md").read_text()
        assert statement.startswith("# No ancestor of 1 cell: nothing becomes this in 2 steps\n")
        assert not check(tmp_path / "core").complaints

    def test_an_ancestor_is_shown_as_one(self) -> None:
        outcome = find(orphan("3o!", generations=2))
        assert isinstance(outcome, Found)
        assert describe_outcome(outcome).startswith(
            "no, not an orphan: this becomes it in 2 generations"
        )
        assert outcome.finding.scene().caption.title == "ancestor"
        assert outcome.pattern[2].in_box(Pattern.from_rle("3o!").box).all()

    def test_a_pattern_of_life_without_a_grandparent(self) -> None:
        assert isinstance(find(orphan(GRANDFATHERLESS)), Found)
        assert isinstance(find(orphan(GRANDFATHERLESS, generations=2)), Impossible)


class TestFinite:
    def test_four_rings_of_dead_cells_are_added_to_the_live_ones(self) -> None:
        (known,) = orphan("x = 5, y = 4\n$2b2o$b2o!", finite=True).known
        assert known.rows == (
            *("...........",) * 4, ".....oo....", "....oo.....", *("...........",) * 4,
        )  # fmt: skip
        assert orphan("$2b2o$b2o!", finite=True) == orphan(pad(Pattern.from_rle("$2b2o$b2o!"), 4))

    def test_small_patterns_have_parents_as_by_brute_force(self) -> None:
        """By the theorem, what four rings allow is allowed by any number of rings."""
        for rows in (*drawings(1, 1), *drawings(2, 1), *drawings(2, 2), *drawings(3, 2)):
            if "o" not in "".join(rows):
                continue
            pattern = Pattern.from_plaintext("\n".join(rows).replace("o", "O"))
            assert has_finite_parent("B3/S23", rows), rows
            assert isinstance(find(orphan(pattern, finite=True)), Found), rows

    @pytest.mark.parametrize("rows", [1, 2])
    def test_fewer_than_four_rows_do_not_decide(self, rows: int) -> None:
        word, _ = find_word(rows, 3, 3)
        assert word is not None

    def test_four_rows_that_become_nothing_can_be_continued_without_end(self) -> None:
        """The lemma on which the theorem rests, computed anew."""
        word, seen = find_word(4, 3, 3)
        assert (word, seen) == (None, 95_526)

    @pytest.mark.parametrize("rings", [0, 1, 2, 3, 4, 5])
    def test_rings_of_dead_cells_make_a_garden_of_eden(self, rings: int) -> None:
        outcome = find(orphan(pad(Pattern.from_rle(SHY), rings)))
        assert isinstance(outcome, Impossible if rings else Found)
        assert ("Garden of Eden" in describe_outcome(outcome)) == (rings >= 4)

    def test_a_garden_of_eden_has_a_certificate_of_its_padded_cells(self, tmp_path) -> None:
        problem = orphan(SHY, finite=True)
        words = describe_outcome(find(problem))
        assert "it is a Garden of Eden as a finite pattern" in words
        prove(problem, tmp_path / "eden")
        assert not check(tmp_path / "eden").complaints
        statement = (tmp_path / "eden" / "statement.md").read_text()
        assert statement.startswith("# An orphan of 361 cells: nothing becomes this\n")

    @pytest.mark.parametrize(
        ("pattern", "more", "words"),
        [
            ("x = 3, y = 1, rule = B36/S23\n3o!", {}, "known for Life (B3/S23) only, not for B36"),
            ("3o!", {"generations": 2}, "not about ancestors further back"),
            ("3o?!", {}, "a finite pattern has no unknown cells"),
            ("x = 3, y = 3\n!", {}, "the empty plane is its own parent"),
        ],
    )
    def test_what_the_theorem_is_not_about_is_refused(self, pattern, more, words) -> None:
        with pytest.raises(UsageError, match=words.replace("(", r"\(").replace(")", r"\)")):
            orphan(pattern, finite=True, **more)

    def test_the_question_is_about_cells(self) -> None:
        assert "121 cells of generation 1 are known" in describe(orphan(SHY))
        assert "361 cells of generation 1 are known" in describe(orphan(SHY, finite=True))


class TestUnique:
    @pytest.mark.parametrize("rule", ["B8/S", "B78/S8", "B/S8", "B3/S23"])
    def test_every_small_patch_is_answered_as_by_brute_force(self, rule: str) -> None:
        """No parent, all with the same cells in its place, or two that differ there."""
        answers = Counter[str]()
        for rows in (*drawings(2, 1, ".o?"), *drawings(1, 2), *drawings(2, 2)):
            if set("".join(rows)) == {"?"}:
                continue
            pasts, outcome = past_cells(rule, rows), find(parent(cells(rows, rule), unique=True))
            assert answers_yes(outcome) == (len(pasts) == 1), rows
            if len(pasts) == 1:
                (past,) = pasts
                shown = describe_outcome(outcome).partition("they are: ")[2].partition(" [")[0]
                assert shown.replace(" / ", "").replace("?", "") == past
            if not pasts:
                assert describe_outcome(outcome).startswith("no, an orphan: nothing becomes this")
            answers["none" if not pasts else "one" if len(pasts) == 1 else "more"] += 1
        assert len(answers) >= (1 if rule == "B3/S23" else 2)

    def test_two_parents_that_differ(self) -> None:
        outcome = find(parent("2o$2o!", unique=True))
        assert isinstance(outcome, Found)
        words = describe_outcome(outcome)
        assert words.startswith("no, not unique: this becomes it, and so does another one; ")
        first = words.partition("in its place: ")[2].partition(" [")[0].split(" / ")
        second = outcome.pattern.in_box(Pattern.from_rle("2o$2o!").box)
        assert [[cell == "o" for cell in row] for row in first] != second.tolist()
        assert outcome.finding.scene().caption.title == "parent"

    def test_a_patch_that_forces_itself_has_a_unique_parent(self) -> None:
        patch = read_pattern((Path(__file__).parents[1] / "data/forced/patch.cells").read_text())
        assert answers_yes(find(forced(patch)))
        assert answers_yes(find(parent(patch, unique=True)))

    def test_a_unique_parent_has_a_certificate(self, tmp_path) -> None:
        proved = prove(parent(cells(("o",), "B8/S"), unique=True), tmp_path / "one")
        assert isinstance(proved, Proved)
        assert isinstance(proved.claim, Forced)
        statement = (tmp_path / "one" / "statement.md").read_text()
        assert statement.startswith("# A patch of 1 cell fixes its past\n")
        assert "has the cells of drawing 1. There is such a pattern: the one drawn" in statement
        assert not check(tmp_path / "one").complaints

    def test_an_orphan_is_certified_as_one(self, tmp_path) -> None:
        proved = prove(parent(cells(("oo",), "B8/S"), unique=True), tmp_path / "none")
        assert isinstance(proved, Proved)
        statement = (tmp_path / "none" / "statement.md").read_text()
        assert statement.startswith("# An orphan of 2 cells: nothing becomes this\n")
        assert not check(tmp_path / "none").complaints

    def test_a_parent_that_is_none_is_refused(self, tmp_path) -> None:
        proved = prove(parent(cells(("o",), "B8/S"), unique=True), tmp_path / "one")
        assert isinstance(proved, Proved)
        assert list(witness_complaints(proved.problem, proved.claim)) == []
        forged = Forced(parent=("oo.", "o.o", "ooo"))
        (complaint,) = witness_complaints(proved.problem, forged)
        assert complaint.startswith("the parent: ")

    def test_further_back(self) -> None:
        dot = cells(("o",), "B8/S")
        assert describe_outcome(find(parent(dot, unique=True, generations=2))).startswith(
            "no, an orphan: nothing becomes this in 2 generations"
        )
        outcome = find(parent("3o!", unique=True, generations=2))
        assert "this becomes it in 2 generations, and so does another" in describe_outcome(outcome)

    @pytest.mark.parametrize(
        ("pattern", "more", "words"),
        [
            ("3o!", {"margin": 2}, "asked with free cells all around"),
            ("3o!", {"population": "<=4"}, "asked with free cells all around"),
            ("3o!", {"on": "0,0"}, "asked with free cells all around"),
            ("3?!", {}, "no cell of the pattern is known"),
            ("x = 1, y = 1, rule = 345/2/4\nA!", {}, "parents cannot be compared yet"),
            ("3o!", {"generations": 0}, "generations is at least 1"),
        ],
    )
    def test_what_cannot_be_asked(self, pattern, more, words) -> None:
        with pytest.raises(UsageError, match=words):
            parent(pattern, unique=True, **more)


def test_a_yes_or_no_is_neither_listed_nor_optimised() -> None:
    nothing = "x = 2, y = 1, rule = B8/S\n2o!"  # an orphan, of which both would say yes
    for problem in (forced(nothing), parent(nothing, unique=True)):
        with pytest.raises(UsageError, match="a yes or a no"):
            find_best(problem, minimize="population")
        with pytest.raises(UsageError, match="a yes or a no"):
            find_all(problem)


def test_a_task_of_a_plan_is_one_question() -> None:
    cell = "x = 1, y = 1, rule = B8/S\no!"
    for problem in (parent(cell, unique=True), forced(cell)):
        with pytest.raises(UsageError, match="two questions"):
            Plan(title="", problem=(problem,)).check()
    Plan(title="", problem=(structs.replace(forced(cell), kind="find"), orphan(cell))).check()


def test_nothing_is_said_of_a_finite_pattern_if_more_is_asked() -> None:
    dot = orphan("o!", finite=True)
    assert "Garden of Eden" in describe_outcome(find(dot))
    for more in (
        {"constraints": (Population(most=0),)},
        {"symmetry": "D8"},
        {"exempt": ((0, 0, 1),)},
    ):
        assert "Garden of Eden" not in describe_outcome(find(structs.replace(dot, **more)))
    assert "Garden of Eden" not in describe_outcome(find(orphan(PartialPattern([[0] * 3] * 3))))


def test_the_words_of_a_core_that_fixes_its_past() -> None:
    asked = parent("x = 2, y = 1, rule = B67/S0\n2o!", unique=True)
    problem = ask_other(asked, dict.fromkeys(asked.known[0].cells, "."))
    needed = (
        Needed(x=0, y=0, parent=("....", "..o.", "....")),
        Needed(x=1, y=0, parent=("....", ".o..", "....")),
    )
    claim = Forced(parent=("oooo", "o..o", "oooo"), needed=needed)
    assert not list(witness_complaints(problem, claim))
    assert "differs from drawing 1 in one of their places" in make_statement(problem, claim)


def test_parent_leaves_dead_edges_out_where_orphan_and_forced_keep_them() -> None:
    tight, roomy = "x = 3, y = 1\n3o!", "x = 5, y = 3\n$b3o!"
    assert parent(tight).boxes == ("5x3-1-1", "3x1")
    assert parent(roomy).boxes == ("5x3", "3x1+1+1")
    for make in (orphan, forced, partial(parent, unique=True)):
        assert make(tight).boxes == ("5x3-1-1", "3x1")
        assert make(roomy).boxes == ("7x5-1-1", "5x3")
    for kind, words in (
        (parent, "dead rows and columns at the edge"),
        (orphan, "Every dead cell"),
        (forced, "Every dead cell"),
    ):
        assert words in find_kind(kind.__name__).text
