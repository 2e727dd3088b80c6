"""The cells of what flies in, for each lane and time in which it may come."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from satlife.search.problem.constraints import Arrival


def draw_inputs(arrival: Arrival) -> list[npt.NDArray[np.int64]]:
    """Return the live cells (x, y, t) of the input, for each lane and time of its arrival."""
    film = [np.array(still.cells, np.int64).reshape(-1, 2) for still in arrival.flight]
    way = np.array([1, 0] if arrival.across == "right" else [0, 1])
    (low, high), (early, late) = arrival.lanes, arrival.times
    drawn = []
    for lane, time in product(range(low, high + 1), range(early, late + 1)):
        parts = [
            np.insert(film[t + late - time] + lane * way, 2, t, axis=1)
            for t in range(len(arrival.alone))
        ]
        drawn.append(np.concatenate(parts))
    return drawn
