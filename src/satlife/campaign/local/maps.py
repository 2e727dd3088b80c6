"""Solve a task that asks for every rule of a set: a map, or a region of one.

A set whose rules do not all have the same answer comes back as its regions: those that are settled,
with their answers, and the rest, divided for others.
"""

from __future__ import annotations

import time
from typing import Any, Final

import msgspec

from satlife.campaign.messages import (
    LARGEST_MESSAGE,
    AnyResult,
    FoundResult,
    ImpossibleResult,
    Region,
    SplitResult,
    Task,
)
from satlife.campaign.parts.rules import MOST_REGIONS, USUAL_REST, find_rest
from satlife.rulemaps import Region as SettledRegion
from satlife.rulemaps import make_map
from satlife.rulemaps.making import SOLVER
from satlife.search.problem import Problem
from satlife.search.problem.drawing import Drawing, draw_states
from satlife.search.problem.open_rule import is_open

_MOST_BYTES: Final = LARGEST_MESSAGE * 3 // 4
"""Bytes of the settled regions of one answer; the others are asked again."""


def solve_map(task: Task, worker: str) -> AnyResult | None:
    """Return the regions of a task's rules, or the one answer that all of them have.

    None means that it is an ordinary search: for one rule, or for a proof that no rule has any.
    """
    problem = task.problem
    if not is_open(problem):
        return None
    begun = time.monotonic()
    made = make_map(problem, timeout=task.budget.seconds)
    said: dict[str, Any] = {
        "task": task.name,
        "worker": worker,
        "round": task.round,
        "seconds": round(time.monotonic() - begun, 6),
        "solver": SOLVER,
    }
    if len(made.regions) == 1 and made.is_complete:
        (whole,) = made.regions
        if whole.pattern is not None:
            return FoundResult(generations=draw_region(problem, whole), **said)
        return None if task.prove else ImpossibleResult(reason="refuted by the solver", **said)
    settled: list[Region] = []
    size = 0
    for region in made.regions[: MOST_REGIONS - USUAL_REST]:
        settled.append(write_region(problem, region))
        size += len(msgspec.json.encode(settled[-1]))
        if size > _MOST_BYTES:
            break
    rest = find_rest(problem, [region.rules for region in settled])
    return SplitResult(cases=(*settled, *rest), **said)


def write_region(problem: Problem, region: SettledRegion) -> Region:
    """Return a settled region as a case of a task."""
    if region.pattern is None:
        return Region(str(region.rules), is_impossible=True)
    return Region(str(region.rules), draw_region(problem, region))


def draw_region(problem: Problem, region: SettledRegion) -> tuple[Drawing, ...]:
    """Draw the generations of a region's pattern."""
    if region.pattern is None:
        return ()
    return tuple(
        draw_states(region.pattern[t].in_box(box)) for t, box in enumerate(problem.all_boxes)
    )
