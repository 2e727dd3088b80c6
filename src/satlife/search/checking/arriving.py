"""In which lane and at what time something came: read from a solution, for the verifier and people.

What a generation has more than the one without the input is what came.

>>> from satlife.search.problem.arrival import Still
>>> dot = Still(x=0, y=0, rows=("o",))
>>> arrival = Arrival(flight=(dot,), across="right", lanes=(0, 3), times=(0, 0), alone=(1,))
>>> find_arrival(arrival, [frozenset({(2, 0), (9, 9)}), frozenset({(9, 9)})].__getitem__)
(2, 0)
"""

from __future__ import annotations

from collections.abc import Callable

from satlife.search.problem.constraints import Arrival

Cell = tuple[int, int]


def find_arrival(arrival: Arrival, at: Callable[[int], frozenset[Cell]]) -> tuple[int, int] | None:
    """Return the lane and the time, given the live cells of generations; None if it is neither."""
    came = []
    for t, later in enumerate(arrival.alone):
        if not at(later) <= at(t):
            return None
        came.append(at(t) - at(later))
    for time in range(arrival.times[0], arrival.times[1] + 1):
        flown = arrival.flight[arrival.times[1] - time :]
        for lane in range(arrival.lanes[0], arrival.lanes[1] + 1):
            dx, dy = (lane, 0) if arrival.across == "right" else (0, lane)
            if all(
                {(x + dx, y + dy) for x, y in still.cells} == cells
                for still, cells in zip(flown, came, strict=False)
            ):
                return lane, time
    return None
