"""The cases of a task: how it is split, whether the cases cover it, and their tasks.

A task is split in one of the ways in :data:`SPLITS`: into exact boxes, given cells, shares of rows,
or regions of rules.  A split needs no trust: whether the cases cover the task can be checked from
them alone, so a bad one only costs time.

>>> from satlife.campaign.messages import Share
>>> from satlife import ship, still_life
>>> halves = (Share(3, 0, 2), Share(3, 1, 2))
>>> task = Task(problem=ship("c/3", box="8x*"), cases=halves)
>>> check_cases(task)
>>> [case.shares for case in list_cases(task)]
[(Share(level=3, number=0, count=2),), (Share(level=3, number=1, count=2),)]
>>> task = Task(problem=still_life(box="3x3"), cases=(((1, 1, True),), ((1, 1, False),)))
>>> [case.cells for case in list_cases(task)]
[((1, 1, True),), ((1, 1, False),)]
>>> check_cases(replace(task, cases=(((1, 1, True), (0, 0, True)), ((1, 1, False),))))
Traceback (most recent call last):
satlife.errors.UsageError: the cases do not cover cell (0, 0) being dead
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from satlife.campaign.messages import (
    Case,
    FoundResult,
    ImpossibleResult,
    Region,
    Share,
    Task,
)
from satlife.engine.sat.cases import check_tree
from satlife.errors import RuleError, UsageError
from satlife.life.rulespaces import RuleSpace
from satlife.problem import Problem
from satlife.problem.exact import ExactBox, choose_low, count_parts, cover, has_exact_boxes
from satlife.quantities import write_count
from satlife.rulemaps.rulemap import Place, locate

Answers = list[tuple[Task, FoundResult | ImpossibleResult]]
"""Tasks of cases, with the answers that came with the split."""


def no_answers(task: Task, worker: str) -> Answers:
    """Return an empty list: the cases come without answers."""
    return []


@dataclass(frozen=True)
class Split:
    """A way to split a task into cases."""

    name: str
    """What is split, as a noun."""
    case: type
    """The type of its cases."""
    check: Callable[[Task], None]
    """Raise :class:`~satlife.errors.UsageError` unless a task's cases cover it."""
    narrow: Callable[[Task, Any], dict[str, Any]]
    """Return the fields in which the task of a case differs from the task that was split."""
    is_case: Callable[[Task, Task], bool]
    """Whether the first task is a case of the second, or of one of its cases, and so on."""
    needs_all: bool = False
    """Whether all cases must have an answer before the task has one, even if one is found."""
    find_answers: Callable[[Task, str], Answers] = no_answers
    """Return the answers that came with the cases of a task, from this worker."""


# Searches by SAT, split by the size of the envelope: the theorem of :mod:`satlife.problem.exact`.
#
# A part is a smaller formula, or one with a few more clauses, and what is learned in one part is
# not searched again in another. A part that is too hard itself is split by cells.


MOST_BOXES: Final = 4096
"""Maximum number of exact boxes in one split."""


def list_boxes(task: Task) -> tuple[ExactBox, ...]:
    """Return the exact boxes into which a task is split; none if it is a part, or has no parts.

    >>> from satlife import ship
    >>> print(*list_boxes(Task(problem=ship("c/3", box="4x2"))), sep="; ")
    at most 3x2; exactly 4 wide, at most 2 high
    """
    is_whole = task.selection.is_everything and not (task.is_part or task.every)
    if not is_whole or not has_exact_boxes(task.problem):
        return ()
    low = choose_low(task.problem)
    is_possible = 2 <= count_parts(task.problem, low) <= MOST_BOXES
    return cover(task.problem, low) if is_possible else ()


def _check_boxes(task: Task) -> None:
    """Check that the cases are all parts of the task, from some box on."""
    if task.is_part or task.every:
        raise UsageError("only a whole task is split into exact boxes")
    count, low = len(task.cases), task.cases[0].box  # type: ignore[union-attr]
    if not 2 <= count <= MOST_BOXES:
        raise UsageError(f"a split has 2 to {MOST_BOXES} exact boxes, not {count}")
    if count != count_parts(task.problem, low) or task.cases != cover(task.problem, low):
        raise UsageError(f"the exact boxes are not all parts of the task from {low} on")


def _is_box_case(task: Task, whole: Task) -> bool:
    """Whether a task is a part of another, or a case of such a part."""
    is_part = task.exact is not None and not whole.is_part
    return is_part and (task.problem, task.selection) == (whole.problem, whole.selection)


BOXES: Final = Split(
    "boxes",
    ExactBox,
    _check_boxes,
    lambda task, part: {"exact": part},
    _is_box_case,
)


# Searches by SAT, split into cases with some given cells of generation 0.
#
# A case asks for the least solution of its problem (by generation 0 read row by row, dead before
# alive), if that has these cells. So it may be refuted with any symmetry of the problem broken, and
# any solution counts as a find. A task is impossible if and only if all of its cases are, whatever
# their origin: they are the leaves of a tree in which every inner node is split on one cell.


MOST_IN_TREE: Final = 20_000
"""Maximum number of cases of one task, cases of cases included; more are not worth waiting for."""
MOST_CASES: Final = 256
"""Maximum number of cases in one split."""
MOST_DECISIONS: Final = 60
"""Maximum depth of a case, in decisions; a case that deep is solved or given up, not split."""


def _check_cells(task: Task) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless the cases are a tree.

    Every cell is decided once on its path, lies in the box of generation 0, and was not given
    before; so a tree of splits comes to an end.
    """
    cases = tuple(case for case in task.cases if isinstance(case, tuple))
    if not 2 <= len(cases) <= MOST_CASES:
        raise UsageError(f"a split has 2 to {MOST_CASES} cases, not {len(cases)}")
    box = task.asked.all_boxes[0]
    given = _given_cells(task.asked) | {(x, y) for x, y, _ in task.cells}
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
    check_tree(cases)


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


def _is_cell_case(task: Task, whole: Task) -> bool:
    """Whether a task has the given cells of another, and more."""
    return _asks_the_same(task, whole) and _extends(task.cells, whole.cells)


def _asks_the_same(task: Task, whole: Task) -> bool:
    asked = ((each.problem, each.exact, each.selection) for each in (task, whole))
    return next(asked) == next(asked)


def _extends(longer: tuple[object, ...], shorter: tuple[object, ...]) -> bool:
    return len(longer) > len(shorter) and longer[: len(shorter)] == shorter


CELLS: Final = Split(
    "cells",
    tuple,
    _check_cells,
    lambda task, cells: {"cells": (*task.cells, *cells)},
    _is_cell_case,
)


# Searches by rows, split into shares of a level: every second node, every third, and so on.
#
# The worker of a share goes to that level first and drops the nodes of the others, so a share is
# three numbers, and all shares of a level are the whole
# (:meth:`satlife.rows.hunt.Hunt.keep_share`). A share may be split again, at a deeper level.


MOST_SHARES: Final = 256
"""Maximum number of shares of a level."""
USUAL_SHARES: Final = 64
"""Usual number of shares of a search."""
MOST_NODES: Final = 1 << 15
"""Maximum number of nodes of a level to divide; each share goes through all of them first."""


def share_out(widths: Sequence[int], states: int, shares: Sequence[Share]) -> tuple[Share, ...]:
    """Return the shares of one level of a search, given the number of states it has visited.

    The level is the deepest that all shares together reach with about the work done so far; the
    result is empty if no level has two nodes.

    >>> share_out([1, 1, 3, 9, 30, 100], 1000, ())[:2]
    (Share(level=4, number=0, count=30), Share(level=4, number=1, count=30))
    >>> share_out([1, 1, 3], 1000, [Share(2, 0, 3)])
    ()
    """
    first = shares[-1].level + 1 if shares else 1
    levels = [n for n in range(first, len(widths)) if 2 <= widths[n] <= MOST_NODES]
    if not levels:
        return ()
    cheap = [n for n in levels if USUAL_SHARES * sum(widths[:n]) <= states]
    level = cheap[-1] if cheap else levels[0]
    count = min(widths[level], USUAL_SHARES)
    return tuple(Share(level, number, count) for number in range(count))


def _check_shares(task: Task) -> None:
    """Check that the cases are all shares of one level, below those of the task."""
    if not task.problem.has_open_height:
        raise UsageError("only a search of any height is divided by rows")
    count, level = len(task.cases), task.cases[0].level  # type: ignore[union-attr]
    if not 2 <= count <= MOST_SHARES:
        raise UsageError(f"a level has 2 to {MOST_SHARES} shares, not {count}")
    if level <= (task.shares[-1].level if task.shares else 0):
        raise UsageError(f"the rows are shared out at level {level} or below it already")
    if task.cases != tuple(Share(level, number, count) for number in range(count)):
        raise UsageError("the shares are not all shares of one level")


def _is_share(task: Task, whole: Task) -> bool:
    """Whether a task has the shares of another, and more."""
    return _asks_the_same(task, whole) and _extends(task.shares, whole.shares)


ROWS: Final = Split(
    "rows",
    Share,
    _check_shares,
    lambda task, share: {"shares": (*task.shares, share)},
    _is_share,
)


# Maps, split into regions of rules: every rule of a set is in one of them.
#
# Some regions come with their answers, a pattern or an impossibility; these are examined like
# answers to the tasks of the regions. The others are still to be asked.


MOST_REGIONS: Final = 8192
"""Maximum number of regions in one answer."""
MOST_OVERLAP: Final = 32
"""Maximum number of times that the regions of an answer cover the rules; in our maps, 1 to 8."""
USUAL_REST: Final = 64
"""Approximate number of regions into which unanswered rules are split."""
LEAST_REST: Final = 8
"""Minimum number of such regions, if there are as many rules."""

Index = tuple[slice | int, ...]
"""A region as an index of an array with an axis for each free entry of the rules."""


def find_rest(
    problem: Problem, settled: Iterable[str], least: int = LEAST_REST, most: int = USUAL_REST
) -> list[Region]:
    """Return regions that cover all rules of a problem outside the settled regions.

    A region is halved by the entry that leaves most of the settled rules in one half; a few settled
    rules may stay in a region of many open ones.

    >>> from satlife import ship
    >>> problem = ship("c", box="4x4", rule="B[2][3]/S")
    >>> [region.rules for region in find_rest(problem, ["B3/S"], least=2)]
    ['B/S', 'B2[3]/S']
    """
    space = RuleSpace(problem.rule)
    is_open = _paint(space, settled) == 0
    whole: Index = (slice(None),) * is_open.ndim
    regions = [whole] if is_open.any() else []
    while regions:
        mixed = [each for each in regions if not is_open[each].all()]
        halved = [each for each in mixed if len(regions) < most] or [
            each for each in regions if is_open[each].size > 1 and len(regions) < least
        ]
        if not halved:
            break
        chosen = max(halved, key=lambda each: is_open[each].size)
        regions.remove(chosen)
        regions += (half for half in _halve(is_open, chosen) if is_open[half].any())
    return [
        Region(str(space.fill(None if isinstance(at, slice) else bool(at) for at in each)))
        for each in sorted(regions, key=str)
    ]


def _halve(is_open: NDArray[np.bool_], region: Index) -> list[Index]:
    """Return the halves of a region, by the axis on which they differ most."""
    inside = is_open[region]
    differences = [
        abs(int(inside.take(0, axis).sum()) - int(inside.take(1, axis).sum()))
        for axis in range(inside.ndim)
    ]
    free = [place for place, at in enumerate(region) if isinstance(at, slice)]
    place = free[int(np.argmax(differences))]
    return [(*region[:place], half, *region[place + 1 :]) for half in (0, 1)]


def _paint(space: RuleSpace, regions: Iterable[str]) -> NDArray[np.uint8]:
    """Return an array with 1 for each rule in one of the regions."""
    painted = np.zeros((2,) * len(space.places), np.uint8)
    for place in _locate(space, regions):
        painted[place] = 1
    return painted


def _locate(space: RuleSpace, regions: Iterable[str]) -> list[Place]:
    """Return the indexes of regions in an array with an axis for each free entry."""
    try:
        return [locate(space, RuleSpace(rules)) for rules in regions]
    except RuleError as error:
        raise UsageError(str(error)) from None


def _find_answers(task: Task, worker: str) -> Answers:
    """Return the tasks of the regions that came with an answer, and the answers.

    Where proofs are required, a region without a pattern needs a proof of its own.
    """
    answers: Answers = []
    regions = [case for case in task.cases if isinstance(case, Region)]
    for case, child in zip(regions, list_cases(task), strict=True):
        if case.generations:
            found = FoundResult(task=child.name, worker=worker, generations=case.generations)
            answers.append((child, found))
        elif case.is_impossible and not task.prove:
            answers.append((child, ImpossibleResult(task=child.name, worker=worker)))
    return answers


def _check_regions(task: Task) -> None:
    """Check that every rule of the task is in a region, and that all regions are smaller.

    Each region must have a rule that is in none before it, as every honest answer has it: the
    pattern of each is simulated.
    """
    if not task.every:
        raise UsageError("only a map is divided into regions of rules")
    regions = [case.rules for case in task.cases if isinstance(case, Region)]
    if len(regions) > MOST_REGIONS:
        raise UsageError(f"a map is divided into at most {MOST_REGIONS} regions at a time")
    if len(set(regions)) < len(regions):
        raise UsageError("a region is there twice")
    space = RuleSpace(task.problem.rule)
    places = _locate(space, regions)
    sizes = [1 << sum(isinstance(at, slice) for at in place) for place in places]
    if max(sizes, default=0) >= space.size:
        raise UsageError("a region is as large as the whole")
    if sum(sizes) > MOST_OVERLAP * space.size:
        raise UsageError(f"the regions cover the rules more than {MOST_OVERLAP} times")
    painted = np.zeros((2,) * len(space.places), np.bool_)
    for rules, place in zip(regions, places, strict=True):
        if painted[place].all():
            raise UsageError(f"the region {rules} has no rule that is not in one before it")
        painted[place] = True
    if missing := int((~painted).sum()):
        raise UsageError(f"the regions leave {write_count(missing, 'rule')} out")


def _is_region(task: Task, whole: Task) -> bool:
    """Whether the rules of a map are a part of those of another."""
    if not (task.every and whole.every) or task.problem == whole.problem:
        return False
    if replace(task.problem, rule=whole.problem.rule) != whole.problem:
        return False
    try:
        locate(RuleSpace(whole.problem.rule), RuleSpace(task.problem.rule))
    except UsageError:
        return False
    return True


RULES: Final = Split(
    "rules",
    Region,
    _check_regions,
    lambda task, region: {"problem": replace(task.problem, rule=region.rules)},
    _is_region,
    needs_all=True,
    find_answers=_find_answers,
)


SPLITS: Final = (BOXES, CELLS, ROWS, RULES)
"""The ways to split: by the box, by the states of cells, by rows, by rules."""


def find_split(task: Task) -> Split:
    """Return the way in which a task was split."""
    kinds = {type(case) for case in task.cases}
    for split in SPLITS:
        if kinds == {split.case}:
            return split
    raise UsageError("the cases of a split must be of one kind, and at least one")


def list_cases(task: Task) -> tuple[Task, ...]:
    """Return the tasks of a task's cases; empty for a task without cases."""
    if not task.cases:
        return ()
    narrow = find_split(task).narrow
    return tuple(
        replace(task, **narrow(task, case), round=0, parent=task.name, cases=())
        for case in task.cases
    )


def check_cases(task: Task) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless a task's cases cover it."""
    split = find_split(task)
    if task.every and task.problem.has_open_rule and split is not RULES:
        raise UsageError("a map is divided into regions of rules")
    split.check(task)


def has_pattern(cases: Iterable[Case]) -> bool:
    """Whether one of the cases comes with a pattern."""
    return any(isinstance(case, Region) and case.generations for case in cases)


def leave_out_claims(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return cases without the claims that they are impossible."""
    return tuple(
        replace(case, is_impossible=False) if isinstance(case, Region) else case for case in cases
    )


def is_case_of(task: Task, whole: Task) -> bool:
    """Whether a task is a case of another, or of one of its cases, and so on.

    >>> from satlife import still_life
    >>> whole = Task(problem=still_life(box="3x3"))
    >>> is_case_of(replace(whole, cells=((0, 0, True),)), whole), is_case_of(whole, whole)
    (True, False)
    """
    return any(split.is_case(task, whole) for split in SPLITS)
