"""Check the types of values that a person gave, so that a wrong one is named in words.

>>> check_type(3, int, "jobs", "a whole number")
3
>>> check_type("2", int, "jobs", "a whole number")
Traceback (most recent call last):
satlife.errors.UsageError: jobs must be a whole number, got '2'
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from satlife.errors import UsageError

_NUMBERS: dict[type, type] = {int: Integral, float: Real}
"""NumPy has numbers of its own."""


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
