"""Splitting a task into cases: tasks with some cells of generation 0 given.

A case asks for the least solution of its problem (by generation 0 read row by row, dead before
alive), if that has these cells.  So it may be refuted with any symmetry of the problem broken, and
any solution counts as a find.  A task is impossible if and only if all of its cases are.  That is
so for every list of cases that passes :func:`check_cases`, whoever made it: the decisions form a
tree in which every inner node splits on one cell both ways.  So a stranger's split needs no trust;
a bad one only costs time.

>>> from satlife.search import still_life
>>> task = Task(problem=still_life(box="3x3"), cases=(((1, 1, True),), ((1, 1, False),)))
>>> check_cases(task)
>>> [child.cells for child in divide(task)]
[((1, 1, True),), ((1, 1, False),)]
>>> check_cases(replace(task, cases=(((1, 1, True), (0, 0, True)), ((1, 1, False),))))
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
MOST_DECISIONS: Final = 60
"""Most decisions that lead to a case; one that deep is not split, but solved or given up."""


def divide(task: Task) -> tuple[Task, ...]:
    """Return the tasks of a task's cases."""
    return tuple(
        replace(task, cells=(*task.cells, *case), round=0, parent=task.name, cases=())
        for case in _read_cases(task)
    )


def give_cells(problem: Problem, cells: Cells) -> Problem:
    """Return a problem with cells given: all solutions that have them."""
    known = (Known(t=0, x=x, y=y, rows=("o" if alive else ".",)) for x, y, alive in cells)
    return replace(problem, known=(*problem.known, *known))


def is_case_of(task: Task, whole: Task) -> bool:
    """Whether a task is a case of another one: the same, with more cells given.

    >>> from satlife.search import still_life
    >>> whole = Task(problem=still_life(box="3x3"))
    >>> is_case_of(replace(whole, cells=((0, 0, True),)), whole), is_case_of(whole, whole)
    (True, False)
    """
    above, below = whole.cells, task.cells
    same = (task.problem, task.selection) == (whole.problem, whole.selection)
    return same and len(below) > len(above) and below[: len(above)] == above


def check_cases(task: Task) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless the cases are a complete tree of decisions.

    Every cell is decided once on its path, lies in the box of generation 0, and was not given
    before; so a tree of splits comes to an end.
    """
    cases = _read_cases(task)
    if not 2 <= len(cases) <= MOST_CASES:
        raise UsageError(f"a split has 2 to {MOST_CASES} cases, not {len(cases)}")
    box = task.problem.all_boxes[0]
    given = _given_cells(task.problem) | {(x, y) for x, y, _ in task.cells}
    for case in cases:
        if len(task.cells) + len(case) > MOST_DECISIONS:
            raise UsageError(f"a case has at most {MOST_DECISIONS} decisions")
        places = [(x, y) for x, y, _ in case]
        for x, y in places:
            if not (box.x <= x < box.right and box.y <= y < box.bottom):
                raise UsageError(f"cell ({x}, {y}) is not in the box {box}")
            if (x, y) in given:
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


def _given_cells(problem: Problem) -> set[tuple[int, int]]:
    """Return the known cells of generation 0."""
    return {
        (x, y)
        for known in problem.known
        if known.t == 0
        for y, row in enumerate(known.rows, known.y)
        for x, state in enumerate(row, known.x)
        if state != "?"
    }


def _read_cases(task: Task) -> tuple[Cells, ...]:
    return tuple(case for case in task.cases if isinstance(case, tuple))


CELLS: Final = Division("cells", tuple, check_cases, divide, is_case_of)
