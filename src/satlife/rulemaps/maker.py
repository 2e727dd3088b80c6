"""Making a map: one solver, with the entries of a rule as assumptions.

The map of a width, without a height, is made by rows: see :mod:`.width_maker`.

A solution settles every rule in its range.  A refutation needs only some of the entries, its core;
the core is minimised, and settles every rule that agrees on it.  Then the next undecided rule is
asked, until there is none.  Which regions come out depends on the solver; the set of rules that
have a solution does not.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, Unpack

import numpy as np

from satlife.certificates import NoneExists, Proving, certify
from satlife.engine.engine import GaveUp, Keywords, Options, Run, limit_memory
from satlife.engine.sat.attempt import Attempt, attempt
from satlife.errors import InternalError, UsageError
from satlife.formula.classes import History
from satlife.formula.spacetime import SpaceTime
from satlife.life import Pattern
from satlife.problem import Problem
from satlife.problem.outcome import Found, Undecided
from satlife.rulemaps.map_check import proof_folder, region_problem
from satlife.rulemaps.remainder import Remainder, check_question
from satlife.rulemaps.rulemap import Region, RuleMap
from satlife.verifier.verify import find_rules, verify

SOLVER: Final = "glucose"
"""The default: of python-sat's solvers the fastest in many short calls."""

Tell = Callable[[Region, int], None]
"""Callback for each new region, with the number of rules left."""


def make_map(
    problem: Problem,
    known: Iterable[Region] = (),
    on_region: Tell | None = None,
    on_start: Callable[[Run], None] | None = None,
    **how: Unpack[Keywords],
) -> RuleMap:
    """Answer a question for every rule of its set, starting from the known regions.

    If a limit is reached, the map is not complete, and :attr:`RuleMap.reason` says why.
    ``on_start`` is called with the run, which another thread may stop.
    """
    begun, found, reason = sum(os.times()[:4]), list(known), ""
    options, rest = Options.of(**how), Remainder(check_question(problem), found)
    if problem.has_open_height and options.solver is not None:
        raise UsageError("the map of a width is made by rows, without a solver; leave it out")
    defaults = {"solver": SOLVER, "break_symmetry": True}
    chosen = {name: value for name, value in defaults.items() if getattr(options, name) is None}
    run = Run(replace(options, **chosen))  # type: ignore[arg-type]
    if on_start:
        on_start(run)
    try:
        with limit_memory(options.memory):
            for region in _list_regions(problem, run, rest):
                found.append(region)
                if on_region:
                    on_region(region, rest.left)
    except GaveUp as limit:
        reason = str(limit)
    return RuleMap(problem, tuple(found), sum(os.times()[:4]) - begun, reason)


def _list_regions(problem: Problem, run: Run, rest: Remainder) -> Iterator[Region]:
    """Yield regions until every rule is in one."""
    if not rest.left:
        return
    if problem.has_open_height:
        from satlife.rulemaps.width_maker import WidthMaker  # noqa: PLC0415 - needs numba

        yield from WidthMaker(problem, run, rest).regions()
    else:
        yield from _Maker(problem, run, rest).regions()


class _Maker:
    """The rules of a box that are left, and how to decide them."""

    def __init__(self, problem: Problem, run: Run, rest: Remainder) -> None:
        self.problem, self.run, self.rest = problem, run, rest
        self.space = rest.space

    def regions(self) -> Iterator[Region]:
        """Yield regions until every rule is in one."""
        spacetime = SpaceTime(self.problem)
        if spacetime.clash or not self.problem.steps:
            yield from self._settle_all(spacetime)
            return
        with attempt(spacetime, self.run, again=True) as trial:
            while self.rest.left:
                rule = np.unravel_index(self.rest.first, self.rest.answers.shape)
                entries = trial.built.entries.tolist()
                fates = [v if on else -v for v, on in zip(entries, rule, strict=True)]
                yield from self._settle(trial, fates)

    def _settle_all(self, spacetime: SpaceTime) -> Iterator[Region]:
        """Settle a question whose answer does not depend on the rule."""
        if spacetime.clash:
            yield from self.rest.keep(Region(self.space))
            return
        with attempt(spacetime, self.run) as trial:
            history = trial.solve()
            region = Region(self.space) if history is None else self._check(history)
            yield from self.rest.keep(region)

    def _settle(self, trial: Attempt, fates: list[int]) -> Iterator[Region]:
        """Settle the rule with these fates, and as many others as its answer allows."""
        history = trial.solve(fates)
        if history is not None:
            yield from self.rest.keep(self._check(history))
            return
        # Literals that the refutation needs, and those of which that is not known yet.
        needed: list[int] = []
        core = list(trial.core())
        try:
            while core:
                left_out = core.pop()
                history = trial.solve([*needed, *core])
                if history is None:
                    used = set(trial.core())
                    core = [literal for literal in core if literal in used]
                    needed = [literal for literal in needed if literal in used]
                else:
                    needed.append(left_out)
                    yield from self.rest.keep(self._check(history))
        except GaveUp:
            yield from self.rest.keep(self._refuted(trial, [*needed, left_out, *core]))
            raise
        yield from self.rest.keep(self._refuted(trial, needed))

    def _check(self, history: History) -> Region:
        """Return the region of a solution, which the simulator verifies."""
        verify(self.problem, history)
        rules = find_rules(self.problem, history)
        if rules is None:
            raise AssertionError("a verified solution has a rule")
        box = self.problem.all_boxes[0]
        return Region(rules, Pattern.from_array(history[0], box.x, box.y, rules.least))

    def _refuted(self, trial: Attempt, core: list[int]) -> Region:
        """Return the region of all rules that agree on a core."""
        fates = {abs(literal): literal > 0 for literal in core}
        return Region(self.space.fill(fates.get(v) for v in trial.built.entries.tolist()))


# Proofs for a map: a certificate for each region without a pattern, over its open rule.


def prove_map(
    rulemap: RuleMap,
    folder: Path,
    *,
    options: Options | None = None,
    tell: Callable[[str], None] = lambda what: None,
    stop: threading.Event | None = None,
) -> str:
    """Write the missing certificates; return why some are still missing, or an empty text.

    All share the time limit; another thread may set ``stop``.  Regions with states need none.
    """
    proving = Proving(options=(options or Options()).starting_now(), stop=stop)
    for number, region in enumerate(rulemap.regions, 1):
        place = proof_folder(folder, number)
        if region.pattern is not None or region.closed is not None or place.is_dir():
            continue
        tell(f"proving region {number} of {len(rulemap.regions)}")
        match certify(region_problem(rulemap.problem, region), NoneExists(), place, proving):
            case Undecided(reason=reason):
                return f"region {number}: {reason}"
            case Found():
                raise InternalError(f"region {number} was refuted, but has a pattern")
    return ""
