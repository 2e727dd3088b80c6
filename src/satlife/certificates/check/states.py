"""The certificate that a width has no ship: ``problem.json``, ``states.xz`` and the statement.

``states.xz`` holds a tree of states in breadth-first order, as little-endian 16-bit numbers: for
each node its number of children, then for each node its row.
:mod:`satlife.certificates.audit.widths` checks them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from satlife.certificates import folder as files
from satlife.certificates.audit.widths import width_complaints
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.problem.words import describe

STATES = "states.xz"
FILES = (files.PROBLEM, files.STATEMENT, STATES)


def state_width(problem: Problem) -> str:
    """Return the statement that a width has no ship."""
    return f"There is no {describe(problem).removeprefix('a ')}.\n"


def judge_states(folder: Path, problem: Problem, most_bytes: int) -> list[str]:
    """Return the errors in the states of a folder."""
    with files.open_packed(folder, STATES, most_bytes, exact=False) as packed:
        text = packed.read()
    if len(text) % 4:
        return [f"{STATES} does not hold two numbers for each state"]
    children, rows = np.frombuffer(text, "<u2").astype(np.uint16).reshape(2, -1)
    try:
        return list(width_complaints(problem, children, rows))
    except UsageError as error:
        return [str(error)]
