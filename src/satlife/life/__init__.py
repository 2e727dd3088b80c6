"""Patterns, rules and symmetries of cellular automata. Knows nothing of SAT.

>>> from satlife.life import Pattern
>>> Pattern.from_rle("bob$2bo$3o!")[4].box
Box(x=1, y=1, width=3, height=3)
"""

from __future__ import annotations

from satlife._lazy import lazy_names as _lazy_names

__getattr__, __dir__ = _lazy_names(__name__, __file__)
