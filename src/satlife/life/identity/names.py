"""The names of objects, by their apgcodes, in Conway's Life and in rules where they live alike.

The names are in the catalogue's file, whose rows are sorted by code. A name is found by bisection,
so nothing is built from the file, and it is not read before a name is asked for.

>>> find_object_name("xp2_7"), find_object_name("xs4_33", "HighLife"), find_object_name("xs9_0")
('blinker', 'block', None)
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from satlife.errors import UsageError
from satlife.life.identity.apgcode import encode_phases, from_apgcode, orientations, split_code
from satlife.life.identity.recurrence import find_recurrence, trace_phases
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule
from satlife.life.transforms import TRANSFORMS

_FILE: Final = Path(__file__).parents[1] / "catalogue" / "objects.tsv"


@cache
def read_objects() -> list[str]:
    """Return the lines of the catalogue's file, which are sorted."""
    return _FILE.read_bytes().decode().splitlines()


def find_row(code: str) -> str | None:
    r"""Return the row of the object with this code; ``None`` if the catalogue has none.

    >>> find_row("xs4_33").split("\t")[:2]
    ['xs4_33', 'block']
    """
    rows, sought = read_objects(), f"{code}\t"
    place = bisect_left(rows, sought)
    return rows[place] if place < len(rows) and rows[place].startswith(sought) else None


def object_names() -> dict[str, str]:
    """Return the names of all objects that have one, by their codes.

    >>> object_names()["xs4_33"]
    'block'
    """
    rows = (row.split("\t", 2) for row in read_objects() if row.startswith("x"))
    return {code: name for code, name, _ in rows if name}


def find_object_name(code: str, rule: RuleLike = LIFE) -> str | None:
    """Find the name of the object with this apgcode; ``None`` if the catalogue has none.

    The names are of objects of Conway's Life. One that lives just as well by another rule, all
    its generations the same, keeps its name there.
    """
    asked = as_rule(rule)
    if asked.states > 2 or asked.table[0] or len(asked.symmetries) < len(TRANSFORMS):
        return _find_alike(code, asked)
    # By a rule as symmetric as Life, the same generations have the same code.
    row = find_row(code)
    name = (row.split("\t", 2)[1] if row else "") or None
    if name is None or asked == LIFE:
        return name
    pattern = from_apgcode(code)
    recurrence = find_recurrence(pattern)
    phases = trace_phases(pattern, recurrence.period) if recurrence else ()
    return name if _live_alike(phases, asked) else None


@lru_cache(maxsize=256)
def _find_alike(code: str, rule: Rule) -> str | None:
    """Find the name of the object of Life with the same generations in some orientation."""
    try:
        kind, number, _ = split_code(code)
        pattern = from_apgcode(code, rule)
    except UsageError:
        return None
    for cells in orientations(pattern) if pattern.cells.max(initial=0) == 1 else ():
        there = Pattern(cells)
        found = find_recurrence(there, generations=1 if kind == "still life" else number)
        phases = trace_phases(there, found.period) if found else ()
        if found and _live_alike(phases, rule):
            return find_object_name(encode_phases(phases, found))
    return None


def _live_alike(phases: Sequence[Pattern], rule: Rule) -> bool:
    """Return whether the generations follow each other by another rule, too."""
    return rule == LIFE or all(
        now.with_rule(rule)[1] == later.with_rule(rule)
        for now, later in pairwise((*phases, phases[-1][1]))
    )


class Tally(Struct, frozen=True):
    """The count of an object."""

    count: int
    code: str
    """Its apgcode."""
    name: str | None
    """Its common name, if any."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as numbers and texts for JSON."""
        return {"count": self.count, "apgcode": self.code, "name": self.name}

    def __str__(self) -> str:
        return f"{self.count} × {self.name or self.code}"

    @property
    def words(self) -> str:
        """The objects as a sentence names them: ``block``, ``4 blocks``."""
        name = self.name or self.code
        if self.count == 1:
            return name
        form, plural = next(each for each in _PLURALS if re.fullmatch(each[0], name))
        return f"{self.count} {re.sub(f'^{form}$', plural, name)}" if plural else str(self)


def tally(codes: Counter[str], rule: Rule) -> tuple[Tally, ...]:
    """Return the counts with names, the most frequent object first.

    >>> print(*tally(Counter({"xp2_7": 4, "xs4_33": 8}), LIFE), sep=", ")
    8 × block, 4 × blinker
    """
    ordered = sorted(codes.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Tally(count, code, find_object_name(code, rule)) for code, count in ordered)


_PLURALS: Final = (
    (r".* (?:with|and|on|at|w|siamese|hassling|eating) .*|.*\d|x[spq]\d+_.*", None),
    (r"(.*)loaf", r"\1loaves"),
    (r"(.*[^aeiou])y", r"\1ies"),
    (r"(.*(?:s|x|ch|sh))", r"\1es"),
    (r"(.*)", r"\1s"),
)
"""Patterns of names, and their plurals; ``None`` where a plural would be misread."""


def join_names(tallies: Sequence[Tally]) -> str:
    """Join the names of several objects, the rarest first.

    >>> join_names(tally(Counter({"xs4_33": 4, "xp3_s471174sz11744711": 1, "xs7_2596": 2}), LIFE))
    'cross, 2 loaves and 4 blocks'
    """
    names = [each.words for each in sorted(tallies, key=lambda each: (each.count, each.code))]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
