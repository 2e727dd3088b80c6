"""Still lifes: the densest in a square, and how many strict ones there are of each size.

The page has the theorem that makes a list of strict still lifes complete.  Up to ``PLAIN`` cells,
one certificate lists all still lifes in a square; with more cells, there is one for each bounding
box, and the wide boxes have the conditions of ``list_conditions`` too.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby, product
from typing import NamedTuple

from atlas.page import link, list_certificates, player, players, table
from atlas.table import Answers, Order, Record, Table
from satlife import Pattern
from satlife.life import Transform

DENSEST = (0, 4, 6, 8, 16, 18, 28, 36, 43, 54, 64, 76)
"""The most cells in a square of side 1, 2, …: A055397."""
STRICT = (0, 0, 0, 2, 1, 5, 4, 9, 10, 25, 46, 121, 240)
"""The number of strict still lifes of 1, 2, … cells: A019473."""
FEWEST = 4
"""The cells of the smallest still lifes."""
PLAIN = 10
"""The most cells for which all still lifes in a square are listed at once."""
NARROW = 7
"""The widest box that is asked for without further conditions."""
EMPTY = {
    11: ((9, 2), (6, 3), (5, 4)),
    12: ((7, 2), (6, 3), (4, 4)),
    13: ((11, 2), (8, 3), (5, 5)),
}
"""Boxes without a still life of so many cells, which need not be asked one by one."""
HOURS = 2
DENSE, COUNTED = "densest still life", "strict still lifes of {} cells"
Size = tuple[int, int]
Rows = list[str]
Cells = frozenset[tuple[int, int]]


def most_side(cells: int) -> int:
    """Return the greatest width of a strict still life of so many cells, by the page's theorem."""
    return 3 if cells == 4 else max(2, cells - 2)


def list_boxes(cells: int) -> list[Size]:
    """Return the bounding boxes that are asked one by one, the width not less than the height."""
    sides = range(2, most_side(cells) + 1)
    sizes = [(width, height) for width in sides for height in range(2, width + 1)]
    empty = EMPTY[cells]
    return [(w, h) for w, h in sizes if not any(w <= wide and h <= high for wide, high in empty)]


def list_conditions(width: int, height: int) -> Iterator[tuple[Rows, int]]:
    """Yield what holds for every strict still life in its bounding box, after a turn.

    Each is a drawing, and how many cells are not as in it: at least one in two adjacent columns
    or rows; at least as many in the left half as in the right one, in the upper half as in the
    lower one, and, in a square, below the diagonal as above it.
    """

    def draw(state: Callable[[int, int], str]) -> Rows:
        return ["".join(state(x, y) for x in range(width)) for y in range(height)]

    for left in range(1, width - 2):
        yield draw(lambda x, y: "." if x in (left, left + 1) else "?"), 1  # noqa: B023 - at once
    for top in range(1, height - 2):
        yield draw(lambda x, y: "." if y in (top, top + 1) else "?"), 1  # noqa: B023 - at once
    # Live cells of one half and dead cells of the other are at least as many as the other's cells.
    yield draw(lambda x, y: _weigh(2 * x, width - 1)), width // 2 * height
    yield draw(lambda x, y: _weigh(2 * y, height - 1)), height // 2 * width
    if width == height:
        yield draw(_weigh), width * (width - 1) // 2


def _weigh(one: int, other: int) -> str:
    return "." if one < other else "o" if one > other else "?"


def _write_rle(rows: Rows) -> str:
    """Write a drawing as RLE does, with its question marks."""
    runs = ((state, len(list(run))) for state, run in groupby("$".join(rows)))
    words = (f"{length if length > 1 else ''}{state}" for state, length in runs)
    return "".join(words).replace(".", "b") + "!"


def list_orders(answers: Answers) -> Iterator[Order]:
    """Yield the commands of all certificates, the short ones first."""
    yield _order("densest-1", "--box 1x1", DENSE)
    for side in range(2, len(DENSEST) + 1):
        yield _order(f"densest-{side}", f"--box {side}x{side} --maximize population", DENSE)
    yield _order("strict-0", f"--box 2x2 --population ..{FEWEST - 1}", COUNTED.format("so few"))
    for cells in range(FEWEST, len(STRICT) + 1):
        yield from list_counting(cells)


def list_counting(cells: int) -> Iterator[Order]:
    """Yield the orders that list the strict still lifes of so many cells."""
    question = COUNTED.format(cells)
    if cells <= PLAIN:
        side = most_side(cells)
        bounds = f"--box {side}x{side} --population ={cells} --all"
        yield _order(f"strict-{cells}", bounds, question)
        return
    for width, height in EMPTY[cells]:
        bounds = f"--box {width}x{height} --population ={cells}"
        yield _order(f"strict-{cells}-none-{width}x{height}", bounds, question)
    for width, height in list_boxes(cells):
        words = f"--box {width}x{height} --width ={width} --height ={height}".split()
        words += ["--population", f"={cells}", "--all"]
        if width > NARROW:
            for drawing, least in list_conditions(width, height):
                words += ["--difference", _write_rle(drawing), f">={least}"]
        yield _order(f"strict-{cells}-{width}x{height}", shlex.join(words), question)


def _order(name: str, bounds: str, question: str) -> Order:
    return Order(name, f"satlife still-life {bounds}", question, timeout=HOURS * 3600)


# Which are strict


def is_strict(alive: Cells) -> bool:
    """Return whether no division of a still life's islands leaves two still lifes.

    By the page's lemma, a division is excluded by a dead cell with three live neighbours on one
    side of it and at least one on the other.
    """
    islands = list_islands(alive)
    around = {near for cell in alive for near in _see(cell)} - alive
    crowded = [cell for cell in around if len(_see(cell) & alive) > 3]
    seen = [[len(_see(cell) & island) for island in islands] for cell in crowded]
    for sides in product((0, 1), repeat=len(islands) - 1):
        halves = (0, *sides)
        if 1 in halves and not any(_ties(counts, halves) for counts in seen):
            return False
    return True


def _ties(counts: list[int], halves: tuple[int, ...]) -> bool:
    one, other = (
        sum(c for c, half in zip(counts, halves, strict=True) if half == k) for k in (0, 1)
    )
    return (one == 3 and other > 0) or (other == 3 and one > 0)


def list_islands(alive: Cells) -> list[Cells]:
    """Return the sets of live cells that touch each other."""
    left, islands = set(alive), []
    while left:
        island: set[tuple[int, int]] = set()
        edge = {left.pop()}
        while edge:
            island |= edge
            edge = {near for cell in edge for near in _see(cell)} & left
            left -= edge
        islands.append(frozenset(island))
    return islands


@cache
def _see(cell: tuple[int, int]) -> Cells:
    """Return a cell and its eight neighbours."""
    x, y = cell
    return frozenset(product(range(x - 1, x + 2), range(y - 1, y + 2)))


def name_class(alive: Cells) -> tuple[tuple[int, int], ...]:
    """Return the same name for all shifted, turned and mirrored copies: the least one."""
    images = []
    for turned in (alive, frozenset((y, x) for x, y in alive)):
        for i, j in product((1, -1), repeat=2):
            image = [(i * x, j * y) for x, y in turned]
            left, top = (min(cell[k] for cell in image) for k in (0, 1))
            images.append(tuple(sorted((x - left, y - top) for x, y in image)))
    return min(images)


def list_strict(records: Iterable[Record]) -> dict[tuple[tuple[int, int], ...], Pattern]:
    """Return the strict still lifes among the patterns of some records, one of each class."""
    patterns = (Pattern.from_rle(rle) for each in records for rle in each.patterns)
    sets = ((read_cells(each), each) for each in patterns)
    return {name_class(alive): each for alive, each in sets if is_strict(alive)}


def read_cells(pattern: Pattern) -> Cells:
    """Return the places of the live cells."""
    return frozenset((x, y) for x, y in pattern.coordinates.tolist())


# The page


def write_body(answers: Answers) -> str:
    """Return the page."""
    sides = range(1, len(DENSEST) + 1)
    sizes = range(FEWEST, len(STRICT) + 1)
    counted = [_count(answers, cells) for cells in sizes]
    return _PAGE.format(
        densest=table(_DENSEST, [_densest_row(answers, n) for n in sides], numbers_from=0).strip(),
        shown=players(filter(None, (_show_densest(answers, n) for n in sides))).strip(),
        none=link("certificate", "strict-0"),
        left=_say_left(answers),
        counts=table(_COUNTS, (each.row for each in counted), numbers_from=0).strip(),
        widest=players(each.widest for each in counted[2::3] if each.widest).strip(),
        conditions=_draw_conditions(),
    )


_DENSEST = ("n", "cells", "A055397", "processor time, s", "certificate, bytes", "check, s")


def _densest_row(answers: Answers, side: int) -> list[str]:
    record = answers.records.get(f"densest-{side}")
    known = str(DENSEST[side - 1])
    if record is None or record.answer != "certified":
        limit = f" within {record.limit / 3600:g} h" if record else ""
        return [str(side), f"not proved{limit}", known, "", "", ""]
    cells = link(str(record.values[0] if record.values else 0), record.name)
    return [str(side), cells, known, *_costs([record])]


def _show_densest(answers: Answers, side: int) -> str:
    record = answers.records.get(f"densest-{side}")
    if record is None or not record.patterns:
        return ""
    cells = Pattern.from_rle(record.patterns[0]).population
    question = f"satlife still-life --box {side}x{side} --population '>={cells}'"
    title = f"{side}x{side}: {cells} cells"
    return player(record.patterns[0], record.command, title, question=question)


def _costs(records: list[Record]) -> tuple[str, str, str]:
    """Return the seconds for making some certificates, their size, and the seconds for checking."""
    size = sum(each.bytes for each in records)
    make, check = sum(each.seconds for each in records), sum(each.check for each in records)
    return f"{make:,.1f}" if make else "not measured", f"{size:,}", f"{check:,.1f}"


class Count(NamedTuple):
    """What is known of the strict still lifes of a number of cells."""

    row: list[str]
    widest: str
    """A player of the widest one."""


_COUNTS = (
    *("cells", "strict", "A019473", "widest", "listed in all", "certificates"),
    *("processor time, s", "bytes", "check, s"),
)


def _count(answers: Answers, cells: int) -> Count:
    orders = list(list_counting(cells))
    known = [answers.records.get(order.name) for order in orders]
    records = [each for each in known if each and each.answer == "certified"]
    strict, expected = list_strict(records), str(STRICT[cells - 1])
    if not strict:
        return Count([str(cells), "not counted", expected, *[""] * 6], "")
    missing = len(orders) - len(records)
    told = f"at least {len(strict)} (boxes left: {missing})" if missing else str(len(strict))
    flat = (each if each.box.width >= each.box.height else _turn(each) for each in strict.values())
    widest = max(flat, key=lambda each: (each.box.width, -each.box.height))
    box = f"{widest.box.width}x{widest.box.height}"
    listed = sum(len(each.patterns) for each in records)
    proofs = list_certificates(answers, orders[0].question)
    row = [str(cells), told, expected, box, f"{listed:,}", proofs, *_costs(records)]
    command = f"satlife still-life --box {box} --population ={cells}"
    return Count(row, player(widest, command, f"{cells} cells"))


def _say_left(answers: Answers) -> str:
    """Say what has not been made, if anything."""
    left = sum(order.name not in answers.records for order in list_orders(answers))
    return (
        f"\n{left} certificates are left to be made; `just atlas still-lifes` does it.\n"
        if left
        else ""
    )


def _turn(pattern: Pattern) -> Pattern:
    return pattern.transformed(Transform("flip-diagonal")).normalized


def _draw_conditions() -> str:
    """Return one condition of each sort, side by side."""
    conditions = list(list_conditions(8, 8))
    shown = [conditions[i] for i in (1, 7, -3, -2, -1)]
    lines = [[f">= {least}".ljust(8), *rows] for rows, least in shown]
    return "\n".join("   ".join(line).rstrip() for line in zip(*lines, strict=True))


_PAGE = """\
A *still life* does not change. How many live cells can one have in a square, and how many
different ones are there with a given number of cells? Both are known, from programs written for
the purpose. Here every answer has a certificate.

## The densest in a square

The most cells of a still life in n×n. Each number links to its certificate: the still life below
has that many cells, and none in the square has more.

{densest}

{shown}

## How many have n cells

Two blocks side by side are not counted as a new still life. A still life is *strict* if it cannot
be divided into two still lifes ([exactly](#what-strict-means)). These are the numbers of strict
still lifes, those that are turned or mirrored counted once. There are none of fewer than 4 cells
({none}).

{counts}
{left}
A certificate lists *all* still lifes of n cells in a box, strict or not, and proves that there are
no others there. The [theorem](#how-wide-a-strict-still-life-can-be) says which boxes are enough;
"listed in all" is the number of patterns in the certificates, with those that are not strict, and
in wide boxes with some that are images of each other. "Widest" is the largest bounding box in its
longer side; the theorem allows n − 2, which is reached by longer and longer snakes:

{widest}

## What strict means

An *island* is a set of live cells that touch each other, at sides or corners, and touch no others.
A still life is **strict** if its islands cannot be divided into two sets, neither of them empty,
that are both still lifes. (Some still lifes can be divided into three still lifes, or four, but
not into two. They are strict in this sense, but not in that of A019473. The smallest has 32 cells,
says [A056613](https://oeis.org/A056613), so for the numbers above this makes no difference.)

**Lemma.** Let the islands of a still life be divided into two sets P and Q. Both are still lifes
if and only if no dead cell has exactly three live neighbours in one of them, and at least one in
the other.

*Proof.* Such a cell would become alive in the one, so the one would not be a still life. Now let
there be none. The live neighbours of a live cell are all in its own island. So a live cell of P
has the same live neighbours in P as in the whole, and stays alive; and a cell of Q has none in P,
and stays dead there. That leaves the cells that are dead in the whole. If one of them becomes alive
in P, it has three live neighbours in P. It does not become alive in the whole, so it has another
live neighbour, which is in Q; but there is no such cell. The same holds for Q. ∎

This decides which of the listed still lifes are strict: for each division of the islands, the
program looks for such a cell. An island has at least three cells, so 13 cells are at most four
islands, which have seven divisions. A test compares the result with
[`is_strict`](../how-to/catalogue.md#what-strict-means) of satlife, which is another program, and
with a third one that steps both parts.

## How wide a strict still life can be

**Theorem.** A strict still life of n cells is at most n − 2 cells wide, or it is 3 wide and has 4
cells. The same holds for its height.

*Proof.* Let its bounding box have w columns. The columns that have live cells form *runs* of
adjacent columns, with empty columns between the runs.

1. *Two adjacent columns are never both empty.* What is on their left and what is on their right
   would be a division of the islands, and no cell would have neighbours in both parts; so by the
   lemma the still life would not be strict. So an empty column stands alone between two runs.
2. *Beside an empty column is a column with three live cells or more.* The column divides the
   islands into a left and a right part. By the lemma, some dead cell has three live neighbours in
   one part and at least one in the other. Only a cell of the empty column has neighbours in both;
   and its three neighbours in one part are in the one column beside it.
3. *A run has at least two columns, and the first two together at least three cells; and so have
   the last two.* A live cell of the first column has neighbours only in that column and in the
   next one. The uppermost live cell of the first column has at most one live neighbour in its own
   column. It needs two, so it has one in the second column. If the first column has two live cells
   or more, that makes three. If it has only one, its two neighbours are both in the second column.
4. *A run of m columns has at least m + 1 cells; at least m + 2 unless m = 3; and at least m + 2
   also if its first or its last column has three cells or more.* For m ≥ 4, the first two columns
   and the last two have three cells or more each, and every column between them one. For m = 3,
   the first two have three, and the last one has one, which makes 4; if the last one has three,
   that makes 6, and likewise if the first one has. For m = 2, there are three by step 3. Were
   there only three, each of them would have the two others as neighbours, and they would be three
   cells of a 2×2 square. The fourth cell of the square would be dead, and have exactly these three
   live neighbours, since the columns beside the run are empty; it would become alive. So there are
   four.
5. With one run, w = m, and step 4 is the theorem: n ≥ w + 2, or w = 3 and n ≥ 4. With k ≥ 2 runs,
   there are k − 1 empty columns, and the runs have w − k + 1 columns together. Each run has at
   least one cell more than columns, and by steps 2 and 4 one of them has two more. So n ≥ w − k +
   1 + k + 1 = w + 2. ∎

So for n ≥ 5, turned so that it is not higher than wide, a strict still life of n cells lies in a
box w×h with 2 ≤ h ≤ w ≤ n − 2, and n = 4 needs 3×3. Up to 10 cells, one certificate for the square
of side n − 2 lists everything. From 11 cells on there are too many pairs of small still lifes far
from each other, and each bounding box is asked by itself, with `--width` and `--height`; what has
no still life of n cells at all is refuted by a few larger boxes.

In boxes more than 7 wide, a certificate lists only what meets some more conditions, which every
strict still life meets in its bounding box, if it is turned or mirrored in the right way:

- By step 1, of every two adjacent columns or rows, at least one has a live cell.
- The left half has at least as many cells as the right half, and the upper half as the lower one;
  a column or a row in the middle counts for neither. (Otherwise mirror it; one mirror does not
  change what the other compares.)
- In a square box, there are at least as many cells below the diagonal as above it. (Otherwise
  mirror it in the diagonal, which exchanges the other two comparisons.)

In a statement these are drawings, with the number of cells that must not be as drawn (`.` dead,
`o` alive, `?` any). For 8×8, one of each sort:

```text
{conditions}
```

A cell that lives in the left half is not as drawn, and neither is a cell that is dead in the right
half. If there are at least 32 of both, the left half has as many live cells as the right one, or
more.
"""
KNOWN = """\
All of it was known. The densest still lifes are those of [A055397](https://oeis.org/A055397),
which is known for every n: Geoffrey Chu and Peter Stuckey, *A complete solution to the maximum
density still life problem*, Artificial Intelligence 184–185 (2012). The numbers of strict still
lifes are those of [A019473](https://oeis.org/A019473), counted by programs of several people; its
terms for 24 to 28 cells had to be corrected in 2016 and 2017. We know of no other certificates for
either that can be checked. The bound on the width is elementary, and probably not new.
"""
TABLE = Table(
    name="still-lifes",
    title="Still lifes",
    summary="The most cells of a still life in a square; how many strict ones have n cells",
    body=write_body,
    known=KNOWN,
    orders=list_orders,
)
