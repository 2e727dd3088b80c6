"""Find patterns in Conway's Game of Life, and in other cellular automata, with SAT solvers.

Ask a question, get a verified pattern, or the answer that there is none:

>>> import satlife
>>> outcome = satlife.find(satlife.ship("c/4d", box="4x4"))
>>> outcome.pattern.population, outcome.finding.identity.name
(5, 'glider')

Questions, each a ``Problem``
    still_life, oscillator, ship     objects, by period or speed, in a box
    parent, orphan                   what becomes a pattern, and whether anything does
    complete                         a pattern of which only a part is known
    agar, wick                       patterns that fill the plane, or repeat in one direction
    eater, reaction                  catalysts
    Problem                          any other question, from a file or field by field

Answers
    find                             one solution: Found, Impossible or Undecided
    find_all                         all of them: a Listing, each a Finding; it ends as Listed
    find_best                        the best, by population, rotor, area …: Best
    start                            a running Search: its events, stop(), result()
    prove, check                     a certificate that anyone can check: Proved, Judgement

Patterns
    Pattern, PartialPattern, read    cells, known and unknown, from files and texts
    identify                         what a pattern is: apgcode, name, period, symmetry
    save, play                       a picture in a file, a player in a notebook
    Rule, Box, Motion, Symmetry, Transform
    RuleSpace, rules_of              sets of rules; in which rules a pattern works

Events of a running search
    Started, Built, Progress, Improved, Found, Finished

More
    Engine, GaveUp                   a way to search of your own
    Formula, Limits                  for work with solvers
    SatlifeError                     the root of all errors

Packages
    satlife.life                     patterns, rules, symmetries, file formats
    satlife.sat                      formulas, solvers, proofs
    satlife.search                   problems, engines, encodings, certificates, records
    satlife.show                     pictures
    satlife.knuth                    Knuth's sat-life programs
    satlife.errors                   the tree of errors

A name is imported when it is first used, so ``import satlife`` itself costs next to nothing.
"""

from __future__ import annotations

from satlife._lazy import lazy_names as _lazy_names

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from satlife import (
        errors as errors,
        knuth as knuth,
        life as life,
        sat as sat,
        search as search,
        show as show,
    )
    from satlife._version import __version__ as __version__
    from satlife.errors import SatlifeError as SatlifeError
    from satlife.life import (
        Box as Box,
        Motion as Motion,
        PartialPattern as PartialPattern,
        Pattern as Pattern,
        Rule as Rule,
        Symmetry as Symmetry,
        Transform as Transform,
        identify as identify,
    )
    from satlife.life.reading import read as read
    from satlife.life.rulespaces import RuleSpace as RuleSpace, rules_of as rules_of
    from satlife.sat import Formula as Formula, Limits as Limits
    from satlife.search import (
        Best as Best,
        Built as Built,
        Engine as Engine,
        Finding as Finding,
        Finished as Finished,
        Found as Found,
        GaveUp as GaveUp,
        Impossible as Impossible,
        Improved as Improved,
        Judgement as Judgement,
        Listed as Listed,
        Listing as Listing,
        Problem as Problem,
        Progress as Progress,
        Proved as Proved,
        Search as Search,
        Started as Started,
        Undecided as Undecided,
        agar as agar,
        check as check,
        complete as complete,
        eater as eater,
        find as find,
        find_all as find_all,
        find_best as find_best,
        orphan as orphan,
        oscillator as oscillator,
        parent as parent,
        prove as prove,
        reaction as reaction,
        ship as ship,
        start as start,
        still_life as still_life,
        wick as wick,
    )
    from satlife.show import play as play, save as save

_HOMES = {
    "satlife": "errors knuth life sat search show",
    "satlife._version": "__version__",
    "satlife.errors": "SatlifeError",
    "satlife.life": "Box Motion PartialPattern Pattern Rule Symmetry Transform identify",
    "satlife.life.reading": "read",
    "satlife.life.rulespaces": "RuleSpace rules_of",
    "satlife.sat": "Formula Limits",
    "satlife.search": (
        "Best Built Engine Finding Finished Found GaveUp Impossible Improved Judgement Listed "
        "Listing Problem Progress Proved Search Started Undecided "
        "check find find_all find_best prove start"
    ),
    "satlife.show": "play save",
}


def _kinds() -> dict[str, object]:
    from satlife.search.kinds import KINDS  # noqa: PLC0415 - only for names that are not above

    return {kind.function.__name__: kind.function for kind in KINDS}


if not TYPE_CHECKING:
    __getattr__, __dir__ = _lazy_names(__name__, _HOMES, _kinds)
