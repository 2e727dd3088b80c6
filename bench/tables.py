"""Encodings of other rules against the truth table: ``python -m bench.tables``.

For a rule without a counting encoding, Logic Life Search writes 1,024 clauses of 11 literals for
each cell: nine cells, the successor, and a variable for the rule's entry, in both directions.  Ten
searches in ten rules are solved with that encoding and with ours, one after the other in one
process, by the same solver.  A second table compares rules with Life: literals per cell, and CPU
time per conflict.

Times are of the processor, for solving only.  A search that does not end within the limit of
conflicts counts with the time until then, which favours whoever did not end.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from pysat.solvers import Solver

from satlife.formula.build import build, measure
from satlife.formula.encodings import Encoding, find_encoding
from satlife.formula.transitions import ORIGIN, Transitions
from satlife.kinds import oscillator, ship
from satlife.life.rule import Rule
from satlife.problem import Problem
from satlife.sat.formula import FormulaBuilder
from satlife.sat.logic import add_clauses

CONFLICTS = 60_000
SEARCHES: tuple[Problem, ...] = (
    ship("c/5", box="5x5", rule="tlife"),
    ship("c/3", box="5x5", rule="B2-a/S12"),
    ship("c/3", box="6x6", rule="B3678/S34678"),
    ship("c/4d", box="5x5", rule="B36/S23"),
    ship("c/3", box="6x5", rule="B34/S34"),
    ship("c/3", box="6x5", rule="B35/S236"),
    oscillator(3, box="5x5", rule="B2/S34H"),
    oscillator(3, box="5x5", rule="B2/S013V"),
    oscillator(3, box="5x5", rule="B3aijn/S2-i34q"),
    oscillator(2, box="5x5", rule="B3-k4w/S23"),
)


def _encode_truth_table(transitions: Transitions, rule: Rule, builder: FormulaBuilder) -> None:
    entries = builder.new_variables(512)
    builder.add(ORIGIN, np.where(rule.table == 1, entries, -entries)[:, None])
    bits = np.arange(512)[:, None] >> np.arange(8, -1, -1) & 1
    signs = np.where(bits == 1, -1, 1)
    clauses = []
    for sign in (1, -1):
        for index in range(512):
            row = np.empty((len(transitions), 11), np.int32)
            row[:, :9] = transitions.cells * signs[index]
            row[:, 9] = sign * transitions.successors
            row[:, 10] = -sign * entries[index]
            clauses.append(row)
    for some in clauses:
        add_clauses(builder, ORIGIN, some)


TRUTH_TABLE = Encoding(
    "truth-table", "every entry of the table", lambda _: True, _encode_truth_table
)


@dataclass(frozen=True)
class Run:
    """One search with one encoding."""

    literals: int
    answer: bool | None
    seconds: float
    conflicts: int


def solve(problem: Problem, encoding: Encoding) -> Run:
    """Build a formula and solve it."""
    formula = build(problem, encoding).formula
    literals = sum(int(np.count_nonzero(block.literals)) for block in formula.blocks)
    with Solver(name="glucose4", bootstrap_with=[list(clause) for clause in formula]) as solver:
        solver.conf_budget(CONFLICTS)
        begun = time.process_time()
        answer = solver.solve_limited()
        seconds = time.process_time() - begun
        statistics_: dict[str, Any] = solver.accum_stats() or {}
    return Run(literals, answer, seconds, int(statistics_.get("conflicts", 0)))


def main() -> None:
    """Print both tables."""
    ours = find_encoding("triples")
    _print("| search | truth table | ours | literals | speed |\n|---|---|---|---|---|")
    ratios, shares = [], []
    for problem in SEARCHES:
        old, new = solve(problem, TRUTH_TABLE), solve(problem, ours)
        if None not in (old.answer, new.answer) and old.answer != new.answer:
            raise AssertionError(f"the encodings disagree on {problem}")
        shares.append(new.literals / old.literals)
        ratios.append(old.seconds / max(new.seconds, 1e-4))
        motion = problem.motion
        what = f"{problem.kind} p{motion.period if motion else 0} {problem.boxes[0]}"
        _print(
            f"| {problem.rule}, {what} | {_words(old)} | {_words(new)} "
            f"| {shares[-1]:.3f} | {ratios[-1]:.1f} |",
        )
    _print(
        f"\nmedian: literals {statistics.median(shares):.3f}, speed {statistics.median(ratios):.1f}"
    )
    life = None
    _print("\n| rule | literals per cell | µs per conflict |\n|---|---|---|")
    for rule in ("B3/S23", "B36/S23", "B3678/S34678", "B3/S2-i34q", "B2-a/S12"):
        literals = measure(ours, Rule(rule)).literals
        runs = [
            solve(ship(speed, box=box, rule=rule), ours)
            for speed, box in (("c/3", "8x8"), ("c/5", "7x7"), ("c/4", "7x7"))
        ]
        cost = sum(r.seconds for r in runs) / max(1, sum(r.conflicts for r in runs)) * 1e6
        life = life or (literals, cost)
        _print(
            f"| {rule} | {literals:g} ({literals / life[0]:.2f}) "
            f"| {cost:.0f} ({cost / life[1]:.2f}) |",
        )


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _words(run: Run) -> str:
    answer = {True: "found", False: "none", None: "open"}[run.answer]
    return f"{answer}, {run.seconds:.2f} s, {run.literals:,} literals"


if __name__ == "__main__":
    main()
