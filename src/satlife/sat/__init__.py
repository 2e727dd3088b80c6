"""Formulas and solvers; knows nothing of Life.

>>> from satlife.sat import Formula, solve
>>> answer = solve(Formula.from_clauses([(1, 2), (-1,)]))
>>> print(answer, answer.model.literals())
satisfied [-1  2]
"""

from __future__ import annotations

from satlife._lazy import lazy_names as _lazy_names

__getattr__, __dir__ = _lazy_names(__name__, __file__)
