"""The cases of a task: how it is divided, whether the cases cover it, and the tasks they make.

A task is divided by one of the ways in :data:`DIVISIONS`, a file each.  A division needs no trust:
that the cases cover the task is seen from them alone, so a bad one only costs time.

>>> from satlife.campaign.messages import Share
>>> from satlife.search import ship
>>> halves = (Share(3, 0, 2), Share(3, 1, 2))
>>> task = Task(problem=ship("c/3", box="8x*"), cases=halves)
>>> check_cases(task)
>>> [child.shares for child in divide(task)]
[(Share(level=3, number=0, count=2),), (Share(level=3, number=1, count=2),)]
"""

from __future__ import annotations

from typing import Final

from satlife.campaign.cases import CELLS
from satlife.campaign.division import Division
from satlife.campaign.messages import Task
from satlife.campaign.parts.rows import ROWS
from satlife.campaign.parts.rules import RULES
from satlife.errors import UsageError
from satlife.search.problem.open_rule import is_open

DIVISIONS: Final = (CELLS, ROWS, RULES)
"""By the states of cells, by rows, by rules."""


def find_division(task: Task) -> Division:
    """Return the way in which a task was divided."""
    kinds = {type(case) for case in task.cases}
    for division in DIVISIONS:
        if kinds == {division.case}:
            return division
    raise UsageError("the cases of a split must be of one kind, and at least one")


def divide(task: Task) -> tuple[Task, ...]:
    """Return the tasks of a task's cases; of a task without cases, nothing."""
    return find_division(task).divide(task) if task.cases else ()


def check_cases(task: Task) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless a task's cases cover it."""
    division = find_division(task)
    if task.every and is_open(task.problem) and division is not RULES:
        raise UsageError("a map is divided into regions of rules")
    division.check(task)


def is_case_of(task: Task, whole: Task) -> bool:
    """Whether a task is a case of another one, or of one of its cases, and so on."""
    return any(division.is_case(task, whole) for division in DIVISIONS)
