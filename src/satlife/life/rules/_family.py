"""What a family of rules is: a notation, and the table that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from satlife.life.cells import Cells


@dataclass(frozen=True, eq=False)
class RuleDefinition:
    """What a family makes of a rule's notation."""

    notation: str
    """The canonical spelling."""
    table: Cells
    """The next state for each of the 512 neighbourhoods."""
    births: frozenset[int] | None = None
    """The counts of neighbours that give birth, if the rule only counts."""
    survivals: frozenset[int] | None = None
    """The counts of neighbours with which a cell survives, if the rule only counts."""


@dataclass(frozen=True)
class RuleFamily:
    """A family of rules with a notation of its own."""

    name: str
    example: str
    """A notation that a person could write."""
    read: Callable[[str], RuleDefinition | None]
    """Read a notation without blanks and in lower case.

    ``None``: the text is not in this family's notation. A
    :class:`~satlife.errors.RuleError`: it is, and it is wrong.
    """
