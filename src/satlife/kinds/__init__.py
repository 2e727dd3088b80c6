"""The kinds of searches.  Each is a :class:`Kind`, whose function builds a problem.

To add one: write its file, with the function and the value in it, and add the value to the tuple.
Nothing here imports NumPy; see :mod:`satlife.kinds._kind`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from satlife.errors import UsageError
from satlife.kinds._drawing import Drawing
from satlife.kinds._kind import HEADINGS, Axis, Kind, Parameter, Reader
from satlife.kinds.agar import AGAR, agar
from satlife.kinds.catalyst import CATALYST, perturbation
from satlife.kinds.complete import COMPLETE, complete
from satlife.kinds.eater import EATER, eater
from satlife.kinds.forced import FORCED, forced
from satlife.kinds.orphan import ORPHAN, orphan
from satlife.kinds.oscillator import OSCILLATOR, oscillator
from satlife.kinds.parent import PARENT, UNIQUE, parent
from satlife.kinds.reaction import REACTION, reaction
from satlife.kinds.ship import SHIP, ship
from satlife.kinds.still_life import STILL_LIFE, still_life
from satlife.kinds.wick import WICK, wick

if TYPE_CHECKING:
    from satlife.problem import Problem

__all__ = [
    "HEADINGS",
    "KINDS",
    "Axis",
    "Drawing",
    "Kind",
    "Parameter",
    "Reader",
    "agar",
    "complete",
    "eater",
    "find_kind",
    "forced",
    "kind_of",
    "orphan",
    "oscillator",
    "parent",
    "perturbation",
    "reaction",
    "ship",
    "still_life",
    "wick",
]

KINDS: Final[tuple[Kind, ...]] = (
    STILL_LIFE,
    OSCILLATOR,
    SHIP,
    PARENT,
    ORPHAN,
    FORCED,
    COMPLETE,
    AGAR,
    WICK,
    EATER,
    REACTION,
    CATALYST,
)
"""Every kind, in the order in which they are listed."""


_PLAIN: Final = Kind(
    name="find",
    noun="pattern",
    function=lambda problem: problem,
    parameters=(),
    summary="Search for what a problem file asks.",
    text="",
    examples=(),
)
"""The fallback kind: a problem that is none of the others, such as one from a file."""


def find_kind(name: str) -> Kind:
    """Return the kind of that name.

    >>> find_kind("orphan").yes
    'impossible'
    """
    for kind in KINDS:
        if kind.name == name:
            return kind
    names = ", ".join(kind.name for kind in KINDS)
    raise UsageError(f"there is no kind of search {name!r}; the kinds are {names}")


def kind_of(problem: Problem) -> Kind:
    """Return the kind of a problem; a plain search if its ``kind`` is unknown.

    An impossible result means yes only if the problem asks what the kind says, and no more.
    """
    kind = next((kind for kind in (*KINDS, UNIQUE) if kind.name == problem.kind), _PLAIN)
    if kind.yes == "found":
        return kind
    from satlife.kinds._common import asks_past

    return kind if asks_past(problem) else _PLAIN
