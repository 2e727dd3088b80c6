"""The first answer to a question without a box: an object of the catalogue.

A named object that does what is asked for is an answer, and takes no search.  Its problem is the
one in the box of its phases, as if a person had typed that box; it is verified like any find.  The
smallest object comes first: by its population, then by its box.

>>> from satlife.kinds import oscillator
>>> found = find_known(lambda box: oscillator(14, box=box))
>>> found.finding.identity.name, found.finding.problem.boxes, found.finding.provenance.engine
('tumbler', ('9x7',), 'catalogue')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final

import numpy as np

from satlife.engine.engine import Engine, Options, Run, Solutions
from satlife.engine.grow import list_problems
from satlife.engine.session import Search
from satlife.engine.wanted import Sieve, Wanted
from satlife.errors import UsageError
from satlife.formula.classes import History, names_places
from satlife.life.box import EMPTY_BOX
from satlife.life.catalogue import Entry, find_entries
from satlife.life.identity.recurrence import trace_phases
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE
from satlife.life.transforms import TRANSFORMS
from satlife.problem import Problem
from satlife.problem.constraints import FullPeriod, NotEmpty, Population
from satlife.problem.outcome import Found
from satlife.verifier.verify import complaints

MakeInBox = Callable[[str], Problem]
"""Builds the problem in a box."""
MOST_VIEWS: Final = 1000
"""Objects that are looked at, each turned, and from each phase, before the catalogue gives up."""

MOST_COMPARED: Final = 100
"""Objects whose boxes are compared."""


class CatalogueEngine(Engine):
    """Answer with one object of the catalogue."""

    name = "catalogue"
    title = "an object of the catalogue"

    def __init__(self, entry: Entry, history: History) -> None:
        self.entry, self.history = entry, history

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield the object, and no more."""
        run.details |= {"name": self.entry.name, "apgcode": self.entry.code}
        yield self.history
        return "the catalogue was asked for one object"


def find_known(
    make: MakeInBox, wanted: Wanted | None = None, *, by_area: bool = False
) -> Found | None:
    """Find the smallest object of the catalogue that solves the problem in the box of its phases.

    ``make`` returns the problem of a box.  Objects that are not ``wanted`` are left out.  With
    ``by_area``, the object has the smallest box of those with the fewest cells.  None only means
    that the catalogue has no answer; it has none where cells have places, or where the rule is
    open.
    """
    known = islice(list_known(make, wanted or Wanted()), MOST_COMPARED if by_area else 1)
    best = min(known, key=lambda each: each[1][0].size, default=None)
    if best is None:
        return None
    problem, history, entry = best
    with Search(problem, CatalogueEngine(entry, history), Options()) as search:
        outcome = search.result()
    if not isinstance(outcome, Found):
        raise AssertionError("the catalogue's engine yields what it was given")
    return outcome


def list_known(make: MakeInBox, wanted: Wanted) -> Iterator[tuple[Problem, History, Entry]]:
    """Yield objects that solve the problem, the smallest first, with the problem in their box."""
    first = next(list_problems(make, "1x1", "area"))
    if not asks_for_object(first):
        return
    rejected = {each for each in wanted.reject if isinstance(each, str)}
    entries = (each for each in list_candidates(first) if each.code not in rejected)
    views = ((entry, _list_views(first, entry)) for entry in entries)
    each_view = chain.from_iterable(((entry, view) for view in seen) for entry, seen in views)
    for entry, history in islice(each_view, MOST_VIEWS):
        height, width = history[0].shape
        try:
            problem = make(f"{width}x{height}")
        except UsageError:  # the box does not fit the symmetry
            continue
        # The session verifies every answer; a view is checked here only where views differ.
        if not is_plain(first) and next(complaints(problem, history), None) is not None:
            continue
        if Sieve(problem, wanted, Counter()).leaves_out(history) is False:
            yield problem, history, entry


def asks_for_object(problem: Problem) -> bool:
    """Whether the problem asks for an object, wherever it is, so that the catalogue may answer."""
    motion, rule = problem.motion, problem.parsed.rule
    return (
        motion is not None
        and motion.only_shifts
        and not problem.has_open_rule
        and not names_places(problem)
        and problem.boundary == "dead"
        and rule.states == 2
        and not rule.is_strobing
    )


def is_plain(problem: Problem) -> bool:
    """Whether the problem asks for any object of Life with its motion, however it is turned."""
    usual = all(isinstance(each, FullPeriod | NotEmpty) for each in problem.constraints)
    return usual and problem.symmetry == "C1" and problem.rule == str(LIFE)


def list_candidates(problem: Problem) -> tuple[Entry, ...]:
    """Return the entries with the motion that is asked for, the smallest first."""
    motion = problem.motion
    if motion is None:
        raise AssertionError("the catalogue is asked for objects with a motion")
    if motion.is_still:
        kind = "still life" if motion.period == 1 else "oscillator"
        found = find_entries(kind=kind, period=motion.period)
    else:
        found = find_entries(kind="spaceship", period=motion.period, speed=str(motion))
    bounds = [each for each in problem.constraints if isinstance(each, Population)]
    fitting = (each for each in found if all(_may_have(each, bound) for bound in bounds))
    return tuple(sorted(fitting, key=_rank))


def _may_have(entry: Entry, bound: Population) -> bool:
    """Return whether a phase may have as many cells; no phase has fewer than the entry says."""
    few = bound.most is not None and bound.most < entry.population
    many = bound.least is not None and entry.period == 1 and bound.least > entry.population
    return not (few or many)


@lru_cache(maxsize=4096)
def _rank(entry: Entry) -> tuple[int, int, str]:
    return entry.population, entry.pattern.box.area, entry.code


def _list_views(problem: Problem, entry: Entry) -> Iterator[History]:
    """Yield the object as solutions of the problem may have it: turned, and from another phase.

    A ship needs the least room from some phases.  If the problem cannot tell the views apart, one
    is enough.
    """
    motion, plain, seen = problem.motion, is_plain(problem), set[tuple[int, int, bytes]]()
    if motion is None:
        return
    for turn in TRANSFORMS:
        phases = trace_phases(entry.pattern.transformed(turn), motion.period)
        last = phases[-1][1]
        if (last.box.x - phases[0].box.x, last.box.y - phases[0].box.y) != motion.displacement:
            continue
        starts = range(1 if plain and motion.is_still else motion.period)
        films = [_cut(problem, phases, start) for start in starts]
        for history in sorted(films, key=lambda film: film[0].size)[: 1 if plain else None]:
            key = (*history[0].shape, history[0].tobytes())
            if key not in seen:
                seen.add(key)
                yield history
        if plain:
            return


def _cut(problem: Problem, phases: Sequence[Pattern], start: int) -> History:
    """Return the generations from a phase on, in the smallest box that holds what must be in it."""
    motion, box = problem.motion, EMPTY_BOX
    if motion is None:
        raise AssertionError("phases follow each other by a motion")
    film = (*phases[start:], *(each.shift(*motion.displacement) for each in phases[:start]))
    for each in film:
        box |= each.box
    if problem.include_last:
        box |= film[0].box.shift(*motion.displacement)
    return tuple(np.ascontiguousarray(each.in_box(box)) for each in film)
