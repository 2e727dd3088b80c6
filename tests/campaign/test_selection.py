"""Plans that reject objects: which finds count, what follows, and who may not cheat."""

from __future__ import annotations

from pathlib import Path

import pytest

from satlife import find_all, oscillator, still_life
from satlife.campaign.core.events import FailedEvent, FoundEvent, Status
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.runner import run
from satlife.campaign.messages import FoundResult, Task, decode_task, encode
from satlife.campaign.plan import Plan
from satlife.campaign.results import collect
from satlife.campaign.selection import Selection, read_selection
from satlife.errors import UsageError

SEARCH = """
[[search]]
kind = "oscillator"
periods = 2
boxes = "3x3..5x4"
"""


def test_a_campaign_finds_what_is_not_rejected() -> None:
    plan = Plan.from_toml(f'{SEARCH}reject = ["blinker", "xp2_7e"]\nonly_connected = true\n')
    with open_ledger(":memory:") as ledger:
        run(plan, ledger, jobs=1)
        results = collect(ledger)
        (question,) = results.questions
    assert {find.name for find in results.finds}.isdisjoint({"blinker", "toad"})
    assert question.words == "oscillator p2, only connected, without 2 objects"
    expected = {}
    for width in (3, 4, 5):
        for height in (3, 4):
            problem = oscillator(2, box=(width, height))
            found = find_all(problem, reject=["blinker", "toad"], only_connected=True)
            expected[f"{width}x{height}"] = next(iter(found), None) is not None
    assert {box: cell.status is Status.FOUND for box, cell in question.cells.items()} == expected
    assert set(expected.values()) == {False, True}


def test_another_selection_is_another_task_and_another_plan() -> None:
    plain = Plan.from_toml(SEARCH)
    names = {plain.name}
    tasks = {plain.task(plain.groups()[0], 0).name}
    for more in ('reject = "blinker"', 'reject = ["known"]', "only_connected = true"):
        plan = Plan.from_toml(f"{SEARCH}{more}\n")
        group = plan.groups()[0]
        task = plan.task(group, 3)
        assert decode_task(encode(task)) == task
        assert list(plan.groups().find(task)) == [(0, 3)]
        assert list(plan.groups().find(Task(problem=task.problem))) == []
        assert Plan.from_toml(plan.to_toml()).name == plan.name
        names.add(plan.name)
        tasks.add(plan.task(group, 0).name)
    assert (len(names), len(tasks)) == (4, 4)


def test_a_task_without_a_selection_keeps_its_name_and_text() -> None:
    task = Task(problem=still_life(box="3x3"))
    assert task.name == task.problem.name
    assert b"selection" not in encode(task)


def test_files_are_read_once_and_stand_in_the_plan(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("xp2_7 blinker\nxp2_7e\n")
    (tmp_path / "pond.rle").write_text("x = 4, y = 4\nb2o$o2bo$o2bo$b2o!\n")
    path = tmp_path / "plan.toml"
    path.write_text(f'{SEARCH}reject = ["mine.txt", "pond.rle", "known"]\n')
    plan = Plan.read(path)
    assert plan.search[0].selection().reject == ("xp2_7", "xp2_7e", "xs8_6996")
    assert plan.search[0].selection().known
    assert Plan.from_toml(plan.to_toml()).name == plan.name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'{SEARCH}reject = "no such thing"', "search 1: 'no such thing' cannot be rejected"),
        (f"{SEARCH}reject = 3", "reject"),
        (f"{SEARCH}reject = []", "search 1: reject is empty"),
        (f'prove = true\n{SEARCH}reject = "blinker"', "prove cannot be combined with reject"),
        (f"prove = true\n{SEARCH}only_connected = true", "prove cannot be combined with"),
        (
            '[[search]]\nkind = "agar"\nperiods = 2\nboxes = "3x3"\nonly_connected = true',
            "only_connected goes only with still lifes",
        ),
    ],
)
def test_a_wrong_selection_is_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Plan.from_toml(text)


def test_a_rejected_object_does_not_count_whoever_reports_it() -> None:
    rows = (("...", "ooo", "..."), (".o.", ".o.", ".o."))
    for selection, kind in (
        (Selection(), FoundEvent),
        (read_selection(["blinker"]), FailedEvent),
        (read_selection(["known"]), FailedEvent),
        (read_selection(["block"]), FoundEvent),
    ):
        task = Task(problem=oscillator(2, box="3x3"), selection=selection)
        result = FoundResult(task=task.name, worker="eve", generations=rows)
        assert type(examine(task, result)) is kind


def test_another_catalogue_is_not_taken_for_the_same() -> None:
    with pytest.raises(UsageError, match="another catalogue"):
        Selection(known="0123").wanted(oscillator(2, box="3x3"))
