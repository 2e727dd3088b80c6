"""Boxes as people write them: one for all phases, or a profile with one for each.

>>> parse_profile("16x7", 3)
('16x7',)
>>> parse_profile("10x13,8x13*2", 3)
('10x13', '8x13+1+0', '8x13+1+0')

Each box is centred on the first one, in one fixed frame; an offset moves it on: ``8x13+1+0``.
``15x*`` is 15 wide and of any height.
"""

from __future__ import annotations

import re

from satlife.errors import UsageError
from satlife.life.box import Box, format_placed_box
from satlife.life.numbers import check_number, parse_integer, shorten
from satlife.search.problem import LARGEST_COORDINATE

_OPEN = re.compile(r"\d+[xX]\*", re.ASCII)
_PART = re.compile(r"(\d+[xX]\d+)((?:[+-]\d+){2})?(?:\*(\d+))?", re.ASCII)


def parse_profile(text: str, generations: int) -> tuple[str, ...]:
    """Read a box or a profile for a number of generations; return the boxes with their places."""
    if _OPEN.fullmatch(open_box := text.replace(" ", "")):
        return (open_box.lower(),)
    boxes: list[Box] = []
    for part in text.replace(" ", "").split(","):
        match = _PART.fullmatch(part)
        if not match:
            shown = repr(shorten(part))
            if _OPEN.fullmatch(part):
                raise UsageError(f"an open height is for all generations: write {shown} alone")
            raise UsageError(f"{shown} is not a box; write for example 16x7, or 10x13,8x13*9")
        box = Box.parse(match[1])
        if boxes:
            box = box.shift((boxes[0].width - box.width) // 2, (boxes[0].height - box.height) // 2)
        if match[2]:
            dx, dy = map(parse_integer, re.findall(r"[+-]\d+", match[2]))
            box = box.shift(dx, dy)
        times = parse_integer(match[3] or "1")
        check_number(times, LARGEST_COORDINATE, "generations")
        boxes += [box] * times
    if len(boxes) not in (1, generations):
        raise UsageError(
            f"the profile {text!r} has {len(boxes)} boxes for {generations} generations; "
            f"give one for all of them, or {generations}"
        )
    return tuple(map(format_placed_box, boxes))
