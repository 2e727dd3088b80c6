"""Results: finds and questions from the ledger, as records, RLE and a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from satlife import Problem, agar, oscillator, parent, ship
from satlife.campaign.core.events import (
    CertifiedEvent,
    DiedEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.trust import identify_finding
from satlife.campaign.ledger import FindingRow, Ledger, open_ledger
from satlife.campaign.local.runner import run
from satlife.campaign.page import draw_page
from satlife.campaign.plan import Plan
from satlife.campaign.results import (
    Find,
    Results,
    collect,
    describe_question,
    stream_questions,
)
from satlife.life import Pattern, identify

PLAN = """
title = "Ships & <oscillators>"
[[search]]
kind = "oscillator"
periods = 2
symmetries = ["C1", "D4+"]
boxes = "2x2..4x4"
[[search]]
kind = "ship"
speeds = "c/4d"
boxes = "3x3..4x4"
[[search]]
kind = "agar"
periods = 2
boxes = "4x4"
"""


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    with open_ledger(str(tmp_path_factory.mktemp("results") / "plan.db")) as opened:
        run(Plan.from_toml(PLAN), opened, 2)
        yield opened


@pytest.fixture(scope="module")
def results(ledger: Ledger) -> Results:
    return collect(ledger)


def test_finds_are_known_objects_and_solve_what_was_asked(results: Results) -> None:
    names = {find.name for find in results.finds}
    assert {"blinker", "glider"} <= names
    for find in results.finds:
        assert identify(Pattern.from_rle(find.to_dict()["rle"])) == identify(find.phases[0])
        assert len(find.phases) == find.problem.generations


def test_questions_have_all_of_their_boxes(results: Results) -> None:
    questions = {question.words: question for question in results.questions}
    assert set(questions) == {
        "oscillator p2",
        "oscillator p2 with D4+",
        "ship c/4d",
        "agar p2",
    }
    mirrored = questions["oscillator p2 with D4+"]
    assert len(mirrored.cells) == 9
    assert mirrored.least_found == ["3x3"]
    assert mirrored.tally[Status.FOUND] + mirrored.tally[Status.IMPOSSIBLE] == 9
    assert questions["ship c/4d"].least_found == ["3x4", "4x3"]


def test_rle_is_read_back(results: Results) -> None:
    for find in results.finds:
        text = find.to_rle()
        assert Pattern.from_rle(text) == find.phases[0]
        assert "#C Found and verified: " in text


class Checker(HTMLParser):
    """Counts elements, and sees that those that are opened are closed."""

    VOID = frozenset({"meta", "rect", "path"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.ids |= {value or "" for name, value in attrs if name == "id"}
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(results: Results) -> None:
    page = draw_page(results, "Ships & <oscillators>")
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert checker.seen.count("article") == len(results.finds) <= checker.seen.count("svg")
    assert checker.seen.count("table") == len(results.questions)
    outside = [link for link in checker.links if not link.startswith("#")]
    codes = [find.row.identity for find in results.finds if find.row.identity.startswith("x")]
    assert outside == [f"https://catagolue.hatsya.com/object/{code}/b3s23" for code in codes]
    assert {link[1:] for link in checker.links} - {link[1:] for link in outside} <= checker.ids
    assert "prefers-reduced-motion" in page
    assert "script" not in checker.seen
    assert "@import" not in page
    assert "<title>Ships &amp; &lt;oscillators&gt;</title>" in page
    assert "<h3>glider</h3>" in page
    assert '<th class="axis" scope="col">height</th><th scope="col">2</th>' in page
    assert page.count("width</th>") == page.count(">height</th>") > 0


def test_a_find_is_called_by_its_names() -> None:
    assert _name(oscillator(2, box="4x8"), "3o5$3o!") == "2 blinkers"
    assert _name(oscillator(2, box="8x5"), "3o3b2o$6b2o!") == "blinker and block"
    assert _name(oscillator(2, box="3x3"), "3o!", {"xp2_7": "my first"}) == "my first"


def _name(problem: Problem, rle: str, names: dict[str, str] | None = None) -> str | None:
    box = problem.all_boxes[0]
    first = Pattern.from_rle(rle).shift(0, 1)
    rows = tuple(
        tuple("".join("o" if cell else "." for cell in row) for row in phase.in_box(box).tolist())
        for phase in (first, first[1])
    )
    identity = identify_finding(problem, tuple(phase.in_box(box) for phase in (first, first[1])))
    return Find(FindingRow(identity, "", rows, problem, "anna", 0.0), names or {}).name


def test_the_page_shows_every_state(tmp_path: Path) -> None:
    boxes = ["1x1", "1x2", "1x3", "1x4", "2x2"]
    plan = Plan.from_toml(f'[[search]]\nkind = "still-life"\nboxes = {boxes}\n')
    (group,) = plan.groups()
    tasks = [plan.task(group, index) for index in range(len(boxes))]
    names = {task.problem.boxes[0]: task.name for task in tasks}
    with open_ledger(str(tmp_path / "plan.db")) as ledger:
        ledger.add(tasks)
        ledger.record([UndecidedEvent(names["1x2"], "anna", 0)])
        ledger.record([DiedEvent(names["1x3"], "anna", 0, "log")] * 3)
        ledger.record([CertifiedEvent(names["1x1"], "anna", 0, "00", "drat-trim")])
        page = draw_page(collect(ledger), "States")
    marks = re.findall(r'<td class="([a-z ]+)" title="([^:]+):', page)
    assert ("undecided", "1x2") in marks
    assert ("failed", "1x3") in marks
    assert ("certified", "1x1") in marks
    assert ("open", "2x2") in marks
    assert "Nothing yet." in page


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ('{}boxes = "3x3"\npopulation = ["<=9", "<=9"]\n', {"at most 9": 1}),
        ('{}boxes = "3x3"\npopulation = ["<=9", "<10", ["<=9", ">=0"]]\n', {"at most 9": 1}),
        ('{}boxes = "3x3"\npopulation = ["<=9", "<=8"]\n', {"at most 9": 1, "at most 8": 1}),
        ('{0}boxes = ["3x3", "3x4"]\n{0}boxes = "3x3"\n', {"oscillator": 2}),
        ('{0}boxes = "3x3"\n{0}boxes = "4x4"\n', {"oscillator": 2}),
    ],
)
def test_a_question_that_is_asked_twice_is_told_once(text: str, questions: dict[str, int]) -> None:
    plan = Plan.from_toml(text.format('[[search]]\nkind = "oscillator"\nperiods = 2\n'))
    with open_ledger(":memory:") as ledger:
        run(plan, ledger, jobs=1)
        rows = list(stream_questions(ledger))
        assert ledger.counts().total == plan.size() == sum(questions.values())
        collected = collect(ledger).questions
        assert sorted(row.words for row in rows) == sorted(row.words for row in collected)
    for row, (words, found) in zip(rows, questions.items(), strict=True):
        assert words in row.words
        assert row.to_dict()["found"] == found


def test_what_was_not_begun_is_open() -> None:
    plan = Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = ["1x1", "1x2", "2x2"]\n')
    (group,) = plan.groups()
    task = plan.task(group, 0)
    with open_ledger(":memory:") as ledger:
        ledger.begin(plan.name, plan.to_toml())
        ledger.add([task])
        assert collect(ledger).open == 3
        ledger.record([UndecidedEvent(task.name, "anna", 0)])
        results = collect(ledger)
    assert (results.counts.open, results.open) == (0, 2)
    assert "<b>2</b>open" in draw_page(results, "Open")


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (oscillator(3, box="5x5"), "oscillator p3"),
        (oscillator(6, box="5x5", composite=True), "oscillator p6, composite"),
        (ship("c/3", box="5x5", include_last=True), "ship c/3, generation p in the box too"),
        (agar(2, box="4x4", rule="HighLife"), "agar p2 in B36/S23"),
        (
            oscillator(3, box="5x5", symmetry="C2", population="=9"),
            "oscillator p3 with C2, exactly 9 cells in generation 0",
        ),
    ],
)
def test_questions_in_words(problem: object, words: str) -> None:
    assert describe_question(problem) == words  # type: ignore[arg-type]


def test_problems_that_are_given_are_told_apart() -> None:
    first, second = (parent(Pattern.from_rle(text)) for text in ("3o!", "2o$2o!"))
    assert describe_question(first) != describe_question(second)
