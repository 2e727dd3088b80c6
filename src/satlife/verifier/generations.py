"""The live cells of every generation of a solution, and their images under turns and motions.

Like all of the verifier, this has its own geometry: it uses only the texts of the problem.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from satlife.errors import InternalError
from satlife.life import Transform
from satlife.problem import Problem

Cell = tuple[int, int]
States = npt.NDArray[np.uint8]
"""The states of the box of a generation, indexed [y, x]."""
History = tuple[States, ...]


class VerificationError(InternalError):
    """A solver's solution is not one: satlife or the solver is wrong."""


class Generations:
    """The live cells of every generation, also of those after the last."""

    def __init__(self, problem: Problem, history: History) -> None:
        self.problem, self.history = problem, history
        self.boxes = problem.all_boxes
        self.alive: list[frozenset[Cell]] = []
        self.dying: dict[Cell, int] = {}
        """The dying cells of generation 0, if it shows them, with their states."""
        for box, states in zip(self.boxes, history, strict=False):
            rows, columns = np.nonzero(states)
            places = zip((columns + box.x).tolist(), (rows + box.y).tolist(), strict=True)
            cells = dict(zip(places, states[rows, columns].tolist(), strict=True))
            self.alive.append(frozenset(cell for cell, state in cells.items() if state == 1))
            self.dying |= {cell: state for cell, state in cells.items() if state > 1}

    def at(self, t: int) -> frozenset[Cell]:
        """Return the live cells of generation t (on a torus: those in the box)."""
        motion = self.problem.motion
        if motion is None:
            return self.alive[t]
        turns, t = divmod(t, motion.period)
        cells = self.alive[t]
        if motion.only_shifts:
            return moved(self, cells, turns * motion.dx, turns * motion.dy)
        for _ in range(turns):
            cells = self.carry(cells, motion.transform, (2 * motion.dx, 2 * motion.dy))
        return cells

    def carry(
        self, cells: Iterable[Cell], turn: str, move: Cell, above: bool = False
    ) -> frozenset[Cell]:
        """Turn cells about the centre of the first box, or half a cell above, then move them.

        The move is given in half cells.  So is everything here, so that centres are whole.
        """
        box, transform = self.boxes[0], Transform(turn)
        centre_x, centre_y = 2 * box.x + box.width - 1, 2 * box.y + box.height - 1 - above
        carried = []
        for x, y in cells:
            i, j = transform.apply_to_point(2 * x - centre_x, 2 * y - centre_y)
            i, j = i + centre_x + move[0], j + centre_y + move[1]
            if i % 2 or j % 2:
                raise VerificationError(f"{turn} does not carry cells to cells")
            carried.append(self.home((i // 2, j // 2)))
        return frozenset(carried)

    def home(self, cell: Cell) -> Cell:
        """Walk from copy to copy of a torus until the cell is in the box itself."""
        if self.problem.boundary != "torus":
            return cell
        (x, y), box, (down, right) = cell, self.boxes[0], self.problem.wrap
        while (x, y) not in box:
            if not box.x <= x < box.right:
                sign = 1 if x < box.x else -1
                x, y = x + sign * box.width, y + sign * down
            else:
                sign = 1 if y < box.y else -1
                x, y = x + sign * right, y + sign * box.height
        return x, y


def moved(life: Generations, cells: frozenset[Cell], dx: int, dy: int) -> frozenset[Cell]:
    """Return cells, moved; on a torus, those of the box that they are then copies of."""
    if not (dx or dy):
        return cells
    return frozenset(life.home((x + dx, y + dy)) for x, y in cells)


# The verifier's own table of the turns of each symmetry.


_MIRRORS = ("flip-left-right", "flip-top-bottom")
_DIAGONALS = ("flip-diagonal", "flip-antidiagonal")
_QUARTERS = ("quarter-turn-clockwise", "quarter-turn-anticlockwise")
_ELEMENTS: dict[str, tuple[str, ...]] = {
    "C1": (),
    "C2": ("half-turn",),
    "C4": ("half-turn", *_QUARTERS),
    "D2|": _MIRRORS[:1],
    "D2-": _MIRRORS[1:],
    "D2\\": _DIAGONALS[:1],
    "D2/": _DIAGONALS[1:],
    "D4+": ("half-turn", *_MIRRORS),
    "D4x": ("half-turn", *_DIAGONALS),
    "D8": ("half-turn", *_QUARTERS, *_MIRRORS, *_DIAGONALS),
}
"""The turns of each symmetry, except the identity."""
_CATAGOLUE = {"D2_+": "D2|", "D2_x": "D2\\", "D4_+": "D4+", "D4_x": "D4x"}
"""Catagolue's names, without the digit at their end."""


def static_turns(symmetry: str) -> tuple[str, ...]:
    """Return the turns under which every generation is symmetric."""
    return elements(symmetry.partition(":")[0])


def elements(name: str) -> tuple[str, ...]:
    """Return the turns of a symmetry, except the identity."""
    plain = name.rstrip("124") if "_" in name else name
    return _ELEMENTS[_CATAGOLUE.get(plain, plain.rstrip("_"))]
