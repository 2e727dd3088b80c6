"""What can be asked of a solution and is not a bound on a number: frozen values, like the bounds.

>>> print(Gutter())
every cell on an axis of the symmetry is dead in every generation
>>> print(Lacks("D2v"))
generation 0 does not have the symmetry D2|, about any centre
"""

from __future__ import annotations

from typing import Final

import msgspec

from satlife.errors import UsageError
from satlife.life.symmetry import OLDER_NAMES, Symmetry

SIMPLEST: Final = ("C2", "D2|", "D2-", "D2\\", "D2/")
"""A pattern without these has no symmetry at all."""


class Gutter(
    msgspec.Struct, frozen=True, tag="gutter", forbid_unknown_fields=True, omit_defaults=True
):
    """Every cell on an axis of the symmetry is dead, in every generation.

    With ``D2|`` in a box of odd width, that is the middle column.  Of a symmetry ``H:G`` the axes
    are those of H.
    """

    def __str__(self) -> str:
        return "every cell on an axis of the symmetry is dead in every generation"


class Lacks(
    msgspec.Struct, frozen=True, tag="lacks", forbid_unknown_fields=True, omit_defaults=True
):
    """Generation 0 does not have a symmetry: about every centre, something would change it.

    The empty pattern has every symmetry.
    """

    symmetry: str

    def __post_init__(self) -> None:
        name = str(Symmetry(self.symmetry))
        if name not in OLDER_NAMES:
            usual = ", ".join(OLDER_NAMES)
            raise UsageError(f"{name} cannot be forbidden; it can be one of {usual}")
        msgspec.structs.force_setattr(self, "symmetry", name)

    def __str__(self) -> str:
        return f"generation 0 does not have the symmetry {self.symmetry}, about any centre"
