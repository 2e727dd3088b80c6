"""The families of rules, one file each.

To add one: write its file, with a :class:`RuleFamily` value in it, and add that to the tuple.
"""

from __future__ import annotations

import difflib
import re
from typing import Final

from satlife.errors import RuleError, UsageError
from satlife.life.rules._family import RuleDefinition, RuleFamily
from satlife.life.rules._names import RULE_NAMES, find_name, find_notation
from satlife.life.rules.outer_totalistic import OUTER_TOTALISTIC

__all__ = [
    "RULE_FAMILIES",
    "RuleDefinition",
    "RuleFamily",
    "find_name",
    "find_rule_family",
    "read_rule",
]

RULE_FAMILIES: Final[tuple[RuleFamily, ...]] = (OUTER_TOTALISTIC,)

_COUNTS = "[0-9cekainyqjrtwz-]*"
# Notations that people do use, for which there is no family yet, from the most particular on.
_PLANNED: Final = tuple(
    (re.compile(form), kind)
    for form, kind in (
        (".*:.*", "bounded grids"),
        ("map[a-z0-9+/=]*", "MAP rules"),
        ("[bs0-9/a-z-]*[0-9/s]h", "hexagonal rules"),
        ("[bs0-9/a-z-]*[0-9/s]v", "von Neumann rules"),
        ("r[0-9]+,.*", "rules of larger range"),
        (f"b?{_COUNTS}/s?{_COUNTS}/[cg]?[0-9]+", "rules of more than two states"),
        (f"[cg]?[0-9]+/b{_COUNTS}/s{_COUNTS}", "rules of more than two states"),
        ("lifehistory|lifesuper|wireworld|generations", "rules of more than two states"),
        (f"b{_COUNTS}/?s{_COUNTS}", "isotropic (Hensel) rules"),
        (f"{_COUNTS}/{_COUNTS}", "isotropic (Hensel) rules"),
    )
)


def find_rule_family(name: str) -> RuleFamily:
    """Find a family by its name.

    >>> find_rule_family("outer-totalistic").example
    'B3/S23'
    """
    for family in RULE_FAMILIES:
        if family.name == name.strip().lower():
            return family
    known = ", ".join(family.name for family in RULE_FAMILIES)
    raise UsageError(f"no family of rules {name!r}; one of {known}")


def read_rule(text: str) -> RuleDefinition:
    """Read a rule's notation or name, or say why it is none that satlife knows."""
    given = find_notation(text) or text
    notation = "".join(given.split()).lower()
    for family in RULE_FAMILIES:
        definition = family.read(notation)
        if definition is not None:
            return definition
    examples = " or ".join(family.example for family in RULE_FAMILIES)
    supported = f"supported are outer-totalistic rules such as {examples}"
    shown = text.strip() if len(text) <= 60 else text.strip()[:57] + "..."
    for form, kind in _PLANNED:
        if form.fullmatch(notation):
            raise RuleError(f"{shown!r}: {kind} are planned, but not supported yet; {supported}")
    near = difflib.get_close_matches(text[:60].lower(), [name.lower() for name in RULE_NAMES], n=1)
    names = {name.lower(): name for name in RULE_NAMES}
    hint = f"did you mean {names[near[0]]}?" if near else supported
    raise RuleError(f"{shown!r} is not a rule; {hint}")
