"""MAP rules: the whole table, in base64, as Golly writes it.

Every rule of two states has such a notation: ``MAP`` and 86 characters for the 512 neighbourhoods,
in the order of the table, the first one at the highest bit. A rule that sees only the four
orthogonal neighbours needs 32 entries, 6 characters.

>>> rule = MAP.read("MAPAP//AA")  # alive next, if just one of the north and the west is
>>> [int(rule.table[cells]) for cells in (0b010_100_000, 0b010_000_000, 0b000_100_000)]
[0, 1, 1]

A hexagonal rule may have 128 entries, 22 characters. Golly's algorithms disagree on their order, so
these are read, but not written: QuickLife and HashLife take the cells from the bottom row up, and
Generations from the top row down.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Final

import numpy as np

from satlife.errors import RuleError
from satlife.life.cells import freeze
from satlife.life.neighbourhood import HEXAGONAL, OFFSETS, VON_NEUMANN, fold_table, number_by
from satlife.life.rules._family import RuleDefinition, RuleFamily

_UPWARD: Final = sorted(HEXAGONAL, key=lambda cell: (-cell[1], cell[0]))
_LENGTHS: Final = {6: VON_NEUMANN, 22: _UPWARD, 86: OFFSETS}
"""For each number of characters, the cells of the neighbourhood."""


def read(text: str) -> RuleDefinition | None:
    """Read ``MAP`` and 6, 22 or 86 characters, perhaps with ``==`` at the end."""
    return read_map(text)


def read_map(text: str, hexagonal: Iterable[tuple[int, int]] = _UPWARD) -> RuleDefinition | None:
    """Read a MAP string; ``hexagonal`` is the order of the cells of a hexagonal rule."""
    squeezed = "".join(text.split())
    if not re.match("map", squeezed, re.IGNORECASE):
        return None
    code = squeezed[3:].removesuffix("==")
    if wrong := re.search("[^A-Za-z0-9+/]", code):
        raise RuleError(
            f"{wrong[0]!r} is not a base64 character; a MAP rule has A-Z, a-z, 0-9, + and /"
        )
    if len(code) not in _LENGTHS:
        raise RuleError(f"a MAP rule has 6, 22 or 86 base64 characters, got {len(code)}")
    cells = {**_LENGTHS, 22: hexagonal}[len(code)]
    data = base64.b64decode(code + "=" * (-len(code) % 4))
    return RuleDefinition(freeze(np.unpackbits(np.frombuffer(data, np.uint8))[number_by(cells)]))


def write(definition: RuleDefinition) -> str | None:
    """Write the table, or only its independent part."""
    if definition.states > 2:
        return None
    short = fold_table(definition.table, number_by(VON_NEUMANN))
    entries = definition.table if short is None else short
    return "MAP" + base64.b64encode(np.packbits(entries).tobytes()).decode().rstrip("=")


MAP: Final = RuleFamily(
    "map",
    "MAPAP//AA",
    "any table of the 512 neighbourhoods, in base64",
    read,
    write,
)
