"""``satlife solve``: solve a formula, and print the answer in the formula's own format."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

import click
import numpy as np

from satlife.cli import endings
from satlife.cli.endings import say, stopping
from satlife.cli.files import open_input
from satlife.cli.help import Command
from satlife.cli.quantities import MEMORY, TIME, set_deadline
from satlife.cli.search.progress import reporting
from satlife.engine.engine import Progress
from satlife.engine.sat.attempt import name_progress
from satlife.errors import InternalError, UsageError
from satlife.sat import Formula, Limits, Undecided, detect_format, find_solver
from satlife.sat.formula import IntArray

DIMACS_EXIT = {endings.FOUND: 10, endings.IMPOSSIBLE: 20, endings.UNDECIDED: 0}
"""The exit codes of the SAT competitions."""

LITERALS_PER_LINE = 10


@click.command(name="solve", cls=Command)
@click.argument("source", metavar="[FILE]", default="-")
@click.option(
    "--solver", default="cadical", show_default=True, help="The solver; satlife list solvers."
)
@click.option(
    "--timeout", type=TIME, metavar="TIME", help="Give up after this time by the clock (10m)."
)
@click.option("--memory", type=MEMORY, metavar="SIZE", help="Give up beyond this memory (4G).")
@click.option("--all", "everything", is_flag=True, help="Print all models.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Print at most N models.")
@click.option(
    "--project",
    metavar="REGEX",
    help="Print only variables whose whole name matches, and each choice of their values once.",
)
@click.option("--dimacs-exit", is_flag=True, help="Exit with 10 (satisfiable), 20 or 0 (unknown).")
def command(
    source: str,
    solver: str,
    timeout: float | None,
    memory: float | None,
    everything: bool,
    limit: int | None,
    project: str | None,
    dimacs_exit: bool,
) -> None:
    """Solve a formula in DIMACS or in Knuth's SAT format.

    The format is detected.  A DIMACS formula is answered with s and v lines, one in Knuth's format
    as his own solvers do: a line of literals for each solution, or ~ if there is none.

    \b
    Exit codes: 0 satisfiable, 1 unsatisfiable, 2 bad input, 3 undecided
    (with --all: 0 all models printed, 3 there may be more).

    \b
    Examples:
      satlife solve hard.cnf.xz --timeout 10m --memory 4G
      satlife knuth sat-life-grid90-cycle 8 8 5 | satlife solve --all --project '\\d+a\\d+'
    """
    chosen = find_solver(solver)
    with open_input(source) as file:
        head: bytes = file.peek(65536)  # type: ignore[attr-defined]  # all inputs are buffered
        found = detect_format(head)
        formula = found.read(file)
    variables = _projection(formula, project)
    language = KNUTH if found.name == "knuth" else DIMACS
    deadline = set_deadline(timeout)  # reading the formula has taken a part
    limits = Limits(seconds=deadline.left, memory_bytes=None if memory is None else int(memory))
    wanted = limit or (None if everything else 1)
    count = 0
    with stopping() as signals:
        with (
            reporting(False, deadline) as report,
            chosen.open(
                formula,
                limits=limits,
                progress=lambda news: report.event(
                    Progress(solver, deadline.spent, name_progress(news))
                ),
            ) as opened,
        ):
            signals.hand_to(lambda _: opened.interrupt())
            models = opened.models(variables)
            while count != wanted and signals.signal is None:
                if (model := next(models, None)) is None:
                    break
                if not model.satisfies(formula):
                    raise InternalError(f"{solver} gave a model that does not satisfy the formula")
                count += 1
                literals = (
                    model.literals()
                    if variables is None
                    else np.where(model.values(variables), variables, -variables)
                )
                sys.stdout.write(language.model(formula, literals, count == 1))
                sys.stdout.flush()
        is_cut = models.ending is None and count != wanted  # by a signal, before the solver began
        if is_cut or isinstance(models.ending, Undecided):
            code = endings.UNDECIDED
            say(f"satlife: undecided: {signals.signal.why if signals.signal else models.ending}")
        else:
            code = endings.FOUND if count else endings.IMPOSSIBLE
        if not count:
            sys.stdout.write(language.unknown if code == endings.UNDECIDED else language.none)
        if everything or limit:
            whole = "all" if models.complete else "there may be more"
            say(f"satlife: {count} model{'' if count == 1 else 's'} ({whole})")
        sys.stdout.flush()
    sys.exit(DIMACS_EXIT[code] if dimacs_exit else code)


def _projection(formula: Formula, regex: str | None) -> IntArray | None:
    """Return the variables whose names match, or None for all."""
    if regex is None:
        return None
    try:
        matches = re.compile(regex).fullmatch
    except re.error as error:
        raise UsageError(f"--project: {regex!r} is not a regular expression: {error}") from None
    found = [v for v in range(1, formula.variables + 1) if matches(formula.name(v))]
    if not found:
        example = f" (such as {formula.name(1)})" if formula.variables else ""
        raise UsageError(f"--project: no variable's name matches {regex!r}{example}")
    return np.array(found, np.int32)


def _dimacs_model(_formula: Formula, literals: IntArray, first: bool) -> str:
    signed = [*map(str, literals.tolist()), "0"]
    rows = (signed[i : i + LITERALS_PER_LINE] for i in range(0, len(signed), LITERALS_PER_LINE))
    return ("s SATISFIABLE\n" if first else "") + "".join(f"v {' '.join(row)}\n" for row in rows)


def _knuth_model(formula: Formula, literals: IntArray, _first: bool) -> str:
    signed = (("~" if v < 0 else "") + formula.name(abs(v)) for v in literals.tolist())
    return "".join(f" {literal}" for literal in signed) + "\n"


@dataclass(frozen=True)
class Language:
    """The notation of answers to the formulas of a format."""

    model: Callable[[Formula, IntArray, bool], str]
    none: str
    unknown: str


DIMACS = Language(_dimacs_model, "s UNSATISFIABLE\n", "s UNKNOWN\n")
KNUTH = Language(_knuth_model, "~\n", "")
