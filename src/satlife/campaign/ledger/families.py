"""Families of tasks: split tasks with their cases, and cases with all their parents.

A task names one parent, its first.  But a region of rules may be a case of several maps, and an
untrusted file may name a parent that never had the case.  So only the cases listed by split tasks
count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from msgspec.structs import replace

from satlife.campaign.cases import is_case_of, list_cases
from satlife.campaign.core.events import Status
from satlife.campaign.ledger.ledger import Ledger
from satlife.campaign.ledger.store import TaskRow
from satlife.campaign.messages import Region, Task
from satlife.life.rule import Rule
from satlife.problem.statement import read_open

Parents = dict[str, dict[str, TaskRow]]
"""The tasks that were split into a case and others, by name, for the name of each case."""


def read_families(ledger: Ledger, names: Iterable[str]) -> list[tuple[TaskRow, list[TaskRow]]]:
    """Return the split tasks among these names, each with its cases in the ledger.

    Tasks that wait for their cases come first, so that their cases are not dropped for the others.
    """
    split = [row for row in ledger.find(set(names)) if row.task.cases]
    split.sort(key=lambda row: row.state.status is not Status.SPLIT)
    cases = {row.name: [child.name for child in list_cases(row.task)] for row in split}
    rows = {row.name: row for row in ledger.find(set(chain(*cases.values())))}
    return [(row, [rows[name] for name in cases[row.name] if name in rows]) for row in split]


def find_parents(ledger: Ledger, tasks: Iterable[Task]) -> Parents:
    """Return all parents of each of these tasks; tasks that are no case are left out."""
    cases = {task.name: task for task in tasks if task.may_be_case}
    parts = [task for task in cases.values() if task.is_part]
    regions = [task for task in cases.values() if not task.is_part]
    found = _find_parents_of_parts(ledger, parts) | _find_parents_of_regions(ledger, regions)
    return {name: found[name] for name in cases if found.get(name)}


def _find_parents_of_parts(ledger: Ledger, tasks: Sequence[Task]) -> Parents:
    """Return the parents of parts of problems: the named one, or those that it may have."""
    named = {row.name: row for row in ledger.find({task.parent for task in tasks})}
    parents: Parents = {}
    for task in tasks:
        row = named.get(task.parent)
        if row is not None and _has_case(row.task, task):
            parents[task.name] = {row.name: row}
        else:
            rows = ledger.find({whole.name for whole in _find_wholes(task)})
            parents[task.name] = {row.name: row for row in rows if _has_case(row.task, task)}
    return parents


def _find_parents_of_regions(ledger: Ledger, tasks: Sequence[Task]) -> Parents:
    """Return the maps that were divided into these regions, whatever parent they name."""
    by_rules: dict[str, list[Task]] = {}
    for task in tasks:
        by_rules.setdefault(task.problem.rule, []).append(task)
    parents: Parents = {}
    for row in ledger.split_rows() if by_rules else ():
        divided = {_normalize(case.rules) for case in row.task.cases if isinstance(case, Region)}
        for rules in by_rules.keys() & divided:
            for task in by_rules[rules]:
                if task.problem.boxes == row.task.problem.boxes and is_case_of(task, row.task):
                    parents.setdefault(task.name, {})[row.name] = row
    return parents


def _find_wholes(task: Task) -> Iterator[Task]:
    """Yield the tasks with fewer cells or shares, or any box, that may be parents of a task."""
    if task.exact is not None and not task.cells:
        yield replace(task, exact=None)
    for count in range(len(task.cells)):
        yield replace(task, cells=task.cells[:count])
    for count in range(len(task.shares)):
        yield replace(task, shares=task.shares[:count])


def _has_case(whole: Task, task: Task) -> bool:
    """Whether a part of a problem is one of the cases into which another task was split."""
    if whole.exact != task.exact:
        return is_case_of(task, whole) and not task.cells and task.exact in whole.cases
    more = task.cells[len(whole.cells) :], task.shares[len(whole.shares) :]
    return is_case_of(task, whole) and any(
        more in ((case, ()), ((), (case,))) for case in whole.cases
    )


@lru_cache(maxsize=1 << 16)
def _normalize(rules: str) -> str:
    """Return rules in the notation of a problem."""
    return str(read_open(rules) or Rule(rules))
