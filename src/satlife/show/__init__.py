"""Pictures that move, or that go into files: SVG, PNG, GIF, and a player in one page of HTML.

>>> from satlife.life import Pattern
>>> glider = Pattern.from_rle("bo$2bo$3o!")
>>> draw(glider, "svg")[:4], len(Scene.of(glider).frames)
(b'<svg', 4)

This room knows patterns and files, and nothing of searches: what else can be shown has a method
``scene()``.
"""

from __future__ import annotations

from satlife.show.caption import Caption
from satlife.show.drawing import draw, save
from satlife.show.formats import PICTURE_FORMATS, PictureFormat, find_picture_format, is_picture
from satlife.show.maps import MAPS, CellMap, MapKind, find_map
from satlife.show.scene import Frame, HasScene, Scene
from satlife.show.style import Style
from satlife.show.widget import play

__all__ = [
    "MAPS",
    "PICTURE_FORMATS",
    "Caption",
    "CellMap",
    "Frame",
    "HasScene",
    "MapKind",
    "PictureFormat",
    "Scene",
    "Style",
    "draw",
    "find_map",
    "find_picture_format",
    "is_picture",
    "play",
    "save",
]
