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
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.campaign.cases import find_rest
from satlife.campaign.core.events import Event, FailedEvent, FoundEvent
from satlife.campaign.core.trust import examine
from satlife.campaign.messages import FoundResult, Region, SplitResult, Task
from satlife.errors import FormatError
from satlife.life.motion import Motion
from satlife.life.rulespaces.ranges import number_neighbourhoods
from satlife.problem import Problem
from satlife.problem.bounds import Population
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


class _Shelf:
    """Finds of one kind with one motion; the arrays have room for more than there are."""

    def __init__(self) -> None:
        self.finds: list[_Witness] = []
        self.drawn: set[bytes] = set()
        self._sizes = np.empty((16, 3), np.int64)
        self._fates = np.empty((2, 16, 8), np.uint64)

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Height, width and population of the first generation of each find."""
        return self._sizes[: len(self.finds)]

    @property
    def met(self) -> Numbers:
        """The neighbourhoods that occur in each find, as bits."""
        return self._fates[0, : len(self.finds)]

    @property
    def alive(self) -> Numbers:
        """Those whose cell lives in the next generation."""
        return self._fates[1, : len(self.finds)]

    def add(self, find: _Witness, motion: Motion) -> None:
        """Add a find; the arrays double, so that each find costs the same."""
        number = len(self.finds)
        if number == len(self._sizes):
            self._sizes = np.concatenate([self._sizes, self._sizes])
            self._fates = np.concatenate([self._fates, self._fates], axis=1)
        first = find.history[0]
        self._sizes[number] = *first.shape, np.count_nonzero(first)
        self._fates[:, number] = _read_fates(find.history, motion)
        self.finds.append(find)


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
        if key is None or problem.motion is None or found.identity in self._identities:
            return
        self._identities.add(found.identity)
        try:
            history = _trim(read_history(problem, found.generations))
        except FormatError:  # nobody has verified what an edited ledger says
            return
        drawn = b"".join(states.tobytes() for states in history) + repr(history[0].shape).encode()
        shelf = self._shelves.setdefault(key, _Shelf())
        if history[0].size and drawn not in shelf.drawn:
            shelf.drawn.add(drawn)
            shelf.add(_Witness(history, found.worker), problem.motion)

    def contradict(self, task: Task) -> Iterator[Event]:
        """Yield the event of a find that solves a task which is called impossible, if there is one.

        Of a map, that is a split in which the rules of the find are a region with its pattern.
        """
        problem = task.problem
        shelf = self._shelves.get(_find_key(problem) or ())
        if shelf is None or task.cells or task.shares or (task.every and task.cases):
            return
        least, most = _read_sizes(problem)
        small = np.flatnonzero(((least <= shelf.sizes) & (shelf.sizes <= most)).all(axis=1))
        fixed, alive = _read_rule(problem)
        is_clash = (shelf.met[small] & fixed & (shelf.alive[small] ^ alive)).any(axis=1)
        for number in small[~is_clash]:
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


def _read_fates(history: History, motion: Motion) -> tuple[Numbers, Numbers]:
    """Return the neighbourhoods of a solution, and those whose cell lives in the next generation.

    The step back to a first generation that is turned is left to the simulator.
    """
    met, alive = np.zeros((2, _NEIGHBOURHOODS), np.bool_)
    steps = [(now, then, (0, 0)) for now, then in pairwise(history)]
    if len(history) == motion.period and motion.transform == "identity":
        steps.append((history[-1], history[0], motion.displacement))
    for now, then, (dx, dy) in steps:
        border = 1 + max(abs(dx), abs(dy))
        numbers = number_neighbourhoods(np.pad(now, border))
        met[numbers] = True
        moved = np.roll(np.pad(then, border), (dy, dx), axis=(0, 1))
        alive[numbers[moved == 1]] = True
    return _pack(met), _pack(alive)


def _read_sizes(problem: Problem) -> tuple[list[float], list[float]]:
    """Return the least and the largest height, width and population of a problem's solutions."""
    least, most = [0.0, 0.0, 0.0], [np.inf, np.inf, np.inf]
    if not problem.has_slanted_width:  # it counts diagonals, which the simulator looks at
        most[1] = problem.width
        if not problem.has_open_height:
            most[0] = problem.all_boxes[0].height
    for bound in problem.constraints:
        if isinstance(bound, Population) and bound.generation == 0:
            least[2] = max(least[2], bound.least)
            most[2] = most[2] if bound.most is None else min(most[2], bound.most)
    return least, most


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
