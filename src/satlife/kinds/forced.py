"""Patches that force themselves: does every parent contain the patch, in place?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.kinds._kind import BOX_OF_CELLS, GENERATIONS, Kind, duration, file

if TYPE_CHECKING:
    from satlife.life import PartialPattern, Pattern
    from satlife.problem import Problem


def forced(pattern: Pattern | PartialPattern | str, *, generations: int = 1) -> Problem:
    """Ask for an ancestor of the pattern's cells that differs from the pattern, in place.

    The pattern forces itself if the search is impossible, unless it is an orphan, which has no
    ancestors at all.  Only its known cells matter, dead ones included: neither the cells around
    them nor the unknown ones (``?``) are asked about, in any generation.

    >>> from satlife import Pattern
    >>> forced(Pattern.from_rle("3o!"), generations=2).boxes
    ('7x5-2-2', '5x3-1-1', '3x1')
    """
    from satlife.kinds._common import ask_comparable, ask_other

    asked = ask_comparable(pattern, generations, "forced")
    return ask_other(asked, asked.known[0].cells)


FORCED = Kind(
    name="forced",
    noun="ancestor",
    function=forced,
    parameters=(
        file("pattern", BOX_OF_CELLS),
        GENERATIONS,
    ),
    summary="Decide whether every parent of a pattern contains it.",
    text="Decide whether everything that becomes PATTERN, whatever is around it, already contains "
    "PATTERN in the same place.  Every dead cell of its box counts, those at the edge too.  "
    "Unknown cells (?) are not asked about.  Exit code 0: yes, it "
    "forces itself; 1: no, and a parent that differs is printed, or it is an orphan, which has no "
    "parents; 3: undecided.",
    examples=(
        "forced patch.rle",
        "forced patch.rle --generations 2",
        "forced patch.rle --shrink --prove proof",
        "forced patch.rle --complete",
    ),
    yes="impossible",
    found_words=lambda problem: (
        f"no, it does not force itself: this becomes it{duration(problem)}, and differs from it"
    ),
    impossible_words=lambda problem: (
        f"yes, it forces itself: whatever becomes this{duration(problem)} contains it, in place"
    ),
    supposes="orphan",
    vacuous_words=lambda problem: (
        f"no, an orphan: nothing becomes this{duration(problem)}, so it forces nothing"
    ),
    shrinks=True,
    completes=True,
)
