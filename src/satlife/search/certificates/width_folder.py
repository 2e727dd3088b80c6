"""The certificate that a width has no ship: ``problem.json``, ``states.xz`` and the statement.

``states.xz`` holds a tree of states in breadth-first order, as 16-bit numbers, lowest byte first:
for each node how many children it has, then for each node its row.  :mod:`.widths` checks it.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from satlife.errors import FormatError, UsageError
from satlife.search.certificates import folder as files
from satlife.search.certificates.making import new_folder, rename
from satlife.search.certificates.widths import WIDEST, width_complaints
from satlife.search.engine import Options, Search, pick_engine
from satlife.search.engine.events import Event
from satlife.search.engine.quotients import make_quotient
from satlife.search.engine.rows import RowEngine
from satlife.search.problem import Problem
from satlife.search.problem.describe import describe
from satlife.search.problem.outcome import Found, Impossible, Undecided

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt

STATES = "states.xz"
_PARTS = "exhausted, but there is no certificate where the period can be divided"


def certify_width(
    problem: Problem,
    folder: Path,
    options: Options | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Found | Impossible | Undecided:
    """Search a width by rows; if it has no ship, leave a checked certificate in the folder."""
    if options is not None and options.save is not None:
        raise UsageError("a certificate needs every state, and a save may have dropped some")
    if problem.motion is not None and problem.motion.dx:
        raise UsageError(
            "certificates by rows are of orthogonal ships; a box with a height is proved without "
            "--engine rows"
        )
    hunts: list[Hunt] = []
    # Without probes every state that was visited is kept, and the set of all of them is closed.
    engine = pick_engine(RowEngine(limit=1 << 31, on_end=hunts.append), problem)
    if (cells := make_quotient(problem).bits) > WIDEST:
        raise UsageError(
            f"rows of {cells} free cells are too wide for a certificate, {WIDEST} is the most; "
            "without a certificate the search can still exhaust them"
        )
    with new_folder(folder) as work:
        with Search(problem, engine, options or Options()) as search:
            for event in search:
                if on_event:
                    on_event(event)
            outcome = search.result()
        if isinstance(outcome, Found | Undecided):
            return outcome
        if not isinstance(outcome, Impossible):
            raise AssertionError("a plain search ends with an outcome")
        write_states(work, problem, hunts[0])
        for complaint in judge_states(work, problem, 4 * hunts[0].count):
            if hunts[0].quotient.has_parts:  # a ship of half the period is a way back to nothing
                return Undecided(problem, f"{_PARTS}: {complaint}", outcome.provenance)
            raise AssertionError(f"the certificate fails its check: {complaint}")
        rename(work, folder)
    return replace(outcome, reason=f"checked, certificate in {folder}", certificate=folder)


def write_states(folder: Path, problem: Problem, hunt: Hunt) -> None:
    """Write the files of a certificate."""
    parents, rows = hunt.parents[1 : hunt.count], hunt.rows[: hunt.count]
    children = np.bincount(parents, minlength=hunt.count)
    numbers = np.concatenate([children, rows]).astype("<u2").tobytes()
    (folder / STATES).write_bytes(lzma.compress(numbers))
    (folder / files.PROBLEM).write_bytes(problem.to_json())
    (folder / files.STATEMENT).write_text(state_width(problem), encoding="utf-8")


def state_width(problem: Problem) -> str:
    """Return what such a certificate says, in words."""
    return f"There is no {describe(problem).removeprefix('a ')}.\n"


def judge_states(folder: Path, problem: Problem, most_bytes: int) -> list[str]:
    """Return what is wrong with the states of a folder."""
    try:
        with files.open_plain(folder, STATES) as file, lzma.LZMAFile(file) as packed:
            text = packed.read(most_bytes + 1)
    except (lzma.LZMAError, EOFError) as error:
        raise FormatError(f"{STATES} is damaged: {error}") from None
    if len(text) > most_bytes:
        raise files.TooLargeError(f"{STATES} is larger than {most_bytes:,} bytes")
    if len(text) % 4:
        return [f"{STATES} does not hold two numbers for each state"]
    children, rows = np.frombuffer(text, "<u2").astype(np.uint16).reshape(2, -1)
    try:
        return list(width_complaints(problem, children, rows))
    except UsageError as error:
        return [str(error)]
