"""One step of Life as Knuth's programs print it: the clauses of time 0 to time 1.

Eight neighbours are counted in unary by a tree: the pairs d, e, f, g; their sums b = d + e and
c = f + g; and the total a = b + c.  Which neighbours form a pair depends on the parity of the cell,
so that neighbouring cells share most of their pairs: d and e serve four cells each, f and b two.
An inner cell then takes 14 helper variables and 63 clauses instead of 20 and 83.

A :class:`Board` says where cells may live and what their names are.  The programs of the family
differ in nothing else here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from satlife.knuth.templates import COPY, PAIR, PAIR_ONCE, SUCCESSOR, SUM, TOTAL

Cell = tuple[int, int]


def _unfolded(x: int, y: int) -> Cell:
    return x, y


@dataclass(frozen=True, kw_only=True)
class Board:
    """Where cells may live (row x, column y), and which cells are the same cell."""

    rows: range
    columns: range
    scan: Iterable[Cell]
    """The cells whose next state is printed, in order."""
    fold: Callable[[int, int], Cell] = _unfolded
    """The image of a cell under a symmetry; it gives the cell its name."""
    folds_helpers: bool = False
    """Whether helper variables are named after the image too, as they must be on a torus."""
    lives: Callable[[int, int], bool] = lambda _x, _y: True
    """Whether a cell inside ``rows`` and ``columns`` may be alive."""

    def may_live(self, x: int, y: int) -> bool:
        """Whether the cell may be alive at the earlier time."""
        return x in self.rows and y in self.columns and self.lives(x, y)


def rectangle(m: int, n: int, fold: Callable[[int, int], Cell] = _unfolded) -> Board:
    """Return the board of m rows and n columns; it is printed with the ring around it."""
    scan = [(x, y) for x in range(m + 2) for y in range(n + 2)]
    return Board(rows=range(1, m + 1), columns=range(1, n + 1), scan=scan, fold=fold)


@dataclass(frozen=True)
class Line:
    """Some clauses for times a and b; ``cage`` marks those that keep a cell outside dead."""

    text: str
    cage: bool = False


def transition(board: Board, cage: str = "") -> Iterator[Line]:
    """Yield the clauses of one step; ``cage`` is what precedes a caging unit ("~")."""
    step = _Step(board)
    for x, y in board.scan:
        if not step.is_obviously_dead(x, y):
            yield Line(step.successor(x, y))
            if cage and not board.may_live(x, y):
                yield Line(f"{cage}{step.heir(x, y)}\n", cage=True)


class _Step:
    """The clauses of one step, and the helpers defined so far."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.cells = _Cells(board)
        self.defined: set[str] = set()

    def is_obviously_dead(self, x: int, y: int) -> bool:
        """Whether too few cells near (x, y) can live for it to be alive at the next time."""
        cells = self.cells
        alive = 0
        for i in (x - 1, x, x + 1):
            for j in (y - 1, y, y + 1):
                alive += cells[i, j] is not None
        return alive < 3

    def heir(self, x: int, y: int) -> str:
        """Return the name of the cell at the next time."""
        i, j = self.board.fold(x, y)
        return f"{i}b{j}"

    def helper(self, x: int, y: int, letter: str) -> str:
        if self.board.folds_helpers:
            x, y = self.board.fold(x, y)
        return f"{x}a{y}{letter}"

    def successor(self, x: int, y: int) -> str:
        """Return clauses for the next state of (x, y), after those of its helpers."""
        b_text, b = self.upper_four(x | 1, y)
        c_text, c = self.lower_four(x, y)
        a = self.helper(x, y, "A")
        z = self.cells[x, y]
        i, j = self.board.fold(x, y)
        state = SUCCESSOR(a=a, z=z, w=f"{i}b{j}", x=f"{i}a{j}x")
        return f"{b_text}{c_text}{TOTAL(a=a, b=b, c=c)}{state}"

    def upper_four(self, x: int, y: int) -> tuple[str, str]:
        """Knuth's b = d + e; shared by two cells, since x is always odd."""
        b = self.helper(x, y, "B")
        if b in self.defined:
            return "", b
        self.defined.add(b)
        d_text, d = self.right_pair(x, y - (y & 2))
        e_text, e = self.left_pair(x, y + (y & 2))
        return f"{d_text}{e_text}{SUM(d=d, e=e, b=b)}", b

    def lower_four(self, x: int, y: int) -> tuple[str, str]:
        """Knuth's c = f + g; f is left out where it would be zero."""
        c = self.helper(x, y, "C")
        g_text, g = self.odd_pair(x, y)
        x1, y1 = (x + 2, (y - 1) | 1) if x & 1 else (x, y & -2)
        rows, columns = self.board.rows, self.board.columns
        if x1 - 1 not in rows or y1 + 1 < columns.start or y1 >= columns.stop:
            return g_text + COPY(g=g, c=c), c
        f_text, f = self.row_pair(x1, y1)
        return f"{g_text}{f_text}{SUM(d=f, e=g, b=c)}", c

    def right_pair(self, x: int, y: int) -> tuple[str, str]:
        """Knuth's d, the two cells right of the edge between rows x-1 and x."""
        return self.pair("D", x, y, (x - 1, y + 1), (x, y + 1), y + 1 in self.board.columns)

    def left_pair(self, x: int, y: int) -> tuple[str, str]:
        """Knuth's e, the two cells left of it."""
        return self.pair("E", x, y, (x - 1, y - 1), (x, y - 1), y - 1 in self.board.columns)

    def row_pair(self, x: int, y: int) -> tuple[str, str]:
        """Knuth's f, two neighbours in the row above; x + y is always even."""
        return self.pair("F", x, y, (x - 1, y), (x - 1, y + 1), x - 1 in self.board.rows)

    def odd_pair(self, x: int, y: int) -> tuple[str, str]:
        """Knuth's g, the two neighbours that d, e and f have left; never shared."""
        if x & 1:
            pair = (x - 1, y), (x + 1, y ^ 1)
        else:
            pair = (x + 1, y), (x - 1, y - 1 + ((y & 1) << 1))
        return self.pair("G", x, y, *pair, inside=True)

    def pair(
        self, letter: str, x: int, y: int, first: Cell, second: Cell, inside: bool
    ) -> tuple[str, str]:
        name = self.helper(x, y, letter)
        if name in self.defined:
            return "", name
        self.defined.add(name)
        template = PAIR if inside else PAIR_ONCE
        return template(u=self.cells[first], v=self.cells[second], d=name), name


class _Cells(dict[Cell, "str | None"]):
    """The name of each cell at the earlier time, or None if it cannot live."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def __missing__(self, cell: Cell) -> str | None:
        name = None
        if self.board.may_live(*cell):
            x, y = self.board.fold(*cell)
            name = f"{x}a{y}"
        self[cell] = name
        return name
