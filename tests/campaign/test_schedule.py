"""The schedule: everything gets an answer, nothing that is implied is taken, cheap comes first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife.campaign.core import schedule as module
from satlife.campaign.core.checkpoint import Checkpoint
from satlife.campaign.core.events import FINAL, Status
from satlife.campaign.core.frontier import Frontier
from satlife.campaign.core.schedule import Schedule
from satlife.campaign.core.state import TaskState
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.dominance import embeds
from satlife.campaign.plan.question import Group, Question
from satlife.life.box import Box
from satlife.problem import Problem

SQUARES = """
[[search]]
kind = "oscillator"
periods = "2..3"
boxes = ["3x3", "4x4", "5x5", "6x6", "7x7", "8x8", "9x9"]
"""
RECTANGLES = """
[[search]]
kind = "oscillator"
periods = 2
symmetries = ["C1", "D2|"]
boxes = "3x3..6x5"

[[search]]
kind = "oscillator"
periods = 2
boxes = "5x5..6x6"
"""
"""The boxes 5x5 and 6x5 without symmetry are asked for twice."""


def box_of(task: Task) -> Box:
    return Box.parse(task.problem.boxes[0])


def area_threshold(limit: int) -> Callable[[Task], Status]:
    """A world in which there is something in every box with so many cells."""
    return lambda task: Status.FOUND if box_of(task).area >= limit else Status.IMPOSSIBLE


@settings(max_examples=50, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.data())
def test_every_task_gets_one_answer_and_the_right_one(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([SQUARES, RECTANGLES]))
    plan = Plan.from_toml(text)
    ahead = data.draw(st.sampled_from([1, 2, 9]))
    truth = area_threshold(data.draw(st.sampled_from([1, 16, 20, 25, 36, 99])))
    gives_up = data.draw(st.booleans())
    schedule = Schedule(plan)
    problems = {t.name: t for g in plan.groups() for t in (plan.task(g, i) for i in range(len(g)))}
    answers: dict[str, Status] = {}
    implied: set[str] = set()
    out: list[Task] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "AHEAD", ahead)
        while not schedule.finished:
            for task in schedule.take(data.draw(st.integers(1, 4))):
                if task.name in answers:  # two questions ask it; the ledger has the answer
                    assert text is RECTANGLES
                    schedule.tell(task.name, answers[task.name])
                else:
                    out.append(task)
            if out:
                task = out.pop(data.draw(st.integers(0, len(out) - 1)))
                status = truth(task)
                if gives_up and data.draw(st.integers(0, 3)) == 0:
                    status = Status.UNDECIDED
                answers.setdefault(task.name, status)
                schedule.tell(task.name, status)
            for event in schedule.news(data.draw(st.integers(1, 9))):
                assert event.task is not None
                assert event.status == truth(event.task)
                implied.add(event.name)
                if answers.get(event.name) not in FINAL:
                    answers[event.name] = event.status
            out = [each for each in out if each.name not in implied]
            assert schedule.outstanding <= len(out) or schedule._settled
    assert not out
    assert answers.keys() == problems.keys()
    for name, status in answers.items():
        assert status in (truth(problems[name]), Status.UNDECIDED)


def drive(schedule: Schedule, truth: Callable[[Task], Status], most: int = 999) -> list[str]:
    """Answer task after task; return the boxes in the order of their turns."""
    boxes = []
    while len(boxes) < most and (tasks := schedule.take(1)):
        boxes.append(str(box_of(tasks[0])))
        schedule.tell(tasks[0].name, truth(tasks[0]))
        schedule.news()
    return boxes


ONE = SQUARES.replace("2..3", "2")


def test_small_boxes_come_first_and_a_find_ends_the_question() -> None:
    assert drive(Schedule(Plan.from_toml(ONE)), area_threshold(36)) == ["3x3", "4x4", "5x5", "6x6"]


def test_after_an_undecided_box_the_rest_is_halved() -> None:
    def truth(task: Task) -> Status:
        return Status.FOUND if box_of(task).width >= 8 else Status.UNDECIDED

    # 3x3 is given up; of 4 to 9 the middle is 7; given up; of 4, 5, 6, 8, 9 the middle is 6 …
    schedule = Schedule(Plan.from_toml(ONE))
    boxes = drive(schedule, truth)
    assert boxes[:3] == ["3x3", "7x7", "6x6"]
    assert "9x9" not in boxes, "found in 8x8, so in 9x9"
    assert schedule.finished


def test_a_refutation_settles_smaller_undecided_boxes() -> None:
    schedule = Schedule(Plan.from_toml(ONE))
    first, second = schedule.take(2)
    schedule.tell(first.name, Status.UNDECIDED)
    assert schedule.news() == []
    schedule.tell(second.name, Status.IMPOSSIBLE)
    (event,) = schedule.news()
    assert (event.name, event.status, event.by) == (first.name, Status.IMPOSSIBLE, second.name)


def test_turned_boxes_are_not_out_together() -> None:
    schedule = Schedule(Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = ["2x3", "3x2"]\n'))
    (task,) = schedule.take(5)
    schedule.tell(task.name, Status.FOUND)
    (event,) = schedule.news()
    assert event.by == task.name
    assert schedule.finished


def test_cheap_tasks_of_all_questions_come_before_dear_ones() -> None:
    schedule = Schedule(Plan.from_toml(SQUARES))
    sizes = [box_of(task).width for task in schedule.take(4)]
    assert sizes[:2] == [3, 3]


@pytest.mark.parametrize("whole", [True, False])
def test_stop_at_the_first_find(whole: bool) -> None:
    text = 'stop = "first"\n' + SQUARES if whole else SQUARES + 'stop = "first"\n'
    text += '[[search]]\nkind = "still-life"\nboxes = ["2x2"]\n'
    schedule = Schedule(Plan.from_toml(text))
    tasks = schedule.take(4)
    find = next(task for task in tasks if task.problem.kind == "oscillator")
    others = {task.name for task in tasks if task.problem.kind == "oscillator"} - {find.name}
    schedule.tell(find.name, Status.FOUND)
    schedule.news()
    dropped = set(schedule.dropped())
    implied = {task.name for task in tasks if not schedule.knows(task.name)} - dropped
    assert others <= dropped | implied
    left = schedule.take(99)
    still = [task for task in (*tasks, *left) if task.problem.kind == "still-life"]
    if whole:
        assert left == []
        assert schedule.finished
    else:
        assert len(still) == 1
        schedule.tell(still[0].name, Status.FOUND)
        assert schedule.finished


@given(st.integers(0, 12), st.booleans())
def test_a_schedule_goes_on_from_its_checkpoint(before: int, gives_up: bool) -> None:
    plan = Plan.from_toml(SQUARES)
    truth = area_threshold(49)
    told: list[str] = []

    def remember(task: Task) -> Status:
        told.append(task.name)
        return Status.UNDECIDED if gives_up and len(told) % 3 == 0 else truth(task)

    first = Schedule(plan)
    drive(first, remember, before)
    text = first.checkpoint().encode()
    again = Schedule(plan, Checkpoint.decode(text))
    drive(again, remember)
    assert again.finished
    assert len(told) == len(set(told)), "nothing is taken twice"
    if not gives_up:
        assert len(told) == 10


def test_what_was_out_at_a_checkpoint_is_taken_again() -> None:
    plan = Plan.from_toml(ONE)
    first = Schedule(plan)
    names = [task.name for task in first.take(3)]
    again = Schedule(plan, first.checkpoint())
    assert [task.name for task in again.take(3)] == names


def test_a_checkpoint_hides_what_is_not_recorded_yet() -> None:
    """The box that settles others is taken again, so that it settles them again."""
    plan = Plan.from_toml(ONE)
    first = Schedule(plan)
    (task,) = first.take(1)
    first.tell(task.name, Status.FOUND)
    again = Schedule(plan, first.checkpoint())
    (same,) = again.take(1)
    assert same.name == task.name
    first.news()
    assert Schedule(plan, first.checkpoint()).finished


@pytest.mark.parametrize(
    "other",
    [
        SQUARES.replace('"2..3"', "[3, 2]"),
        SQUARES + 'stop = "first"\n',
        'stop = "first"\n' + SQUARES,
    ],
)
def test_a_checkpoint_of_other_questions_counts_nothing(other: str) -> None:
    first = Schedule(Plan.from_toml(SQUARES))
    drive(first, area_threshold(49))
    assert first.finished
    assert not Schedule(Plan.from_toml(other), first.checkpoint()).finished


def test_a_checkpoint_of_another_version_is_ignored() -> None:
    assert Checkpoint.decode('{"questions": 7}') is None
    assert Checkpoint.decode("nonsense") is None


def test_a_cautious_schedule_looks_up_every_box_first() -> None:
    plan = Plan.from_toml(ONE)
    largest = plan.groups()[0].problem(6).name
    schedule = Schedule(plan, is_cautious=True)
    assert schedule.take(9) == []
    asked = schedule.asked()
    assert len(asked) == 7
    schedule.recall({largest: TaskState(Status.IMPOSSIBLE)})
    assert schedule.asked() == []
    assert {event.status for event in schedule.news()} == {Status.IMPOSSIBLE}
    assert schedule.take(9) == []
    assert schedule.finished


def test_what_is_recalled_is_not_said_again() -> None:
    plan = Plan.from_toml(ONE)
    schedule = Schedule(plan, is_cautious=True)
    schedule.take(9)
    names = [plan.groups()[0].problem(index).name for index in range(7)]
    found = TaskState(Status.FOUND)
    states = dict.fromkeys(names[4:6], found) | {names[1]: TaskState(Status.UNDECIDED)}
    schedule.recall(states)
    assert [event.name for event in schedule.news()] == [names[6]]
    left = {str(box_of(task)) for task in schedule.take(9)}
    assert left == {"3x3", "5x5", "6x6"}, "4x4 was given up, the larger ones are found"


def test_a_retried_box_of_a_closed_question_is_taken_again() -> None:
    plan = Plan.from_toml(ONE)
    schedule = Schedule(plan)
    boxes = drive(schedule, lambda _: Status.UNDECIDED)
    assert len(boxes) == 7
    assert schedule.finished
    group = plan.groups()[0]
    assert schedule.reopen(Task(problem=group.problem(2)))
    assert schedule.take(9) == []
    states = {group.problem(i).name: TaskState(Status.UNDECIDED) for i in range(7)}
    states[group.problem(2).name] = TaskState(Status.QUEUED, round=1)
    assert set(schedule.asked()) == states.keys()
    schedule.recall(states)
    (task,) = schedule.take(9)
    assert str(box_of(task)) == "5x5"
    schedule.tell(task.name, Status.FOUND)
    assert len(schedule.news()) == 4, "the larger ones, that were given up"
    assert schedule.finished


def test_a_queued_task_is_taken_again() -> None:
    schedule = Schedule(Plan.from_toml(ONE))
    (task,) = schedule.take(1)
    schedule.tell(task.name, Status.QUEUED)
    assert schedule.outstanding == 0
    assert schedule.take(1) == [task]


def test_answers_of_strangers_are_kept_and_harmless() -> None:
    schedule = Schedule(Plan.from_toml(ONE))
    schedule.tell("ab" * 32, Status.FOUND)
    assert schedule.news() == []
    assert len(schedule.take(99)) == 7


def test_the_world_of_these_tests_is_monotone() -> None:
    question = Question("oscillator", "B3/S23", "p2", "D2|")
    for small, large in (("3x4", "5x4"), ("3x3", "3x9")):
        assert embeds(question, Box.parse(small), Box.parse(large))


def test_nothing_follows_from_a_mere_claim_if_proofs_are_asked_for() -> None:
    text = '[[search]]\nkind = "oscillator"\nperiods = 3\nboxes = ["3x3", "5x5"]\n'
    claimed = TaskState(Status.IMPOSSIBLE)
    for prove, state, follows in (
        ("false", claimed, True),
        ("true", claimed, False),
        ("true", replace(claimed, certified=True), True),
    ):
        plan = Plan.from_toml(f"prove = {prove}\n{text}")
        schedule = Schedule(plan)
        schedule.take(9)
        schedule.tell_task(plan.task(plan.groups()[0], 1), state)
        assert bool(schedule.news()) == follows


SINGLE = """
[[search]]
kind = "still-life"
boxes = "3x3"
population = [{}]
"""


def test_as_many_questions_are_open_as_tasks_are_wanted() -> None:
    counts = ", ".join(f'"<={n}"' for n in range(4, 3004))
    plan = Plan.from_toml(SINGLE.format(counts))
    schedule = Schedule(plan)
    assert len(schedule.take(2000)) == 2000, "one question gives one task"
    assert schedule.questions_open == 2000
    few = Schedule(plan)
    assert len(few.take(1)) == 1
    assert few.questions_open == module.AHEAD


def test_taking_and_telling_take_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted and not timed: a task costs the same in a question with 50 times the boxes."""
    built = chosen = 0
    problem, choose = Group.problem, Frontier.choose

    def build(group: Group, index: int) -> Problem:
        nonlocal built
        built += 1
        return problem(group, index)

    def count(frontier: Frontier) -> int | None:
        nonlocal chosen
        chosen += 1
        return choose(frontier)

    monkeypatch.setattr(Group, "problem", build)
    monkeypatch.setattr(Frontier, "choose", count)
    costs = {}
    for side in (5, 35):
        periods = ", ".join(str(n) for n in range(2, 42))
        text = f'[[search]]\nkind = "oscillator"\nperiods = [{periods}]\n'
        schedule = Schedule(Plan.from_toml(f'{text}boxes = "3x3..{side + 2}x{side + 2}"\n'))
        told = built = chosen = 0
        for _ in range(10):
            for task in schedule.take(40):
                told += 1
                schedule.tell(task.name, Status.IMPOSSIBLE)
                schedule.news()
        costs[side] = built / told, chosen / told
    assert costs[35][0] < 2 * costs[5][0], costs
    assert costs[35][1] < 2 * costs[5][1], costs


def test_opening_a_question_builds_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    built = 0
    problem = Group.problem

    def build(group: Group, index: int) -> Problem:
        nonlocal built
        built += 1
        return problem(group, index)

    plan = Plan.from_toml(
        '[[search]]\nkind = "oscillator"\nperiods = "2..9"\nboxes = "3x3..42x42"\n'
    )
    monkeypatch.setattr(Group, "problem", build)
    assert len(Schedule(plan).take(8)) == 8
    assert built == 8
