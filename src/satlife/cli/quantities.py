"""Quantities as people write them: ``10m`` of time, ``4G`` of memory."""

from __future__ import annotations

import re
from typing import Any

import click

SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
BYTES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}

MOST = 1e15
"""Seconds or bytes: a petabyte, or thirty million years."""

_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)\s*([a-zA-Z]*)", re.ASCII)


class Quantity(click.ParamType):  # type: ignore[type-arg]  # generic in click 8.5 only
    """A number with a unit; without one it counts seconds or bytes.

    >>> Quantity("time", SECONDS, "10m").convert("1.5h", None, None)
    5400.0
    """

    def __init__(self, name: str, units: dict[str, int], example: str) -> None:
        self.name = name
        self.units = units
        self.example = example

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return seconds or bytes."""
        if not isinstance(value, str):
            return float(value)
        match = _QUANTITY.fullmatch(value.strip())
        unit = match[2].lower().removesuffix("ib") if match else "?"
        if unit not in self.units and unit.endswith("b"):
            unit = unit[:-1]
        if match is None or unit not in self.units:
            units = ", ".join(unit for unit in self.units if unit)
            self.fail(
                f"{value!r} is no {self.name}: write for example {self.example} (units: {units})",
                param,
                ctx,
            )
        number = float(match[1]) * self.units[unit]
        if number > MOST:
            self.fail(f"{value[:20]}{'...' if value[20:] else ''} is too much", param, ctx)
        return number


TIME = Quantity("time", SECONDS, "10m")
MEMORY = Quantity("memory", BYTES, "4G")
