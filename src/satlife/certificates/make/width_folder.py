"""Making the certificate that a width has no ship: search by rows, and keep every state."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from satlife.certificates import folder as files
from satlife.certificates.audit.widths import WIDEST
from satlife.certificates.check.states import STATES, judge_states, state_width
from satlife.certificates.make.maker import Stop, new_folder, rename, say_why
from satlife.engine import Options, Search, pick_engine
from satlife.engine.engine import Event
from satlife.engine.rows.engine import RowEngine
from satlife.engine.rows.quotients import make_quotient
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.problem.outcome import Found, Impossible, Undecided
from satlife.sat import Limits
from satlife.sat import Undecided as NoAnswer
from satlife.sat.solvers.confined import run_confined

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt

_PIECE = 1 << 18
"""Bytes that are packed between checks of the time limit; that takes a tenth of a second."""
_PARTS = "exhausted, but there is no certificate where the period can be divided"


def certify_width(
    problem: Problem,
    folder: Path,
    options: Options | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_part: Callable[[Callable[[str], object]], None] = lambda stop: None,
) -> Found | Impossible | Undecided:
    """Search a width by rows; if it has no ship, write a checked certificate to the folder.

    The time limit covers everything.  ``on_part`` is called with the function that stops the
    search, and then with the one that stops the check.
    """
    options = (options or Options()).starting_now()
    if options.save is not None:
        raise UsageError("a certificate needs every state, and a save may have dropped some")
    if problem.motion is not None and problem.motion.dx:
        raise UsageError(
            "certificates by rows are of orthogonal ships; a box with a height is proved without "
            "--engine rows"
        )
    hunts: list[Hunt] = []
    # Without probes every visited state is kept, and the set of all of them is closed.
    engine = pick_engine(RowEngine(limit=1 << 31, on_end=hunts.append), problem)
    if (cells := make_quotient(problem).bits) > WIDEST:
        raise UsageError(
            f"rows of {cells} free cells are too wide for a certificate, {WIDEST} is the most; "
            "without a certificate the search can still exhaust them"
        )
    with new_folder(folder) as work:
        with Search(problem, engine, options) as search:
            search.leave_after(limit=1.0, stop=5.0)
            on_part(search.stop)
            for event in search:
                if on_event:
                    on_event(event)
            outcome = search.result()
        if isinstance(outcome, Found | Undecided):
            return outcome
        if not isinstance(outcome, Impossible):
            raise AssertionError("a plain search ends with an outcome")
        deadline, stop = options.deadline(), Stop()
        on_part(stop.ask)
        if not write_states(work, problem, hunts[0], lambda: deadline.is_over or stop.is_set()):
            late = stop.why if stop.is_set() else "time limit"
            return Undecided(problem, f"{late}, while packing the states")
        judged = run_confined(
            f"{judge_states.__module__}:judge_states",
            work.absolute(),
            problem,
            4 * hunts[0].count,
            limits=Limits(seconds=deadline.left),
            stop=stop,
        )
        if isinstance(judged, NoAnswer):
            return Undecided(problem, f"{say_why(judged, stop)}, while checking the states")
        for complaint in judged:
            if hunts[0].quotient.has_parts:  # a ship of half the period returns to the empty state
                return Undecided(problem, f"{_PARTS}: {complaint}", outcome.provenance)
            raise AssertionError(f"the certificate fails its check: {complaint}")
        rename(work, folder)
    return replace(outcome, reason=f"checked, certificate in {folder}", certificate=folder)


def write_states(
    folder: Path, problem: Problem, hunt: Hunt, is_over: Callable[[], bool] = lambda: False
) -> bool:
    """Write the files of a certificate; return False if ``is_over`` ends it early."""
    parents, rows = hunt.parents[1 : hunt.count], hunt.rows[: hunt.count]
    children = np.bincount(parents, minlength=hunt.count)
    numbers = np.concatenate([children, rows]).astype("<u2").tobytes()
    with lzma.open(folder / STATES, "wb") as file:
        for start in range(0, len(numbers), _PIECE):
            if is_over():
                return False
            file.write(numbers[start : start + _PIECE])
    (folder / files.PROBLEM).write_bytes(problem.to_json())
    (folder / files.STATEMENT).write_bytes(state_width(problem).encode())
    return True
