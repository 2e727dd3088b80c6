"""Other proof checkers: ``drat-trim``, ``lrat-check`` and ``cake_lpr``.

They are looked for on the PATH, or in a folder that the caller names.  ``drat-trim`` and
``lrat-check`` are by Marijn Heule (https://github.com/marijnheule/drat-trim); ``cake_lpr`` is
itself verified down to its machine code (https://github.com/tanyongkiam/cake_lpr).  A checker that
is stopped, dies or prints anything but its "s VERIFIED" has verified nothing.

``lrat-check`` alone is not evidence: it accepts the empty clause as a RAT step, even if the formula
has a model (``2 0 0`` for the formula with the one clause ``1 0``).  Let
:func:`satlife.sat.proofs.check_lrat` or ``cake_lpr`` check the same proof.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from satlife.errors import SolverError
from satlife.sat.files import dimacs
from satlife.sat.formula import Block, Formula
from satlife.sat.proofs.drat import is_binary
from satlife.sat.proofs.verdict import Verdict, open_proof
from satlife.sat.solvers.held import describe_exit
from satlife.sat.solvers.memory import outgrown, ran_out
from satlife.sat.solvers.process import Ended, Program, Watcher

_POLL = 0.1
_LONGEST_TAIL = 200
"""Characters of a checker's last line that are reported."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A checker: its program, the format it reads, and what it prints for a valid proof."""

    name: str
    format: str
    verified: str
    refused: tuple[str, ...]
    """The beginnings of lines that reject a proof."""
    how_to_get: str

    def locate(self, folder: str | PathLike[str] | None = None) -> Path:
        """Return the program's path, in the folder if one is given, otherwise on the PATH."""
        found = shutil.which(self.name, path=None if folder is None else os.fspath(folder))
        if found is None:
            where = "on the PATH" if folder is None else f"in {os.fspath(folder)}"
            raise SolverError(f"there is no {self.name} {where}: {self.how_to_get}")
        return Path(found)

    def is_available(self, folder: str | PathLike[str] | None = None) -> bool:
        """Return whether the program is installed."""
        try:
            self.locate(folder)
        except SolverError:
            return False
        return True


_PACKAGE = "Debian and Ubuntu have it in the package drat-trim"
DRAT_TRIM = Tool("drat-trim", "drat", "s VERIFIED", ("s NOT VERIFIED", "s DERIVATION"), _PACKAGE)
LRAT_CHECK = Tool(
    "lrat-check", "lrat", "c VERIFIED", ("c ERROR", "c failed", "c NOT VERIFIED"), _PACKAGE
)
CAKE_LPR = Tool(
    "cake_lpr",
    "lrat",
    "s VERIFIED UNSAT",
    ("c Checking failed",),
    "build it from https://github.com/tanyongkiam/cake_lpr",
)
TOOLS = (DRAT_TRIM, LRAT_CHECK, CAKE_LPR)


def find_tool(name: str) -> Tool:
    """Find a checker by its name."""
    for tool in TOOLS:
        if tool.name == name:
            return tool
    names = ", ".join(tool.name for tool in TOOLS)
    raise SolverError(f"there is no checker {name!r}: use one of {names}")


def check_with(
    tool: Tool,
    formula: Formula,
    proof: str | PathLike[str],
    *,
    lrat: str | PathLike[str] | None = None,
    seconds: float | None = None,
    memory_bytes: int | None = None,
    folder: str | PathLike[str] | None = None,
) -> Verdict:
    """Check a proof with a program; ``drat-trim`` also writes an LRAT proof, if given a path.

    The LRAT proof is there only if the verdict is valid.  A program that exceeds its time or memory
    has decided nothing.
    """
    if lrat is not None and tool is not DRAT_TRIM:
        raise SolverError(f"{tool.name} cannot write LRAT proofs; drat-trim can")
    start = time.monotonic()
    program = tool.locate(folder)
    with open_proof(proof) as file:
        head = file.read(1 << 16)
    with _dimacs_file(formula) as (path, watcher):
        command = [os.fspath(program), path, os.fspath(Path(proof).absolute())]
        if tool is DRAT_TRIM:
            # Its own guess at the format may be wrong; its default time limit is 40000 s.
            command.append("-i" if is_binary(head) else "-I")
            command += ["-t", str(2**31 - 1 if seconds is None else math.ceil(seconds) + 1)]
            if lrat is not None:
                command += ["-L", os.fspath(Path(lrat).absolute())]
        valid, reason, decided = False, "", False
        try:
            valid, reason, decided = _run(tool, command, watcher, seconds, memory_bytes)
        finally:
            if lrat is not None and not valid:
                Path(lrat).unlink(missing_ok=True)
    return Verdict(valid, reason, decided, tool.name, seconds=time.monotonic() - start)


@contextlib.contextmanager
def _dimacs_file(formula: Formula) -> Iterator[tuple[str, Watcher]]:
    """Write the clauses, without comments, to a file that is always removed."""
    handle, path = tempfile.mkstemp(prefix="satlife-", suffix=".cnf")
    with contextlib.ExitStack() as stack:
        stack.callback(Path(path).unlink, missing_ok=True)
        with os.fdopen(handle, "wb") as file:
            watcher = Watcher(path)
            stack.callback(watcher.dismiss)
            dimacs.write(Formula((Block("", formula.literals()),), formula.variables), file)
        yield path, watcher


def _run(
    tool: Tool,
    command: list[str],
    watcher: Watcher,
    seconds: float | None,
    memory_bytes: int | None,
) -> tuple[bool, str, bool]:
    """Run a checker; return whether the proof is valid, why not, and whether it is decided."""
    inbox: queue.SimpleQueue[object] = queue.SimpleQueue()
    said: list[str] = []

    def take(line: bytes) -> None:
        # drat-trim draws a progress bar, with carriage returns, before its verdict.
        words = line.decode("utf-8", "replace").rpartition("\r")[2].strip()
        said.append(words)
        del said[:-100]

    deadline = math.inf if seconds is None else time.monotonic() + seconds
    try:
        program = Program(command, None, take, inbox, memory_bytes=memory_bytes, watcher=watcher)
    except OSError as error:
        raise SolverError(f"{tool.name} cannot be started: {error}") from None
    try:
        ended = False
        while not ended or program.code is None:
            if (left := deadline - time.monotonic()) <= 0:
                return False, "time limit", False
            if outgrown(program.pid, memory_bytes):
                return False, "memory limit", False
            if ended:
                program.wait(min(_POLL, left))
            else:
                with contextlib.suppress(queue.Empty):
                    ended = isinstance(inbox.get(timeout=min(_POLL, left)), Ended)
        code = program.code
    finally:
        program.end()
    valid, reason, decided = _judge(tool, said, code, program.complaints)
    if memory_bytes is not None and not (valid or decided):
        words = "\n".join([*said[-3:], program.complaints])
        if ran_out(describe_exit(code), words):
            return False, "memory limit", False
    return valid, reason, decided


def _judge(tool: Tool, said: list[str], code: int, complaints: str) -> tuple[bool, str, bool]:
    """Return the verdict from what a checker printed and how it ended."""
    refused = [line for line in said if line.startswith(tool.refused)]
    last = [line for line in (*said, *complaints.splitlines()) if line][-1:]
    told = (*refused, *last, "it printed nothing")[0][:_LONGEST_TAIL]
    if tool.verified in said and not refused and code == 0:
        return True, "", True
    return False, f"{told} ({describe_exit(code)})", bool(refused) and code >= 0
