"""Times and sizes: the types of options, and durations in readable units."""

from __future__ import annotations

import time
from typing import Any

import click

from satlife import quantities
from satlife.cli.start import BEGUN
from satlife.deadline import Deadline
from satlife.errors import UsageError


class QuantityType(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.5 only
    """A number with a unit.

    >>> TIME.convert("1.5h", None, None)
    5400.0
    """

    def __init__(self, quantity: quantities.Quantity) -> None:
        self.name = quantity.name
        self.quantity = quantity

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return seconds or bytes."""
        try:
            return self.quantity.parse(value)
        except UsageError as error:
            self.fail(str(error), param, ctx)


class MemoryType(QuantityType):
    """A limit on memory, which is never 0."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return bytes."""
        size = super().convert(value, param, ctx)
        if size < 1:
            self.fail(f"{value} leaves no memory; give a size such as 4G, or no limit", param, ctx)
        return size


TIME = QuantityType(quantities.TIME)
SIZE = QuantityType(quantities.SIZE)
MEMORY = MemoryType(quantities.SIZE)


def set_deadline(seconds: float | None) -> Deadline:
    """Return the deadline of ``--timeout``, which counts from the start of the command."""
    return Deadline(seconds, BEGUN[0] if BEGUN else time.monotonic())


def name_seconds(seconds: float) -> str:
    """Write a time in the unit that suits it.

    >>> [name_seconds(s) for s in (0.4, 95, 7300, 2e5, 1e10)]
    ['0.4 s', '95 s', '2.0 h', '2.3 d', '317 years']
    """
    if 0 < seconds < 0.1:
        return "< 0.1 s"
    for limit, unit, size in (
        (120, "s", 1.0),
        (7200, "min", 60.0),
        (172_800, "h", 3600.0),
        (3.2e7, "d", 86_400.0),
    ):
        if seconds < limit:
            digits = 1 if seconds / size < 10 else 0
            return f"{seconds / size:.{digits}f} {unit}"
    return f"{seconds / 31_557_600:,.0f} years"
