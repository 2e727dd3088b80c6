"""What a file format is, and what it promises.

The law: ``format.read(format.write(p)) == q``, where ``q`` is ``p`` moved to (0, 0) unless
``keeps_position``, and with Conway's rule unless ``keeps_rule``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from satlife.errors import FormatError, RuleError, UsageError
from satlife.life.partial import PartialPattern
from satlife.life.pattern import Pattern
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
    detect: Callable[[str], bool]
    """Whether a text looks like this format."""
    parse: Callable[[str], PartialPattern]
    """Read a text into the cells of the box that it speaks of."""
    draw: Callable[[PartialPattern], str]
    """Write the cells of a box."""

    def read_partial(self, text: str) -> PartialPattern:
        """Read a text, keeping its box; a :class:`~satlife.errors.FormatError` if it is wrong."""
        try:
            return self.parse(text)
        except FormatError:
            raise
        except UsageError as error:  # too large, too far away
            raise FormatError(str(error)) from error

    def read(self, text: str) -> Pattern | PartialPattern:
        """Read a text: a pattern, or a partial one if it has unknown cells."""
        partial = self.read_partial(text)
        return partial.pattern() if partial.is_complete else partial

    def write(self, pattern: Pattern | PartialPattern) -> str:
        """Write a pattern."""
        if isinstance(pattern, Pattern):
            pattern = PartialPattern.from_pattern(pattern)
        if pattern.generations > 1:
            raise UsageError(f"{self.title} holds one generation, got {pattern.generations}")
        if not (self.keeps_unknown or pattern.is_complete):
            raise UsageError(f"{self.title} holds known cells only: {pattern.describe_unknown()}")
        return self.draw(pattern)


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
