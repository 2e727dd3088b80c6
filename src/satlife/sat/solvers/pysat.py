"""The solvers of PySAT (python-sat), each in a child process of its own.

CaDiCaL and Kissat in PySAT cannot be interrupted from Python and abort the process when memory
runs out; a child can be killed, and its death is an answer. The child is the program
``_pysat_child.py``; this is the parent's side. A child that is gone (killed at a time limit, or
of a solver that can solve only once) is replaced at the next call and fed again, which is why the
clauses stay in hand; the arrays are shared with the formula, not copied.

Feeding a clause of three literals costs PySAT 1.2 (Kissat), 1.4 (Glucose) or 2.2 µs (CaDiCaL)
as slices of a ``memoryview`` of the bytes from the pipe; lists cut from ``tolist()`` are up to a
third slower, and PySAT has no call that takes many clauses, or a file. Starting a child takes
70 ms, a round trip with a small formula 0.2 ms.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Model, Reason, Refuted, Satisfied, Undecided
from satlife.sat.formula import Block, Formula, IntArray
from satlife.sat.solver import (
    Abilities,
    Limits,
    OpenSolver,
    Progress,
    ProgressCallback,
    Solver,
    Statistics,
)
from satlife.sat.solvers import memory
from satlife.sat.solvers.numbering import Numbering
from satlife.sat.solvers.process import Child, Ended, Frame

# The frames of _pysat_child.py.
_HELLO, _MEMORY, _ADD, _SOLVE, _PROGRESS, _MODEL, _RESULT, _ERROR = range(1, 9)

_STEP = 1 << 20
"""Literals per frame."""
_GRACE = 0.3
"""Seconds after the time limit until the child, which keeps it by itself, is killed."""
_POLL = 0.1 if sys.platform == "win32" else 0.5
"""Seconds between looks up: on Windows, only then is Ctrl-C noticed."""

_NONSENSE = "it sent what is no answer"

_CHILD = Path(__file__).with_name("_pysat_child.py")
_OUT_OF_MEMORY = re.compile(r"out[ -]of[ -]memory|bad_alloc|MemoryError|cannot allocate", re.I)

_REASONS = {
    "time limit": Reason.TIME_LIMIT,
    "conflict limit": Reason.CONFLICT_LIMIT,
    "gave up": Reason.GAVE_UP,
}

_INCREMENTAL = Abilities(seed=True)
_UNSLICED = Abilities(seed=True, conflict_limit=False)
_ONE_SHOT = Abilities(seed=True, assumptions=False, incremental=False, statistics=False)


@dataclass(frozen=True, repr=False)
class PysatSolver(Solver):
    """One solver of PySAT."""

    name: str
    pysat_name: str
    title: str
    abilities: Abilities = _INCREMENTAL
    command: tuple[str, ...] = field(
        # Isolated, without site: faster, and its module path comes from the parent.
        default=("-I", "-S", str(_CHILD)),
        compare=False,
    )
    """The arguments for the Python interpreter; the tests put other programs here."""

    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenPysat:
        """Start a child process for a formula."""
        return OpenPysat(self, formula, limits, seed, progress)


PYSAT_SOLVERS = (
    PysatSolver("cadical", "cadical300", "CaDiCaL 3.0.0"),
    PysatSolver("cadical195", "cadical195", "CaDiCaL 1.9.5"),
    PysatSolver("cadical153", "cadical153", "CaDiCaL 1.5.3"),
    PysatSolver("cadical103", "cadical103", "CaDiCaL 1.0.3"),
    PysatSolver("kissat", "kissat404", "Kissat 4.0.4", _ONE_SHOT),
    PysatSolver("glucose", "glucose42", "Glucose 4.2.1"),
    PysatSolver("glucose4", "glucose4", "Glucose 4.1"),
    PysatSolver("glucose3", "glucose3", "Glucose 3.0"),
    PysatSolver("gluecard4", "gluecard4", "Glucose 4.1 with cardinality constraints"),
    PysatSolver("gluecard3", "gluecard3", "Glucose 3.0 with cardinality constraints"),
    PysatSolver("lingeling", "lingeling", "Lingeling bbc", _UNSLICED),
    PysatSolver("maplechrono", "maplechrono", "MapleLCMDistChronoBT"),
    PysatSolver("maplecm", "maplecm", "MapleCM"),
    PysatSolver("maplesat", "maplesat", "MapleCOMSPS_LRB"),
    PysatSolver("mergesat", "mergesat3", "MergeSat 3.0"),
    PysatSolver("minicard", "minicard", "Minicard 1.2"),
    PysatSolver("minisat", "minisat22", "MiniSat 2.2"),
    PysatSolver("minisat-gh", "minisat-gh", "MiniSat 2.2, its version on GitHub"),
    PysatSolver("minisat-ep", "minisat-ep", "MiniSat 2.2 with external propagators"),
    PysatSolver("ergo", "ergo", "Ergo (not on Windows)"),
)


class OpenPysat(OpenSolver):
    """A formula in the hands of a PySAT solver in a child process."""

    def __init__(
        self,
        solver: PysatSolver,
        formula: Formula,
        limits: Limits | None,
        seed: int | None,
        progress: ProgressCallback | None,
    ) -> None:
        super().__init__(formula.variables, limits)
        self.solver = solver
        self._numbering = Numbering(formula.variables, seed)
        self._progress = progress
        self._blocks: list[Block] = []
        self._fed = 0
        self._used = False
        self._closed = False
        self._solving = False
        self._stop: Reason | None = None
        self._memory: int | None = None
        self._statistics = Statistics()
        self.add(formula)
        self._child = self._start()

    def statistics(self) -> Statistics:
        """Give the work done so far, by this child (seconds: by all of them)."""
        return self._statistics

    def interrupt(self) -> None:
        """Stop a ``solve`` that runs in another thread."""
        if self._solving:
            self._kill(Reason.INTERRUPTED)

    def close(self) -> None:
        """End the child."""
        self._closed = True
        self._finalizer()

    def _start(self) -> Child:
        child = Child((sys.executable, *self.solver.command))
        self._finalizer = weakref.finalize(self, child.close)
        self._fed, self._used, self._memory = 0, False, None
        order = {
            "solver": self.solver.pysat_name,
            "path": sys.path,
            "leash": child.leash,
        }
        child.send(_HELLO, _json(order))
        return child

    def _kill(self, reason: Reason) -> None:
        self._stop = self._stop or reason
        self._child.kill()

    def _add(self, block: Block) -> None:
        if block.clauses:
            self._blocks.append(block)

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        start = time.monotonic()
        if self._closed:
            raise SolverError("the solver is closed")
        self.solver.check(assumptions, limits)
        if not self._blocks and not assumptions.size:
            # MapleSAT does not survive a formula without variables.
            return Satisfied(Model.from_literals([], self.variables))
        if not self._finalizer.alive or (self._used and not self.solver.abilities.incremental):
            self._finalizer()
            self._child = self._start()
        self._stop, self._solving = None, True
        watch = self._watch_time(limits)
        answer: Answer | None = None
        try:
            self._feed(limits)
            self._order(assumptions, limits, start)
            answer = self._await(limits, start)
        finally:
            # By Ctrl-C, or whatever the caller's progress function raises, too.
            self._solving = False
            if watch is not None:
                watch.cancel()
                watch.join()
            if answer is None or self._stop is not None:
                self._finalizer()
            seconds = self._statistics.seconds + time.monotonic() - start
            self._statistics = replace(self._statistics, seconds=seconds)
        return answer

    def _watch_time(self, limits: Limits) -> threading.Timer | None:
        """Have the child killed when it is late, even if it does not take its clauses."""
        if limits.seconds is None:
            return None
        delay = min(limits.seconds + _GRACE, threading.TIMEOUT_MAX)
        watch = threading.Timer(delay, self._kill, (Reason.TIME_LIMIT,))
        watch.daemon = True
        watch.start()
        return watch

    def _feed(self, limits: Limits) -> None:
        """Send what the child does not have yet; if it is gone, waiting for it will tell."""
        if limits.memory_bytes != self._memory:
            self._memory = limits.memory_bytes
            self._child.send(_MEMORY, _json(self._memory))
        while self._fed < len(self._blocks):
            for block in _pieces(self._blocks[self._fed].literals):
                piece = self._numbering.there(block)
                ends = np.flatnonzero(piece == 0).astype(np.int32)
                head = np.array([ends.size], np.int32)
                parts = (head.tobytes(), ends.tobytes(), piece.tobytes())
                if not self._child.send(_ADD, *parts):
                    return
            self._fed += 1

    def _order(self, assumptions: IntArray, limits: Limits, start: float) -> None:
        able = self.solver.abilities
        left = None
        if limits.seconds is not None:
            left = max(0.0, limits.seconds - (time.monotonic() - start))
        order = {
            "assumptions": self._numbering.there(assumptions).tolist(),
            "seconds": left,
            "conflicts": limits.conflicts,
            "slices": "none" if not able.conflict_limit else "many" if able.incremental else "one",
        }
        self._child.send(_SOLVE, _json(order))
        self._used = True

    def _await(self, limits: Limits, start: float) -> Answer:
        model = b""
        while True:
            frame = self._child.receive(_POLL)
            if frame is None:
                self._watch_memory(limits)
            elif isinstance(frame, Ended):
                return self._epitaph(frame, limits)
            elif frame.kind == _MODEL:
                model = frame.payload
            elif frame.kind == _PROGRESS and self._progress is not None:
                conflicts = int(_content(frame).get("conflicts", 0))
                held = memory.resident_bytes(self._child.pid)
                self._progress(Progress(time.monotonic() - start, conflicts, held))
            elif frame.kind == _RESULT:
                return self._result(_content(frame), model)
            elif frame.kind != _PROGRESS:
                return self._failure(_content(frame))

    def _result(self, result: dict[str, Any], model: bytes) -> Answer:
        try:
            self._statistics = Statistics(self._statistics.seconds, **result["statistics"])
            if result["status"] == "satisfied":
                literals = self._numbering.back(np.frombuffer(model, np.int32))
                return Satisfied(Model.from_literals(literals, self.variables))
            if result["status"] == "refuted":
                core = self._numbering.back(np.array(result["core"], np.int32))
                return Refuted(tuple(core.tolist()))
            return Undecided(_REASONS[result["status"]])
        except (LookupError, TypeError, ValueError):
            return self._failure({"kind": "error", "text": _NONSENSE})

    def _failure(self, words: dict[str, Any]) -> Answer:
        """Tell what the child itself says that went wrong."""
        self._finalizer()
        kind, text = words.get("kind"), str(words.get("text", _NONSENSE))
        if kind == "missing":
            raise SolverError(f"PySAT has no {self.solver.name} here: {text}")
        if kind == "memory" and self._memory is not None:
            return Undecided(Reason.MEMORY_LIMIT)
        return Undecided(Reason.DIED, text)

    def _epitaph(self, ended: Ended, limits: Limits) -> Answer:
        """Tell why the child has ended without an answer."""
        self._child.kill()
        how, words = self._child.last_words()
        self._finalizer()
        if self._stop is not None:
            return Undecided(self._stop)
        if ended.nonsense:
            return Undecided(Reason.DIED, _NONSENSE)
        aborted = _OUT_OF_MEMORY.search(words) or "SIGABRT" in how or "SIGSEGV" in how
        if limits.memory_bytes is not None and aborted:
            return Undecided(Reason.MEMORY_LIMIT)
        last = words.splitlines()[-1][:200] if words else ""
        return Undecided(Reason.DIED, f"{how}: {last}" if last else how)

    def _watch_memory(self, limits: Limits) -> None:
        if limits.memory_bytes is None or sys.platform.startswith("linux"):
            return
        if memory.resident_bytes(self._child.pid) > limits.memory_bytes:
            self._kill(Reason.MEMORY_LIMIT)


def _pieces(literals: IntArray) -> Iterator[IntArray]:
    """Cut an array behind zeros into pieces of about a million."""
    start = 0
    while start < literals.size:
        stop = min(start + _STEP, literals.size)
        while literals[stop - 1] != 0:
            stop += 1
        yield literals[start:stop]
        start = stop


def _content(frame: Frame) -> dict[str, Any]:
    """Read a frame; one that cannot be read says nothing."""
    try:
        content = json.loads(frame.payload)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _json(content: object) -> bytes:
    return json.dumps(content).encode()
