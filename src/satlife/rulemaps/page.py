"""The page of a map: its picture, and a place to look up any rule.

It is one file that needs nothing else, and makes no connection.
"""

from __future__ import annotations

import html
import json
import re
from importlib.resources import files
from itertools import cycle, islice
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from satlife.certificates.words.properties import name_solutions
from satlife.certificates.words.statement import place_words
from satlife.life.rule import LIFE
from satlife.life.rulespaces import OPEN, RuleSpace
from satlife.problem import Problem
from satlife.rulemaps.rulemap import FOUND, Region, RuleMap, locate
from satlife.show.grids import draw_numbers
from satlife.show.style import BADGES

# The picture of a map: births to the right, survivals down, both in the order of a Gray code.
#
# Neighbouring rules differ in one entry, so that a region of rules is a few rectangles.  Rules
# without a solution are pale violet, undecided ones white; the others have a colour for each
# pattern.


UNDECIDED_COLOUR: Final = "#ffffff"
IMPOSSIBLE_COLOUR: Final = BADGES["impossible"].tint
FOUND_COLOURS: Final = (
    *("#1f5a9c", "#d2600a", "#2e7d4f", "#8a3a8f", "#b8860b", "#0f8b8d", "#b3343f", "#5b5bd6"),
    *("#6b4420", "#3b7dd8", "#e08e45", "#58a05f"),
)
"""One for each pattern; with more patterns they begin again."""
SCALE: Final = 2
"""Pixels for each rule, in each direction."""
MOST_SCALED: Final = 1024
"""Sides from this on are not scaled."""


def order_by_gray(bits: int) -> NDArray[np.intp]:
    """Return all numbers of some bits in an order in which neighbours differ in one bit.

    >>> [format(code, "02b") for code in order_by_gray(2)]
    ['00', '01', '11', '10']
    """
    numbers = np.arange(1 << bits)
    return numbers ^ (numbers >> 1)


def lay_out(space: RuleSpace, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return values of rules as an image: a column for each set of births."""
    births = sum(name.startswith("B") for name in space.free)
    columns, rows = order_by_gray(births), order_by_gray(len(space.free) - births)
    return np.ascontiguousarray(values.reshape(len(columns), -1)[columns][:, rows].T)


def draw_map(rulemap: RuleMap) -> bytes:
    """Return the picture, a PNG."""
    space = rulemap.space
    image = lay_out(space, number_colours(rulemap))
    scale = SCALE if max(image.shape) < MOST_SCALED else 1
    return draw_numbers(image, COLOURS, scale=scale)


def number_colours(rulemap: RuleMap) -> NDArray[np.uint8]:
    """Return the number of each rule's colour."""
    space = rulemap.space
    numbers = np.zeros((2,) * len(space.places), np.uint8)
    found = (region for region in rulemap.regions if region.answer == FOUND)
    coloured = list(zip(found, islice(cycle(range(2, len(COLOURS))), 1 << 20), strict=False))
    for region, number in reversed(coloured):  # of regions that overlap, the first is shown
        numbers[locate(space, region.rules)] = number
    for region in rulemap.regions:
        if region.answer != FOUND:
            numbers[locate(space, region.rules)] = 1
    return numbers


COLOURS: Final = (UNDECIDED_COLOUR, IMPOSSIBLE_COLOUR, *FOUND_COLOURS)


_TEMPLATE: Final = "page.html"


def write_page(rulemap: RuleMap) -> str:
    """Return the page."""
    title = describe_map(rulemap)
    data = json.dumps(_gather(rulemap), separators=(",", ":")).replace("<", "\\u003c")
    badges = "\n".join(
        f".{mood} {{ color: light-dark({badge.light}, {badge.dark}) }}\n"
        f'.{mood}::before {{ content: "{badge.sign} " }}'
        for mood, badge in BADGES.items()
    )
    template = files(__package__).joinpath(_TEMPLATE).read_text(encoding="utf-8")
    parts = {"title": html.escape(title), "badges": badges, "map": data}
    return re.sub(r"\{\{(\w+)\}\}", lambda part: parts[part[1]], template)


def name_one(problem: Problem) -> str:
    """Return what is asked for, whatever the rule: "a ship of speed c/2 going north in 4×4"."""
    noun = name_solutions(problem)
    if problem.has_open_height:
        symmetry = "" if problem.symmetry == "C1" else f" with symmetry {problem.symmetry}"
        gutter = " with a gutter" if problem.has_gutter else ""
        where = f"of any length in a width of {problem.width}{symmetry}{gutter}"
    else:
        where = place_words(msgspec.structs.replace(problem, rule=str(LIFE)))
    article = "" if noun.startswith("such ") else "an " if noun[0] in "aeiou" else "a "
    return f"{article}{noun} {where}"


def describe_map(rulemap: RuleMap) -> str:
    """Return the answer in one line: how many rules have such a pattern."""
    counts, some = rulemap.counts, name_one(rulemap.problem)
    left = f", and {counts['undecided']:,} are undecided" if counts["undecided"] else ""
    return f"{counts['found']:,} of {rulemap.space.size:,} rules have {some}{left}"


def _gather(rulemap: RuleMap) -> dict[str, Any]:
    """Return the data for the page's script."""
    space = rulemap.space
    fixed = [
        name
        for name, fate in zip(space.classes.names, space.entries.tolist(), strict=True)
        if fate not in (0, OPEN)
    ]
    return {
        "rules": str(space),
        "names": list(space.classes.names),
        "free": list(space.free),
        "fixed": fixed,
        "colours": list(COLOURS),
        "regions": [_encode(rulemap, region) for region in rulemap.regions],
    }


def _encode(rulemap: RuleMap, region: Region) -> list[Any]:
    """Return a mask and values over the free entries, the first at the highest bit; and more."""
    mask = value = 0
    for fate in locate(rulemap.space, region.rules):
        mask, value = 2 * mask, 2 * value
        if isinstance(fate, int):
            mask, value = mask + 1, value + fate
    if region.pattern is None:
        return [mask, value, str(region.rules)]
    return [mask, value, str(region.rules), region.pattern.to_rle()]
