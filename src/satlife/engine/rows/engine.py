"""The row engine: ships of any length, found row by row in the quotient of space-time.

It takes boxes of open height, and boxes with a height if they are narrow.  When the search space is
exhausted, the width has no ship at all.  Until that is checked independently, the answer reads
"exhausted"; few states are checked at once, by the audit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from satlife.engine.engine import WORK_LIMIT, Engine, GaveUp, Options, Run, Solutions
from satlife.engine.goals import Goal
from satlife.engine.rows.quotients import (
    find_key,
    find_longest,
    fit,
    make_given,
    make_limits,
    make_quotient,
    reasons,
)
from satlife.engine.sat.engine import SatEngine
from satlife.engine.wanted import Sieve, Wanted
from satlife.errors import UsageError
from satlife.formula.classes import History
from satlife.life import Pattern, Rule
from satlife.machine import how_to_install
from satlife.problem import Known, Problem
from satlife.problem.constraints import Height
from satlife.problem.outcome import Impossible, Undecided
from satlife.rows import is_available
from satlife.rows.quotient import TABLED, Places, Quotient
from satlife.sat import Limits
from satlife.sat.solvers.confined import run_confined

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt
    from satlife.rows.units import Ship


# Completing partial ships by SAT: the front is given, and a box with more rows is solved.
#
# The search by rows continues meanwhile; the first to complete a ship wins.


MORE_ROWS = 8
"""Rows below the front in the box for SAT."""
SECONDS = 60.0
"""Time limit of each front."""


def make_box_problem(problem: Problem, quotient: Quotient, rows: Ship, more: int) -> Problem:
    """Return the problem of a box that holds the given front and more rows."""
    top, frames = quotient.unfold(rows)
    height = len(frames[0]) + more
    known = []
    for t, cells in enumerate(frames):
        lines = [
            "".join(".o"[cell] for cell in line)
            for y, line in enumerate(cells.tolist(), top)
            if quotient.period * y + quotient.step * t < len(rows)
        ]
        known.append(Known(t=t, rows=tuple(lines)))
    boxes = (f"{problem.width}x{height}",)
    return msgspec.structs.replace(problem, boxes=boxes, known=tuple(known))


def finish(problem: Problem, quotient: Quotient, rows: Ship, run: Run) -> History | None:
    """Return the generations of a ship that begins with these rows, if SAT finds one in time."""
    # A box that is too large for SAT is not tried; the search by rows continues.
    with suppress(GaveUp, StopIteration, UsageError):
        asked = make_box_problem(problem, quotient, rows, MORE_ROWS)
        with closing(SatEngine().solutions(asked, run)) as solutions:
            return next(solutions)
    return None


class Finisher:
    """A thread that tries to complete the longest front, and again when there is a longer one.

    It does nothing unless the run has several jobs.
    """

    def __init__(self, problem: Problem, quotient: Quotient, run: Run | None) -> None:
        self.found: History | None = None
        self._asked = problem, quotient
        self._works = run is not None and run.options.jobs > 1
        how = run.options if run is not None else Options()
        self._run = Run(replace(how, jobs=1, timeout=SECONDS, save=None, extend=None, partials=0))
        self._tried: Ship = ()
        self._thread: threading.Thread | None = None

    def offer(self, front: Ship) -> None:
        """Try a front, unless another one is being tried or this one is hardly longer."""
        enough = 2 * self._asked[1].period
        busy = self._thread is not None and self._thread.is_alive()
        if busy or not self._works or len(front) < len(self._tried) + enough:
            return
        self._tried = front
        self._run = Run(self._run.options)
        self._thread = threading.Thread(target=self._work, name="satlife-finish", daemon=True)
        self._thread.start()

    def take(self) -> History | None:
        """Return a completed ship, once."""
        found, self.found = self.found, None
        return found

    def _work(self) -> None:
        self.found = finish(*self._asked, self._tried, self._run)

    def close(self) -> None:
        """Stop the thread and wait for its end."""
        while self._thread is not None and self._thread.is_alive():
            self._run.stop()
            self._thread.join(0.05)


# Partial ships: resuming, saving and reporting them.


SAVE_EVERY = 30.0
"""Seconds between two saves; or ten times as long as a save takes."""


def begin(hunt: Hunt, problem: Problem, run: Run) -> None:
    """Begin a hunt as its options say: from a saved one, from a partial ship, or from nothing."""
    from satlife.rows.hunt import load  # noqa: PLC0415 - needs numba

    save, extend = run.options.save, run.options.extend
    if extend is not None:
        if hunt.given:
            raise UsageError(
                "a partial is extended without other given cells; leave out on and off"
            )
        hunt.begin_with(read_partial(hunt.quotient, extend, problem.width))
    if save is not None and save.exists():
        load(hunt, save)  # raises unless it begins with the same rows
        run.details["continued"] = str(save)


@contextmanager
def keeping(hunt: Hunt, problem: Problem, run: Run) -> Iterator[Callable[[], None]]:
    """Save a hunt periodically and at its end, and then report its partial ships.

    The yielded function is called after each piece of work; it gives up when only the time for the
    last save is left.
    """
    from satlife.rows.hunt import save  # noqa: PLC0415 - needs numba

    path, due, took = run.options.save, time.monotonic() + SAVE_EVERY, 0.0

    def keep() -> None:
        nonlocal due, took
        if path is not None and time.monotonic() > due:
            begun = time.monotonic()
            save(hunt, path)
            took = time.monotonic() - begun
            due = time.monotonic() + max(SAVE_EVERY, 10 * took)
        left = run.deadline.left
        if left is not None and left < took:
            raise GaveUp("time limit")

    if path is not None:
        save(hunt, path)  # an unwritable file is reported before the search
    try:
        yield keep
    finally:
        if path is not None:
            save(hunt, path)
        counts = hunt.counts
        run.details |= {"states": counts.states, "rows": counts.deepest}
        if run.options.partials:
            run.details["partials"] = _list_partials(
                hunt, problem.parsed.rule, run.options.partials
            )


def draw(quotient: Quotient, rows: Ship) -> str:
    """Draw generation 0 of a partial ship."""
    _, frames = quotient.unfold(rows or (0,))
    return "\n".join("".join(".O"[cell] for cell in row) for row in frames[0].tolist())


def _list_partials(hunt: Hunt, rule: Rule, count: int) -> list[str]:
    """Return generation 0 of the longest partial ships that differ before their last quarter."""
    found: list[str] = []
    beginnings: set[tuple[bytes, ...]] = set()
    for rows in hunt.longest():
        first = hunt.quotient.unfold(rows)[1][0]
        filled = np.flatnonzero(first.any(axis=1)).tolist()
        lines = tuple(
            line.tobytes() for line in first[min(filled, default=0) : max(filled, default=-1) + 1]
        )
        if lines and lines[: max(1, 3 * len(lines) // 4)] not in beginnings:
            beginnings.update(lines[:number] for number in range(1, len(lines) + 1))
            found.append(Pattern.from_array(first, rule=rule).to_rle())
        if len(found) == count:
            break
    return found


def write_partials(outcome: Impossible | Undecided) -> str:
    """Return the partial ships of a search that found no ship, as RLE."""
    found = outcome.provenance.details.get("partials", ()) if outcome.provenance else ()
    return "".join(f"#C a partial ship\n{partial}\n" for partial in found)


def read_partial(quotient: Quotient, pattern: Pattern, width: int) -> Ship:
    """Return the rows that a partial ship determines: its front, unaffected by its rear.

    The pattern is one generation, its front at the top.  Each generation of the simulation
    invalidates one more row at its lower end.
    """
    last = quotient.generations  # the last one must be the first again
    columns, rows = _find_certain_columns(quotient, pattern), _find_rows(quotient, pattern)[1]
    span = int(np.ptp(columns)) + 1 if len(columns) else 0
    if quotient.fold == "none" and span > width:
        raise UsageError(f"a partial {span} wide, in all its generations, is wider than {width}")
    if span > width or ((width - span) % 2 and quotient.fold != "none"):
        raise UsageError(f"a partial {span} wide does not lie in the middle of {width} cells")
    left, top, height = 0, 0, 0
    if span:
        left = int(columns.min()) - (width - span) // 2
        if quotient.slanted:  # which cells are upper ones is counted from the axis, or column 0
            pattern = pattern.shift(-left - (0 if quotient.fold == "none" else width // 2), 0)
            left = 0 if quotient.fold == "none" else -(width // 2)
        columns, rows = _find_rows(quotient, pattern)
        top = int(rows.min())
        # A last row of which only upper cells live may go on.
        height = int((rows - (quotient.slanted & (columns % 2 == 0))).max()) + 1 - top
    if height <= last:
        raise UsageError(
            f"a partial of {height} rows says nothing for certain; it needs {last + 1} or more"
        )
    above = last
    frames = []
    for t in range(last + 1):
        columns, rows = _find_rows(quotient, pattern[t])
        known = (rows >= top - above) & (rows < top + height - t)
        columns, rows = columns[known] - left, rows[known] - top + above
        if len(columns) and not 0 <= columns.min() <= columns.max() < width:
            raise UsageError(f"the partial grows beyond a width of {width}")
        frames.append(np.zeros((height + above - t, width), np.uint8))
        frames[-1][rows, columns] = 1
    ship = quotient.read(-above, frames)
    certain = _certain(quotient, frames, above)
    if not certain:
        raise UsageError("the partial has no rows that are certain")
    return ship[:certain]


def _find_certain_columns(quotient: Quotient, pattern: Pattern) -> Places:
    """Return the columns of a partial's cells; without a mirror, those of all its generations.

    A ship without a mirror may reach further to one side in a later generation.
    """
    columns, rows = _find_rows(quotient, pattern)
    parts, bottom = [columns], int(rows.max(initial=0)) + 1 - quotient.slanted
    for t in range(1, quotient.generations + 1) if quotient.fold == "none" else ():
        columns, rows = _find_rows(quotient, pattern[t])
        parts.append(columns[rows < bottom - t])
    return np.concatenate(parts)


def _find_rows(quotient: Quotient, pattern: Pattern) -> tuple[Places, Places]:
    """Return the column and the row of each live cell."""
    x, y = pattern.coordinates.T.astype(np.intp)
    if quotient.shear:
        return y - quotient.shear * x, x
    return (x - y, (x + y) // 2) if quotient.slanted else (x, y)


def _certain(quotient: Quotient, frames: list[np.ndarray], above: int) -> int:
    """Return how many rows, from the first non-empty one, the generations determine."""
    known, filled = set(), set()
    for t, cells in enumerate(frames):
        for y, line in enumerate(cells, -above):
            n = quotient.period * y + quotient.step * t
            known.add((n, quotient.find_lane(y, t)))
            if line.any():
                filled.add(n)
    if not filled:
        return 0
    first = last = min(filled)
    while all((last, lane) in known for lane in range(quotient.lanes)):
        last += 1
    return last - first


_INTERVAL = 0.1
"""Seconds between two progress events."""
TABLED_SECONDS, WIDER_SECONDS = 1.1e-6, 1e-5
"""Nominal time for a state: where rows are looked up in tables, and where they are too wide."""
Steps = Generator[History | float, None, str]
"""Solutions, and between them the nominal seconds of pieces of work; it returns why there are no
more."""
_EXHAUSTED = "the search by rows has no state left"
_TOO_LONG = f"{_EXHAUSTED}: no ship of this width is short enough for the box"
_CHECKED = f"{_EXHAUSTED}, and its {{}} states pass the check of the audit"


class RowEngine(Engine):
    """Search row by row: breadth-first, with depth-first probes."""

    name = "rows"
    title = "ships of any length, row by row (needs numba)"
    takes = ("jobs", "timeout", "memory", "save", "partials", "extend")

    def __init__(
        self,
        limit: int | None = None,
        on_end: Callable[[Hunt], None] | None = None,
        shares: Sequence[tuple[int, int, int]] = (),
        on_begin: Callable[[Hunt], None] | None = None,
        most_states: int | None = None,
    ) -> None:
        self.limit = limit
        """Number of nodes in a level beyond which they are probed."""
        self.on_end = on_end
        """Called with the exhausted hunt; if set, the search does not end with the box."""
        self.shares = shares
        """The share of the whole to search: see :meth:`~satlife.rows.hunt.Hunt.keep_share`."""
        self.on_begin = on_begin
        """Called with the hunt before it begins."""
        self.most_states = most_states
        """Number of states beyond which the search gives up."""

    def refuses(self, problem: Problem) -> str | None:
        """Refuse other problems than ships north or north-west, wide rows, and other bounds."""
        why = next((why for wrong, why in reasons(problem) if wrong), None)
        if why is None:
            return name_missing()
        if problem.has_open_height:
            heights = [each.most for each in problem.constraints if isinstance(each, Height)]
            height = next(filter(None, heights), 2 * problem.width)
            return f"{why}; write a height, {problem.with_height(height).boxes[0]}, for SAT"
        return f"{why}; the engine sat takes it"

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield ships, the shortest first as a rule; equal states are merged."""
        return (yield from _leave_out_work(self.steps(problem, run)))

    def steps(self, problem: Problem, run: Run) -> Steps:
        """Yield the same ships, and between them the nominal seconds of the work."""
        # The shortest path to each state gives the shortest ship.  Of diagonal ones, another ship
        # may fit the box, so there every path is followed.
        diagonal = problem.motion is not None and problem.motion.dx != 0
        return (yield from self._hunt(problem, run, merge=problem.has_open_height or not diagonal))

    def classes(self, problem: Problem, run: Run, wanted: Wanted) -> Solutions:
        """Yield each ship once: phases, shifts and mirror images are the same ship."""
        if wanted.raw:
            raise UsageError("the engine rows lists every ship once; --raw needs the engine sat")
        seen = {find_key(problem, each) for each in wanted.already_found}
        solutions = _leave_out_work(self._hunt(problem, run, merge=False))
        while True:
            try:
                history = next(solutions)
            except StopIteration as end:
                return str(end.value)
            key = find_key(problem, history)
            if key in seen:
                run.skipped["copies"] += 1
                continue
            seen.add(key)
            if not Sieve(problem.with_height(len(history[0])), wanted, run.skipped).leaves_out(
                history
            ):
                yield history

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Refuse: the first ship by rows is not the best by any measure."""
        raise UsageError(
            "the engine rows does not optimise; write a height and take the engine sat"
        )

    def _hunt(self, problem: Problem, run: Run, *, merge: bool) -> Steps:
        from satlife.rows.hunt import LIMIT, Hunt  # noqa: PLC0415 - needs numba

        compile_ahead(problem, run)
        quotient = make_quotient(problem)
        height = None if problem.has_open_height else problem.all_boxes[0].height
        longest = None if height is None or self.on_end else find_longest(quotient, height)
        hunt = Hunt(
            quotient,
            limit=LIMIT if self.limit is None else self.limit,
            merge=merge,
            fleets=longest is not None,
            threads=run.options.jobs,
            limits=make_limits(problem),
            given=make_given(problem, quotient),
        )
        begin(hunt, problem, run)
        if self.on_begin:
            self.on_begin(hunt)
        for share in self.shares:
            hunt.keep_share(*share)
        run.built(self.name, cells=quotient.bits)
        unfit = 0
        straight = not (quotient.slanted or quotient.shear)
        finisher = Finisher(problem, quotient, run if merge and straight else None)
        with keeping(hunt, problem, run) as keep, closing(finisher):
            for step in _run(hunt, run, longest, keep, finisher):
                if isinstance(step, float):
                    if self.most_states is not None and hunt.counts.states > self.most_states:
                        raise GaveUp(WORK_LIMIT)
                    yield step
                elif (history := fit(quotient, step, problem)) is not None:
                    yield history
                elif self.on_end:
                    raise GaveUp("this width has ships longer than the box; the engine sat decides")
                else:
                    unfit += 1
        if run.options.extend is not None:
            raise GaveUp("the given rows lead to no ship; others were not searched")
        from satlife.engine.rows.closed_sets import is_refutation  # noqa: PLC0415 - at the end

        is_cut = bool(unfit) or hunt.head < hunt.count
        if not is_cut and not self.shares and is_refutation(problem, hunt):
            run.details["closed_states"] = hunt.count
            reason = _CHECKED.format(f"{hunt.count:,}")
        else:
            run.details["exhausted"] = True
            reason = _TOO_LONG if is_cut and height is not None else _EXHAUSTED
        if self.on_end:
            self.on_end(hunt)
        return reason


ROWS = RowEngine()


def name_missing() -> str | None:
    """Return what the search by rows needs and is not installed."""
    needs = "the row search needs numba"
    return None if is_available() else f"{needs}: {how_to_install('fast')}"


def _leave_out_work(steps: Steps) -> Solutions:
    """Yield the ships only."""
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return str(end.value)
            if not isinstance(step, float):
                yield step


def compile_ahead(problem: Problem, run: Run | None = None) -> None:
    """Compile, unless that is done, in a child process that a limit or the user can stop."""
    from satlife.rows.compilation import is_compiled, keep  # noqa: PLC0415 - needs numba
    from satlife.rows.tables import find_kind  # noqa: PLC0415 - needs numba

    kind, run = find_kind(make_quotient(problem)), run or Run(Options())
    if is_compiled(kind):
        return
    run.progress("rows", doing="compiling for rows of this width, once, in about ten seconds")
    limits = Limits(seconds=run.limits.seconds)
    code = run_confined("satlife.rows.compilation:build", kind, limits=limits, stop=run.stopped)
    run.check()
    if isinstance(code, bytes):
        keep(kind, code)


def _run(
    hunt: Hunt, run: Run, longest: int | None, keep: Callable[[], None], finisher: Finisher
) -> Iterator[Ship | float]:
    """Yield ships of at most ``longest`` rows and nominal seconds, and report the progress."""
    reported, states, counted = time.monotonic(), 0, 0
    cost = TABLED_SECONDS if hunt.quotient.bits <= TABLED else WIDER_SECONDS
    for ships in hunt.work():
        run.check()
        keep()
        yield from ships
        yield cost * (hunt.counts.states - counted)
        counted = hunt.counts.states
        finisher.offer(hunt.best)
        if (finished := finisher.take()) is not None:
            run.details["finished"] = "by SAT"
            yield hunt.quotient.read(0, finished)
        now, counts = time.monotonic(), hunt.counts
        if run.options.memory is not None and hunt.memory > run.options.memory:
            raise GaveUp("memory limit")
        if now - reported >= _INTERVAL:
            speed = round((counts.states - states) / (now - reported))
            reported, states = now, counts.states
            run.progress(
                "rows",
                level=counts.level,
                queue=counts.queue,
                deepest=counts.deepest,
                states=counts.states,
                **{"states/s": speed},
                partial=draw(hunt.quotient, hunt.best),
            )
        if longest is not None and hunt.level > longest + 2 * hunt.quotient.period:
            return
