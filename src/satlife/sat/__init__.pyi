from satlife.sat.answer import (
    Answer as Answer,
)
from satlife.sat.answer import (
    Model as Model,
)
from satlife.sat.answer import (
    Reason as Reason,
)
from satlife.sat.answer import (
    Refuted as Refuted,
)
from satlife.sat.answer import (
    Satisfied as Satisfied,
)
from satlife.sat.answer import (
    Undecided as Undecided,
)
from satlife.sat.formula import (
    FormulaBuilder as FormulaBuilder,
)
from satlife.sat.files import (
    FORMATS as FORMATS,
)
from satlife.sat.files import (
    Format as Format,
)
from satlife.sat.files import (
    detect_format as detect_format,
)
from satlife.sat.files import (
    dumps as dumps,
)
from satlife.sat.files import (
    find_format as find_format,
)
from satlife.sat.files import (
    loads as loads,
)
from satlife.sat.files import (
    read_formula as read_formula,
)
from satlife.sat.files import (
    write_formula as write_formula,
)
from satlife.sat.formula import (
    Block as Block,
)
from satlife.sat.formula import (
    Formula as Formula,
)
from satlife.sat.portfolio import (
    Outcome as Outcome,
)
from satlife.sat.portfolio import (
    RaceEntry as RaceEntry,
)
from satlife.sat.portfolio import (
    RaceProgress as RaceProgress,
)
from satlife.sat.portfolio import (
    RaceResult as RaceResult,
)
from satlife.sat.portfolio import (
    race as race,
)
from satlife.sat.solver import (
    Abilities as Abilities,
)
from satlife.sat.solver import (
    Limits as Limits,
)
from satlife.sat.solver import (
    Models as Models,
)
from satlife.sat.solver import (
    OpenSolver as OpenSolver,
)
from satlife.sat.solver import (
    Progress as Progress,
)
from satlife.sat.solver import (
    ProgressCallback as ProgressCallback,
)
from satlife.sat.solver import (
    Solver as Solver,
)
from satlife.sat.solver import (
    Statistics as Statistics,
)
from satlife.sat.solvers import (
    SOLVERS as SOLVERS,
)
from satlife.sat.solvers import (
    CommandSolver as CommandSolver,
)
from satlife.sat.solvers import (
    ScriptedSolver as ScriptedSolver,
)
from satlife.sat.solvers import (
    command_solver as command_solver,
)
from satlife.sat.solvers import (
    find_solver as find_solver,
)
from satlife.sat.portfolio import (
    solve as solve,
)
