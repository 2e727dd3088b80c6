"""Merging the ledger of a stranger: what is false is refused, and what is unproved is a claim."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from satlife import ship, still_life
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FoundEvent,
    ImpliedEvent,
    JoinedEvent,
    QueuedEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.summary import TaskCounts
from satlife.campaign.ledger import Ledger, Merged, export, merge, open_ledger, transfer
from satlife.campaign.ledger.transaction import now
from satlife.campaign.local.runner import run
from satlife.campaign.messages import Budget, Task
from satlife.campaign.plan import Plan
from satlife.campaign.strict_merge import merge_strictly
from satlife.errors import UsageError
from satlife.problem.exact import ExactBox
from satlife.web.ledger import LedgerHistory

PLAN = Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = "1x1..3x3"')
AGREED = Plan.from_toml(f"quorum = 2\n{PLAN.to_toml()}")
PROVED = Plan.from_toml(f"prove = true\n{PLAN.to_toml()}")
TASKS = {
    str(box): PLAN.task(group, index)
    for group in PLAN.groups()
    for index, box in enumerate(group.boxes)
}
EVE = "eve"


def forge(events: Iterable[Event], plan: Plan = PLAN) -> list[bytes]:
    head = {
        "format": "satlife-ledger",
        "version": 1,
        "plan": plan.name,
        "plan_text": plan.to_toml(),
    }
    lines = [json.dumps(head).encode()]
    for time, event in enumerate(events, 1):
        lines.append(b'{"time":%d,"event":%s}' % (time, msgspec.json.encode(event)))
    return lines


def take(lines: list[bytes], plan: Plan = PLAN) -> tuple[Merged, TaskCounts]:
    with open_ledger(":memory:") as ledger:
        ledger.begin(plan.name, plan.to_toml())
        return merge_strictly(ledger, lines), ledger.counts()


def block(box: str) -> FoundEvent:
    width, height = map(int, box.split("x"))
    rows = tuple(
        "".join("o" if x < 2 and y < 2 else "." for x in range(width)) for y in range(height)
    )
    return FoundEvent(TASKS[box].name, EVE, 0, (rows,), "xs4_33")


def certified(box: str) -> CertifiedEvent:
    return CertifiedEvent(TASKS[box].name, EVE, 0, "0" * 64, "drat-trim")


def queued(*boxes: str) -> list[Event]:
    return [QueuedEvent(TASKS[box]) for box in boxes]


def implied(box: str, status: Status, by: str) -> ImpliedEvent:
    return ImpliedEvent(TASKS[box].name, status, TASKS[by].name, TASKS[box])


def at(time: int, *events: Event) -> list[bytes]:
    """An export whose events all have one time."""
    head, *_ = forge([])
    return [head, *(b'{"time":%d,"event":%s}' % (time, msgspec.json.encode(e)) for e in events)]


@pytest.mark.parametrize("is_trusted", [True, False])
@pytest.mark.parametrize("time", [9007199254740991, 1 << 53, 10**30])
def test_events_from_the_future_are_refused_and_poison_nothing(time: int, is_trusted: bool) -> None:
    take_in = merge if is_trusted else merge_strictly
    with open_ledger(":memory:") as ours, open_ledger(":memory:") as other:
        for ledger in (ours, other):
            ledger.begin(PLAN.name, PLAN.to_toml())
        merged = take_in(ours, at(time, *queued("1x1", "2x2"), block("2x2")))
        assert merged.new == 0
        assert len(merged.refused) == 3
        assert "more than a day ahead of this machine's clock" in merged.refused[0]
        run(PLAN, ours, jobs=1)
        again = at(time, QueuedEvent(TASKS["2x2"]), certified("2x2"))
        assert take_in(ours, again).new == 0
        mine = list(export(ours))
        assert take_in(other, mine).refused == []
        assert other.counts() == ours.counts()


def test_a_clock_may_be_ahead_by_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "now", lambda: 1_000_000)
    day = 24 * 3600 * 1_000_000
    merged, counts = take(at(1_000_000 + day, *queued("1x1")))
    assert (merged.new, merged.refused, counts.queued) == (1, [], 1)
    merged, counts = take(at(1_000_001 + day, *queued("1x1")))
    assert (merged.new, len(merged.refused), counts.queued) == (0, 1, 0)


def test_an_event_of_a_task_that_was_never_queued_is_refused_alone() -> None:
    merged, counts = take(forge([block("3x3"), *queued("2x2"), block("2x2")]))
    name = TASKS["3x3"].name
    assert merged.refused == [f"line 2: an event of task {name}, which was never queued"]
    assert (merged.new, counts.found) == (2, 1)


@pytest.mark.parametrize("find_first", [True, False])
def test_a_forged_certificate_does_not_hide_a_find(find_first: bool) -> None:
    forged = forge([*queued("2x2"), certified("2x2")])
    with open_ledger(":memory:") as ours, open_ledger(":memory:") as theirs:
        for ledger in (ours, theirs):
            ledger.begin(PLAN.name, PLAN.to_toml())
        run(PLAN, theirs, jobs=1)
        finds = list(export(theirs))
        for lines in (finds, forged) if find_first else (forged, finds):
            merged = merge(ours, lines)  # even where the file is believed
        state = ours.state(TASKS["2x2"].name)
        assert state is not None
        assert (state.status, state.certified, state.contradicted) == (Status.FOUND, False, True)
        assert len(merged.alarms) == 1


def test_a_certificate_of_a_stranger_is_a_claim() -> None:
    merged, counts = take(forge([*queued("1x1"), certified("1x1")]))
    assert (merged.new, merged.refused) == (2, [])
    assert (counts.impossible, counts.claimed, counts.certified) == (1, 1, 0)


def test_what_the_plan_does_not_ask_is_refused() -> None:
    other = Task(problem=still_life(box="9x9"))
    merged, counts = take(forge([QueuedEvent(other), ClaimedEvent(other.name, EVE)]))
    assert merged.refused == [f"line 2: the plan does not ask for the task {other.name}"]
    assert (merged.new, counts.total) == (0, 0)


def test_the_limits_are_those_of_the_plan() -> None:
    short = Task(problem=TASKS["1x1"].problem, budget=Budget(seconds=1e-9), prove=True)
    with open_ledger(":memory:") as ledger:
        ledger.begin(PLAN.name, PLAN.to_toml())
        merge_strictly(ledger, forge([QueuedEvent(short)]))
        assert ledger.task(short.name) == TASKS["1x1"]


def test_what_follows_is_checked() -> None:
    merged, counts = take(
        forge(
            [
                *queued("2x2", "1x2"),
                block("2x2"),
                ClaimedEvent(TASKS["1x2"].name, EVE),
                implied("3x3", Status.FOUND, "2x2"),
                implied("2x1", Status.IMPOSSIBLE, "1x2"),
                implied("1x1", Status.IMPOSSIBLE, "1x2"),  # which asks for its full height
                implied("1x3", Status.FOUND, "2x2"),  # it does not fit
                implied("2x3", Status.IMPOSSIBLE, "2x2"),  # found, not impossible
                implied("3x2", Status.FOUND, "3x1"),  # of which nothing is known
            ]
        )
    )
    lines = [words.partition(":")[0] for words in merged.refused]
    assert lines == ["line 8", "line 9", "line 10", "line 11"]
    assert "does not follow" in merged.refused[0]
    assert "does not follow" in merged.refused[1]
    assert "which is not" in merged.refused[2]
    assert "not here" in merged.refused[3]
    assert (counts.found, counts.impossible, counts.implied) == (2, 2, 2)


def test_an_impossibility_is_left_out_where_proofs_are_asked_for() -> None:
    events = [*queued("1x2"), certified("1x2"), implied("1x1", Status.IMPOSSIBLE, "1x2")]
    merged, counts = take(forge(events, PROVED), PROVED)
    assert (merged.refused, merged.left_out) == ([], 2)
    assert (counts.queued, counts.total) == (1, 1)


def test_what_others_gave_up_is_left_out() -> None:
    merged, counts = take(forge([*queued("3x3"), UndecidedEvent(TASKS["3x3"].name, EVE)]))
    assert (merged.new, merged.left_out, counts.queued, counts.undecided) == (1, 1, 1, 0)


@pytest.mark.parametrize(("quorum", "liars"), [(1, ["eve.a"]), (2, ["eve.a", "bob.a"])])
def test_a_file_is_not_the_word_of_several_users(quorum: int, liars: list[str]) -> None:
    """Its quorum and the names of its workers are what its writer says."""
    task = replace(TASKS["2x2"], quorum=2)
    claims = [ClaimedEvent(task.name, liar) for liar in liars]
    forged = forge([QueuedEvent(replace(task, quorum=quorum)), *claims], AGREED)
    with open_ledger(":memory:") as ours:
        ours.begin(AGREED.name, AGREED.to_toml())
        ours.record([QueuedEvent(task)])
        assert merge_strictly(ours, forged).left_out == len(liars)
        state = ours.state(task.name)
        assert state is not None
        assert (state.status, state.quorum, state.votes) == (Status.QUEUED, 2, "")
        ours.record([ClaimedEvent(task.name, "eve.b")])
        assert ours.counts().queued == 1, "she has one vote, with or without a file"
        assert merge_strictly(ours, forged).new == 0
    _, counts = take(forged, AGREED)
    assert (counts.queued, counts.impossible) == (1, 0), "nor where the task comes from the file"


def test_the_plan_that_is_given_counts_and_not_the_text_of_the_first() -> None:
    """A plan keeps its name when its quorum changes."""
    forged = forge([*queued("1x1"), ClaimedEvent(TASKS["1x1"].name, EVE)])
    with open_ledger(":memory:") as ours:
        ours.begin(PLAN.name, PLAN.to_toml())
        assert merge_strictly(ours, forged, AGREED).left_out == 1
        assert ours.counts().queued == 1


def test_a_task_that_is_here_keeps_its_quorum() -> None:
    """On one's own machine one answer is enough, whatever was merged before it came."""
    name = TASKS["1x1"].name
    with open_ledger(":memory:") as ours:
        ours.begin(AGREED.name, AGREED.to_toml())
        ours.record(queued("1x1"))
        merge_strictly(ours, at(now(), *queued("1x1")))
        ours.record([ClaimedEvent(name, "local")])
        assert ours.counts().impossible == 1


def test_a_task_of_the_plan_is_not_made_a_case() -> None:
    _, counts = take(forge([QueuedEvent(replace(TASKS["2x2"], parent="00" * 32))]))
    assert (counts.total, counts.cases) == (1, 0)


def test_the_history_takes_a_joined_certificate_as_a_claim(tmp_path: Path) -> None:
    forged = forge([*queued("1x1"), JoinedEvent(TASKS["1x1"].name, Status.IMPOSSIBLE, True)])
    where = tmp_path / "history.db"
    history = LedgerHistory(str(where))
    history.merge(b"\n".join(forged).decode())
    history.close()
    with open_ledger(str(where)) as ledger:
        assert (ledger.counts().impossible, ledger.counts().certified) == (1, 0)


def test_merging_twice_changes_nothing() -> None:
    lines = forge([*queued("1x1", "2x2"), certified("1x1"), block("2x2")])
    with open_ledger(":memory:") as ledger:
        ledger.begin(PLAN.name, PLAN.to_toml())
        assert [merge_strictly(ledger, lines).new for _ in range(2)] == [4, 0]


def test_a_proof_that_was_checked_here_stays_checked() -> None:
    with open_ledger(":memory:") as ledger:
        ledger.begin(PLAN.name, PLAN.to_toml())
        ledger.record([QueuedEvent(TASKS["1x1"]), certified("1x1")])
        merged = merge_strictly(ledger, list(export(ledger)))
        assert (merged.new, ledger.counts().certified) == (0, 1)


def test_an_honest_ledger_is_taken_in_whole() -> None:
    with open_ledger(":memory:") as theirs, open_ledger(":memory:") as ours:
        run(PLAN, theirs, jobs=1)
        merged = merge_strictly(ours, list(export(theirs)))
        assert merged.refused == []
        assert _answers(ours) == _answers(theirs)


def _answers(ledger: Ledger) -> dict[str, Status]:
    return {row.name: row.state.status for row in ledger.rows()}


@pytest.mark.parametrize("text", ["", "nonsense = 3", '[[search]]\nkind="still-life"\nboxes="4x4"'])
def test_a_plan_under_a_false_name_is_refused(text: str) -> None:
    head = {"format": "satlife-ledger", "version": 1, "plan": PLAN.name, "plan_text": text}
    with open_ledger(":memory:") as ledger, pytest.raises(UsageError, match="plan"):
        merge_strictly(ledger, [json.dumps(head).encode()])


def test_a_part_without_a_parent_is_not_a_task_of_the_plan() -> None:
    whole = Task(problem=ship("c/3", box="5x5"))
    plan = Plan.from_toml('[[search]]\nkind = "ship"\nspeeds = "c/3"\nboxes = "5x5"')
    parts = [
        replace(whole, exact=ExactBox(f"{side}x{side}", ("width", "height"))) for side in (3, 4, 5)
    ]
    told = [whole, *parts, replace(whole, cells=((1, 1, True),))]
    events = [event for task in told for event in (QueuedEvent(task), ClaimedEvent(task.name, EVE))]
    _, counts = take(forge(events, plan), plan)
    assert (counts.impossible, counts.cases) == (1, 4)
