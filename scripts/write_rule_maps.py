"""Write docs/rule-maps.md from the maps in docs/extra/maps.

``satlife map ship c/2 --box 7x7 -o docs/extra/maps/c2-7x7``, and then
``python scripts/write_rule_maps.py``; a test fails when the page is not what this writes.  The
page ``index.html`` of each map is written when the documentation is built, and not kept.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from satlife.certificates.words.properties import name_solutions
from satlife.rulemaps import RuleMap, read_map

DOCS = Path(__file__).resolve().parent.parent / "docs"
MAPS = DOCS / "extra" / "maps"
PAGE = DOCS / "rule-maps.md"

INTRODUCTION = """\
# The map of all rules

For each of the 131,072 outer-totalistic rules without B0: is there a ship of this speed, or an
oscillator of this period, in a box of this size? [`satlife map`](how-to/map.md) answers with a
pattern or with "there is none". These maps are complete. Click a square, or type a rule:

{first}

Every rule is a square. From left to right the births change, from top to bottom the survivals,
each in the order of a Gray code, so that neighbours differ in one entry. The top left corner is
the rule B/S, in which everything dies. Pale violet rules have no such pattern; every other colour
stands for a pattern that works in the rules of that colour.

## All maps

{pictures}

## In numbers

| asked for | box | rules with one | share | regions with a pattern | without | time |
|---|---|---|---|---|---|---|
{rows}

A *region* is a set of rules with the same answer: all rules in which one pattern works, or all
rules that agree on the entries that a refutation needs. Regions may overlap, and they vary from
run to run; the set of rules does not. The time is that of one processor of a small, busy machine.

## How they were checked

- Every pattern is run, and all rules of its region give the same generations: this is checked when
  it is found and again by `satlife check`.
- For oscillators of period 2 in 3x3 and ships of speed c/2 in 3x3 (there are none), a program of
  its own tries all patterns and all rules; all 131,072 answers agree
  (`tests/rulemaps/test_maps.py`).
- `python scripts/check_map.py FOLDER --every 64` runs an ordinary search, with another encoding
  and another solver, for one rule of every 64, and compares the answers. It was run for
  all eleven maps; all 2,048 answers agree in each.
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
    rows, pictures, first = [], [], ""
    for name, made in read_maps().items():
        if not made.is_complete:
            raise SystemExit(f"{name} is not complete")
        what, box = name_solutions(made.problem), made.problem.boxes[0]
        found, size = made.counts["found"], made.space.size
        with_pattern = sum(region.pattern is not None for region in made.regions)
        without = len(made.regions) - with_pattern
        rows.append(
            f"| {what} | {box} | {found:,} | {100 * found / size:.2f} % | {with_pattern} | "
            f"{without} | {made.seconds:.1f} s |"
        )
        title = f"{what[0].upper()}{what[1:]}, {box}: {found:,} rules"
        pictures.append(PICTURE.format(title=title, name=name))
        if name == FIRST:
            first = FRAME.format(title=title, name=name)
    shown = "\n".join(pictures).rstrip()
    return INTRODUCTION.format(first=first, rows="\n".join(rows), pictures=shown)


def main() -> None:
    """Write the page, and the summaries of the maps."""
    for name, made in read_maps().items():
        summary = made.counts | {"seconds": round(made.seconds, 2)}
        (MAPS / name / "summary.json").write_bytes(msgspec.json.encode(summary) + b"\n")
    PAGE.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
