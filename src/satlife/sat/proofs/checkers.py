"""Checking a proof in either format with all available checkers: our own and external ones.

Our own LRAT checker always takes part.  A DRAT proof is first turned into an LRAT proof: by
``drat-trim``, or, where that is missing and the proof is small, by our own code.

The external checkers ``drat-trim``, ``lrat-check`` and ``cake_lpr`` are looked up on the PATH, or
in a folder that the caller names.  The first two are by Marijn Heule
(https://github.com/marijnheule/drat-trim); ``cake_lpr`` is itself verified down to its machine code
(https://github.com/tanyongkiam/cake_lpr).  A checker that is stopped, dies or prints anything but
its "s VERIFIED" has verified nothing.

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
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO

from satlife.errors import SolverError
from satlife.sat.files import dimacs
from satlife.sat.formula import Block, Formula
from satlife.sat.proofs.drat import elaborate, is_binary
from satlife.sat.proofs.rup import check_in_time
from satlife.sat.proofs.verdict import Verdict, open_proof
from satlife.sat.solvers.memory import outgrown, ran_out
from satlife.sat.solvers.process import Ended, ForeignProgram, Watcher, describe_exit

_POLL = 0.1
_LONGEST_TAIL = 200
"""Characters of a checker's last line that are reported."""


@dataclass(frozen=True, slots=True)
class Tool:
    """An external checker: its program, its proof format, and its output for a valid proof."""

    name: str
    format: str
    verified: str
    refused: tuple[str, ...]
    """The prefixes of lines that reject a proof."""
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
    """Check a proof with an external checker; ``drat-trim`` also writes LRAT, if given a path.

    The LRAT proof exists only if the verdict is valid.  A program that exceeds its time or memory
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
    """Run a checker; return whether the proof is valid, the reason if not, and if it decided."""
    inbox: queue.SimpleQueue[object] = queue.SimpleQueue()
    printed: list[str] = []

    def take(line: bytes) -> None:
        # drat-trim draws a progress bar, with carriage returns, before its verdict.
        words = line.decode("utf-8", "replace").rpartition("\r")[2].strip()
        printed.append(words)
        del printed[:-100]

    deadline = math.inf if seconds is None else time.monotonic() + seconds
    try:
        program = ForeignProgram(
            command, None, take, inbox, memory_bytes=memory_bytes, watcher=watcher
        )
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
    valid, reason, decided = _judge(tool, printed, code, program.complaints)
    if memory_bytes is not None and not (valid or decided):
        words = "\n".join([*printed[-3:], program.complaints])
        if ran_out(describe_exit(code), words):
            return False, "memory limit", False
    return valid, reason, decided


def _judge(tool: Tool, printed: list[str], code: int, complaints: str) -> tuple[bool, str, bool]:
    """Return the verdict from a checker's output and exit code."""
    refused = [line for line in printed if line.startswith(tool.refused)]
    last = [line for line in (*printed, *complaints.splitlines()) if line][-1:]
    shown = (*refused, *last, "it printed nothing")[0][:_LONGEST_TAIL]
    if tool.verified in printed and not refused and code == 0:
        return True, "", True
    return False, f"{shown} ({describe_exit(code)})", bool(refused) and code >= 0


SMALL = 20_000_000
"""Size limit, in bytes, of DRAT proofs for our own elaboration, which is slow."""
SLOW_WITHOUT = (
    "without drat-trim a DRAT proof takes minutes where drat-trim takes seconds: "
    f"{DRAT_TRIM.how_to_get}, or let cadical write the proof, which needs no drat-trim"
)

_HEAD = 1 << 16


def sniff_format(proof: str | PathLike[str] | IO[bytes]) -> str:
    """Return the format of a proof, ``"drat"`` or ``"lrat"``: a step of LRAT has two zeros."""
    with open_proof(proof) as file:
        head = file.read(_HEAD)
    if is_binary(head):
        return "drat"
    steps = (line.split() for line in head.split(b"\n") if line[:1] != b"c")
    return "lrat" if any(s[1:2] == [b"d"] or s.count(b"0") > 1 for s in steps) else "drat"


def check_proof(
    formula: Formula,
    proof: str | PathLike[str],
    *,
    lrat: str | PathLike[str] | None = None,
    seconds: float | None = None,
    memory_bytes: int | None = None,
    on_checker: Callable[[str], None] | None = None,
) -> tuple[Verdict, ...]:
    """Check a proof with our own checker and those on the PATH; the first verdict is the summary.

    The proof is valid if our checker accepts it and no other one rejects it.  ``lrat`` is a path
    for the LRAT proof into which a DRAT proof is turned; the file exists if that worked.  The time
    limit is for all checkers together, the memory limit for each of the programs.  ``on_checker``
    is called with the name of each checker before it starts.
    """
    begun = time.monotonic()
    deadline = None if seconds is None else begun + seconds
    work = _Checking(formula, deadline, memory_bytes, on_checker)
    verdicts: list[Verdict] = []
    with ExitStack() as stack:
        path = Path(proof)
        if sniff_format(path) == "drat":
            if lrat is None:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="satlife-"))
                lrat = Path(folder, "proof.lrat")
            verdicts += work.make_lrat(path, Path(lrat))
            path = Path(lrat)
        if all(verdicts) or (verdicts and verdicts[-1]):
            verdicts.append(work.ask_ourselves(path))
            if verdicts[-1]:
                verdicts += work.ask_others(lambda: path)
    return (sum_up(verdicts, time.monotonic() - begun), *verdicts)


def ask_others(
    formula: Formula,
    lrat: Callable[[], Path],
    *,
    seconds: float | None = None,
    memory_bytes: int | None = None,
) -> list[Verdict]:
    """Check an LRAT proof with the programs on the PATH; ``lrat`` is called if there are any."""
    deadline = None if seconds is None else time.monotonic() + seconds
    return _Checking(formula, deadline, memory_bytes, None).ask_others(lrat)


@dataclass(frozen=True)
class _Checking:
    """A formula, and the limits on checking."""

    formula: Formula
    deadline: float | None
    memory_bytes: int | None
    on_checker: Callable[[str], None] | None

    def make_lrat(self, proof: Path, lrat: Path) -> list[Verdict]:
        """Turn a DRAT proof into an LRAT proof; the last verdict tells whether that worked."""
        verdicts = []
        if DRAT_TRIM.is_available():
            verdicts.append(self._ask(DRAT_TRIM, proof, lrat))
            if verdicts[0].decided and lrat.exists() == verdicts[0].valid:
                return verdicts
        # It is missing, or it wrote nothing, since units alone refute the formula.
        if (size := proof.stat().st_size) > SMALL:
            advice = f"this DRAT proof of {size:,} bytes needs drat-trim; {DRAT_TRIM.how_to_get}"
            return [*verdicts, Verdict(False, advice, decided=False)]
        self._say("satlife, step by step (drat-trim is missing)" if not verdicts else "satlife")
        made = elaborate(self.formula, proof, lrat, seconds=self._left())
        if not made and not made.decided and not verdicts:
            words = f"{made.reason}; {SLOW_WITHOUT}"
            made = Verdict(False, words, decided=False, seconds=made.seconds)
        return [*verdicts, made]

    def ask_ourselves(self, lrat: Path) -> Verdict:
        """Check an LRAT proof with our own checker."""
        self._say("satlife")
        return check_in_time(self.formula, lrat, self._left())

    def ask_others(self, lrat: Callable[[], Path]) -> list[Verdict]:
        """Check an LRAT proof with the programs that are installed."""
        tools = [tool for tool in (LRAT_CHECK, CAKE_LPR) if tool.is_available()]
        path = lrat() if tools else Path()
        return [self._ask(tool, path) for tool in tools]

    def _ask(self, tool: Tool, proof: Path, lrat: Path | None = None) -> Verdict:
        self._say(tool.name)
        left, room = self._left(), self.memory_bytes
        return check_with(tool, self.formula, proof, lrat=lrat, seconds=left, memory_bytes=room)

    def _left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def _say(self, name: str) -> None:
        if self.on_checker:
            self.on_checker(name)


def sum_up(verdicts: list[Verdict], seconds: float) -> Verdict:
    """Return one verdict for several on the same proof."""
    wrong = [v for v in verdicts if v.decided and not v.valid]
    ours = [v for v in verdicts if v.checker == "satlife"]
    if wrong:
        return Verdict(False, f"{wrong[0].checker}: {wrong[0].reason}", seconds=seconds)
    if ours and all(ours):
        checkers = ", ".join(dict.fromkeys(v.checker for v in verdicts if v.valid))
        return Verdict(True, seconds=seconds, checker=checkers, ends=all(v.ends for v in ours))
    reason = (ours or verdicts)[-1].reason
    return Verdict(False, reason, decided=False, seconds=seconds)
