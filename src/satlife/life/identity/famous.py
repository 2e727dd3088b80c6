"""Famous patterns of Conway's Life that do not recur: methuselahs, guns, puffers and rakes.

What each of them does is not written here: the tests compare what :func:`identify` finds with
recorded facts. To add one: its name as the LifeWiki writes it inside a sentence, its kind, and its
RLE without a header.

>>> find_famous_name(Pattern.from_rle("b2o$2o$bo!"))
'R-pentomino'
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE
from satlife.life.transforms import TRANSFORMS


class FamousPattern(Struct, frozen=True):
    """A pattern with a name that does not recur."""

    name: str
    kind: str
    """``methuselah``, or one of the kinds of linear growth."""
    rle: str

    @property
    def pattern(self) -> Pattern:
        """Its cells, with the box at (0, 0)."""
        return Pattern.from_rle(self.rle)


FAMOUS: Final[tuple[FamousPattern, ...]] = (
    FamousPattern("T-tetromino", "methuselah", "3o$bo!"),
    FamousPattern("R-pentomino", "methuselah", "b2o$2o$bo!"),
    FamousPattern("century", "methuselah", "2b2o$3o$bo!"),
    FamousPattern("thunderbird", "methuselah", "3o2$bo$bo$bo!"),
    FamousPattern("pi-heptomino", "methuselah", "3o$obo$obo!"),
    FamousPattern("B-heptomino", "methuselah", "ob2o$3o$bo!"),
    FamousPattern("Herschel", "methuselah", "o$3o$obo$2bo!"),
    FamousPattern("queen bee", "methuselah", "3bo$2bobo$bo3bo$2b3o$2o3b2o!"),
    FamousPattern("diehard", "methuselah", "6bo$2o$bo3b3o!"),
    FamousPattern("acorn", "methuselah", "bo$3bo$2o2b3o!"),
    FamousPattern("switch engine", "methuselah", "bobo$o$bo2bo$3b3o!"),
    FamousPattern("multum in parvo", "methuselah", "3b3o$2bo2bo$bo$o!"),
    FamousPattern("7468M", "methuselah", "4bo$4b2o$2ob2o$o!"),
    FamousPattern("rabbits", "methuselah", "o3b3o$3o2bo$bo!"),
    FamousPattern("bunnies", "methuselah", "o5bo$2bo3bo$2bo2bobo$bobo!"),
    FamousPattern("blom", "methuselah", "o10bo$b4o6bo$2b2o7bo$10bo$8bobo!"),
    FamousPattern("Lidka", "methuselah", "bo$obo$bo8$8bo$6bobo$5b2obo2$4b3o!"),
    FamousPattern(
        "Gosper glider gun",
        "gun",
        "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3b"
        "o$12b2o!",
    ),
    FamousPattern(
        "Simkin glider gun",
        "gun",
        "2o5b2o$2o5b2o2$4b2o$4b2o5$22b2ob2o$21bo5bo$21bo6bo2b2o$21b3o3bo3b2o$26bo4$20b2o$20bo$21b3o$"
        "23bo!",
    ),
    FamousPattern(
        "bi-gun",
        "gun",
        "11bo$10b2o$9b2o$10b2o2b2o$38bo$38b2o8b2o$39b2o7b2o$10b2o2b2o18b2o2b2o$2o7b2o$2o8b2o$11bo$34"
        "b2o2b2o$39b2o$38b2o$38bo!",
    ),
    FamousPattern(
        "B-52 bomber",
        "gun",
        "b2o$b2o17bo$19bobo12bobo$20bo12bo$2o7b2o23bo2bo$2obo5b2o23bobobo$3bo23bo7bo2bo$3bo23b2o7b2o"
        "$o2bo17b2o5bo$b2o18bo$21b3o$36b2o$36b2o$b2o$o2bo$obobo16bobo4b2o5b2o$bo2bo17b2o4b2o5b2obo$5"
        "bo12bo3bo15bo$2bobo12bobo18bo$18bo16bo2bo$36b2o!",
    ),
    FamousPattern(
        "AK-94 gun",
        "gun",
        "7bo7bo7b2o$7b3o5b3o5b2o$10bo7bo$9b2o6b2o16b2o$30b2o2bo2bo$30bobo2b2o$33b2o$5bo28bo$5b3o26bo"
        "b2o$8bo22b2obo2bo$7b2o22b2ob2o3$17bo$2b2ob2o9bobo10b2o$o2bob2o8bo3bo9bo$2obo11bo3bo10b3o$3b"
        "o11bo3bo12bo$3b2o11bobo$b2o2bobo9bo$o2bo2b2o$b2o16b2o$19bo$13b2o5b3o$13b2o7bo!",
    ),
    FamousPattern(
        "new gun 2",
        "gun",
        "23b2o24b2o$23b2o24b2o$41b2o$40bo2bo$41b2o2$36b3o$36bobo$9b2o25b3o$9b2o25b2o$8bo2bo23b3o$8bo"
        "2bob2o20bobo$8bo4b2o20b3o$10b2ob2o$31b2o$21b2o7bo2bo$21b2o8b2o$49b2o$49b2o2$4b2o18bo$2o4b4o"
        "10b2o2b2ob3o$2o2b2ob3o10b2o4b4o$4bo19b2o!",
    ),
    FamousPattern("block-laying switch engine", "puffer", "6bo$4bob2o$4bobo$4bo$2bo$obo!"),
    FamousPattern(
        "glider-producing switch engine",
        "puffer",
        "bo$bo$bo$5bo$b3o2bo$o4bo$o3bo$b3o$15b2o$13b2o2bo$obo10b2o3bo$obo10b2o$obo$obo17bo$b2o14bo3$"
        "22bo2bo$26bo$22bo10b2o$26bo6b2o$22b4o$21bo$22b2o$23bo3$41b2o$41b2o3$13b2o$13b2o5$36b2o$36b3"
        "o9b2o$37bo10bobo$49bo$33bo$27bo5bo$26bobo11b3o$26bo2bo9bob2o$16b2o9b2o10b2o$15bo2bo$15b2ob2"
        "o$18bobo$20b2o$17bo3bo$17bo2bo44b2o$18b3o44b2o3$54bo$53bobo$40bo12b2o$39bobo$39b2o!",
    ),
    FamousPattern(
        "puffer 1",
        "puffer",
        "b3o6bo5bo6b3o$o2bo5b3o3b3o5bo2bo$3bo4b2obo3bob2o4bo$3bo19bo$3bo2bo13bo2bo$3bo2b2o11b2o2bo$2"
        "bo3b2o11b2o3bo!",
    ),
    FamousPattern(
        "blinker puffer 1",
        "puffer",
        "3bo$bo3bo$o$o4bo$5o4$b2o$2ob3o$b4o$2b2o2$5b2o$3bo4bo$2bo$2bo5bo$2b6o!",
    ),
    FamousPattern(
        "slow puffer 2",
        "puffer",
        "3bo9b2o$bo3bo6b2ob3o$o12b5o$o4bo8b3o$5o3$20bo$b2o10b2obo2bobo$2ob3o6bobob4obo$b4o3b3obo$2b2"
        "o8bobob4obo$13b2obo2bobo$5b2o13bo$3bo4bo$2bo$2bo5bo$2b6o6b3o$13b5o$12b2ob3o$13b2o!",
    ),
    FamousPattern(
        "space rake",
        "rake",
        "10b2o8bo$9b4o8bo$9b2ob2o3bo3bo$11b2o5b4o4$17bo$18b2o$19bo$19bo$18bo3$20bo$21bo$17bo3bo$b4o1"
        "3b4o$o3bo$4bo$3bo!",
    ),
    FamousPattern(
        "backrake 1",
        "rake",
        "5b3o11b3o$4bo3bo9bo3bo$3b2o4bo7bo4b2o$2bobob2ob2o5b2ob2obobo$b2obo4bob2ob2obo4bob2o$o4bo3bo"
        "2bobo2bo3bo4bo$12bobo$2o7b2obobob2o7b2o$12bobo$6b3o9b3o$6bo3bo9bo$6bobo4b3o$12bo2bo4b2o$15b"
        "o$11bo3bo$11bo3bo$15bo$12bobo!",
    ),
    FamousPattern(
        "backrake 2",
        "rake",
        "3bo$2b3o$b2obo5bo$b3o5b3o$2b2o4bo2b2o3b3o$8b3o4bo2bo$18bo$18bo$18bo$2b3o12bo$2bo2bo$2bo$2bo"
        "$3bo7$3o$o2bo11bo$o13b3o$o12b2obo$o12b3o$bo12b2o!",
    ),
)

_CODES: Final = {
    "yl30_1_5_74055a5f5e513fd2e62fb8d6117d3f03": "Gosper glider gun",
    "yl120_1_5_a8951180f5834d06046b5b3407a1c16a": "Simkin glider gun",
    "yl144_1_16_afb5f3db909e60548f086e22ee3353ac": "block-laying switch engine",
    "yl384_1_59_7aeb1999980c43b4945fb7fcdb023326": "glider-producing switch engine",
}
"""The names of linear growth that arises in other ways, too."""


def find_famous_name(pattern: Pattern, code: str | None = None) -> str | None:
    """Find the name of a pattern, in any orientation, or else of the code of its growth."""
    if pattern.rule != LIFE:
        return None
    return _name_shapes().get(_find_shape(pattern)) or _CODES.get(code or "")


@lru_cache(maxsize=1)
def _name_shapes() -> dict[tuple[tuple[int, ...], bytes], str]:
    return {_find_shape(famous.pattern): famous.name for famous in FAMOUS}


def _find_shape(pattern: Pattern) -> tuple[tuple[int, ...], bytes]:
    """Return a key of the cells that is the same in all orientations."""
    turned = (transform.apply_to_array(pattern.cells) for transform in TRANSFORMS)
    return min((cells.shape, cells.tobytes()) for cells in turned)
