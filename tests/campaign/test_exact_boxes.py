"""Campaigns that ask for exact boxes: what is asked, what follows, and what is said of it."""

from __future__ import annotations

import os
import signal
import time
from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from satlife import oscillator, ship, still_life
from satlife.campaign import certificates
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.cases import check_cases, find_split, is_case_of, list_boxes, list_cases
from satlife.campaign.certificates import CertificateWriter
from satlife.campaign.core import trees as split_tasks
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FoundEvent,
    ImpliedEvent,
    QueuedEvent,
    SplitEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.schedule import Schedule
from satlife.campaign.core.state import Alarm, TaskState, advance
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import compare, export, open_ledger
from satlife.campaign.local import pool, task_solver
from satlife.campaign.local.pool import Pool
from satlife.campaign.local.runner import run
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import Budget, FoundResult, ImpossibleResult, SplitResult, Task
from satlife.campaign.page import draw_page
from satlife.campaign.plan import Plan
from satlife.campaign.proofs import KeptProofs
from satlife.campaign.results import InBox, collect, where_words
from satlife.campaign.strict_merge import merge_strictly
from satlife.certificates import check_certificate
from satlife.errors import UsageError
from satlife.problem.exact import ExactBox, choose_low, count_parts, cover
from tests.campaign.children import command
from tests.reference import solutions

SHIPS = '[[search]]\nkind = "ship"\nspeeds = "c/3"\nboxes = "{}"\n'
BOTH = ("width", "height")


def tasks_of(text: str) -> dict[str, Task]:
    plan = Plan.from_toml(text)
    groups = list(plan.groups())
    tasks = [plan.task(group, index) for group in groups for index in range(len(group))]
    return {task.problem.boxes[0]: task for task in tasks}


# What is asked


def test_a_range_asks_for_what_does_not_fit_the_smaller_boxes() -> None:
    tasks = tasks_of(SHIPS.format("4x3..5x4"))
    assert [task.exact for task in tasks.values()] == [
        None,
        ExactBox("5x3", ("width",)),
        ExactBox("4x4", ("height",)),
        ExactBox("5x4", BOTH),
    ]
    assert tasks["4x3"].name == ship("c/3", box="4x3").name, "the whole box is asked as ever"
    names = {task.name for task in tasks.values()}
    assert len(names | {task.problem.name for task in tasks.values()}) == 7


@pytest.mark.parametrize(
    "more",
    [
        "include_last = true",
        'symmetries = "C1:D2|"\nspeeds = "2c/4"',
        "only_connected = true",
        'rules = "B3[6]/S23"\nmap = true',
    ],
)
def test_where_a_place_or_a_choice_matters_boxes_are_asked_as_a_whole(more: str) -> None:
    text = SHIPS.format("3x3..4x4") + more
    if "speeds" in more:
        text = text.replace('speeds = "c/3"\n', "")
    assert {task.exact for task in tasks_of(text).values()} == {None}


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (ExactBox("6x6"), "does not fit"),
        (ExactBox("05x5"), "write the box"),
        (ExactBox("5x"), "is not a box"),
        (ExactBox("5x5", ("height", "width")), "width, then height"),
    ],
)
def test_a_part_that_is_none_is_refused(part: ExactBox, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Task(problem=ship("c/3", box="5x5"), exact=part)
    with pytest.raises(UsageError, match="a place has a name"):
        Task(problem=oscillator(2, box="4x4", symmetry="C1:C2"), exact=ExactBox("4x4"))


def test_a_find_of_a_part_is_one_in_the_whole_box() -> None:
    for problem, low in (
        (still_life(box="4x4"), "2x2"),
        (still_life(box="4x4", symmetry="D2/"), "3x3"),
        (oscillator(2, box="4x4", symmetry="C2"), "2x2"),
        (oscillator(2, box="5x3", symmetry="C2"), "3x3"),
    ):
        finds = 0
        for part in cover(problem, low):
            task = Task(problem=problem, exact=part)
            result = solve_task(task, "w", None)
            assert bool(solutions(task.asked.to_json())) == isinstance(result, FoundResult)
            if isinstance(result, FoundResult):
                event = examine(task, result)
                assert isinstance(event, FoundEvent), event
                assert not event.elsewhere
                finds += 1
        assert finds


def test_a_find_of_another_size_counts_and_says_so() -> None:
    task = Task(problem=still_life(box="3x3"), exact=ExactBox("3x3", BOTH))
    block = (("oo.", "oo.", "..."),)
    event = examine(task, FoundResult(task=task.name, worker="w", generations=block))
    assert isinstance(event, FoundEvent)
    assert event.elsewhere


# What follows


TABLE = """
[[search]]
kind = "oscillator"
periods = 2
boxes = {boxes}
rules = "{rule}"
symmetries = "{symmetry}"
"""


BOXES = ('"1x1..3x4"', '["1x3", "2x3", "3x3", "3x2", "4x3"]', '"2x1..4x2"')


@pytest.mark.parametrize("boxes", BOXES)
@pytest.mark.parametrize("symmetry", ["C1", "D2|", "C2", "D2\\\\"])
@pytest.mark.parametrize("rule", ["B3/S23", "B3/S1247"])
def test_answers_in_any_order_say_only_what_is_true(boxes: str, symmetry: str, rule: str) -> None:
    """Some are given up, and some runs begin again, with a checkpoint or without."""
    try:
        plan = Plan.from_toml(TABLE.format(boxes=boxes, rule=rule, symmetry=symmetry))
    except UsageError:
        pytest.skip("no box fits")
    (group,) = plan.groups()
    truth = [
        bool(solutions(group.problem(index).to_json(), 1 << 16)) for index in range(len(group))
    ]
    for seed in range(2):
        chance = Random(f"{boxes} {symmetry} {rule} {seed}")
        with open_ledger(":memory:") as ledger:
            books = Bookkeeper(plan, ledger)
            while not books.conductor.is_done:
                books.take(chance.randint(1, 5))
                out = [start.task for start in books.conductor.out.values()]
                if out:
                    books.push([answer(chance.choice(out), chance)])
                books.drain()
                check_whole(collect(ledger).questions, group.boxes, truth)
                if chance.random() < 0.2:
                    books.save(now=chance.random() < 0.5)
                    books = Bookkeeper(plan, ledger)
            assert not books.conductor.alarms
            assert compare(ledger).differences == 0
            has_open = ledger.counts().undecided
            ends = {cell.in_box for row in collect(ledger).questions for cell in row.cells.values()}
            assert has_open or InBox.OPEN not in ends


def answer(task: Task, chance: Random) -> Event:
    if chance.random() < 0.15:
        return UndecidedEvent(task.name, "w", task.round)
    return examine(task, solve_task(task, "w", None))


def check_whole(rows, boxes, truth: list[bool]) -> None:
    for row in rows:
        for box, cell in row.cells.items():
            right = truth[[str(each) for each in boxes].index(box)]
            assert cell.in_box in (InBox.OPEN, InBox.FOUND if right else InBox.NONE), (row, box)


def test_an_exact_refutation_settles_only_its_twin() -> None:
    text = SHIPS.format("3x3..5x5").replace('"ship"', '"oscillator"')
    text = text.replace('speeds = "c/3"', "periods = 3")
    tasks, schedule = tasks_of(text), Schedule(Plan.from_toml(text))
    schedule.take(20)
    schedule.tell_task(tasks["4x5"], TaskState(Status.IMPOSSIBLE))
    assert [event.task.problem.boxes[0] for event in schedule.news() if event.task] == ["5x4"]
    schedule.tell_task(tasks["5x5"], TaskState(Status.IMPOSSIBLE))
    assert schedule.news() == []
    schedule.tell_task(tasks["3x4"], TaskState(Status.FOUND))
    settled = {event.task.problem.boxes[0] for event in schedule.news() if event.task}
    assert settled == {"4x3", "3x5", "5x3", "4x4"}


def test_a_twin_that_asks_for_more_is_not_settled() -> None:
    text = SHIPS.format("4x5..6x6").replace('"ship"', '"oscillator"')
    text = text.replace('speeds = "c/3"', "periods = 3")
    tasks = tasks_of(text)
    assert (tasks["5x6"].exact, tasks["6x5"].exact) == (
        ExactBox("5x6", BOTH),
        ExactBox("6x5", ("width",)),
    )
    for asked, implied in (("5x6", []), ("6x5", ["5x6"])):
        schedule = Schedule(Plan.from_toml(text))
        schedule.take(20)
        schedule.tell_task(tasks[asked], TaskState(Status.IMPOSSIBLE))
        assert [e.task.problem.boxes[0] for e in schedule.news() if e.task] == implied


def test_a_find_in_a_smaller_box_contradicts_no_exact_box() -> None:
    task = Task(problem=still_life(box="4x4"), exact=ExactBox("4x4", BOTH))
    found = ImpliedEvent(task.name, Status.FOUND, "another", task)
    claims = [ClaimedEvent(task.name, "w"), CertifiedEvent(task.name, "w", 0, "00", "me")]
    for claim in claims:
        for first, second in ((claim, found), (found, claim)):
            state = advance(advance(None, QueuedEvent(task)).state, first).state
            step = advance(state, second)
            assert (step.changed, step.instructions) == (False, ())
    own = FoundEvent(task.name, "w", 0, (), "xs4_33")
    refuted = advance(advance(None, QueuedEvent(task)).state, claims[0]).state
    step = advance(refuted, own)
    assert step.state.contradicted
    assert isinstance(step.instructions[0], Alarm)
    step = advance(refuted, FoundEvent(task.name, "w", 0, (), "xs4_33", elsewhere=True))
    assert (step.state.status, step.state.contradicted) == (Status.FOUND, False)
    of_case = ImpliedEvent(task.name, Status.FOUND, "a case of it")
    assert advance(refuted, of_case).state.contradicted


def test_a_forged_size_of_a_find_is_refused() -> None:
    plan = Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = "2x2..3x3"\n')
    (group,) = plan.groups()
    task = plan.task(group, 3)
    block = (("oo.", "oo.", "..."),)
    for elsewhere in (True, False):
        with open_ledger(":memory:") as theirs, open_ledger(":memory:") as ours:
            for ledger in (theirs, ours):
                ledger.begin(plan.name, plan.to_toml())
            event = FoundEvent(task.name, "eve", 0, block, "xs4_33", elsewhere=elsewhere)
            theirs.record([QueuedEvent(task), event])
            assert bool(merge_strictly(ours, export(theirs)).refused) is not elsewhere


# What is said


def test_none_of_an_exact_box_is_not_none_in_the_box() -> None:
    text = SHIPS.format("3x3..4x4")
    tasks, plan = tasks_of(text), Plan.from_toml(text)
    with open_ledger(":memory:") as ledger:
        ledger.begin(plan.name, plan.to_toml())
        for box in ("4x3", "4x4", "3x3"):
            ledger.record([QueuedEvent(tasks[box]), ClaimedEvent(tasks[box].name, "w")])
            (row,) = collect(ledger).questions
            if box != "3x3":
                assert row.in_box == {InBox.OPEN: len(row.cells)}
                assert row.largest_impossible == []
        assert row.largest_impossible == ["4x3"]
        assert row.impossible_exactly == ["4x4"]
        record = row.to_dict()
        assert (record["exact"], record["in_box"]) == (2, {"found": 0, "none": 2, "open": 1})
        page = draw_page(collect(ledger), "exact")
        assert "4x4: exactly 4x4 is impossible; less is open" in page
        assert "4x3: impossible" in page
    assert where_words(tasks["4x4"]) == "exactly 4x4"


def test_a_box_that_one_search_has_settled_is_not_open_because_of_another() -> None:
    given = '[[problem]]\nkind = "ship"\nboxes = ["4x4"]\n'
    given += "[problem.motion]\nperiod = 3\ndx = 0\ndy = -1\n"
    plan = Plan.from_toml(given + SHIPS.format("3x3..4x4"))
    tasks = [plan.task(g, i) for g in plan.groups() for i in range(len(g))]
    with open_ledger(":memory:") as ledger:
        ledger.begin(plan.name, plan.to_toml())
        for task in tasks:
            if task.problem.boxes == ("4x4",):
                ledger.record([QueuedEvent(task), ClaimedEvent(task.name, "w")])
        rows = collect(ledger).questions
        assert "4x4" in {box for row in rows for box in row.largest_impossible}
        assert not any(row.cells["4x4"].in_box is InBox.OPEN for row in rows)


# One hard task, split into exact boxes


HARD = """
split = true
[limits]
timeout = 60
[[search]]
kind = "oscillator"
periods = 3
boxes = "4x4"
population = "<=10"
"""


def test_a_whole_task_is_split_into_exact_boxes_and_these_by_cells() -> None:
    (task,) = tasks_of(HARD).values()
    parts = task_solver.split_task(task)
    assert parts == cover(task.problem, "3x3") == list_boxes(task)
    split = replace(task, cases=parts)
    check_cases(split)
    assert find_split(split).name == "boxes"
    children = list_cases(split)
    assert all(is_case_of(child, task) and not is_case_of(task, child) for child in children)
    again = task_solver.split_task(children[-1])
    assert again
    check_cases(replace(children[-1], cases=again))
    deep = list_cases(replace(children[-1], cases=again))[0]
    assert is_case_of(deep, task)
    assert not is_case_of(deep, children[0])


def test_a_forged_split_is_refused() -> None:
    (task,) = tasks_of(HARD).values()
    parts = cover(task.problem, "3x3")
    weaker = (*parts[:-1], ExactBox("4x4"))
    for cases, words in (
        (parts[1:], "not all parts"),
        (parts[:-1], "not all parts"),
        (parts[::-1], "not all parts"),
        ((*parts, parts[0]), "not all parts"),
        (weaker, "not all parts"),
        (parts[-1:], "2 to"),
        ((ExactBox("4x9"), *parts), "does not fit"),
        ((ExactBox("x"), *parts), "is not a box"),
        ((*parts[:2], ((0, 0, True),)), "of one kind"),
    ):
        with pytest.raises(UsageError, match=words):
            check_cases(replace(task, cases=cases))
    with pytest.raises(UsageError, match="only a whole task"):
        check_cases(replace(task, exact=parts[-1], cases=parts))
    huge = Task(problem=ship("c/3", box="1500x1500"), cases=(ExactBox("1x1"), ExactBox("2x1")))
    with pytest.raises(UsageError, match="not all parts"):
        check_cases(huge)
    forged = SplitResult(task=task.name, worker="eve", cases=parts[1:])
    assert not isinstance(examine(task, forged), SplitEvent)


def test_the_low_box_of_a_split() -> None:
    for problem, low in (
        (ship("c/3", box="9x13"), "7x10"),
        (oscillator(3, box="8x8", symmetry="C4"), "6x6"),
        (still_life(box="1x1"), "1x1"),
    ):
        assert choose_low(problem) == low
        assert count_parts(problem, low) == len(cover(problem, low))
    assert list_boxes(Task(problem=still_life(box="1x1"))) == ()


def test_a_task_split_into_boxes_is_refuted_with_one_certificate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pool, "COMMAND", command({"4x4": "boxes"}))
    kept = KeptProofs(tmp_path / "kept")
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        assert run(Plan.from_toml(f"prove = true\n{HARD}"), ledger, 1, keep=kept).is_met
        counts = ledger.counts()
        assert (counts.certified, counts.total, counts.cases) == (1, 1, 4)
        writer = CertificateWriter(ledger, kept)
        (refuted,) = writer.refutations()
        assert refuted.problem == refuted.row.task.problem
        assert writer.write(refuted, tmp_path / "one") == 4
    assert (tmp_path / "one" / "range.txt").read_text() == "3x3\n"
    judgement = check_certificate(tmp_path / "one")
    assert judgement.valid, judgement


RANGE = """
prove = true
[[search]]
kind = "ship"
speeds = "c/3"
symmetries = ["C1", "D2|"]
boxes = "3x3..5x4"
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a campaign that has run to its end, with the proofs that it has kept."""
    folder = tmp_path_factory.mktemp("range")
    with open_ledger(str(folder / "a.db")) as ledger:
        keep = KeptProofs(folder / "kept")
        assert run(Plan.from_toml(RANGE), ledger, 1, keep=keep).is_met
    return folder


def test_the_boxes_of_a_range_have_one_certificate(done: Path, tmp_path: Path) -> None:
    with open_ledger(str(done / "a.db")) as ledger:
        writer, made = CertificateWriter(ledger, KeptProofs(done / "kept")), {}
        for refuted in writer.refutations():
            folder = tmp_path / refuted.row.name
            writer.write(refuted, folder)
            assert check_certificate(folder).valid
            key = refuted.problem.symmetry, refuted.problem.boxes[0]
            made[key] = [str(part) for part, _ in refuted.parts]
    # With a mirror, the widths of each parity are a range of their own.
    assert {key: len(parts) for key, parts in made.items()} == {
        ("C1", "5x4"): 6,
        ("D2|", "5x4"): 4,
        ("D2|", "4x4"): 2,
    }
    assert made["D2|", "4x4"] == ["at most 4x3", "at most 4 wide, exactly 4 high"]


def test_an_exact_box_without_its_smaller_ones_has_its_own_certificate(done: Path) -> None:
    with open_ledger(str(done / "a.db")) as ledger:
        rows = {
            row.task.problem.all_boxes[0]: row
            for row in ledger.rows(Status.IMPOSSIBLE)
            if row.task.problem.symmetry == "D2|" and row.task.problem.boxes[0][0] in "35"
        }
    (whole,) = certificates._find_ranges(rows)
    assert whole.problem.boxes == ("5x4",)
    assert len(whole.parts) == 4
    low = next(box for box, row in rows.items() if row.task.exact is None)
    del rows[low]
    alone = list(certificates._find_ranges(rows))
    assert [each.problem for each in alone] == [each.row.task.asked for each in alone]
    assert len(alone) == 3


# Limits


def test_the_time_of_a_task_that_may_be_split_is_processor_time() -> None:
    """A child that is stopped for longer than its limit goes on where it was."""
    task = Task(problem=oscillator(3, box="6x6"), split=True, budget=Budget(seconds=4))
    with Pool(1) as children:
        children.submit(Task(problem=still_life(box="2x2")), 0)
        while not children.poll(1.0):
            pass
        children.submit(task, 1)
        (pid,) = children.pids
        time.sleep(0.1)
        os.kill(pid, signal.SIGSTOP)
        time.sleep(6)
        assert children.poll(0.0) == []
        os.kill(pid, signal.SIGCONT)
        while not (finished := children.poll(1.0)):
            pass
    assert isinstance(finished[0].result, ImpossibleResult), finished


def test_a_task_that_may_be_split_has_a_limit_by_the_clock_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = Task(problem=still_life(box="3x3"), split=True, budget=Budget(seconds=5))
    assert pool._most_seconds(task) == 5 * task_solver.PATIENCE + pool.GRACE + pool.SPLITTING
    assert pool._most_seconds(replace(task, split=False)) == 5 + pool.GRACE
    assert pool._most_seconds(replace(task, budget=Budget())) is None


def split_cells(task: Task, count: int) -> Task:
    """Return a task with that many cases, a power of 2, by cells in one row."""
    first, depth = len(task.cells), count.bit_length() - 1
    states = product((True, False), repeat=depth)
    cases = (tuple((first + x, 0, s) for x, s in enumerate(each)) for each in states)
    return replace(task, cases=tuple(cases))


def test_the_limit_of_a_case_grows_with_the_splits_above_it() -> None:
    whole = Task(problem=ship("c/3", box="30x3"), split=True, budget=Budget(seconds=2))
    trees = split_tasks.Trees()
    trees.add(replace(whole, cases=list_boxes(whole)), {})
    case = trees.take(99)[0]
    assert case.budget.seconds == 2
    for seconds in (8, 32, 128, 128):
        trees.add(split_cells(case, 32), {})
        case = trees.take(1)[0]
        assert case.budget.seconds == seconds


def test_many_small_splits_give_no_long_limits() -> None:
    task = Task(problem=ship("c/3", box="60x3"), split=True, budget=Budget(seconds=2))
    trees = split_tasks.Trees()
    for _ in range(40):
        trees.add(split_cells(task, 2), {})
        task = trees.take(1)[0]
        assert task.budget.seconds == 2


def test_a_limit_is_a_share_of_what_was_spent_but_nobody_can_make_it_endless() -> None:
    whole = Task(problem=ship("c/3", box="30x3"), split=True, budget=Budget(seconds=2))
    trees = split_tasks.Trees()
    trees.add(replace(whole, cases=list_boxes(whole)), {})
    trees.spend(whole.name, 9 * split_tasks.SHARES)
    case = trees.take(1)[0]
    assert case.budget.seconds == 9
    trees.spend(case.name, 1e308)
    trees.spend(case.name, 1e308)
    assert trees.take(1)[0].budget.seconds == 2 * split_tasks.MOST_GROWTH
    trees.add(split_cells(case, 32), {})
    due = trees._cases[trees.take(1)[0].name].due
    assert due is not None
    assert due.budget.seconds == 8  # from 2, its own limit, not from the share


def test_a_case_that_is_tried_again_has_the_limit_that_was_asked_for() -> None:
    whole = Task(problem=ship("c/3", box="30x3"), split=True, budget=Budget(seconds=2))
    trees = split_tasks.Trees()
    known = {
        each.name: (replace(each, budget=Budget(seconds=600)), TaskState(Status.QUEUED))
        for each in list_cases(split_cells(whole, 32))
    }
    trees.add(replace(split_cells(whole, 32), budget=Budget(seconds=600)), known)
    assert {case.budget.seconds for case in trees.take(99)} == {600}


def test_a_tree_has_a_largest_number_of_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split_tasks, "MOST_IN_TREE", 5)
    plan = Plan.from_toml(HARD)
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger)
        reasons, splits = [], 0
        while not books.conductor.is_done:
            books.take(4)
            for start in list(books.conductor.out.values())[:1]:
                cases = task_solver.split_task(start.task, 2)
                event = SplitEvent(replace(start.task, cases=cases), "w")
                if not cases:
                    event = UndecidedEvent(start.task.name, "w")
                admitted = books.conductor.admit(event)
                splits += isinstance(admitted, SplitEvent)
                reasons += [admitted.reason] if isinstance(admitted, UndecidedEvent) else []
                books.push([event])
            books.drain()
        assert splits == 1
        words = "time limit; it is not split, since its task has as many cases as it can be worth"
        assert reasons == [words] * 4
        assert ledger.counts().undecided == 1
        assert ledger.counts().cases == 4
