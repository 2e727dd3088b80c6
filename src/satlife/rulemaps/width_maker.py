"""Making the map of a width: ships of any length, for all rules of a range at once.

A search by rows for some fixed entries of a rule (:mod:`satlife.rows.ranges`) ends with a path or
with a closed set.  A closed set settles all rules that agree on these entries.  A path excludes a
rule only by the entries that it uses against that rule; so whatever refutes the rule must fix one
of them, for every path that is known.  The fewest such entries are fixed next.  A path that uses
nothing both ways is a ship, and settles all rules in which it works.

Where the states are too many, more entries are fixed than the paths demand, and then left out again
one by one.  Needs numba.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from satlife.engine.engine import GaveUp, Run
from satlife.engine.rows.engine import compile_ahead
from satlife.engine.rows.quotients import fit, make_quotient
from satlife.life import Pattern
from satlife.life.rulespaces import OPEN, RuleSpace
from satlife.problem import Problem
from satlife.rows.ranges import ClosedStates, RangeSearch
from satlife.rows.units import Ship
from satlife.rulemaps.folder import pack_states
from satlife.rulemaps.remainder import Remainder
from satlife.rulemaps.rulemap import Region
from satlife.verifier.verify import find_rules, verify

LIMIT = 20_000
"""States of a search for several rules; beyond that, another entry is fixed."""
MOST = 1 << 24
"""States of a search for one rule."""

Sets = NDArray[np.int64]
"""Sets of free entries, the first at the highest bit; a rule is the set of what is on."""


class WidthMaker:
    """The rules of a width that are left, and what is known of paths."""

    def __init__(self, problem: Problem, run: Run, rest: Remainder) -> None:
        self.problem, self.run, self.rest = problem, run, rest
        self.space = space = rest.space
        one = problem.with_rule(str(space.least))
        compile_ahead(one, run)
        self._search = RangeSearch(make_quotient(one))
        free = len(space.places)
        self._bits: Sets = np.int64(1) << np.arange(free - 1, -1, -1)
        self._all = (1 << free) - 1
        self._on = self._off = np.zeros(0, np.int64)
        """For each path, the entries that it uses as on, and as off."""
        self._wide = np.zeros((0, 2), np.int64)
        """Ranges that had too many states: the entries that are fixed as on, and as off."""
        self._counts = np.array([-int(name[1]) for name in space.free]) / 100
        """How often each entry was fixed; at first, those of few cells matter most."""

    def regions(self) -> Iterator[Region]:
        """Yield regions until every rule is in one."""
        while self.rest.left:
            yield from self._settle(self.rest.first)

    def _settle(self, rule: int) -> Iterator[Region]:
        """Settle a rule, and as many others as its answer allows."""
        extra, more = 0, 1
        while True:
            fixed = self._hit(rule) | extra
            while self._is_wide(rule, fixed):
                extra |= self._choose(fixed, more)
                fixed, more = fixed | extra, more + 1
            match self._reach(rule, fixed):
                case None:
                    pass
                case ClosedStates() as states:
                    yield from self._widen(rule, fixed, extra, states)
                    return
                case path:
                    yield from self._note(path)
                    if self.rest.is_settled(rule):
                        return

    def _widen(self, rule: int, fixed: int, extra: int, states: ClosedStates) -> Iterator[Region]:
        """Leave out entries that no path has asked for, and yield the range of rules."""
        for bit in self._bits[::-1].tolist():
            less = fixed & ~bit
            asked = ((self._against(rule) & less) == 0).any()
            if not extra & bit or asked or self._is_wide(rule, less):
                continue
            match self._reach(rule, less):
                case None:
                    pass
                case ClosedStates() as fewer:
                    fixed, states = less, fewer
                case path:
                    yield from self._note(path)
        self._counts += (fixed & self._bits) > 0
        closed = pack_states(states.children, states.rows)
        yield from self.rest.keep(Region(self._range(rule, fixed), closed=closed))

    def _reach(self, rule: int, fixed: int) -> ClosedStates | Ship | None:
        """Search for all rules that agree with a rule on the fixed entries."""
        self.run.check()
        limit, most = LIMIT, self.run.options.memory
        fates, guide = (self._table(rule, entries) for entries in (fixed, self._all))
        while (found := self._search.reach(fates, guide, limit)) is None and fixed == self._all:
            self.run.check()
            limit *= 4
            if limit > MOST:
                raise GaveUp(f"more than {MOST:,} states for one rule")
            if most is not None and self._search.memory > most:
                raise GaveUp("memory limit")
        if found is None:
            range_ = fixed & rule, fixed & ~rule
            self._wide = np.vstack([self._wide, np.array(range_, np.int64)])
        return found

    def _note(self, path: Ship) -> Iterator[Region]:
        """Remember a path; if it is a ship, yield its region."""
        off, on = (self._list_entries(used) for used in self._search.find_uses(path))
        self._off, self._on = np.append(self._off, off), np.append(self._on, on)
        if off & on:
            return
        history = fit(self._search.quotient, path, self.problem)
        if history is None:
            raise AssertionError("a ship of any length fits")
        verify(self.problem.with_height(len(history[0])), history)
        rules = find_rules(self.problem, history)
        if rules is None:
            raise AssertionError("a verified solution has a rule")
        yield from self.rest.keep(Region(rules, Pattern.from_array(history[0], 0, 0, rules.least)))

    def _list_entries(self, used: NDArray[np.bool_]) -> int:
        """Return the free entries to which some neighbourhoods belong."""
        met = np.bincount(self.space.classes.kinds[used], minlength=len(self.space.entries)) > 0
        return int(self._bits[met[self.space.places]].sum())

    def _table(self, rule: int, fixed: int) -> NDArray[np.uint8]:
        """Return the 512 fates of the rules that agree with a rule on some entries."""
        entries = self.space.entries.copy()
        on = (rule & self._bits) > 0
        entries[self.space.places] = np.where(fixed & self._bits, on, OPEN)
        return entries[self.space.classes.kinds]

    def _range(self, rule: int, fixed: int) -> RuleSpace:
        """Return the rules that agree with a rule on some entries."""
        fates = (bool(rule & bit) if fixed & bit else None for bit in self._bits.tolist())
        return self.space.fill(fates)

    # Which entries to fix

    def _against(self, rule: int) -> Sets:
        """Return, for each path, the entries that it uses otherwise than a rule."""
        return (self._off & rule) | (self._on & ~rule)

    def _hit(self, rule: int) -> int:
        """Return few entries of which each path uses one against the rule."""
        sets = np.unique(self._against(rule))
        chosen, left = 0, sets
        while len(left):
            counts = ((left[:, None] & self._bits) > 0).sum(axis=0)
            chosen |= int(self._bits[counts.argmax()])
            left = left[(left & chosen) == 0]
        for bit in self._bits[::-1].tolist():
            if chosen & bit and (sets & (chosen & ~bit)).all():
                chosen &= ~bit
        return chosen

    def _is_wide(self, rule: int, fixed: int) -> bool:
        """Return whether a range is known to have too many states."""
        agreed = (self._wide[:, 0] & rule) | (self._wide[:, 1] & ~rule)
        return bool(((fixed & ~agreed) == 0).any())

    def _choose(self, fixed: int, number: int) -> int:
        """Return some entries that are not fixed yet, those first that are fixed most often."""
        order = self._bits[np.argsort(-self._counts, kind="stable")]
        return int(order[(order & fixed) == 0][:number].sum())
