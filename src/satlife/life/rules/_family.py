"""The interface of families of rules, and helpers that their notations share.

A family is a notation for some tables.  Notations of births and survivals have two halves, in
either order.

>>> split_halves("B3/S23"), split_halves("s23b3"), split_halves("23/3")
(('3', '23'), ('3', '23'), ('3', '23'))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from satlife.errors import RuleError
from satlife.life.cells import Cells


class RuleDefinition(Struct, frozen=True, eq=False):
    """A rule independent of its notation."""

    table: Cells
    """The next state for each of the 512 neighbourhoods."""
    states: int = 2
    """The number of states."""


class RuleFamily(Struct, frozen=True):
    """A family of rules with a notation of its own."""

    name: str
    example: str
    """An example of the notation, in canonical spelling."""
    summary: str
    """A short description of the rules."""
    read: Callable[[str], RuleDefinition | None]
    """Read a notation as given, without surrounding blanks.

    Return ``None`` if the text is not in this family's notation; raise
    :class:`~satlife.errors.RuleError` if it is, but is invalid.
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
    """Remove blanks, lower capitals, and replace ``_``, as in file names, by ``/``."""
    return "".join(text.split()).lower().replace("_", "/")


def split_halves(text: str) -> tuple[str, str] | None:
    """Return the births and the survivals of a notation; ``None`` if it does not have this form."""
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
