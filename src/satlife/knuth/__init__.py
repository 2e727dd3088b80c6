r"""Knuth's sat-life programs: Life's transition relation as clauses, to the byte.

Each program is a value: call it to get a formula; its ``text`` is the output of the original.

>>> from satlife import knuth
>>> formula = knuth.grid(7, 15, 3)
>>> formula.clauses, formula.variables
(25212, 6570)
>>> next(knuth.grid.text(7, 15, 3))
b'~ sat-life-grid 7 15 3\n'

Only in this package x is the row and y the column, as in Knuth's programs.
"""

from __future__ import annotations

from satlife.errors import UsageError
from satlife.knuth.program import Argument, Program
from satlife.knuth.programs import PROGRAMS
from satlife.knuth.solutions import draw_solution, draw_solutions

__all__ = [
    "PROGRAMS",
    "Argument",
    "Program",
    "draw_solution",
    "draw_solutions",
    "find_program",
    "grid",
    "grid90",
    "grid90_cycle",
    "grid_cycle",
    "grid_eater",
    "grid_spaceships",
    "grid_spaceships_sym",
    "gridquad",
    "gridquad_cycle",
    "life",
    "torus",
    "torus_cycle",
    "upper",
]


def find_program(name: str) -> Program:
    """Find a program by its name.

    >>> find_program("sat-life-grid").usage
    'm n r'
    """
    for program in PROGRAMS:
        if program.name == name:
            return program
    names = ", ".join(program.name for program in PROGRAMS)
    raise UsageError(f"there is no program {name!r}; use one of {names}")


life = find_program("sat-life")
grid = find_program("sat-life-grid")
grid90 = find_program("sat-life-grid90")
grid90_cycle = find_program("sat-life-grid90-cycle")
grid_cycle = find_program("sat-life-grid-cycle")
grid_eater = find_program("sat-life-grid-eater")
grid_spaceships = find_program("sat-life-grid-spaceships")
grid_spaceships_sym = find_program("sat-life-grid-spaceships-sym")
gridquad = find_program("sat-life-gridquad")
gridquad_cycle = find_program("sat-life-gridquad-cycle")
torus = find_program("sat-life-torus")
torus_cycle = find_program("sat-life-torus-cycle")
upper = find_program("sat-life-upper")
