"""The SAT engine: a problem becomes a formula, and a solver in a child process decides it.

A plain search solves once, a race lets several formulas and solvers run against each other, a
listing excludes what it has found and solves again, a climb solves under ever better bounds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from satlife.errors import InternalError, UsageError
from satlife.sat import Formula, Satisfied, Undecided
from satlife.sat.solver import Solver
from satlife.search.engine.attempt import (
    Also,
    as_solver,
    attempt,
    built_details,
    decode,
    keep_formula,
    tell_built,
    tell_progress,
)
from satlife.search.engine.auto import (
    HEAD_START,
    Choice,
    choose_several,
    is_hunt,
    wants_restrictions,
)
from satlife.search.engine.defaults import Solutions
from satlife.search.engine.engine import Engine, GaveUp, Run
from satlife.search.engine.goals import Goal
from satlife.search.engine.wanting import Wanted
from satlife.search.formula.build import BuiltFormula, build
from satlife.search.formula.classes import History
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Problem

REFUTED = "refuted by the solver"


class SatEngine(Engine):
    """SAT solvers: python-sat's, kissat, or any DIMACS program."""

    name = "sat"
    title = "a formula for a SAT solver"
    takes = (
        *("solver", "encoding", "break_symmetry", "restrictions"),
        *("jobs", "seed", "timeout", "memory", "conflicts", "save"),
    )

    def __init__(
        self, also: Also | None = None, wrap: Callable[[Solver], Solver] | None = None
    ) -> None:
        self.also = also
        """Adds clauses that are known from elsewhere to lose nothing."""
        self.wrap = wrap
        """Takes the place of the solver, such as one in this process."""

    def refuses(self, problem: Problem) -> str | None:
        """Refuse a box of open height, which no formula describes."""
        if problem.has_open_height:
            return (
                f"a formula needs a height, and the box is {problem.boxes[0]}; "
                f"write one, {problem.width}x{2 * problem.width}, or leave the engine out"
            )
        return None

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield one solution; mirror images of it may have been excluded, so it stops there."""
        spacetime = SpaceTime(problem)
        if spacetime.clash:
            return spacetime.clash
        plain = self.also is None and self.wrap is None
        if plain and wants_restrictions(spacetime, run.options):
            found = self._hunt(spacetime, run)
        else:
            found = self._solve(spacetime, run)
        if found is None:
            return REFUTED
        yield found
        raise GaveUp("a plain search ends with its first solution")

    def classes(self, problem: Problem, run: Run, wanted: Wanted) -> Solutions:
        """Yield one solution of each class; all of its images are excluded at once."""
        _refuse_save(run, "a listing is kept by a journal")
        spacetime = SpaceTime(problem)
        if spacetime.clash:
            return spacetime.clash
        if spacetime.space is not None:
            from satlife.search.engine.open_listing import list_ranges  # noqa: PLC0415 - few do

            return (yield from list_ranges(spacetime, run, wanted, self.wrap))
        from satlife.search.engine.excluding import Exclusion  # noqa: PLC0415 - only a listing

        exclusion = Exclusion(problem, wanted, run)
        # A broken symmetry would leave one image of each class, and then its copies are missed.
        with attempt(
            spacetime, run, also=exclusion.add_to, again=True, may_break=False, wrap=self.wrap
        ) as trial:
            if (empty := exclusion.hidden_empty(spacetime)) is not None:
                yield empty
            while (history := trial.solve()) is not None:
                if (more := exclusion.unwanted(spacetime, history)) is None:
                    trial.add(exclusion.found_clauses(spacetime, history, counted=True))
                    yield history
                    continue
                # Others with its rotor may be wanted.
                trial.add(exclusion.clauses(spacetime, history, counted=True))
                if len(more):
                    trial.add(more)
        return REFUTED

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Yield better and better solutions; one solver keeps what it has learnt."""
        _refuse_save(run, "the best cannot be saved yet")
        spacetime = SpaceTime(problem)
        if spacetime.clash:
            return spacetime.clash
        from satlife.search.engine.climbing import climb  # noqa: PLC0415 - only an optimum climbs

        return (yield from climb(spacetime, run, goals))

    def _solve(self, spacetime: SpaceTime, run: Run) -> History | None:
        if self._divides(spacetime, run):
            from satlife.search.engine.dividing import divide  # noqa: PLC0415 - only some divide

            return divide(spacetime, run, self.also)
        if run.options.jobs > 1:
            return self._race(spacetime, run)
        with attempt(spacetime, run, also=self.also, wrap=self.wrap) as trial:
            return trial.solve()

    def _divides(self, spacetime: SpaceTime, run: Run) -> bool:
        """Whether to go by cases: to save a search, or to refute with several jobs."""
        if run.options.save is not None:
            return True
        if run.options.jobs == 1 or self.wrap is not None or is_hunt(spacetime):
            return False
        from satlife.search.engine.dividing import can_divide  # noqa: PLC0415

        return can_divide(spacetime, run)

    def _hunt(self, spacetime: SpaceTime, run: Run) -> History | None:
        """Solve, and try restrictions beside it; the first of them to find something wins."""
        from satlife.search.engine.hunting import hunting  # noqa: PLC0415 - only hunts

        with hunting(spacetime.problem, run) as hunt:
            try:
                found = self._solve(spacetime, run)
            except GaveUp:
                if hunt.error is not None:
                    raise hunt.error from None
                if hunt.found is None:
                    raise
                # What was said of the whole problem's formula is not true of this one.
                run.details.clear()
                run.details |= hunt.details
                return hunt.found
        if found is None and hunt.found is not None:
            raise InternalError(
                f"the solver refutes the problem, but it has a solution: {hunt.details}"
            )
        return found

    def _race(self, spacetime: SpaceTime, run: Run) -> History | None:
        """Let several choices run against each other, the choice of a single job first."""
        from satlife.sat import RaceEntry, race  # noqa: PLC0415 - only a race needs it

        choices = choose_several(spacetime, run.options)
        formulas = _Formulas(spacetime, self.also)
        tell_built(run, formulas.get(choices[0]), choices[0])
        entries = [
            RaceEntry(each.label, formulas.later(each), as_solver(each.solver), each.seed)
            for each in choices
        ]
        stop = threading.Event()
        with run.interrupting(stop.set):
            result = race(
                entries,
                jobs=run.options.jobs,
                head_start=HEAD_START,
                limits=run.limits,
                progress=lambda entry, news: tell_progress(run, entry.label, news),
                stop=stop,
            )
        choice = choices[result.winner or 0]
        run.details |= built_details(built := formulas.get(choice), choice)
        match result.answer:
            case Satisfied(model):
                run.keep_evidence = lambda folder: keep_formula(built, model, folder)
                return decode(spacetime, model)
            case Undecided():
                raise GaveUp("stopped" if run.stopped.is_set() else str(result.answer))
        return None


class _Formulas:
    """The formulas of a race, built when they are needed; choices with the same one share it."""

    def __init__(self, spacetime: SpaceTime, also: Also | None) -> None:
        self._spacetime, self._also = spacetime, also
        self._built: dict[tuple[str, bool], BuiltFormula] = {}
        self._lock = threading.Lock()

    def get(self, choice: Choice) -> BuiltFormula:
        """Return the formula of a choice."""
        key = choice.encoding, choice.break_symmetry
        with self._lock:
            if key not in self._built:
                self._built[key] = build(
                    self._spacetime, key[0], break_symmetry=key[1], also=self._also
                )
            return self._built[key]

    def later(self, choice: Choice) -> Callable[[], Formula]:
        """Return a function that builds the formula of a choice."""
        return lambda: self.get(choice).formula


def _refuse_save(run: Run, instead: str) -> None:
    if run.options.save is not None:
        raise UsageError(f"--save keeps a search for one pattern; {instead}")


SAT = SatEngine()
