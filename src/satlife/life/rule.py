"""Rules of cellular automata: the next state of each neighbourhood.

A rule is its table of 512 entries, one for each 3x3 neighbourhood; two notations of one table are
the same rule. Everything else, including the canonical notation, is computed from the table; the
notations themselves are in :mod:`satlife.life.rules`.

>>> Rule("23/3") == Rule("b3s23") == Rule("Life")
True
>>> Rule("Day & Night")
Rule('B3678/S34678')
>>> Rule.from_table(Rule("Life").table)
Rule('B3/S23')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from satlife.errors import RuleError
from satlife.life.cells import MOST_STATES, Cells, as_integer, freeze
from satlife.life.neighbourhood import (
    IS_ALIVE,
    NEIGHBOURS,
    find_hexagonal_symmetries,
    find_table_symmetries,
    fold_table,
)
from satlife.life.rules import RuleDefinition, find_name, read_rule, write_rule
from satlife.life.transforms import Matrix, Transform

_BY_COUNT: Final = NEIGHBOURS + 9 * IS_ALIVE


@dataclass(frozen=True, eq=False)
class Phase:
    """The evolution of cells that differ from the background, in generations of one parity."""

    background: int
    """The state of the plane around the pattern."""
    table: Cells
    """The table from differences to this background to differences to the next one."""

    @cached_property
    def count_table(self) -> Cells | None:
        """The table by ``neighbours + 9 * cell``; ``None`` if it depends on more than counts."""
        return fold_table(self.table, _BY_COUNT)


@dataclass(frozen=True, eq=False, repr=False, init=False)
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
    """The canonical spelling, such as ``B3/S23``: the shortest in common use."""
    family: str
    """The family of rules of that notation."""
    table: Cells
    """The next state for each of the 512 neighbourhoods, 0 or 1; read-only.

    The bits of the index are NW=256, N=128, NE=64, W=32, C=16, E=8, SW=4, S=2, SE=1.
    """
    states: int
    """The number of states. In states 2 and above, a cell is dying: it counts as dead, but cannot
    be born."""

    def __init__(self, notation: str) -> None:
        if not isinstance(notation, str):
            raise RuleError(f"a rule is a text such as 'B3/S23', got {notation!r}")
        self.__dict__.update(_read(notation))

    @classmethod
    def from_table(cls, table: ArrayLike, states: int = 2) -> Rule:
        """Build a rule from the next states, 0 or 1, of the 512 neighbourhoods.

        With more than two ``states``, a cell that would be 0 after 1 dies state by state.

        >>> Rule.from_table(NEIGHBOURS == 2)
        Rule('B2/S2')
        """
        states = as_integer(states, "a number of states")
        if not 2 <= states <= MOST_STATES:
            raise RuleError(f"a rule has 2 to {MOST_STATES} states, got {states}")
        entries = np.asarray(table)
        if entries.shape != (512,) or not np.isin(entries, (0, 1)).all():
            raise RuleError("a rule's table has 512 entries, each of them 0 or 1")
        rule = cls.__new__(cls)
        rule.__dict__.update(_describe(freeze(entries).tobytes(), states))
        return rule

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The successive backgrounds, and the evolution on each.

        Most rules have one phase: the background is dead, and stays so. With B0 and S8 it is
        alive. With B0 alone, it is dead in even generations and alive in odd ones. A pattern is
        the cells that differ from the background, as Golly shows it.

        >>> [phase.background for phase in Rule("B03/S23").phases]
        [0, 1]
        """
        table, reverse = self.table, self.table[::-1]
        if not table[0]:
            return (Phase(0, table),)
        if table[-1]:
            return (Phase(1, freeze(1 - reverse)),)
        return (Phase(0, freeze(1 - table)), Phase(1, freeze(reverse)))

    @property
    def is_strobing(self) -> bool:
        """Whether the background flashes: the rule has B0, but not S8."""
        return len(self.phases) > 1

    @property
    def slug(self) -> str:
        """The spelling in Catagolue's addresses; a MAP string is its own.

        >>> Rule("B2-a/S12").slug, Rule("Brian's Brain").slug
        ('b2-as12', 'g3b2s')
        """
        if self.states > 2:
            inner = Rule.from_table(self.table)
            return self.notation if inner.family == "map" else f"g{self.states}{inner.slug}"
        return self.notation if self.family == "map" else self.notation.lower().replace("/", "")

    @property
    def births(self) -> frozenset[int] | None:
        """The counts of neighbours for birth; ``None`` if the rule depends on more than counts."""
        return None if self.count_table is None else _list_counts(self.count_table[:9])

    @property
    def survivals(self) -> frozenset[int] | None:
        """The counts of neighbours for survival; ``None`` if the rule depends on more."""
        return None if self.count_table is None else _list_counts(self.count_table[9:])

    @property
    def is_outer_totalistic(self) -> bool:
        """Whether the next state depends only on the cell and its number of living neighbours."""
        return self.count_table is not None

    @property
    def name(self) -> str | None:
        """The common name, such as HighLife, if any."""
        return find_name(self.notation)

    @cached_property
    def symmetries(self) -> tuple[Transform, ...]:
        """The transforms, out of eight, that the table respects; the identity is always one."""
        return find_table_symmetries(self.table)

    @cached_property
    def hexagonal_symmetries(self) -> tuple[Matrix, ...]:
        """The hexagonal maps, out of twelve, that the table respects; none on the square grid.

        >>> len(Rule("B2/S34H").hexagonal_symmetries), len(Rule("Life").hexagonal_symmetries)
        (12, 0)
        """
        return find_hexagonal_symmetries(self.table)

    @cached_property
    def count_table(self) -> Cells | None:
        """The next state by ``neighbours + 9 * state``; ``None`` if it depends on more."""
        return fold_table(self.table, _BY_COUNT)

    def _key(self) -> tuple[int, bytes]:
        return self.states, self.table.tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rule):
            return NotImplemented
        return self.table is other.table or self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[type[Rule], tuple[str]]:
        # Rebuilt from its notation, so that the table is read-only again on the other side.
        return Rule, (self.notation,)

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"Rule({self.notation!r})"


# The same few rules are built repeatedly: every file names one.
@lru_cache(maxsize=256)
def _read(notation: str) -> dict[str, object]:
    """Return the fields of the rule with this notation."""
    definition = read_rule(notation)
    return _describe(definition.table.tobytes(), definition.states)


@lru_cache(maxsize=256)
def _describe(entries: bytes, states: int) -> dict[str, object]:
    """Return the fields of the rule with this table."""
    table = np.frombuffer(entries, dtype=np.uint8)
    family, notation = write_rule(RuleDefinition(table, states))
    if table[0] and states > 2:
        raise RuleError(
            f"the rule {notation} has B0 and {states} states; "
            "as in Golly, a rule with B0 has two states"
        )
    return {"notation": notation, "family": family.name, "table": table, "states": states}


def _list_counts(entries: Cells) -> frozenset[int]:
    return frozenset(np.flatnonzero(entries).tolist())


LIFE: Final = Rule("B3/S23")
"""Conway's Game of Life, the default rule."""

RuleLike: TypeAlias = Rule | str


def as_rule(rule: RuleLike) -> Rule:
    """Return a rule as it is, or read its notation."""
    return rule if isinstance(rule, Rule) else Rule(rule)
