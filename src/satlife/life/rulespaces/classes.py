"""The entries of a family's rules: which of the 512 neighbourhoods have one fate.

An outer-totalistic rule has 18 entries, B0 to B8 and S0 to S8; an isotropic one has 102, such as
B2a.

>>> len(COUNTS.names), len(ARRANGEMENTS.names), ARRANGEMENTS.names[:4]
(18, 102, ('B0', 'B1c', 'B1e', 'B2a'))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.neighbourhood import IS_ALIVE, NEIGHBOURS
from satlife.life.rules.isotropic import KINDS, SORTS


@dataclass(frozen=True, eq=False)
class Classes:
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
