"""The solvers: those of :data:`SOLVERS` are there, those of :data:`PROGRAMS` may have to be got.

A name means the same program on every machine: ``kissat`` is PySAT's, which is always there, and
``kissat-binary`` the program itself, which reads faster, tells its progress and takes a seed. The
first of :data:`SOLVERS` is the default.

>>> find_solver("cadical")
<Solver 'cadical': CaDiCaL 3.0.0>
>>> find_solver("kisat")
Traceback (most recent call last):
satlife.errors.SolverError: no solver 'kisat': did you mean kissat or minisat or kissat-sat?
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from satlife.errors import SolverError
from satlife.sat.solver import Abilities, Solver
from satlife.sat.solvers.command import CommandSolver, Dialect
from satlife.sat.solvers.pysat import PYSAT_SOLVERS, PysatSolver
from satlife.sat.solvers.scripted import ScriptedSolver

SOLVERS: tuple[Solver, ...] = PYSAT_SOLVERS
"""What every installation of satlife has."""

KISSAT = Dialect(("--conflicts={}",), ("--seed={}",), 9)
CADICAL = Dialect(("-c", "{}"), ("--seed={}",), 8)
CRYPTOMINISAT = Dialect(("--maxconfl", "{}"), ("--random", "{}"))
_DIALECTS = {"kissat": KISSAT, "cadical": CADICAL, "cryptominisat5": CRYPTOMINISAT}


def _kissat(name: str, title: str, *options: str) -> CommandSolver:
    get = "pip install 'satlife[kissat]', or put kissat on the PATH (not on Windows)"
    return CommandSolver(name, title, ("kissat", *options), KISSAT, get, "sage_wheels")


def _on_path(name: str, program: str, dialect: Dialect, home: str) -> CommandSolver:
    get = f"put {program} on the PATH ({home})"
    return CommandSolver(name, f"the program {program}", (program,), dialect, get)


PROGRAMS: tuple[CommandSolver, ...] = (
    _kissat("kissat-binary", "the program kissat"),
    _kissat("kissat-sat", "the program kissat, tuned to find models", "--sat"),
    _kissat("kissat-unsat", "the program kissat, tuned to refute", "--unsat"),
    _on_path("cadical-binary", "cadical", CADICAL, "https://github.com/arminbiere/cadical"),
    _on_path(
        "cryptominisat5",
        "cryptominisat5",
        CRYPTOMINISAT,
        "https://github.com/msoos/cryptominisat",
    ),
)
"""Programs of their own, which may be missing: see ``available`` and ``how_to_get``."""

_NOT_ON_WINDOWS = ("ergo",)


def find_solver(name: str) -> Solver:
    """Give the solver of a name; PySAT's own names (``cadical300``) will do as well.

    A program that is not installed is found, too; opening it raises a SolverError.
    """
    wanted = name.lower()
    known = (*SOLVERS, *PROGRAMS)
    for solver in known:
        if wanted == solver.name or wanted == getattr(solver, "pysat_name", None):
            return solver
    names = [solver.name for solver in known]
    near = get_close_matches(wanted, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
    raise SolverError(f"no solver {name!r}: {hint}")


def command_solver(words: str) -> CommandSolver:
    """Make a solver of a command line: a program, its options, ``{}`` for the formula's file.

    >>> command_solver("mysolver --quick {}")
    <Solver 'mysolver': the command mysolver --quick {}>
    """
    lexer = shlex.shlex(words, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if sys.platform == "win32":
        lexer.escape = ""  # a backslash is a part of a path there
    try:
        command = tuple(lexer)
    except ValueError as error:
        raise SolverError(f"{words!r} is no command: {error}") from None
    if not command:
        raise SolverError("a solver's command is a program and its options, got nothing")
    name = Path(command[0]).stem if sys.platform == "win32" else Path(command[0]).name
    dialect = _DIALECTS.get(name, Dialect())
    return CommandSolver(name, f"the command {words.strip()}", command, dialect)


@dataclass(frozen=True, slots=True)
class Installation:
    """A solver and whether it is there: a row for ``satlife doctor``."""

    solver: Solver
    where: Path | None
    """The program, or the folder of the package; None if it is not installed."""
    how_to_get: str

    @property
    def name(self) -> str:
        """The solver's name."""
        return self.solver.name

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        return self.solver.title

    @property
    def abilities(self) -> Abilities:
        """What it can do."""
        return self.solver.abilities

    @property
    def available(self) -> bool:
        """Whether it can be used here."""
        return self.where is not None

    def version(self) -> str:
        """Find out the version, empty if it is not told; this may start the program."""
        if not self.available:
            return ""
        if not isinstance(self.solver, CommandSolver):
            with suppress(importlib.metadata.PackageNotFoundError):
                return f"python-sat {importlib.metadata.version('python-sat')}"
            return ""
        with suppress(OSError, subprocess.SubprocessError):
            told = subprocess.run(
                [self.solver.locate(), "--version"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=5,
            )
            if match := re.search(rb"[0-9]+(?:\.[0-9]+)+", told.stdout):
                return match[0].decode()
        return ""


def survey_solvers() -> tuple[Installation, ...]:
    """Look which solvers are there, without starting or importing any."""
    spec = importlib.util.find_spec("pysolvers")
    place = None if spec is None or spec.origin is None else Path(spec.origin).parent
    rows = []
    for solver in SOLVERS:
        missing = sys.platform == "win32" and solver.name in _NOT_ON_WINDOWS
        how = "not for Windows" if missing else "pip install python-sat"
        rows.append(Installation(solver, None if missing else place, how))
    rows.extend(Installation(program, program.where, program.how_to_get) for program in PROGRAMS)
    return tuple(rows)


__all__ = [
    "PROGRAMS",
    "SOLVERS",
    "CommandSolver",
    "Dialect",
    "Installation",
    "PysatSolver",
    "ScriptedSolver",
    "command_solver",
    "find_solver",
    "survey_solvers",
]
