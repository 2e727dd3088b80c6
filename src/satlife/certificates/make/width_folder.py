"""Making the certificate that a width has no ship: search by rows, and keep every state."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from satlife.audit.widths import States
from satlife.certificates import folder as files
from satlife.certificates.check.states import STATES, judge_states, state_width, write_runs
from satlife.certificates.make.maker import Stop, new_folder, rename, say_why
from satlife.engine import Options, Search, pick_engine
from satlife.engine.engine import Event
from satlife.engine.rows.closed_sets import refuse_width, sort_states
from satlife.engine.rows.engine import RowEngine
from satlife.engine.turns import SHARED_OPTIONS, TURNS
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.problem.outcome import Found, Impossible, Undecided
from satlife.sat import Limits
from satlife.sat import Undecided as NoAnswer
from satlife.sat.solvers.confined import run_confined

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt

UNPROBED = 1 << 31
"""More nodes than a level ever has, so that none are probed."""
MOST_STATES = 4_000_000
"""States up to which a ship in a box is certified by rows: their check takes about a minute."""
LEAST_CELLS = 30
"""Cells of a box below which a proof by SAT is as quick."""
_PARTS = "exhausted, but there is no certificate where the period can be divided"


def certify_width(
    problem: Problem,
    folder: Path,
    options: Options | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_part: Callable[[Callable[[str], object]], None] = lambda stop: None,
    most_states: int | None = None,
) -> Found | Impossible | Undecided:
    """Search a width by rows; if it has no ship, write a checked certificate to the folder.

    The time limit covers everything; beyond ``most_states`` the search gives up.  ``on_part`` is
    called with the function that stops the search, and then with the one that stops the check.
    """
    options = (options or Options()).starting_now()
    hunts: list[Hunt] = []
    # Without probes every visited state is kept, and the set of all of them is closed.
    rows = RowEngine(
        limit=UNPROBED, on_begin=_check_whole, on_end=hunts.append, most_states=most_states
    )
    engine = pick_engine(rows, problem)
    if why := refuse_width(problem):
        raise UsageError(
            f"there is no certificate: {why}; without --prove the search can still exhaust them"
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
            1 << 62,
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


def goes_by_rows(problem: Problem, options: Options) -> bool:
    """Whether a ship in a box is to be certified by rows before SAT is asked.

    The rows refute the whole width, so they may fail where SAT succeeds: a ship that is too long
    for the box, or too many states.
    """
    if problem.has_open_height or set(options.given) - SHARED_OPTIONS:
        return False
    area = problem.width * problem.all_boxes[0].height
    return area >= LEAST_CELLS and TURNS.refuses(problem) is None and not refuse_width(problem)


def _check_whole(hunt: Hunt) -> None:
    """Refuse to go on with a saved hunt that may have dropped states."""
    if hunt.dropped or hunt.limit < UNPROBED:
        raise UsageError(
            "a certificate needs every state, and the search that was saved keeps only some; "
            "give --save another file"
        )


def write_states(
    folder: Path, problem: Problem, hunt: Hunt, is_over: Callable[[], bool] = lambda: False
) -> bool:
    """Write the files of a certificate; return False if ``is_over`` ends it early."""
    pack_states(folder / STATES, hunt, is_over)
    _write_words(folder, problem)
    return not is_over()


def pack_states(path: Path, hunt: Hunt, is_over: Callable[[], bool] = lambda: False) -> None:
    """Write the states of an exhausted search to a file, unless ``is_over`` ends it early."""
    runs = sort_states(hunt.parents[: hunt.count], hunt.rows[: hunt.count], hunt.quotient.period)

    def watch(row: int) -> Iterator[States]:
        return takewhile(lambda states: not is_over(), runs(row))

    with path.open("wb") as file:
        write_runs(file, 1 << hunt.quotient.bits, watch)


def write_width(problem: Problem, states: Path, folder: Path) -> None:
    """Write the certificate of a width to a new folder, from a file of states, perhaps packed.

    The states are not checked again here: ``satlife check`` does not trust the folder anyway.
    """
    with new_folder(folder) as work:
        with files.open_proof(states) as source, (work / STATES).open("wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
        _write_words(work, problem)
        rename(work, folder)


def _write_words(folder: Path, problem: Problem) -> None:
    (folder / files.PROBLEM).write_bytes(problem.to_json())
    (folder / files.STATEMENT).write_bytes(state_width(problem).encode())
