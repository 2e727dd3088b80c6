"""The solvers of PySAT (python-sat), each in its own child process or inline in this one.

CaDiCaL and Kissat in PySAT cannot be interrupted from Python, and abort the process when memory
runs out.  A child can be killed, and its death is an answer.  The child is the program
``_pysat_child.py``; this is the parent's side.  A child that is gone (killed at a time limit, or
of a solver that can solve only once) is replaced at the next call and given the clauses again; so
they are kept here, in arrays that the formula shares.  With ``quick``, the first conflicts are in
this process, and most small formulas need no child.

Most solvers run in slices of conflicts, and report them after each slice.  CaDiCaL does not: every
new call resets its schedules, so in slices its search differs, and takes 0.8 to 1.8 times as long
on single formulas.  It runs in one call, exactly as the bare solver does; its progress comes from
the clock, and the parent enforces the time limit.

Handing over a clause of three literals takes PySAT 1.2 (Kissat), 1.4 (Glucose) or 2.2 µs (CaDiCaL)
as slices of a ``memoryview`` of the bytes from the pipe.  Lists cut from ``tolist()`` are up to a
third slower, and PySAT has no call that takes many clauses, or a file.  Starting a child takes
70 ms, a round trip with a small formula 0.2 ms.

An :class:`InlineSolver` runs a PySAT solver without a child, so that a small formula costs
microseconds instead of 70 ms.  The price: most of these solvers hold the interpreter's lock, cannot
be interrupted, and abort the process when memory runs out.  So it is only for a process that
another one watches and replaces, such as the children of a campaign.  The limit on memory is up to
that other process; the limit on seconds is checked only between slices of conflicts.

>>> from satlife.sat.solvers import find_solver
>>> with InlineSolver(find_solver("cadical")).open(Formula.from_clauses([(1, 2), (-1,)])) as opened:
...     print(opened.solve(), opened.solve([-2]), opened.core())
satisfied refuted (-2,)
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Model, Reason, Refuted, Satisfied, Undecided
from satlife.sat.formula import Formula, IntArray
from satlife.sat.solver import (
    Abilities,
    Clauses,
    Limits,
    Numbering,
    OpenSolver,
    Progress,
    ProgressCallback,
    Solver,
    Statistics,
)
from satlife.sat.solvers._pysat_child import decide, statistics
from satlife.sat.solvers.command import CommandSolver
from satlife.sat.solvers.memory import outgrown, processor_seconds, ran_out, resident_bytes
from satlife.sat.solvers.process import Child, Ended, Packet

# The packets of _pysat_child.py.
_HELLO, _MEMORY, _ADD, _SOLVE, _PROGRESS, _MODEL, _RESULT, _ERROR = range(1, 9)

_STEP = 1 << 20
"""Literals per packet."""
GROWTH = 1.5
"""The growth factor of slices, for solvers that lose no speed by them."""
_GRACE = 0.3
"""Seconds after the time limit until a child that reads the clock itself is killed."""
_POLL = 0.1 if sys.platform == "win32" else 0.5
"""Seconds between reports of progress; on Windows, Ctrl-C is noticed only then."""

_LONG = 1.0
"""Least time limit, in seconds, with which a solve begins in this process."""

_NONSENSE = "its reply is not an answer"

_CHILD = Path(__file__).with_name("_pysat_child.py")
_PROVER = Path(__file__).with_name("_pysat_prover.py")

REASONS = {
    "time limit": Reason.TIME_LIMIT,
    "conflict limit": Reason.CONFLICT_LIMIT,
    "gave up": Reason.GAVE_UP,
}

_PLAIN = Abilities(seed=True)
_CADICAL = Abilities(seed=True, progress=False)
_PROVING = structs.replace(_CADICAL, proof="lrat")
_LINGELING = Abilities(seed=True, progress=False, conflict_limit=False)
_KISSAT = Abilities(
    seed=True, progress=False, assumptions=False, incremental=False, statistics=False
)


@dataclass(frozen=True, repr=False)
class PysatSolver(Solver):
    """One solver of PySAT."""

    name: str
    pysat_name: str
    title: str
    abilities: Abilities = _PLAIN
    windows: bool = True
    """Whether PySAT has it on Windows."""
    how_to_get: str = "pip install python-sat"
    command: tuple[str, ...] = field(
        # Isolated, without site: faster, and its module path comes from the parent.
        default=("-I", "-S", str(_CHILD)),
        compare=False,
    )
    """The arguments of the Python interpreter; tests run other programs."""
    quick: int = field(default=0, compare=False)
    """Number of conflicts and calls in this process before a child is started."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """PySAT's name for it."""
        return (self.pysat_name,)

    @property
    def where(self) -> Path | None:
        """The folder of the package, None if it is not installed."""
        spec = importlib.util.find_spec("pysolvers")
        missing = sys.platform == "win32" and not self.windows
        if missing or spec is None or spec.origin is None:
            return None
        return Path(spec.origin).parent

    @property
    def available(self) -> bool:
        """Whether PySAT has it here."""
        return self.where is not None

    def version(self) -> str:
        """Return PySAT's version."""
        from importlib import metadata  # noqa: PLC0415 - slow to import, and rarely needed

        with suppress(metadata.PackageNotFoundError):
            return f"python-sat {metadata.version('python-sat')}"
        return ""

    def with_proof(self, path: Path) -> Solver:
        """Return the solver as a program that writes a proof."""
        if self.abilities.proof is None:
            return super().with_proof(path)
        # -P: the module pysat is PySAT, not the file beside the program.
        program = (sys.executable, "-P", os.fspath(_PROVER), self.pysat_name)
        return CommandSolver(self.name, self.title, (*program, "{}", os.fspath(path)))

    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenPysat:
        """Start a child process for a formula, unless its first conflicts are in this one."""
        return OpenPysat(self, formula, limits, seed, progress)


PYSAT_SOLVERS = (
    PysatSolver("cadical", "cadical300", "CaDiCaL 3.0.0", _PROVING),
    PysatSolver("cadical195", "cadical195", "CaDiCaL 1.9.5", _PROVING),
    PysatSolver("cadical153", "cadical153", "CaDiCaL 1.5.3", _CADICAL),
    PysatSolver("cadical103", "cadical103", "CaDiCaL 1.0.3", _CADICAL),
    PysatSolver("kissat", "kissat404", "Kissat 4.0.4", _KISSAT),
    PysatSolver("glucose", "glucose42", "Glucose 4.2.1"),
    PysatSolver("glucose4", "glucose4", "Glucose 4.1"),
    PysatSolver("glucose3", "glucose3", "Glucose 3.0"),
    PysatSolver("gluecard4", "gluecard4", "Glucose 4.1 with cardinality constraints"),
    PysatSolver("gluecard3", "gluecard3", "Glucose 3.0 with cardinality constraints"),
    PysatSolver("lingeling", "lingeling", "Lingeling bbc", _LINGELING),
    PysatSolver("maplechrono", "maplechrono", "MapleLCMDistChronoBT"),
    PysatSolver("maplecm", "maplecm", "MapleCM"),
    PysatSolver("maplesat", "maplesat", "MapleCOMSPS_LRB"),
    PysatSolver("mergesat", "mergesat3", "MergeSat 3.0"),
    PysatSolver("minicard", "minicard", "Minicard 1.2"),
    PysatSolver("minisat", "minisat22", "MiniSat 2.2"),
    PysatSolver("minisat-gh", "minisat-gh", "MiniSat 2.2, its version on GitHub"),
    PysatSolver("minisat-ep", "minisat-ep", "MiniSat 2.2 with external propagators"),
    PysatSolver("ergo", "ergo", "Ergo", windows=False, how_to_get="not for Windows"),
)


class OpenPysat(OpenSolver):
    """An open session with a PySAT solver in a child process, or first in this one."""

    solver: PysatSolver
    _here: OpenInline | None = None
    """The session in this process, until it has spent its conflicts."""

    def __init__(
        self,
        solver: PysatSolver,
        formula: Formula,
        limits: Limits | None,
        seed: int | None,
        progress: ProgressCallback | None,
    ) -> None:
        super().__init__(solver, formula, limits)
        self._numbering = Numbering(formula.variables, seed)
        self._progress = progress
        self._fed = 0
        self._calls = 0
        self._used = False
        self._solving = False
        self._stop: Reason | None = None
        self._memory: int | None = None
        self._statistics = Statistics()
        if solver.quick:
            self._here = InlineSolver(solver).open(formula, seed=seed)
        else:
            self._child = self._start()

    def add(self, clauses: Clauses) -> None:
        """Add clauses permanently."""
        super().add(clauses)
        if self._here is not None:
            self._here.add(clauses)

    def statistics(self) -> Statistics:
        """Return the work done so far, by this child if there is one; the seconds are of all."""
        return self._statistics

    def interrupt(self) -> None:
        """Stop a ``solve`` that runs in another thread."""
        if self._solving:
            self._kill(Reason.INTERRUPTED)

    def close(self) -> None:
        """End the child."""
        super().close()
        if self._here is not None:
            self._here.close()
        else:
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
        if self._here is None:
            self._child.kill()

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        begun = time.monotonic()
        if self._here is not None:
            answer = self._solve_here(self._here, assumptions, limits)
            if answer is not None:
                return answer
        return self._solve_there(assumptions, limits.since(begun))

    def _solve_here(self, here: OpenInline, assumptions: IntArray, limits: Limits) -> Answer | None:
        """Return the answer of the session in this process, or end that and start a child."""
        left = self.solver.quick - (here.statistics().conflicts or 0) - self._calls
        self._calls, self._stop = self._calls + 1, None
        answer: Answer = Undecided(Reason.CONFLICT_LIMIT)
        # Limits on memory are the child's, and so are short ones on time and more conflicts.
        is_enough = limits.conflicts is not None and limits.conflicts <= left
        is_free = limits.memory_bytes is None and (limits.conflicts is None or is_enough)
        is_free &= limits.seconds is None or limits.seconds >= _LONG
        # On the main thread, Ctrl-C would jump out of the solver and leave it broken.
        if left > 0 and is_free and threading.current_thread() is not threading.main_thread():
            self._solving = True
            most = limits.conflicts if is_enough else left
            answer = here.solve(assumptions.tolist(), Limits(conflicts=most))
            self._solving = False
            self._statistics = here.statistics()
            if is_enough:
                return answer
        if answer != Undecided(Reason.CONFLICT_LIMIT):
            return answer
        if self._stop is not None:
            return Undecided(self._stop)
        self._child, self._here = self._start(), None
        self._statistics = Statistics(self._statistics.seconds)  # the child counts anew
        here.close()
        return None

    def _solve_there(self, assumptions: IntArray, limits: Limits) -> Answer:
        start = time.monotonic()
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
            # Also after Ctrl-C, or an error in the caller's progress function.
            self._solving = False
            if watch is not None:
                watch.cancel()
                watch.join()
            if answer is None or self._stop is not None:
                self._finalizer()
            seconds = self._statistics.seconds + time.monotonic() - start
            self._statistics = structs.replace(self._statistics, seconds=seconds)
        return answer

    def _watch_time(self, limits: Limits) -> threading.Timer | None:
        """Start a timer that kills the child at its time limit, even if it stops reading."""
        if limits.seconds is None:
            return None
        grace = _GRACE if self.solver.abilities.progress else 0.0
        delay = min(limits.seconds + grace, threading.TIMEOUT_MAX)
        watch = threading.Timer(delay, self._kill, (Reason.TIME_LIMIT,))
        watch.daemon = True
        watch.start()
        return watch

    def _feed(self, limits: Limits) -> None:
        """Send the clauses that the child lacks; if it is gone, waiting for its reply shows it."""
        if limits.memory_bytes != self._memory:
            self._memory = limits.memory_bytes
            self._child.send(_MEMORY, _json(self._memory))
        while self._fed < len(self.blocks):
            for block in _pieces(self.blocks[self._fed].literals):
                piece = self._numbering.there(block)
                ends = np.flatnonzero(piece == 0).astype(np.int32)
                head = np.array([ends.size], np.int32)
                parts = (head.tobytes(), ends.tobytes(), piece.tobytes())
                if not self._child.send(_ADD, *parts):
                    return
            self._fed += 1

    def _order(self, assumptions: IntArray, limits: Limits, start: float) -> None:
        order = {
            "assumptions": self._numbering.there(assumptions).tolist(),
            "seconds": limits.since(start).seconds,
            "conflicts": limits.conflicts,
            "growth": GROWTH if self.solver.abilities.progress else None,
        }
        self._child.send(_SOLVE, _json(order))
        self._used = True

    def _await(self, limits: Limits, start: float) -> Answer:
        model, conflicts = b"", None
        while True:
            packet = self._child.receive(_POLL)
            if isinstance(packet, Ended):
                return self._epitaph(packet, limits)
            if packet is None:
                if outgrown(self._child.pid, limits.memory_bytes):
                    self._kill(Reason.MEMORY_LIMIT)
            elif packet.kind == _PROGRESS:
                conflicts = int(_content(packet).get("conflicts", 0))
            elif packet.kind == _MODEL:
                model = packet.payload
                continue
            elif packet.kind == _RESULT:
                return self._result(_content(packet), model)
            else:
                return self._failure(_content(packet))
            if self._progress is not None:
                pid = self._child.pid
                spent = processor_seconds(pid) if conflicts is None else 0.0
                self._progress(
                    Progress(time.monotonic() - start, conflicts, resident_bytes(pid), spent)
                )

    def _result(self, result: dict[str, Any], model: bytes) -> Answer:
        try:
            self._statistics = Statistics(self._statistics.seconds, **result["statistics"])
            if result["status"] == "satisfied":
                literals = self._numbering.back(np.frombuffer(model, np.int32))
                return Satisfied(Model.from_literals(literals, self.variables))
            if result["status"] == "refuted":
                core = self._numbering.back(np.array(result["core"], np.int32))
                return Refuted(tuple(core.tolist()))
            return Undecided(REASONS[result["status"]])
        except (LookupError, TypeError, ValueError):
            return self._failure({"kind": "error", "text": _NONSENSE})

    def _failure(self, words: dict[str, Any]) -> Answer:
        """Return the answer for a failure that the child reports."""
        self._finalizer()
        kind, text = words.get("kind"), str(words.get("text", _NONSENSE))
        if kind == "missing":
            raise SolverError(f"PySAT has no {self.solver.name} here: {text}")
        if kind == "memory" and self._memory is not None:
            return Undecided(Reason.MEMORY_LIMIT)
        return Undecided(Reason.DIED, text)

    def _epitaph(self, ended: Ended, limits: Limits) -> Answer:
        """Return the answer for a child that ended without one."""
        self._child.kill()
        how, words = self._child.last_words()
        self._finalizer()
        if self._stop is not None:
            return Undecided(self._stop)
        if ended.nonsense:
            return Undecided(Reason.DIED, _NONSENSE)
        if limits.memory_bytes is not None and ran_out(how, words):
            return Undecided(Reason.MEMORY_LIMIT)
        last = words.splitlines()[-1][:200] if words else ""
        return Undecided(Reason.DIED, f"{how}: {last}" if last else how)


def _pieces(literals: IntArray) -> Iterator[IntArray]:
    """Yield an array in pieces of about a million literals, each with whole clauses."""
    start = 0
    while start < literals.size:
        stop = min(start + _STEP, literals.size)
        while literals[stop - 1] != 0:
            stop += 1
        yield literals[start:stop]
        start = stop


def _content(packet: Packet) -> dict[str, Any]:
    """Return the content of a packet, empty if it cannot be parsed."""
    try:
        content = json.loads(packet.payload)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _json(content: object) -> bytes:
    return json.dumps(content).encode()


_FAST_GROWTH = 16.0
"""The growth factor of slices, for solvers that lose speed by them: three or four per long run."""


class InlineSolver(Solver):
    """A PySAT solver without a child process."""

    def __init__(self, solver: Solver) -> None:
        if not isinstance(solver, PysatSolver):
            raise SolverError(f"{solver.name} is a program of its own and cannot run inline")
        self.pysat = solver
        self.name = solver.name
        self.title = f"{solver.title}, in this process"
        self.abilities = solver.abilities

    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenInline:
        """Open a formula."""
        return OpenInline(self, formula, limits, seed, progress)


class OpenInline(OpenSolver):
    """An open session with a PySAT solver in this process."""

    solver: InlineSolver

    def __init__(
        self,
        solver: InlineSolver,
        formula: Formula,
        limits: Limits | None,
        seed: int | None,
        progress: ProgressCallback | None,
    ) -> None:
        super().__init__(solver, formula, limits)
        self._numbering = Numbering(formula.variables, seed)
        self._progress = progress
        self._fed = 0
        self._busy: list[bool] = []
        """Not empty while the solver runs."""
        self._pysat: Any = None
        self._seconds = 0.0

    def statistics(self) -> Statistics:
        """Return the work done so far."""
        known = {} if self._pysat is None else statistics(self._pysat)
        return Statistics(self._seconds, **known)

    def close(self) -> None:
        """Free the solver."""
        super().close()
        self._drop()

    def _drop(self) -> None:
        if self._pysat is not None:
            self._at_end.detach()
            self._pysat.delete()
            self._pysat = None
            self._fed = 0

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        start = time.monotonic()
        self._busy.append(True)
        try:
            self._feed()
            return self._decide(self._numbering.there(assumptions).tolist(), limits, start)
        finally:
            self._busy.pop()
            self._seconds += time.monotonic() - start

    def _feed(self) -> None:
        from pysat.solvers import NoSuchSolverError, Solver as Pysat  # noqa: I001, PLC0415

        if not self.solver.abilities.incremental:
            self._drop()
        if self._pysat is None:
            try:
                self._pysat = Pysat(name=self.solver.pysat.pysat_name)
            except (NoSuchSolverError, AssertionError, NotImplementedError) as error:
                raise SolverError(f"PySAT has no {self.solver.name} here: {error}") from None
            # PySAT's own destructor fails when Python has taken its module apart at the end.
            self._at_end = weakref.finalize(self, _delete, self._pysat, self._busy)
        add_clause = self._pysat.add_clause
        for block in self.blocks[self._fed :]:
            literals = self._numbering.there(block.literals)
            ends = np.flatnonzero(literals == 0).tolist()
            # PySAT takes any iterable of int; slices of a view are the cheapest.
            view: memoryview = np.ascontiguousarray(literals, np.int32).data
            begin = 0
            for end in ends:
                add_clause(view[begin:end])
                begin = end + 1
        self._fed = len(self.blocks)

    def _decide(self, assumptions: list[int], limits: Limits, start: float) -> Answer:
        def report(conflicts: int) -> None:
            if self._progress is not None:
                self._progress(Progress(time.monotonic() - start, conflicts))

        left = limits.since(start).seconds
        status = decide(
            self._pysat, assumptions, left, limits.conflicts, self._growth(limits), report
        )
        if status == "satisfied":
            literals = np.array(self._pysat.get_model() or (), np.int32)
            return Satisfied(Model.from_literals(self._numbering.back(literals), self.variables))
        if status == "refuted":
            core = np.array(self._pysat.get_core() or () if assumptions else (), np.int32)
            return Refuted(tuple(self._numbering.back(core).tolist()))
        return Undecided(REASONS[status])

    def _growth(self, limits: Limits) -> float | None:
        able = self.solver.abilities
        if able.progress:
            return GROWTH
        must_look = limits.seconds is not None and able.conflict_limit and able.incremental
        return _FAST_GROWTH if must_look else None


def _delete(pysat: Any, busy: list[bool]) -> None:
    """Free a solver, unless another thread is in it when Python ends."""
    if not busy:
        pysat.delete()
