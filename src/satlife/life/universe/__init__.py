"""A fast simulator for large patterns and long runs: bit-parallel, sparse, unbounded.

The simulator that checks a search's answers is :mod:`satlife.life.stepping`; the two share no code,
and tests compare them.

>>> from satlife.life.pattern import Pattern
>>> universe = Universe.of(Pattern.from_rle("b2o$2o$bo!"))
>>> int(universe.advance(1103)[-1])
116
"""

from satlife.life.universe.circuit import can_step
from satlife.life.universe.universe import Universe

__all__ = ["Universe", "can_step"]
