"""Pictures that move, or that go into files: SVG, PNG, GIF, and a player in one page of HTML.

>>> from satlife.life import Pattern
>>> from satlife.show import Scene, draw
>>> glider = Pattern.from_rle("bo$2bo$3o!")
>>> draw(glider, "svg")[:4], len(Scene.of(glider).frames)
(b'<svg', 4)

This package knows patterns and files, but no searches: other values that can be shown have a method
``scene()``.
"""

from __future__ import annotations

from satlife._lazy import lazy_names as _lazy_names

__getattr__, __dir__ = _lazy_names(__name__, __file__)
