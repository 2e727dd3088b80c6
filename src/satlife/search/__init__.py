"""Problems, the engines that solve them, and their answers.

>>> from satlife.search import Found, find, ship
>>> outcome = find(ship("c/4d", box="4x4"))
>>> isinstance(outcome, Found), outcome.finding.identity.name
(True, 'glider')

The names that most people need are in ``satlife`` itself.  A name is imported when it is first
used; those of the kinds come from ``KINDS``.
"""

from __future__ import annotations

from satlife._lazy import lazy_names as _lazy_names

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from satlife.search.certificates import (
        Judgement as Judgement,
        Proved as Proved,
        check as check,
        prove as prove,
    )
    from satlife.search.checking.evaluate import (
        evaluate as evaluate,
    )
    from satlife.search.checking.verify import (
        VerificationError as VerificationError,
        verify as verify,
    )
    from satlife.search.engine import (
        ENGINES as ENGINES,
        Engine as Engine,
        GaveUp as GaveUp,
        Journal as Journal,
        Keywords as Keywords,
        Listing as Listing,
        Options as Options,
        Run as Run,
        Search as Search,
        Wanted as Wanted,
        find as find,
        find_all as find_all,
        find_best as find_best,
        find_engine as find_engine,
        pick_engine as pick_engine,
        start as start,
    )
    from satlife.search.engine.events import (
        Built as Built,
        Event as Event,
        Finished as Finished,
        Improved as Improved,
        Progress as Progress,
        Result as Result,
        Started as Started,
    )
    from satlife.search.engine.goals import (
        Best as Best,
        Goal as Goal,
    )
    from satlife.search.engine.grow import (
        GrowthStep as GrowthStep,
        grow as grow,
    )
    from satlife.search.formula.build import (
        BuiltFormula as BuiltFormula,
        build as build,
    )
    from satlife.search.formula.encodings import (
        ENCODINGS as ENCODINGS,
        Encoding as Encoding,
        find_encoding as find_encoding,
    )
    from satlife.search.formula.measures import (
        MEASURES as MEASURES,
        Count as Count,
        Measure as Measure,
        find_measure as find_measure,
    )
    from satlife.search.formula.spacetime import (
        SpaceTime as SpaceTime,
    )
    from satlife.search.kinds import (
        KINDS as KINDS,
        Kind as Kind,
        Parameter as Parameter,
        agar as agar,
        complete as complete,
        eater as eater,
        find_kind as find_kind,
        kind_of as kind_of,
        orphan as orphan,
        oscillator as oscillator,
        parent as parent,
        reaction as reaction,
        ship as ship,
        still_life as still_life,
        wick as wick,
    )
    from satlife.search.kinds._common import (
        Bounds as Bounds,
    )
    from satlife.search.problem import (
        Known as Known,
        Link as Link,
        Movement as Movement,
        Problem as Problem,
        problem_schema as problem_schema,
    )
    from satlife.search.problem.constraints import (
        Area as Area,
        Arrival as Arrival,
        Constraint as Constraint,
        Decay as Decay,
        Difference as Difference,
        FullPeriod as FullPeriod,
        Growth as Growth,
        Gutter as Gutter,
        Height as Height,
        Lacks as Lacks,
        NotEmpty as NotEmpty,
        PatternPeriod as PatternPeriod,
        Population as Population,
        Rotor as Rotor,
        Stator as Stator,
        Width as Width,
    )
    from satlife.search.problem.describe import (
        describe as describe,
    )
    from satlife.search.problem.lls_grid import (
        Grid as Grid,
    )
    from satlife.search.problem.outcome import (
        Finding as Finding,
        Found as Found,
        Impossible as Impossible,
        Listed as Listed,
        Outcome as Outcome,
        Provenance as Provenance,
        Undecided as Undecided,
    )
    from satlife.search.records import (
        answers_yes as answers_yes,
        catalyst as catalyst,
        describe_finding as describe_finding,
        describe_outcome as describe_outcome,
        find_arrivals as find_arrivals,
        make_record as make_record,
        write_rle as write_rle,
    )

_HOMES = {
    "satlife.search.certificates": "Judgement Proved check prove",
    "satlife.search.checking.evaluate": "evaluate",
    "satlife.search.checking.verify": "VerificationError verify",
    "satlife.search.engine": (
        "ENGINES Engine GaveUp Journal Keywords Listing Options Run Search Wanted "
        "find find_all find_best find_engine pick_engine start"
    ),
    "satlife.search.engine.events": "Built Event Finished Improved Progress Result Started",
    "satlife.search.engine.goals": "Best Goal",
    "satlife.search.engine.grow": "GrowthStep grow",
    "satlife.search.formula.build": "BuiltFormula build",
    "satlife.search.formula.encodings": "ENCODINGS Encoding find_encoding",
    "satlife.search.formula.measures": "MEASURES Count Measure find_measure",
    "satlife.search.formula.spacetime": "SpaceTime",
    "satlife.search.kinds": "KINDS Kind Parameter find_kind kind_of",
    "satlife.search.kinds._common": "Bounds",
    "satlife.search.problem": "Known Link Movement Problem problem_schema",
    "satlife.search.problem.constraints": (
        "Area Arrival Constraint Decay Difference FullPeriod Growth Gutter Height Lacks NotEmpty "
        "PatternPeriod Population Rotor Stator Width"
    ),
    "satlife.search.problem.describe": "describe",
    "satlife.search.problem.lls_grid": "Grid",
    "satlife.search.problem.outcome": (
        "Finding Found Impossible Listed Outcome Provenance Undecided"
    ),
    "satlife.search.records": (
        "answers_yes catalyst describe_finding describe_outcome find_arrivals make_record write_rle"
    ),
}


def _kinds() -> dict[str, object]:
    from satlife.search.kinds import KINDS  # noqa: PLC0415 - only for names that are not above

    return {kind.function.__name__: kind.function for kind in KINDS}


if not TYPE_CHECKING:
    __getattr__, __dir__ = _lazy_names(__name__, _HOMES, _kinds)
