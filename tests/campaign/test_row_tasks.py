"""Boxes of any height in plans: tasks for the search by rows, whole and in shares."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path

import pytest
import tomli_w
from msgspec.structs import replace

from satlife import ship
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.cases import is_case_of, list_cases
from satlife.campaign.core.events import FailedEvent, SplitEvent, Status
from satlife.campaign.core.schedule import Schedule
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import export, open_ledger
from satlife.campaign.local import pool
from satlife.campaign.local.runner import run
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import (
    Budget,
    FoundResult,
    ImpossibleResult,
    Share,
    SplitResult,
    Task,
    UndecidedResult,
    decode_result,
    decode_task,
    encode,
)
from satlife.campaign.plan import Plan
from satlife.campaign.results import collect
from satlife.campaign.strict_merge import merge_strictly
from satlife.engine.rows.quotients import check_rows
from satlife.errors import UsageError
from satlife.rows import is_available
from tests.campaign.children import command
from tests.cli.running import run as run_command

needs_numba = pytest.mark.skipif(not is_available(), reason="numba is missing")

NONE = ship("c/4", box="5x*")
TURTLE = ship("c/3", box="12x*", symmetry="D2|")
HALVES = (Share(3, 0, 2), Share(3, 1, 2))
WIDTHS = """
split = true
[limits]
timeout = "10m"
[[search]]
kind = "ship"
speeds = "c/4"
boxes = ["4x4", "5x*"]
[[search]]
kind = "ship"
speeds = "c/3"
symmetries = "D2|"
boxes = "12x*"
"""


def plan_of(words: str) -> Plan:
    return Plan.from_toml(f'[[search]]\nkind = "ship"\nspeeds = "c/4"\n{words}')


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ('boxes = "40x*"', "too wide"),
        ('boxes = "8x*"\npopulation = ">=9"', "takes no bounds"),
        ('boxes = "8x*"\nrules = ["B3/S23", "B2/S/3"]', "two states"),
        ('boxes = "8x*"\nonly_connected = true', "cannot be combined with 8x"),
        ('boxes = "8x*..9x9"', "has one open height"),
        ('boxes = "*x8"', "is not a box"),
    ],
)
def test_what_the_search_by_rows_does_not_take_is_refused_at_once(words: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        plan_of(words)


RULES = ("B3/S23", "B2/S34H", "B2/S/3", "B01/S2", "B36/S23")
"""An ordinary rule, one without the mirror, dying cells, births from nothing, another one."""


def test_every_task_of_a_plan_is_one_that_the_rows_take() -> None:
    planned = refused = 0
    for rules, symmetries, speeds, boxes in product(
        permutations(RULES, 2),
        (["C1"], ["D2|"], ["C1", "D2|"], ["D2|", "C1"], ["C1", "C1:D2|"]),
        (["c/3"], ["c/3", "2c/4"], ["c/3", "c/4d"], ["c/3", "c/1"]),
        (["2x*"], ["2x*", "4x4"], ["17x*"]),
    ):
        search = {"kind": "ship", "rules": rules, "symmetries": symmetries, "speeds": speeds}
        try:
            plan = Plan.from_toml(tomli_w.dumps({"search": [search | {"boxes": boxes}]}))
        except UsageError:
            refused += 1
            continue
        planned += 1
        problems = [group.problem(i) for group in plan.groups() for i in range(len(group))]
        for problem in problems:
            if problem.has_open_height:
                check_rows(problem)
        assert len(problems) == plan.size() > 0
        assert Plan.from_toml(plan.to_toml(), is_checked=True).size() == plan.size()
    assert planned > 50
    assert refused > 50


@pytest.mark.parametrize("rules", [("B3/S23", "B2/S34H"), ("B2/S34H", "B3/S23")])
@pytest.mark.parametrize("symmetries", [("C1", "D2|"), ("D2|", "C1"), ("D2|",)])
def test_a_mirror_that_a_rule_lacks_is_left_out(
    rules: tuple[str, ...], symmetries: tuple[str, ...]
) -> None:
    words = f'boxes = ["2x*"]\nrules = {list(rules)}\nsymmetries = {list(symmetries)}'
    plan = plan_of(words)
    asked = {group.describe() for group in plan.groups() if len(group)}
    assert "ship c/4 with D2|" in asked
    assert "ship c/4 with D2| in B2/S34H" not in asked
    assert plan.size() == len(asked) == 2 * len(symmetries) - 1
    (left_out,) = plan.left_out()
    assert left_out.count == 1
    assert str(left_out) == (
        "ship with D2| in B2/S34H: a box of any height needs a rule with the same mirror"
    )
    schedule = Schedule(plan)
    while tasks := schedule.take(1):
        schedule.tell(tasks[0].name, Status.IMPOSSIBLE)
    assert schedule.finished


def test_a_box_with_a_height_needs_no_mirror_of_the_rule() -> None:
    plan = plan_of('boxes = ["2x*", "2x3"]\nrules = "B2/S34H"\nsymmetries = "D2|"')
    assert [list(map(str, group.boxes)) for group in plan.groups()] == [["2x3"]]
    with pytest.raises(UsageError, match="a box of any height needs a rule with the same mirror"):
        plan_of('boxes = "2x*"\nrules = "B2/S34H"\nsymmetries = "D2|"')


@needs_numba
def test_a_plan_with_a_mirror_that_a_rule_lacks_is_run_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        '[[search]]\nkind = "ship"\nspeeds = "c/2"\nboxes = ["2x*"]\n'
        'rules = ["B3/S23", "B2/S34H"]\nsymmetries = ["C1", "D2|"]\n'
    )
    dry = run_command("satlife", "campaign", "plan", str(path), "--dry-run").stdout.decode()
    assert "3 tasks" in dry
    assert "1 impossible combination is left out:" in dry
    assert "with D2| in B2/S34H: a box of any height needs a rule with the same mirror" in dry
    done = run_command("satlife", "campaign", "run", str(path), "--jobs", "2", timeout=500)
    assert done.returncode == 0, done.stderr
    assert b"0 failed" in done.stderr
    status = run_command("satlife", "campaign", "status", str(path)).stdout.decode()
    assert "of 3 (100%)" in status


def test_higher_boxes_follow_from_any_height() -> None:
    group = plan_of('boxes = ["4x9", "4x*", "3x*"]').groups()[0]
    assert [str(box) for box in group.boxes] == ["4x9", "3x*", "4x*"]
    assert group.problem(2).boxes == ("4x*",)


# Shares


def test_a_share_is_a_task_of_its_own() -> None:
    task = Task(problem=TURTLE, split=True)
    one, other = list_cases(replace(task, cases=HALVES))
    assert len({task.name, one.name, other.name}) == 3
    assert one.parent == task.name
    assert decode_task(encode(one)) == one
    (deeper, _) = list_cases(replace(one, cases=(Share(5, 0, 2), Share(5, 1, 2))))
    assert is_case_of(deeper, task)
    assert is_case_of(deeper, one)
    assert not is_case_of(deeper, other)
    assert list(Plan.from_toml(WIDTHS).groups().find(one)) == []


@pytest.mark.parametrize(
    ("task", "cases", "words"),
    [
        (Task(problem=TURTLE), HALVES[:1], "2 to 256"),
        (Task(problem=TURTLE), (HALVES[0], HALVES[0]), "not all shares"),
        (Task(problem=TURTLE), (Share(3, 0, 3), Share(3, 1, 3)), "not all shares"),
        (Task(problem=TURTLE), (Share(3, 0, 2), Share(4, 1, 2)), "not all shares"),
        (Task(problem=TURTLE), (Share(0, 0, 2), Share(0, 1, 2)), "already"),
        (Task(problem=TURTLE, shares=HALVES[:1]), HALVES, "already"),
        (Task(problem=TURTLE), (HALVES[0], ((0, 0, True),)), "of one kind"),
        (Task(problem=ship("c/3", box="5x5")), HALVES, "of any height"),
        (Task(problem=TURTLE), (((0, 0, True),), ((0, 0, False),)), "open height"),
    ],
)
def test_shares_that_do_not_cover_their_task_are_refused(
    task: Task, cases: tuple[Share, ...], words: str
) -> None:
    split = replace(task, split=True)
    result = SplitResult(task=split.name, worker="eve", cases=cases)
    event = examine(split, decode_result(encode(result)))  # type: ignore[arg-type]
    assert isinstance(event, FailedEvent)
    assert words in event.log


# The real thing


@needs_numba
def test_one_task_by_rows() -> None:
    found = solve_task(Task(problem=TURTLE), "w", None)
    assert isinstance(found, FoundResult)
    event = examine(Task(problem=TURTLE), found)
    assert event.identity.startswith("xq3_")  # type: ignore[union-attr]
    short = replace(found, generations=((), (), ()))
    assert isinstance(examine(Task(problem=TURTLE), short), FailedEvent)
    dry = solve_task(Task(problem=NONE), "w", None)
    assert isinstance(dry, ImpossibleResult)
    assert dry.reason.startswith("impossible: the search by rows has no state left, and its")


@needs_numba
def test_a_search_that_takes_too_long_is_shared_out() -> None:
    wide = ship("c/5", box="10x*")
    task = Task(problem=wide, budget=Budget(seconds=3.0))
    assert isinstance(solve_task(task, "w", None), UndecidedResult)
    task = replace(task, split=True)
    result = solve_task(task, "w", None)
    assert isinstance(result, SplitResult)
    assert len(encode(result)) < 10_000
    assert isinstance(examine(task, result), SplitEvent)


def check_answers(where: str) -> None:
    with open_ledger(where) as ledger:
        counts = ledger.counts()
        assert (counts.found, counts.impossible, counts.total) == (1, 2, 3)
        assert counts.cases > 20
        assert counts.open_cases == 0
        (find,) = collect(ledger).finds
        assert find.name == "turtle"
        rows = {row.words: row for row in collect(ledger).questions}
        assert rows["ship c/4"].largest_impossible == ["5x*"]
        tops = {row.task.problem.boxes[0]: row for row in ledger.rows() if not row.task.parent}
        assert tops["4x4"].state.status is Status.IMPOSSIBLE
        assert not tops["5x*"].state.certified


SHARE = {"5x*": "share", "12x*": "share"}


@needs_numba
def test_a_search_by_rows_in_shares_on_this_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pool, "COMMAND", command(SHARE))
    where = str(tmp_path / "a.db")
    with open_ledger(where) as ledger:
        assert run(Plan.from_toml(WIDTHS), ledger, jobs=2).is_met
    check_answers(where)
    with open_ledger(where) as theirs, open_ledger(":memory:") as ours:
        plan = Plan.from_toml(WIDTHS)
        ours.begin(plan.name, plan.to_toml())
        # What follows from a tree waits until the tree has come to its answer here.
        assert all("is said to" in words for words in merge_strictly(ours, export(theirs)).refused)
        books = Bookkeeper(plan, ours)
        assert books.take(5).start == books.take(5).start == []
        assert (books.conductor.is_done, ours.counts().impossible) == (True, 2)
