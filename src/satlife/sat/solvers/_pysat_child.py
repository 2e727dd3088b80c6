"""The child process that runs one PySAT solver; a separate program.

It imports nothing of satlife and no NumPy, so that it starts in some 60 ms, half of which is
PySAT.  (Other processes import from here what they share with it: ``decide``, ``Lifeline`` ...)  It
reads packets from its standard input and writes packets to its standard output; a packet is
``MAGIC``, a kind, a length, and that many bytes.  Native int32 arrays travel as they are.

    from the parent   HELLO  JSON: solver, path, leash      once, first
                      MEMORY JSON: bytes or null            from here on
                      ADD    int32: n, the n clause ends (indices of the zeros), the literals
                      SOLVE  JSON: assumptions, seconds, conflicts, growth
    to the parent     PROGRESS  JSON: conflicts
                      MODEL     int32 literals              before RESULT, if satisfied
                      RESULT    JSON: status, core, statistics
                      ERROR     JSON: kind (memory, missing, error), text

CaDiCaL and Kissat in PySAT hold the interpreter's lock while they run, so no Python code in this
process can watch them.  Hence the operating system ends the child when the parent's end of the pipe
closes, and the parent kills it at its time limit.
"""

# The parent's side of this file is pysat.py.
import array
import ctypes
import faulthandler
import json
import math
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

if sys.platform != "win32":
    import fcntl
    import resource
else:
    import msvcrt

MAGIC = b"slf1"
HEADER = struct.Struct("=4sII")
HELLO, MEMORY, ADD, SOLVE, PROGRESS, MODEL, RESULT, ERROR = range(1, 9)

FIRST_SLICE = 2000
"""Length of the first slice, in conflicts."""
LONGEST_SLICE = 10.0
"""Length, in seconds, at which slices stop growing."""
SHORTEST_SLICE = 50.0
"""Least length of a slice, in conflicts, shortly before the time limit."""
WORDS = {True: "satisfied", False: "refuted", None: "gave up"}
STATISTICS = ("conflicts", "decisions", "propagations", "restarts")


class PipedSolver:
    """A solver and the two pipes to its parent."""

    def __init__(self, commands: BinaryIO, reports: BinaryIO) -> None:
        self.commands = commands
        self.reports = reports
        self.solver: Any = None
        self.resting_memory = 0

    def run(self) -> None:
        """Handle packets until the parent closes the pipe."""
        obey = {HELLO: self.hello, MEMORY: self.memory, ADD: self.add, SOLVE: self.solve}
        while True:
            header = self.commands.read(HEADER.size)
            if len(header) < HEADER.size:
                return
            _, kind, length = HEADER.unpack(header)
            payload = self.commands.read(length)
            if len(payload) < length:
                return
            try:
                obey[kind](payload)
            except MemoryError:
                self.report(ERROR, {"kind": "memory", "text": "out of memory"})
                return
            except ImportError as error:
                self.report(ERROR, {"kind": "missing", "text": str(error)})
                return
            except Exception as error:
                self.report(ERROR, {"kind": "error", "text": f"{type(error).__name__}: {error}"})
                return

    def report(self, kind: int, content: Any) -> None:
        """Send a packet; exit if the parent is gone."""
        payload = content if isinstance(content, bytes) else json.dumps(content).encode()
        try:
            self.reports.write(HEADER.pack(MAGIC, kind, len(payload)) + payload)
            self.reports.flush()
        except OSError:
            os._exit(1)

    def hello(self, payload: bytes) -> None:
        """Create the solver."""
        order = json.loads(payload)
        Lifeline(order["leash"])
        sys.path[:] = order["path"]
        from pysat.solvers import NoSuchSolverError, Solver  # noqa: PLC0415

        try:
            self.solver = Solver(name=order["solver"])
        except (NoSuchSolverError, AssertionError, NotImplementedError) as error:
            # An older PySAT, or one that was built without this solver.
            raise ImportError(str(error)) from None

    def memory(self, payload: bytes) -> None:
        """Limit how far the address space may grow from now on."""
        self.resting_memory = limit_growth(json.loads(payload), self.resting_memory)

    def add(self, payload: bytes) -> None:
        """Add clauses. PySAT takes any iterable of int, and slices of a view are the cheapest."""
        numbers = memoryview(payload).cast("i")
        count = numbers[0]
        literals = numbers[1 + count :]
        add_clause = self.solver.add_clause
        start = 0
        for end in numbers[1 : 1 + count]:
            add_clause(literals[start:end])
            start = end + 1

    def solve(self, payload: bytes) -> None:
        """Solve, and report the answer."""
        order = json.loads(payload)
        if order["seconds"] is not None:
            # A timer in C, which needs no lock: for when the parent is gone or stuck.
            faulthandler.dump_traceback_later(order["seconds"] + 5, exit=True)
        status = decide(
            self.solver,
            order["assumptions"],
            order["seconds"],
            order["conflicts"],
            order["growth"],
            lambda conflicts: self.report(PROGRESS, {"conflicts": conflicts}),
        )
        if order["seconds"] is not None:
            faulthandler.cancel_dump_traceback_later()
        if status == "satisfied":
            self.report(MODEL, array.array("i", self.solver.get_model() or ()).tobytes())
        has_core = status == "refuted" and order["assumptions"]
        core = list(self.solver.get_core() or ()) if has_core else []
        work = statistics(self.solver)
        self.report(RESULT, {"status": status, "core": core, "statistics": work})


def decide(
    solver: Any,
    assumptions: list[int],
    seconds: float | None,
    conflicts: int | None,
    growth: float | None,
    report: Callable[[int], None],
) -> str:
    """Run a PySAT solver, and return the status.

    With a ``growth``, it runs in slices of conflicts, each larger than the last by that factor;
    after each slice, the clock is read and the conflicts are reported.  Without, it runs in one
    call, and the time limit is up to another process.
    """
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    allowed = math.inf if conflicts is None else conflicts
    budget = math.inf if growth is None else float(FIRST_SLICE)
    before, done, rate = statistics(solver).get("conflicts", 0), 0, 0.0
    while True:
        begun = time.monotonic()
        if done >= allowed:
            return "conflict limit"
        if begun >= deadline:
            return "time limit"
        piece = min(budget, allowed - done)
        if rate and seconds is not None:
            piece = min(piece, max(SHORTEST_SLICE, rate * (deadline - begun)))
        status = _run(solver, assumptions, piece)
        if status is None and growth is None and conflicts is not None:
            return "conflict limit"
        if status is not None or growth is None:
            return WORDS[status]
        spent = time.monotonic() - begun
        after = statistics(solver).get("conflicts", 0) - before
        rate = (after - done) / spent if spent > 0 else 0.0
        done = after
        report(done)
        if spent < LONGEST_SLICE:
            budget *= growth


def _run(solver: Any, assumptions: list[int], conflicts: float) -> bool | None:
    """Call a PySAT solver once; return None if it hit the conflict limit, or gave up."""
    # Some solvers do not take the argument at all.
    arguments = {"assumptions": assumptions} if assumptions else {}
    status: bool | None
    if conflicts == math.inf:
        status = solver.solve(**arguments)
    else:
        solver.conf_budget(max(1, int(conflicts)))
        status = solver.solve_limited(**arguments)
    return status


def statistics(solver: Any) -> dict[str, int]:
    """Return the statistics of a PySAT solver."""
    try:
        known = solver.accum_stats() or {}
    except NotImplementedError:
        return {}
    return {name: int(known[name]) for name in STATISTICS if name in known}


class Lifeline:
    """Ends this process when the parent ends, even while the solver runs (not on Windows).

    A signal announces any change of the leash, a pipe that is never written to, so the change can
    only be its end.  The signal's handler is the C function ``_exit`` itself, since Python's own
    handlers need the interpreter's lock, which the solver may hold.  (PR_SET_PDEATHSIG would fire
    when the parent's thread ends, not its process; the standard input does not work, since a write
    to it may be announced after it has been read.)  On Windows the next report fails.
    """

    def __init__(self, leash: int | None) -> None:
        if sys.platform != "win32" and leash is not None:
            libc = ctypes.CDLL(None)
            libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
            libc.signal.restype = ctypes.c_void_p
            libc.signal(signal.SIGIO, ctypes.cast(libc._exit, ctypes.c_void_p))
            fcntl.fcntl(leash, fcntl.F_SETOWN, os.getpid())
            flags = fcntl.fcntl(leash, fcntl.F_GETFL)
            fcntl.fcntl(leash, fcntl.F_SETFL, flags | os.O_ASYNC)
            if select.select([leash], [], [], 0)[0]:
                os._exit(1)  # the parent has ended already


def limit_growth(growth: int | None, resting: int = 0) -> int:
    """Limit how far the address space may grow beyond ``resting`` bytes, or beyond its size now.

    Return those bytes.  Without Linux or its ``/proc`` there is no limit, and they are 0.
    """
    file = Path("/proc/self/statm")
    if sys.platform == "linux" and file.exists():
        resting = resting or int(file.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = hard if growth is None else resting + growth
        if hard != resource.RLIM_INFINITY:
            soft = min(soft, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return resting


def take_output() -> int:
    """Return the standard output, for packets only: what solvers print goes to standard error."""
    packets = os.dup(1)
    os.dup2(2, 1)
    if sys.platform == "win32":
        msvcrt.setmode(packets, os.O_BINARY)
    else:
        # CaDiCaL aborts when it runs out of memory; it should not leave a core file behind.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return packets


def main() -> None:
    """Handle the packets on the standard input."""
    with os.fdopen(take_output(), "wb") as reports:
        PipedSolver(sys.stdin.buffer, reports).run()
        # The operating system frees memory much faster than the solvers do.
        os._exit(0)


if __name__ == "__main__":
    main()
