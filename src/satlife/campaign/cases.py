"""Splitting a task into cases: tasks with some cells of generation 0 given.

A task is impossible if and only if all of its cases are, and a find in a case is a find.  That is
so for every list of cases that passes :func:`check_cases`, whoever made it: the decisions form a
tree in which every inner node splits on one cell both ways.  So a stranger's split needs no trust;
a bad one only costs time.

>>> from satlife.search import still_life
>>> task = Task(problem=still_life(box="3x3"), cases=(((1, 1, True),), ((1, 1, False),)))
>>> check_cases(task.problem, task.cases)
>>> [child.problem.known[0].rows for child in divide(task)]
[('o',), ('.',)]
>>> check_cases(task.problem, (((1, 1, True), (0, 0, True)), ((1, 1, False),)))
Traceback (most recent call last):
satlife.errors.UsageError: the cases do not cover cell (0, 0) being dead
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from satlife.campaign.division import Division
from satlife.campaign.messages import Cells, Task
from satlife.errors import UsageError
from satlife.search.problem import Known, Problem

MOST_CASES: Final = 256
"""Most cases of one split."""


def divide(task: Task) -> tuple[Task, ...]:
    """Return the tasks of a task's cases."""
    return tuple(
        replace(
            task,
            problem=give_cells(task.problem, case),
            round=0,
            parent=task.name,
            cases=(),
        )
        for case in task.cases
        if isinstance(case, tuple)
    )


def give_cells(problem: Problem, case: Cells) -> Problem:
    """Return a problem with the cells of a case given."""
    known = (Known(t=0, x=x, y=y, rows=("o" if alive else ".",)) for x, y, alive in case)
    return replace(problem, known=(*problem.known, *known))


def is_case_of(problem: Problem, whole: Problem) -> bool:
    """Whether a problem is a case of another one: the same, with more cells given.

    >>> from satlife.search import still_life
    >>> small = still_life(box="3x3")
    >>> is_case_of(give_cells(small, ((0, 0, True),)), small), is_case_of(small, small)
    (True, False)
    """
    if problem == whole or replace(problem, known=()) != replace(whole, known=()):
        return False
    cells = _given_cells(problem, every=True)
    return _given_cells(whole, every=True) <= cells


def check_cases(problem: Problem, cases: Sequence[Cells]) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless the cases are a complete tree of decisions.

    Every cell is decided once on its path, lies in the box of generation 0, and was not given
    before; so a tree of splits comes to an end.
    """
    if not 2 <= len(cases) <= MOST_CASES:
        raise UsageError(f"a split has 2 to {MOST_CASES} cases, not {len(cases)}")
    box = problem.all_boxes[0]
    given = {place[:3] for place in _given_cells(problem)}
    for case in cases:
        places = [(x, y) for x, y, _ in case]
        for x, y in places:
            if not (box.x <= x < box.right and box.y <= y < box.bottom):
                raise UsageError(f"cell ({x}, {y}) is not in the box {box}")
            if (x, y, 0) in given:
                raise UsageError(f"cell ({x}, {y}) is given already")
        if len(set(places)) < len(places):
            raise UsageError("a case decides a cell twice")
    _check_cover(cases, 0)


def _check_cover(cases: Sequence[Cells], depth: int) -> None:
    """Check that cases with the same first decisions cover what these leave open."""
    if any(len(case) == depth for case in cases):
        if len(cases) > 1:
            raise UsageError("a case is a part of another one")
        return
    cells = {case[depth][:2] for case in cases}
    if len(cells) > 1:
        raise UsageError("the cases are not a tree: they decide different cells at one place")
    ((x, y),) = cells
    for alive in (True, False):
        half = [case for case in cases if case[depth][2] is alive]
        if not half:
            state = "alive" if alive else "dead"
            raise UsageError(f"the cases do not cover cell ({x}, {y}) being {state}")
        _check_cover(half, depth + 1)


def _given_cells(problem: Problem, *, every: bool = False) -> set[tuple[int, int, int, str]]:
    """Return the known cells of generation 0, or of every generation, with their states."""
    return {
        (x, y, known.t, state)
        for known in problem.known
        if every or known.t == 0
        for y, row in enumerate(known.rows, known.y)
        for x, state in enumerate(row, known.x)
        if state != "?"
    }


def _check(task: Task) -> None:
    check_cases(task.problem, [case for case in task.cases if isinstance(case, tuple)])


def _is_case(task: Task, whole: Task) -> bool:
    return task.selection == whole.selection and is_case_of(task.problem, whole.problem)


CELLS: Final = Division("cells", tuple, _check, divide, _is_case)
