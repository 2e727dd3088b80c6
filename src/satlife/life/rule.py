"""Rules: how one generation gives the next.

A rule is its table of 512 entries, one for each 3x3 neighbourhood; two notations of one table are
the same rule. This module knows nothing of the notations: see :mod:`satlife.life.rules`.

>>> Rule("23/3") == Rule("b3s23") == Rule("Life")
True
>>> Rule("Day & Night")
Rule('B3678/S34678')
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np

from satlife.errors import RuleError
from satlife.life.cells import Cells, freeze
from satlife.life.neighbourhood import find_table_symmetries
from satlife.life.rules import RuleDefinition, find_name, read_rule
from satlife.life.transforms import Transform

# The same few rules are built again and again: every file that is read names one.
_read = lru_cache(maxsize=256)(read_rule)


@dataclass(frozen=True, eq=False, repr=False)
class Rule:
    """A cellular automaton's rule, from its notation or its name.

    ``B3/S23``, ``b3s23``, ``23/3`` (survivals first!) and ``Life`` are the same rule.

    >>> rule = Rule("HighLife")
    >>> str(rule), sorted(rule.births), sorted(rule.survivals)
    ('B36/S23', [3, 6], [2, 3])
    >>> int(rule.table[0b000_010_111]), len(rule.symmetries)
    (1, 8)
    """

    notation: str
    """The canonical spelling, such as ``B3/S23``."""
    _definition: RuleDefinition = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.notation, str):
            raise RuleError(f"a rule is a text such as 'B3/S23', got {self.notation!r}")
        definition = _read(self.notation)
        object.__setattr__(self, "notation", definition.notation)
        object.__setattr__(self, "_definition", definition)

    @property
    def table(self) -> Cells:
        """The next state for each of the 512 neighbourhoods; read-only.

        The bits of the index are NW=256, N=128, NE=64, W=32, C=16, E=8, SW=4, S=2, SE=1.
        """
        return self._definition.table

    @property
    def states(self) -> int:
        """How many states a cell has."""
        return 2

    @property
    def births(self) -> frozenset[int] | None:
        """The counts of neighbours that give birth; ``None`` if counts do not decide."""
        return self._definition.births

    @property
    def survivals(self) -> frozenset[int] | None:
        """The counts of neighbours with which a cell survives; ``None`` if counts do not decide."""
        return self._definition.survivals

    @property
    def is_outer_totalistic(self) -> bool:
        """Whether the next state depends only on the cell and on how many neighbours live."""
        return self.births is not None

    @property
    def name(self) -> str | None:
        """What people call it, such as HighLife, if it has a name."""
        return find_name(self.notation)

    @cached_property
    def symmetries(self) -> tuple[Transform, ...]:
        """Those of the eight transforms that the table respects; the identity is always one."""
        return find_table_symmetries(self.table)

    @cached_property
    def count_table(self) -> Cells | None:
        """The next state by ``neighbours + 9 * state``; ``None`` if counts do not decide."""
        if self.births is None or self.survivals is None:
            return None
        counts = np.arange(9)
        return freeze(
            np.concatenate(
                [np.isin(counts, list(self.births)), np.isin(counts, list(self.survivals))]
            )
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rule):
            return NotImplemented
        return self._definition is other._definition or np.array_equal(self.table, other.table)

    def __hash__(self) -> int:
        return hash(self.table.tobytes())

    def __reduce__(self) -> tuple[type[Rule], tuple[str]]:
        # Rebuilt from its notation, so that the table is read-only again on the other side.
        return Rule, (self.notation,)

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"Rule({self.notation!r})"


LIFE: Final = Rule("B3/S23")
"""Conway's Game of Life: the rule of a pattern that names none."""

RuleLike: TypeAlias = Rule | str


def as_rule(rule: RuleLike) -> Rule:
    """Give the rule itself, or the rule of a notation."""
    return rule if isinstance(rule, Rule) else Rule(rule)
