"""A brute force to compare satlife with: small, plain, and without a line of satlife in it.

It reads the canonical JSON of a problem by itself and tries every filling of the boxes.

    asked.py        the problem: which cell is meant by (x, y, t), where the rule is asked
    rules.py        the notations of rules, read to tables
    symmetries.py   the eight maps, the groups, and which cells a symmetry makes equal
    checking.py     is ONE history a solution?  Read this file first: it is the definition
    arriving.py     what comes in one of several lanes, at one of several times
    restoring.py    still lifes that something disturbs, and that are restored
    lasting.py      oscillators of a width and of any height, by walks
    measuring.py    the numbers that constraints bound
    searching.py    all solutions, by trying all fillings at once; agrees with checking.py
    classing.py     which solutions count as one
    ancestry.py     ancestors of some cells, whatever is around
    halfplanes.py   why four rings of dead cells decide about a finite pattern of Life
    forcing.py      patches that all of their ancestors contain
    narrow.py       ships of a width and of any length, row by row
    refusing.py     problems without a meaning
    planning.py     what a campaign's plan asks
    parting.py      objects, and the parts that a pattern is made of
    reacting.py     catalysts, by trying every set of cells
    unbounded.py    whether a strip has a ship, of any length

A history is a tuple of arrays [y, x], one for the box of each generation: which cells live (or
differ from a strobing background).  Without a motion, generation 0
has the states that dying cells of a Generations rule are in.
"""

from __future__ import annotations

from tests.reference.asked import Asked, History, TooLarge
from tests.reference.checking import broken, is_solution
from tests.reference.classing import classes
from tests.reference.measuring import measure, optimum
from tests.reference.refusing import refused
from tests.reference.searching import count_raw, solutions, solved_rules

__all__ = [
    "Asked",
    "History",
    "TooLarge",
    "broken",
    "classes",
    "count_raw",
    "is_solution",
    "measure",
    "optimum",
    "refused",
    "solutions",
    "solved_rules",
]
