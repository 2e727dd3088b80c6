"""What a file format is, and what it promises.

The law: reading what was written gives the same raster again, moved to (0, 0) unless
``keeps_position``, and with Conway's rule unless ``keeps_rule``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from satlife.errors import FormatError, RuleError, UsageError
from satlife.life.raster import Raster
from satlife.life.rule import Rule


@dataclass(frozen=True)
class Format:
    """A text format for patterns. Its texts are written without a newline at the end."""

    name: str
    title: str
    """What people call it."""
    suffixes: tuple[str, ...]
    """How file names end, the usual one first."""
    keeps_position: bool
    """Whether the place on the plane survives writing and reading."""
    keeps_rule: bool
    """Whether the rule survives writing and reading."""
    keeps_unknown: bool
    """Whether unknown cells can be written."""
    keeps_states: bool
    """Whether more than two states, and the phase of a strobing rule, can be written."""
    detect: Callable[[str], bool]
    """Whether a text looks like this format."""
    parse: Callable[[str], Raster]
    """Read a text into the cells of the box that it describes."""
    draw: Callable[[Raster], str]
    """Write the cells of a box."""

    def read(self, text: str) -> Raster:
        """Read a text; a :class:`~satlife.errors.FormatError` if it is wrong."""
        try:
            return self.parse(text)
        except FormatError:
            raise
        except UsageError as error:  # too large, too far away
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
        return self.draw(raster)


def number_lines(text: str) -> Iterator[tuple[int, str]]:
    """Split at LF, CR LF or CR, and number the lines from 1."""
    # str.splitlines would also split at form feeds and at Unicode's separators
    return enumerate(re.split("\r\n|\r|\n", text.removeprefix("\ufeff")), start=1)


def read_rule_at(text: str, line: int, column: int) -> Rule:
    """Read a rule that a file names; an error tells its place."""
    try:
        return Rule(text)
    except RuleError as error:
        raise FormatError(str(error), line=line, column=column) from error
