"""The child process that holds one PySAT solver; a program of its own.

(A campaign's child takes only its Lifeline from here.)

It imports nothing of satlife and no NumPy, so that it starts in some 60 ms, half of which is
PySAT. It reads frames from its standard input and writes frames to its standard output; a frame
is ``MAGIC``, a kind, a length, and that many bytes. Native int32 arrays travel as they are.

    from the parent   HELLO  JSON: solver, path, leash      once, first
                      MEMORY JSON: bytes or null            from here on
                      ADD    int32: n, the n clause ends (indices of the zeros), the literals
                      SOLVE  JSON: assumptions, seconds, conflicts
    to the parent     PROGRESS  JSON: conflicts
                      MODEL     int32 literals              ahead of RESULT, if satisfied
                      RESULT    JSON: status, core, statistics
                      ERROR     JSON: kind (memory, missing, error), text

CaDiCaL and Kissat in PySAT hold the interpreter's lock while they run, so no Python code can
watch over them from inside. Hence: solving goes in slices of conflicts, between which the child
reports and looks at the clock; the operating system ends the child when the parent's end of the
pipe closes; and the parent kills it when it is late.
"""

# The parent's side of this file is pysat.py.
import array
import ctypes
import faulthandler
import json
import os
import select
import signal
import struct
import sys
import time
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
"""Conflicts. Short constant slices cost CaDiCaL half its speed; growing ones cost nothing."""
GROWTH = 1.5
LONGEST_SLICE = 10.0
"""Seconds; slices grow no more once one has taken that long."""
STATISTICS = ("conflicts", "decisions", "propagations", "restarts")


class Child:
    """One solver, and the two pipes to the parent."""

    def __init__(self, commands: BinaryIO, reports: BinaryIO) -> None:
        self.commands = commands
        self.reports = reports
        self.solver: Any = None
        self.resting_memory = 0

    def run(self) -> None:
        """Obey frames until the parent closes its end."""
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
        """Send a frame; when nobody listens any more, there is nothing left to do."""
        payload = content if isinstance(content, bytes) else json.dumps(content).encode()
        try:
            self.reports.write(HEADER.pack(MAGIC, kind, len(payload)) + payload)
            self.reports.flush()
        except OSError:
            os._exit(1)

    def hello(self, payload: bytes) -> None:
        """Make the solver."""
        order = json.loads(payload)
        Lifeline(order["leash"])
        sys.path[:] = order["path"]
        from pysat.solvers import NoSuchSolverError, Solver  # noqa: PLC0415

        try:
            self.solver = Solver(name=order["solver"])
        except (NoSuchSolverError, AssertionError, NotImplementedError) as error:
            # An older PySAT without this solver, or one built without it.
            raise ImportError(str(error)) from None

    def memory(self, payload: bytes) -> None:
        """Limit the address space: what is taken now, and so many bytes (Linux only)."""
        if sys.platform == "linux":
            if not self.resting_memory:
                pages = int(Path("/proc/self/statm").read_text().split()[0])
                self.resting_memory = pages * os.sysconf("SC_PAGE_SIZE")
            limit = json.loads(payload)
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            soft = hard if limit is None else self.resting_memory + limit
            if hard != resource.RLIM_INFINITY:
                soft = min(soft, hard)
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))

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
            # A watch in C, which needs no lock: should the parent be gone or stuck, this ends us.
            faulthandler.dump_traceback_later(order["seconds"] + 5, exit=True)
        status = self.decide(order)
        if order["seconds"] is not None:
            faulthandler.cancel_dump_traceback_later()
        if status == "satisfied":
            self.report(MODEL, array.array("i", self.solver.get_model() or ()).tobytes())
        core = list(self.solver.get_core() or ()) if self.can_refute(status, order) else []
        self.report(RESULT, {"status": status, "core": core, "statistics": self.statistics()})

    def can_refute(self, status: str, order: Any) -> bool:
        """Say whether there is a core to ask for."""
        return status == "refuted" and bool(order["assumptions"])

    def decide(self, order: Any) -> str:
        """Run the solver, in slices where it can."""
        words = {True: "satisfied", False: "refuted", None: "gave up"}
        assumptions = order["assumptions"]
        if order["slices"] == "none":
            return words[self.solver.solve(assumptions=assumptions)]
        if order["slices"] == "one":
            if order["conflicts"] is None:
                return words[self.solver.solve()]
            self.solver.conf_budget(order["conflicts"])
            status = self.solver.solve_limited()
            return "conflict limit" if status is None else words[status]
        deadline = None if order["seconds"] is None else time.monotonic() + order["seconds"]
        allowed = order["conflicts"]
        before = self.conflicts()
        budget, rate = float(FIRST_SLICE), None
        while True:
            done = self.conflicts() - before
            now = time.monotonic()
            if allowed is not None and done >= allowed:
                return "conflict limit"
            if deadline is not None and now >= deadline:
                return "time limit"
            piece = budget
            if rate and deadline is not None:
                piece = min(piece, max(50.0, rate * (deadline - now)))
            if allowed is not None:
                piece = min(piece, allowed - done)
            self.solver.conf_budget(max(1, int(piece)))
            status = self.solver.solve_limited(assumptions=assumptions)
            if status is not None:
                return words[status]
            spent = time.monotonic() - now
            after = self.conflicts() - before
            rate = (after - done) / spent if spent > 0 else None
            self.report(PROGRESS, {"conflicts": after})
            if spent < LONGEST_SLICE:
                budget *= GROWTH

    def conflicts(self) -> int:
        """Give the conflicts so far, in all calls."""
        return int((self.solver.accum_stats() or {}).get("conflicts", 0))

    def statistics(self) -> dict[str, int]:
        """Give what the solver tells of its work."""
        try:
            known = self.solver.accum_stats() or {}
        except NotImplementedError:
            return {}
        return {name: int(known[name]) for name in STATISTICS if name in known}


class Lifeline:
    """The end of the parent ends this process, even while the solver runs (not on Windows).

    A signal announces any change of the leash, a pipe to which nobody writes: it can only be its
    end. The signal's handler is the C function ``_exit`` itself, since Python's own handlers need
    the interpreter's lock, which the solver may hold. (PR_SET_PDEATHSIG would fire when the
    parent's thread ends, not its process; the standard input will not do, for a write to it may be
    announced after it has been read.) On Windows the next report fails.
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
                os._exit(1)  # it has ended already


def main() -> None:
    """Take the standard streams and obey."""
    # Solvers print to the standard output; the frames must have it for themselves.
    frames = os.dup(1)
    os.dup2(2, 1)
    if sys.platform == "win32":
        msvcrt.setmode(frames, os.O_BINARY)
    else:
        # CaDiCaL aborts when it runs out of memory, and shall leave no core file behind.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(frames, "wb") as reports:
        Child(sys.stdin.buffer, reports).run()
        # Solvers take long to free their memory; the operating system does not.
        os._exit(0)


if __name__ == "__main__":
    main()
