"""Proving by cases: a tree, by several child processes; or cubes, each a problem of its own.

Look-ahead splits the formula on cells of generation 0.  Each leaf is solved, trimmed, checked and
packed in a child process of its own; one that takes too long is split further.  None of this must
be trusted: that the leaves are everything is seen from the tree, and each has its proof.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from satlife.certificates.audit.constraints import list_places
from satlife.certificates.audit.tree import Case, read_tree, write_tree
from satlife.certificates.folder import Part
from satlife.certificates.obligations import Obligation, split_off
from satlife.errors import UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.problem import Known, Problem
from satlife.sat import Answer, Limits, Reason, Refuted, Satisfied, Undecided
from satlife.sat.cubes import Look, Lookahead
from satlife.sat.logic import TRUE
from satlife.sat.solvers.confined import run_confined

WHOLE: Final = 5.0
"""Seconds for which the formula is tried as a whole: what is easy is not divided."""
LEAVES: Final = 8
"""Leaves at first, for each job."""
PATIENCE: Final = 60.0
"""Seconds, at least, after which a leaf is split."""
PART: Final = 0.25
"""The same, as a part of the time of all leaves so far."""
LEVELS: Final = 3
"""Decisions by which such a leaf is split."""
_POLL: Final = 0.5

Tried = tuple[Answer, Part | str | None]
"""The answer of a leaf; if it is refuted, its part, or why its proof cannot be used."""


@dataclass(frozen=True)
class Branched:
    """What a tree came to: a proof for each leaf, or the answer that ended it."""

    answer: Answer
    tree: str = ""
    parts: tuple[Part, ...] = ()
    leaf: Obligation | None = None
    """The leaf that has a solution, or no answer."""


@dataclass(frozen=True, kw_only=True)
class Branching:
    """How to prove by a tree."""

    jobs: int
    leaves: int
    limits: Callable[[], Limits]
    """What is left of the limits of everything."""
    try_leaf: str
    """The function, ``module:name``, that proves a leaf in a child process."""
    order: object
    """What it is given, before the leaf and the seconds for solving it."""
    tell: Callable[[str, str], None]
    stop: threading.Event = field(default_factory=threading.Event)


def prove_by_tree(problem: Problem, whole: Obligation, how: Branching) -> Branched:
    """Prove an obligation leaf by leaf; the files of the leaves' proofs are left as parts."""
    formula, box = whole.whole, problem.all_boxes[0]
    cells = {formula.variable(name): name for name in (f"x{x}y{y}t0" for x, y in list_places(box))}
    how.tell("dividing the formula", "")
    with Lookahead(formula, cells) as lookahead:
        tree = _Tree(whole, lookahead)
        tree.push((), lookahead.look(()))
        tree.grow(how.leaves)
        ended = tree.run(how)
    if ended is not None:
        return ended
    text = write_tree(tree.splits, cells)
    names = {name: variable for variable, name in cells.items()}
    return Branched(Refuted(), text, tuple(tree.proved[case] for case in read_tree(text, names)))


class _Tree:
    """The tree so far: inner cases, those that wait, and those that are proved."""

    def __init__(self, whole: Obligation, lookahead: Lookahead) -> None:
        self.whole, self.lookahead = whole, lookahead
        self.splits: dict[Case, int] = {}
        self.waiting: list[tuple[int, int, Case, Look | None]] = []
        self.proved: dict[Case, Part] = {}
        self.pushed, self.spent = 0, 0.0

    def push(self, case: Case, look: Look | None) -> None:
        """Let a case wait; look is None if look-ahead refutes it, and its proof will be short."""
        self.pushed += 1
        free = 0 if look is None else look.free
        heapq.heappush(self.waiting, (-free, self.pushed, case, look))

    def grow(self, leaves: int) -> None:
        """Split the case with the most free cells, until so many wait."""
        while len(self.waiting) < leaves and self.waiting[0][0]:
            _, _, case, look = heapq.heappop(self.waiting)
            self.split(case, look, 1)

    def split(self, case: Case, look: Look | None, levels: int) -> None:
        """Split a case by so many decisions."""
        if look is None or not look.ranking or not levels:
            self.push(case, look)
            return
        cell = self.splits[case] = look.ranking[0]
        for literal in (cell, -cell):
            self.split((*case, literal), self.lookahead.look((*case, literal), look), levels - 1)

    def run(self, how: Branching) -> Branched | None:
        """Prove what waits; return what ended it, if not all could be proved."""
        running: dict[Future[Tried], tuple[Case, Look | None, float, Obligation]] = {}
        with ThreadPoolExecutor(how.jobs) as threads:
            try:
                while self.waiting or running:
                    while self.waiting and len(running) < how.jobs:
                        number, case, look = heapq.heappop(self.waiting)[1:]
                        leaf = split_off(self.whole, case, f"case-{number}")
                        future = threads.submit(self._try, leaf, look, how)
                        running[future] = (case, look, time.monotonic(), leaf)
                    for future in wait(running, _POLL, FIRST_COMPLETED).done:
                        case, look, since, leaf = running.pop(future)
                        self.spent += time.monotonic() - since
                        ended = self._hear(case, look, leaf, future.result(), how)
                        if ended is not None:
                            return ended
                    count = len(self.proved) + len(running) + len(self.waiting)
                    how.tell("proving the leaves", f"{len(self.proved)} of {count}")
            finally:
                how.stop.set()
        return None

    def _try(self, leaf: Obligation, look: Look | None, how: Branching) -> Tried:
        patience = max(PATIENCE, PART * self.spent) if look is not None and look.ranking else None
        room = how.limits()
        found = run_confined(how.try_leaf, how.order, leaf, patience, limits=room, stop=how.stop)
        return (found, None) if isinstance(found, Undecided) else found

    def _hear(
        self, case: Case, look: Look | None, leaf: Obligation, tried: Tried, how: Branching
    ) -> Branched | None:
        """Take the answer of a leaf; return what ends it all."""
        answer, part = tried
        left = how.limits().seconds
        if isinstance(answer, Refuted) and isinstance(part, Part):
            self.proved[case] = part
        elif isinstance(answer, Refuted):
            return Branched(Undecided(Reason.GAVE_UP, str(part)), leaf=leaf)
        elif (
            isinstance(answer, Satisfied)
            or not (answer.reason is Reason.TIME_LIMIT and look is not None and look.ranking)
            or (left is not None and left <= 0)
        ):
            return Branched(answer, leaf=leaf)
        else:
            self.split(case, look, LEVELS)
        return None


# Cutting a problem into cubes: cases that together are everything, each a problem of its own.


MOST_CUBES = 100_000


def cut_problem(problem: Problem, count: int) -> tuple[Problem, ...]:
    """Return this many cases, or fewer if there are fewer; none if it cannot be cut.

    >>> from satlife.kinds import still_life
    >>> [case.known[0].rows for case in cut_problem(still_life(box="3x3"), 2)]
    [('o',), ('.',)]
    """
    return tuple(
        replace(problem, known=(*problem.known, *(_known(*cell) for cell in case.items())))
        for case in _cases(problem, count)
    )


def _known(place: tuple[int, int], alive: bool) -> Known:
    return Known(t=0, x=place[0], y=place[1], rows=("o" if alive else ".",))


def _cases(problem: Problem, count: int) -> list[dict[tuple[int, int], bool]]:
    """Split the case with the fewest cells on one cell more, until there are enough."""
    if not 1 <= count <= MOST_CUBES:
        raise UsageError(f"1 to {MOST_CUBES:,} cubes can be made, got {count}")
    cells = _central_cells(problem)
    leaves: deque[dict[tuple[int, int], bool]] = deque([{}])
    while len(leaves) < count and len(leaves[0]) < len(cells):
        case = leaves.popleft()
        cell = cells[len(case)]
        leaves += [case | {cell: True}, case | {cell: False}]
    return list(leaves) if len(leaves) > 1 else []


def _central_cells(problem: Problem) -> list[tuple[int, int]]:
    """Return the cells of generation 0 from the middle outward, one of those that must be equal."""
    spacetime = SpaceTime(problem)
    box = problem.all_boxes[0]
    middle_x, middle_y = 2 * box.x + box.width - 1, 2 * box.y + box.height - 1
    places = [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]
    places.sort(key=lambda p: ((2 * p[0] - middle_x) ** 2 + (2 * p[1] - middle_y) ** 2, p))
    chosen: dict[int, tuple[int, int]] = {}
    if spacetime.clash:
        return []
    literals = spacetime.generation(0)
    for x, y in places:
        variable = abs(int(literals[y - box.y, x - box.x]))
        if variable != TRUE:
            chosen.setdefault(variable, (x, y))
    return list(chosen.values())
