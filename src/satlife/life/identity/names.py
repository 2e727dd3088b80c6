"""The names of objects, by their apgcodes, and the well-known objects of Conway's Life.

The codes of the objects in the table are computed, not written down: those of a period when the
first of them is looked up.

>>> find_object_name("xp2_7"), find_object_name("xs4_33", "HighLife"), find_object_name("xs9_0")
('blinker', 'block', None)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from satlife.life.identity.apgcode import encode_phases
from satlife.life.identity.recurrence import find_recurrence, trace_phases
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule
from satlife.life.transforms import TRANSFORMS

# Every period is checked by the tests against the simulator, and the names, where they have them,
# against codes from other programs. To add an object: its name as the community writes it, its
# period, and the RLE of any phase in any orientation.


@dataclass(frozen=True)
class KnownObject:
    """An object with a name."""

    name: str
    """The name, as the LifeWiki writes it inside a sentence."""
    period: int
    """The period."""
    rle: str
    """One of its phases, without a header."""


OBJECTS: Final[tuple[KnownObject, ...]] = (
    # still lifes
    KnownObject("block", 1, "2o$2o!"),
    KnownObject("tub", 1, "bo$obo$bo!"),
    KnownObject("boat", 1, "b2o$obo$bo!"),
    KnownObject("aircraft carrier", 1, "2o$o$2bo$b2o!"),
    KnownObject("barge", 1, "bo$obo$bobo$2bo!"),
    KnownObject("beehive", 1, "bo$obo$obo$bo!"),
    KnownObject("ship", 1, "2o$obo$b2o!"),
    KnownObject("snake", 1, "2o$o$bo$2o!"),
    KnownObject("eater 1", 1, "2o$bo$bobo$2b2o!"),
    KnownObject("loaf", 1, "b2o$o2bo$bobo$2bo!"),
    KnownObject("long boat", 1, "bo$obo$bobo$2b2o!"),
    KnownObject("long snake", 1, "2o$o$bo$2bo$b2o!"),
    KnownObject("bi-block", 1, "2ob2o$2ob2o!"),
    KnownObject("canoe", 1, "2o$obo$3bo$4bo$3b2o!"),
    KnownObject("hook with tail", 1, "o$3o$3bo$2bo$2b2o!"),
    KnownObject("long barge", 1, "bo$obo$bobo$2bobo$3bo!"),
    KnownObject("long ship", 1, "2o$obo$bobo$2b2o!"),
    KnownObject("mango", 1, "bo$obo$o2bo$bobo$2bo!"),
    KnownObject("pond", 1, "b2o$o2bo$o2bo$b2o!"),
    KnownObject("shillelagh", 1, "2o$obo$2bo$bo$b2o!"),
    KnownObject("tub with tail", 1, "2o$bo$bobo$2bobo$3bo!"),
    KnownObject("very long snake", 1, "2o$obo$3bobo$4b2o!"),
    KnownObject("cis-boat with tail", 1, "2o$bo$bob2o$2bobo$3bo!"),
    KnownObject("hat", 1, "2bo$bobo$bobo$2ob2o!"),
    KnownObject("integral sign", 1, "2o$obo$2bo$2bobo$3b2o!"),
    KnownObject("long canoe", 1, "4b2o$5bo$4bo$3bo$obo$2o!"),
    KnownObject("long hook with tail", 1, "2o$bo2b2o$bobobo$2bo!"),
    KnownObject("long shillelagh", 1, "2o2b2o$obo2bo$3b2o!"),
    KnownObject("long^3 snake", 1, "2o$obo$3bo$4bobo$5b2o!"),
    KnownObject("trans-boat with tail", 1, "2o$bo$bobo$2bobo$3b2o!"),
    KnownObject("tub with long tail", 1, "bo$obo$bo2b2o$2b2obo!"),
    KnownObject("very long boat", 1, "bo$obo$bobo$2bobo$3b2o!"),
    KnownObject("boat-tie", 1, "bo$obo$b2o$3b2o$3bobo$4bo!"),
    KnownObject("loop", 1, "b2o$o2bo$bobo$2ob2o!"),
    KnownObject("elevener", 1, "2o$obo$2bo$2b3o$5bo$4b2o!"),
    KnownObject("honeycomb", 1, "2b2o$bo2bo$ob2obo$bo2bo$2b2o!"),
    KnownObject("ship-tie", 1, "2o$obo$b2o$3b2o$3bobo$4b2o!"),
    KnownObject("table on table", 1, "o2bo$4o2$4o$o2bo!"),
    KnownObject("paperclip", 1, "2b2o$bo2bo$bob2o$2obo$o2bo$b2o!"),
    KnownObject("moose antlers", 1, "2o5b2o$o7bo$b3ob3o$3bobo$4bo!"),
    KnownObject("pond on pond", 1, "b2o3b2o$o2bobo2bo$o2bobo2bo$b2o3b2o!"),
    KnownObject("dead spark coil", 1, "2o3b2o$obobobo$2bobo$obobobo$2o3b2o!"),
    KnownObject(
        "honey farm",
        1,
        "6bo$5bobo$5bobo$6bo2$b2o7b2o$o2bo5bo2bo$b2o7b2o2$6bo$5bobo$5bobo$6bo!",
    ),
    # oscillators
    KnownObject("blinker", 2, "3o!"),
    KnownObject("beacon", 2, "2o$2o$2b2o$2b2o!"),
    KnownObject("clock", 2, "2bo$obo$bobo$bo!"),
    KnownObject("toad", 2, "b3o$3o!"),
    KnownObject("bipole", 2, "2o$obo2$2bobo$3b2o!"),
    KnownObject("tripole", 2, "2o$obo2$2bobo$5bo$4b2o!"),
    KnownObject("phoenix 1", 2, "3bo$3bobo$bo$6b2o$2o$6bo$2bobo$4bo!"),
    KnownObject("quad", 2, "2o2b2o$o2bobo$bo$4bo$obo2bo$2o2b2o!"),
    KnownObject("spark coil", 2, "2o4b2o$obo2bobo$2bo2bo$obo2bobo$2o4b2o!"),
    KnownObject("caterer", 3, "2bo$o3b4o$o3bo$o$3bo$b2o!"),
    KnownObject("jam", 3, "3b2o$2bo2bo$o2bobo$o3bo$o$3bo$b2o!"),
    KnownObject(
        "star",
        3,
        "5bo$4b3o$2b3ob3o$2bo5bo$b2o5b2o$2o7b2o$b2o5b2o$2bo5bo$2b3ob3o$4b3o$5bo!",
    ),
    KnownObject("cross", 3, "2b4o$2bo2bo$3o2b3o$o6bo$o6bo$3o2b3o$2bo2bo$2b4o!"),
    KnownObject(
        "diamond ring",
        3,
        "6bo$5bobo$4bobobo$4bo3bo$2b2o2bo2b2o$bo4bo4bo$obob2ob2obobo$bo4bo4bo$2b2o2bo2b2o"
        "$4bo3bo$4bobobo$5bobo$6bo!",
    ),
    KnownObject(
        "pulsar",
        3,
        "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o"
        "4bobo4bo2$2b3o3b3o!",
    ),
    KnownObject("mazing", 4, "3b2o$bobo$o5bo$bo3b2o2$3bobo$4bo!"),
    KnownObject("mold", 4, "3b2o$2bo2bo$o2bobo$4bo$ob2o$bo!"),
    KnownObject("monogram", 4, "2o3b2o$bobobo$b2ob2o$bobobo$2o3b2o!"),
    KnownObject("pseudo-barberpole", 5, "10b2o$11bo$9bo$7bobo2$5bobo2$3bobo2$2b2o$o$2o!"),
    KnownObject("octagon 2", 5, "3b2o$2bo2bo$bo4bo$o6bo$o6bo$bo4bo$2bo2bo$3b2o!"),
    KnownObject("fumarole", 5, "3b2o$bo4bo$bo4bo$bo4bo$2bo2bo$obo2bobo$2o4b2o!"),
    KnownObject("unix", 6, "b2o$b2o2$bo$obo$o2bo2b2o$4bob2o$2b2o!"),
    KnownObject("A for all", 6, "4b2o$3bo2bo$3b4o$bobo2bobo$o8bo$o8bo$bobo2bobo$3b4o$3bo2bo$4b2o!"),
    KnownObject(
        "burloaferimeter",
        7,
        "4b2o$5bo$4bo$3bob3o$3bobo2bo$2obo3bobo$2obobo2bo$4b4o2$4b2o$4b2o!",
    ),
    KnownObject("figure eight", 8, "3o$3o$3o$3b3o$3b3o$3b3o!"),
    KnownObject("blocker", 8, "6bobo$5bo$2o2bo4bo$2obo2bob2o$4b2o!"),
    KnownObject("smiley", 8, "3ob3o$bobobo2$bo3bo2$obobobo$2bobo!"),
    KnownObject("Kok's galaxy", 8, "6ob2o$6ob2o$7b2o$2o5b2o$2o5b2o$2o5b2o$2o$2ob6o$2ob6o!"),
    KnownObject(
        "worker bee",
        9,
        "2o12b2o$bo12bo$bobo8bobo$2b2o8b2o2$5b6o2$2b2o8b2o$bobo8bobo$bo12bo$2o12b2o!",
    ),
    KnownObject(
        "snacker",
        9,
        "2o16b2o$bo16bo$bobo12bobo$2b2o12b2o$7bo4bo$5b2ob4ob2o$7bo4bo$2b2o12b2o$bobo12bob"
        "o$bo16bo$2o16b2o!",
    ),
    KnownObject("24P10", 10, "7b2o$7bo2bo$3bo4bo3bo$4b2o3bob2o2$2obo3b2o$o3bo4bo$2bo2bo$4b2o!"),
    KnownObject(
        "dinner table",
        12,
        "bo$b3o7b2o$4bo6bo$3b2o4bobo$9b2o$6bo$4b2obo2$2bo3bo2bo$bob2o4bo$bo6bo$2o7b3o$11bo!",
    ),
    KnownObject("tumbler", 14, "b2ob2o$b2ob2o$2bobo$obobobo$obobobo$2o3b2o!"),
    KnownObject("pentadecathlon", 15, "2bo4bo$2ob4ob2o$2bo4bo!"),
    KnownObject(
        "Achim's p16",
        16,
        "7b2o$7bobo$2bo4bob2o$b2o5bo$o2bo$3o2$10b3o$9bo2bo$4bo5b2o$2b2obo4bo$3bobo$4b2o!",
    ),
    KnownObject(
        "46P22",
        22,
        "2o13b2o$o15bo$b3o9b3o$3bo9bo2$6bo3bo$5bobobobo$b3obobobobob3o$6bo3bo4$3bo9bo$b3o"
        "9b3o$o15bo$2o13b2o!",
    ),
    KnownObject("queen bee shuttle", 30, "9bo$7bobo$6bobo$2o3bo2bo11b2o$2o4bobo11b2o$7bobo$9bo!"),
    KnownObject(
        "twin bees shuttle",
        46,
        "17b2o$2o15bobo7b2o$2o17bo7b2o$17b3o4$17b3o$2o17bo$2o15bobo$17b2o!",
    ),
    # spaceships
    KnownObject(
        "64P2H1V0",
        2,
        "5b3o15b3o$4bo3bo13bo3bo$3b2o4bo11bo4b2o$2bobob2ob2o3b3o3b2ob2obobo$b2obo4bob2ob3"
        "ob2obo4bob2o$o4bo3bo4bobo4bo3bo4bo$12bo5bo$2o7b2o9b2o7b2o!",
    ),
    KnownObject("25P3H1V0.1", 3, "7b2obo$4b2obob2ob3o$b4o2b2o6bo$o4bo3bo3b2o$b2o!"),
    KnownObject(
        "edge-repair spaceship 1",
        3,
        "8bo$7b4o$2bo3bo3b2ob2o$b4o5bo2b2o$o3bo7bo2bo$bobo2bo$5bo!",
    ),
    KnownObject(
        "dart",
        3,
        "7bo$6bobo$5bo3bo$6b3o2$4b2o3b2o$2bo3bobo3bo$b2o3bobo3b2o$o5bobo5bo$bob2obobob2obo!",
    ),
    KnownObject(
        "turtle",
        3,
        "b3o7bo$b2o2bob2ob2o$3b3o4bo$bo2bobo3bo$o4bo4bo$o4bo4bo$bo2bobo3bo$3b3o4bo$b2o2bo"
        "b2ob2o$b3o7bo!",
    ),
    KnownObject("glider", 4, "bo$2bo$3o!"),
    KnownObject("LWSS", 4, "bo2bo$o$o3bo$4o!"),
    KnownObject("MWSS", 4, "3bo$bo3bo$o$o4bo$5o!"),
    KnownObject("HWSS", 4, "3b2o$bo4bo$o$o5bo$6o!"),
    KnownObject("crab", 4, "8b2o$7b2o$9bo$11b2o$10bo2$9bo2bo$b2o5b2o$2o5bo$2bo4bobo$4b2o2bo$4b2o!"),
    KnownObject(
        "B29",
        4,
        "3b2o$2b2o$4bo$6b2o$5bo2$4bo2bo$b2obo$2o4bo$2bobo2bo$7bo$4bo2bo$5bobo$5bobo$6b2o$6bo!",
    ),
    KnownObject(
        "37P4H1V0",
        4,
        "bo$bo8bo$obo5bo3bo$8bo3b2o$5bob2o5b2o$b6o2bo6bo$2b2o6bo3b3o$10bo3bob2o$13bo$18bo"
        "$17bo$17bo!",
    ),
    KnownObject(
        "hivenudger",
        4,
        "4o5bo2bo$o3bo3bo$o7bo3bo$bo2bo3b4o2$5b2o$5b2o$5b2o2$bo2bo3b4o$o7bo3bo$o3bo3bo$4o5bo2bo!",
    ),
    KnownObject(
        "46P4H1V0",
        4,
        "3bo11bo$3bo11bo$2bobo9bobo2$bo3bo7bo3bo$bob6ob6obo$o7bobo7bo$o7bobo7bo$o17bo$bob"
        "2ob2o3b2ob2obo!",
    ),
    KnownObject(
        "big glider",
        4,
        "3b3o$3bo2b3o$4bobo$2o7bo$obo4bo2bo$o8b2o$b2o$bo2bo5bob2o$bo9b2obo$3bobo6b2o2bo$4"
        "b2obo4b2o3bo$8bo7bo$7b4o3bobo$7bob2o3b4o$8bo3b2obo$13b2o$9bob3o$10bo2bo!",
    ),
    KnownObject(
        "30P5H2V0",
        5,
        "4bo$3b3o$2b2ob2o2$bobobobo2bo$2o3bo3b3o$2o3bo6bo$10bobo$8bobo$9bo2bo$12bo!",
    ),
    KnownObject(
        "44P5H2V0",
        5,
        "4bo5bo$3b3o3b3o$2bo2bo3bo2bo$b3o7b3o$2bobo5bobo$4b2o3b2o$o4bo3bo4bo$5bo3bo$2o3bo"
        "3bo3b2o$2bo2bo3bo2bo$4bo5bo!",
    ),
    KnownObject(
        "58P5H1V1",
        5,
        "20b2o$20b2o$19bo2bo$16b2obo2bo$22bo$14b2o3bo2bo$14b2o5bo$15bob5o$16bo3$13b3o$13b"
        "o$11b2o$5b2o4bo$5b3o3bo$3bo4bo$3bo3bo$7bo$2b2obobo$2o5bo$2o4b2o$2b4o!",
    ),
    KnownObject(
        "spider",
        5,
        "9bo7bo$3b2obobob2o3b2obobob2o$3obob3o9b3obob3o$o3bobo5bobo5bobo3bo$4b2o6bobo6b2o"
        "$b2o9bobo9b2o$b2ob2o15b2ob2o$5bo15bo!",
    ),
    KnownObject(
        "56P6H1V0",
        6,
        "5b3o10b3o$3obo7b2o7bob3o$4bo3bo2bo2bo2bo3bo$4bo5bo4bo5bo$10b2o2b2o$7bo3bo2bo3bo$"
        "7bobo6bobo$8b10o$10bo4bo$8bo8bo$7bo10bo$8bo8bo!",
    ),
    KnownObject(
        "Sir Robin",
        6,
        "4b2o$4bo2bo$4bo3bo$6b3o$2b2o6b4o$2bob2o4b4o$bo4bo6b3o$2b4o4b2o3bo$o9b2o$bo3bo$6b"
        "3o2b2o2bo$2b2o7bo4bo$13bob2o$10b2o6bo$11b2ob3obo$10b2o3bo2bo$10bobo2b2o$10bo2bob"
        "obo$10b3o6bo$11bobobo3bo$14b2obobo$11bo6b3o2$11bo9bo$11bo3bo6bo$12bo5b5o$12b3o$1"
        "6b2o$13b3o2bo$11bob3obo$10bo3bo2bo$11bo4b2ob3o$13b4obo4b2o$13bob4o4b2o$19bo$20bo"
        "2b2o$20b2o$21b5o$25b2o$19b3o6bo$20bobo3bobo$19bo3bo3bo$19bo3b2o$18bo6bob3o$19b2o"
        "3bo3b2o$20b4o2bo2bo$22b2o3bo$21bo$21b2obo$20bo$19b5o$19bo4bo$18b3ob3o$18bob5o$18"
        "bo$20bo$16bo4b4o$20b4ob2o$17b3o4bo$24bobo$28bo$24bo2b2o$25b3o$22b2o$21b3o5bo$24b"
        "2o2bobo$21bo2b3obobo$22b2obo2bo$24bobo2b2o$26b2o$22b3o4bo$22b3o4bo$23b2o3b3o$24b"
        "2ob2o$25b2o$25bo2$24b2o$26bo!",
    ),
    KnownObject("loafer", 7, "b2o2bob2o$o2bo2b2o$bobo$2bo$8bo$6b3o$5bo$6bo$7b2o!"),
    KnownObject(
        "weekender",
        7,
        "bo12bo$bo12bo$obo10bobo$bo12bo$bo12bo$2bo3b4o3bo$6b4o$2b4o4b4o2$4bo6bo$5b2o2b2o!",
    ),
    KnownObject(
        "55P9H3V0",
        9,
        "6b3o3b3o$2bob2o3bobo3b2obo$b3o3bobobobo3b3o$o3bo4bobo4bo3bo$bo7bobo7bo$8bobobo$8"
        "bobobo2$10bo$9bobo$7b2o3b2o$7bobobobo$7b2o3b2o!",
    ),
    KnownObject("copperhead", 10, "b2o2b2o$3b2o$3b2o$obo2bobo$o6bo2$o6bo$b2o2b2o$2b4o2$3b2o$3b2o!"),
    KnownObject(
        "Schick engine",
        12,
        "bo2bo$o$o3bo$4o9b2o$6b3o5b2o$6b2ob2o6b3o$6b3o5b2o$4o9b2o$o3bo$o$bo2bo!",
    ),
    KnownObject("Coe ship", 16, "4b6o$2b2o5bo$2obo5bo$4bo3bo$6bo$6b2o$5b4o$5b2ob2o$7b2o!"),
)
"""All of them: still lifes, oscillators, spaceships."""


_CODE = re.compile(r"x(?:(s)[0-9]+|[pq]([0-9]+))_.*")


def find_object_name(code: str, rule: RuleLike = LIFE) -> str | None:
    """Find the name of the object with this apgcode; ``None`` if the table has none.

    The names are of objects of Conway's Life. One that lives just as well by another rule, all
    its generations the same, keeps its name there.
    """
    match = _CODE.fullmatch(code)
    if not match:
        return None
    period, asked = 1 if match[1] else int(match[2]), as_rule(rule)
    if asked.states > 2 or asked.table[0] or len(asked.symmetries) < len(TRANSFORMS):
        return _name_codes(period, asked).get(code)
    # By a rule as symmetric as Life, the same generations have the same code.
    name = _name_codes(period, LIFE).get(code)
    known = [Pattern.from_rle(each.rle) for each in OBJECTS if each.name == name]
    return name if any(_live_alike(trace_phases(it, period), asked) for it in known) else None


@lru_cache(maxsize=256)
def _name_codes(period: int, rule: Rule) -> Mapping[str, str]:
    # A rule that is not symmetric may tell an object from its mirror image: both have the name.
    transforms = TRANSFORMS if len(rule.symmetries) < len(TRANSFORMS) else TRANSFORMS[:1]
    names = {}
    for known in OBJECTS:
        if known.period != period:
            continue
        for transform in transforms:
            pattern = Pattern.from_rle(known.rle).transformed(transform)
            recurrence = find_recurrence(pattern, generations=period)
            phases = trace_phases(pattern, period)
            if recurrence is not None and _live_alike(phases, rule):
                moved = [phase.with_rule(rule) for phase in phases]
                names[encode_phases(moved, recurrence)] = known.name
    return names


def _live_alike(phases: Sequence[Pattern], rule: Rule) -> bool:
    """Return whether the generations follow each other by another rule, too."""
    return rule == LIFE or all(
        now.with_rule(rule)[1] == later.with_rule(rule)
        for now, later in pairwise((*phases, phases[-1][1]))
    )
