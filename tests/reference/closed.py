"""Whether a set of states proves that a width has no ship: by trying what may follow each state.

A ship that moves k rows up in p generations is one sequence of rows r, and G(r[n], r[n+p], r[n+2p])
is r[n+p+k], with G the rule on three rows.  A state is 2p rows in turn.
"""

from __future__ import annotations

from tests.reference.narrow import Layer, Rows

FURTHER = 3
"""Periods of rows after a state that are tried; a ship has any number, dead ones at its end."""


class Following:
    """What may follow the states of a width."""

    def __init__(self, rows: Rows) -> None:
        self.p, self.k, (self.table,) = rows.p, rows.k, rows.tables
        self._dead: dict[tuple[Layer, int], bool] = {}
        self._after: dict[Layer, list[Layer]] = {}

    def follow(self, state: Layer) -> list[Layer]:
        """Return the states that may follow one."""
        if state not in self._after:
            below = self.table.get((state[0], state[self.p]), {})
            rows = [row for row, becomes in below.items() if becomes == state[self.p + self.k]]
            self._after[state] = [(*state[1:], row) for row in rows]
        return self._after[state]

    def is_dead(self, state: Layer, further: int) -> bool:
        """Whether no sequence of so many rows may follow a state."""
        if not further:
            return False
        known = self._dead.get((state, further))
        if known is None:
            known = all(self.is_dead(after, further - 1) for after in self.follow(state))
            self._dead[state, further] = known
        return known

    def is_proof(self, states: set[Layer]) -> bool:
        """Whether rows cannot lead from nothing back to nothing, by a set of states.

        All that follows one of them is another, or cannot be followed by :data:`FURTHER` periods of
        rows; and it is empty only after the empty state.
        """
        empty = (0,) * (2 * self.p)
        return empty in states and all(
            (after in states and (after != empty or state == empty))
            or (after != empty and self.is_dead(after, FURTHER * self.p))
            for state in states
            for after in self.follow(state)
        )
