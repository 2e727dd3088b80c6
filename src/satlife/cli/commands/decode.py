"""``satlife decode``: a solver's answer to one of our formulas becomes a verified pattern."""

from __future__ import annotations

import re
import sys

import click
import numpy as np

from satlife.cli import endings
from satlife.cli.endings import say
from satlife.cli.files import open_input, read_text
from satlife.cli.help import Command
from satlife.engine.sat.attempt import decode
from satlife.errors import FormatError
from satlife.formula.spacetime import SpaceTime
from satlife.life.formats.rle import write_comment
from satlife.problem.outcome import make_pattern
from satlife.problem.problem import read_problem_comments
from satlife.sat import Formula, Model, read_formula
from satlife.verifier.verify import complaints, find_rules


@click.command(name="decode", cls=Command)
@click.argument("formula_file", metavar="FORMULA")
@click.argument("answer_file", metavar="[ANSWER]", default="-")
def command(formula_file: str, answer_file: str) -> None:
    """Turn a solver's output for `satlife cnf` into a pattern, and verify it.

    ANSWER has the usual s and v lines, or is Knuth's line of literals.  Exit codes: 0 a pattern,
    verified; 1 the solver's answer is unsatisfiable; 3 there is no answer; 4 its solution is wrong.

    \b
    Examples:
      satlife cnf ship c/3 --box 16x6 -o ship.cnf
      kissat ship.cnf | satlife decode ship.cnf
    """
    with open_input(formula_file) as file:
        formula = read_formula(file)
    problem = read_problem_comments(formula.comments)
    if problem is None:
        raise FormatError(f"{formula_file} does not contain its problem; make it with satlife cnf")
    answer = read_text(answer_file)
    if re.search(r"^(s UNSATISFIABLE|~)\s*$", answer, re.MULTILINE):
        say("impossible: the solver says that there is no solution")
        sys.exit(endings.IMPOSSIBLE)
    true = _true_names(answer, formula)
    if true is None:
        say("undecided: the solver's output has no solution")
        sys.exit(endings.UNDECIDED)
    spacetime = SpaceTime(problem)
    names = spacetime.names().tolist()
    truth = np.array([False, *(name.decode() in true for name in names)])
    history = decode(spacetime, Model(truth))
    for complaint in complaints(problem, history):
        say(f"wrong: the answer does not solve the formula's problem: {complaint}")
        sys.exit(endings.INTERNAL)
    rules = find_rules(problem, history) if problem.has_open_rule else None
    pattern = make_pattern(problem, history, 0, None if rules is None else rules.least)
    if rules is not None:
        works = f"Works in {rules}, from {rules.least} to {rules.greatest}"
        sys.stdout.write(f"{write_comment(works)}\n")
    sys.stdout.write(pattern.to_rle() + "\n")


def _true_names(answer: str, formula: Formula) -> set[str] | None:
    """Return the names that are true in a solver's answer; None if it has no solution."""
    values = re.findall(r"^v (.*)$", answer, re.MULTILINE)
    if values:
        literals = " ".join(values).split()
        if not all(re.fullmatch(r"-?\d{1,10}", literal) for literal in literals):
            raise FormatError("a v line of the answer has something that is not a literal")
        numbers = [int(literal) for literal in literals]
        if any(abs(number) > formula.variables for number in numbers):
            raise FormatError("the answer has variables that are not in the formula")
        return {formula.name(number) for number in numbers if number > 0}
    lines = [line for line in answer.splitlines() if line.startswith(" ")]
    if lines:
        return {word for word in lines[0].split() if not word.startswith("~")}
    return None
