"""Children of a pool that behave badly, and looking after processes."""

from __future__ import annotations

import sys
from pathlib import Path

# A real child, but for what it does with boxes of some sizes.
_PROGRAM = """
import os, time
from satlife.campaign.local import child

solve = child.solve_task
marks = {marks!r}

def solve_task(task, worker, proof):
    act = {acts!r}.get(task.problem.boxes[0])
    if marks:
        with open(marks, "a") as file:
            file.write(task.problem.boxes[0] + chr(10))
    if act == "die":
        os.write(2, b"my last words")
        os.abort()
    if act == "raise":
        raise RuntimeError("a bug")
    if act == "sleep":
        time.sleep(600)
    if act == "nap":
        time.sleep(0.2)
    if act == "eat":
        held = [bytearray(1 << 20) for _ in range(100_000)]
    if act in ("split", "boxes") and not task.parent:
        from satlife.campaign.messages import SplitResult
        from satlife.campaign.local.task_solver import split_cells, split_task
        cases = (split_cells if act == "split" else split_task)(task, 2)
        if cases:
            return SplitResult(task=task.name, worker=worker, cases=cases)
    if act == "share" and len(task.shares) < 2:
        from satlife.campaign.messages import SplitResult
        from satlife.campaign.cases import share_out
        from satlife.engine.rows.quotients import make_quotient
        from satlife.rows.hunt import Hunt
        hunt = Hunt(make_quotient(task.problem))
        for each in task.shares:
            hunt.keep_share(each.level, each.number, each.count)
        for _ in hunt.work():
            if hunt.widths[-1] > 9:
                break
        cases = share_out(hunt.widths, 10**9, task.shares)
        if cases:
            return SplitResult(task=task.name, worker=worker, cases=cases)
    if act == "piece":
        from satlife.campaign.local import task_solver
        from satlife.rulemaps import RuleMap, make_map
        def make_piece(problem, **how):
            return RuleMap(problem, make_map(problem).regions[:1], reason="time limit")
        task_solver.make_map = make_piece
    if act == "babble":
        os.write(3, b"not JSON at all" + bytes([10]))
    return solve(task, worker, proof)

child.solve_task = solve_task
child.main()
"""


def command(acts: dict[str, str], marks: Path | None = None) -> tuple[str, ...]:
    """The command of a child that acts strangely on tasks with these boxes."""
    return (sys.executable, "-c", _PROGRAM.format(acts=acts, marks=str(marks) if marks else ""))
