"""The maps of a campaign, assembled from its ledger: the same as ``satlife map`` makes.

Every region with an answer is used, however deep in its tree; so a map can be viewed before it is
complete.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, get_args

from satlife.campaign.cases import find_split, list_cases
from satlife.campaign.core.events import (
    FINAL,
    CertifiedEvent,
    ClaimedEvent,
    FoundEvent,
    SplitEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.ledger import Ledger, TaskRow
from satlife.campaign.messages import Task
from satlife.campaign.results import read_plan
from satlife.errors import UsageError
from satlife.life.rulespaces import RuleSpace
from satlife.problem.outcome import make_pattern, read_history
from satlife.rulemaps.rulemap import FOUND, Region, RuleMap, locate, paint

_TreeEvent = FoundEvent | ClaimedEvent | CertifiedEvent | UndecidedEvent | SplitEvent
_TREE_EVENTS: Final = get_args(_TreeEvent)


@dataclass
class _Reading:
    """The regions of one map in a ledger."""

    task: Task
    settled: list[tuple[Task, str]] = field(default_factory=list)
    """Tasks of regions with an answer, each with the task that has the pattern, if there is one."""
    reason: str = ""
    """Why the map is incomplete."""
    names: set[str] = field(default_factory=set)
    """Names of all tasks in its tree."""


def read_maps(ledger: Ledger) -> list[RuleMap]:
    """Return the maps of a ledger's plan, in the order of the plan."""
    plan = read_plan(ledger)
    if plan is None:
        raise UsageError("the ledger has no plan that can be read")
    readings = [
        _walk(ledger, plan.task(group, index))
        for group in plan.groups()
        if group.is_map
        for index in range(len(group))
    ]
    if not readings:
        return []
    events = [entry.event for entry in ledger.events() if isinstance(entry.event, _TREE_EVENTS)]
    return [_assemble(reading, events) for reading in readings]


def _walk(ledger: Ledger, top: Task) -> _Reading:
    """Traverse a tree, in the order in which its regions were reported."""
    reading = _Reading(top)
    waiting = [top]
    while waiting:
        task = waiting.pop()
        reading.names.add(task.name)
        row = _look_up(ledger, task.name)
        if row is None:
            reading.reason = "some regions are queued"
        elif not _is_whole(row) and _is_divided(row):
            waiting += reversed(list_cases(row.task))
        elif row.state.status in FINAL:
            reading.settled.append((task, _find_evidence(ledger, row)))
        else:
            reading.reason = f"some regions are {row.state.status}"
    return reading


def _look_up(ledger: Ledger, name: str) -> TaskRow | None:
    return next(iter(ledger.find([name])), None)


def _is_whole(row: TaskRow) -> bool:
    """Whether one answer holds for all of its rules, even if it was also divided."""
    found = row.state.status is Status.FOUND and row.state.implied_by is None
    return found or row.state.status is Status.IMPOSSIBLE


def _is_divided(row: TaskRow) -> bool:
    """Whether a task was divided into regions of rules."""
    is_divided = bool(row.state.children and row.task.cases)
    return is_divided and find_split(row.task).needs_all


def _find_evidence(ledger: Ledger, row: TaskRow) -> str:
    """Return the task with the pattern: the task itself or a case of it; empty if there is none."""
    if row.state.status is not Status.FOUND:
        return ""
    while row.state.implied_by is not None:
        case = _look_up(ledger, row.state.implied_by)
        if case is None:
            break
        row = case
    return row.name


def _assemble(reading: _Reading, events: list[_TreeEvent]) -> RuleMap:
    """Return a map; simulated patterns win over contradicting claims."""
    space = RuleSpace(reading.task.problem.rule)
    drawings = {event.name: event.generations for event in events if isinstance(event, FoundEvent)}
    seconds = sum(event.seconds for event in events if event.name in reading.names)
    regions: list[Region] = []
    for task, name in reading.settled:
        pattern = None
        if name:
            history = read_history(task.problem, drawings[name])
            pattern = make_pattern(task.problem, history, 0, task.problem.parsed.rule)
        regions.append(Region(RuleSpace(task.problem.rule), pattern))
    answers = paint(space, (region for region in regions if region.pattern is not None))
    kept = [
        region
        for region in regions
        if region.pattern is not None or not (answers[locate(space, region.rules)] == FOUND).any()
    ]
    reason = reading.reason if len(kept) == len(regions) else "a claim contradicts a pattern"
    return RuleMap(reading.task.problem, tuple(kept), seconds, reason)
