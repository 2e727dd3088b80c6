"""What a way to divide tasks consists of; :mod:`satlife.campaign.parts` has a table of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from satlife.campaign.messages import FoundResult, ImpossibleResult, Task

Answers = list[tuple[Task, FoundResult | ImpossibleResult]]
"""Tasks of cases, and what whoever divided the task knows of them."""


def no_answers(task: Task, worker: str) -> Answers:
    """Return nothing: the cases come without answers."""
    return []


@dataclass(frozen=True)
class Division:
    """A way to divide a task into cases."""

    name: str
    """What is divided: the table is in these words."""
    case: type
    """The type of its cases."""
    check: Callable[[Task], None]
    """Raise :class:`~satlife.errors.UsageError` unless a task's cases cover it."""
    divide: Callable[[Task], tuple[Task, ...]]
    """Return the tasks of a task's cases."""
    is_case: Callable[[Task, Task], bool]
    """Whether the first task is a case of the second, or of one of its cases, and so on."""
    needs_all: bool = False
    """Whether all cases must have an answer before the task has one, even if one is found."""
    find_answers: Callable[[Task, str], Answers] = no_answers
    """Return the answers that came with the cases of a task, from this worker."""
