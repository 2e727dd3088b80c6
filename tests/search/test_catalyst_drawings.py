"""Drawings in LifeHistory: what satlife catalyst is asked with one, and what it answers as one."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from satlife import Found, Impossible, Problem, find, find_all
from satlife.errors import UsageError
from satlife.kinds import Drawing, eater, perturbation
from satlife.kinds.catalyst import list_contacts
from satlife.life import Box, Pattern
from satlife.life.formats import read_marks
from satlife.problem.outcome import Finding
from satlife.records import (
    catalyst,
    describe_finding,
    describe_outcome,
    draw_reaction,
    make_record,
    write_rle,
)
from satlife.show import Scene, draw

RULES = Path("/usr/share/golly/Rules")
"""Where Debian's package golly has LifeHistory."""
GLIDER = Pattern.from_rle("bo$2bo$3o!")
REGION = frozenset((x, y) for y in range(4, 10) for x in range(4, 10))
QUICK = {"contact": 7, "recover": 6, "hold": 4}
LAST = 7 + 6 + 4
"""The last generation that is compared with the catalyst alone."""


@pytest.fixture(scope="module")
def finds() -> list[Finding]:
    """All there are of the quick question."""
    return find_raw(perturbation(GLIDER, region="4..9,4..9", **QUICK))


@pytest.fixture(scope="module")
def several() -> list[Finding]:
    problem = perturbation(GLIDER, region="3..10,3..10", contact=4, recover=8, hold=4)
    return find_raw(problem, limit=10)


def find_raw(problem: Problem, limit: int | None = None) -> list[Finding]:
    return list(find_all(problem, raw=True, limit=limit))


def cells(pattern: Pattern) -> frozenset[tuple[int, int]]:
    return frozenset((x, y) for x, y in pattern.coordinates.tolist())


def kept(finding: Finding) -> frozenset[tuple[int, int]]:
    """The cells of the catalyst that are alive all the time, by simulation."""
    left = cells(catalyst(finding))
    for t in range(LAST + 1):
        left &= cells(finding.pattern[t])
    return left


class TestStates:
    TEXT = "#CXRLE Pos=-1,2\nx = 7, y = 1, rule = LifeHistory\n.ABCDEB!"

    def test_each_has_a_meaning(self) -> None:
        drawing = Drawing.parse(self.TEXT)
        assert drawing == Drawing(
            Pattern.from_cells([(0, 2)]),
            region=frozenset({(1, 2), (5, 2)}),
            alive=frozenset({(2, 2)}),
            kept=frozenset({(4, 2)}),
        )
        assert drawing.places == {(1, 2), (2, 2), (4, 2), (5, 2)}

    def test_another_meaning(self) -> None:
        drawing = Drawing.parse(self.TEXT, "3=region, 5=alive,0=kept")
        assert (drawing.alive, drawing.kept) == ({(4, 2)}, {(-1, 2)})
        assert drawing.region == {(1, 2), (2, 2), (5, 2)}
        assert Drawing.parse(self.TEXT.replace("EB!", "FB!"), "6=kept").kept == {(4, 2)}

    def test_other_rules_have_drawings_too(self) -> None:
        text = self.TEXT.replace("LifeHistory", "B36/S23History")
        assert Drawing.parse(text).active.rule.name == "HighLife"

    @pytest.mark.parametrize("states", ["3", "3=", "7=dead", "3=catalyst", "alive=3", "²=dead"])
    def test_what_is_not_one(self, states: str) -> None:
        with pytest.raises(UsageError, match="is not STATE=MEANING, such as 4=alive"):
            Drawing.parse(self.TEXT, states)

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("rule = LifeHistory\nAF!", r"state 6 at x=1, y=0, which has no meaning; .* 6=dead"),
            ("rule = LifeHistory\nA?C!", "the cell at x=1, y=0 is unknown; the region has"),
            ("rule = LifeHistory:T4,4\nA2C!", "torus"),
            ("rule = LifeHistory\n3B!", "the input is empty"),
            ("rule = LifeHistory\n3A.D!", "the region is empty"),
            ("rule = LifeHistory\n3AC!", "the input touches the catalyst from the start"),
        ],
    )
    def test_drawings_that_ask_nothing(self, text: str, words: str) -> None:
        with pytest.raises(UsageError, match=words):
            perturbation(f"x = 3, y = 1, {text}")


class TestQuestions:
    def test_a_region_is_as_well_drawn_as_given(self) -> None:
        text = "x = 10, y = 10, rule = LifeHistory\n.A$2.A$3A2$4.6B$4.6B$4.6B$4.6B$4.6B$4.6B!"
        asked = perturbation(GLIDER, region="4..9,4..9", **QUICK)
        assert perturbation(text, **QUICK) == asked
        assert perturbation(Drawing.parse(text), **QUICK) == asked
        assert perturbation(text.replace("B", "C"), states="3=region", **QUICK) == asked
        assert perturbation(text.replace("4.6B$4", "4.D5B$4", 1), **QUICK) == perturbation(
            Drawing(GLIDER, REGION - {(4, 4)}), **QUICK
        )

    def test_cells_that_are_given_choose_among_the_finds(self, finds: list[Finding]) -> None:
        assert len(finds) > 2
        every = {catalyst(each) for each in finds}
        chosen = set[int]()
        for cell in sorted(frozenset().union(*map(cells, every)))[::4]:
            drawing = Drawing(GLIDER, REGION, alive=frozenset({cell}))
            found = {catalyst(each) for each in find_raw(perturbation(drawing, **QUICK))}
            assert found == {each for each in every if cell in cells(each)}
            chosen.add(len(found))
        assert len(chosen) > 1

    def test_cells_that_never_die(self, finds: list[Finding]) -> None:
        finding = max(finds, key=lambda each: len(cells(catalyst(each)) - kept(each)))
        stay, alone = kept(finding), cells(catalyst(finding))
        assert stay
        assert alone - stay
        drawing = Drawing(GLIDER, frozenset(), alive=alone - stay, kept=stay)
        outcome = find(perturbation(drawing, **QUICK))
        assert isinstance(outcome, Found)
        assert outcome.pattern == finding.pattern
        (cell, *_) = alone - stay
        never = replace(drawing, kept=stay | {cell})
        outcome = find(perturbation(never, **QUICK))
        assert isinstance(outcome, Impossible)
        words = f"{len(alone)} given cells, {len(stay) + 1} of them never dead, in the region"
        assert words in describe_outcome(outcome)

    def test_no_contact_after_a_known_cell_is_reached(self) -> None:
        late = list_contacts(Drawing(GLIDER, REGION))[-1]
        near = list_contacts(Drawing(GLIDER, REGION, alive=frozenset({(5, 5)})))
        assert near[-1] < late
        drawing = Drawing(GLIDER, REGION, kept=frozenset({(5, 5)}))
        with pytest.raises(UsageError, match="touches the catalyst's cell at x=5, y=5 before"):
            perturbation(drawing, contact=near[-1] + 1)
        perturbation(drawing, contact=near[-1])

    def test_what_does_not_go_with_a_drawing(self) -> None:
        drawing = Drawing(GLIDER, REGION)
        with pytest.raises(UsageError, match="leave out region, at and turn"):
            perturbation(drawing, region="4..9,4..9")
        with pytest.raises(UsageError, match="leave out region, at and turn"):
            perturbation(drawing, turn="half-turn")
        with pytest.raises(UsageError, match="only a drawing in LifeHistory has states"):
            perturbation(GLIDER, region="4..9,4..9", states="3=region")
        with pytest.raises(UsageError, match="the region is missing: give it, or a drawing"):
            perturbation(GLIDER)

    def test_other_searches_refuse_drawings(self) -> None:
        text = "x = 3, y = 3, rule = LifeHistory\n.A$2.A$3C!"
        with pytest.raises(UsageError, match="cells in states above 1"):
            eater(text, region="4..9,4..9", within=4)


class TestAnswers:
    def test_the_input_is_in_state_1_and_the_catalyst_in_state_3(
        self, several: list[Finding]
    ) -> None:
        for finding in several:
            drawing = Drawing.parse(draw_reaction(finding))
            assert drawing.active == GLIDER
            assert drawing.alive == cells(catalyst(finding))
            assert not (drawing.region)
            assert not (drawing.kept)
            assert Pattern.from_text(write_rle(finding, "satlife")) == finding.pattern
            record = make_record(Found(finding))
            assert record["drawing"] == draw_reaction(finding)
            assert record["rle"] == finding.pattern.to_rle()

    def test_an_answer_is_a_question_with_that_answer(self, several: list[Finding]) -> None:
        for finding in several[:3]:
            text = write_rle(finding, "satlife catalyst")
            outcome = find(perturbation(text, contact=4, recover=8, hold=4))
            assert isinstance(outcome, Found)
            assert outcome.pattern == finding.pattern
            assert write_rle(outcome.finding, "satlife catalyst") == text
            assert describe_finding(outcome.finding) == describe_finding(finding)

    def test_it_lies_where_it_was_asked_for(self, finds: list[Finding]) -> None:
        moved = GLIDER.shift(-20, 7)
        box = Box(-16, 11, 6, 6)
        found = find_raw(perturbation(moved, region=box, **QUICK))
        assert {each.pattern for each in found} == {each.pattern.shift(-20, 7) for each in finds}
        raster = read_marks(draw_reaction(found[0]))
        assert (raster.x, raster.y) == (-20, 7)

    def test_another_rule_has_a_plain_pattern(self) -> None:
        problem = perturbation(
            GLIDER.with_rule("B36/S23"), region="3..10,3..10", contact=4, recover=8, hold=4
        )
        (finding,) = find_raw(problem, limit=1)
        assert draw_reaction(finding) == ""
        assert "rule = B36/S23\n" in write_rle(finding)
        assert "drawing" not in make_record(Found(finding))

    def test_other_catalysts_are_plain_patterns(self) -> None:
        outcome = find(
            eater(GLIDER, region="4..11,4..11", field="-1..13,-1..13", within=8, population="<=7")
        )
        assert isinstance(outcome, Found)
        assert draw_reaction(outcome.finding) == ""
        assert "rule = B3/S23\n" in write_rle(outcome.finding)

    def test_pictures_mark_the_catalyst(self, finds: list[Finding]) -> None:
        finding = max(finds, key=lambda each: len(cells(catalyst(each)) - kept(each)))
        alone = catalyst(finding)
        scene = Scene.of(finding)
        assert len(scene.frames) == LAST + 1
        for t, frame in enumerate(scene.frames):
            now, own = finding.pattern[t].in_box(frame.box), alone.in_box(frame.box)
            assert np.array_equal((frame.cells == 1) | (frame.cells == 2), now == 1)
            assert np.array_equal(frame.cells >= 2, own == 1)
        assert {3} < set(np.unique(np.concatenate([each.cells.ravel() for each in scene.frames])))
        first = read_marks(draw(finding, "lifehistory").decode())
        plain = read_marks(draw_reaction(finding))
        inner = first.states[plain.y - first.y :, plain.x - first.x :]
        inner = inner[: plain.states.shape[0], : plain.states.shape[1]]
        assert np.array_equal(np.where(inner == 2, 0, inner), plain.states)

    @pytest.mark.skipif(
        not RULES.is_dir() and not os.environ.get("CI"), reason="bgolly is not installed"
    )
    def test_golly_runs_the_drawings(self, several: list[Finding], tmp_path: Path) -> None:
        pi = Pattern.from_rle("3o$obo$obo!")
        asked = {"region": "5..10,-2..5", "contact": 8, "recover": 8, "hold": 4}
        others = find_raw(perturbation(pi, **asked, population="<=8"))
        assert (len(several), len(others)) == (10, 5)
        start, end = tmp_path / "start.rle", tmp_path / "end.rle"
        command = ["bgolly", "-a", "RuleLoader", "-s", f"{RULES}/", "-m", "200", "-i", "1"]
        for finding in (*several, *others):
            start.write_text(write_rle(finding, "satlife catalyst"), encoding="utf-8")
            subprocess.run(
                [*command, "-q", "-q", "-o", str(end), str(start)], check=True, capture_output=True
            )
            text = end.read_text(encoding="utf-8")
            raster = read_marks(text)
            assert "LifeHistory" in text
            assert (raster.states > 1).any()
            living = Pattern(raster.states % 2, raster.x, raster.y)
            assert living.normalized == finding.pattern[200].normalized  # bgolly writes no place
