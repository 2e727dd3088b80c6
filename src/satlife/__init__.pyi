from satlife import (
    certificates as certificates,
    engine as engine,
    errors as errors,
    formula as formula,
    kinds as kinds,
    knuth as knuth,
    life as life,
    problem as problem,
    records as records,
    sat as sat,
    show as show,
)
from satlife._version import (
    __version__ as __version__,
)
from satlife.certificates import (
    Judgement as Judgement,
    Proved as Proved,
    check as check,
    prove as prove,
)
from satlife.engine import (
    ENGINES as ENGINES,
    Engine as Engine,
    GaveUp as GaveUp,
    Listing as Listing,
    Options as Options,
    Search as Search,
    find as find,
    find_all as find_all,
    find_best as find_best,
    start as start,
)
from satlife.engine.engine import (
    Built as Built,
    Finished as Finished,
    Improved as Improved,
    Progress as Progress,
    Started as Started,
)
from satlife.engine.goals import (
    Best as Best,
    Goal as Goal,
)
from satlife.engine.first import (
    find_first as find_first,
)
from satlife.engine.grow import (
    grow as grow,
)
from satlife.engine.known import (
    find_known as find_known,
)
from satlife.errors import (
    SatlifeError as SatlifeError,
)
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
from satlife.life.reader import (
    read as read,
)
from satlife.life.rulespaces import (
    RuleSpace as RuleSpace,
    rules_of as rules_of,
)
from satlife.records import (
    answers_yes as answers_yes,
    can_arrive as can_arrive,
    catalyst as catalyst,
    find_arrivals as find_arrivals,
)
from satlife.sat import (
    Formula as Formula,
    Limits as Limits,
)
from satlife.verifier.constraints import (
    evaluate as evaluate,
)
from satlife.verifier.generations import (
    VerificationError as VerificationError,
)
from satlife.verifier.verify import (
    verify as verify,
)
from satlife.formula.build import (
    build as build,
)
from satlife.formula.encodings import (
    ENCODINGS as ENCODINGS,
    Encoding as Encoding,
)
from satlife.formula.measures import (
    MEASURES as MEASURES,
)
from satlife.kinds import (
    KINDS as KINDS,
    Kind as Kind,
    agar as agar,
    complete as complete,
    eater as eater,
    forced as forced,
    orphan as orphan,
    oscillator as oscillator,
    parent as parent,
    perturbation as perturbation,
    reaction as reaction,
    ship as ship,
    still_life as still_life,
    wick as wick,
)
from satlife.kinds._bounds import (
    Bounds as Bounds,
)
from satlife.problem import (
    Known as Known,
    Link as Link,
    Problem as Problem,
    problem_schema as problem_schema,
)
from satlife.problem.arrivals import (
    Arrival as Arrival,
)
from satlife.problem.bounds import (
    Area as Area,
    Changes as Changes,
    Decay as Decay,
    Difference as Difference,
    Growth as Growth,
    Height as Height,
    Population as Population,
    Rotor as Rotor,
    Stator as Stator,
    Width as Width,
)
from satlife.problem.conditions import (
    FullPeriod as FullPeriod,
    Gutter as Gutter,
    Lacks as Lacks,
    NotEmpty as NotEmpty,
    PatternPeriod as PatternPeriod,
)
from satlife.problem.constraints import (
    Constraint as Constraint,
)
from satlife.problem.restoration import (
    Restored as Restored,
)
from satlife.problem.words import (
    describe as describe,
)
from satlife.problem.lls_grid import (
    Grid as Grid,
)
from satlife.problem.outcome import (
    Finding as Finding,
    Found as Found,
    Impossible as Impossible,
    Listed as Listed,
    Outcome as Outcome,
    Undecided as Undecided,
)
from satlife.show import (
    play as play,
    save as save,
)
