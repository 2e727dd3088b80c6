"""Hunting: parts of the problem are searched in a child process, in parallel with the whole.

A solution found there solves the whole problem; finding none proves nothing about it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from satlife.engine.engine import Run
from satlife.formula.classes import History
from satlife.problem import Problem
from satlife.sat.solvers.confined import run_confined

PAUSE: Final = 0.3
"""Seconds during which the whole problem runs alone; most are solved by then."""
SHARE: Final = 0.15
"""Processor time of hunting for each second of every job, after a second that is free."""
# Given by name to avoid a circular import: the row engine is a hunter, and uses the SAT engine.
HUNT: Final = "satlife.engine.heuristics.hunters:hunt"


class HuntResult:
    """The result of hunting."""

    found: History | None = None
    """A solution of the whole problem."""
    details: dict[str, object]
    """How it was found."""
    tried = 0
    """Number of parts tried."""
    error: BaseException | None = None
    """The error that ended hunting; it interrupts the run too."""

    def __init__(self) -> None:
        self.details = {}


@contextmanager
def hunting(problem: Problem, run: Run) -> Iterator[HuntResult]:
    """Hunt within this context; a find interrupts the run."""
    hunt, over = HuntResult(), threading.Event()
    thread = threading.Thread(
        target=_hunt_beside, args=(problem, run, hunt, over), name="satlife-hunt", daemon=True
    )
    thread.start()
    try:
        yield hunt
    finally:
        over.set()
        thread.join()


def _hunt_beside(problem: Problem, run: Run, hunt: HuntResult, over: threading.Event) -> None:
    if over.wait(PAUSE):
        return

    def on_news(news: dict[str, object]) -> None:
        hunt.tried += 1
        run.progress("restrictions", **news)

    try:
        tried = run_confined(
            HUNT,
            problem.to_json(),
            min(1.0, SHARE * run.options.jobs),
            limits=run.limits,
            on_news=on_news,
            stop=over,
        )
    except BaseException as error:
        hunt.error = error
    else:
        if not isinstance(tried, tuple):
            return  # nothing found, or no time or memory left: the whole problem decides
        hunt.details, hunt.found = tried
    run.interrupt_until(over)
