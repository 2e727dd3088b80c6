"""Solving with a proof: the solver writes it to a file while it runs.

CaDiCaL, PySAT's or the program (2.0 or later), writes LRAT as text, which is trimmed when it is
complete; Kissat writes DRAT in its binary form.  :func:`proof_format` says which.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import IO, cast

from satlife.errors import FormatError, SolverError, UsageError
from satlife.sat.answer import Answer, Reason, Refuted, Undecided
from satlife.sat.formula import Formula
from satlife.sat.proofs.trimming import trim_lrat
from satlife.sat.solver import Limits, OpenSolver, Solver
from satlife.sat.solvers import CommandSolver, Installation, PysatSolver

_POLL = 0.05
"""Seconds between looks at the proof's size."""
_REPORT = 1.0
"""Seconds between reports of it."""
_PROGRAM = Path(__file__).with_name("_pysat_program.py")
_OPTIONS = {
    "kissat": ("drat", ("{}",)),
    "cadical": ("lrat", ("--lrat", "--no-binary", "{}")),
}
"""For each program, the form of its proofs and the words in front of the proof's path."""
_PYSAT_NAMES = ("cadical300",)


def proof_format(solver: Solver) -> str:
    """Return the form of a solver's proofs, ``"drat"`` or ``"lrat"``; raise if it has none."""
    if isinstance(solver, PysatSolver) and solver.pysat_name in _PYSAT_NAMES:
        return "lrat"
    if isinstance(solver, CommandSolver):
        known = _OPTIONS.get(Path(solver.command[0]).name)
        if known is not None and not any("{}" in word for word in solver.command):
            return known[0]
    raise SolverError(f"{solver.name} writes no proofs; cadical and kissat-binary do")


def solve_with_proof(
    formula: Formula,
    solver: Solver,
    proof: str | PathLike[str],
    limits: Limits | None = None,
    most_bytes: int | None = None,
    stop: threading.Event | None = None,
    on_size: Callable[[int], None] | None = None,
    on_trim: Callable[[], None] | None = None,
) -> Answer:
    """Solve, and leave the proof in a file if the answer is Refuted; else there is no file.

    Beyond ``most_bytes`` (looked at twenty times a second), or when ``stop`` is set by another
    thread, the solver is stopped: Undecided.  ``on_size`` is called every second, in another
    thread, with the bytes written so far, and ``on_trim`` when an LRAT proof is to be trimmed.
    """
    begun = time.monotonic()
    path = Path(proof).absolute()
    if "{}" in os.fspath(path):
        raise UsageError(f"a proof's path cannot hold {{}}, got {path}")
    writer = _with_proof(solver, path)
    try:
        path.unlink(missing_ok=True)
        path.touch()
    except OSError as error:
        raise UsageError(f"the proof cannot be written: {error}") from None
    answer: Answer | None = None
    try:
        with writer.open(formula, limits=limits) as opened:
            answer = _solve(opened, path, most_bytes, stop, on_size)
        if isinstance(answer, Refuted) and proof_format(solver) == "lrat":
            if on_trim:
                on_trim()
            seconds = None if limits is None else limits.seconds
            answer = _trim(formula, path, None if seconds is None else begun + seconds)
    finally:
        if not isinstance(answer, Refuted):
            path.unlink(missing_ok=True)
    return answer


def _trim(formula: Formula, path: Path, deadline: float | None) -> Answer:
    """Trim a proof in its place; a file without a name holds it in between."""
    try:
        with tempfile.TemporaryFile(
            "w+", encoding="ascii", newline="\n", dir=path.parent
        ) as trimmed:
            trim_lrat(formula, path, trimmed, deadline=deadline)
            trimmed.seek(0)
            with path.open("wb") as file:
                shutil.copyfileobj(cast("IO[bytes]", trimmed.buffer), file, 1 << 20)
    except TimeoutError:
        return Undecided(Reason.TIME_LIMIT, "while trimming the proof")
    except FormatError as error:
        return Undecided(Reason.DIED, f"it wrote a broken proof: {error}")
    return Refuted()


def _with_proof(solver: Solver, path: Path) -> CommandSolver:
    """Return the solver as a program that writes a proof."""
    proof_format(solver)
    if isinstance(solver, PysatSolver):
        program = (sys.executable, os.fspath(_PROGRAM), solver.pysat_name, "{}", os.fspath(path))
        return CommandSolver(solver.name, solver.title, program)
    if isinstance(solver, CommandSolver):
        where = solver.locate()
        name = Path(solver.command[0]).name
        if name == "cadical":
            version = Installation(solver, Path(where), "").version()
            if not version or int(version.split(".")[0]) < 2:
                told = version or "of an unknown version"
                raise SolverError(f"{solver.name} is {told}; it writes LRAT proofs from 2.0 on")
        return replace(solver, command=(*solver.command, *_OPTIONS[name][1], os.fspath(path)))
    raise AssertionError(f"{solver.name} was said to write proofs")


def _solve(
    opened: OpenSolver,
    path: Path,
    most_bytes: int | None,
    stop: threading.Event | None,
    on_size: Callable[[int], None] | None,
) -> Answer:
    """Solve, while a thread watches the proof grow, and the wish to stop."""
    over = threading.Event()
    most = math.inf if most_bytes is None else most_bytes

    def size() -> int:
        with suppress(FileNotFoundError):
            return path.stat().st_size
        return 0

    def watch() -> None:
        reported = time.monotonic()
        while not over.wait(_POLL):
            if size() > most or (stop and stop.is_set()):
                opened.interrupt()
            if on_size and time.monotonic() - reported >= _REPORT:
                reported = time.monotonic()
                on_size(size())

    watcher = threading.Thread(target=watch, name="satlife-proof", daemon=True)
    watcher.start()
    try:
        answer = opened.solve()
    finally:
        over.set()
        watcher.join()
    stopped = isinstance(answer, Undecided) and answer.reason is Reason.INTERRUPTED
    if (stopped or isinstance(answer, Refuted)) and size() > most:
        return Undecided(Reason.GAVE_UP, f"proof larger than {most} bytes")
    return answer
