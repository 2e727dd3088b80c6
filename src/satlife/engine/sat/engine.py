"""The SAT engine: a problem becomes a formula, and a solver in a child process decides it.

A plain search solves once; a race runs several formulas and solvers against each other; a listing
excludes each solution found and solves again; a climb solves under ever tighter bounds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from satlife.engine.engine import Engine, GaveUp, Run, Solutions
from satlife.engine.goals import Goal
from satlife.engine.sat.attempt import (
    HEAD_START,
    REFUTED,
    Attempt,
    Choice,
    as_solver,
    attempt,
    built_details,
    choose_first,
    choose_several,
    count_first,
    decode,
    is_best_alone,
    is_hunt,
    keep_formula,
    make_quick,
    tell_built,
    tell_progress,
    wants_restrictions,
)
from satlife.engine.wanted import Wanted
from satlife.errors import InternalError, UsageError
from satlife.formula.build import BuiltFormula, build
from satlife.formula.classes import History
from satlife.formula.spacetime import SpaceTime
from satlife.problem import Cells, Problem
from satlife.sat import Formula, Satisfied, Undecided
from satlife.sat.solver import Solver

if TYPE_CHECKING:
    from satlife.engine.sat.cases import Casework


class SatEngine(Engine):
    """Search by SAT solvers: python-sat's, kissat, or any DIMACS program."""

    name = "sat"
    title = "a formula for a SAT solver"
    takes = (
        *("solver", "encoding", "break_symmetry", "restrictions"),
        *("jobs", "seed", "timeout", "memory", "conflicts", "save"),
    )

    def __init__(self, wrap: Callable[[Solver], Solver] | None = None) -> None:
        self.wrap = wrap
        """Returns a replacement for the solver, such as one in this process."""

    def refuses(self, problem: Problem) -> str | None:
        """Refuse a box of open height, which no formula describes."""
        if problem.has_open_height:
            box = problem.with_height(2 * problem.width).boxes[0]
            return (
                f"a formula needs a height, and the box is {problem.boxes[0]}; "
                f"write one, {box}, or leave the engine out"
            )
        return None

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield one solution and stop, since symmetry breaking may exclude its images."""
        spacetime = SpaceTime(problem)
        if spacetime.clash:
            return spacetime.clash
        if self.wrap is None and wants_restrictions(spacetime, run.options):
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
            from satlife.engine.sat.open_rules import list_ranges  # noqa: PLC0415 - few do

            return (yield from list_ranges(spacetime, run, wanted, self.wrap))
        from satlife.engine.sat.completion import list_simpler  # noqa: PLC0415 - only a listing
        from satlife.engine.sat.exclusions import Exclusion  # noqa: PLC0415 - as above

        exclusion = Exclusion(problem, wanted, run)
        # Symmetry breaking would leave one image of each class, and miss its copies.
        with attempt(
            spacetime, run, also=exclusion.add_to, again=True, may_break=False, wrap=self.wrap
        ) as trial:
            if (empty := exclusion.hidden_empty(spacetime)) is not None:
                yield empty
            while (solution := trial.solve()) is not None:
                is_new = wanted.by_reaction and exclusion.is_new(solution)
                alike = list_simpler(spacetime, solution, wanted.until) if is_new else [solution]
                for history in alike:
                    if (more := exclusion.unwanted(spacetime, history)) is None:
                        trial.add(exclusion.found_clauses(spacetime, history, counted=True))
                        yield history
                        break
                else:
                    # Others with its rotor may be wanted.
                    trial.add(exclusion.left_out_clauses(spacetime, solution))
                    if more is not None and more.size:
                        trial.add(more)
        return REFUTED

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Yield ever better solutions, with one incremental solver."""
        _refuse_save(run, "the best cannot be saved yet")
        spacetime = SpaceTime(problem)
        if spacetime.clash:
            return spacetime.clash

        from satlife.engine.sat.climb import climb  # noqa: PLC0415 - only an optimum

        return (yield from climb(spacetime, run, goals))

    def _solve(self, spacetime: SpaceTime, run: Run) -> History | None:
        built = None
        if self.wrap is None and (options := choose_first(spacetime, run.options)):
            with attempt(spacetime, run, options=options) as trial:
                decided, found = trial.solve_within(count_first(trial.built.formula))
            if decided:
                return found
            built = trial.built
        if self._goes_by_cases(spacetime, run):
            from satlife.engine.sat.cases import solve_by_cases  # noqa: PLC0415 - few are

            return solve_by_cases(spacetime, run)
        if run.options.jobs > 1 and not is_best_alone(spacetime):
            return self._race(spacetime, run)
        with attempt(spacetime, run, wrap=self.wrap, built=built) as trial:
            return trial.solve()

    def _goes_by_cases(self, spacetime: SpaceTime, run: Run) -> bool:
        """Whether to search by cases: to save a search, or to refute with several jobs."""
        if run.options.save is not None:
            return True
        if run.options.jobs == 1 or self.wrap is not None:
            return False
        if is_hunt(spacetime) or is_best_alone(spacetime):
            return False
        from satlife.engine.sat.cases import can_split  # noqa: PLC0415

        return can_split(spacetime, run)

    def _hunt(self, spacetime: SpaceTime, run: Run) -> History | None:
        """Solve, and try restrictions in parallel; the first to find a solution wins."""
        from satlife.engine.sat.hunting import hunting  # noqa: PLC0415 - refutations do not hunt

        with hunting(spacetime.problem, run) as hunt:
            try:
                found = self._solve(spacetime, run)
            except GaveUp:
                if hunt.error is not None:
                    raise hunt.error from None
                if hunt.found is None:
                    run.details |= {"parts": hunt.tried} if hunt.tried else {}
                    raise
                # The details of the whole problem's formula do not apply to this one.
                run.details.clear()
                run.details |= hunt.details
                return hunt.found
        if found is None and hunt.found is not None:
            raise InternalError(
                f"the solver refutes the problem, but it has a solution: {hunt.details}"
            )
        return found

    def _race(self, spacetime: SpaceTime, run: Run) -> History | None:
        """Race several choices against each other, with a head start for the single-job choice."""
        from satlife.sat import RaceEntry, race  # noqa: PLC0415 - only a race needs it

        choices = choose_several(spacetime, run.options)
        formulas = _Formulas(spacetime)
        alone = formulas.get(choices[0])
        tell_built(run, alone, choices[0])
        entries = [
            RaceEntry(each.label, formulas.later(each), as_solver(each.solver), each.seed)
            for each in choices
        ]
        entries[0] = replace(entries[0], solver=make_quick(choices[0].solver, alone.formula))
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


class CaseEngine(SatEngine):
    """The SAT engine for one case."""

    def __init__(self, work: Casework, cells: Cells) -> None:
        super().__init__()
        self.work, self.cells = work, cells

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield one solution that has the cells of the case."""
        work = self.work
        if work.spacetime.clash:
            return work.spacetime.clash
        assumed = work.assume(self.cells)
        if assumed is None:
            return "the case contradicts a fixed cell"
        tell_built(run, work.built, work.chosen)
        found = Attempt(work.built, work.open(), run).solve(assumed)
        if found is None:
            return REFUTED
        yield found
        raise GaveUp("a case ends with its first solution")


class _Formulas:
    """The formulas of a race, built on demand and shared between choices."""

    def __init__(self, spacetime: SpaceTime) -> None:
        self._spacetime = spacetime
        self._built: dict[tuple[str, bool], BuiltFormula] = {}
        self._lock = threading.Lock()

    def get(self, choice: Choice) -> BuiltFormula:
        """Return the formula of a choice."""
        key = choice.encoding, choice.break_symmetry
        with self._lock:
            if key not in self._built:
                self._built[key] = build(self._spacetime, key[0], break_symmetry=key[1])
            return self._built[key]

    def later(self, choice: Choice) -> Callable[[], Formula]:
        """Return a function that builds the formula of a choice."""
        return lambda: self.get(choice).formula


def _refuse_save(run: Run, instead: str) -> None:
    if run.options.save is not None:
        raise UsageError(f"--save keeps a search for one pattern; {instead}")


SAT = SatEngine()
