"""Orphans: the fewest cells that nothing becomes, and the heights at which there are none.

``orphan-WIDTHxHEIGHT.rle`` is an orphan, and ``core-WIDTHxHEIGHT.rle`` its core, for the picture:
none of its cells can be left out, says its certificate.  ``parents-HEIGHT.txt`` proves that all
patterns of a height have parents; see :mod:`atlas.parents_check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from atlas.page import link, table
from atlas.parents_check import read_family
from atlas.table import DATA, Answers, Order, Table, read_answers
from satlife import PartialPattern
from scripts.draw_docs import Picture

NAME = "orphans"
FOLDER = DATA / NAME
FOUND = {
    "10x10": "Heule, Hartman, Kwekkeboom and Noels, 2011",
    "11x9": "Eker, 2016",
    "11x11": "Beluchenko, 2009",
}
"""By whom each orphan was found."""


def list_orders(answers: Answers) -> Iterator[Order]:
    """Yield the commands that shrink the orphans."""
    for box in FOUND:
        yield Order(f"core-{box}", f"satlife orphan orphan-{box}.rle --shrink", "cores")


def read_core(box: str, answers: Answers) -> PartialPattern | None:
    """Return the core of an orphan; None if it is not certified."""
    record = answers.records.get(f"core-{box}")
    if record is None or record.answer != "certified":
        return None
    core = PartialPattern.from_rle((FOLDER / f"core-{box}.rle").read_text("utf-8"))
    if not re.match(f"An orphan of {core.box.area - core.unknown} cells", record.statement):
        raise SystemExit(f"core-{box}.rle is not what is certified: {record.statement}")
    return core


def write_body(answers: Answers) -> str:
    """Return the page."""
    rows, pictures = [], []
    for box, finder in FOUND.items():
        core = read_core(box, answers)
        if core is None:
            continue
        states, size = core.states[0], box.replace("x", "×")
        alive, dead = int((states == 1).sum()), int((states == 0).sum())
        words = link(f"{alive + dead} cells", f"core-{box}")
        rows.append((size, finder, words, str(alive), str(dead)))
        title = f"The {alive + dead} cells of an orphan in {size}"
        pictures.append(f"![{title}](core-{box}.svg)")
    head = ("box", "found by", "core", "alive", "dead")
    heights = [_height_row(path) for path in sorted(FOLDER.glob("parents-*"))]
    return BODY.format(
        cores=table(head, rows, numbers_from=2).strip(),
        pictures="\n\n".join(pictures),
        heights=table(("height", "proof", "sets"), heights, numbers_from=2).strip(),
    )


def _height_row(path: Path) -> tuple[str, str, str]:
    """Return what a family says; the tests check it."""
    family = read_family(path)
    where = f"../../atlas/data/{NAME}/{path.name}"
    return str(family.height), f"{{download}}`{path.name} <{where}>`", f"{len(family.words):,}"


def list_pictures() -> Iterator[tuple[Path, str]]:
    """Yield the pictures of the cores."""
    for box in FOUND:
        if core := read_core(box, read_answers(FOLDER)):
            title = f"An orphan in {box}: the cells that are drawn have no parent"
            picture = Picture(f"core-{box}", title, [core], labels=(box.replace("x", "×"),))
            yield TABLE.page.with_name(f"{picture.name}.svg"), picture.draw()


BODY = """
An *orphan* is a patch that nothing becomes, whatever surrounds it: a finite part of a Garden of
Eden. Its dead cells count as much as the live ones. Cells that do not matter are hatched.

## Few cells

Each orphan below is reduced to a *core*: without any one of its cells, dead or alive, the others
have a parent. The certificate has the proof that the core has no parent, and a parent for each cell
that is left out. The command is `satlife orphan orphan-10x10.rle --shrink`, in
`atlas/data/orphans`, which has the orphans and their cores.

{cores}

{pictures}

The command leaves cells out in 3 random orders. We also tried 40, by a script that is not kept, and
the number was the same each time. For 10×10 and 11×9 it is the least possible: all 92 cells of the
first core, and 88 of the 89 of the second, are needed even if every other cell of the box is given,
and those 88 alone have a parent. (For each such cell there is a parent of all the others; a test
finds them again.) In 11×11, 93 of the 105 cells are needed in this sense, and we do not know
whether there is a smaller core with other cells.

## Heights without orphans

Every pattern of the heights below has a parent, however wide it is. The proof is a family of sets.
A pattern is read column by column, and a set has the last columns that a parent can have so far.
For each set of the family and each column that the pattern can have next, what is then possible
contains a set of the family. No set is empty, so there is always a parent.

{heights}

`python -m atlas parents 2 --prove parents-2.txt` searches for a family, and `--check
parents-2.txt` checks one. A file has only the columns that lead to each set. The check shares
nothing with the search, and begins with the theorem and its proof. Height 3 takes 210 s of
processor time to search, and 243 s to check. With `--rule`, the search answers for other rules: in
HighLife, all patterns two cells high have parents; in B2/S, one of 12×2 has none, and no narrower
one of that height.

**Height 4** is out of reach of this search. Heights 1 to 3 have 30, 145 and 688 states, and needed
16, 314 and 423,705 sets: 20 times as many, then 1,300 times. Height 4 has 3,048 states, so that a
set takes 381 bytes, and sixteen columns to follow. Even if the next factor is only 100,000, that
is 16 terabytes.
"""

KNOWN = """
- The orphans are known. [11×11](https://conwaylife.com/wiki/Garden_of_Eden_5) was found by Nicolay
  Beluchenko in 2009, and 10×10 by Marijn Heule, Christiaan Hartman, Kees Kwekkeboom and Alain Noels
  in 2011 ("Symmetry in Gardens of Eden", Electronic Journal of Combinatorics 20, 2013). 11×9 is
  Garden of Eden 10, found by Steven Eker on 16 September 2016; its 89 needed cells, the same as
  here, were [published with it](https://conwaylife.com/forums/viewtopic.php?p=72395). The
  certificates are ours, and so is the remark that 92 and 89 are the least for these two patterns.
- Two more orphans of Eker are missing, because we do not have their cells: one of 12×8, of April
  2016, the smallest in area, says
  [Wikipedia](https://en.wikipedia.org/wiki/Garden_of_Eden_(cellular_automaton)), and Garden of Eden
  11, a later record. So 89 may not be the fewest cells known, and nothing here says that there is
  no orphan of fewer.
- There are orphans of 33×9 (Roger Banks, 1971), 122×6 and 117×6 (Jean Hardouin-Duparc, 1973) and
  83×5 (Steven Eker, 2016), and there are none of a height less than 4, says
  [LifeWiki](https://conwaylife.com/wiki/Garden_of_Eden). That there are none of height 4 was
  claimed by mscibing [on 11 June 2023](https://conwaylife.com/forums/viewtopic.php?t=6042), with a
  set of 21,767,045,299 elements as the proof; we have not checked it. Our proofs for heights 1 to 3
  are new only as files that anyone can check; we know of no other such file.
"""

TABLE = Table(
    name=NAME,
    title="Orphans",
    summary="Three orphans without the cells that do not matter; heights without orphans",
    body=write_body,
    known=KNOWN,
    orders=list_orders,
    pages=list_pictures,
)
