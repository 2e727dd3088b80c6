"""What a family of rules is: a notation, and the tables that it can write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
