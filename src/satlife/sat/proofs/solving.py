"""Solving with a proof: the solver writes it to a file while it runs.

Kissat and PySAT's CaDiCaL write DRAT in its binary form, the program CaDiCaL (2.0 or later) LRAT
as text: :func:`proof_format` tells which. Nothing of the proof passes through this process.
"""

from __future__ import annotations

import math
import os
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path

from satlife.errors import SolverError, UsageError
from satlife.sat.answer import Answer, Reason, Refuted, Undecided
from satlife.sat.formula import Formula
from satlife.sat.solver import Limits, OpenSolver, Solver
from satlife.sat.solvers import CommandSolver, Installation, PysatSolver

_POLL = 0.05
"""Seconds between looks at the proof's size."""
_PROGRAM = Path(__file__).with_name("_pysat_program.py")
_OPTIONS = {
    "kissat": ("drat", ("{}",)),
    "cadical": ("lrat", ("--lrat", "--no-binary", "{}")),
}
"""For each program, the form of its proofs and the words in front of the proof's path."""
_PYSAT_NAMES = ("cadical300",)


def proof_format(solver: Solver) -> str:
    """Say which form a solver's proofs have, ``"drat"`` or ``"lrat"``; raise if it has none."""
    if isinstance(solver, PysatSolver) and solver.pysat_name in _PYSAT_NAMES:
        return "drat"
    if isinstance(solver, CommandSolver):
        known = _OPTIONS.get(Path(solver.command[0]).name)
        if known is not None and not any("{}" in word for word in solver.command):
            return known[0]
    raise SolverError(f"{solver.name} writes no proofs; kissat-binary and cadical do")


def solve_with_proof(
    formula: Formula,
    solver: Solver,
    proof: str | PathLike[str],
    limits: Limits | None = None,
    most_bytes: int | None = None,
    stop: threading.Event | None = None,
) -> Answer:
    """Solve, and leave the proof in a file if the answer is Refuted; else there is no file.

    Beyond ``most_bytes`` (looked at twenty times a second), or when ``stop`` is set by another
    thread, the solver is stopped: Undecided.
    """
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
            answer = _solve(opened, path, most_bytes, stop)
    finally:
        if not isinstance(answer, Refuted):
            path.unlink(missing_ok=True)
    return answer


def _with_proof(solver: Solver, path: Path) -> CommandSolver:
    """Give the solver as a program that writes a proof."""
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
    opened: OpenSolver, path: Path, most_bytes: int | None, stop: threading.Event | None
) -> Answer:
    """Solve, while a thread watches the proof grow, and the wish to stop."""
    over = threading.Event()
    most = math.inf if most_bytes is None else most_bytes

    def is_too_large() -> bool:
        with suppress(FileNotFoundError):
            return path.stat().st_size > most
        return False

    def watch() -> None:
        while not over.wait(_POLL):
            if is_too_large() or (stop and stop.is_set()):
                opened.interrupt()

    watcher = threading.Thread(target=watch, name="satlife-proof", daemon=True)
    watcher.start()
    try:
        answer = opened.solve()
    finally:
        over.set()
        watcher.join()
    stopped = isinstance(answer, Undecided) and answer.reason is Reason.INTERRUPTED
    if (stopped or isinstance(answer, Refuted)) and is_too_large():
        return Undecided(Reason.GAVE_UP, f"proof larger than {most} bytes")
    return answer
