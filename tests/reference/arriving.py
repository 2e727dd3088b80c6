"""What comes in one of several lanes, at one of several times: what each of them asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.reference.asked import Asked, Cell, Place, drawn


def inputs(constraint: dict[str, Any]) -> Iterator[list[set[Place]]]:
    """Yield, for each lane and time, the live cells of the input in generations 0, 1 …"""
    (low, high), (early, late) = constraint["lanes"], constraint["times"]
    for lane in range(low, high + 1):
        dx, dy = {"right": (lane, 0), "down": (0, lane)}[constraint["across"]]
        for time in range(early, late + 1):
            film = []
            for t in range(len(constraint["alone"])):
                still = constraint["flight"][t - time + late]  # its first age is -late
                film.append({(x + dx, y + dy) for (x, y), state in drawn(still) if state == "o"})
            yield film


def arrivals(asked: Asked, constraint: dict[str, Any]) -> Iterator[list[tuple[Cell, Cell, bool]]]:
    """Yield, for each lane and time, pairs of cells and whether the input is there.

    Where it is, the first cell lives and the second does not; elsewhere they are the same.
    """
    for film in inputs(constraint):
        yield [
            ((place, t), (place, alone), place in film[t])
            for t, alone in enumerate(constraint["alone"])
            for place in {*asked.boxes[t], *asked.boxes[alone], *film[t]}
        ]


def fits(now: int | None, alone: int | None, there: bool) -> bool:
    """Return whether a cell is as an arrival asks, given its two states."""
    return (now, alone) == (1, 0) if there else now == alone
