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
from satlife.life.rules.generations import GENERATIONS
from satlife.life.rules.hexagonal import HEXAGONAL_RULES
from satlife.life.rules.isotropic import ISOTROPIC
from satlife.life.rules.map import MAP
from satlife.life.rules.outer_totalistic import OUTER_TOTALISTIC
from satlife.life.rules.von_neumann import VON_NEUMANN_RULES

__all__ = [
    "RULE_FAMILIES",
    "RULE_NAMES",
    "RuleDefinition",
    "RuleFamily",
    "find_name",
    "find_rule_family",
    "read_rule",
    "write_rule",
]

# The first family that contains a rule writes its canonical notation; MAP contains all rules.
RULE_FAMILIES: Final[tuple[RuleFamily, ...]] = (
    OUTER_TOTALISTIC,
    VON_NEUMANN_RULES,
    HEXAGONAL_RULES,
    ISOTROPIC,
    GENERATIONS,
    MAP,
)

# Notations in use that no family supports.
_UNSUPPORTED: Final = tuple(
    (re.compile(form, re.IGNORECASE), kind)
    for form, kind in (
        ("r[0-9]+,.*", "rules of larger range"),
        ("lifehistory|lifesuper|wireworld", "rules with tables of their own"),
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
    """Read a rule's notation or name; raise :class:`~satlife.errors.RuleError` if it is neither."""
    notation = find_notation(text) or text.strip()
    for family in RULE_FAMILIES:
        definition = family.read(notation)
        if definition is not None:
            return definition
    shown = repr(notation if len(notation) <= 60 else notation[:57] + "...")
    examples = ", ".join(f"{family.example} ({family.name})" for family in RULE_FAMILIES)
    if re.search(r"[\[\]?]", notation):
        raise RuleError(f"{shown} is a set of rules; a single rule is needed here")
    bare, colon, _ = notation.partition(":")
    if colon:
        raise RuleError(
            f"{shown}: a bounded grid is not part of a rule; write {bare.strip()!r} (files of "
            "patterns may have a torus, and a search for an agar has one: the torus is its box)"
        )
    for form, kind in _UNSUPPORTED:
        if form.fullmatch("".join(notation.split())):
            raise RuleError(f"{shown}: {kind} are not supported yet; write for example {examples}")
    names = {name.lower(): name for name in RULE_NAMES}
    near = difflib.get_close_matches(notation[:60].lower(), names, n=1)
    hint = f"did you mean {names[near[0]]}?" if near else f"write for example {examples}"
    raise RuleError(f"{shown} is not a rule; {hint}")


def write_rule(definition: RuleDefinition) -> tuple[RuleFamily, str]:
    """Return the first family that contains a rule, and its canonical notation there."""
    for family in RULE_FAMILIES:
        notation = family.write(definition)
        if notation is not None:
            return family, notation
    raise RuleError(f"no family has a notation for this rule of {definition.states} states")
