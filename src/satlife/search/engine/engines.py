"""The engines, in the order in which they are asked to take a problem.

To add one: write its file, with a subclass of :class:`Engine` and a value of it, and add the value
to the tuple.
"""

from __future__ import annotations

from typing import Final

from satlife.errors import UsageError
from satlife.search.engine.brute import BRUTE
from satlife.search.engine.engine import Engine
from satlife.search.engine.rows import ROWS
from satlife.search.engine.sat import SAT
from satlife.search.problem import Problem

ENGINES: Final[tuple[Engine, ...]] = (SAT, BRUTE, ROWS)
"""Every engine; the first one that takes a problem is its default."""


def pick_engine(engine: str | Engine | None, problem: Problem) -> Engine:
    """Return the engine asked for, or for None the first that takes the problem."""
    refusals = []
    if problem.has_open_height and engine is None:
        engine = ROWS
    for each in ENGINES if engine is None else (find_engine(engine),):
        reason = each.refuses(problem)
        if reason is None:
            return each
        refusals.append(f"the engine {each.name} cannot search for this: {reason}")
    raise UsageError("; ".join(refusals))


def find_engine(engine: str | Engine) -> Engine:
    """Return the engine of that name; an engine is returned as it is."""
    if isinstance(engine, Engine):
        return engine
    for each in ENGINES:
        if each.name == engine:
            return each
    raise UsageError(f"no engine {engine!r}; there are {', '.join(e.name for e in ENGINES)}")
