"""Rows of characters, one for each cell: what the plaintext formats share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from satlife.errors import FormatError
from satlife.life.cells import Cells, check_extent


def read_rows(
    lines: Iterable[tuple[int, str]], alphabet: Mapping[str, int], expected: str
) -> Cells:
    """Read numbered lines into an array; short rows and empty lines are dead to the right."""
    rows = []
    for number, line in lines:
        row = line.rstrip()
        for column, character in enumerate(row, start=1):
            if character not in alphabet:
                raise FormatError(
                    f"{character!r} is not a cell; {expected}", line=number, column=column
                )
        rows.append(row)
    # Empty lines at the end are how files end, not dead rows.
    while rows and not rows[-1]:
        rows.pop()
    height, width = len(rows), max(map(len, rows), default=0)
    check_extent(0, 0, width, height)
    array = np.zeros((height, width), dtype=np.uint8)
    for y, row in enumerate(rows):
        array[y, : len(row)] = [alphabet[character] for character in row]
    return array


def write_rows(cells: Cells, characters: Mapping[int, str]) -> str:
    """Write each cell as a character and each row as a line; no cells at all as one dead cell."""
    rows = cells.tolist() or [[0]]
    return "\n".join("".join(characters[state] for state in row) for row in rows)
