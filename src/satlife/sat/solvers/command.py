"""Any program that reads DIMACS and answers with ``s`` and ``v`` lines, as a solver.

The formula goes through a pipe to the program's standard input, or into a temporary file if one
of the program's words holds ``{}``.  Every call of ``solve`` starts the program again, with the
assumptions as clauses of one literal, so nothing is learnt from call to call.  Whether the program
is installed is looked up when it is used.

>>> solver = CommandSolver("quick", "my own solver", ("mysolver", "--quick", "{}"))
>>> solver
<Solver 'quick': my own solver>
>>> solver.open(Formula())
Traceback (most recent call last):
satlife.errors.SolverError: quick is not installed: there is no program 'mysolver'
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import os
import queue
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Reason, Refuted, Undecided
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
from satlife.sat.solvers.dialect import UNKNOWN, Dialect
from satlife.sat.solvers.memory import outgrown, resident_bytes
from satlife.sat.solvers.process import Ended, Program, Watcher

if TYPE_CHECKING:
    from satlife.sat.solvers.output import Output

_POLL = 0.1
"""Seconds between looks at the clock, the memory and the process."""
_REPORT = 0.5
"""Seconds between reports of progress, at most."""
_PATIENCE = 2.0
"""Seconds allowed between the end of a program's output and the end of the program."""
_LARGEST_NUMBER = 2**31 - 1
"""Kissat refuses a larger seed or limit."""
_VERSION_SECONDS = 5
"""What a program may take to print its version."""


@dataclass(frozen=True, repr=False)
class CommandSolver(Solver):
    """A program that reads DIMACS, with its options."""

    name: str
    title: str
    command: tuple[str, ...]
    """The program and its options; ``{}`` in one of these stands for the formula's file."""
    dialect: Dialect = UNKNOWN
    how_to_get: str = ""
    wheel: str = ""
    """A package whose folder ``bin`` may hold the program; it is not imported."""
    stand_in: str = ""
    abilities: Abilities = field(init=False, compare=False)

    def __post_init__(self) -> None:
        takes_file = any("{}" in word for word in self.command)
        object.__setattr__(self, "abilities", self.dialect.abilities(takes_file=takes_file))

    @property
    def where(self) -> Path | None:
        """The program's path, None if it is not installed."""
        program = self.command[0]
        spec = importlib.util.find_spec(self.wheel) if self.wheel else None
        folders = spec.submodule_search_locations if spec is not None else None
        for folder in folders or ():
            if found := shutil.which(Path(folder, "bin", program)):
                return Path(found)
        found = shutil.which(program)
        return Path(found) if found else None

    @property
    def available(self) -> bool:
        """Whether the program is installed."""
        return self.where is not None

    def locate(self) -> str:
        """Return the program's path; raise SolverError, with how to get it, if it is missing."""
        if (where := self.where) is None:
            hint = self.how_to_get or f"there is no program {self.command[0]!r}"
            raise SolverError(f"{self.name} is not installed: {hint}")
        return os.fspath(where)

    def require(self) -> None:
        """Raise SolverError, with how to get it, unless the program is installed."""
        self.locate()

    def version(self) -> str:
        """Return the version that the program prints, or an empty text."""
        if not self.available:
            return ""
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            printed = subprocess.run(
                [self.locate(), "--version"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=_VERSION_SECONDS,
            )
            if match := re.search(rb"[0-9]+(?:\.[0-9]+)+", printed.stdout):
                return match[0].decode()
        return ""

    def with_proof(self, path: Path) -> CommandSolver:
        """Return the solver with the options that make it write a proof."""
        option = self.dialect.proof
        if option is None or self.abilities.proof is None:
            raise SolverError(f"{self.name} cannot write proofs; cadical can")
        self.require()
        if option.since:
            version = self.version()
            if not version or int(version.split(".")[0]) < option.since:
                raise SolverError(
                    f"{self.name} is {version or 'of an unknown version'}; "
                    f"it writes {option.format.upper()} proofs from {option.since}.0 on"
                )
        return replace(self, command=(*self.command, *option.words, os.fspath(path)))

    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenCommand:
        """Open a formula; the program starts at each call of ``solve``."""
        program = self.locate()
        if seed is not None and not self.abilities.seed:
            raise SolverError(f"{self.name} cannot be seeded; cadical can")
        # Options come first: some programs take whatever follows the file for another file.
        command = (program, *self.words("seed", self.dialect.seed, seed), *self.command[1:])
        return OpenCommand(self, command, formula, limits, progress)

    def words(self, name: str, option: tuple[str, ...], number: int | None) -> tuple[str, ...]:
        """Return the words of an option with its number, none for None."""
        if number is None:
            return ()
        if not 0 <= number <= _LARGEST_NUMBER:
            raise SolverError(
                f"{self.name} takes a {name} from 0 to {_LARGEST_NUMBER}, not {number}"
            )
        return tuple(word.replace("{}", str(number)) for word in option)


class OpenCommand(OpenSolver):
    """An open session with a program."""

    solver: CommandSolver

    def __init__(
        self,
        solver: CommandSolver,
        command: tuple[str, ...],
        formula: Formula,
        limits: Limits | None,
        progress: ProgressCallback | None,
    ) -> None:
        super().__init__(solver, formula, limits)
        self.pid: int | None = None
        """The running process, None between calls."""
        self._command = command
        self._progress = progress
        self._inbox: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._solving = False
        self._stop: Reason | None = None
        self._deadline = math.inf
        self._statistics = Statistics()

    def statistics(self) -> Statistics:
        """Return the work done so far, by all processes together."""
        return self._statistics

    def interrupt(self) -> None:
        """Stop a ``solve`` that runs in another thread."""
        if self._solving:
            self._stop = Reason.INTERRUPTED
            self._inbox.put(None)

    def close(self) -> None:
        """Take no more calls, and stop one that runs in another thread."""
        super().close()
        self.interrupt()

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        start = time.monotonic()
        units = Block.from_rows("", assumptions.reshape(-1, 1))
        formula = Formula((*self.blocks, units), self.variables)
        from satlife.sat.solvers.output import Output  # noqa: PLC0415 - only a program has output

        output = Output(self.solver.dialect, self.variables)
        self._deadline = math.inf if limits.seconds is None else start + limits.seconds
        self._inbox, self._stop, self._solving = queue.SimpleQueue(), None, True
        try:
            answer = self._run(formula, output, limits)
        finally:
            self._solving, self.pid = False, None
            old = self._statistics
            work = {word: (getattr(old, word) or 0) + n for word, n in output.statistics.items()}
            seconds = old.seconds + time.monotonic() - start
            self._statistics = replace(old, seconds=seconds, **work)
        # It does not say which of the assumptions it needed.
        return Refuted(tuple(assumptions.tolist())) if isinstance(answer, Refuted) else answer

    def _run(self, formula: Formula, output: Output, limits: Limits) -> Answer:
        """Start the program, and make sure that it ends."""
        from satlife.sat.files import dimacs  # noqa: PLC0415 - only programs read files

        conflicts = self.solver.words("limit", self.solver.dialect.conflicts, limits.conflicts)
        command = (self._command[0], *conflicts, *self._command[1:])
        feed: Callable[[BinaryIO], None] | None = partial(dimacs.write, formula)
        with contextlib.ExitStack() as stack:
            path = ""
            if any("{}" in word for word in command):
                handle, path = tempfile.mkstemp(prefix="satlife-", suffix=".cnf")
                stack.callback(Path(path).unlink, missing_ok=True)
                os.close(handle)
                command = tuple(word.replace("{}", path) for word in command)
                feed = None
            watcher = Watcher(path)
            stack.callback(watcher.dismiss)
            if path:
                with contextlib.suppress(_Stopped), BufferedWriter(_File(path, self._why)) as file:
                    dimacs.write(formula, cast("BinaryIO", file))
            if reason := self._why():
                return Undecided(reason)
            room = limits.memory_bytes
            try:
                program = Program(
                    command, feed, output.take, self._inbox, memory_bytes=room, watcher=watcher
                )
            except OSError as error:
                raise SolverError(f"{self.solver.name} cannot be started: {error}") from None
            stack.callback(program.end)
            self.pid = program.pid
            return self._await(program, output, limits)

    def _await(self, program: Program, output: Output, limits: Limits) -> Answer:
        start, ended, patience = time.monotonic(), False, math.inf
        conflicts, reported = None, start
        while not (ended and program.code is not None) and time.monotonic() < patience:
            if reason := self._why():
                return Undecided(reason)
            if outgrown(program.pid, limits.memory_bytes):
                return Undecided(Reason.MEMORY_LIMIT)
            pause = max(0.0, min(_POLL, self._deadline - time.monotonic()))
            news: object = None
            if ended:
                program.wait(pause)
            else:
                with contextlib.suppress(queue.Empty):
                    news = self._inbox.get(timeout=pause)
            if isinstance(news, str):
                return Undecided(Reason.DIED, news)
            if isinstance(news, BaseException):
                raise news
            conflicts = news if isinstance(news, int) else conflicts
            now = time.monotonic()
            due = isinstance(news, int) or now - reported >= _REPORT
            if due and self._progress is not None:
                reported = now
                self._progress(Progress(now - start, conflicts, resident_bytes(program.pid)))
            ended = ended or isinstance(news, Ended)
            if patience == math.inf and (ended or program.code is not None):
                patience = time.monotonic() + _PATIENCE
                if not ended:
                    program.kill()  # what it left behind, so that the output ends
        code = program.code
        program.end()
        return output.answer(code, program.complaints, limits)

    def _why(self) -> Reason | None:
        """Return why it is time to stop, None if it is not."""
        return self._stop or (Reason.TIME_LIMIT if time.monotonic() >= self._deadline else None)


class _Stopped(Exception):  # noqa: N818
    """It is time to stop."""


class _File(FileIO):
    """A file that refuses to be written once it is time to stop."""

    def __init__(self, path: str, why: Callable[[], Reason | None]) -> None:
        super().__init__(path, "wb")
        self._why = why

    def write(self, data: Any, /) -> int:
        if self._why():
            raise _Stopped
        return super().write(data)
