"""Finishing partial ships by SAT: the front is given, and a box of some more rows is solved.

The search by rows goes on meanwhile; whichever closes a ship first wins.
"""

from __future__ import annotations

import threading
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from satlife.errors import UsageError
from satlife.rows.quotient import Quotient
from satlife.search.engine.engine import GaveUp, Options, Run
from satlife.search.engine.sat import SatEngine
from satlife.search.formula.classes import History
from satlife.search.problem import Known, Problem

if TYPE_CHECKING:
    from satlife.rows.units import Ship

MORE_ROWS = 8
"""Rows of the box below the front."""
SECONDS = 60.0
"""How long one front is tried."""


def make_box_problem(problem: Problem, quotient: Quotient, rows: Ship, more: int) -> Problem:
    """Return the problem of a box that holds a front and so many more rows, the front given."""
    top, frames = quotient.unfold(rows)
    height = len(frames[0]) + more
    known = []
    for t, cells in enumerate(frames):
        lines = [
            "".join(".o"[cell] for cell in line)
            for y, line in enumerate(cells.tolist(), top)
            if quotient.period * y + quotient.step * t < len(rows)
        ]
        known.append(Known(t=t, rows=tuple(lines)))
    boxes = (f"{problem.width}x{height}",)
    return msgspec.structs.replace(problem, boxes=boxes, known=tuple(known))


def finish(problem: Problem, quotient: Quotient, rows: Ship, run: Run) -> History | None:
    """Return the generations of a ship that begins with these rows, if SAT finds one in time."""
    # A box that is too large for SAT is not tried; the search by rows goes on.
    with suppress(GaveUp, StopIteration, UsageError):
        asked = make_box_problem(problem, quotient, rows, MORE_ROWS)
        with closing(SatEngine().solutions(asked, run)) as solutions:
            return next(solutions)
    return None


class Finisher:
    """A thread that tries to finish the longest front, again when there is a longer one.

    It does nothing unless the run has several jobs.
    """

    def __init__(self, problem: Problem, quotient: Quotient, run: Run | None) -> None:
        self.found: History | None = None
        self._asked = problem, quotient
        self._works = run is not None and run.options.jobs > 1
        how = run.options if run is not None else Options()
        self._run = Run(replace(how, jobs=1, timeout=SECONDS, save=None, extend=None, partials=0))
        self._tried: Ship = ()
        self._thread: threading.Thread | None = None

    def offer(self, front: Ship) -> None:
        """Begin with a front, unless another one is being tried or it is hardly longer."""
        enough = 2 * self._asked[1].period
        busy = self._thread is not None and self._thread.is_alive()
        if busy or not self._works or len(front) < len(self._tried) + enough:
            return
        self._tried = front
        self._run = Run(self._run.options)
        self._thread = threading.Thread(target=self._work, name="satlife-finish", daemon=True)
        self._thread.start()

    def take(self) -> History | None:
        """Return a ship that was finished, once."""
        found, self.found = self.found, None
        return found

    def _work(self) -> None:
        self.found = finish(*self._asked, self._tried, self._run)

    def close(self) -> None:
        """Stop, and wait for the end."""
        while self._thread is not None and self._thread.is_alive():
            self._run.stop()
            self._thread.join(0.05)
