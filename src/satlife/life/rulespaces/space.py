"""Sets of rules: tables with some free entries, and their notation.

>>> space = RuleSpace("B3[4]/S2[3]")
>>> [str(rule) for rule in space.rules()]
['B3/S2', 'B3/S23', 'B34/S2', 'B34/S23']
>>> "B34/S23" in space, "B36/S23" in space
(True, False)

All rules of a set belong to one family, outer-totalistic or isotropic; each entry of that family
is 0, 1 or free.  B0 is never free: it changes the background.

An entry is a class of the 512 neighbourhoods with one fate.  An outer-totalistic rule has 18
entries, B0 to B8 and S0 to S8; an isotropic one has 102, such as B2a.

>>> len(COUNTS.names), len(ARRANGEMENTS.names), ARRANGEMENTS.names[:4]
(18, 102, ('B0', 'B1c', 'B1e', 'B2a'))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from satlife.errors import RuleError, UsageError
from satlife.given import check_type
from satlife.life.cells import Cells, freeze
from satlife.life.neighbourhood import IS_ALIVE, NEIGHBOURS, fold_table
from satlife.life.rule import Rule, RuleLike, as_rule
from satlife.life.rules._family import squeeze
from satlife.life.rules.isotropic import KINDS, SORTS
from satlife.life.transforms import TRANSFORMS, Transform


class Classes(Struct, frozen=True, eq=False):
    """The entries of the rules of one family."""

    family: str
    names: tuple[str, ...]
    """The entries: births first, by count and letter."""
    kinds: NDArray[np.intp]
    """For each of the 512 neighbourhoods the number of its entry."""


COUNTS: Final = Classes(
    "outer-totalistic",
    tuple(f"{half}{count}" for half in "BS" for count in range(9)),
    NEIGHBOURS + 9 * IS_ALIVE,
)
ARRANGEMENTS: Final = Classes(
    "isotropic",
    tuple(
        f"{half}{count}{letter}"
        for half in "BS"
        for count, letters in enumerate(SORTS)
        for letter in letters
    ),
    KINDS,
)
CLASSES: Final = (COUNTS, ARRANGEMENTS)
"""The families whose entries can be free, the one with fewer entries first."""


def find_classes(family: str) -> Classes:
    """Return the entries of a family's rules."""
    for classes in CLASSES:
        if classes.family == family.strip().lower():
            return classes
    known = " or ".join(classes.family for classes in CLASSES)
    raise UsageError(f"sets of rules are {known}, not {family!r}")


# In the notation of sets of rules, free entries are in brackets: ``B3[4][5]/S2[3]`` (or
# ``B3[45]/S2[3]``) has births with 3, and perhaps with 4 or 5. A ``?`` leaves everything free:
# ``B?/S23``. With letters, the arrangements of a count are free one by one, as in
# ``B2-a[2a]3/S23`` or ``B3/S2?3``; without letters, a count is free as a whole. Logic Life Search's
# partial rules are read too: ``pB3a-c/S23`` has 3a, has not 3c, and the other arrangements of 3 are
# free, as are those of 2 and 3 among the survivals.


OPEN: Final = 2
"""An entry that is free."""

_HALF: Final = r"[0-9ac-rt-z?\[\]-]*"  # b and s are not letters of a half
_BIRTHS, _SURVIVALS = f"(?P<births>{_HALF})", f"(?P<survivals>{_HALF})"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        f"b{_BIRTHS}/?s{_SURVIVALS}",
        f"s{_SURVIVALS}/?b{_BIRTHS}",
        f"{_SURVIVALS}/{_BIRTHS}",
    )
)
_ITEM: Final = re.compile(r"([0-9])(\?|-?[a-z]*)")
_PARTIAL: Final = re.compile(r"([0-9])([a-z]*)(?:-([a-z]+))?")
_EXAMPLES: Final = "write for example B3[4]/S2[3], B?/S23 or B2-a[2a]3/S23"

_Letters = tuple[set[str], set[str]]
"""The letters of a count that are on, and those that are free."""


def looks_open(text: str) -> bool:
    """Whether a text is meant as a set of rules, not as one rule."""
    squeezed = "".join(text.split()).lower()
    return bool(re.search(r"[\[\]?]", squeezed) or re.match("p(?=[bs][0-9a-z-]*/?[bs])", squeezed))


def read_space(text: str) -> tuple[Classes, Cells]:
    """Read a set of rules: its entries, each 0, 1 or OPEN."""
    squeezed = squeeze(text)
    partial = squeezed.startswith("p")
    match = next(filter(None, (form.fullmatch(squeezed[partial:]) for form in _FORMS)), None)
    if match is None:
        raise RuleError(f"{text!r} is not a set of rules; {_EXAMPLES}")
    halves = (match["births"], match["survivals"])
    lettered = partial or any(re.search(r"[a-z]|[0-9]\?", half) for half in halves)
    read = _read_partial if partial else _read_half
    chosen = [read(half, text, births) for half, births in zip(halves, (True, False), strict=True)]
    classes = ARRANGEMENTS if lettered else COUNTS
    entries = np.zeros(len(classes.names), dtype=np.uint8)
    for place, name in enumerate(classes.names):
        on, free = chosen[name[0] == "S"].get(int(name[1]), (set(), set()))
        letter = name[2:] if lettered else next(iter(SORTS[int(name[1])]))
        entries[place] = OPEN if letter in free else letter in on
    return classes, entries


def _read_half(half: str, text: str, births: bool) -> dict[int, _Letters]:
    """Return for each count the letters that are on, and those that are free."""
    chosen: dict[int, _Letters] = {}
    if half == "?":
        return {n: (set(), set(sorts)) for n, sorts in enumerate(SORTS) if n or not births}
    for items, is_free in _split_brackets(half, text):
        for digit, letters in _read_items(_ITEM, items, text):
            count = _read_count(digit, text)
            on, free = chosen.setdefault(count, (set(), set()))
            picked = _read_letters(count, letters.removesuffix("?"), text)
            if is_free and letters == "?":
                raise RuleError(f"in {text} write [{digit}] or {digit}?, not [{digit}?]")
            target = free if is_free or letters == "?" else on
            if target or picked & (on | free):
                raise RuleError(f"{text} gives the same entries of {digit} twice")
            target |= picked
    return chosen


def _split_brackets(half: str, text: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a half, and whether each is in brackets."""
    for piece in re.split(r"(\[[^\[\]]*\])", half):
        inside = piece.startswith("[") and piece.endswith("]")
        bare = piece[1:-1] if inside else piece
        if re.search(r"[\[\]]", bare) or (inside and not bare):
            raise RuleError(f"the brackets of {text} do not match; {_EXAMPLES}")
        yield bare, inside


def _read_items(form: re.Pattern[str], items: str, text: str) -> Iterator[tuple[str, ...]]:
    """Yield counts with what follows them; the whole text must be read."""
    end = 0
    for match in form.finditer(items):
        if match.start() != end:
            break
        end = match.end()
        yield match.groups(default="")
    if end != len(items):
        raise RuleError(f"{items[end:]!r} in {text} is neither a count nor letters; {_EXAMPLES}")


def _read_count(digit: str, text: str) -> int:
    if int(digit) > 8:
        raise RuleError(f"the rule {text} counts to {digit}, but a cell has 8 neighbours")
    return int(digit)


def _read_letters(count: int, letters: str, text: str) -> set[str]:
    """Return the letters that ``ai`` or ``-ai`` chooses; without letters, all."""
    sorts = set(SORTS[count])
    named = letters.removeprefix("-")
    for letter in named:
        if letter not in sorts:
            known = ", ".join(sorted(sorts))
            there = f"there are {known}" if len(sorts) > 1 else "none has letters"
            raise RuleError(
                f"the rule {text}: {count}{letter} is not a neighbourhood of {count} cells; {there}"
            )
        if named.count(letter) > 1:
            raise RuleError(f"the rule {text} has {letter} twice in {count}{letters}")
    if letters == "-":
        raise RuleError(f"the rule {text} has a minus without letters after it")
    if not named:
        return sorts
    return sorts - set(named) if letters.startswith("-") else set(named)


def _read_partial(half: str, text: str, births: bool) -> dict[int, _Letters]:
    """Read Logic Life Search's partial rules: the rest of a listed count is free."""
    chosen: dict[int, _Letters] = {}
    for digit, letters, minus in _read_items(_PARTIAL, half, text):
        count = _read_count(digit, text)
        if count in chosen:
            raise RuleError(f"the rule {text} has the digit {digit} twice in {half}")
        # There the only arrangement of 0 or 8 neighbours is called c; here it has no letter.
        single = len(SORTS[count]) == 1
        on, off = (
            ({""} if given == "c" and single else _read_letters(count, given, text))
            if given
            else set[str]()
            for given in (letters, minus)
        )
        if on & off:
            raise RuleError(f"the rule {text} has {min(on & off)} before and after the minus")
        chosen[count] = on, set(SORTS[count]) - on - off
    return chosen


def write_space(classes: Classes, entries: Cells) -> str:
    """Write the canonical notation of a set of rules."""
    middle = len(entries) // 2
    halves = []
    for half, values in (("B", entries[:middle]), ("S", entries[middle:])):
        if classes is COUNTS:
            halves.append(half + _write_counts(values, skip=half == "B"))
        else:
            halves.append(half + _write_arrangements(values))
    return "/".join(halves)


def _write_counts(values: Cells, *, skip: bool) -> str:
    if (values[skip:] == OPEN).all() and not values[:skip].any():
        return "?"
    forms = ("", "{}", "[{}]")
    return "".join(forms[value].format(count) for count, value in enumerate(values.tolist()))


def _write_arrangements(values: Cells) -> str:
    text, value = "", iter(values.tolist())
    for count, sorts in enumerate(SORTS):
        fates = {letter: next(value) for letter in sorts}
        on, free = (
            "".join(letter for letter in sorts if fates[letter] == fate) for fate in (1, OPEN)
        )
        is_free = OPEN in fates.values()
        if is_free and min(fates.values()) == OPEN:
            text += f"{count}?" if len(sorts) > 1 else f"[{count}]"
            continue
        if 1 in fates.values():
            text += str(count) + _shorten(on, sorts)
        if is_free:
            text += f"[{count}{_shorten(free, sorts)}]"
    return text


def _shorten(chosen: str, sorts: dict[str, int]) -> str:
    others = "".join(letter for letter in sorts if letter not in chosen)
    return min(chosen, f"-{others}", key=len) if others else ""


_WHOLE: Final = {
    "outer-totalistic": "B?/S?",
    "isotropic": "B1?2?3?4?5?6?7?[8]/S[0]1?2?3?4?5?6?7?[8]",
}
"""All rules of a family, except those with B0."""


@dataclass(frozen=True, eq=False, repr=False, init=False)
class RuleSpace:
    """A set of rules, from its notation, with free entries in brackets.

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
        """The number of rules."""
        return 1 << len(self.places)

    @property
    def is_open(self) -> bool:
        """Whether there is more than one rule."""
        return len(self.places) > 0

    @property
    def least(self) -> Rule:
        """The rule with all free entries off."""
        return self.rule([False] * len(self.places))

    @property
    def greatest(self) -> Rule:
        """The rule with all free entries on."""
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
        """Return the fates of another family's entries; None if they cannot express the set.

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
            "B0 changes the background; leave 0 out"
        )
    if classes is ARRANGEMENTS:
        single = [name[1] in "08" for name in classes.names]
        whole = fold_table(entries[classes.kinds], COUNTS.kinds)
        # Several arrangements that are free are free one by one, which a count cannot express.
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
