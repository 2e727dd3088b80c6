"""The interface of file formats, its contract, and helpers that formats share.

The contract: reading inverts writing, except that the raster is moved to (0, 0) unless
``keeps_position``, and has Conway's rule unless ``keeps_rule``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import numpy as np
from msgspec import Struct

from satlife.errors import FormatError, UsageError
from satlife.life.cells import Cells, check_extent
from satlife.life.raster import Raster
from satlife.life.rule import LIFE, Rule
from satlife.life.torus import Torus

_HISTORY: Final = re.compile(r"(?<=.)history$", re.IGNORECASE)


class Format(Struct, frozen=True):
    """A text format for patterns. Its texts are written without a newline at the end."""

    name: str
    title: str
    """The common name."""
    suffixes: tuple[str, ...]
    """File name suffixes, the usual one first."""
    detect: Callable[[str], bool]
    """Whether a text looks like this format."""
    parse: Callable[[str], Raster]
    """Read a text into the cells of the box that it describes."""
    draw: Callable[[Raster], str]
    """Write the cells of a box."""
    keeps_position: bool = False
    """Whether the place on the plane survives writing and reading."""
    keeps_rule: bool = False
    """Whether the rule survives writing and reading."""
    keeps_unknown: bool = False
    """Whether unknown cells can be written."""
    keeps_states: bool = False
    """Whether more than two states, and the phase of a strobing rule, can be written."""
    keeps_torus: bool = False
    """Whether a torus can be written."""
    is_pasted: bool = False
    """Whether a text may be surrounded by other text, as when copied from a forum."""
    describe_loss: Callable[[str], str] = lambda _: ""
    """Describes the information that reading a text loses; an empty string if none."""

    def read(self, text: str) -> Raster:
        """Read a text; raise :class:`~satlife.errors.FormatError` if it is malformed."""
        try:
            return self.parse(text)
        except FormatError:
            raise
        except UsageError as error:  # the pattern is too large or too far away
            raise FormatError(str(error)) from error

    def write(self, raster: Raster) -> str:
        """Write the cells of a box, if the format can hold them."""
        if not (self.keeps_unknown or raster.is_complete):
            raise UsageError(f"{self.title} holds known cells only: {raster.describe_unknown()}")
        if not self.keeps_states and raster.phase:
            raise UsageError(
                f"{self.title} cannot hold an odd generation of {raster.rule}; use RLE"
            )
        if not self.keeps_states and raster.has_dying:
            raise UsageError(f"{self.title} holds cells that are dead or alive only; use RLE")
        if not self.keeps_torus and raster.torus:
            raise UsageError(f"{self.title} cannot hold a torus (:{raster.torus}); use RLE")
        return self.draw(raster)


def number_lines(text: str) -> Iterator[tuple[int, str]]:
    """Split at LF, CR LF or CR, and number the lines from 1."""
    # str.splitlines would also split at form feeds and at Unicode's separators
    return enumerate(re.split("\r\n|\r|\n", text.removeprefix("\ufeff")), start=1)


class Setting(Struct, frozen=True):
    """The rule and the grid that a file names."""

    rule: Rule = LIFE
    torus: Torus | None = None
    history: str = ""
    """The notation of a rule whose states are those of LifeHistory, with marked cells."""


def read_setting(text: str, line: int, column: int) -> Setting:
    """Read a rule from a file, with Golly's bounded grid; an error reports its position.

    >>> read_setting("LifeHistory:T8,8", 1, 1).history
    'LifeHistory'
    """
    notation, _, grid = text.partition(":")
    name, history = _HISTORY.subn("", notation.strip())
    try:
        rule = Rule(name if history else notation)
        if history and rule.states > 2:
            raise UsageError(f"{notation.strip()!r}: only rules of two states have a history")
        torus = Torus.parse(grid) if grid else None
        return Setting(rule, torus, notation.strip() if history else "")
    except UsageError as error:
        raise FormatError(str(error), line=line, column=column) from error


def fit_torus(states: Cells, torus: Torus | None) -> Cells:
    """Return the states of a whole torus, with dead cells where the text has none."""
    if torus is None:
        return states
    height, width = states.shape
    sizes = torus.width or width, torus.height or height
    if width > sizes[0] or height > sizes[1]:
        raise FormatError(f"the cells, {width}x{height}, do not fit on the torus :{torus}")
    check_extent(0, 0, *sizes)
    return np.pad(states, ((0, sizes[1] - height), (0, sizes[0] - width)))


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
    # Empty lines at the end of a file are not dead rows.
    while rows and not rows[-1]:
        rows.pop()
    height, width = len(rows), max(map(len, rows), default=0)
    check_extent(0, 0, width, height)
    array = np.zeros((height, width), dtype=np.uint8)
    for y, row in enumerate(rows):
        array[y, : len(row)] = [alphabet[character] for character in row]
    return array


def write_rows(cells: Cells, characters: Mapping[int, str]) -> str:
    """Write each cell as a character and each row as a line; write no cells as one dead cell."""
    rows = cells.tolist() or [[0]]
    return "\n".join("".join(characters[state] for state in row) for row in rows)
