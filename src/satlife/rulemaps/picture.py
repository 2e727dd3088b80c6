"""The picture of a map: births to the right, survivals down, both in the order of a Gray code.

Neighbouring rules differ in one entry, so that a region of rules is a few rectangles.  Rules
without a solution are grey, undecided ones white; the others have a colour for each pattern.
"""

from __future__ import annotations

from itertools import cycle, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.rulespaces import RuleSpace
from satlife.rulemaps.rulemap import FOUND, RuleMap, locate
from satlife.show.grids import draw_numbers

UNDECIDED_COLOUR: Final = "#ffffff"
IMPOSSIBLE_COLOUR: Final = "#dcdcd8"
FOUND_COLOURS: Final = (
    *("#1f5a9c", "#d2600a", "#2e7d4f", "#8a3a8f", "#b8860b", "#0f8b8d", "#b3343f", "#5b5bd6"),
    *("#6b4420", "#3b7dd8", "#e08e45", "#58a05f"),
)
"""One for each pattern; with more patterns they begin again."""
SCALE: Final = 2
"""Pixels for each rule, in each direction."""
MOST_SCALED: Final = 1024
"""Sides from this on are not scaled."""


def order_by_gray(bits: int) -> NDArray[np.intp]:
    """Return the numbers of so many bits in an order in which neighbours differ in one bit.

    >>> [format(code, "02b") for code in order_by_gray(2)]
    ['00', '01', '11', '10']
    """
    numbers = np.arange(1 << bits)
    return numbers ^ (numbers >> 1)


def lay_out(space: RuleSpace, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return values of rules as an image: a column for each set of births."""
    births = sum(name.startswith("B") for name in space.free)
    columns, rows = order_by_gray(births), order_by_gray(len(space.free) - births)
    return np.ascontiguousarray(values.reshape(len(columns), -1)[columns][:, rows].T)


def draw_map(rulemap: RuleMap) -> bytes:
    """Return the picture, a PNG; it needs Pillow, the extra ``image``."""
    space = rulemap.space
    image = lay_out(space, number_colours(rulemap))
    scale = SCALE if max(image.shape) < MOST_SCALED else 1
    return draw_numbers(image, COLOURS, scale=scale)


def number_colours(rulemap: RuleMap) -> NDArray[np.uint8]:
    """Return the number of each rule's colour."""
    space = rulemap.space
    numbers = np.zeros((2,) * len(space.places), np.uint8)
    found = (region for region in rulemap.regions if region.answer == FOUND)
    coloured = list(zip(found, islice(cycle(range(2, len(COLOURS))), 1 << 20), strict=False))
    for region, number in reversed(coloured):  # of regions that overlap, the first is shown
        numbers[locate(space, region.rules)] = number
    for region in rulemap.regions:
        if region.answer != FOUND:
            numbers[locate(space, region.rules)] = 1
    return numbers


COLOURS: Final = (UNDECIDED_COLOUR, IMPOSSIBLE_COLOUR, *FOUND_COLOURS)
