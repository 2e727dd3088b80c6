"""Maps, divided into regions of rules: every rule of a set is in one of them.

Some regions come with their answers, a pattern or that there is none; these are examined as if they
were answers to the tasks of the regions.  The others are still to be asked.

>>> from satlife.search import ship
>>> task = Task(problem=ship("c", box="4x4", rule="B[2][3]/S"), every=True)
>>> [region.rules for region in find_rest(task.problem, ["B3/S"], least=2)]
['B/S', 'B2[3]/S']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from satlife.campaign.division import Answers, Division
from satlife.campaign.messages import FoundResult, ImpossibleResult, Region, Task
from satlife.errors import RuleError, UsageError
from satlife.life.rulespaces import RuleSpace
from satlife.rulemaps.rulemap import locate
from satlife.search.problem import Problem

MOST_REGIONS: Final = 8192
"""Most regions of one answer."""
USUAL_REST: Final = 64
"""Regions, about, into which the rules are divided that have no answer yet."""
LEAST_REST: Final = 8
"""At least so many, if there are as many rules."""

Cube = tuple[slice | int, ...]


def find_rest(
    problem: Problem, settled: Iterable[str], least: int = LEAST_REST, most: int = USUAL_REST
) -> list[Region]:
    """Return regions that hold every rule of a problem that is in none of the settled ones.

    A region is halved by the entry that leaves most of what is settled in one half; a few rules
    that are settled may stay in a region of many that are not.
    """
    space = RuleSpace(problem.rule)
    is_open = _paint(space, settled) == 0
    whole: Cube = (slice(None),) * is_open.ndim
    cubes = [whole] if is_open.any() else []
    while cubes:
        mixed = [cube for cube in cubes if not is_open[cube].all()]
        halved = [cube for cube in mixed if len(cubes) < most] or [
            cube for cube in cubes if is_open[cube].size > 1 and len(cubes) < least
        ]
        if not halved:
            break
        chosen = max(halved, key=lambda cube: is_open[cube].size)
        cubes.remove(chosen)
        cubes += (half for half in _halve(is_open, chosen) if is_open[half].any())
    return [
        Region(str(space.fill(None if isinstance(at, slice) else bool(at) for at in cube)))
        for cube in sorted(cubes, key=str)
    ]


def _halve(is_open: NDArray[np.bool_], cube: Cube) -> list[Cube]:
    """Return the halves of a cube, by the axis on which they differ most."""
    inside = is_open[cube]
    differences = [
        abs(int(inside.take(0, axis).sum()) - int(inside.take(1, axis).sum()))
        for axis in range(inside.ndim)
    ]
    free = [place for place, at in enumerate(cube) if isinstance(at, slice)]
    place = free[int(np.argmax(differences))]
    return [(*cube[:place], half, *cube[place + 1 :]) for half in (0, 1)]


def _paint(space: RuleSpace, regions: Iterable[str]) -> NDArray[np.uint8]:
    """Return 1 for each rule that is in one of the regions."""
    painted = np.zeros((2,) * len(space.places), np.uint8)
    for rules in regions:
        try:
            painted[locate(space, RuleSpace(rules))] = 1
        except RuleError as error:
            raise UsageError(str(error)) from None
    return painted


def _find_answers(task: Task, worker: str) -> Answers:
    """Return the tasks of the regions that came with an answer, and the answers.

    Where proofs are asked for, a region without a pattern is to be proved by itself.
    """
    answers: Answers = []
    regions = [case for case in task.cases if isinstance(case, Region)]
    for case, child in zip(regions, _divide(task), strict=True):
        if case.generations:
            found = FoundResult(task=child.name, worker=worker, generations=case.generations)
            answers.append((child, found))
        elif case.is_impossible and not task.prove:
            answers.append((child, ImpossibleResult(task=child.name, worker=worker)))
    return answers


def _check(task: Task) -> None:
    """Check that every rule of the task is in a region, and that all regions are smaller."""
    if not task.every:
        raise UsageError("only a map is divided into regions of rules")
    regions = [case.rules for case in task.cases if isinstance(case, Region)]
    if len(regions) > MOST_REGIONS:
        raise UsageError(f"a map is divided into at most {MOST_REGIONS} regions at a time")
    space = RuleSpace(task.problem.rule)
    missing = int((_paint(space, regions) == 0).sum())
    if missing:
        raise UsageError(f"{missing:,} rules are in none of the regions")
    if any(RuleSpace(rules).size >= space.size for rules in regions):
        raise UsageError("a region is as large as the whole")


def _divide(task: Task) -> tuple[Task, ...]:
    return tuple(
        replace(
            task,
            problem=replace(task.problem, rule=case.rules),
            round=0,
            parent=task.name,
            cases=(),
        )
        for case in task.cases
        if isinstance(case, Region)
    )


def _is_case(task: Task, whole: Task) -> bool:
    """Whether the rules of a map are a part of those of another one."""
    if not (task.every and whole.every) or task.problem == whole.problem:
        return False
    if replace(task.problem, rule=whole.problem.rule) != whole.problem:
        return False
    try:
        locate(RuleSpace(whole.problem.rule), RuleSpace(task.problem.rule))
    except UsageError:
        return False
    return True


RULES: Final = Division(
    "rules", Region, _check, _divide, _is_case, needs_all=True, find_answers=_find_answers
)
