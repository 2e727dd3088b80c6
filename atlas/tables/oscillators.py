"""The smallest oscillators: for each period and symmetry, the least box and the least population.

``just atlas plans`` writes the plan.
"""

from __future__ import annotations

from collections.abc import Iterator

from atlas.boxes import (
    Question,
    count_tasks,
    draw,
    head_plan,
    list_before,
    list_best,
    settle,
    write_cell,
)
from atlas.page import players, table
from atlas.table import Answers, Table
from satlife.life.box import Box
from satlife.life.symmetry import needs_square

PERIODS = range(2, 9)
SYMMETRIES = {
    "C1": "any",
    "C2": "half turn",
    "C4": "quarter turn",
    "D2|": "mirror",
    "D2x": "diagonal mirror",
    "D4+": "two mirrors",
    "D4x": "two diagonal mirrors",
    "D8": "all",
}

# The plan

LEVELS: dict[str, tuple[str, ...]] = {
    "C1": ("3x3", "6x6 7x7", "6x6", "5x6 6x6", "5x5 5x6", "4x6 5x5", "4x6 5x5"),
    "C2": ("3x3", "7x8", "7x7", "6x7 8x8", "6x7 7x7", "5x8 7x7", "5x7 7x7"),
    "C4": ("4..6", "7..9", "8..12", "6..8", "7..12", "7..12", "7..13"),
    "D2|": ("3x3", "9x5 12x5", "7x7", "6x5 8x7", "6x6 7x7", "5x5 7x7", "5x5 7x8"),
    "D2x": ("3..4", "5..7", "5..8", "5..8", "5..9", "5..8", "5..10"),
    "D4+": ("3x3", "10x10", "7x7", "8x8", "9x9 10x10", "8x9 10x10", "8x9 10x10"),
    "D4x": ("2..4", "7..13", "7..12", "6..8", "7..12", "7..12", "8..10"),
    "D8": ("7..9", "8..10", "14..16", "6..8", "12..18", "11..17", "10..18"),
}
"""How far boxes are asked, for each period: all that come before a box, and that box; or squares.

Where there are two, the first is easy, and no symmetry that asks for more asks it again.
"""
THIN = (Box(0, 0, 1, 100), Box(0, 0, 2, 50))
"""Boxes that are asked once for each period from 3 on, without symmetry."""


def list_asked(question: Question, levels: list[str]) -> list[Box]:
    """Return the boxes of a question that are asked, those first that are easy."""
    if needs_square(question.group.group):
        low, high = map(int, levels[0].split(".."))
        return [Box(0, 0, size, size) for size in range(low, high + 1)]
    plain = Question(question.kind, question.motion)
    easy = [(plain, box) for box in THIN if question.motion != "p2"]
    asked = [box for _, box in easy if question == plain]
    for other in question.weaker:
        if other != question and not needs_square(other.group.group):
            easy += [(other, box) for box in list_before(other, read_levels(other)[0])]
    for level in levels:
        boxes = [*list_before(question, level, easy), Box.parse(level)]
        asked += [box for box in boxes if box not in asked]
    return asked


def read_levels(question: Question) -> list[str]:
    """Return how far boxes are asked."""
    return LEVELS[question.symmetry][PERIODS.index(int(question.motion[1:]))].split()


def list_questions() -> Iterator[Question]:
    """Yield the questions of the table."""
    for symmetry in SYMMETRIES:
        for period in PERIODS:
            yield Question("oscillator", f"p{period}", symmetry)


def list_tasks() -> list[tuple[Question, Box]]:
    """Return the questions and boxes that are asked."""
    return [(each, box) for each in list_questions() for box in list_asked(each, read_levels(each))]


def write_plan() -> str:
    """Return the plan."""
    searches = []
    for each in list_questions():
        boxes = ", ".join(f'"{box}"' for box in list_asked(each, read_levels(each)))
        period = each.motion[1:]
        searches.append(_SEARCH.format(period=period, symmetry=each.asked, boxes=boxes))
    return head_plan(TABLE.name, TABLE.title) + "".join(searches)


_SEARCH = """
[[search]]
kind = "oscillator"
periods = {period}
symmetries = '{symmetry}'
boxes = [{boxes}]
"""


# The page


def write_body(answers: Answers) -> str:
    """Return the page."""
    entries = {(each.motion, each.symmetry): settle(answers, each) for each in list_questions()}
    rows = [
        [f"`{name}` {words}", *(write_cell(entries[f"p{period}", name]) for period in PERIODS)]
        for name, words in SYMMETRIES.items()
    ]
    shown = []
    for period in PERIODS:
        some = [entries[f"p{period}", name] for name in SYMMETRIES]
        drawn = players(draw(some, answers, lambda each: f"`{each.symmetry}`"))
        if drawn:
            shown.append(f"### Period {period}\n\n{drawn}")
    return _PAGE.format(
        **count_tasks(answers, len(list_tasks())),
        rows=table(("symmetry", *(f"p{period}" for period in PERIODS)), rows, 9).strip(),
        decided=sum(each.undecided is None for each in entries.values()),
        all=len(entries),
        shown="\n".join(shown).rstrip(),
    )


_PAGE = """\
The smallest box that holds an oscillator of a period and a symmetry in all its phases, and the
fewest cells of an oscillator in that box. Boxes come by their area, then by their width; a box may
be turned. Every box that comes before the one in the table has been refuted. {decided} of {all}
entries are settled.

{rows}

- **6x6**, 16 cells: the least box is 6x6, and the fewest cells there are 16, in the phase that has
  the fewest.
- 7x8 … 8x8: there is none in any box before 7x8, and there is one in 8x8; what lies between is
  undecided. A box with a name is that of the smallest such object in satlife's catalogue, found by
  others, where this page has none so small; a question mark: there is none in it. The plan has
  {planned} boxes, each with a limit of ten minutes; it was stopped when {answered} of them had an
  answer, and {late} had reached the limit.

A symmetry is at least what the row says: the blinker counts for `C1`, too. The symmetry holds in
every phase; [](../reference/symmetries.md) has the names. An oscillator has a cell of the full
period, so a blinker beside an oscillator of period 3 does not count for period 6. It may consist of
several parts that do not touch.

Where there is no oscillator at all, there is no symmetric one, so many entries rest on the
certificates of several rows. Long thin boxes are refuted once, without symmetry: 1x100 and
2x50 for each period from 3 on. [](rotors.md) lists all oscillators of periods 2 and 3 in 7x7; what
its certificates, and those of the [gallery](../gallery.md), say of these boxes counts here, too.

## The oscillators

{shown}
"""
KNOWN = """
The oscillators with a name on the page were known, most of them for decades. A [thread of
2017](https://conwaylife.com/forums/viewtopic.php?t=2927) lists the smallest oscillators known for
each period. By box they are the blinker, octagon 2, unix, burloaferimeter and figure eight. It
counts the box of the smallest phase, this table the box of all phases, so that some entries differ:
figure eight grows from 6x6 to 10x10, and smiley needs 7x8. By cells they are the caterer (p3), mold
(p4) and the pseudo-barberpole (p5), with 12, 12 and 15; this table only says which is the fewest in
the least box. Of period 4, mold has the fewest cells known (and so has mazing), and the least box.

What we believe to be new are the proofs that nothing smaller exists: such lists say what is the
smallest *known*, and we know of no table of least boxes by symmetry, with or without proofs. But
Knuth asks for small oscillators, ships and eaters in [exercises](../knuth/exercises.md) that he
solves with SAT solvers, and we have not compared his answers: some boxes may be refuted there, too.
Oscillators without a name on the page are not in the catalogue of satlife; we have not looked them
up elsewhere and do not say that they are new.
"""
TABLE = Table(
    name="oscillators",
    title="Smallest oscillators",
    summary="The least box of an oscillator, by period and symmetry, and the fewest cells",
    body=write_body,
    known=KNOWN,
    orders=lambda answers: list_best(answers, list_questions()),
)
