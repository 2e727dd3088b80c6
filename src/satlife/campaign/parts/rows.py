"""Searches by rows, divided into shares of a level: every second node, every third, and so on.

Whoever takes a share goes to that level first and drops the nodes of the others, so a share is
three numbers, and all shares of a level are the whole (:meth:`satlife.rows.hunt.Hunt.keep_share`).
A share may be divided again, at a deeper level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from satlife.campaign.division import Division
from satlife.campaign.messages import Share, Task
from satlife.errors import UsageError

MOST_SHARES: Final = 256
"""Most shares of a level."""
USUAL_SHARES: Final = 64
"""Shares into which a search is divided."""
MOST_NODES: Final = 1 << 15
"""Nodes of a level that is shared out; each share goes through all of them first."""


def share_out(widths: Sequence[int], states: int, shares: Sequence[Share]) -> tuple[Share, ...]:
    """Return shares of a level of a search that has visited so many states.

    It is the deepest level to which all shares together come with about as much work as has been
    done; nothing if no level has two nodes.

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


def _check(task: Task) -> None:
    """Check that the cases are all shares of one level, below those that the task has."""
    if not task.problem.has_open_height:
        raise UsageError("only a search of any height is divided by rows")
    count, level = len(task.cases), task.cases[0].level  # type: ignore[union-attr]
    if not 2 <= count <= MOST_SHARES:
        raise UsageError(f"a level has 2 to {MOST_SHARES} shares, not {count}")
    if level <= (task.shares[-1].level if task.shares else 0):
        raise UsageError(f"the rows are shared out at level {level} or below it already")
    if task.cases != tuple(Share(level, number, count) for number in range(count)):
        raise UsageError("the shares are not all shares of one level")


def _divide(task: Task) -> tuple[Task, ...]:
    return tuple(
        replace(task, shares=(*task.shares, case), round=0, parent=task.name, cases=())
        for case in task.cases
        if isinstance(case, Share)
    )


def _is_case(task: Task, whole: Task) -> bool:
    """Whether a task has the shares of another one, and more."""
    is_more = len(task.shares) > len(whole.shares)
    same = task.problem == whole.problem and task.selection == whole.selection
    return same and is_more and task.shares[: len(whole.shares)] == whole.shares


ROWS: Final = Division("rows", Share, _check, _divide, _is_case)
