r"""Exact boxes: the problems in smaller boxes that must be refuted to refute one in a large box.

>>> from satlife.kinds import ship
>>> for part in list_parts(ship("c/3", box="5x4"), "4x3"):
...     print(part.name, "fills", part.fills)
box-4x3 fills ()
box-5x3 fills ('width',)
box-4x4 fills ('height',)
box-5x4 fills ('width', 'height')

Let a problem in a box W×H meet all of :func:`hypotheses`, and let G be the turns of its symmetry.
A size w×h *fits* if w ≤ W and h ≤ H; if W - w is even, where a turn of G reverses left and right;
if H - h is even, where one reverses top and bottom; and if w = h, where one swaps the axes.  The
*range* from a fitting size, the lowest, is all fitting sizes that are as wide and as high, or more.
The *next narrower* size is the largest fitting one of less width and the same height, the *next
lower* one is the largest of less height and the same width; where G swaps the axes, both are the
next smaller square.  The *part* of a size is the problem in a box of this size, with the condition
that the pattern reaches both sides of the box if the next narrower size is in the range, and both
top and bottom if the next lower one is.

**Theorem.** If no part of a range has a solution, then the problem has none.

*Proof.* Let S be a solution, and E the least box that holds its live cells in generations 0 to
p - 1.  If S is empty, it is a solution of the lowest part, of which nothing is to be reached.

The size of E fits: each turn of G about the centre of W×H leaves every generation as it is, and so
E.  If it reverses left and right, E has as many columns of W×H to its left as to its right, so W
less its width is even; top and bottom likewise.  If it swaps the axes, E is as wide as it is high.

S fits into W×H, which is in the range.  Of all sizes of the range into which E fits, take one of
the least area, w×h.  If the next narrower size is in the range, E does not fit into it.  So E is
wider than that (or, a square, larger), and by the parity it is w wide; hence it reaches both sides
of a box of this size.  Top and bottom likewise.

Now place a box of size w×h around E.  Where G reverses left and right, let their middles agree,
which the parity allows; top and bottom likewise.  Where G is a single diagonal mirror, E is a
square with its diagonal on the axis; let the box be another.  Otherwise place it anywhere.  The
turns of G about the centre of this box are then those about the centre of W×H, so S is symmetric
about it.  Move S so that this box lies at (0, 0).  The rule and the motion do not change.  All is
dead outside of the box in generations 0 to p - 1.  Each constraint is about numbers of cells,
periods, sizes or symmetries about any centre, which a shift does not change.
So S is a solution of the part.  ∎
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from satlife.audit.formula import SYMMETRIES, TURNS
from satlife.errors import FormatError
from satlife.problem import Problem
from satlife.problem import constraints as ask

MOST_BOXES: Final = 10_000
"""Maximum number of boxes in a range."""
SHIFTED: Final = (
    *(ask.NotEmpty, ask.FullPeriod, ask.PatternPeriod, ask.Lacks),
    *(ask.Population, ask.Rotor, ask.Stator, ask.Growth, ask.Decay, ask.Changes),
    *(ask.Width, ask.Height, ask.Area),
)
"""Constraints that a shift does not change; any other needs an argument first."""
_SIZE: Final = re.compile("([1-9][0-9]{0,6})x([1-9][0-9]{0,6})\n?")


def hypotheses(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield what the theorem needs, in words, and whether it holds."""
    motion = problem.motion
    yield problem.boundary == "dead" and not problem.background, "all outside is dead"
    yield len(problem.boxes) == 1 and not problem.has_open_height, "there is one box"
    yield motion is not None and motion.transform == "identity", "the motion is a shift"
    yield not problem.include_last, "the last generation may leave the box"
    yield problem.symmetry in SYMMETRIES, "the symmetry is that of every generation"
    yield not (problem.known or problem.links or problem.exempt), "no cell has a part of its own"
    for each in problem.constraints:
        yield type(each) in SHIFTED, f"a shift does not change that {each}"


@dataclass(frozen=True)
class RangePart:
    """A part of a range."""

    whole: Problem
    width: int
    height: int
    fills: tuple[str, ...]
    """The sizes of the box that the pattern must have: ``width``, ``height``."""

    @property
    def name(self) -> str:
        """Its name in certificates."""
        return f"box-{self.width}x{self.height}"

    @property
    def title(self) -> str:
        """The conclusion when it is refuted."""
        words = f" that fills the {' and the '.join(self.fills)}" if self.fills else ""
        return f"there is no solution in {self.width}x{self.height}{words}"

    @property
    def problem(self) -> Problem:
        """The part as a problem of its own."""
        bounds = {"width": ask.Width(least=self.width), "height": ask.Height(least=self.height)}
        added = (bounds[side] for side in self.fills)
        constraints = (*self.whole.constraints, *added)
        return replace(self.whole, boxes=(f"{self.width}x{self.height}",), constraints=constraints)


def list_parts(problem: Problem, lowest: str) -> list[RangePart]:
    """Return the parts of a range, row by row; raise FormatError unless the theorem holds."""
    for holds, words in hypotheses(problem):
        if not holds:
            raise FormatError(f"a proof by exact boxes needs that {words}")
    read = _SIZE.fullmatch(lowest)
    if read is None:
        raise FormatError(f"the lowest box is {lowest[:40]!r}; it is written as 6x9")
    box, (low, flat) = problem.all_boxes[0], map(int, read.groups())
    turns = [TURNS[name] for name in SYMMETRIES[problem.symmetry]]
    across = 2 if any(turn(1, 0) == (-1, 0) for turn in turns) else 1
    down = 2 if any(turn(0, 1) == (0, -1) for turn in turns) else 1
    square = any(turn(1, 0)[0] == 0 for turn in turns)
    widths, heights = range(low, box.width + 1, across), range(flat, box.height + 1, down)
    unfit = square and (low != flat or box.width != box.height)
    if box.width not in widths or box.height not in heights or unfit:
        raise FormatError(f"{low}x{flat} is no lowest box for {problem.symmetry} in {box}")
    if (count := len(widths) * (1 if square else len(heights))) > MOST_BOXES:
        raise FormatError(f"the range has {count:,} boxes; the most is {MOST_BOXES:,}")
    if square:
        return [RangePart(problem, w, w, ("width", "height") * (w > low)) for w in widths]
    return [
        RangePart(problem, w, h, ("width",) * (w > low) + ("height",) * (h > flat))
        for h in heights
        for w in widths
    ]
