"""What can be asked of a solution and is not a bound on a number: frozen values, like the bounds.

>>> print(Gutter())
every cell on an axis of the symmetry is dead in every generation
"""

from __future__ import annotations

import msgspec


class Gutter(
    msgspec.Struct, frozen=True, tag="gutter", forbid_unknown_fields=True, omit_defaults=True
):
    """Every cell on an axis of the symmetry is dead, in every generation.

    With ``D2|`` in a box of odd width, that is the middle column.  Of a symmetry ``H:G`` the axes
    are those of H.
    """

    def __str__(self) -> str:
        return "every cell on an axis of the symmetry is dead in every generation"
