"""Tasks that really split: by boxes, cells, rows and rules, whether they take long or not."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from unittest import mock

from msgspec.structs import replace

from satlife import Problem
from satlife.campaign.cases import share_out
from satlife.campaign.local import task_solver
from satlife.campaign.local.task_solver import solve_task, split_cells, split_task
from satlife.campaign.messages import AnyResult, Budget, Case, SplitResult, Task
from satlife.rulemaps import RuleMap, make_map

WORKER = "player"
NOTHING = Budget(seconds=1e-6)
"""So little time that a task reaches its limit at once."""
DEEPEST = 3


def divide_task(chance: random.Random, notes: Counter[str]):
    """Return how a task is answered: with cases, more often the nearer it is to the whole."""

    def solve(task: Task, proof: Path | None) -> AnyResult:
        way, depth = find_way(task), _depth(task)
        if way is None or depth >= DEEPEST or chance.random() > 0.95 / (1 + depth):
            return solve_task(task, WORKER, proof)
        result = _WAYS[way](task, proof, chance)
        if isinstance(result, SplitResult):
            notes[f"split by {way}"] += 1
        return result

    return solve


def find_way(task: Task) -> str | None:
    """Return what a task is divided by; None if it may not be."""
    if task.problem.has_open_height:
        return "rows"
    if task.every and task.problem.has_open_rule:
        return "rules"
    return "cells" if task.split else None


def _depth(task: Task) -> int:
    return len(task.shares) + len(task.cells) // 2 + bool(task.exact and task.parent)


def _by_cells(task: Task, proof: Path | None, chance: random.Random) -> AnyResult:
    """Reach the time limit, or be cut at a few cells; what cannot be split is solved."""
    if chance.random() < 0.5:
        result = solve_task(replace(task, budget=NOTHING), WORKER, proof)
        if isinstance(result, SplitResult):
            return result
    split = chance.choice((split_task, split_cells))
    if cases := split(task, chance.randint(2, 8)):
        return _split(task, cases)
    return solve_task(task, WORKER, proof)


def _split(task: Task, cases: tuple[Case, ...]) -> SplitResult:
    return SplitResult(task=task.name, worker=WORKER, round=task.round, cases=cases)


def _by_rows(task: Task, proof: Path | None, chance: random.Random) -> AnyResult:
    """Be shared out at a level of some width."""
    from satlife.engine.rows.quotients import make_quotient
    from satlife.rows.hunt import Hunt

    hunt = Hunt(make_quotient(task.problem))
    for share in task.shares:
        hunt.keep_share(share.level, share.number, share.count)
    width = chance.choice((2, 4, 9, 20))
    for _ in hunt.work():
        if hunt.widths[-1] >= width:
            break
    cases = share_out(hunt.widths, chance.choice((1, 10**9)), task.shares)
    return _split(task, cases) if cases else solve_task(task, WORKER, proof)


def _by_rules(task: Task, proof: Path | None, chance: random.Random) -> AnyResult:
    """Settle none of the regions, or some of them, before the time limit."""
    settled = chance.choice((0, 1, 1, 2))

    def make_piece(problem: Problem, **how: object) -> RuleMap:
        whole = make_map(problem)
        return RuleMap(problem, whole.regions[:settled], reason="time limit")

    with mock.patch.object(task_solver, "make_map", make_piece):
        return solve_task(task, WORKER, proof)


_WAYS = {"cells": _by_cells, "rows": _by_rows, "rules": _by_rules}
