"""Finds as witnesses against claims: is a find also a solution of what was called impossible?

A find may fit a smaller box, another symmetry, other bounds or another rule than those that were
asked for.  If such a task was called impossible, the claim is false, whoever made it.  The envelope
of a find and the neighbourhoods in it show at once for which tasks a closer look is worthwhile;
that look is the simulator's, in :func:`~satlife.campaign.core.trust.examine`.

>>> from satlife import find, ship
>>> from satlife.problem.outcome import draw
>>> problem = ship("c/4d", box="5x4")
>>> witnesses = Witnesses()
>>> drawn = draw(find(problem).finding)
>>> witnesses.add(problem, FoundEvent(problem.name, "anna", 0, drawn, "xq4_153"))
>>> for rule, box in (("B3/S23", "4x4"), ("B3/S23", "3x3"), ("B36/S23", "9x9"), ("B3/S2", "4x4")):
...     refuted = Task(problem=ship("c/4d", box=box, rule=rule))
...     print([type(event).__name__ for event in witnesses.contradict(refuted)])
['FoundEvent']
[]
['FoundEvent']
[]

Cases with given cells and shares of rows are not tried, only the tasks above them: such a case may
leave a find to another case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.campaign.cases import find_rest
from satlife.campaign.core.events import Event, FailedEvent, FoundEvent
from satlife.campaign.core.trust import examine
from satlife.campaign.messages import FoundResult, Region, SplitResult, Task
from satlife.errors import FormatError
from satlife.life.rulespaces.ranges import number_neighbourhoods
from satlife.problem import Problem
from satlife.problem.exact import place
from satlife.problem.outcome import History, draw_states, read_history
from satlife.verifier.verify import find_rules

Numbers = npt.NDArray[np.uint64]
_NEIGHBOURHOODS: Final = 512


@dataclass(frozen=True)
class _Witness:
    """A find, cut to its envelope."""

    history: History
    worker: str
    """Who found it."""


@dataclass
class _Shelf:
    """Finds of one kind with one motion; the arrays have a row for each."""

    finds: list[_Witness] = field(default_factory=list)
    drawn: set[bytes] = field(default_factory=set)
    sizes: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), np.int64))
    """Heights and widths."""
    met: Numbers = field(default_factory=lambda: np.empty((0, 8), np.uint64))
    """The neighbourhoods that occur in it, as bits."""
    alive: Numbers = field(default_factory=lambda: np.empty((0, 8), np.uint64))
    """Those whose cell lives in the next generation."""


class Witnesses:
    """The finds of a campaign, each object and each drawing once."""

    def __init__(self) -> None:
        self._shelves: dict[tuple[object, ...], _Shelf] = {}
        self._identities: set[str] = set()

    def __len__(self) -> int:
        return sum(len(shelf.finds) for shelf in self._shelves.values())

    def add(self, problem: Problem, found: FoundEvent) -> None:
        """Take in a verified find, unless it is known or has no envelope."""
        key = _find_key(problem)
        if key is None or found.identity in self._identities:
            return
        self._identities.add(found.identity)
        try:
            history = _trim(read_history(problem, found.generations))
        except FormatError:  # nobody has verified what an edited ledger says
            return
        drawn = b"".join(states.tobytes() for states in history) + repr(history[0].shape).encode()
        shelf = self._shelves.setdefault(key, _Shelf())
        if history[0].size and drawn not in shelf.drawn:
            met, alive = _read_fates(history)
            shelf.drawn.add(drawn)
            shelf.finds.append(_Witness(history, found.worker))
            shelf.sizes = np.vstack([shelf.sizes, history[0].shape])
            shelf.met, shelf.alive = np.vstack([shelf.met, met]), np.vstack([shelf.alive, alive])

    def contradict(self, task: Task) -> Iterator[Event]:
        """Yield the event of a find that solves a task which is called impossible, if there is one.

        Of a map, that is a split in which the rules of the find are a region with its pattern.
        """
        problem = task.problem
        shelf = self._shelves.get(_find_key(problem) or ())
        if shelf is None or task.cells or task.shares or (task.every and task.cases):
            return
        if problem.has_slanted_width:  # it counts diagonals, which the simulator looks at
            most: tuple[float, float] = np.inf, np.inf
        else:
            open_ = problem.has_open_height
            most = np.inf if open_ else problem.all_boxes[0].height, problem.width
        is_small = (shelf.sizes <= most).all(axis=1)
        fixed, alive = _read_rule(problem)
        is_clash = (shelf.met & fixed & (shelf.alive ^ alive)).any(axis=1)
        for number in np.flatnonzero(is_small & ~is_clash):
            event = _try(task, shelf.finds[number])
            if not (isinstance(event, FailedEvent) or getattr(event, "elsewhere", False)):
                yield event
                return


def _find_key(problem: Problem) -> tuple[object, ...] | None:
    """Return what a task must share with a find; None if its solutions have no envelope."""
    is_one_box = len(problem.boxes) == 1 and problem.boundary == "dead"
    if not is_one_box or problem.motion is None or problem.background or problem.states > 2:
        return None
    return problem.kind, problem.motion, problem.generations


def _trim(history: History) -> History:
    """Cut a solution to its envelope."""
    alive = np.logical_or.reduce(history)
    rows, columns = (np.flatnonzero(alive.any(axis=axis)) for axis in (1, 0))
    if not rows.size:
        return tuple(states[:0, :0] for states in history)
    inside = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return tuple(np.ascontiguousarray(states[inside]) for states in history)


def _read_fates(history: History) -> tuple[Numbers, Numbers]:
    """Return the neighbourhoods of a solution, and those whose cell lives in the next generation.

    The step from the last generation to the first is left to the simulator.
    """
    met, alive = np.zeros((2, _NEIGHBOURHOODS), np.bool_)
    for now, then in pairwise(history):
        numbers = number_neighbourhoods(np.pad(now, 1))
        met[numbers] = True
        alive[numbers[np.pad(then, 1) == 1]] = True
    return _pack(met), _pack(alive)


def _read_rule(problem: Problem) -> tuple[Numbers, Numbers]:
    """Return the neighbourhoods with one fate in all rules of a problem, and the live ones."""
    table = (problem.parsed.space or problem.parsed.rule).table
    return _pack(table < 2), _pack(table == 1)


def _pack(bits: npt.NDArray[np.bool_]) -> Numbers:
    return np.packbits(bits).view(np.uint64)


def _try(task: Task, find: _Witness) -> Event:
    """Examine a find as a result of another task."""
    whole = task.problem.with_height(max(find.history[0].shape))
    history = place(whole, find.history)
    generations = tuple(map(draw_states, history))
    rules = find_rules(whole, history) if task.every and task.problem.has_open_rule else None
    if rules is None or rules == task.problem.parsed.space:
        found = FoundResult(
            task=task.name, worker=find.worker, round=task.round, generations=generations
        )
        return examine(task, found)
    region = Region(str(rules), generations)
    rest = find_rest(task.problem, [region.rules])
    split = SplitResult(task=task.name, worker=find.worker, round=task.round, cases=(region, *rest))
    return examine(task, split)
