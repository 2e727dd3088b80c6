"""The page of the gallery, docs/gallery.md, and its pictures, from the rows that are kept.

A pattern that a certificate names is drawn, an oscillator with its rotor and stator in colours.
Where there is none, the question is: its boxes, the cells that are given, and hatched the unknown.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from atlas.gallery.items import GLIDERS, ITEMS, ORPHANS
from atlas.gallery.rows import Kept, Row, read_kept
from satlife import Problem
from satlife.life import Pattern
from satlife.life.cells import UNKNOWN
from satlife.problem.sketch import make_sketch
from satlife.problem.words import write_command
from satlife.show import Scene, draw

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "gallery.md"
IMAGES = DOCS / "images" / "gallery"

HEAD = """\
# Gallery of certified impossibilities

What does not exist, and what cannot be improved: each picture stands for a certificate that anyone
can check. Patterns that a certificate names are drawn, and can be played if they move; of an
oscillator the *rotor*, the cells that change, is orange, and the *stator*, cells that always live,
is blue. Where there is no pattern, the picture is the question: the cells that are given and,
hatched, the unknown ones.

::::{container} players

"""

HASHES = """\
::::

## The certificates

Each was made by the command shown, with `--prove FOLDER`. Its proof was checked by satlife's own
checker and by `lrat-check`, and `satlife check` then checked it again from the problem alone.
[](background/trust.md) explains what that is worth.

The hash covers all files of the folder but `certificate.json`, which holds times. Whoever makes the
certificate anew, with the same solver, should get the same one:

```sh
cd FOLDER && ls | grep -v certificate.json | LC_ALL=C sort | xargs sha256sum | sha256sum
```

:::{table}
:class: gallery

| certificate | MB | made on | formulas | SHA-256 |
|---|---:|---|---:|---|
"""

INPUTS = """
## The files that the commands read

"""

COSTS = """
## What they cost

Times are seconds on one core of a busy 2-core machine, processor seconds where that is said: the
command does everything, from the search to packing the folder, and `check` begins with the problem
alone. The size of a proof is that of the LRAT text before compression. `just atlas gallery`
makes the certificates anew and writes this page.

| certificate | variables | clauses | leaves | solved s | proof MB | own checker s | lrat-check s \
| `check` s | command, processor s | `check`, processor s |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""

BEFORE = """
## Before symmetry, and now

Proofs may assume that generation 0 is the least of its images: [](background/trust.md) says why.
The same claims before they could, when CaDiCaL 3.0.0 was given the formula as it is; and now, when
CaDiCaL 1.9.5 is given the least images only, in a formula that its proof has reduced. What each of
the three saves was not measured by itself:

| certificate | proof MB | now | folder MB | now |
|---|---:|---:|---:|---:|
"""

TASKS = """
## What a proof costs

The refuted tasks of the [benchmark](benchmarks.md), in processor seconds: the plain answer;
building the audit formula, checking its symmetries, and solving it while a proof is written;
trimming that proof; and checking it with our own checker ({rounds}, on {measured}):

| task | plain s | with a proof s | ratio | trimmed s | checked s | more | proof MB |
|---|---:|---:|---:|---:|---:|---:|---:|
{rows}

The ratio is {median:.1f} at the median and {worst:.1f} at the worst; trimming and checking take
{more:.1f} times the plain answer more, at the median.
"""


def draw_picture(row: Row) -> bytes:
    """Return the SVG of a row."""
    problem = Problem.from_json(row.problem.encode())
    if row.shown:
        patterns = [Pattern.from_plaintext("\n".join(rows).replace("o", "O")) for rows in row.shown]
        turns = problem.motion is not None and problem.motion.period > 1
        return draw(patterns, "svg", map="rotor" if turns else None, cell=12)
    sketch = make_sketch(problem)
    if problem.kind == "orphan":
        # Nothing is said of the cells around an orphan, nor of its parent.
        frames = tuple(frame for frame in sketch.frames if (frame.cells != UNKNOWN).any())
        sketch = Scene(frames, rule=sketch.rule, margin=0)
    return draw(sketch, "svg", caption=False, cell=12 if sketch.box.width <= 12 else 7)


def draw_all(kept: Kept) -> Iterator[tuple[str, bytes]]:
    """Yield the file's name and the picture of every row."""
    for row in _rows(kept):
        yield f"{row.name}.svg", draw_picture(row)


def _rows(kept: Kept) -> list[Row]:
    """Return the rows in the order of the page."""
    return [kept.rows[item.name] for item in ITEMS if item.name in kept.rows]


def render(kept: Kept) -> str:
    """Return the page."""
    rows = _rows(kept)
    costs = [
        f"| {row.name} | {row.variables:,} | {row.clauses:,} | {row.leaves} "
        f"| {row.solve_seconds:.1f} | {row.proof_bytes / 1e6:.1f} | {row.own_seconds:.1f} "
        f"| {row.lrat_seconds:.1f} | {row.check_seconds:.1f} | {row.made_cpu:.1f} "
        f"| {row.checked_cpu:.1f} |\n"
        for row in rows
    ]
    inputs = "\n".join(
        f"`{name}`:\n\n```text\n{text}```\n" for name, text in {**ORPHANS, **GLIDERS}.items()
    )
    hashes = "".join(
        f"| {row.name} | {row.folder_bytes / 1e6:.2f} | {row.made} | version {row.audit} "
        f"| `{row.sha256}` |\n"
        for row in rows
    )
    shown = HEAD + "".join(map(_show, rows)) + HASHES + f"{hashes}:::\n" + INPUTS + inputs
    return shown + COSTS + "".join(costs) + BEFORE + "".join(_look_back(kept)) + _compare(kept)


def _look_back(kept: Kept) -> Iterator[str]:
    for item in ITEMS:
        if (before := item.before) and (row := kept.rows.get(item.name)):
            yield (
                f"| {row.name} | {before.proof_mb:.1f} | {row.proof_bytes / 1e6:.1f} "
                f"| {before.folder_mb:.2f} | {row.folder_bytes / 1e6:.2f} |\n"
            )


def _show(row: Row) -> str:
    problem = Problem.from_json(row.problem.encode())
    claim = f"**{_title(row)}**\n\n`satlife {row.command}`\n"
    if problem.motion is None or problem.motion.period == 1 or not row.shown:
        return _box(f"![{row.title}](images/gallery/{row.name}.svg)\n\n{claim}")
    number, question = len(row.shown), write_command(problem) or ""
    return "".join(
        _box(f"{_play(rows, question)}\n{f'{n} of {number}. ' if number > 1 else ''}{claim}")
        for n, rows in enumerate(row.shown, 1)
    )


def _box(content: str) -> str:
    return f":::{{container}}\n{content}:::\n\n"


def _play(rows: Sequence[str], question: str) -> str:
    rle = Pattern.from_plaintext("\n".join(rows).replace("o", "O")).to_rle()
    cells = "".join(line for line in rle.splitlines() if line[0] not in "#x")
    return f"```{{player}} {cells}\n:view: rotor\n:question: {question}\n```\n"


def _title(row: Row) -> str:
    """Return the claim; that of an eater in words that tell it from the others."""
    if not row.name.startswith("eater-"):
        return row.title
    _, phase, most = row.name.split("-")
    plural = "" if most == "1" else "s"
    return f"No eater recovers from a glider in phase {phase} within {most} generation{plural}"


def _compare(kept: Kept) -> str:
    if not kept.costs:
        return ""
    costs = kept.costs.values()
    return TASKS.format(
        rows="\n".join(f"| {name} {cost.cells}" for name, cost in kept.costs.items()),
        median=statistics.median(cost.ratio for cost in costs),
        worst=max(cost.ratio for cost in costs),
        more=statistics.median(cost.rest for cost in costs),
        measured=kept.measured,
        rounds="one run" if kept.rounds == 1 else f"medians of {kept.rounds} alternating runs",
    )


def write_page() -> None:
    """Write the page and its pictures."""
    kept = read_kept()
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, picture in draw_all(kept):
        (IMAGES / name).write_bytes(picture)
    PAGE.write_text(render(kept), encoding="utf-8", newline="\n")
