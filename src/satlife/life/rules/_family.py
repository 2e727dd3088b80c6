"""What a family of rules is: a notation, and the tables that it can write.

What notations of births and survivals share: two halves, in one order or the other.

>>> split_halves("B3/S23"), split_halves("s23b3"), split_halves("23/3")
(('3', '23'), ('3', '23'), ('3', '23'))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from satlife.errors import RuleError
from satlife.life.cells import Cells


@dataclass(frozen=True, eq=False)
class RuleDefinition:
    """What a rule does, whatever its notation."""

    table: Cells
    """The next state for each of the 512 neighbourhoods."""
    states: int = 2
    """How many states a cell has."""


@dataclass(frozen=True)
class RuleFamily:
    """A family of rules with a notation of its own."""

    name: str
    example: str
    """A notation that a person could write, in its canonical spelling."""
    summary: str
    """Which rules these are, in a few words."""
    read: Callable[[str], RuleDefinition | None]
    """Read a notation as it was given, without blanks around it.

    ``None``: the text is not in this family's notation. A
    :class:`~satlife.errors.RuleError`: it is, and it is wrong.
    """
    write: Callable[[RuleDefinition], str | None]
    """Write the canonical spelling; ``None`` if the rule is not in this family."""


_HALF: Final = "[0-9ac-rt-z-]*"  # b and s are not letters of a half
_BIRTHS, _SURVIVALS = f"(?P<births>{_HALF})", f"(?P<survivals>{_HALF})"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        f"b{_BIRTHS}/?s{_SURVIVALS}",
        f"s{_SURVIVALS}/?b{_BIRTHS}",
        f"b{_BIRTHS}/{_SURVIVALS}",
        f"s{_SURVIVALS}/{_BIRTHS}",
        f"{_BIRTHS}/s{_SURVIVALS}",
        f"{_SURVIVALS}/b?{_BIRTHS}",
    )
)


def squeeze(text: str) -> str:
    """Remove blanks, and read capitals as small letters and ``_``, as in file names, as ``/``."""
    return "".join(text.split()).lower().replace("_", "/")


def split_halves(text: str) -> tuple[str, str] | None:
    """Return the births and the survivals of a notation; ``None`` if it does not have them."""
    match = next(filter(None, (form.fullmatch(squeeze(text)) for form in _FORMS)), None)
    return match and (match["births"], match["survivals"])


def check_digits(digits: Iterable[str], half: str, notation: str, neighbours: int) -> None:
    """Raise :class:`~satlife.errors.RuleError` for a count that is too large or given twice."""
    seen: set[str] = set()
    for digit in digits:
        if int(digit) > neighbours:
            raise RuleError(
                f"the rule {notation} counts to {digit}, but a cell has {neighbours} neighbours"
            )
        if digit in seen:
            # Golly and lifelib read a repeated digit differently, so it has no safe meaning.
            raise RuleError(f"the rule {notation} has the digit {digit} twice in {half}")
        seen.add(digit)
