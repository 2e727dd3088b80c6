"""Times and sizes as types of options."""

from __future__ import annotations

from typing import Any

import click

from satlife import quantities
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


TIME = QuantityType(quantities.TIME)
MEMORY = QuantityType(quantities.SIZE)
