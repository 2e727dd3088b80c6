"""The schedule: everything gets an answer, nothing that is implied is taken, cheap comes first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife.campaign.dominance import embeds
from satlife.campaign.group import Question
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.schedule import Schedule
from satlife.campaign.state import FINAL, Status, TaskState
from satlife.life.box import Box

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
    text, window = data.draw(st.sampled_from([(SQUARES, 1), (SQUARES, 2), (RECTANGLES, 9)]))
    plan = Plan.from_toml(text)
    truth = area_threshold(data.draw(st.sampled_from([1, 16, 20, 25, 36, 99])))
    gives_up = data.draw(st.booleans())
    schedule = Schedule(plan, window=window)
    problems = {t.name: t for g in plan.groups() for t in (plan.task(g, i) for i in range(len(g)))}
    answers: dict[str, Status] = {}
    implied: set[str] = set()
    out: list[Task] = []
    while not schedule.finished:
        taken = schedule.take(data.draw(st.integers(1, 4)))
        for task in taken:
            assert task.name not in implied, "what is implied is never taken"
            assert task.name not in answers
        out += taken
        assert out, "it neither gives a task nor waits for one"
        task = out.pop(data.draw(st.integers(0, len(out) - 1)))
        status = truth(task)
        if gives_up and data.draw(st.integers(0, 3)) == 0:
            status = Status.UNDECIDED
        answers.setdefault(task.name, status)
        for event in schedule.tell(task.name, status):
            assert event.task is not None
            assert event.status == truth(event.task)
            assert answers.get(event.name) not in FINAL
            implied.add(event.name)
            answers[event.name] = event.status
        unwanted = set(schedule.unwanted())
        assert unwanted <= implied
        out = [each for each in out if each.name not in unwanted]
        assert schedule.outstanding == len({each.name for each in out})
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
    assert schedule.tell(first.name, Status.UNDECIDED) == []
    (event,) = schedule.tell(second.name, Status.IMPOSSIBLE)
    assert (event.name, event.status, event.by) == (first.name, Status.IMPOSSIBLE, second.name)


def test_turned_boxes_are_not_out_together() -> None:
    schedule = Schedule(Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = ["2x3", "3x2"]\n'))
    (task,) = schedule.take(5)
    (event,) = schedule.tell(task.name, Status.FOUND)
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
    unwanted = set(schedule.unwanted())
    assert others <= unwanted
    left = schedule.take(99)
    still = [task for task in (*tasks, *left) if task.problem.kind == "still-life"]
    if whole:
        assert left == []
        assert schedule.finished
    else:
        assert len(still) == 1
        schedule.tell(still[0].name, Status.FOUND)
        assert schedule.finished


@given(st.integers(0, 12), st.sampled_from([1, 256]))
def test_on_a_new_start_what_was_told_is_not_taken_again(before: int, window: int) -> None:
    plan = Plan.from_toml(SQUARES)
    truth = area_threshold(49)
    told: list[tuple[str, Status]] = []

    def remember(task: Task) -> Status:
        told.append((task.name, truth(task)))
        return truth(task)

    drive(Schedule(plan), remember, before)
    again = Schedule(plan, window=window)
    again.tell_all(told)
    drive(again, remember)
    assert again.finished
    names = [name for name, _ in told]
    assert len(names) == len(set(names)) == 10


def test_a_queued_task_is_taken_again() -> None:
    schedule = Schedule(Plan.from_toml(ONE))
    (task,) = schedule.take(1)
    schedule.tell(task.name, Status.QUEUED)
    assert schedule.outstanding == 0
    assert schedule.take(1) == [task]


def test_answers_of_strangers_are_kept_and_harmless() -> None:
    schedule = Schedule(Plan.from_toml(ONE))
    assert schedule.tell("ab" * 32, Status.FOUND) == []
    assert len(schedule.take(99)) == 7


def test_the_world_of_these_tests_is_monotone() -> None:
    question = Question("oscillator", "B3/S23", "p2", "D2|")
    for small, large in (("3x4", "5x4"), ("3x3", "3x9")):
        assert embeds(question, Box.parse(small), Box.parse(large))


def test_nothing_follows_from_a_mere_claim_if_proofs_are_asked_for() -> None:
    text = '[[search]]\nkind = "oscillator"\nperiods = 3\nboxes = "3x3..4x4"\n'
    claimed = TaskState(Status.IMPOSSIBLE)
    for prove, state, follows in (
        ("false", claimed, True),
        ("true", claimed, False),
        ("true", replace(claimed, certified=True), True),
    ):
        plan = Plan.from_toml(f"prove = {prove}\n{text}")
        largest = [group.problem(3).name for group in plan.groups()]
        assert bool(Schedule(plan).tell_state(largest[0], state)) == follows
