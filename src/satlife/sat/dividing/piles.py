"""The open cases of a conquest: which solver takes which, and which ones a core settles.

Every solver has a pile of its own and takes the newest case from it.  So it stays in one part of
the tree, where what it has learnt is of use; going through all cases in one common order, two
solvers did up to twice the work of one.  A solver whose pile is empty takes the oldest case of the
largest pile.

>>> piles = Piles(2)
>>> for decision in (1, 2, 3):
...     piles.push(0, Look((decision,), (), ()))
>>> piles.take(0).decisions, piles.take(1).decisions, piles.open
((3,), (1,), ((2,),))
>>> piles.settle(frozenset([2]))
>>> piles.settled, piles.open
(1, ())
"""

from __future__ import annotations

from collections import deque

from satlife.sat.dividing.lookahead import Look

Decisions = tuple[int, ...]


class Piles:
    """A pile of cases for each solver."""

    def __init__(self, solvers: int) -> None:
        self._piles: tuple[deque[Look], ...] = tuple(deque() for _ in range(solvers))
        self._cores: list[frozenset[int]] = []
        self.settled = 0
        """Cases that were dropped because a core settles them."""

    def push(self, solver: int, look: Look) -> None:
        """Put a case on a solver's pile, unless it is settled."""
        if self.is_settled(look):
            self.settled += 1
        else:
            self._piles[solver].append(look)

    def take(self, solver: int) -> Look | None:
        """Return the next case for a solver; None if no case is open."""
        if self._piles[solver]:
            return self._piles[solver].pop()
        largest = max(self._piles, key=len)
        return largest.popleft() if largest else None

    def settle(self, core: frozenset[int]) -> None:
        """Drop all cases whose decisions contain a core: decisions that cannot all be true."""
        self._cores.append(core)
        for pile in self._piles:
            before = len(pile)
            kept = [look for look in pile if not core <= frozenset(look.decisions)]
            pile.clear()
            pile.extend(kept)
            self.settled += before - len(pile)

    def is_settled(self, look: Look) -> bool:
        """Return whether a core settles a case."""
        decided = frozenset(look.decisions)
        return any(core <= decided for core in self._cores)

    def __len__(self) -> int:
        return sum(map(len, self._piles))

    @property
    def open(self) -> tuple[Decisions, ...]:
        """The cases that wait, in the order in which they would be taken by their own solvers."""
        return tuple(look.decisions for pile in self._piles for look in reversed(pile))
