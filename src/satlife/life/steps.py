"""Stepping bare arrays on the unbounded plane by one generation.

The outside of the array is dead. There are two methods, which must agree: the rule's table of 512
entries, for every rule, and counting neighbours, which is faster, for outer-totalistic rules.

>>> from satlife.life.rule import LIFE
>>> step_by_table(np.array([[1, 1, 1]], dtype=np.uint8), LIFE.table)[:, 2].tolist()
[1, 1, 1]
"""

from __future__ import annotations

import numpy as np

from satlife.life.cells import ALIVE, DEAD, Cells, check_extent, trim
from satlife.life.neighbourhood import BITS
from satlife.life.rule import Rule


def _pad(cells: Cells) -> Cells:
    """Add two rings of dead cells: one for births, and one for the neighbours of those."""
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


def _age(cells: Cells, grown: Cells, states: int) -> Cells:
    """Age the dying cells by one state, given the living cells of the next generation."""
    before = np.pad(cells, 1)
    dying = np.where(before > ALIVE, (before + 1) % states, 0)
    survivors = np.where(grown, ALIVE, ALIVE + 1)
    aged: Cells = np.where(before == DEAD, grown, np.where(before == ALIVE, survivors, dying))
    return aged.astype(np.uint8)


def advance_array(
    cells: Cells, rule: Rule, generations: int, phase: int = 0
) -> tuple[Cells, int, int]:
    """Advance cells from a phase; return the trimmed cells and their new top left.

    The cells are those that differ from the background; see :attr:`Rule.phases`.
    """
    x = y = 0
    for t in range(generations):
        if not cells.size:
            break  # no cell differs from the background, so none ever will
        now = rule.phases[(phase + t) % len(rule.phases)]
        alive = (cells == ALIVE).astype(np.uint8) if rule.states > 2 else cells
        if now.count_table is None:
            grown = step_by_table(alive, now.table)
        else:
            grown = step_by_count(alive, now.count_table)
        if rule.states > 2:
            grown = _age(cells, grown, rule.states)
        cells, dx, dy = trim(grown)
        x, y = x + dx - 1, y + dy - 1
        check_extent(x, y, cells.shape[1], cells.shape[0])
    return cells, x, y
