"""One question for every rule: a page for each map in docs/extra/maps, and a table of them.

Beside a box stands the width of the same speed, as the search by rows knows it.  The maps are made
by ``satlife map``; atlas/rule_maps.py says how.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from atlas.page import player, players, table
from atlas.table import ROOT, Answers, Table
from satlife import Pattern, Rule
from satlife.certificates.words.properties import name_solutions
from satlife.life.rules import RULE_NAMES
from satlife.rulemaps import RuleMap, read_map
from satlife.rulemaps.map_check import measure_height
from satlife.rulemaps.rulemap import FOUND, Region

MAPS = ROOT / "docs" / "extra" / "maps"
FOLDER = ROOT / "docs" / "atlas" / "rules"
SHOWN = 6
"""Patterns that a page shows."""


@dataclass(frozen=True)
class Map:
    """A map, and its words."""

    name: str
    made: RuleMap

    @property
    def motion(self) -> str:
        """What is asked: ``c/2``, ``p3``."""
        return str(self.made.problem.motion)

    @property
    def size(self) -> tuple[int, int]:
        """Boxes before widths, and small ones first."""
        return self.made.problem.has_open_height, self.made.problem.width

    @property
    def where(self) -> str:
        """The box, or the width."""
        problem = self.made.problem
        return f"width {problem.width}" if problem.has_open_height else str(problem.boxes[0])

    @property
    def title(self) -> str:
        """The question, as a heading."""
        any_length = ", of any length" if self.made.problem.has_open_height else ""
        return f"Rules with a {name_solutions(self.made.problem)}{any_length}, {self.where}"

    @property
    def found(self) -> int:
        """The number of rules with such a pattern."""
        return self.made.counts["found"]

    def command(self, pattern: Pattern | None = None, rule: str = "") -> str:
        """Return the command of the question, in a box that holds the pattern; or of the map."""
        problem = self.made.problem
        kind = f"{problem.kind} {self.motion.removeprefix('p')}"
        if pattern is None:
            return f"satlife map {kind} --box {shlex.quote(problem.boxes[0])}"
        height = f"{problem.width}x{measure_height(problem, pattern)}"
        box = height if problem.has_open_height else problem.boxes[0]
        return f"satlife {kind} --box {box} --rule {rule}"


@cache
def read_maps() -> tuple[Map, ...]:
    """Return the maps: ships before oscillators, boxes before widths."""
    maps = [Map(each.name, read_map(each)) for each in MAPS.iterdir()]
    return tuple(sorted(maps, key=lambda each: (each.motion[0] != "c", each.motion, each.size)))


def list_named() -> dict[str, str]:
    """Return the rules with a name that are in the maps, by name."""
    rules = {name: Rule(notation) for name, notation in RULE_NAMES.items()}
    space = read_maps()[0].made.space
    return {name: str(rule) for name, rule in rules.items() if rule in space}


PAGE = """\
# {title}

{found:,} of {size:,} rules have one, {share:.2f} %; the others have none. The map was made in
{seconds:.1f} s of processor time, and has {with_pattern} regions of rules with a pattern and
{without} without. [](../../rule-maps.md) says what a region is, why a width can be refuted, and how
the maps were checked.

```{{image}} ../../extra/maps/{name}/map.png
:alt: {title}
:width: 256px
```

```{{raw}} html
<details><summary>Look up a rule</summary>
<iframe class="rule-map" src="../../maps/{name}/index.html" title="{title}" loading="lazy"></iframe>
</details>
```

## Patterns

{players}

Of the rules with a name: {named}

## Beside it

{beside}

## All patterns

Each works in all rules of its line; entries in brackets may be there or not.

{regions}

{{download}}`All regions <../../extra/maps/{name}/regions.jsonl>`, those without a pattern too.

## Check it

Make the map again, with a certificate for every region without a pattern, and check all of it:

```sh
{command} -o {name} --prove
satlife check {name}
```
"""


def write_map(shown: Map) -> str:
    """Return the page of a map."""
    made = shown.made
    with_pattern = [region for region in made.regions if region.pattern]
    rows = [
        (f"`{each.rules}`", f"{each.rules.size:,}", str(pattern.population), _box(shown, pattern))
        for each in sorted(with_pattern, key=lambda each: -each.rules.size)
        if (pattern := each.pattern)
    ]
    return PAGE.format(
        title=shown.title,
        name=shown.name,
        found=shown.found,
        size=made.space.size,
        share=100 * shown.found / made.space.size,
        seconds=made.seconds,
        with_pattern=len(with_pattern),
        without=len(made.regions) - len(with_pattern),
        players=_write_players(shown),
        named=_write_named(shown),
        beside=_write_beside(shown),
        regions=table(("rules", "how many", "cells", "box"), rows, numbers_from=1).strip(),
        command=shown.command(),
    )


def _box(shown: Map, pattern: Pattern) -> str:
    """Return the size of a pattern; in a width, with the height of all generations."""
    if not shown.made.problem.has_open_height:
        return f"{pattern.box.width}x{pattern.box.height}"
    return f"{pattern.box.width}x{measure_height(shown.made.problem, pattern)}"


def _write_named(shown: Map) -> str:
    """Return the names of the rules with a pattern, and of those without."""
    found: dict[bool, list[str]] = {True: [], False: []}
    for name, rule in list_named().items():
        region = shown.made.look_up(rule)
        found[region is not None and region.pattern is not None].append(name)
    told = {"found in": found[True], "none in": found[False]}
    return "; ".join(f"{words} {', '.join(names)}" for words, names in told.items() if names) + "."


def _write_players(shown: Map) -> str:
    """Return the patterns of rules with a name, and then those that work in the most rules."""
    named = {rule: name for name, rule in list_named().items()}
    many = sorted(shown.made.regions, key=lambda each: -each.rules.size)
    wanted = [*named, *(str(each.rules.least) for each in many if each.pattern)]
    regions: dict[Region, list[str]] = {}
    for rule in wanted:
        region = shown.made.look_up(rule)
        if region and region.pattern:
            regions.setdefault(region, []).append(named.get(rule, rule))
    scenes = []
    for region, titles in list(regions.items())[:SHOWN]:
        rule = list_named().get(titles[0], titles[0])
        pattern = region.pattern.with_rule(rule)
        names = ", ".join(dict.fromkeys(titles))
        more = region.rules.size - len(set(titles))
        title = f"{names} and {more} more rules" if more else names
        scenes.append(player(pattern, shown.command(pattern, rule), title))
    return players(scenes).strip()


def _write_beside(shown: Map) -> str:
    """Return the maps of the same motion; for each, the rules that only one of the two has."""
    rows = []
    here = shown.made.answers == FOUND
    for other in read_maps():
        if other.motion == shown.motion and other != shown:
            there = other.made.answers == FOUND
            more, fewer = np.count_nonzero(there & ~here), np.count_nonzero(here & ~there)
            where = f"[{other.where}]({other.name}.md)"
            rows.append((where, f"{other.found:,}", f"{more:,}", f"{fewer:,}"))
    if not rows:
        return "There is no other map of this motion."
    head = ("same motion", "rules", "not here", "only here")
    return table(head, rows, numbers_from=1).strip()


BODY = """\
For each of the 131,072 outer-totalistic rules without B0: is there a ship of this speed, or an
oscillator of this period, in this box? Is there a ship in this width, of whatever length? The boxes
are answered by SAT, the widths by the search row by row. The number is how many rules have one:
it leads to the map.

{rows}

A ship in a width may be longer than a square box is high: every rule with a ship of c/2 or c/3 in
a box has one in the box's width, and some have one only there. Each page compares the two.

```{{toctree}}
:hidden:
:glob:

rules/*
```
"""


def write_body(answers: Answers) -> str:
    """Return the table of all maps."""
    columns = sorted({(each.size, each.where) for each in read_maps()})
    cells = {
        (each.motion, each.where): f"[{each.found:,}](rules/{each.name}.md)" for each in read_maps()
    }
    motions = list(dict.fromkeys(each.motion for each in read_maps()))
    rows = [(each, *(cells.get((each, where), "") for _, where in columns)) for each in motions]
    head = ("", *(where for _, where in columns))
    return BODY.format(rows=table(head, rows, numbers_from=1).strip())


def list_pages() -> Iterator[tuple[Path, str]]:
    """Yield the page of each map."""
    return ((FOLDER / f"{each.name}.md", write_map(each)) for each in read_maps())


KNOWN = """\
Which rules have ships is known by example: David Eppstein's program gfind has found some in
thousands of rules (*Searching for Spaceships*, arXiv:cs/0004003). We know of no other list that
also says which rules have none in a box or a width, so we believe that the numbers of rules are
new. The ships of rules with a name are not.
"""

TABLE = Table(
    name="rules",
    title="One question, every rule",
    summary="How many of the 131,072 outer-totalistic rules have a ship, or an oscillator",
    body=write_body,
    known=KNOWN,
    pages=list_pages,
)
