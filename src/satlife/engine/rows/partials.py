"""Partial ships of the row engine: where a search begins, what it saves, and what it leaves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from satlife.engine.engine import GaveUp, Run
from satlife.errors import UsageError
from satlife.life import Box, Pattern, Rule
from satlife.problem import Problem
from satlife.rows.quotient import Quotient

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt
    from satlife.rows.units import Ship

SAVE_EVERY = 30.0
"""Seconds between two saves; or ten times as long as a save takes."""


def begin(hunt: Hunt, problem: Problem, run: Run) -> None:
    """Begin a hunt where its options say: at a saved one, at a partial ship, or at nothing."""
    from satlife.rows.hunt import load  # noqa: PLC0415 - needs numba

    save, extend = run.options.save, run.options.extend
    if extend is not None:
        hunt.begin_with(read_partial(hunt.quotient, extend, problem.width))
    if save is not None and save.exists():
        load(hunt, save)  # refused unless it begins with the same rows
        run.details["continued"] = str(save)


@contextmanager
def keeping(hunt: Hunt, problem: Problem, run: Run) -> Iterator[Callable[[], None]]:
    """Save a hunt now and then and at its end, and then tell what it has reached.

    What is yielded is called after each piece of work; it gives up when no more time is left than
    the last save will take.
    """
    from satlife.rows.hunt import save  # noqa: PLC0415 - needs numba

    path, due, took = run.options.save, time.monotonic() + SAVE_EVERY, 0.0

    def keep() -> None:
        nonlocal due, took
        if path is not None and time.monotonic() > due:
            begun = time.monotonic()
            save(hunt, path)
            took = time.monotonic() - begun
            due = time.monotonic() + max(SAVE_EVERY, 10 * took)
        left = run.deadline.left
        if left is not None and left < took:
            raise GaveUp("time limit")

    if path is not None:
        save(hunt, path)  # a file that cannot be written is told before the search
    try:
        yield keep
    finally:
        if path is not None:
            save(hunt, path)
        counts = hunt.counts
        run.details |= {"states": counts.states, "rows": counts.deepest}
        if run.options.partials:
            run.details["partials"] = _write_partials(
                hunt, problem.parsed.rule, run.options.partials
            )


def draw(quotient: Quotient, rows: Ship) -> str:
    """Draw generation 0 of a partial ship."""
    _, frames = quotient.unfold(rows or (0,))
    return "\n".join("".join(".O"[cell] for cell in row) for row in frames[0].tolist())


def _write_partials(hunt: Hunt, rule: Rule, count: int) -> list[str]:
    """Write generation 0 of the longest partial ships; other rows may have the same one."""
    found: dict[str, None] = {}
    for rows in hunt.partials():
        first = Pattern.from_array(hunt.quotient.unfold(rows)[1][0], rule=rule)
        if not first.is_empty:
            found[first.to_rle()] = None
        if len(found) == count:
            break
    return list(found)


def read_partial(quotient: Quotient, pattern: Pattern, width: int) -> Ship:
    """Return the rows that a partial ship fixes: its front, as far as its rear cannot disturb it.

    The pattern is one generation, its front at the top.  Each generation that it runs spoils one
    row more at its lower end.
    """
    box, last = pattern.box, quotient.generations  # the last one must be the first again
    if box.width > width or ((width - box.width) % 2 and quotient.fold != "none"):
        raise UsageError(f"a partial {box.width} wide does not lie in the middle of {width} cells")
    if box.height <= last:
        raise UsageError(
            f"a partial of {box.height} rows says nothing for certain; it needs {last + 1} or more"
        )
    left, above = box.x - (width - box.width) // 2, last
    frames = []
    for t in range(last + 1):
        whole = pattern[t].in_box(Box(left - 1, box.y - above, width + 2, box.height + above - t))
        if whole[:, 0].any() or whole[:, -1].any():
            raise UsageError(f"the partial grows beyond a width of {width}")
        frames.append(np.ascontiguousarray(whole[:, 1:-1]))
    rows = quotient.read(-above, frames)
    certain = _certain(quotient, frames, above)
    if not certain:
        raise UsageError("the partial has no rows that are certain")
    return rows[:certain]


def _certain(quotient: Quotient, frames: list[np.ndarray], above: int) -> int:
    """Return how many rows, from the first that is not empty, the generations fix."""
    known, filled = set(), set()
    for t, cells in enumerate(frames):
        for y, line in enumerate(cells, -above):
            n = quotient.period * y + quotient.step * t
            known.add((n, quotient.find_lane(y, t)))
            if line.any():
                filled.add(n)
    if not filled:
        return 0
    first = last = min(filled)
    while all((last, lane) in known for lane in range(quotient.lanes)):
        last += 1
    return last - first
