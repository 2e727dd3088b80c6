"""Times and sizes as people write them, ``10m``, ``1.5h``, ``4G``, and numbers of things.

>>> TIME.parse("1.5h"), SIZE.parse("4G")
(5400.0, 4294967296.0)
>>> TIME.parse("soon")
Traceback (most recent call last):
satlife.errors.UsageError: 'soon' is not a time; write for example 10m (units: s, m, h, d)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from satlife.errors import UsageError

MOST = 1e15
"""Seconds or bytes: a petabyte, or thirty million years."""

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Quantity:
    """A kind of quantity, with its units."""

    name: str
    example: str
    units: Mapping[str, int]
    """The unit of a number without one has the name ``""``."""
    suffixes: tuple[str, ...] = ()
    """Suffixes that may follow a unit without changing it, as in ``GiB``."""

    def parse(self, text: str | float) -> float:
        """Return the number of seconds or bytes in a text; numbers count seconds or bytes.

        >>> SIZE.parse("2 GiB") == SIZE.parse("2gb") == SIZE.parse(2**31)
        True
        """
        number = self._read(text) if isinstance(text, str) else float(text)
        shown = repr(text) if len(str(text)) <= 40 else f"'{str(text)[:12]}...'"
        if number is None or not number >= 0:
            units = ", ".join(name for name in self.units if name)
            raise UsageError(
                f"{shown} is not a {self.name}; write for example {self.example} (units: {units})"
            )
        if number > MOST:
            raise UsageError(f"{shown} is too much for a {self.name}")
        return number

    def _read(self, text: str) -> float | None:
        match = _NUMBER.fullmatch(text.strip())
        unit = None if match is None else self._find_unit(match[2].lower())
        return None if match is None or unit is None else float(match[1]) * unit

    def _find_unit(self, word: str) -> int | None:
        for suffix in ("", *self.suffixes):
            if word.endswith(suffix) and word.removesuffix(suffix) in self.units:
                return self.units[word.removesuffix(suffix)]
        return None


TIME = Quantity("time", "10m", {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400})
"""In seconds."""
SIZE = Quantity(
    "size", "4G", {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}, suffixes=("b", "ib")
)
"""In bytes."""


def write_count(number: int, noun: str) -> str:
    """Return a number of things as text.

    >>> write_count(1, "rule"), write_count(2000, "rule")
    ('1 rule', '2,000 rules')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def write_span(least: int, most: int, noun: str) -> str:
    """Return the least and the largest number of things, or their number if it does not change.

    >>> write_span(1, 1, "cell"), write_span(12, 1512, "cell")
    ('1 cell', '12 to 1,512 cells')
    """
    return write_count(least, noun) if least == most else f"{least:,} to {write_count(most, noun)}"
