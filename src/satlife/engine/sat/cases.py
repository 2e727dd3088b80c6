"""Cases of a problem: the solutions that have certain cells in generation 0.

A tree of cases is independent of the encoding, since cells have names.  Several solvers share a
search by cases, so a refutation uses all processors, and the search can be saved and resumed.

>>> from satlife.kinds import still_life
>>> [case.known[0].rows for case in split_problem(still_life(box="3x3"), 2)]
[('o',), ('.',)]
"""

from __future__ import annotations

import dataclasses
import hashlib
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from satlife.closable import Closing
from satlife.engine.engine import GaveUp, Options, Run
from satlife.engine.sat import attempt
from satlife.engine.sat.attempt import as_solver, decode, keep_formula, tell_built
from satlife.errors import FormatError, UsageError
from satlife.formula.build import BuiltFormula, build
from satlife.formula.classes import History
from satlife.formula.spacetime import SpaceTime
from satlife.life.box import list_from_front
from satlife.plain import read_named
from satlife.problem import Cells, Known, Problem
from satlife.problem.exact import ExactBox, has_exact_boxes, list_parts, narrow, place
from satlife.sat import Satisfied, Undecided
from satlife.sat.cubes import Case, CaseProgress, InOrder, Look, conquer
from satlife.sat.formula import Formula
from satlife.sat.logic import TRUE
from satlife.sat.solver import OpenSolver, Solver

MOST_CUBES: Final = 100_000


def give_cells(problem: Problem, cells: Cells) -> Problem:
    """Return a case as a problem of its own: the solutions that have these cells."""
    known = (Known(t=0, x=x, y=y, rows=("o" if alive else ".",)) for x, y, alive in cells)
    return replace(problem, known=(*problem.known, *known))


def check_tree(cases: Sequence[Cells]) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless cases are all the leaves of one tree.

    Every inner node of a tree is split on one cell, both ways, so its leaves cover everything.

    >>> check_tree([((1, 1, True),), ((1, 1, False), (0, 0, True))])
    Traceback (most recent call last):
    satlife.errors.UsageError: the cases do not cover cell (0, 0) being dead
    """
    _check_below(cases, 0)


def _check_below(cases: Sequence[Cells], depth: int) -> None:
    """Check cases that share their first cells."""
    if not cases:
        raise UsageError("there are no cases")
    if any(len(case) == depth for case in cases):
        if len(cases) > 1:
            raise UsageError("a case is a part of another one")
        return
    places = {case[depth][:2] for case in cases}
    if len(places) > 1:
        raise UsageError("the cases are not a tree: they decide different cells at one place")
    ((x, y),) = places
    for alive in (True, False):
        half = [case for case in cases if case[depth][2] is alive]
        if not half:
            state = "alive" if alive else "dead"
            raise UsageError(f"the cases do not cover cell ({x}, {y}) being {state}")
        _check_below(half, depth + 1)


def find_free_cells(spacetime: SpaceTime) -> dict[int, tuple[int, int, bool]]:
    """Return a cell of generation 0 for each variable, and its state if the variable is true.

    The cells are the first of each orbit, in the order in which a search is split on them.
    """
    box, first = spacetime.boxes[0], spacetime.generation(0)
    found: dict[int, tuple[int, int, bool]] = {}
    for x, y in list_from_front(box, spacetime.problem.motion):
        literal = int(first[y - box.y, x - box.x])
        if abs(literal) != TRUE:
            found.setdefault(abs(literal), (x, y, literal > 0))
    return found


def split_problem(problem: Problem, count: int) -> tuple[Problem, ...]:
    """Return at most ``count`` cases; none if the problem cannot be split."""
    if not 1 <= count <= MOST_CUBES:
        raise UsageError(f"1 to {MOST_CUBES:,} cubes can be made, got {count}")
    spacetime = SpaceTime(problem)
    cells = [] if spacetime.clash else list(find_free_cells(spacetime).values())
    cases: deque[Cells] = deque([()])
    while len(cases) < count and len(cases[0]) < len(cells):
        case = cases.popleft()
        x, y, _ = cells[len(case)]
        cases += [(*case, (x, y, True)), (*case, (x, y, False))]
    return tuple(give_cells(problem, case) for case in cases) if len(cases) > 1 else ()


# The file of a search by cases: its open cases, so that it can resume after any stop.
#
# A case is a list of cells of generation 0, by name, dead ones with a minus. Cases not in the file
# have been refuted. The file is small, and rewritten atomically whenever a case is settled. A
# checksum shows that it was not edited; the conclusion of a search still rests on the file, so the
# answer names it, and a proof never uses one.


FORMAT: Final = "satlife cases"
VERSION: Final = 2


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    problem: str
    """The name of the problem."""
    breaks_symmetry: bool
    """Whether cases excluded only by symmetry breaking may be missing."""
    open: tuple[tuple[str, ...], ...]
    format: str = FORMAT
    version: int = VERSION
    sha256: str = ""
    """Checksum of the text of this record without it."""

    def sign(self) -> _Record:
        """Return the record with its checksum."""
        text = msgspec.json.encode(msgspec.structs.replace(self, sha256=""))
        return msgspec.structs.replace(self, sha256=hashlib.sha256(text).hexdigest())


class SavedCases:
    """The file of the open cases of a problem."""

    def __init__(self, path: Path, spacetime: SpaceTime, *, breaks_symmetry: bool) -> None:
        self.path = path
        self._problem = spacetime.problem.name
        self._breaks_symmetry = breaks_symmetry
        self._names = [name.decode() for name in spacetime.names().tolist()]
        self.open: tuple[Case, ...] = self._read() if path.exists() else ((),)
        """The open cases when the file was written; without a file, the whole problem."""

    def keep(self, cases: tuple[Case, ...]) -> None:
        """Write the cases that are now open."""
        texts = tuple(tuple(map(self._name, case)) for case in cases)
        record = _Record(self._problem, self._breaks_symmetry, texts)
        beside = self.path.with_name(f"{self.path.name}.new")
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(record.sign()), indent=1))
        beside.replace(self.path)

    def _read(self) -> tuple[Case, ...]:
        try:
            record = msgspec.json.decode(read_named(self.path), type=_Record)
        except (msgspec.MsgspecError, RecursionError):
            raise FormatError(f"{self.path} is not a search that was saved by cases") from None
        if (record.format, record.version) != (FORMAT, VERSION):
            raise FormatError(f"{self.path} was saved by another version; give another file")
        if record != record.sign():
            raise FormatError(f"{self.path} was changed since it was saved; give another file")
        if record.problem != self._problem:
            raise UsageError(f"{self.path} belongs to another problem; give another file")
        if record.breaks_symmetry != self._breaks_symmetry:
            option = "--break-symmetry" if record.breaks_symmetry else "--no-break-symmetry"
            raise UsageError(f"{self.path} was begun with {option}: continue with it")
        numbers = {name: number for number, name in enumerate(self._names, 1)}
        try:
            return tuple(
                tuple(
                    -numbers[name[1:]] if name.startswith("-") else numbers[name] for name in case
                )
                for case in record.open
            )
        except KeyError as name:
            raise FormatError(f"{self.path} names {name}, which is no free cell") from None

    def _name(self, literal: int) -> str:
        name = self._names[abs(literal) - 1]
        return name if literal > 0 else f"-{name}"


class Parts(Closing):
    """A problem as a whole, and if it has exact boxes as the parts into which it is split.

    The whole is part 0, and the formula of another part is built when it is asked for.
    """

    def __init__(
        self,
        whole: BuiltFormula,
        parts: Sequence[ExactBox],
        build: Callable[[Problem], BuiltFormula],
    ) -> None:
        problem = whole.spacetime.problem
        self._problems = [problem, *(narrow(problem, part) for part in parts)]
        self._build = build
        self._built: dict[int, BuiltFormula] = {0: whole}
        self._dividers: dict[int, InOrder] = {}
        self._lock = threading.Lock()

    def built(self, part: int) -> BuiltFormula:
        """Return the formula of a part, with its cells."""
        with self._lock:
            if part not in self._built:
                self._built[part] = self._build(self._problems[part])
            return self._built[part]

    def formula_of(self, part: int) -> Formula:
        """Return the formula of a part."""
        return self.built(part).formula

    def look(self, case: Case) -> Look:
        """Return a case of the whole."""
        return self._divider(0).look(case)

    def split(self, look: Look, count: int) -> list[Look]:
        """Return the parts of the whole, or cases of a part."""
        if len(self._problems) > 1 and not look.part:
            areas = (problem.all_boxes[0].area for problem in self._problems[1:])
            return [Look((), part, area) for part, area in enumerate(areas, 1)]
        leaves = self._divider(look.part).split(look, count)
        return [dataclasses.replace(leaf, part=look.part) for leaf in leaves]

    def show_boxes(self, left: frozenset[int]) -> str:
        """Return the exact boxes, "+" after those that are done; nothing before they are tried."""
        if 0 in left or len(self._problems) < 2:
            return ""
        boxes = ((n, each.all_boxes[0]) for n, each in enumerate(self._problems[1:], 1))
        return " ".join(f"{box}{'' if n in left else '+'}" for n, box in boxes)

    def _divider(self, part: int) -> InOrder:
        if part not in self._dividers:
            built = self.built(part)
            self._dividers[part] = InOrder(built.formula, find_free_cells(built.spacetime))
        return self._dividers[part]

    def close(self) -> None:
        """Release the formulas."""
        for each in self._dividers.values():
            each.close()


def can_split(spacetime: SpaceTime, run: Run) -> bool:
    """Return whether there is a cell to split on, and an incremental solver."""
    able = as_solver(attempt.choose(spacetime, run.options, once=False).solver).abilities
    goes_on = able.assumptions and able.incremental and able.conflict_limit
    return goes_on and bool(find_free_cells(spacetime))


def solve_by_cases(spacetime: SpaceTime, run: Run) -> History | None:
    """Return a solution, None if there is none; raise :class:`GaveUp` if it is undecided."""
    chosen = attempt.choose(spacetime, run.options, once=False)
    solver, problem = as_solver(chosen.solver), spacetime.problem
    if not can_split(spacetime, run):
        raise UsageError(f"{solver.name} starts anew for every case; use cadical to save a search")

    def make(asked: Problem | SpaceTime) -> BuiltFormula:
        return build(asked, chosen.encoding, break_symmetry=chosen.break_symmetry)

    built = make(spacetime)
    tell_built(run, built, chosen)
    path = run.options.save
    saved = None
    if path is not None:
        saved = SavedCases(path, spacetime, breaks_symmetry=built.breaks_symmetry)
        if saved.open != ((),):
            run.details["continued"] = str(path)
        saved.keep(saved.open)  # an unwritable file is reported before the search
    stop = threading.Event()

    def on_progress(news: CaseProgress) -> None:
        conflicts = int(news.spent)
        run.details |= {"conflicts": conflicts, "cases": news.settled}
        run.progress(
            f"{run.options.jobs} x {solver.name}" if run.options.jobs > 1 else solver.name,
            conflicts=conflicts,
            cases=f"{news.settled} of {news.settled + news.open}",
            boxes=parts.show_boxes(news.parts),
        )

    by_boxes = saved is None and has_exact_boxes(problem)  # a file has cases of one formula
    listed = list_parts(problem) if by_boxes else ()
    parts = Parts(built, listed if len(listed) > 1 else (), make)
    with run.interrupting(stop.set):
        answer, part = conquer(
            parts,
            solver,
            jobs=run.options.jobs,
            cases=((),) if saved is None else saved.open,
            fence=attempt.FENCE,
            limits=run.limits,
            seed=chosen.seed,
            progress=on_progress,
            keep=None if saved is None else saved.keep,
            stop=stop,
        )
    match answer:
        case Satisfied(model):
            found = parts.built(part)
            run.keep_evidence = lambda folder: keep_formula(found, model, folder)
            history = decode(found.spacetime, model)
            return place(problem, history) if part else history
        case Undecided():
            raise GaveUp("stopped" if run.stopped.is_set() else str(answer))
    return None


# Cases solved one after the other, by one incremental solver.
#
# All cases are solved on one formula, under assumptions, and with the symmetries of the problem
# broken: a refuted case does not contain the least solution, by generation 0 read row by row, dead
# before alive. If every case of a tree is refuted, there is no least solution, so there is none.


LEAVES: Final = 32
"""Usual number of cases of a split; with fewer, much time is lost on attempts at inner cases."""


class Casework(Closing):
    """A problem's formula in an incremental solver, shared by all cases.

    >>> from satlife.engine import find
    >>> from satlife.engine.sat.engine import CaseEngine
    >>> from satlife.kinds import oscillator
    >>> with Casework(oscillator(3, box="4x4", population="<=9")) as work:
    ...     cases = work.split((), count=4)
    ...     {find(work.problem, engine=CaseEngine(work, case)).reason for case in cases}
    {'refuted by the solver'}
    """

    def __init__(self, problem: Problem, wrap: Callable[[Solver], Solver] | None = None) -> None:
        """Build the formula; ``wrap`` returns a replacement for the solver."""
        self.problem = problem
        self.spacetime = SpaceTime(problem)
        self.chosen = attempt.choose(self.spacetime, Options(), once=False)
        solver = as_solver(self.chosen.solver)
        self._solver = wrap(solver) if wrap else solver
        self._opened: OpenSolver | None = None
        self._divider: InOrder | None = None

    @cached_property
    def built(self) -> BuiltFormula:
        """The formula of all cases."""
        chosen = self.chosen
        return build(self.spacetime, chosen.encoding, break_symmetry=chosen.break_symmetry)

    def open(self) -> OpenSolver:
        """Return the open solver, with its learnt clauses."""
        if self._opened is None:
            self._opened = self._solver.open(self.built.formula)
        return self._opened

    def assume(self, cells: Cells) -> list[int] | None:
        """Return the literals of cells; None if one of them contradicts the problem."""
        box, first = self.spacetime.boxes[0], self.spacetime.generation(0)
        literals = []
        for x, y, alive in cells:
            literal = int(first[y - box.y, x - box.x]) * (1 if alive else -1)
            if literal == -TRUE:
                return None
            if literal != TRUE:
                literals.append(literal)
        return literals

    def split(self, cells: Cells, count: int = LEAVES) -> tuple[Cells, ...] | None:
        """Return the subcases of a case: () if it cannot be split, None if that refutes it.

        The decisions form a complete tree: every inner node splits on one cell both ways.  So the
        cases cover the whole.
        """
        given = None if self.spacetime.clash else self.assume(cells)
        if given is None:
            return None
        free = find_free_cells(self.spacetime)
        if self._divider is None:
            self._divider = InOrder(self.built.formula, free)
        leaves = self._divider.split(Look(tuple(given)), count)
        if len(leaves) == 1:
            return None if leaves[0].is_refuted else ()

        def find_cell(literal: int) -> tuple[int, int, bool]:
            x, y, alive = free[abs(literal)]
            return x, y, alive == (literal > 0)

        return tuple(tuple(map(find_cell, leaf.case[len(given) :])) for leaf in leaves)

    def close(self) -> None:
        """Free the solver and the divider."""
        for each in (self._opened, self._divider):
            if each is not None:
                each.close()
        self._opened = self._divider = None
