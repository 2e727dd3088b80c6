"""The programs of the sat-life family, one file each; a file states only what is different."""

from __future__ import annotations

from satlife.knuth.program import Program
from satlife.knuth.programs.grid import GRID
from satlife.knuth.programs.grid90 import GRID90
from satlife.knuth.programs.grid90_cycle import GRID90_CYCLE
from satlife.knuth.programs.grid_cycle import GRID_CYCLE
from satlife.knuth.programs.grid_eater import GRID_EATER
from satlife.knuth.programs.grid_spaceships import GRID_SPACESHIPS
from satlife.knuth.programs.grid_spaceships_sym import GRID_SPACESHIPS_SYM
from satlife.knuth.programs.gridquad import GRIDQUAD
from satlife.knuth.programs.gridquad_cycle import GRIDQUAD_CYCLE
from satlife.knuth.programs.life import LIFE
from satlife.knuth.programs.torus import TORUS
from satlife.knuth.programs.torus_cycle import TORUS_CYCLE
from satlife.knuth.programs.upper import UPPER

PROGRAMS: tuple[Program, ...] = (
    LIFE,
    GRID,
    GRID90,
    GRID90_CYCLE,
    GRID_SPACESHIPS,
    GRID_CYCLE,
    GRID_EATER,
    GRID_SPACESHIPS_SYM,
    GRIDQUAD,
    GRIDQUAD_CYCLE,
    TORUS,
    TORUS_CYCLE,
    UPPER,
)
