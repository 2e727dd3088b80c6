"""Plans: what they expand to, what they are called, what they refuse."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satlife import Impossible, Problem, find, oscillator, ship
from satlife.campaign.messages import Budget, Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.axes import read_boxes
from satlife.campaign.plan.left_out import combine
from satlife.campaign.plan.question import Question
from satlife.campaign.plan.questions import Axes
from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.symmetry import SYMMETRIES

EXAMPLE = """
title = "An example"
prove = true
stop = "first"

[limits]
timeout = "10m"
memory = "2G"
proof = 1000

[[search]]
kind = "oscillator"
rules = ["B3/S23", "HighLife"]
periods = ["2..3", 5]
symmetries = ["C4_1", "D4+"]
boxes = "3x3..5x4"
population = ["<=20", ["5..", "<=9@every"]]

[[search]]
kind = "ship"
speeds = ["c/3", "2c/5"]
boxes = ["9x5", "16x6"]
include_last = true
"""


def test_the_example_expands_to_all_combinations() -> None:
    plan = Plan.from_toml(EXAMPLE)
    groups = list(plan.groups())
    # Of the boxes 3x3 to 5x4 only 3x3 is an odd square.
    oscillators = 2 * 3 * 2 * (1 + 6)
    assert plan.size() == sum(map(len, groups)) == oscillators + 2 * 2
    assert plan.budget == Budget(seconds=600, memory_bytes=2 * 2**30, proof_bytes=1000)
    problems = {g.problem(i).name: g.problem(i) for g in groups for i in range(len(g))}
    assert len(problems) == plan.size()
    asked = oscillator(
        5, box="3x4", symmetry="D4+", rule="B36/S23", population=["5..", "<=9@every"]
    )
    assert asked.name in problems
    assert ship("2c/5", box="16x6", include_last=True).name in problems


def test_expansion_is_lazy() -> None:
    rules = ", ".join(f'"B3/S{n}"' for n in ("23", "2", "3", "234"))
    plan = Plan.from_toml(
        f'[[search]]\nkind = "oscillator"\nperiods = "2..900"\nrules = [{rules}]\n'
        'boxes = "1x1..50x50"\n'
    )
    assert plan.size() == 4 * 899 * 2500
    assert len(plan.groups()[0]) == 2500


def test_expansion_is_always_the_same() -> None:
    first, second = (Plan.from_toml(EXAMPLE) for _ in range(2))
    assert first == second
    assert list(first.groups()) == list(second.groups())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "An example"', 'title = "Another"'),
        ("10m", "1h"),
        ("prove = true", "prove = false"),
        ('"HighLife"', '"b36s23"'),
        ('["2..3", 5]', '[5, 2, 3, "p3"]'),
        ('"3x3..5x4"', '["3x3..5x3", "3x4..5x4"]'),
        ('["C4_1", "D4+"]', '["D4+", "C4_1"]'),
    ],
)
def test_the_name_is_what_is_asked_however_it_is_written(old: str, new: str) -> None:
    assert old in EXAMPLE
    assert Plan.from_toml(EXAMPLE.replace(old, new)).name == Plan.from_toml(EXAMPLE).name


@pytest.mark.parametrize(
    ("old", "new"),
    [('"16x6"', '"16x7"'), ('"<=20"', '"<=21"'), ("include_last = true", ""), ("2c/5", "c/5")],
)
def test_another_question_is_another_plan(old: str, new: str) -> None:
    assert Plan.from_toml(EXAMPLE.replace(old, new)).name != Plan.from_toml(EXAMPLE).name


def test_problem_files_stand_beside_the_plan_and_in_its_text(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    blinker, glider = oscillator(2, box="3x3"), ship("c/4d", box="4x4")
    (tmp_path / "sub" / "a.toml").write_text(blinker.to_toml())
    (tmp_path / "b.json").write_bytes(glider.to_json())
    path = tmp_path / "plan.toml"
    path.write_text('problems = ["b.json", "sub/*.toml", "sub/a.toml"]\n')
    plan = Plan.read(path)
    assert plan.size() == 2
    assert [group.problem(0) for group in plan.groups()] == [glider, blinker]
    alone = Plan.from_toml(plan.to_toml())
    assert alone == plan
    assert alone.name == plan.name


def test_a_plan_written_is_the_plan_read() -> None:
    plan = Plan.from_toml(EXAMPLE)
    assert Plan.from_toml(plan.to_toml()) == plan


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "asks nothing"),
        ("title = ", "not TOML"),
        ("colour = 3", "no key colour; there are title, prove"),
        ("prove = 3", "prove: Expected `bool`"),
        ('[search]\nkind = "ship"', "write [[search]] for [search]"),
        ("[[limits]]\ntimeout = 3", "write [limits] for [[limits]]"),
        ("[limits]\ntimout = 3", "limits: no key timout; did you mean timeout?"),
        (
            '[[search]]\nkind = "ship"\nsymetries = "C1"\nboxes = "3x3"',
            "search 1: no key symetries; did you mean symmetries?",
        ),
        ('[[search]]\nkind = "still-life"', "search 1: the key boxes is missing"),
        ('[[search]]\nkind = "still-life"\nboxes = [3]', "search 1: boxes 1: Expected `str`"),
        (
            '[[search]]\nkind = "still-life"\nboxes = "3x3"\npopulation = []',
            "search 1: population is empty",
        ),
        ('[[search]]\nkind = "ship"\nboxes = "3x3"', 'needs speeds = ["c/3"]'),
        ('[[search]]\nkind = "oscillator"\nboxes = "3x3"', 'needs periods = "2..6"'),
        ('[[search]]\nkind = "still-life"\nperiods = 2\nboxes = "3x3"', "has no periods"),
        ('[[search]]\nkind = "ship"\nspeeds = "p2"\nboxes = "3x3"', "does not move"),
        ('[[search]]\nkind = "ship"\nspeeds = "2c"\nboxes = "3x3"', "speed of light"),
        ('[[search]]\nkind = "still-life"\nboxes = "5x5..3x3"', "the smaller box comes first"),
        ('[[search]]\nkind = "still-life"\nboxes = "0x3"', "no cells"),
        ('[[search]]\nkind = "still-life"\nboxes = "1x1..9999x9999"', "too many boxes"),
        ('[[search]]\nkind = "still-life"\nboxes = []', "search 1: boxes is empty"),
        ('[[search]]\nkind = "still-life"\nboxes = "3x4"\nsymmetries = "C4"', "no box fits"),
        (
            '[[search]]\nkind = "ship"\nspeeds = "c/2"\nboxes = "3x3"\nsymmetries = "C4"',
            "search 1: ship c/2 with C4: a pattern with symmetry C4 cannot move",
        ),
        ('[[search]]\nkind = "still-life"\nboxes = "3x3"\nrules = "B0/S1"', "B0"),
        ('[[search]]\nkind = "still-life"\nboxes = "3x3"\npopulation = "many"', "not a bound"),
        ('[[search]]\nkind = "still-life"\nboxes = "3x3"\ncomposite = true', "has no composite"),
        (
            '[[search]]\nkind = "agar"\nperiods = 2\nboxes = "3x3"\ninclude_last = true',
            "has no include_last",
        ),
        ('[[search]]\nkind = "guns"\nboxes = "3x3"', "guns"),
        (
            '[limits]\ntimeout = "soon"\n[[search]]\nkind = "still-life"\nboxes = "3x3"',
            "limits: timeout: 'soon' is not a time; write for example 10m",
        ),
        ('problems = "a.toml"', "list of files"),
        ('problems = ["*.nothing"]', "no problem file"),
    ],
)
def test_a_wrong_plan_is_refused_with_a_reason(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        Plan.from_toml(text)


def test_what_is_wrong_in_a_file_is_told_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    for text, words in ((b"colour = 3", "no key colour"), (b'title = "\xff"', "UTF-8")):
        path.write_bytes(text)
        with pytest.raises(UsageError, match=f"plan.toml: .*{words}"):
            Plan.read(path)


def test_a_task_of_two_searches_counts_once() -> None:
    plan = Plan.from_toml(
        '[[search]]\nkind = "oscillator"\nperiods = "2..3"\nrules = ["B3/S23", "B36/S23"]\n'
        'symmetries = ["C1", "C4"]\nboxes = "2x2..4x4"\n'
        '[[search]]\nkind = "oscillator"\nperiods = "3..4"\nrules = ["B3/S23", "B3/S2"]\n'
        'symmetries = ["C4", "D4+"]\nboxes = "3x3..5x5"\n'
    )
    groups = list(plan.groups())
    names = {plan.task(group, i).name for group in groups for i in range(len(group))}
    assert plan.size() == len(names) < sum(map(len, groups))


def test_an_agar_of_period_1_is_not_a_still_life() -> None:
    text = '[[search]]\nkind = "{}"\nboxes = "3x3..4x3"\n'
    agar = text.format("agar") + "periods = 1\n"
    assert Plan.from_toml(agar + text.format("still-life")).size() == 4


@given(st.text(max_size=60))
def test_any_text_is_a_plan_or_a_usage_error(text: str) -> None:
    for whole in (text, f'[[search]]\nkind = "ship"\nspeeds = "c/2"\nboxes = {text!r}'):
        try:
            plan = Plan.from_toml(whole)
        except UsageError:
            continue
        assert plan.size() > 0


def test_given_problems_come_first_and_alone() -> None:
    given_problem = Problem(boxes=("2x2",), steps=0)
    plan = Plan.from_toml(
        '[[search]]\nkind = "still-life"\nboxes = "2x2"\n[[problem]]\nboxes = ["2x2"]\n'
    )
    first, second = plan.groups()
    assert first.problem(0) == given_problem
    assert second.describe() == "still-life"


def test_cubes_of_a_hard_problem_are_tasks(tmp_path: Path) -> None:
    whole = oscillator(3, box="4x4")
    (tmp_path / "hard.json").write_bytes(whole.to_json())
    (tmp_path / "plan.toml").write_text('[[cubes]]\nproblems = ["hard.json"]\ncount = 5\n')
    plan = Plan.read(tmp_path / "plan.toml")
    assert plan.size() == 5
    cases = [problem.known for problem in plan.problem]
    assert len(set(cases)) == 5
    assert Plan.from_toml(plan.to_toml()).name == plan.name
    assert all(isinstance(find(problem), Impossible) for problem in plan.problem)
    (tmp_path / "plan.toml").write_text('[[cubes]]\nproblems = "hard.json"\ncount = 5\n')
    with pytest.raises(UsageError, match="not a plan: cubes"):
        Plan.read(tmp_path / "plan.toml")


def test_every_problem_is_found_where_it_is_asked() -> None:
    plan = Plan.from_toml(EXAMPLE)
    questions = plan.groups()
    for number, group in enumerate(questions):
        for index in range(len(group)):
            assert (number, index) in list(questions.find(plan.task(group, index)))
    assert list(questions.find(Task(problem=oscillator(7, box="3x3")))) == []
    assert list(questions.find(Task(problem=oscillator(2, box="50x50")))) == []


@pytest.mark.parametrize("rule", ["B36/S23", "B2/S/3", "B03/S23", "B2-a/S12"])
def test_questions_of_all_rules_are_what_their_kind_asks(rule: str) -> None:
    question = Question("oscillator", rule, "p4", "C2_1", (("population", ("<=9",)),))
    asked = oscillator(4, box="5x5", symmetry="C2_1", population="<=9", rule=rule)
    for _ in range(2):  # the second time from memory
        assert question.problem(Box.parse("5x5")) == asked


def test_a_question_of_two_searches_is_found_twice() -> None:
    text = '[[search]]\nkind = "still-life"\nboxes = "3x3..4x4"\n'
    questions = Plan.from_toml(text + text.replace("4x4", "5x5")).groups()
    problem = questions[0].problem(0)
    assert list(questions.find(Task(problem=problem))) == [(0, 0), (1, 0)]


def test_the_order_of_questions_is_in_their_fingerprint_and_not_in_the_name() -> None:
    text = '[[search]]\nkind = "still-life"\nboxes = "3x3"\nrules = ["B3/S23", "B36/S23"]\n'
    first = Plan.from_toml(text)
    second = Plan.from_toml(text.replace('"B3/S23", "B36/S23"', '"B36/S23", "B3/S23"'))
    assert first.name == second.name
    assert first.groups().fingerprint != second.groups().fingerprint
    assert first.groups().fingerprint == Plan.from_toml(text).groups().fingerprint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '[[search]]\nkind = "ships"',
            "search 1: a plan cannot search for 'ships'; did you mean ship",
        ),
        (
            '[[problem]]\nboxes = ["4x*"]\nmotion = {period = 3, dy = -1}',
            "an empty one would do here",
        ),
    ],
)
def test_a_wrong_kind_and_an_open_height_are_refused_at_once(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Plan.from_toml(text)


MIXED = """
[[search]]
kind = "oscillator"
periods = "2..5"
rules = ["B3/S23", "B36/S23"]
symmetries = ["C1", "C4_1", "D4+:D8"]
boxes = ["2x2", "3x4", "4x4"]
population = ["<=9", "<=9@3"]
"""


def test_combinations_that_cannot_be_are_left_out_and_counted() -> None:
    plan = Plan.from_toml(MIXED)
    questions = [group.describe() for group in plan.groups()]
    assert "oscillator p4 with D4+:D8 population <=9@3" in questions
    assert not any("p3 with D4+:D8" in words or "C4_1" in words for words in questions)
    assert not any("p2" in words and "@3" in words for words in questions)
    reasons = {str(each): each.count for each in plan.left_out()}
    assert reasons == {
        "oscillator p2 population <=9@3: there is no generation 3: they are 0 to 1": 6,
        "oscillator p3 population <=9@3: there is no generation 3: they are 0 to 2": 6,
        "oscillator p2 with C4_1: no box fits, C4_1 needs an odd square box": 2,
        "oscillator p3 with C4_1: no box fits, C4_1 needs an odd square box": 2,
        "oscillator p4 with C4_1: no box fits, C4_1 needs an odd square box": 4,
        "oscillator p5 with C4_1: no box fits, C4_1 needs an odd square box": 4,
        "oscillator p3 with D4+:D8: needs a period that 2 divides": 2,
        "oscillator p5 with D4+:D8: needs a period that 2 divides": 4,
    }
    assert len(questions) + sum(reasons.values()) == 4 * 3 * 2 * 2
    again = Plan.from_toml(plan.to_toml(), is_checked=True)
    assert list(again.groups()) == list(plan.groups())
    assert plan.size() == sum(map(len, plan.groups()))


def test_left_out_is_exactly_what_a_problem_refuses() -> None:
    symmetries = tuple(str(each) for each in SYMMETRIES)
    for kind, motions in (
        ("oscillator", ("p1", "p2", "p3", "p4")),
        ("ship", ("c/2", "2c/4", "c/4d", "(2,1)c/6")),
        ("agar", ("p2", "p3")),
    ):
        axes = Axes(kind, motions, symmetries, ((), (("population", ("<=4@2",)),)), ("B3/S23",))
        for boxes in (("3x3", "4x4"), ("3x4",), ("3x4", "5x5")):
            kept, left_out = combine(axes, read_boxes(boxes))
            expected = [question for question in axes if _can_be(question, read_boxes(boxes))]
            assert list(kept) == expected
            assert len(kept) + sum(each.count for each in left_out) == len(axes)


def _can_be(question: Question, boxes: tuple[Box, ...]) -> bool:
    for box in boxes:
        with contextlib.suppress(UsageError):
            question.problem(box)
            return True
    return False


def test_a_question_that_is_left_out_is_not_found() -> None:
    plan = Plan.from_toml(MIXED)
    questions = plan.groups()
    for number, group in enumerate(questions):
        for index in range(len(group)):
            assert (number, index) in list(questions.find(plan.task(group, index)))
    assert (
        list(
            questions.find(
                Task(problem=oscillator(2, box="3x3", symmetry="C4_1", population="<=9"))
            )
        )
        == []
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('rules = ["B3/S23", "B03/S238"]', "B0"),
        ('rules = ["B3/S23", "B03/S23"]', "an even number"),
        ('population = ["<=9", "many"]', "not a bound"),
        ('population = ["<=9", "<=9@7"]', "there is no generation 7"),
        ('boxes = ["3x3", "4000x4000"]', "too many"),
    ],
)
def test_a_value_that_goes_with_nothing_is_an_error(text: str, words: str) -> None:
    key = text.partition(" ")[0]
    lines = [line for line in MIXED.splitlines() if not line.startswith(key)]
    with pytest.raises(UsageError, match=words):
        Plan.from_toml("\n".join([*lines, text]))


def test_a_set_of_rules_is_an_axis() -> None:
    search = '[[search]]\nkind = "still-life"\nboxes = "3x3"\nrules = '
    plan = Plan.from_toml(search + '["B3[4]/S2[3]", "B3/S23", "HighLife"]')
    rules = {question.rule for question in plan.search[0].questions()}
    assert rules == {"B3/S2", "B3/S23", "B34/S2", "B34/S23", "B36/S23"}
    with pytest.raises(UsageError, match="satlife map"):
        Plan.from_toml(search + '"outer-totalistic"')
