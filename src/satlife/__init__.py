"""satlife: find patterns of cellular automata with SAT solvers.

>>> import satlife
>>> outcome = satlife.find(satlife.ship("c/4d", box="4x4"))
>>> outcome.pattern.population
5

The rooms are ``satlife.life`` (patterns and rules), ``satlife.sat`` (formulas and solvers),
``satlife.search`` (problems, engines, answers) and ``satlife.knuth`` (Knuth's programs).  A name is
imported when it is first used, so that ``import satlife`` itself costs next to nothing.
"""

from __future__ import annotations

from satlife._version import __version__

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from satlife import errors, knuth, life, sat, search
    from satlife.errors import SatlifeError
    from satlife.life import (
        Box,
        Motion,
        PartialPattern,
        Pattern,
        Rule,
        Symmetry,
        Transform,
        identify,
    )
    from satlife.sat import Formula, Limits
    from satlife.search import (
        Best,
        Finding,
        Found,
        Impossible,
        Listing,
        Problem,
        Search,
        Undecided,
        agar,
        complete,
        eater,
        find,
        find_all,
        find_best,
        orphan,
        oscillator,
        parent,
        reaction,
        ship,
        start,
        still_life,
    )

_HOMES = {
    "satlife.errors": ("SatlifeError",),
    "satlife.life": (
        "Box",
        "Motion",
        "PartialPattern",
        "Pattern",
        "Rule",
        "Symmetry",
        "Transform",
        "identify",
    ),
    "satlife.sat": ("Formula", "Limits"),
    "satlife.search": (
        "Best",
        "Finding",
        "Found",
        "Impossible",
        "Listing",
        "Problem",
        "Search",
        "Undecided",
        "agar",
        "complete",
        "eater",
        "find",
        "find_all",
        "find_best",
        "orphan",
        "oscillator",
        "parent",
        "reaction",
        "ship",
        "start",
        "still_life",
    ),
}
_ROOMS = ("errors", "knuth", "life", "sat", "search")
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Best",
    "Box",
    "Finding",
    "Formula",
    "Found",
    "Impossible",
    "Limits",
    "Listing",
    "Motion",
    "PartialPattern",
    "Pattern",
    "Problem",
    "Rule",
    "SatlifeError",
    "Search",
    "Symmetry",
    "Transform",
    "Undecided",
    "__version__",
    "agar",
    "complete",
    "eater",
    "errors",
    "find",
    "find_all",
    "find_best",
    "identify",
    "knuth",
    "life",
    "orphan",
    "oscillator",
    "parent",
    "reaction",
    "sat",
    "search",
    "ship",
    "start",
    "still_life",
]


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - as light as it can be

    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in _ROOMS:
        return import_module(f"satlife.{name}")
    raise AttributeError(f"module 'satlife' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
