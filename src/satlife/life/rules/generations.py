"""Generations rules, in which a cell that does not survive dies slowly, state by state.

``345/2/4``, or ``B2/S345/4``, has four states: dead, alive, and two dying states. A dying cell is
not counted, cannot be born, and advances to the next state until it is dead. The survivals come
first; H or V at the end, letters, and MAP strings are as in rules of two states.

>>> GENERATIONS.write(GENERATIONS.read("B2/S345/C4"))
'345/2/4'
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import structs

from satlife.errors import RuleError
from satlife.life.cells import MOST_STATES
from satlife.life.neighbourhood import HEXAGONAL
from satlife.life.rules._family import RuleDefinition, RuleFamily
from satlife.life.rules.hexagonal import HEXAGONAL_RULES
from satlife.life.rules.isotropic import ISOTROPIC
from satlife.life.rules.map import MAP, read_map
from satlife.life.rules.outer_totalistic import OUTER_TOTALISTIC
from satlife.life.rules.von_neumann import VON_NEUMANN_RULES

_TWO_STATES: Final = (OUTER_TOTALISTIC, VON_NEUMANN_RULES, HEXAGONAL_RULES, ISOTROPIC)
_STATES: Final = "(?P<states>[0-9]{1,4})"
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        f"(?P<inner>map(?:.{{6}}|.{{22}}|.{{86}})(?:==)?)(?P<suffix>)/{_STATES}",
        f"(?P<inner>.*)[/_][cg]?{_STATES}(?P<suffix>[hv]?)",
        f"g{_STATES}(?P<inner>b.*)(?P<suffix>)",  # as in Catagolue's addresses
        f"[cg]?{_STATES}/(?P<inner>b.*/s.*)(?P<suffix>)",
    )
)
_HALVES: Final = re.compile("B(?P<births>.*)/S(?P<survivals>[^HV]*)(?P<suffix>[HV]?)")


def read(text: str) -> RuleDefinition | None:
    """Read ``345/2/4``, ``B2/S345/4``, ``b2s345/C4``, ``g4b2s345``, ``/2/3H`` or ``MAP…/3``."""
    squeezed = "".join(text.split())
    for match in filter(None, (form.fullmatch(squeezed) for form in _FORMS)):
        definition = _read_inner(match["inner"] + match["suffix"])
        if definition is not None:
            states = int(match["states"])
            if not 2 <= states <= MOST_STATES:
                raise RuleError(
                    f"the rule {text} has {states} states; there may be 2 to {MOST_STATES}"
                )
            return structs.replace(definition, states=states)
    return None


def _read_inner(notation: str) -> RuleDefinition | None:
    if notation[:3].upper() == "MAP":
        return read_map(notation, HEXAGONAL)
    definitions = (family.read(notation) for family in _TWO_STATES)
    return next((definition for definition in definitions if definition is not None), None)


def write(definition: RuleDefinition) -> str | None:
    """Write the survivals, the births and the number of states, as Golly does."""
    if definition.states == 2:
        return None
    two = structs.replace(definition, states=2)
    for family in _TWO_STATES:
        notation = family.write(two)
        if notation is not None and (match := _HALVES.fullmatch(notation)):
            states = f"{definition.states}{match['suffix']}"
            return f"{match['survivals']}/{match['births']}/{states}"
    return f"{MAP.write(two)}/{definition.states}"


GENERATIONS: Final = RuleFamily(
    "generations", "345/2/4", "cells that do not survive die slowly, state by state", read, write
)
