"""Solving with a proof, which the solver writes to a file while it runs.

A solver's abilities name the format of its proofs, if it can write any.  For an LRAT proof, such as
CaDiCaL's, the solver is given a reduced formula; trimming turns its proof into a proof for the
whole formula.
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import IO, cast

from satlife.errors import FormatError, SolverError, UsageError
from satlife.sat.answer import Answer, Reason, Refuted, Satisfied, Undecided
from satlife.sat.formula import Formula
from satlife.sat.proofs.reduction import Reduced, reduce_formula
from satlife.sat.proofs.trim import find_empty, trim_lrat
from satlife.sat.solver import Limits, OpenSolver, ProofFormat, Solver
from satlife.sat.solvers import SOLVERS

_POLL = 0.05
"""Seconds between checks of the proof's size."""
_REPORT = 1.0
"""Seconds between reports of the size."""


def proof_format(solver: Solver) -> ProofFormat:
    """Return the format of a solver's proofs; raise SolverError if it cannot write any."""
    if solver.abilities.proof is None:
        *others, last = [each.name for each in SOLVERS if each.abilities.proof]
        raise SolverError(f"{solver.name} cannot write proofs; use {', '.join(others)} or {last}")
    return solver.abilities.proof


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
    """Solve, and keep the proof in a file if the answer is Refuted; otherwise leave no file.

    The solver is stopped, and the answer Undecided, if the proof grows beyond ``most_bytes``
    (checked twenty times a second) or another thread sets ``stop``.  ``on_size`` is called every
    second, in another thread, and at the end, with the bytes written so far, and ``on_trim`` before
    an LRAT proof is trimmed.
    """
    begun = time.monotonic()
    path = Path(proof).absolute()
    if "{}" in os.fspath(path):
        raise UsageError(f"the path of a proof cannot contain {{}}, got {path}; write another path")
    wanted = proof_format(solver)
    writer = solver.with_proof(path)
    try:
        path.unlink(missing_ok=True)
        path.touch()
    except OSError as error:
        raise UsageError(f"the proof cannot be written: {error}") from None
    answer: Answer | None = None
    try:
        small = Reduced.unchanged(formula) if wanted == "drat" else reduce_formula(formula)
        if wanted == "lrat" and find_empty(small.formula) is not None:
            answer = Refuted()
        else:
            left = None if limits is None else limits.since(begun)
            with writer.open(small.formula, limits=left) as opened:
                answer = _solve(opened, path, most_bytes, stop, on_size)
        if isinstance(answer, Satisfied):
            answer = Satisfied(small.lift(answer.model))
        if isinstance(answer, Refuted) and wanted == "lrat":
            if on_trim:
                on_trim()
            seconds = None if limits is None else limits.seconds
            answer = _trim(small, path, None if seconds is None else begun + seconds)
    finally:
        if not isinstance(answer, Refuted):
            path.unlink(missing_ok=True)
    return answer


def _trim(formula: Reduced, path: Path, deadline: float | None) -> Answer:
    """Trim a proof in place, through an unnamed temporary file."""
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
        return Undecided(Reason.DIED, f"it wrote an invalid proof: {error}")
    return Refuted()


def _solve(
    opened: OpenSolver,
    path: Path,
    most_bytes: int | None,
    stop: threading.Event | None,
    on_size: Callable[[int], None] | None,
) -> Answer:
    """Solve, while a thread watches the size of the proof and the request to stop."""
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
        if on_size:
            on_size(size())
    stopped = isinstance(answer, Undecided) and answer.reason is Reason.INTERRUPTED
    if (stopped or isinstance(answer, Refuted)) and size() > most:
        return Undecided(Reason.PROOF_LIMIT, f"the proof is larger than {most} bytes")
    return answer
