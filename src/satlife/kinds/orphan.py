"""Orphans: does anything at all become this?

A finite pattern of Life, dead all around, is a Garden of Eden if nothing at all becomes it, be it
finite or not.  Four rings of dead cells decide this: "in the Game of Life, if the thickness-four
zero-padding of a rectangular pattern is not an orphan, then the corresponding finite-support
configuration is not a Garden of Eden" (V. Salo and I. Törmä, Gardens of Eden in the Game of Life,
arXiv 1912.00692, Theorem 3).  If the padded pattern is an orphan, no theorem is needed: the
configuration contains it.  The parent that exists otherwise need not be finite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from satlife.errors import UsageError
from satlife.given import check_type
from satlife.kinds._kind import BOX_OF_CELLS, FLAG, GENERATIONS, Kind, Parameter, file

if TYPE_CHECKING:
    from satlife.life import PartialPattern, Pattern
    from satlife.problem import Problem

_LIFE: Final = "B3/S23"
PADDING: Final = 4
"""Rings of dead cells around a finite pattern of Life that decide whether it has a parent."""


def orphan(
    pattern: Pattern | PartialPattern | str, *, generations: int = 1, finite: bool = False
) -> Problem:
    """Ask for a parent of the pattern's cells, free on all of their neighbours.

    The pattern is an orphan if the search is impossible.  Only its own cells matter, dead margins
    that were drawn included: the cells around them may become anything, and so may its unknown
    cells (``?``).  More ``generations`` ask for an ancestor so far back.  A ``finite`` pattern of
    Life has dead cells all around it; the nearest four rings decide.

    >>> from satlife import Pattern
    >>> orphan(Pattern.from_rle("3o!"), generations=2).boxes
    ('7x5-2-2', '5x3-1-1', '3x1')
    >>> orphan("3o!", finite=True).boxes
    ('13x11-5-5', '11x9-4-4')
    """
    from satlife.kinds._common import ask_past, surround

    asked = ask_past(pattern, generations)
    if not check_type(finite, bool, "finite", "True or False"):
        return asked
    _check_finite(asked)
    return ask_past(surround(asked.known[0].alive, PADDING), 1)


def _check_finite(asked: Problem) -> None:
    """Raise unless the theorem applies to the question."""
    if asked.rule != _LIFE:
        raise UsageError(
            "how many dead cells around a finite pattern decide is known for Life (B3/S23) only, "
            f"not for {asked.rule}; draw the dead cells that you mean into the pattern instead"
        )
    if asked.steps > 1:
        raise UsageError(
            "four rings of dead cells decide about a finite pattern's parent, not about ancestors "
            "further back; ask either for finite or for more generations"
        )
    if asked.exempt:
        raise UsageError("a finite pattern has no unknown cells (?); say which are alive")
    if not asked.known[0].alive:
        raise UsageError("the pattern has no live cells; the empty plane is its own parent")


def _is_padded(problem: Problem) -> bool:
    """Whether all cells of an orphan's question of Life are known, and dead near the edge."""
    if (problem.rule, problem.steps, problem.exempt, len(problem.known)) != (_LIFE, 1, (), 1):
        return False
    (first, *_, last), rows = problem.all_boxes, problem.known[0].rows
    rim, inner = "." * PADDING, rows[PADDING:-PADDING]
    return (
        first == last.grow(1)
        and (len(rows), len(rows[0])) == (last.height, last.width)
        and min(last.width, last.height) > 2 * PADDING
        and not any("?" in row for row in rows)
        and all(set(row) == {"."} for row in (*rows[:PADDING], *rows[-PADDING:]))
        and all(row.startswith(rim) and row.endswith(rim) for row in inner)
    )


def _found_words(problem: Problem) -> str:
    if problem.steps > 1:
        return f"no, not an orphan: this becomes it in {problem.steps} generations"
    return "no, not an orphan: this is a parent"


def _impossible_words(problem: Problem) -> str:
    if problem.steps > 1:
        return f"yes, without ancestors: nothing becomes this in {problem.steps} generations"
    return "yes, an orphan: nothing becomes this"


def _note(problem: Problem) -> str:
    if not _is_padded(problem):
        return ""
    return (
        "it has one with four rings of dead cells around it, so it is not a Garden of Eden as a "
        "finite pattern, either (arXiv 1912.00692); satlife parent looks for a finite parent"
    )


def _hint(problem: Problem) -> str:
    if not _is_padded(problem):
        return ""
    return "it is a Garden of Eden as a finite pattern, with dead cells all around"


ORPHAN = Kind(
    name="orphan",
    noun="parent",
    function=orphan,
    parameters=(
        file("pattern", BOX_OF_CELLS),
        GENERATIONS,
        Parameter(
            name="finite",
            reader=FLAG,
            help="All cells around the live ones are dead, without end (Life only).",
            label="All cells around it are dead, without end",
        ),
    ),
    summary="Decide whether a pattern has a parent.",
    text="Decide whether anything at all becomes PATTERN, whatever is around it.  "
    "Every dead cell of its box counts, those at the edge too.  "
    "Unknown cells (?) may become anything.  Exit code 0: yes, it is an orphan; 1: no, and a "
    "parent is printed; 3: undecided.",
    examples=("orphan eden.rle", "orphan x.rle --generations 2", "orphan x.rle --finite"),
    yes="impossible",
    found_words=_found_words,
    impossible_words=_impossible_words,
    note=_note,
    hint=_hint,
    shrinks=True,
)
