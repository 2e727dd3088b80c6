"""The smallest ships: for each speed, the least box, with and without a mirror.

``just atlas plans`` writes the plan.  Widths without ships of any length, from
the search by rows, stand for all boxes of these widths.
"""

from __future__ import annotations

from collections.abc import Iterator

from atlas.boxes import (
    ANY_HEIGHT,
    Entry,
    Question,
    count_tasks,
    draw,
    head_plan,
    list_before,
    list_best,
    list_refuted,
    settle,
    write_cell,
)
from atlas.page import list_certificates, players, table
from atlas.table import Answers, Table
from satlife.life.box import Box

# The plan

LEVELS: dict[tuple[str, str], tuple[str, str]] = {
    ("c/2", "C1"): ("9x*", "10x10"),
    ("c/2", "D2|"): ("17x* 18x*", ""),
    ("c/3", "C1"): ("9x*", "10x6 16x6"),
    ("c/3", "D2|"): ("13x* 10x*", "12x8 12x11"),
    ("c/4", "C1"): ("8x*", "9x6 10x8"),
    ("c/4", "D2|"): ("11x* 14x*", "13x6 13x12"),
    ("c/5", "C1"): ("7x*", "8x5 9x7"),
    ("c/5", "D2|"): ("13x* 12x*", "14x5"),
    ("2c/4", "C1"): ("", "5x6"),
    ("2c/4", "D2|"): ("", "11x6"),
    ("c/4d", "C1"): ("", "3x4"),
    ("c/4d", "D2x"): ("", "4..7"),
    ("c/5d", "C1"): ("", "5x5 6x6"),
    ("c/5d", "D2x"): ("", "6..9"),
}
"""Widths of any height, and how far boxes are asked: all before a box, and that box; or squares."""


def list_asked(question: Question) -> list[str]:
    """Return the boxes of a question that are asked."""
    widths, levels = LEVELS[question.motion, question.symmetry]
    asked = widths.split()
    tall = [Box.parse(each.replace("*", str(ANY_HEIGHT))) for each in asked]
    if ".." in levels:
        low, high = map(int, levels.split(".."))
        return [f"{size}x{size}" for size in range(low, high + 1)]
    easy = [(question, box) for box in tall]
    plain = Question(question.kind, question.motion)
    if question != plain:
        widths, easy_levels = LEVELS[plain.motion, "C1"]
        easy += [(plain, Box.parse(each.replace("*", str(ANY_HEIGHT)))) for each in widths.split()]
        first = easy_levels.split()[0]
        easy += [(plain, box) for box in list_before(plain, first, easy)]
    for level in levels.split():
        boxes = [*list_before(question, level, easy), Box.parse(level)]
        asked += [str(box) for box in boxes if str(box) not in asked]
    return asked


def list_questions() -> Iterator[Question]:
    """Yield the questions of the table."""
    for speed, symmetry in LEVELS:
        yield Question("ship", speed, symmetry)


def write_plan() -> str:
    """Return the plan."""
    searches = []
    for each in list_questions():
        asked = list_asked(each)
        for some in (
            [box for box in asked if "*" in box],
            [box for box in asked if "*" not in box],
        ):
            if some:
                boxes = ", ".join(f'"{box}"' for box in some)
                told = {"speed": each.motion, "symmetry": each.asked, "boxes": boxes}
                searches.append(_SEARCH.format(**told))
    return head_plan(TABLE.name, TABLE.title) + "".join(searches)


_SEARCH = """
[[search]]
kind = "ship"
speeds = "{speed}"
symmetries = '{symmetry}'
boxes = [{boxes}]
"""


# The page


def write_body(answers: Answers) -> str:
    """Return the page."""
    entries = [settle(answers, each) for each in list_questions()]
    by_speed: dict[str, list[Entry]] = {}
    for entry in entries:
        by_speed.setdefault(entry.question.motion, []).append(entry)
    rows = [
        [speed, *(cell for each in some for cell in (write_cell(each), _widths(each, answers)))]
        for speed, some in by_speed.items()
    ]
    head = ("speed", "any ship", "in widths", "mirrored", "in widths")
    planned = sum(len(list_asked(each)) for each in list_questions())
    return _PAGE.format(
        **count_tasks(answers, planned),
        rows=table(head, rows, 9).strip(),
        proofs=table(("speed", "any ship", "mirrored"), _count(by_speed, answers), 9).strip(),
        shown=players(draw(entries, answers, _label)).rstrip(),
    )


def _label(question: Question) -> str:
    return f"{question.motion} {'mirrored' if question.symmetry != 'C1' else ''}".strip()


def _widths(entry: Entry, answers: Answers) -> str:
    """Return the widths without ships of any length."""
    refuted = list_refuted(answers, entry.question)
    widths = sorted(
        box.width for other, box in refuted if box.height == ANY_HEIGHT and other == entry.question
    )
    return " and ".join(f"{width}x*" for width in widths) or "–"


def _count(by_speed: dict[str, list[Entry]], answers: Answers) -> Iterator[list[str]]:
    for speed, some in by_speed.items():
        yield [speed, *(list_certificates(answers, each.question.words) for each in some)]


_PAGE = """\
The smallest box that holds a ship of a speed. Boxes come by their area, then by their width. A ship
travels north, or north-west if it is diagonal, and the box holds the phases of one period.

{rows}

- **5x6**, 9 cells: the least box is 5x6, and the fewest cells of a ship there are 9, in the phase
  that has the fewest.
- 16x6 … 15x10 (dart): there is no ship in any box before 16x6; the dart needs 15x10, the least box
  of such a ship in satlife's catalogue, which others have found. What lies between was not asked,
  or not decided. The plan has {planned} boxes and widths, each with a limit of ten minutes; it was
  stopped when {answered} of them had an answer, and {late} had reached the limit.
- *In widths*: no ship of this width or less, however long. Mirrored ships have two such widths, an
  even one and an odd one, because the axis lies between two columns or in one. The search by rows
  proves this at once for speeds like c/3, and [](../widths.md) goes much further than this page,
  for more speeds.

No ship of any speed fits into two rows or two columns, so no box of that shape had to be asked. Let
the phases of a period lie in two rows. A cell to the left of their leftmost column is never born,
for only the two cells of that column are near; and in that column, both cells live in the next
generation, or neither does: each does exactly if at least three of the four cells in this column
and the next one are alive. So the left end cannot move outwards, nor the right end, and the ship
moves straight up or down. After a period the leftmost column is where it was, with both of its
cells alive in the two rows; but the ship has left one of the rows.

Mirrored ships are their own mirror images, with the axis in their direction. A speed such as 2c/4
has the period 4, and c/2 the period 2: so the lightweight spaceship is in the row of 2c/4.

## The certificates of each speed

{proofs}

## The ships

{shown}
"""
KNOWN = """
The glider (R. K. Guy, 1969) and the lightweight spaceship (J. H. Conway, 1970) are as old as Life.
That no smaller box holds a ship of their speed is easy to believe; we know of no earlier
certificate. Of the other speeds the smallest ships known are wider: 25P3H1V0.1 (c/3) fits into
16x5, and those of c/2 (period 2), c/4, c/5 and c/5d are beyond the boxes of this table. Widths
without ships have been exhausted by others, with programs such as gfind and qfind;
[](../widths.md) says what is certified.
"""
TABLE = Table(
    name="ships",
    title="Smallest ships",
    summary="The least box of a ship, by speed, and how far boxes and widths have none",
    body=write_body,
    known=KNOWN,
    orders=lambda answers: list_best(answers, list_questions()),
)
