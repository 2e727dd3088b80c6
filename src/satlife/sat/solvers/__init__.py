"""The solvers, in the tuple :data:`SOLVERS`: PySAT's, and programs to be installed separately.

A name means the same solver on every machine: ``kissat`` is PySAT's, always available, and
``kissat-binary`` is the program itself, which reads faster, reports progress and takes a seed.

>>> find_solver("cadical")
<Solver 'cadical': CaDiCaL 3.0.0>
>>> find_solver("kisat")
Traceback (most recent call last):
satlife.errors.SolverError: there is no solver 'kisat': did you mean kissat, minisat or kissat-sat?
"""

from __future__ import annotations

import shlex
import sys
from difflib import get_close_matches
from pathlib import Path

from satlife.errors import SolverError
from satlife.sat.solver import Solver
from satlife.sat.solvers.command import UNKNOWN, CommandSolver, Dialect
from satlife.sat.solvers.programs import CADICAL, CRYPTOMINISAT, KISSAT, KISSAT_SAT, KISSAT_UNSAT
from satlife.sat.solvers.pysat import PYSAT_SOLVERS, PysatSolver
from satlife.sat.solvers.scripted import ScriptedSolver

SOLVERS: tuple[Solver, ...] = (
    *PYSAT_SOLVERS,
    KISSAT,
    KISSAT_SAT,
    KISSAT_UNSAT,
    CADICAL,
    CRYPTOMINISAT,
)
"""All solvers, the default first.  PySAT's are always available; for others, ask ``available``."""


def find_solver(name: str) -> Solver:
    """Find a solver by its name; PySAT's own names (``cadical300``) work as well.

    A program that is not installed is found too; opening it raises SolverError.
    """
    wanted = name.lower()
    for solver in SOLVERS:
        if wanted == solver.name or wanted in solver.aliases:
            return solver
    names = [solver.name for solver in SOLVERS]
    *near, last = get_close_matches(wanted, names, 3) or [""]
    if not last:
        raise SolverError(f"there is no solver {name!r}: use one of {', '.join(names)}")
    hint = f"{', '.join(near)} or {last}" if near else last
    raise SolverError(f"there is no solver {name!r}: did you mean {hint}?")


def command_solver(words: str) -> CommandSolver:
    """Build a solver from a command line; ``{}`` stands for the formula's file.

    >>> command_solver("mysolver --quick {}")
    <Solver 'mysolver': the command mysolver --quick {}>
    """
    lexer = shlex.shlex(words, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if sys.platform == "win32":
        lexer.escape = ""  # a backslash is part of a path there
    try:
        command = tuple(lexer)
    except ValueError as error:
        raise SolverError(f"{words!r} is not a command: {error}") from None
    if not command:
        raise SolverError("the solver's command is empty; write a program and its options")
    name = Path(command[0]).stem if sys.platform == "win32" else Path(command[0]).name
    return CommandSolver(name, f"the command {words.strip()}", command, _dialect(name))


def _dialect(program: str) -> Dialect:
    """Return the dialect of a program, by its name."""
    known = (solver for solver in SOLVERS if isinstance(solver, CommandSolver))
    return next((each.dialect for each in known if each.command[0] == program), UNKNOWN)


__all__ = [
    "SOLVERS",
    "CommandSolver",
    "Dialect",
    "PysatSolver",
    "ScriptedSolver",
    "command_solver",
    "find_solver",
]
