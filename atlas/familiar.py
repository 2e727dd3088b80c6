"""Known objects in boxes of the tables, where nothing was found, or nothing so small.

The objects are those of satlife's catalogue.  A box holds all phases of a period; a symmetry holds
in each of them.  A ship is turned so that it travels north, or north-west if it is diagonal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from satlife.life import Box
from satlife.life.catalogue import Entry, catalogue
from satlife.life.cells import Cells
from satlife.life.identity.recurrence import trace_phases
from satlife.life.transforms import TRANSFORMS

if TYPE_CHECKING:
    from atlas.boxes import Question

_MIRRORS: dict[str, tuple[Callable[[Cells], Cells], ...]] = {
    "C1": (),
    "C2": (lambda cells: np.rot90(cells, 2),),
    "C4": (np.rot90,),
    "D2|": (np.fliplr,),
    "D2x": (np.transpose,),
    "D4+": (np.fliplr, np.flipud),
    "D4x": (np.transpose, lambda cells: np.rot90(cells.T, 2)),
    "D8": (np.fliplr, np.transpose),
}
"""What leaves the cells of a symmetric pattern in its box the same."""


class Familiar(NamedTuple):
    """A known object, and the least box for all its phases."""

    box: Box
    entry: Entry


def find_familiar(question: Question) -> Familiar | None:
    """Return the known object of the least box that answers a question; None if there is none."""
    found = [
        Familiar(Box(0, 0, *size), entry)
        for entry in catalogue()
        if entry.rule == "B3/S23" and _answers(entry, question)
        for size in _sizes(entry, question)
    ]
    return min(found, key=lambda each: (each.box.area, each.box.width), default=None)


def _answers(entry: Entry, question: Question) -> bool:
    if question.kind == "ship":
        return entry.speed == question.motion
    return entry.kind == "oscillator" and f"p{entry.period}" == question.motion


def _sizes(entry: Entry, question: Question) -> Iterator[tuple[int, int]]:
    """Yield the boxes of an object that is turned as the question asks, and as symmetric."""
    for box, symmetries in _list_boxes(entry, question.kind == "ship"):
        if question.symmetry in symmetries:
            turned = question.can_be_turned and box.width > box.height
            yield (box.height, box.width) if turned else (box.width, box.height)


@cache
def _list_boxes(entry: Entry, is_ship: bool) -> list[tuple[Box, frozenset[str]]]:
    """Return the boxes of an object, as it may be turned, with the symmetries of all phases.

    The box of a ship depends on the phase with which the period begins.
    """
    found = []
    for transform in TRANSFORMS if is_ship else TRANSFORMS[:2]:  # also a quarter turn
        count = 2 * entry.period if is_ship else entry.period + 1
        phases = trace_phases(entry.pattern.transformed(transform), count)
        first, last = phases[0].box, phases[entry.period].box
        if is_ship and not (last.x <= first.x and last.y < first.y):
            continue
        for start in range(entry.period if is_ship else 1):
            some = phases[start : start + entry.period]
            box = some[0].box
            for phase in some[1:]:
                box |= phase.box
            drawn = [phase.in_box(box) for phase in some]
            same = (
                name
                for name, turns in _MIRRORS.items()
                if all(_is_same(turn, drawn) for turn in turns)
            )
            found.append((box, frozenset(same)))
    return found


def _is_same(turn: Callable[[Cells], Cells], drawn: list[Cells]) -> bool:
    return all(np.array_equal(turn(cells), cells) for cells in drawn)
