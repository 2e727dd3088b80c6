"""The notations of rules, read to tables: whether the cell lives next, by its nine cells.

The number of a neighbourhood has a bit for each cell in reading order, the north-west one highest.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint8]

# The neighbours in reading order, north-west to south-east; the letters are Alan Hensel's.
LETTERS: dict[int, dict[str, str]] = {
    0: {"": "... . . ..."},
    1: {"c": "o.. . . ...", "e": ".o. . . ..."},
    2: {
        "a": "oo. . . ...", "c": "o.o . . ...", "e": ".o. o . ...",
        "i": ".o. . . .o.", "k": ".o. . . o..", "n": "o.. . . ..o",
    },
    3: {
        "a": "oo. o . ...", "c": "o.o . . o..", "e": ".o. o o ...", "i": "ooo . . ...",
        "j": ".oo o . ...", "k": ".o. o . ..o", "n": "oo. . . o..", "q": "oo. . . ..o",
        "r": "oo. . . .o.", "y": "o.o . . .o.",
    },
    4: {
        "a": "oo. o . o..", "c": "o.o . . o.o", "e": ".o. o o .o.", "i": "oo. . . oo.",
        "j": ".oo o . .o.", "k": ".oo o . ..o", "n": "ooo . . o..", "q": "oo. o . ..o",
        "r": "oo. o o ...", "t": "ooo . . .o.", "w": ".oo o . o..", "y": "o.o o . ..o",
        "z": "oo. . . .oo",
    },
}  # fmt: skip

HEXAGON, CROSS = "oo. o o .oo", ".o. o o .o."
"""The neighbours that hexagonal rules (H) and von Neumann rules (V) count."""
FREE = 2
"""The fate of a neighbourhood by a set of rules that leaves it open."""


@dataclass(frozen=True, eq=False)
class Rules:
    """All rules that a text stands for: mostly one."""

    states: int
    """How many states a cell has; from 2 on it is dying."""
    tables: tuple[Table, ...]

    @property
    def strobes(self) -> bool:
        """Whether nothing becomes everything, and everything nothing."""
        return bool(self.tables[0][0] and not self.tables[0][-1])


@lru_cache(maxsize=512)
def read_rules(text: str) -> Rules:
    """Read the canonical notation of a rule, or of a set of rules."""
    if text.startswith("MAP"):
        written, _, states = text[3:89], *text[89:].partition("/")[1:]
        packed = np.frombuffer(base64.b64decode(written + "=="), np.uint8)
        return Rules(int(states or 2), (np.unpackbits(packed),))
    suffix = text[-1] if text[-1] in "HV" else ""
    parts = text.removesuffix(suffix).split("/")
    if text.startswith("B"):
        births, survivals, states = parts[0][1:], parts[1][1:], 2
    else:  # Generations: the survivals come first
        survivals, births, states = parts[0], parts[1], int(parts[2])
    table = np.zeros(512, np.uint8)
    free: dict[tuple[int, str], list[int]] = {}
    for alive, half in enumerate((births, survivals)):
        for fate, item in _items(half):
            for group, cells in _neighbourhoods(item, suffix):
                indices = [16 * alive + cell for cell in cells]
                table[indices] = fate
                if fate == FREE:
                    free[alive, group] = free.get((alive, group), []) + indices
    tables = []
    for fates in product((0, 1), repeat=len(free)):
        one = table.copy()
        for indices, fate in zip(free.values(), fates, strict=True):
            one[indices] = fate
        tables.append(one)
    return Rules(states, tuple(tables))


def _items(half: str) -> Iterator[tuple[int, str]]:
    """Yield the counts with their letters, and whether each is on, or in brackets: free."""
    for bracket, items in re.findall(r"(\[?)([0-9a-z-]+)\]?", half):
        for item in re.findall(r"[0-9][a-z-]*", items):
            yield (FREE if bracket else 1), item


def _neighbourhoods(item: str, suffix: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the neighbourhoods that an item names: by arrangement if it has letters."""
    count, letters = int(item[0]), item[1:]
    if not letters:
        counted = _number({"H": HEXAGON, "V": CROSS}.get(suffix, "ooo o o ooo"))
        yield item, [n for n in _all() if (n & counted).bit_count() == count]
        return
    sorts = LETTERS[min(count, 8 - count)]
    chosen = set(sorts) - set(letters[1:]) if letters[0] == "-" else set(letters)
    for letter in sorted(chosen):
        few = {_number(turned) for turned in _turned(sorts[letter])}
        everything = _number("ooo o o ooo")
        yield item[0] + letter, sorted(few if count <= 4 else {everything ^ n for n in few})


def _all() -> list[int]:
    """Return the 256 neighbourhoods of a dead cell."""
    return [n for n in range(512) if not n & 16]


def _number(picture: str) -> int:
    cells = _cells(picture)
    return sum((cell == "o") << (8 - i) for i, cell in enumerate(cells))


def _cells(picture: str) -> str:
    """Return the nine cells of a picture in reading order; the centre is dead."""
    north, (west, _, east), south = picture[:3], picture[4:7], picture[8:]
    return f"{north}{west}.{east}{south}"


def _turned(picture: str) -> Iterator[str]:
    """Yield the picture, turned and mirrored."""
    grid = np.array(list(_cells(picture))).reshape(3, 3)
    for mirrored in (grid, grid.T):
        for quarters in range(4):
            nine = "".join(np.rot90(mirrored, quarters).ravel().tolist())
            yield f"{nine[:3]} {nine[3]} {nine[5]} {nine[6:]}"
