r"""Validation of values that a user gave: types, whole numbers in texts, and texts to write down.

>>> check_type(3, int, "jobs", "a whole number")
3
>>> check_type("2", int, "jobs", "a whole number")
Traceback (most recent call last):
satlife.errors.UsageError: jobs must be a whole number, got '2'

Whole numbers in texts have a limited length:

>>> parse_integer("-12")
-12
>>> parse_integer("9" * 5000)
Traceback (most recent call last):
satlife.errors.UsageError: 999999999999... (5000 characters) is too large a number

Texts that go into a file or a message are made visible, so that they stay on one line:

>>> make_visible("my\n\x1b[31mfind")
'my\\n\\x1b[31mfind'
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from satlife.errors import UsageError

_NUMBERS: dict[type, type] = {int: Integral, float: Real}
"""Abstract types that include NumPy's numbers."""


Types = type | tuple[type, ...]


def check_type(value: Any, types: Types, name: str, words: str) -> Any:
    """Return the value if it has one of the types; raise an error that says what to give instead.

    ``int`` and ``float`` stand for all such numbers, but True and False are not numbers.
    """
    wanted = types if isinstance(types, tuple) else (types,)
    is_flag = isinstance(value, bool) and bool not in wanted
    if is_flag or not isinstance(value, tuple(_NUMBERS.get(each, each) for each in wanted)):
        shown = repr(value)
        shown = shown if len(shown) <= 60 else f"{shown[:40]}..."
        raise UsageError(f"{name} must be {words}, got {shown}")
    return value


def check_several(given: Any, types: Types, name: str, words: str) -> tuple[Any, ...]:
    """Return one value of the types, or several, as a tuple; raise for a value of another type.

    >>> check_several("known", str, "reject", "a name"), check_several(["a", "b"], str, "", "")
    (('known',), ('a', 'b'))
    """
    several = isinstance(given, Iterable) and not isinstance(given, types)
    return tuple(check_type(each, types, name, words) for each in (given if several else (given,)))


_LONGEST = 9
"""Maximum digits of a number in a search or a pattern; Python itself refuses thousands."""


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
    satlife.errors.UsageError: -5,000,000 is too large a number; places go to 1,000,000
    """
    if abs(number) > largest:
        # The digits of a very large number cannot even be written.
        shown = f"{number:,} is" if abs(number) < 10**24 else "more than 24 digits are"
        raise UsageError(f"{shown} too large a number; {what} go to {largest:,}")


def shorten(text: str) -> str:
    """Return a text short enough for a message."""
    return text if len(text) <= 40 else f"{text[:12]}... ({len(text)} characters)"


def make_visible(text: str) -> str:
    r"""Return a text on one line, with an escape for each character that is not printable.

    Line breaks would end a comment, and XML has no place for most control characters.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
