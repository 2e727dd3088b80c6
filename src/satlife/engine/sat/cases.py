"""A search by cases: divided on cells of generation 0, conquered by several solvers.

So a refutation uses all processors, and a search can be saved and go on later.  A tree of cases
means the same for every encoding, since cells have names.
"""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from satlife.engine.engine import GaveUp, Run
from satlife.engine.sat import attempt
from satlife.engine.sat.attempt import Also, as_solver, decode, keep_formula, tell_built
from satlife.errors import FormatError, UsageError
from satlife.formula.build import build
from satlife.formula.classes import History
from satlife.formula.spacetime import SpaceTime
from satlife.sat import Satisfied, Undecided
from satlife.sat.cubes import CaseProgress, Decisions, conquer
from satlife.sat.logic import TRUE

# A search by cases in a file: what is still open, so that it can go on after any stop.
#
# A case is a list of cells of generation 0, by their names, dead ones with a minus. The cases that
# are not there have been refuted. The file is small, and written anew beside the old one whenever
# a case is settled. A checksum shows that it was not edited; what a search concludes from a file
# rests on that file all the same, so the answer names it, and a proof takes none.


FORMAT: Final = "satlife cases"
VERSION: Final = 2


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    problem: str
    """The name of the problem."""
    breaks_symmetry: bool
    """Cases that only a broken symmetry excludes may be missing."""
    open: tuple[tuple[str, ...], ...]
    format: str = FORMAT
    version: int = VERSION
    sha256: str = ""
    """Of the text of this record without it."""

    def sign(self) -> _Record:
        """Return the record with its checksum."""
        text = msgspec.json.encode(msgspec.structs.replace(self, sha256=""))
        return msgspec.structs.replace(self, sha256=hashlib.sha256(text).hexdigest())


class SavedCases:
    """The open cases of a problem, in a file."""

    def __init__(self, path: Path, spacetime: SpaceTime, *, breaks_symmetry: bool) -> None:
        self.path = path
        self._problem = spacetime.problem.name
        self._breaks_symmetry = breaks_symmetry
        self._names = [name.decode() for name in spacetime.names().tolist()]
        self.open: tuple[Decisions, ...] = self._read() if path.exists() else ((),)
        """The cases that were open when the file was written; the whole if there was none."""

    def keep(self, cases: tuple[Decisions, ...]) -> None:
        """Write the cases that are open now."""
        texts = tuple(tuple(map(self._name, case)) for case in cases)
        record = _Record(self._problem, self._breaks_symmetry, texts)
        beside = self.path.with_name(f"{self.path.name}.new")
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(record.sign()), indent=1))
        beside.replace(self.path)

    def _read(self) -> tuple[Decisions, ...]:
        try:
            record = msgspec.json.decode(self.path.read_bytes(), type=_Record)
        except (msgspec.MsgspecError, RecursionError):
            raise FormatError(f"{self.path} is not a search that was saved by cases") from None
        if (record.format, record.version) != (FORMAT, VERSION):
            raise FormatError(f"{self.path} was saved by another version; give another file")
        if record != record.sign():
            raise FormatError(f"{self.path} was changed since it was saved; give another file")
        if record.problem != self._problem:
            raise UsageError(f"{self.path} belongs to another problem; give another file")
        if record.breaks_symmetry != self._breaks_symmetry:
            asked = "with" if record.breaks_symmetry else "without"
            raise UsageError(f"{self.path} was begun {asked} symmetry breaking; go on so")
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


def can_divide(spacetime: SpaceTime, run: Run) -> bool:
    """Return whether there is something to divide, and a solver that goes from case to case."""
    able = as_solver(attempt.choose(spacetime, run.options, once=False).solver).abilities
    return bool(candidates(spacetime)) and (
        able.assumptions and able.incremental and able.conflict_limit
    )


def candidates(spacetime: SpaceTime) -> list[int]:
    """Return the variables of generation 0, one for each orbit of free cells."""
    first = np.abs(spacetime.generation(0)).ravel()
    return list(dict.fromkeys(first[first != TRUE].tolist()))


def divide(spacetime: SpaceTime, run: Run, also: Also | None = None) -> History | None:
    """Return a solution, None if there is none; raise :class:`GaveUp` if it is undecided."""
    chosen = attempt.choose(spacetime, run.options, once=False)
    solver = as_solver(chosen.solver)
    if not can_divide(spacetime, run):
        raise UsageError(f"{solver.name} starts anew for every case; use cadical to save a search")
    built = build(spacetime, chosen.encoding, break_symmetry=chosen.break_symmetry, also=also)
    tell_built(run, built, chosen)
    path = run.options.save
    saved = None
    if path is not None:
        saved = SavedCases(path, spacetime, breaks_symmetry=built.breaks_symmetry)
        if saved.open != ((),):
            run.details["continued"] = str(path)
        saved.keep(saved.open)  # a file that cannot be written is told before the search
    stop = threading.Event()

    def tell(news: CaseProgress) -> None:
        run.details |= {"conflicts": news.conflicts, "cases": news.settled}
        run.progress(
            f"{run.options.jobs} x {solver.name}" if run.options.jobs > 1 else solver.name,
            conflicts=news.conflicts,
            cases=f"{news.settled} of {news.settled + news.open}",
        )

    with run.interrupting(stop.set):
        answer = conquer(
            built.formula,
            candidates(spacetime),
            solver,
            jobs=run.options.jobs,
            cases=((),) if saved is None else saved.open,
            fence=attempt.FENCE,
            limits=run.limits,
            seed=chosen.seed,
            progress=tell,
            keep=None if saved is None else saved.keep,
            stop=stop,
        )
    match answer:
        case Satisfied(model):
            run.keep_evidence = lambda folder: keep_formula(built, model, folder)
            return decode(spacetime, model)
        case Undecided():
            raise GaveUp("stopped" if run.stopped.is_set() else str(answer))
    return None
