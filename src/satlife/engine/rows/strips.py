"""The engine for oscillators of any length, row by row (:mod:`satlife.rows.strip`)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

from satlife.engine.engine import Engine, GaveUp, Run, Solutions
from satlife.engine.goals import Goal
from satlife.engine.rows.quotients import find_folding, fit, make_quotient, rule_reasons
from satlife.engine.wanted import Wanted
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.problem.constraints import FullPeriod
from satlife.rows.strip import MOST_CELLS, WIDEST, Strip

MOST_MEMORY: Final = 4 << 30
"""Bytes at which a search without a memory limit gives up."""
_INTERVAL: Final = 0.1
"""Seconds between two progress events."""
_EXHAUSTED: Final = "the search by rows has no state left"
_ONE: Final = "the engine strips finds one oscillator of a width; write a height for more"


class StripEngine(Engine):
    """Search breadth-first for an oscillator of the least height."""

    name = "strips"
    title = "oscillators of any length, row by row"
    takes = ("timeout", "memory")

    def refuses(self, problem: Problem) -> str | None:
        """Refuse other problems than oscillators of open height, wide rows, and bounds."""
        why = next((why for wrong, why in _reasons(problem) if wrong), None)
        if why is None or not problem.has_open_height:
            return why
        return f"{why}; write a height, {problem.with_height(2 * problem.width).boxes[0]}, for SAT"

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield an oscillator of the least height."""
        one_cell = any(isinstance(each, FullPeriod) for each in problem.constraints)
        strip = Strip(make_quotient(problem), one_cell=one_cell)
        run.built(self.name, cells=strip.quotient.bits)
        reported = time.monotonic()
        for rows in strip.work():
            counts = {"states": strip.count, "rows": len(strip.levels) - 1}
            run.details |= counts
            if rows and (history := fit(strip.quotient, rows, problem)) is not None:
                yield history
                raise GaveUp(_ONE)
            run.check()
            if strip.memory > (run.options.memory or MOST_MEMORY):
                raise GaveUp("memory limit")
            if time.monotonic() - reported >= _INTERVAL:
                reported = time.monotonic()
                run.progress(self.name, **counts)
        run.details["exhausted"] = True
        return _EXHAUSTED

    def classes(self, problem: Problem, run: Run, wanted: Wanted) -> Solutions:
        """Refuse: equal states are merged, so most oscillators are not met."""
        raise UsageError(_ONE)

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Refuse: the first oscillator is the best by no measure but its height."""
        raise UsageError(
            "the engine strips does not optimise; write a height and take the engine sat"
        )


STRIPS = StripEngine()


def _reasons(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield each limitation of the engine, and whether the problem meets it."""
    motion = problem.motion
    if motion is None or not motion.is_still or not problem.has_open_height:
        yield True, "it finds oscillators in a width without a height, such as 7x*"
        return
    yield bool(problem.known), "it takes no given cells"
    symmetry = problem.parsed.symmetry
    phases, (_, cells) = motion.period // symmetry.factor, find_folding(problem)
    yield cells < 1, "the gutter leaves no cells in a width of 1"
    halves = " (D2v halves them)" * (len(symmetry.full_group) == 1)
    yield cells > WIDEST, f"rows of {cells} free cells are too wide, {WIDEST} is the most{halves}"
    yield (
        cells * phases > MOST_CELLS,
        f"{phases} phases of {cells} free cells are {cells * phases}, {MOST_CELLS} is the "
        f"most{halves}",
    )
    yield from rule_reasons(problem)
    bounds = [each for each in problem.constraints if not (each.clears_axes or each.is_usual)]
    yield bool(bounds), f"it takes no bounds ({', '.join(map(str, bounds))})"
