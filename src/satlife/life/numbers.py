"""Whole numbers in texts that people write, and how large they may be.

>>> parse_integer("-12")
-12
>>> parse_integer("9" * 5000)
Traceback (most recent call last):
satlife.errors.UsageError: 999999999999... (5000 characters) is too large a number
"""

from __future__ import annotations

from satlife.errors import UsageError

_LONGEST = 9
"""Digits of any number that a search or a pattern can use; Python itself refuses thousands."""


def parse_integer(text: str) -> int:
    """Read a sign and digits; anything else is a ValueError, as for ``int``."""
    digits = text.strip().lstrip("+-").lstrip("0")
    if len(digits) > _LONGEST and digits.isascii() and digits.isdecimal():
        raise UsageError(f"{shorten(text.strip())} is too large a number")
    return int(text)


def check_number(number: int, largest: int, what: str) -> None:
    """Refuse a number whose absolute value is larger.

    >>> check_number(-5_000_000, 1_000_000, "places")
    Traceback (most recent call last):
    satlife.errors.UsageError: -5000000 is too large a number; places go to 1,000,000
    """
    if abs(number) > largest:
        # The digits of a very large number cannot even be written.
        shown = f"{number} is" if abs(number) < 10**24 else "more than 24 digits are"
        raise UsageError(f"{shown} too large a number; {what} go to {largest:,}")


def shorten(text: str) -> str:
    """Return a text as it fits into a message."""
    return text if len(text) <= 40 else f"{text[:12]}... ({len(text)} characters)"
