"""Hunting: parts of a problem are searched in a child process, beside the whole problem.

What is found there solves the whole problem.  If nothing is, that says nothing of the whole.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from satlife.sat.solvers.confined import run_confined
from satlife.search.engine.engine import Run
from satlife.search.formula.classes import History
from satlife.search.problem import Problem

HEAD_START: Final = 0.3
"""Seconds that the whole problem has to itself; most are solved by then."""
SHARE: Final = 0.25
"""Processor time for each second of every job: with it, a fifth of all."""
# By its name, since the row engine, which is one of the hunters, uses the SAT engine, which hunts.
HUNT: Final = "satlife.search.engine.hunters:hunt"


class Hunt:
    """What came of hunting."""

    found: History | None = None
    """A solution of the whole problem."""
    details: dict[str, object]
    """How it was found."""
    error: BaseException | None = None
    """Why hunting failed, which interrupts the run too."""

    def __init__(self) -> None:
        self.details = {}


@contextmanager
def hunting(problem: Problem, run: Run) -> Iterator[Hunt]:
    """Hunt while this lasts; a find interrupts whatever the run is doing."""
    hunt, over = Hunt(), threading.Event()
    thread = threading.Thread(
        target=_hunt_beside, args=(problem, run, hunt, over), name="satlife-hunt", daemon=True
    )
    thread.start()
    try:
        yield hunt
    finally:
        over.set()
        thread.join()


def _hunt_beside(problem: Problem, run: Run, hunt: Hunt, over: threading.Event) -> None:
    if over.wait(HEAD_START):
        return
    try:
        tried = run_confined(
            HUNT,
            problem.to_json(),
            min(1.0, SHARE * run.options.jobs),
            limits=run.limits,
            on_news=lambda news: run.progress("restrictions", **news),
            stop=over,
        )
    except BaseException as error:
        hunt.error = error
    else:
        if not isinstance(tried, tuple):
            return  # nothing found, or no time or memory left: the whole problem decides
        hunt.details, hunt.found = tried
    run.interrupt_until(over)
