"""Merging the ledger of a stranger: what is false is refused, and what is unproved is a claim."""

from __future__ import annotations

import json
from collections.abc import Iterable

import msgspec
import pytest

from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FoundEvent,
    ImpliedEvent,
    QueuedEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.summary import Counts
from satlife.campaign.ledger import Ledger, Merged, export, merge, open_ledger
from satlife.campaign.local.runner import run
from satlife.campaign.merging import merge_strictly
from satlife.campaign.messages import Budget, Task
from satlife.campaign.plan import Plan
from satlife.errors import UsageError
from satlife.search import still_life

PLAN = Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = "1x1..3x3"')
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


def take(lines: list[bytes], plan: Plan = PLAN) -> tuple[Merged, Counts]:
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
                implied("1x1", Status.IMPOSSIBLE, "1x2"),
                implied("1x3", Status.FOUND, "2x2"),  # it does not fit
                implied("2x3", Status.IMPOSSIBLE, "2x2"),  # found, not impossible
                implied("3x2", Status.FOUND, "3x1"),  # of which nothing is known
            ]
        )
    )
    lines = [words.partition(":")[0] for words in merged.refused]
    assert lines == ["line 8", "line 9", "line 10"]
    assert "does not follow" in merged.refused[0]
    assert "which is not" in merged.refused[1]
    assert "not here" in merged.refused[2]
    assert (counts.found, counts.impossible, counts.implied) == (2, 2, 2)


def test_an_impossibility_is_left_out_where_proofs_are_asked_for() -> None:
    events = [*queued("1x2"), certified("1x2"), implied("1x1", Status.IMPOSSIBLE, "1x2")]
    merged, counts = take(forge(events, PROVED), PROVED)
    assert (merged.refused, merged.left_out) == ([], 2)
    assert (counts.queued, counts.total) == (1, 1)


def test_what_others_gave_up_is_left_out() -> None:
    merged, counts = take(forge([*queued("3x3"), UndecidedEvent(TASKS["3x3"].name, EVE)]))
    assert (merged.new, merged.left_out, counts.queued, counts.undecided) == (1, 1, 1, 0)


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
