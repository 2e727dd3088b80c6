"""The tables of a ledger follow from its log: what nobody edited agrees, and every edit is seen."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife import still_life
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    DiedEvent,
    DroppedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    ImpliedEvent,
    LeasedEvent,
    QueuedEvent,
    ReleasedEvent,
    RetriedEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.ledger import (
    Ledger,
    compare,
    comparison,
    export,
    looks_edited,
    merge,
    open_ledger,
    prune,
)
from satlife.campaign.local.runner import run as run_plan
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.cli.group import cli
from tests.cli.running import run

TASKS = [Task(problem=still_life(box=f"{width}x3"), quorum=width - 2) for width in (3, 4)]
NAMES = [task.name for task in TASKS]
BLOCK, HIVE = ("oo..", "oo..", "...."), (".oo.", "o..o", ".oo.")


@pytest.fixture
def ledger(where: str) -> Iterator[Ledger]:
    with open_ledger(where) as ledger:
        ledger.add(TASKS)
        ledger.record([found(1, BLOCK), claimed(0)])
        ledger.add_find(found(1, HIVE))
        yield ledger


def found(index: int, rows: tuple[str, ...], worker: str = "anna") -> FoundEvent:
    identity = "xs4_33" if rows == BLOCK else "xs6_696"
    cut = tuple(row[: index + 3] for row in rows)
    return FoundEvent(NAMES[index], worker, 0, (cut,), identity)


def claimed(index: int, worker: str = "bert") -> ClaimedEvent:
    return ClaimedEvent(NAMES[index], worker)


def history(index: int, worker: str) -> st.SearchStrategy[Event]:
    name = NAMES[index]
    finds = [BLOCK] if index == 0 else [BLOCK, HIVE]
    return st.sampled_from(
        [
            *(found(index, rows, worker) for rows in finds),
            claimed(index, worker),
            CertifiedEvent(name, worker, 0, "00", "satlife"),
            DiedEvent(name, worker),
            DroppedEvent(name),
            FailedEvent(name, worker, 1, "\0 no memory"),
            ImpliedEvent(name, Status.FOUND, NAMES[0]),
            ImpliedEvent(name, Status.IMPOSSIBLE, NAMES[1]),
            LeasedEvent(name, worker),
            QueuedEvent(replace(TASKS[index], quorum=2)),
            RetriedEvent(replace(TASKS[index], round=1)),
            UndecidedEvent(name, worker),
        ]
    )


EVENTS = st.lists(st.integers(0, 1).flatmap(lambda i: history(i, "anna") | history(i, "bert")))


@settings(max_examples=50)
@given(EVENTS, EVENTS, EVENTS)
def test_what_was_recorded_and_merged_agrees(
    ours: list[Event], theirs: list[Event], later: list[Event]
) -> None:
    with open_ledger(":memory:") as ledger, open_ledger(":memory:") as other:
        for each, events in ((ledger, ours), (other, theirs)):
            each.add(TASKS)
            each.record(events)
        merge(ledger, export(other))
        ledger.record(later)
        for event in later:
            if isinstance(event, FoundEvent):
                ledger.add_find(event)
        merge(other, export(ledger))
        for each in (ledger, other):
            seen = compare(each)
            assert (seen.differences, seen.words) == (0, [])
            assert not looks_edited(each)


def test_an_honest_ledger_agrees(ledger: Ledger) -> None:
    seen = compare(ledger)
    assert (seen.tasks, seen.events, seen.finds, seen.words) == (2, 5, 2, [])
    assert not looks_edited(ledger)


@pytest.mark.parametrize(
    ("edit", "words", "at_a_glance"),
    [
        ("UPDATE tasks SET status = 'impossible' WHERE status = 'found'", "status", True),
        ("UPDATE tasks SET status = 'found', certified = 1", "its certified is 1", True),
        ("UPDATE tasks SET certified = 1 WHERE id = 1", "its certified is 1", True),
        ("UPDATE tasks SET implied_by = name WHERE id = 1", "its implied_by is", True),
        ("UPDATE tasks SET worker = 'me'", "its worker is me, and anna by the log", False),
        ("UPDATE tasks SET round = 7", "its round is 7, and 0 by the log", False),
        ("UPDATE tasks SET time = 9007199254740991", "nothing happened at its time", False),
        ("UPDATE tasks SET name = 'ff' WHERE id = 1", "its log has queued of", False),
        ("UPDATE bodies SET body = (SELECT max(body) FROM bodies)", "its text is not", False),
        ("UPDATE bodies SET body = '{}'", "not a task", False),
        ("DELETE FROM bodies", "its text is not", False),
        ("DELETE FROM tasks WHERE id = 1", "events: 2 are of no task", True),
        ("UPDATE tallies SET count = count + 1", "tallies: ", True),
        ("DELETE FROM findings", "findings: xs6_696 is missing", True),
        ("DELETE FROM findings WHERE identity = 'xs4_33'", "findings: xs4_33 is missing", True),
        ("UPDATE findings SET identity = 'xq4_153' WHERE identity = 'xs4_33'", "xq4_153", True),
        ("UPDATE findings SET event = 1", "was not found there first", True),
        ("DELETE FROM events", "has no events", True),
        ("DELETE FROM events WHERE kind = 'found'", "status", True),
        ("DELETE FROM events WHERE kind = 'queued'", "never queued", True),
        ("UPDATE events SET kind = 'claimed' WHERE kind = 'found'", "its log has claimed", True),
        ("UPDATE events SET body = '{}' WHERE id = 3", "missing required field", True),
        (
            "UPDATE events SET body = replace(body, '\"oo..\"', '\"o...\"') WHERE kind = 'found'",
            "not a solution",
            False,
        ),
        (
            "UPDATE events SET body = replace(body, 'xs4_33', 'xs4_34') WHERE kind = 'found'",
            "the object is not xs4_34",
            True,
        ),
        (
            "UPDATE events SET body = replace(body, '\"claimed\"', '\"certified\"')",
            "missing required field",
            False,
        ),
    ],
)
def test_an_edit_is_seen(ledger: Ledger, edit: str, words: str, at_a_glance: bool) -> None:
    ledger.store.execute(edit)
    seen = compare(ledger)
    assert seen.differences >= 1
    assert words in "\n".join(seen.words)
    assert looks_edited(ledger) is at_a_glance


EDITS = (
    "update rates set time = '[]'",
    "update rates set answers = -5",
    "update rates set answers = 1.5",
    "update rates set time = time + 1",
    "update rates set answers = 0",
    "update rates set answers = answers + 1",
    "update notes set name = 'x' where name = 'planned'",
    "update notes set name = name || ' ' where name = 'shard'",
    "delete from notes where name = 'log-sum'",
    "delete from notes where name = 'plan-hash'",
    "update notes set body = 'x'",
    "update notes set body = x'00ff'",
    "update notes set body = '' where name = 'planned'",
    "update notes set body = '9' where name = 'log-sum'",
    "update plan set body = 'x'",
    "update plan set body = body || '# '",
    "update plan set body = 'prove = true\n' || body",
    "update plan set name = 'x'",
    "insert into plan values ('x', 'y')",
    "update events set time = time + 1",
    "update events set time = 1 where kind = 'queued'",
    "update events set time = '[]'",
    "update events set time = 1.5 where id = 1",
    "update events set kind = x'00'",
    "update events set body = cast(body as blob)",
    "update events set time = 9223372036854775807",
    "update tasks set time = '[]'",
    "update tasks set status = 'x'",
    "update tasks set deaths = '[]'",
    "update tallies set status = 'x' where rowid = 1",
    "insert into tallies values ('x', 0, 0, 0, 0, 0)",
    "update tallies set count = 'x'",
    "update bodies set body = cast(body as blob)",
    "update findings set time = '[]'",
    "create view v as select 1",
    "create trigger t after update on notes begin delete from events; end",
)
COMMANDS = ("status", "results", "export")


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan with its ledger."""
    plan = tmp_path_factory.mktemp("honest") / "plan.toml"
    plan.write_text('[[search]]\nkind = "still-life"\nboxes = "2x2..3x2"\n')
    with open_ledger(str(plan.with_suffix(".db"))) as ledger:
        run_plan(Plan.read(plan), ledger, jobs=1)
        assert compare(ledger).words == []
    return plan


@pytest.mark.parametrize("edit", EDITS)
def test_what_the_check_accepts_every_command_reads(
    edit: str, honest: Path, tmp_path: Path
) -> None:
    """Every edit is noticed, and no command takes it for a fault of satlife's."""
    plan, place = Path(shutil.copy(honest, tmp_path)), str(tmp_path / "plan.db")
    shutil.copy(honest.with_suffix(".db"), place)
    with closing(sqlite3.connect(place)) as database, database:
        database.execute(edit)
    with open_ledger(place) as ledger:
        seen = compare(ledger)
    assert seen.differences, edit
    for command in COMMANDS:
        done = CliRunner().invoke(cli, ["campaign", command, str(plan)])
        assert done.exit_code in (0, 2), (command, done.output, done.exception)


def test_pruned_and_older_ledgers_have_no_wrong_sum(tmp_path: Path) -> None:
    place = str(tmp_path / "a.db")
    with open_ledger(place) as ledger:
        ledger.add(TASKS)
        ledger.record([LeasedEvent(NAMES[1], "anna"), DiedEvent(NAMES[1], "anna")])
        ledger.record([found(1, BLOCK)])
        assert prune(ledger, -60.0)
        assert compare(ledger).words == []
        ledger.store.execute("delete from notes where name in ('log-sum', 'plan-hash')")
        ledger.record([claimed(0)])
        assert compare(ledger).words == []


def test_the_first_differences_are_told_and_all_are_counted(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "MOST_WORDS", 2)
    ledger.store.execute("UPDATE tasks SET status = 'queued', deaths = 2")
    seen = compare(ledger)
    assert (len(seen.words), seen.differences) == (2, 7)


def test_a_large_ledger_is_not_summed_up_at_a_glance(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.store.execute("UPDATE tasks SET status = 'queued'")
    assert looks_edited(ledger)
    monkeypatch.setattr(comparison, "MOST_SUMMED", 1)
    assert not looks_edited(ledger)


def test_one_task_is_not_said_to_be_several(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[search]]\nkind = "still-life"\nboxes = "2x2"\n')
    assert run("satlife", "campaign", "run", str(plan), "-q").returncode == 0
    checked = run("satlife", "campaign", "check", str(plan)).stdout.decode()
    assert checked.startswith("1 task, ")
    assert " events, 1 find simulated: " in checked
    status = run("satlife", "campaign", "status", str(plan)).stdout.decode()
    assert "1 different object\n" in status


def test_everything_is_read_as_of_one_moment(ledger: Ledger, where: str) -> None:
    with open_ledger(where) as other, ledger.store.read():
        before = ledger.counts()
        other.record([found(0, BLOCK)])
        assert other.counts() != before
        assert ledger.counts() == before
    assert ledger.counts() != before


def test_an_edited_ledger_is_told_from_an_honest_one(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[search]]\nkind = "oscillator"\nperiods = 2\nboxes = "1x1..3x3"\n')

    def campaign(word: str) -> tuple[int, str]:
        done = run("satlife", "campaign", word, str(plan))
        return done.returncode, (done.stdout + done.stderr).decode()

    assert campaign("run")[0] == 0
    code, words = campaign("check")
    assert (code, words.partition(", ")[0]) == (0, "9 tasks")
    assert words.endswith("the tables agree with the log\n")
    for word in ("run", "status"):
        assert "EDITED" not in campaign(word)[1]
    edit = sqlite3.connect(plan.with_suffix(".db"))
    with edit:
        edit.execute("update tasks set status='impossible' where status='found'")
    edit.close()
    code, words = campaign("check")
    assert code == 4
    assert "its status is impossible, and found by the log" in words
    for word in ("run", "status", "results"):
        code, words = campaign(word)
        assert code == 0
        assert "EDITED" in words
        assert "satlife campaign check" in words


# Pruning: what no answer rests on is removed, and nothing else changes.


def look(ledger: Ledger) -> tuple[object, ...]:
    """Everything that a ledger tells but its log."""
    rows = {row.name: (row.task, row.state) for row in ledger.rows()}
    return rows, list(ledger.findings()), ledger.counts()


def answers(ledger: Ledger) -> dict[str, object]:
    states = ledger.states(NAMES).items()
    return {name: (one.status, one.certified, one.contradicted) for name, one in states}


@settings(max_examples=30)
@given(EVENTS, EVENTS, EVENTS)
def test_a_pruned_ledger_goes_on_as_the_whole_one(
    ours: list[Event], theirs: list[Event], later: list[Event]
) -> None:
    with open_ledger(":memory:") as whole, open_ledger(":memory:") as other:
        for each, events in ((whole, ours), (other, theirs)):
            each.add(TASKS)
            each.record(events)
        with open_ledger(":memory:") as pruned, open_ledger(":memory:") as copy:
            merge(pruned, export(whole))
            gone = prune(pruned, -60.0)
            assert len(list(pruned.lines())) + gone == len(list(whole.lines()))
            merge(copy, export(pruned))
            for each in (pruned, copy):
                assert look(each) == look(whole)
                assert compare(each).words == []
                assert not looks_edited(each)
            assert prune(copy, -60.0) == 0, "nothing more goes"
            for each in (whole, pruned):
                each.record(later)
                merge(each, export(other))
            assert compare(pruned).words == []
            assert answers(pruned) == answers(whole)


def test_old_answers_keep_what_they_rest_on(ledger: Ledger) -> None:
    task = Task(problem=still_life(box="5x3"))
    ledger.add([task])
    events: list[Event] = [
        LeasedEvent(task.name, "anna"),
        ReleasedEvent(task.name, "anna"),
        LeasedEvent(task.name, "bert"),
        DiedEvent(task.name, "bert"),
        LeasedEvent(task.name, "carl"),
        CertifiedEvent(task.name, "carl", 0, "00", "satlife"),
    ]
    ledger.record(events)
    before = look(ledger)
    assert prune(ledger, 3600.0) == 0, "they are not old"
    assert prune(ledger, -60.0) == 4
    assert look(ledger) == before
    kinds = [type(entry.event) for entry in ledger.events() if entry.event.name == task.name]
    assert kinds == [QueuedEvent, DiedEvent, CertifiedEvent], "deaths are counted"
    assert compare(ledger).words == []
    assert not looks_edited(ledger)
    ledger.add([Task(problem=still_life(box="6x3"))])
    assert [entry.id for entry in ledger.events()][-1] == ledger.removed() + 9
    ledger.store.execute("DELETE FROM events WHERE kind = 'died'")
    assert looks_edited(ledger)


def test_the_command_prunes(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[search]]\nkind = "still-life"\nboxes = ["1x1", "2x2"]\n', encoding="utf-8")
    assert run("satlife", "campaign", "run", str(plan), "--quiet").returncode == 0
    done = run("satlife", "campaign", "prune", str(plan), "--older", "0.001s")
    assert (done.returncode, done.stderr.partition(b" removed")[0]) == (0, b"2 events")
    assert b"the tables agree with the log" in run("satlife", "campaign", "check", str(plan)).stdout
