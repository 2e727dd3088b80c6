"""What can be asked of a solution beyond its shape: frozen values that print as words.

>>> print(Population(least=36))
at least 36 cells in generation 0
>>> print(FullPeriod())
at least one cell has the full period
"""

from __future__ import annotations

import re

import msgspec

from satlife.errors import UsageError

_BOUND = re.compile(r"(<=|>=|=|==|<|>)?\s*(\d{1,9})", re.ASCII)


class NotEmpty(
    msgspec.Struct, frozen=True, tag="not-empty", forbid_unknown_fields=True, omit_defaults=True
):
    """Some cell of a generation lives."""

    t: int = 0

    def __str__(self) -> str:
        return f"generation {self.t} is not empty"


class FullPeriod(
    msgspec.Struct, frozen=True, tag="full-period", forbid_unknown_fields=True, omit_defaults=True
):
    """Some cell has the whole period of the motion, not only the pattern as a whole."""

    def __str__(self) -> str:
        return "at least one cell has the full period"


class PatternPeriod(
    msgspec.Struct,
    frozen=True,
    tag="pattern-period",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """The pattern as a whole has no smaller period; its parts may all have."""

    def __str__(self) -> str:
        return "the pattern has no smaller period (parts of it may have)"


class Population(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag="population",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """How many cells of a generation live."""

    least: int = 0
    most: int | None = None
    t: int = 0

    def __post_init__(self) -> None:
        if self.least < 0 or (self.most is not None and self.most < 0):
            raise UsageError("a population is not negative")

    @classmethod
    def parse(cls, text: str, t: int = 0) -> Population:
        """Read ``>=36``, ``<=20`` or ``=9``.

        >>> Population.parse("<=20")
        Population(least=0, most=20, t=0)
        """
        match = _BOUND.fullmatch(text.strip())
        if not match:
            raise UsageError(f"{text!r} is no bound; write >=36, <=20 or =9")
        sign, number = match[1] or "=", int(match[2])
        bounds: dict[str, tuple[int, int | None]] = {
            "<=": (0, number),
            "<": (0, number - 1),
            ">=": (number, None),
            ">": (number + 1, None),
            "=": (number, number),
            "==": (number, number),
        }
        least, most = bounds[sign]
        if most is not None and most < 0:
            raise UsageError(f"no population is {text}")
        return cls(least=least, most=most, t=t)

    def __str__(self) -> str:
        where = f"in generation {self.t}"
        if self.least == self.most:
            return f"exactly {self.least} cells {where}"
        words = [f"at least {self.least}"] if self.least or self.most is None else []
        words += [f"at most {self.most}"] if self.most is not None else []
        return f"{' and '.join(words)} cells {where}"


Constraint = NotEmpty | FullPeriod | PatternPeriod | Population
"""Everything that can stand in a problem's constraints."""
