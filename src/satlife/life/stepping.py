"""One generation to the next, on bare arrays of the unbounded plane.

The outside of the array is dead. Two ways that must agree: by the rule's table of 512 entries,
for every rule, and by counting neighbours, faster, for rules that only count.

>>> from satlife.life.rule import LIFE
>>> step_by_table(np.array([[1, 1, 1]], dtype=np.uint8), LIFE.table)[:, 2].tolist()
[1, 1, 1]
"""

from __future__ import annotations

import numpy as np

from satlife.life.cells import Cells, check_extent, trim
from satlife.life.neighbourhood import BITS
from satlife.life.rule import Rule


def _pad(cells: Cells) -> Cells:
    """Surround by two rings of dead cells: one that may be born, and one that those can see."""
    height, width = cells.shape
    padded = np.zeros((height + 4, width + 4), dtype=np.uint8)
    padded[2:-2, 2:-2] = cells
    return padded


def step_by_table(cells: Cells, table: Cells) -> Cells:
    """Step by any table of 512 entries; the result is larger by one cell on each side."""
    padded = _pad(cells)
    height, width = padded.shape[0] - 2, padded.shape[1] - 2
    index = np.zeros((height, width), dtype=np.uint16)
    for (dx, dy), bit in BITS.items():
        seen = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        index |= seen.astype(np.uint16) * np.uint16(bit)
    stepped: Cells = table[index]
    return stepped


def step_by_count(cells: Cells, count_table: Cells) -> Cells:
    """Step by a :attr:`Rule.count_table`; the result is larger by one cell on each side."""
    padded = _pad(cells)
    threes = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
    nines = threes[:-2] + threes[1:-1] + threes[2:]
    # neighbours + 9 * state, where the nine cells already hold the state once
    stepped: Cells = count_table[nines + 8 * padded[1:-1, 1:-1]]
    return stepped


def advance_array(cells: Cells, rule: Rule, generations: int) -> tuple[Cells, int, int]:
    """Run on; give the trimmed cells and where their top left is, from the array's own."""
    x = y = 0
    counts, table = rule.count_table, rule.table
    for _ in range(generations):
        if not cells.size:
            break  # only B0 rules bring anything out of the empty plane, and Rule refuses them
        grown = step_by_table(cells, table) if counts is None else step_by_count(cells, counts)
        cells, dx, dy = trim(grown)
        x, y = x + dx - 1, y + dy - 1
        check_extent(x, y, cells.shape[1], cells.shape[0])
    return cells, x, y
