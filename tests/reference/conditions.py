"""Ships of a width and of any length, with given cells and few live cells: every layer in turn.

The layers are those of :mod:`tests.reference.narrow`.  Layer y is row y of a box in all generations
of a period, so a given cell is looked up where it is, and live cells are added up by generation.
"""

from __future__ import annotations

import json
from typing import Any

from tests.reference.asked import TooLarge
from tests.reference.narrow import Layer, Rows

MOST = 40_000
"""States that are looked at."""


class Conditioned(Rows):
    """What may follow rows by one problem, but for what it asks of single cells and of all."""

    def __init__(self, problem: str) -> None:
        fields: dict[str, Any] = json.loads(problem)
        super().__init__(json.dumps({**fields, "known": []}))
        self.bounds = [each for each in fields["constraints"] if each["type"] == "population"]
        self.known: dict[int, list[tuple[int, int, bool]]] = {}
        for drawing in fields.get("known", ()):
            for y, row in enumerate(drawing["rows"], drawing.get("y", 0)):
                for x, state in enumerate(row, drawing.get("x", 0)):
                    # Generation p is generation 0, k rows higher.
                    late = drawing["t"] == self.p
                    place = (x, 0 if late else drawing["t"], state == "o")
                    if state != "?":
                        self.known.setdefault(y + self.k * late, []).append(place)

    def is_as_given(self, y: int, layer: Layer) -> bool:
        return all(
            (0 <= x < self.width and layer[t] >> x & 1 > 0) == lives
            for x, t, lives in self.known.get(y, ())
        )

    def may_hold(self, counts: Layer, *, is_over: bool) -> bool:
        """Whether the live cells are few enough; before the end, whether they can still be."""
        for bound in self.bounds:
            least, most, which = bound.get("least", 0), bound["most"], bound.get("generation", 0)
            sums = {"least": [min(counts)], "most": [max(counts)], "sum": [sum(counts)]}
            numbers = [counts[which]] if isinstance(which, int) else sums.get(which, counts)
            if max(numbers) > most or (is_over and min(numbers) < least):
                return False
        return True

    def has_solution(self) -> bool:
        nothing = (0,) * self.p
        if not all(self.is_as_given(y, nothing) for y in self.known if y < 0):
            return False
        last = max(self.known, default=-1)
        start = ((nothing,) * (self.k + 1), 0, nothing, False)
        waiting, seen = [start], {start}
        while waiting:
            layers, y, counts, lives = waiting.pop()
            for layer in self.below(layers):
                if not self.is_as_given(y, layer):
                    continue
                now = counts
                if self.bounds:
                    more = zip(counts, layer, strict=True)
                    now = tuple(count + row.bit_count() for count, row in more)
                if not self.may_hold(now, is_over=False):
                    continue
                after = (*layers[1:], layer)
                alive = lives or any(layer)
                is_over = not any(map(any, after))
                if is_over and alive and self.ends(y, last) and self.may_hold(now, is_over=True):
                    return True
                state = (after, min(y + 1, last + 1), now, alive)
                if state not in seen and not (is_over and y >= last):
                    seen.add(state)
                    waiting.append(state)
            if len(seen) > MOST:
                raise TooLarge(f"more than {MOST:,} states")
        return False

    def ends(self, y: int, last: int) -> bool:
        """Whether all rows below a row may be empty."""
        nothing = (0,) * self.p
        return all(self.is_as_given(below, nothing) for below in range(y + 1, last + 1))
