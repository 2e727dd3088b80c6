"""Write docs/rule-maps.md from the maps in docs/extra/maps.

``satlife map ship c/2 --box 7x7 -o docs/extra/maps/c2-7x7`` (or ``--box '5x*'`` and
``c2-width-5``), and then ``python -m atlas rule-maps``; a test fails when the page is not
what this writes.  The page ``index.html`` of each map is written when the documentation is built,
and not kept; nor are the states of a width, ``states.xz``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec

from satlife.certificates.words.properties import name_solutions
from satlife.rulemaps import RuleMap, read_map
from satlife.rulemaps.map_check import measure_height

DOCS = Path(__file__).resolve().parent.parent / "docs"
MAPS = DOCS / "extra" / "maps"
PAGE = DOCS / "rule-maps.md"

INTRODUCTION = """\
# The map of all rules

For each of the 131,072 outer-totalistic rules without B0: is there a ship of this speed, or an
oscillator of this period, in a box of this size? Is there a ship of this speed in this width, of
whatever length? [`satlife map`](how-to/map.md) answers with a pattern or with "there is none".
These maps are complete. Click a square, or type a rule:

{first}

Every rule is a square. From left to right the births change, from top to bottom the survivals,
each in the order of a Gray code, so that neighbours differ in one entry. The top left corner is
the rule B/S, in which everything dies. Pale violet rules have no such pattern; every other colour
stands for a pattern that works in the rules of that colour. [](atlas/rules.md) has a page for each
map, with its patterns.

## All maps

{pictures}

## In numbers

| asked for | box | rules with one | share | regions with a pattern | without | time |
|---|---|---|---|---|---|---|
{rows}

A *region* is a set of rules with the same answer: all rules in which one pattern works, or all
rules that agree on the entries that a refutation needs. Regions may overlap, and they vary from
run to run; the set of rules does not. The time is that of one processor of a small, busy machine.

Ships of any length, in a width:

| asked for | width | rules with one | share | longest | regions | without | states | time |
|---|---|---|---|---|---|---|---|---|
{width_rows}

*Regions* are those with a ship, and *without* those that have none. *Longest* is the height that
holds all generations of the tallest ship that the map shows; a rule may also have a shorter one.
*States* are those of all closed sets of the map together.

## Why a width has no ship of any length

A ship that moves up k cells in p generations is one sequence of rows, if k and p have no common
divisor: row y of generation t is row p·y + k·t of the sequence. The rule binds each row to three
others, and a *state* is 2p successive rows. A ship is a path of states from nothing back to
nothing ([](widths.md)).

A *range* of rules fixes some entries of the rule's table and leaves the others open. Three rows
*may give* a fourth if in every column, and in the column on each side of the width, the entry of
the nine cells around is open or is what the fourth row has there (beside the width: dead). A row
*may follow* a state if it and the two rows of the state that the rule binds to it may give the
third one.

**Theorem.** Let S be a set of states that contains the empty one. For each of its states and each
row that may follow, let S contain the next state, which is not empty unless this one is; or let
it be impossible by all rules of the range to go on after that row. Then no rule of the range has
a ship of this speed and width, of any length.

*Proof.* Take a ship by a rule of the range. Where the range fixes an entry that the ship uses,
the rule agrees with it; so each of its rows may follow those before it. Its states lead from the
empty one through others back to it. All of them are in S, one after the other, because the ship
goes on after each of its rows. But the last step would lead from a state that is not empty to the
empty one. ∎

Such a *closed set* settles all rules of its range at once, often thousands. The hypotheses in
full (two states, no B0, straight up by k < p cells, k and p coprime, no symmetry or a left-right
mirror) are at the top of `audit/width_ranges.py`, which checks a set with NumPy
alone and shares nothing with the search. `satlife map` keeps all states in `states.xz`; they are
not part of these pages, and are made again in the time above.

## How they were checked

- Every pattern is run, and all rules of its region give the same generations: this is checked when
  it is found and again by `satlife check`.
- For oscillators of period 2 in 3x3 and ships of speed c/2 in 3x3 (there are none), a program of
  its own tries all patterns and all rules; all 131,072 answers agree
  (`tests/rulemaps/test_maps.py`).
- `python -m atlas check-map FOLDER --every 64` runs an ordinary search, with another encoding
  and another solver, for one rule of every 64, and compares the answers. It was run for
  all eleven maps of boxes; all 2,048 answers agree in each.
- For the maps of widths, the same program asks SAT in a box with a height, 12 for rules without a
  ship. All 2,048 answers agree for each of the three speeds in width 3, for c/2 and c/3 in width 4,
  and for c/2 in width 5; for c/4 in width 4, 64 answers (height 10). The other three maps were not
  compared with SAT; in 5x12 a refutation at c/4 takes it too long.
- With `--golly`, bgolly runs every ship of the maps of widths, by the least and by the greatest
  rule of its region, beside a copy that travels the other way: all are where they should be.
- `satlife check` has checked every closed set of the ten maps of widths, without a search. For
  random sets of rules in small widths, every answer was compared with a brute force of its own and
  with a search for the single rule (`just fuzz --sort rows-map`): 220 sets, no difference.
- `--prove` adds a certificate for every region without a pattern, and `satlife check` then checks
  the whole map, counting the rules so that none is left out. Certificates are not
  part of these pages.
- An earlier sketch of 120 lines found the same numbers of rules for c/2 in
  5x5 and 6x6, c/3 and c/4d in 5x5, and period 2 in 5x5.
"""
FIRST = "c4d-4x4"
"""The map that is open on the page: of the rules with a glider, among them Life."""
FRAME = """\
```{{raw}} html
<iframe class="rule-map" src="maps/{name}/index.html" title="{title}" loading="lazy"></iframe>
```"""
PICTURE = """\
### {title}

```{{image}} extra/maps/{name}/map.png
:alt: {title}, all rules
:width: 256px
```

```{{raw}} html
<details><summary>Look up a rule</summary>
<iframe class="rule-map" src="maps/{name}/index.html" title="{title}" loading="lazy"></iframe>
</details>
```

{{download}}`All regions <extra/maps/{name}/regions.jsonl>`
"""


def read_maps() -> dict[str, RuleMap]:
    """Return the maps by name: ships before oscillators, each from small boxes to large ones."""
    made = {folder.name: read_map(folder) for folder in MAPS.iterdir()}
    return dict(sorted(made.items(), key=lambda each: (each[0][0] != "c", each[0])))


def render() -> str:
    """Return the page."""
    rows, width_rows, pictures, first = [], [], [], ""
    for name, made in read_maps().items():
        if not made.is_complete:
            raise SystemExit(f"{name} is not complete")
        what, box = name_solutions(made.problem), made.problem.boxes[0]
        found, size = made.counts["found"], made.space.size
        with_pattern = sum(region.pattern is not None for region in made.regions)
        without = len(made.regions) - with_pattern
        share, told = f"{found:,} | {100 * found / size:.2f} %", f"{with_pattern} | {without}"
        if made.problem.has_open_height:
            width = made.problem.width
            states = sum(region.closed.count for region in made.regions if region.closed)
            ships = [region.pattern for region in made.regions if region.pattern]
            longest = max(measure_height(made.problem, ship) for ship in ships)
            width_rows.append(
                f"| {what} | {width} | {share} | {longest} | {told} | {states:,} | "
                f"{made.seconds:.1f} s |"
            )
            where = f"of any length, width {width}"
        else:
            rows.append(f"| {what} | {box} | {share} | {told} | {made.seconds:.1f} s |")
            where = str(box)
        title = f"{what[0].upper()}{what[1:]}, {where}: {found:,} rules"
        pictures.append(PICTURE.format(title=title, name=name))
        if name == FIRST:
            first = FRAME.format(title=title, name=name)
    shown = "\n".join(pictures).rstrip()
    told = {"rows": "\n".join(rows), "width_rows": "\n".join(width_rows)}
    return INTRODUCTION.format(first=first, pictures=shown, **told)


def main(words: Sequence[str]) -> None:
    """Write the page, and the summaries of the maps."""
    parser = argparse.ArgumentParser(prog="python -m atlas rule-maps", description=__doc__)
    parser.parse_args(words)
    for name, made in read_maps().items():
        summary = made.counts | {"seconds": round(made.seconds, 2)}
        (MAPS / name / "summary.json").write_bytes(msgspec.json.encode(summary) + b"\n")
    PAGE.write_text(render(), encoding="utf-8")
