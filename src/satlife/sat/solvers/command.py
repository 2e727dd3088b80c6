r"""External programs that read DIMACS and answer with ``s`` and ``v`` lines, as solvers.

The formula goes through a pipe to the program's standard input, or into a temporary file if one
of the program's arguments contains ``{}``.  Every call of ``solve`` starts the program again, with
the assumptions as unit clauses, so nothing is learnt from call to call.  The program is looked up
only when it is used.

>>> solver = CommandSolver("quick", "my own solver", ("mysolver", "--quick", "{}"))
>>> solver
<Solver 'quick': my own solver>
>>> solver.open(Formula())
Traceback (most recent call last):
satlife.errors.SolverError: quick is not installed: there is no program 'mysolver'

A :class:`ProgramOutput` parses the program's output, and a :class:`Dialect` holds the options of a
family of programs and the format of their progress lines.

>>> output = ProgramOutput(Dialect(), variables=2)
>>> for line in (b"s SATISFIABLE\n", b"v 1 -2 0\n"):
...     output.take(line)
>>> output.answer(10, "", Limits()).model
<Model: 1 of 2 variables true>
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from msgspec import Struct, structs

from satlife.errors import SolverError
from satlife.machine import how_to_install
from satlife.sat.answer import Answer, Model, Reason, Refuted, Satisfied, Undecided
from satlife.sat.files.dimacs import TokenError, parse_integers
from satlife.sat.formula import Block, Formula, IntArray
from satlife.sat.solver import (
    Abilities,
    Limits,
    OpenSolver,
    Progress,
    ProgressCallback,
    ProofFormat,
    Solver,
    Statistics,
)
from satlife.sat.solvers.memory import outgrown, processor_seconds, ran_out, resident_bytes
from satlife.sat.solvers.process import Ended, ForeignProgram, Watcher, describe_exit


class ProofOption(Struct, frozen=True):
    """The option that makes a program write a proof."""

    format: ProofFormat
    words: tuple[str, ...]
    """The arguments before the proof's path; ``{}`` stands for the formula's file."""
    since: int = 0
    """The first major version that supports it."""


class Dialect(Struct, frozen=True):
    """The options of a family of programs; ``{}`` in an argument stands for the number."""

    conflicts: tuple[str, ...] = ()
    """The option that limits conflicts."""
    seed: tuple[str, ...] = ()
    conflicts_word: int | None = None
    """The index of the word with the number of conflicts in a progress line, ``c X 0.01 …``."""
    proof: ProofOption | None = None

    def abilities(self, *, takes_file: bool) -> Abilities:
        """Return the abilities of a solver of this dialect.

        A command that places the formula's file itself leaves no place for a proof.
        """
        return Abilities(
            incremental=False,
            statistics=self.conflicts_word is not None,
            conflict_limit=bool(self.conflicts),
            progress=self.conflicts_word is not None,
            seed=bool(self.seed),
            proof=None if self.proof is None or takes_file else self.proof.format,
        )


UNKNOWN = Dialect()
"""The dialect of an unknown program: no options, and no progress lines."""


_POLL = 0.1
"""Seconds between checks of the clock, the memory and the process."""
_REPORT = 0.5
"""Least number of seconds between reports of progress."""
_PATIENCE = 2.0
"""Seconds allowed between the end of a program's output and the end of the program."""
_LARGEST_NUMBER = 2**31 - 1
"""The largest seed or limit that Kissat accepts."""
_VERSION_SECONDS = 5
"""Timeout for printing a version, in seconds."""


@dataclass(frozen=True, repr=False)
class CommandSolver(Solver):
    """A program that reads DIMACS, with its options."""

    name: str
    title: str
    command: tuple[str, ...]
    """The program and its options; ``{}`` in an option stands for the formula's file."""
    dialect: Dialect = UNKNOWN
    hint: str = ""
    """How to get the program, in words."""
    extra: str = ""
    """The extra of satlife that installs it, too."""
    wheel: str = ""
    """A package whose folder ``bin`` may hold the program; it is not imported."""
    stand_in: str = ""
    abilities: Abilities = field(init=False, compare=False)

    def __post_init__(self) -> None:
        takes_file = any("{}" in word for word in self.command)
        object.__setattr__(self, "abilities", self.dialect.abilities(takes_file=takes_file))

    @property
    def how_to_get(self) -> str:
        """Installation instructions."""
        hint = self.hint or f"there is no program {self.command[0]!r}"
        return f"{how_to_install(self.extra)}, or {hint}" if self.extra else hint

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
        """Return the program's path; raise SolverError, with instructions, if it is missing."""
        if (where := self.where) is None:
            raise SolverError(f"{self.name} is not installed: {self.how_to_get}")
        return os.fspath(where)

    def version(self) -> str:
        """Return the version that the program prints, or an empty string."""
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
        # Options come first: some programs take anything after the file for another file.
        command = (program, *self.words("seed", self.dialect.seed, seed), *self.command[1:])
        return OpenCommand(self, command, formula, limits, progress)

    def words(self, name: str, option: tuple[str, ...], number: int | None) -> tuple[str, ...]:
        """Return the arguments of an option with its number; no arguments for None."""
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
        """Close the session, and stop a ``solve`` that runs in another thread."""
        super().close()
        self.interrupt()

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        start = time.monotonic()
        units = Block.from_rows("", assumptions.reshape(-1, 1))
        formula = Formula((*self.blocks, units), self.variables)

        output = ProgramOutput(self.solver.dialect, self.variables)
        self._deadline = math.inf if limits.seconds is None else start + limits.seconds
        self._inbox, self._stop, self._solving = queue.SimpleQueue(), None, True
        try:
            answer = self._run(formula, output, limits)
        finally:
            self._solving, self.pid = False, None
            old = self._statistics
            work = {word: (getattr(old, word) or 0) + n for word, n in output.statistics.items()}
            seconds = old.seconds + time.monotonic() - start
            self._statistics = structs.replace(old, seconds=seconds, **work)
        # The program does not report a core of the assumptions.
        return Refuted(tuple(assumptions.tolist())) if isinstance(answer, Refuted) else answer

    def _run(self, formula: Formula, output: ProgramOutput, limits: Limits) -> Answer:
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
                program = ForeignProgram(
                    command, feed, output.take, self._inbox, memory_bytes=room, watcher=watcher
                )
            except OSError as error:
                raise SolverError(f"{self.solver.name} cannot be started: {error}") from None
            stack.callback(program.end)
            self.pid = program.pid
            return self._await(program, output, limits)

    def _await(self, program: ForeignProgram, output: ProgramOutput, limits: Limits) -> Answer:
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
                spent = processor_seconds(program.pid) if conflicts is None else 0.0
                held = resident_bytes(program.pid)
                self._progress(Progress(now - start, conflicts, held, spent))
            ended = ended or isinstance(news, Ended)
            if patience == math.inf and (ended or program.code is not None):
                patience = time.monotonic() + _PATIENCE
                if not ended:
                    program.kill()  # what it left behind, so that the output ends
        code = program.code
        program.end()
        return output.answer(code, program.complaints, limits)

    def _why(self) -> Reason | None:
        """Return the reason to stop now, if any."""
        return self._stop or (Reason.TIME_LIMIT if time.monotonic() >= self._deadline else None)


class _Stopped(Exception):  # noqa: N818
    """Writing the formula was stopped."""


class _File(FileIO):
    """A file that refuses writes once there is a reason to stop."""

    def __init__(self, path: str, why: Callable[[], Reason | None]) -> None:
        super().__init__(path, "wb")
        self._why = why

    def write(self, data: Any, /) -> int:
        if self._why():
            raise _Stopped
        return super().write(data)


_STATISTIC = re.compile(rb"c (conflicts|decisions|propagations|restarts): +([0-9]+)\s")
_CHUNK = 1 << 21
"""Bytes of a model that are parsed at once."""
_SPARE = 1 << 26
"""Bytes allowed for a model beyond 32 per variable."""


class ProgramOutput:
    """Parses a program's output, line by line."""

    def __init__(self, dialect: Dialect, variables: int) -> None:
        self.statistics: dict[str, int] = {}
        self._progress_word = dialect.conflicts_word
        self._variables = variables
        self._room = _SPARE + 32 * variables
        self._values: list[bytes] = []
        self._status = self._remark = ""
        self._kind, self._line_ended = b"", True

    def take(self, piece: bytes) -> int | str | None:
        """Parse a line, or a piece of a long one; return the conflicts so far, or an error."""
        fresh, self._line_ended = self._line_ended, piece.endswith(b"\n")
        if fresh:
            self._kind = piece[:1] if piece[1:2] in b" \t\r\n" else b""
        if self._kind == b"v":
            self._values.append(piece[1:] if fresh else piece)
            self._room -= len(piece)
            return "it prints more than a model" if self._room < 0 else None
        if self._kind == b"c":
            return self._take_comment(piece) if fresh and self._progress_word else None
        words = piece[:200].decode("utf-8", "replace").strip()
        if self._kind == b"s" and fresh:
            if self._status not in ("", words[1:].strip()):
                return f"it says both {self._status} and {words[1:].strip()}"
            self._status = words[1:].strip()
        elif words:
            self._remark = words
        return None

    def _take_comment(self, line: bytes) -> int | None:
        if match := _STATISTIC.match(line):
            self.statistics[match[1].decode()] = int(match[2])
        elif line[2:3].strip() and line[3:4] == b" ":
            words = line.split(None, 10)
            if len(words) > 10 and words[2].replace(b".", b"").isdigit():
                number = words[self._progress_word or 0]
                return int(number) if number.isdigit() else None
        return None

    def answer(self, code: int | None, complaints: str, limits: Limits) -> Answer:
        """Return the answer, from the ``s`` and ``v`` lines, the exit code and the complaints."""
        how = "still running" if code is None else describe_exit(code)
        last = complaints.splitlines()[-1][:200] if complaints else self._remark
        epitaph = f"{how}: {last}" if last else how
        proper = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0, "INDETERMINATE": 15}
        limited = limits.memory_bytes is not None and code not in proper.values()
        if limited and ran_out(how, complaints):
            return Undecided(Reason.MEMORY_LIMIT)
        if not self._status:
            gave_up = Reason.GAVE_UP if code == 0 else Reason.DIED
            return Undecided(gave_up, f"it printed no answer; {epitaph}")
        # Launchers often exit with 0 whatever the solver's answer; that is no contradiction.
        if self._status not in proper or code not in (proper[self._status], 0, None):
            return Undecided(Reason.DIED, f"it says {self._status}; {epitaph}")
        if self._status == "SATISFIABLE":
            return self._model()
        if self._status == "UNSATISFIABLE":
            return Refuted()
        return Undecided(Reason.GAVE_UP if limits.conflicts is None else Reason.CONFLICT_LIMIT)

    def _model(self) -> Answer:
        if not self._values:
            return Undecided(Reason.GAVE_UP, "it says SATISFIABLE but prints no model")
        try:
            literals = np.concatenate([*_integers(b"".join(self._values)), np.zeros(0, np.int32)])
        except TokenError as error:
            return Undecided(Reason.DIED, f"its model cannot be read: {error}")
        if np.count_nonzero(literals == 0) != 1 or literals[-1] != 0:
            return Undecided(Reason.DIED, "its model does not end with a 0")
        model = Model.from_literals(literals, self._variables)
        false = -literals[(literals < 0) & (literals >= -self._variables)]
        if model.truth[false].any():
            return Undecided(Reason.DIED, "a variable of its model is both true and false")
        return Satisfied(model)


def _integers(text: bytes) -> Iterator[IntArray]:
    """Yield the integers of a text, in batches."""
    start = 0
    while start < len(text):
        stop = start + _CHUNK
        while stop < len(text) and not text[stop : stop + 1].isspace():
            stop += 1
        yield parse_integers(text[start:stop]).values
        start = stop
