"""The ledger: one suite over SQLite and PostgreSQL; processes that write at once and are killed."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife import still_life
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    DiedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    ImpliedEvent,
    LeasedEvent,
    QueuedEvent,
    ReleasedEvent,
    RetriedEvent,
    SplitEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.state import Alarm, TaskState, advance
from satlife.campaign.core.summary import TaskCounts
from satlife.campaign.ledger import (
    Ledger,
    LedgerError,
    Merged,
    export,
    merge,
    open_ledger,
    transfer,
)
from satlife.campaign.ledger import postgres as _parts
from satlife.campaign.ledger.families import find_parents
from satlife.campaign.ledger.ledger import backup
from satlife.campaign.messages import Budget, Region, Task
from satlife.errors import UsageError
from satlife.machine import how_to_install
from tests.campaign.postgres import PostgresServer, find_program

TASKS = [Task(problem=still_life(box=f"{width}x3")) for width in range(3, 15)]
NAMES = [task.name for task in TASKS]
BLOCK = ("oo.", "oo.", "...")
HEAD = b'{"format":"satlife-ledger","version":1}'
ANNA, BERT = "anna", "bert"


@pytest.fixture
def ledger(where: str) -> Iterator[Ledger]:
    with open_ledger(where) as ledger:
        yield ledger


def found(index: int = 0, worker: str = ANNA) -> FoundEvent:
    width = index + 3
    rows = ("oo".ljust(width, "."),) * 2 + ("." * width,)
    return FoundEvent(NAMES[index], worker, 0, (rows,), "xs4_33")


def hive(index: int) -> FoundEvent:
    width = index + 3
    rows = tuple(row.ljust(width, ".") for row in (".oo.", "o..o", ".oo."))
    return FoundEvent(NAMES[index], BERT, 0, (rows,), "xs6_696")


def certified(index: int) -> CertifiedEvent:
    return CertifiedEvent(NAMES[index], BERT, 0, "00", "satlife")


def replayed(ledger: Ledger) -> dict[str, TaskState]:
    """The states that the log comes to, task by task and by time."""
    states: dict[str, TaskState] = {}
    for entry in sorted(ledger.events(), key=lambda entry: (entry.time, entry.id)):
        event = entry.event
        states[event.name] = advance(states.get(event.name), event).state
    return states


def states(ledger: Ledger) -> dict[str, TaskState]:
    """The states of all tasks; the counts must agree with them."""
    states = {row.name: row.state for row in ledger.rows()}
    counts = ledger.counts()
    for status in Status:
        assert getattr(counts, status) == sum(s.status is status for s in states.values())
    assert counts.certified == sum(state.certified for state in states.values())
    assert counts.contradicted == sum(state.contradicted for state in states.values())
    assert counts.implied == sum(state.implied_by is not None for state in states.values())
    return states


def test_a_plan_has_one_ledger(ledger: Ledger) -> None:
    assert (ledger.plan_name(), ledger.plan_text()) == (None, None)
    ledger.begin("p1", 'kind = "still"')
    ledger.begin("p1", 'kind = "still"')
    assert (ledger.plan_name(), ledger.plan_text()) == ("p1", 'kind = "still"')
    with pytest.raises(UsageError, match="belongs to the plan p1, not to p2"):
        ledger.begin("p2", "")
    assert ledger.plan_name() == "p1"


def test_a_case_has_all_its_parents(ledger: Ledger) -> None:
    """A region is in two maps, one of which writes its rules in another way; it names neither."""
    rules = ("B3[8]/S23", "B3/S23[8]", "B3[6]/S23")
    life, *maps = (
        Task(problem=still_life(box="3x3", rule=rule), every=True) for rule in ("B3/S23", *rules)
    )
    part = replace(TASKS[0], cells=((0, 0, True),))
    cells = (((0, 0, True),), ((0, 0, False),))
    ledger.add([life, *maps, part, TASKS[0]])
    for whole, cases in (
        (maps[0], (Region("B38/S23"), Region("B3/S23"))),
        (maps[1], (Region("b3/s32"), Region("B3/S238"))),
        (maps[2], (Region("B36/S23"),)),
        (TASKS[0], cells),
    ):
        ledger.record([SplitEvent(replace(whole, cases=cases), ANNA)])
    parents = find_parents(ledger, [life, part, maps[0], TASKS[1]])
    assert {name: set(rows) for name, rows in parents.items()} == {
        life.name: {maps[0].name, maps[1].name},
        part.name: {NAMES[0]},
    }


def test_tasks_are_added_once_and_leased_in_their_order(ledger: Ledger) -> None:
    assert ledger.add(TASKS[:3]) == 3
    assert ledger.add(TASKS) == len(TASKS) - 3
    assert ledger.lease(ANNA, 2) == TASKS[:2]
    assert ledger.lease(BERT, 1) == [TASKS[2]]
    assert ledger.state(NAMES[2]) == TaskState(Status.LEASED, worker=BERT)
    assert ledger.task(NAMES[1]) == TASKS[1]
    assert ledger.release(ANNA) == 2
    assert ledger.lease(BERT, 100) == [*TASKS[:2], *TASKS[3:]]
    assert ledger.release() == len(TASKS)
    assert ledger.release() == 0
    assert ledger.lease(ANNA, 0) == ledger.lease(ANNA, -1) == []
    assert states(ledger) == replayed(ledger)


def test_nothing_is_known_of_a_stranger(ledger: Ledger) -> None:
    ledger.add(TASKS[:1])
    for name in ("", "nobody", "zero\0", "\ud800", "'; DROP TABLE tasks; --"):
        assert ledger.task(name) is None
        assert ledger.state(name) is None
        with pytest.raises(UsageError, match="never queued"):
            ledger.record([LeasedEvent(NAMES[0], ANNA), ClaimedEvent(name, ANNA)])
    assert ledger.state(NAMES[0]) == TaskState(Status.QUEUED), "all or nothing"
    assert len(list(ledger.events())) == 1


def test_what_is_recorded_is_counted(ledger: Ledger) -> None:
    ledger.add(TASKS)
    ledger.lease(ANNA, 9)
    steps = ledger.record(
        [
            found(0),
            hive(1),
            found(2),
            ClaimedEvent(NAMES[3], ANNA),
            certified(4),
            UndecidedEvent(NAMES[5], ANNA),
            *[DiedEvent(NAMES[6], ANNA)] * 3,
            ImpliedEvent(NAMES[7], Status.IMPOSSIBLE, NAMES[4]),
            ImpliedEvent(NAMES[8], Status.FOUND, NAMES[0]),
            found(0),
        ]
    )
    assert [step.changed for step in steps] == [True] * 11 + [False]
    assert ledger.counts() == TaskCounts(
        queued=3,
        found=4,
        impossible=3,
        undecided=1,
        failed=1,
        certified=1,
        claimed=1,
        implied=2,
        findings=2,
    )
    assert ledger.counts().total == len(TASKS)
    assert [row.name for row in ledger.rows(Status.FOUND)] == [NAMES[i] for i in (0, 1, 2, 8)]
    assert [row.task for row in ledger.rows()] == TASKS
    assert states(ledger) == replayed(ledger)


def test_the_rate_is_of_the_last_answers(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are counted in spans of ten seconds."""
    ledger.add(TASKS)
    assert ledger.rate(300) == 0
    for second in (1000, 1001, 1030):
        monkeypatch.setattr(time, "time_ns", lambda now=second: now * 10**9)
        index = {1000: 0, 1001: 1, 1030: 2}[second]
        ledger.record([ClaimedEvent(NAMES[index], ANNA)])
    monkeypatch.setattr(time, "time_ns", lambda: 1060 * 10**9)
    assert ledger.rate(300) == 3 / 60, "since the first"
    assert ledger.rate(40) == 1 / 30
    assert ledger.rate(10) == 0


def test_notes_are_kept(ledger: Ledger) -> None:
    assert (ledger.checkpoint(), ledger.planned(), ledger.has_merged()) == (None, None, False)
    ledger.begin("p1", "text", lambda: 7)
    ledger.begin("p1", "text", lambda: 8)
    ledger.save_checkpoint("first")
    ledger.save_checkpoint("second")
    assert (ledger.checkpoint(), ledger.planned()) == ("second", 7)
    merge(ledger, [HEAD])
    assert not ledger.has_merged(), "nothing was in it"
    event = msgspec.json.encode(QueuedEvent(TASKS[0])).decode()
    merge(ledger, [HEAD, f'{{"time":5,"event":{event}}}'.encode()])
    assert ledger.has_merged()


def test_tasks_are_found_by_their_names(ledger: Ledger) -> None:
    ledger.add(TASKS[:4])
    ledger.record([found(1)])
    asked = [NAMES[1], NAMES[3], NAMES[7], "no name", "\0"]
    rows = {row.name: row for row in ledger.find(asked)}
    assert rows.keys() == {NAMES[1], NAMES[3]}
    assert rows[NAMES[1]].task == TASKS[1]
    assert ledger.states(asked) == {name: row.state for name, row in rows.items()}
    assert rows[NAMES[1]].state.status is Status.FOUND


def test_the_last_finds_are_read_alone(ledger: Ledger) -> None:
    ledger.add(TASKS[:4])
    for event in (hive(3), found(0)):
        ledger.record([event])
    assert ledger.last_findings(9) == list(ledger.findings())
    assert [row.identity for row in ledger.last_findings(1)] == ["xs4_33"]


def test_a_second_find_of_a_task_is_kept_beside_its_answer(ledger: Ledger) -> None:
    ledger.add(TASKS[:4])
    assert ledger.add_find(found(3))
    assert not ledger.add_find(found(3)), "the same object"
    assert ledger.add_find(hive(3))
    assert {row.identity for row in ledger.findings()} == {"xs4_33", "xs6_696"}
    assert ledger.counts().found == 1
    row, when = ledger.last_rows(1)[0]
    assert (row.name, row.state.status) == (NAMES[3], Status.FOUND)
    assert abs(when - time.time()) < 60
    assert merge(ledger, list(export(ledger))).new == 0


def test_findings_are_unique_and_in_the_order_of_time(ledger: Ledger) -> None:
    ledger.add(TASKS[:4])
    ledger.record([hive(3)])
    ledger.record([found(0)])
    ledger.record([found(2), hive(1)])
    rows = list(ledger.findings())
    assert [(row.identity, row.name) for row in rows] == [
        ("xs6_696", NAMES[3]),
        ("xs4_33", NAMES[0]),
    ]
    assert rows[1].generations == (BLOCK,)
    assert rows[1].problem == TASKS[0].problem
    assert rows[1].worker == ANNA
    assert abs(rows[1].time - time.time()) < 60


def test_the_log_has_no_gaps_and_can_be_followed(ledger: Ledger) -> None:
    ledger.add(TASKS)
    ledger.record([found(0), found(0)])
    entries = list(ledger.events())
    assert [entry.id for entry in entries] == list(range(1, len(TASKS) + 2))
    assert entries[-1].event == found(0)
    assert list(ledger.events(after=len(TASKS))) == entries[-1:]
    assert list(ledger.events(after=len(TASKS) + 1)) == []


def test_a_retry_gives_the_task_its_new_bounds(ledger: Ledger) -> None:
    ledger.add(TASKS[:1])
    longer = Task(problem=TASKS[0].problem, budget=Budget(seconds=3600), round=1)
    ledger.record([UndecidedEvent(NAMES[0], ANNA), RetriedEvent(longer), RetriedEvent(longer)])
    assert ledger.task(NAMES[0]) == longer
    assert ledger.lease(BERT, 5) == [longer]
    assert ledger.state(NAMES[0]) == TaskState(Status.LEASED, worker=BERT, round=1)


def test_a_task_can_enter_with_an_implied_answer(ledger: Ledger) -> None:
    ledger.record([ImpliedEvent(NAMES[0], Status.FOUND, "other", TASKS[0])])
    assert ledger.add(TASKS[:1]) == 0
    assert ledger.counts() == TaskCounts(found=1, implied=1)
    assert ledger.task(NAMES[0]) == TASKS[0]


def test_a_hostile_name_of_a_worker_is_no_harm(ledger: Ledger) -> None:
    ledger.add(TASKS[:2])
    for index, worker in enumerate(("zero\0", "'; DROP TABLE tasks; -- %s ?")):
        ledger.record(
            [FailedEvent(NAMES[index], worker, 0, "log\0"), ClaimedEvent(NAMES[index], worker)]
        )
    assert ledger.counts().claimed == 2


def test_the_number_of_deaths_can_be_chosen(where: str) -> None:
    with open_ledger(where, most_deaths=1) as ledger:
        ledger.add(TASKS[:1])
        ledger.record([FailedEvent(NAMES[0], ANNA, 0, "why")])
        assert ledger.counts().failed == 1


def test_clocks_that_go_back_do_not_disorder_the_log(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.add(TASKS[:1])
    monkeypatch.setattr(time, "time_ns", lambda: 5_000)
    ledger.record(
        [LeasedEvent(NAMES[0], ANNA), ReleasedEvent(NAMES[0], ANNA), LeasedEvent(NAMES[0], BERT)]
    )
    times = [entry.time for entry in ledger.events()]
    assert all(earlier < later for earlier, later in pairwise(times))
    assert states(ledger) == replayed(ledger)


def test_pages_are_seamless(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satlife.campaign.ledger.ledger.PAGE", 2)
    assert ledger.add(iter(TASKS)) == len(TASKS)
    ledger.record(
        [event for i in range(0, 8, 2) for event in (found(i), ClaimedEvent(NAMES[i + 1], ANNA))]
    )
    ledger.record([hive(9)])
    assert [row.name for row in ledger.rows()] == NAMES
    assert [row.name for row in ledger.rows(Status.FOUND)] == [NAMES[i] for i in (0, 2, 4, 6, 9)]
    assert len(list(ledger.events())) == len(TASKS) + 9
    assert len(list(ledger.findings())) == 2


def test_threads_share_a_ledger(ledger: Ledger) -> None:
    ledger.add(TASKS)
    leased: list[Task] = []

    def work(worker: str) -> None:
        while tasks := ledger.lease(worker, 1):
            ledger.record([ClaimedEvent(tasks[0].name, worker)])
            leased.extend(tasks)

    threads = [threading.Thread(target=work, args=(f"t{i}",)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(task.name for task in leased) == sorted(NAMES)


# Transfer


def copy(ledger: Ledger, into: str, alarms: list[Alarm] | None = None) -> Merged:
    with open_ledger(into) as other:
        return merge(other, export(ledger), on_alarm=(alarms if alarms is not None else []).append)


def test_an_export_is_json_lines_and_can_be_read_again(ledger: Ledger, tmp_path: Path) -> None:
    ledger.begin("p1", "text")
    ledger.add(TASKS)
    ledger.record([found(0), hive(1), certified(2)])
    lines = list(export(ledger))
    assert lines[0] == (b'{"format":"satlife-ledger","version":1,"plan":"p1","plan_text":"text"}\n')
    assert all(line.startswith(b'{"time":') and line.endswith(b"}\n") for line in lines[1:])
    with open_ledger(str(tmp_path / "other.db")) as other:
        assert merge(other, lines).new == len(TASKS) + 3
        assert merge(other, lines).new == 0
        assert merge(other, export(other)).new == 0
        assert list(export(other)) == lines
        assert list(other.findings()) == list(ledger.findings())
        assert states(other) == states(ledger)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([], "line 1: not an exported ledger"),
        ([b"{}"], "line 1: not an exported ledger"),
        ([b'{"format":"other","version":1}'], "line 1: not an exported ledger"),
        ([b'{"format":"satlife-ledger","version":99}'], "version 99; this satlife reads version 1"),
        ([HEAD, b"[]"], "line 2: not an event"),
        ([HEAD, b'{"time":-1,"event":{}}'], "line 2: not an event"),
        ([HEAD, b'{"time":0,"event":{"event":"dropped","name":"x"}}'], "line 2: not an event"),
        ([HEAD, b'{"time":"1","event":{"event":"dropped","name":"x"}}'], "line 2: not an event"),
        ([HEAD, b'{"time":1e99,"event":{"event":"dropped","name":"x"}}'], "line 2: not an event"),
        ([HEAD, b" " * 2_000_001], "line 2: 2,000,001 bytes"),
        ([b'{"format":"satlife-ledger","version":1,"plan":"p2"}'], "belongs to the plan p1"),
    ],
)
def test_what_is_no_export_is_refused(
    lines: Sequence[bytes], complaint: str, tmp_path: Path
) -> None:
    with open_ledger(str(tmp_path / "ledger.db")) as ledger:
        ledger.begin("p1", "")
        with pytest.raises(UsageError, match=complaint):
            merge(ledger, lines)
        assert list(ledger.events()) == []


def test_a_false_find_is_not_merged(ledger: Ledger, tmp_path: Path) -> None:
    ledger.add(TASKS[:1])
    wrong = FoundEvent(NAMES[0], ANNA, 0, (("ooo", "oo.", "..."),), "xs4_33")
    ledger.record([wrong])
    ledger.add(TASKS[1:2])
    merged = copy(ledger, str(tmp_path / "other.db"))
    assert [words[:24] for words in merged.refused] == ["line 3: not a solution o"]
    with open_ledger(str(tmp_path / "other.db")) as other:
        assert other.counts() == TaskCounts(queued=2), "the rest is taken"


def test_a_find_by_a_wrong_identity_is_not_merged(ledger: Ledger, tmp_path: Path) -> None:
    ledger.add(TASKS[:1])
    ledger.record([FoundEvent(NAMES[0], ANNA, 0, (BLOCK,), "xs6_696")])
    merged = copy(ledger, str(tmp_path / "other.db"))
    assert merged.refused == ["line 3: the object is not xs6_696"]


def test_a_contradiction_between_ledgers_is_told_to_both(tmp_path: Path) -> None:
    first, second = (str(tmp_path / name) for name in ("first.db", "second.db"))
    with open_ledger(first) as one, open_ledger(second) as two:
        one.add(TASKS[:1])
        two.add(TASKS[:1])
        one.record([certified(0)])
        two.record([found(0)])
        there, back = list(export(one)), list(export(two))
        for ledger, lines in ((one, back), (two, there)):
            alarms: list[Alarm] = []
            assert merge(ledger, lines, on_alarm=alarms.append).new == 2
            assert [alarm.name for alarm in alarms] == [NAMES[0]]
            assert merge(ledger, lines, on_alarm=alarms.append).new == 0
            assert len(alarms) == 1
            assert ledger.counts().contradicted == 1
        assert states(one) == states(two)


indices = st.integers(0, 2)
workers = st.sampled_from([ANNA, BERT])
names = indices.map(NAMES.__getitem__)
occurrences = st.one_of(
    st.builds(QueuedEvent, indices.map(TASKS.__getitem__)),
    st.builds(LeasedEvent, names, workers),
    st.builds(DiedEvent, names, workers),
    st.builds(ClaimedEvent, names, workers),
    st.builds(certified, indices),
    st.builds(UndecidedEvent, names, workers),
    st.builds(found, indices, workers),
    st.builds(hive, st.integers(1, 2)),
    st.builds(ImpliedEvent, names, st.sampled_from([Status.FOUND, Status.IMPOSSIBLE]), names),
    indices.map(lambda i: RetriedEvent(Task(problem=TASKS[i].problem, round=1))),
)
lives = st.lists(occurrences, max_size=10)


def write(path: str, life: list[Event], clock: Callable[[], int]) -> list[bytes]:
    """Make a ledger in which the life happens, at the times of the clock; return its lines."""
    with open_ledger(path) as ledger, pytest.MonkeyPatch.context() as patch:
        patch.setattr("satlife.campaign.ledger.ledger.now", clock)
        ledger.add(TASKS[:3])
        for event in life:
            ledger.record([event])
        assert states(ledger) == replayed(ledger)
        return list(export(ledger))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_finds_at_one_time_the_same_one_stays(
    ledger: Ledger, order: tuple[int, int]
) -> None:
    """Which of two workers is named must not depend on the order in which ledgers are merged."""
    exports = [write(":memory:", [found(0, worker)], lambda: 5) for worker in (ANNA, BERT)]
    for index in order:
        merge(ledger, exports[index])
    (finding,) = ledger.findings()
    assert finding.worker == ANNA


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(lives, min_size=3, max_size=3), st.randoms(use_true_random=False))
def test_merging_is_commutative_associative_and_idempotent(
    three: list[list[Event]], chance: random.Random
) -> None:
    # A clock of few moments: ledgers of the same moment, and clocks that go back.
    exports = [write(":memory:", life, lambda: chance.randrange(1, 9)) for life in three]
    outcomes = []
    for order in ((0, 1, 2), (2, 1, 0), (1, 1, 2, 0, 1)):
        with open_ledger(":memory:") as ledger:
            for index in order:
                merge(ledger, exports[index])
            outcomes.append((states(ledger), list(ledger.findings())))
    with open_ledger(":memory:") as inner, open_ledger(":memory:") as outer:
        merge(inner, exports[1])
        merge(inner, exports[2])
        merge(outer, exports[0])
        merge(outer, export(inner))
        outcomes.append((states(outer), list(outer.findings())))
    for state, findings in outcomes[1:]:
        assert state == outcomes[0][0]
        assert sorted(findings, key=repr) == sorted(outcomes[0][1], key=repr)


def test_a_ledger_goes_from_sqlite_to_postgres_and_back(postgres: PostgresServer) -> None:
    with open_ledger(":memory:") as here, open_ledger(postgres.new_ledger()) as there:
        here.add(TASKS)
        here.record([found(0), hive(1), certified(2)])
        there.add(TASKS)
        there.record([ClaimedEvent(NAMES[2], ANNA), UndecidedEvent(NAMES[3], ANNA), found(4)])
        lines = list(export(here))
        merge(here, export(there))
        merge(there, lines)
        assert states(here) == states(there)
        assert list(here.findings()) == list(there.findings())


def test_merging_in_pages_is_merging_at_once(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "_PAGE", 3)
    ledger.add(TASKS)
    ledger.record([found(0), hive(1), certified(2), ClaimedEvent(NAMES[0], BERT)])
    with open_ledger(str(tmp_path / "other.db")) as other:
        merge(other, export(ledger))
        assert states(other) == states(ledger)


# Files and versions


def test_a_backup_is_restored(
    ledger: Ledger, where: str, tmp_path: Path, postgres: PostgresServer
) -> None:
    ledger.begin("p1", "text")
    ledger.add(TASKS)
    ledger.record([found(0), certified(1)])
    copy = tmp_path / "backups" / "copy"
    with pytest.raises(UsageError, match="there is no folder"):
        backup(where, copy)
    copy.parent.mkdir()
    assert backup(where, copy) == copy.stat().st_size > 1000
    assert 10_000 < ledger.store.size() < 2_000_000
    assert [path.name for path in copy.parent.iterdir()] == ["copy"]
    if os.name == "posix":
        assert copy.stat().st_mode & 0o077 == 0
    with pytest.raises(UsageError, match="a backup never overwrites one"):
        backup(where, copy)
    before = states(ledger)
    ledger.record([hive(2)])
    ledger.close()
    if "://" in where:
        restored = where
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            schema = where.rpartition("%3D")[2]
            connection.execute(f"DROP SCHEMA {schema} CASCADE")
        words = ["--no-owner", "--single-transaction", f"--dbname={postgres.url}", str(copy)]
        subprocess.run([find_program("pg_restore"), *words], check=True)
    else:
        restored = str(copy)
    with open_ledger(restored, create=False) as again:
        assert states(again) == before
        assert again.plan_text() == "text"
        again.record([hive(2)])


def test_a_ledger_of_another_version_is_refused(where: str) -> None:
    with open_ledger(where) as ledger:
        ledger.store.execute("UPDATE ledger_version SET version = 99")
    with pytest.raises(UsageError, match="has version 99, and this satlife reads version 2"):
        open_ledger(where)


def test_another_database_is_not_touched(where: str) -> None:
    with open_ledger(where) as ledger:
        ledger.store.execute("DROP TABLE ledger_version")
    with pytest.raises(UsageError, match="a database, but not a ledger: it has the tables"):
        open_ledger(where)


def test_a_ledger_that_is_not_there(tmp_path: Path, postgres: PostgresServer) -> None:
    missing = tmp_path / "none.db"
    with pytest.raises(UsageError, match="there is no ledger"):
        open_ledger(str(missing), create=False)
    assert not missing.exists()
    with pytest.raises(UsageError, match="has no ledger"):
        open_ledger(postgres.new_ledger(), create=False)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "is a folder"),
        ("nowhere/ledger.db", "there is no folder"),
        ("text.db", "is not a ledger: file is not a database"),
    ],
)
def test_a_place_that_is_no_ledger(name: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, and longer than its header would be" * 99)
    with pytest.raises(UsageError, match=complaint):
        open_ledger(str(tmp_path / name))


@pytest.mark.parametrize(
    ("where", "complaint"),
    [
        ("", "is not a ledger; give a file"),
        ("mysql://host/x", "is not a ledger; give a file"),
        ("postgresql://127.0.0.1:notaport/x", "PostgreSQL|cannot be used"),
        ("postgresql://secret:word@127.0.0.1:1/x", "cannot be used now"),
    ],
)
def test_an_address_that_is_no_ledger(where: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        open_ledger(where)
    assert "word" not in str(caught.value)


def test_psycopg_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "satlife.campaign.ledger.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=re.escape(how_to_install("cluster"))):
        open_ledger("postgresql://127.0.0.1/x")


# Many processes, and their deaths

PREAMBLE = """
import sys, time
from satlife.campaign.ledger import open_ledger
from satlife.campaign.messages import Task
from satlife.campaign.core.events import (
    ClaimedEvent,
    LeasedEvent,
    QueuedEvent,
    ReleasedEvent,
)
from satlife import still_life
def task(number):
    return Task(problem=still_life(box="9x9", population=f"<={number}"))
where, worker = sys.argv[1:]
"""

DRAIN = """
print("ready", flush=True)
sys.stdin.readline()
with open_ledger(where) as ledger:
    ledger.add(task(number) for number in range(1, 151))
    while tasks := ledger.lease(worker, 3):
        ledger.record([ClaimedEvent(task.name, worker) for task in tasks])
        print(*(task.name for task in tasks), flush=True)
        time.sleep(0.005)  # SQLite is not fair: who has just written may write again
"""

FILL = """
with open_ledger(where) as ledger:
    for batch in range(10_000):
        ledger.record([QueuedEvent(task(10 * batch + i + 1)) for i in range(10)])
        print(batch, flush=True)
"""


def start(code: str, where: str, worker: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PREAMBLE + code, where, worker]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_two_processes_share_a_ledger(where: str) -> None:
    # They also make it: neither finds it there.
    children = [start(DRAIN, where, worker) for worker in (ANNA, BERT)]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    outputs = [child.communicate(timeout=120)[0].split() for child in children]
    assert [child.returncode for child in children] == [0, 0]
    assert all(outputs), "both had something to do"
    assert len(outputs[0] + outputs[1]) == len(set(outputs[0] + outputs[1])) == 150
    with open_ledger(where) as ledger:
        assert ledger.counts() == TaskCounts(impossible=150, claimed=150)
        assert [entry.id for entry in ledger.events()] == list(range(1, 451))
        for row in ledger.rows():
            assert row.name in outputs[(ANNA, BERT).index(row.state.worker)]
        assert states(ledger) == replayed(ledger)


@pytest.mark.parametrize("moment", [0.0, 0.013, 0.037])
def test_a_writer_that_is_killed_leaves_whole_batches(where: str, moment: float) -> None:
    child = start(FILL, where, ANNA)
    assert child.stdout is not None
    for _ in range(3):
        child.stdout.readline()
    time.sleep(moment)
    os.kill(child.pid, signal.SIGKILL)
    told = child.communicate()[0].split()
    with open_ledger(where) as ledger:
        written = ledger.counts().queued
        assert written % 10 == 0
        assert written >= 30 + 10 * len(told), "what was told had been written"
        assert states(ledger) == replayed(ledger)
        assert len(states(ledger)) == written
        if not where.startswith("postgres"):
            assert ledger.store.execute("PRAGMA integrity_check") == [("ok",)]
        assert ledger.add(TASKS[:1]) == 1


def test_a_killed_server_loses_nothing_and_is_found_again() -> None:
    with PostgresServer() as server:
        where = server.new_ledger()
        with open_ledger(where) as ledger:
            ledger.add(TASKS)
            for index in range(3):
                ledger.record([ClaimedEvent(NAMES[index], ANNA)])
                server.kill()
                with pytest.raises(LedgerError, match="cannot be used now"):
                    ledger.record([ClaimedEvent(NAMES[5], ANNA)])
                with pytest.raises(LedgerError, match="cannot be used now"):
                    ledger.counts()
                server.start()
                assert ledger.counts().claimed == index + 1
            assert states(ledger) == replayed(ledger)


def test_a_connection_that_is_cut_within_a_transaction(postgres: PostgresServer) -> None:
    where = postgres.new_ledger()
    with open_ledger(where) as ledger:
        ledger.add(TASKS)
        # The block is the transaction: it is cut before its end.
        with pytest.raises(LedgerError), ledger.store.write():  # noqa: PT012
            batch = ledger.batch()
            batch.look_up(NAMES)
            batch.apply(NAMES[0], ClaimedEvent(NAMES[0], ANNA))
            batch.write()
            ((pid,),) = ledger.store.execute("SELECT pg_backend_pid()")
            with psycopg.connect(postgres.url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        assert ledger.counts() == TaskCounts(queued=len(TASKS))


def test_the_log_in_postgres_is_in_parts(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_parts, "SPAN", 4)
    with open_ledger(postgres.new_ledger()) as ledger:
        ledger.add(TASKS[:5])
        ledger.record([found(0)])
        ledger.add(TASKS[5:])
        ledger.record([certified(2)])
        parts = {name for name in ledger.store.tables() if name.startswith("events_")}
        assert parts == {f"events_{n}" for n in range((6 + len(TASKS[5:]) + 1) // 4 + 1)}
        assert [line[0] for line in ledger.lines()] == list(range(1, 8 + len(TASKS[5:])))
        assert len(list(ledger.findings())) == 1
