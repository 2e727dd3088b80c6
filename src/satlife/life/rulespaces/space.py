"""A set of rules: a table of which some entries are free.

>>> space = RuleSpace("B3[4]/S2[3]")
>>> [str(rule) for rule in space.rules()]
['B3/S2', 'B3/S23', 'B34/S2', 'B34/S23']
>>> "B34/S23" in space, "B36/S23" in space
(True, False)

All rules of a set belong to one family, outer-totalistic or isotropic; each entry of that family
is 0, 1 or free.  B0 is never free: its rules have another background.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satlife.errors import RuleError
from satlife.given import check_type
from satlife.life.cells import Cells, freeze
from satlife.life.neighbourhood import fold_table
from satlife.life.rule import Rule, RuleLike, as_rule
from satlife.life.rulespaces.classes import ARRANGEMENTS, CLASSES, COUNTS, Classes
from satlife.life.rulespaces.notation import OPEN, looks_open, read_space, write_space
from satlife.life.transforms import TRANSFORMS, Transform

_WHOLE: Final = {
    "outer-totalistic": "B?/S?",
    "isotropic": "B1?2?3?4?5?6?7?[8]/S[0]1?2?3?4?5?6?7?[8]",
}
"""All rules of a family, but for those with B0."""


@dataclass(frozen=True, eq=False, repr=False, init=False)
class RuleSpace:
    """A set of rules, from its notation: in brackets what is free.

    A plain rule is a set of one rule, and the name of a family is the set of all its rules
    without B0.

    >>> RuleSpace("outer-totalistic")
    RuleSpace('B?/S?')
    >>> RuleSpace("pB3a-c/S23").size == 2 ** (8 + 6 + 10)
    True
    """

    notation: str
    """The canonical spelling."""
    classes: Classes
    """The entries that the rules of the family have."""
    entries: Cells
    """The fate of each entry: 0, 1 or OPEN; read-only."""

    def __init__(self, notation: str) -> None:
        check_type(notation, str, "a set of rules", "a text such as 'B3[4]/S2[3]'")
        self.__dict__.update(_read(notation))

    @classmethod
    def from_entries(cls, classes: Classes, entries: ArrayLike) -> RuleSpace:
        """Build the set with these entries, each 0, 1 or OPEN.

        >>> RuleSpace.from_entries(COUNTS, [0, 0, 0, 1] + [OPEN] * 5 + [0, 0, 1, 1, 0, 0, 0, 0, 0])
        RuleSpace('B3[4][5][6][7][8]/S23')
        """
        space = cls.__new__(cls)
        values = np.asarray(entries, dtype=np.uint8)
        if values.shape != (len(classes.names),) or (values > OPEN).any():
            raise RuleError(f"a set of {classes.family} rules has {len(classes.names)} entries")
        space.__dict__.update(_describe(classes, values, None))
        return space

    @property
    def family(self) -> str:
        """The family that all rules of the set belong to."""
        return self.classes.family

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """The numbers of the free entries."""
        return np.flatnonzero(self.entries == OPEN)

    @property
    def free(self) -> tuple[str, ...]:
        """The names of the free entries.

        >>> RuleSpace("B3[4a]/S2[3i]").free
        ('B4a', 'S3i')
        """
        return tuple(self.classes.names[place] for place in self.places)

    @property
    def size(self) -> int:
        """How many rules there are."""
        return 1 << len(self.places)

    @property
    def is_open(self) -> bool:
        """Whether there is more than one rule."""
        return len(self.places) > 0

    @property
    def least(self) -> Rule:
        """The rule in which nothing that is free is on."""
        return self.rule([False] * len(self.places))

    @property
    def greatest(self) -> Rule:
        """The rule in which everything that is free is on."""
        return self.rule([True] * len(self.places))

    def rule(self, chosen: Iterable[bool]) -> Rule:
        """Return one rule, by the fates of the free entries."""
        return Rule.from_table(self.fill(chosen).table)

    def fill(self, chosen: Iterable[bool | None]) -> RuleSpace:
        """Return the part of the set in which free entries have these fates; None leaves one free.

        >>> RuleSpace("B3[4]/S2[3]").fill([True, None])
        RuleSpace('B34/S2[3]')
        """
        values = [OPEN if fate is None else int(fate) for fate in chosen]
        if len(values) != len(self.places):
            raise RuleError(f"{self} has {len(self.places)} free entries, got {len(values)} fates")
        entries = self.entries.copy()
        entries[self.places] = values
        return RuleSpace.from_entries(self.classes, entries)

    def rules(self) -> Iterator[Rule]:
        """Yield every rule, the least first; the first free entry changes last."""
        return map(self.__getitem__, range(self.size))

    def __getitem__(self, number: int) -> Rule:
        """Return a rule by its number in the order of :meth:`rules`.

        >>> RuleSpace("B3[4]/S2[3]")[2]
        Rule('B34/S2')
        """
        if not 0 <= number < self.size:
            raise IndexError(f"{self} has the rules 0 to {self.size - 1}, not {number}")
        free = len(self.places)
        return self.rule(number >> (free - 1 - place) & 1 == 1 for place in range(free))

    @cached_property
    def table(self) -> Cells:
        """The fate of each of the 512 neighbourhoods: 0, 1 or OPEN."""
        return freeze(self.entries[self.classes.kinds])

    @property
    def is_outer_totalistic(self) -> bool:
        """Whether all rules only count."""
        return self.classes is COUNTS

    @property
    def symmetries(self) -> tuple[Transform, ...]:
        """The transforms that every rule of the set respects: all eight."""
        return TRANSFORMS

    def index(self, rule: RuleLike) -> int | None:
        """Return the number of a rule in the order of :meth:`rules`; None if it is not there.

        >>> RuleSpace("B3[4]/S2[3]").index("B34/S2")
        2
        """
        one = as_rule(rule)
        entries = fold_table(one.table, self.classes.kinds)
        fixed = self.entries != OPEN
        if entries is None or one.states > 2 or (entries != self.entries)[fixed].any():
            return None
        return int("".join(map(str, entries[self.places])) or "0", 2)

    def __contains__(self, rule: object) -> bool:
        return isinstance(rule, Rule | str) and self.index(rule) is not None

    def entries_in(self, classes: Classes) -> Cells | None:
        """Return the fates of another family's entries; None if the set cannot be said so.

        >>> int(RuleSpace("B3[8]/S23").entries_in(ARRANGEMENTS).sum())
        28
        """
        if classes is self.classes:
            return self.entries
        # A count that is free as a whole is not the same as arrangements that are free one by one.
        if self.classes is ARRANGEMENTS or any(name[1] not in "08" for name in self.free):
            return None
        return self.table[np.unique(classes.kinds, return_index=True)[1]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSpace):
            return NotImplemented
        return self.notation == other.notation

    def __hash__(self) -> int:
        return hash(self.notation)

    def __reduce__(self) -> tuple[type[RuleSpace], tuple[str]]:
        return RuleSpace, (self.notation,)

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"RuleSpace({self.notation!r})"


@lru_cache(maxsize=256)
def _read(notation: str) -> dict[str, object]:
    """Return the fields of the set with this notation."""
    text = _WHOLE.get(notation.strip().lower(), notation)
    if looks_open(text):
        return _describe(*read_space(text), text)
    rule = Rule(text)
    for classes in CLASSES:
        entries = fold_table(rule.table, classes.kinds)
        if entries is not None and rule.states == 2:
            return _describe(classes, entries, text)
    raise RuleError(f"a set of rules is outer-totalistic or isotropic, and {rule} is neither")


def _describe(classes: Classes, entries: Cells, text: str | None) -> dict[str, object]:
    """Return the fields of a set, in the family with the fewest entries."""
    if entries[0]:
        raise RuleError(
            f"{text or 'this set'} has B0, which a set of rules cannot have yet: "
            "with B0 the background is another; leave 0 out"
        )
    if classes is ARRANGEMENTS:
        single = [name[1] in "08" for name in classes.names]
        whole = fold_table(entries[classes.kinds], COUNTS.kinds)
        # Several arrangements that are free are free one by one, which a count cannot say.
        if whole is not None and not (entries == OPEN)[~np.array(single)].any():
            classes, entries = COUNTS, whole
    values = freeze(entries)
    if (values == OPEN).any():
        notation = write_space(classes, values)
    else:
        notation = str(Rule.from_table(values[classes.kinds]))
    return {"notation": notation, "classes": classes, "entries": values}


def read_rules(text: str | Rule | RuleSpace) -> Rule | RuleSpace:
    """Return the rule, or the set of rules if the text has free entries.

    >>> read_rules("B3/S23"), read_rules("B3[4]/S23")
    (Rule('B3/S23'), RuleSpace('B3[4]/S23'))
    """
    if not isinstance(text, str):
        return text
    if not (looks_open(text) or text.strip().lower() in _WHOLE):
        return Rule(text)
    space = RuleSpace(text)
    return space if space.is_open else space.least
