"""One step of Life as Knuth's programs print it: the clauses of time 0 to time 1.

Eight neighbours are counted in unary by a tree: the pairs d, e, f, g; their sums b = d + e and
c = f + g; and the total a = b + c.  Which neighbours form a pair depends on the parity of the cell,
so that neighbouring cells share most of their pairs: d and e serve four cells each, f and b two.
An inner cell then takes 14 helper variables and 63 clauses instead of 20 and 83.

A :class:`Board` defines where cells may live and what their names are.  The programs of the family
differ in nothing else here.

The clauses come from a few templates: lists of clauses in Knuth's own notation, with letters for
the variables, where ``~u d1`` means that u implies d1.  A letter for a cell that cannot live is
folded away: a clause with its negation is true and is dropped, and the plain literal is false and
is dropped.

>>> print(PAIR(u="1a2", v="2a2", d="2a1D"), end="")
 ~1a2 2a1D1
 ~2a2 2a1D1
 ~1a2 ~2a2 2a1D2
 1a2 2a2 ~2a1D1
 1a2 ~2a1D2
 2a2 ~2a1D2
>>> print(PAIR(u=None, v="2a2", d="2a1D"), end="")
 ~2a2 2a1D1
 2a2 ~2a1D1
 ~2a1D2
 2a2 ~2a1D2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass


class LetterTemplate:
    """Clauses over letters; call it with a name for each letter (None: always dead)."""

    def __init__(self, clauses: Iterable[str]) -> None:
        self.clauses = tuple(tuple(clause.split()) for clause in clauses)
        self._texts: dict[str, str] = {}

    def __call__(self, **names: str | None) -> str:
        """Return the clauses as lines in which every literal is preceded by one space."""
        dead = "".join([letter for letter, name in names.items() if name is None])
        text = self._texts.get(dead)
        if text is None:
            text = self._texts[dead] = "".join(self._lines(dead))
        return text.format_map(names)

    def _lines(self, dead: str) -> Iterator[str]:
        for clause in self.clauses:
            if not any(literal[0] == "~" and literal[1] in dead for literal in clause):
                alive = [literal for literal in clause if literal[0] not in dead]
                yield "".join(map(_placeholder, alive)) + "\n"


def _placeholder(literal: str) -> str:
    sign = "~" if literal[0] == "~" else ""
    letter, index = literal[len(sign)], literal[len(sign) + 1 :]
    return f" {sign}{{{letter}}}{index}"


def _sum_of_pairs() -> Iterator[str]:
    """b = d + e, all in unary: sixteen clauses (Bailleux and Boufkhad, CP 2003)."""
    for j in range(3):
        for k in range(3):
            if j + k:
                yield f"{_literal('~d', j)} {_literal('~e', k)} b{j + k}"
                yield f"{_literal('d', 3 - j, j)} {_literal('e', 3 - k, k)} ~b{5 - j - k}"


def _sum_of_fours() -> Iterator[str]:
    """a = b + c, where only a2, a3 and a4 matter: twenty-one clauses."""
    for j in range(5):
        for k in range(5):
            if 1 < j + k < 5:
                yield f"{_literal('~b', j)} {_literal('~c', k)} a{j + k}"
    for j in range(1, 5):
        for k in range(1, 5):
            if j + k < 6 and j + k > 2:
                yield f"b{j} c{k} ~a{j + k - 1}"


def _literal(letter: str, index: int, present: int | None = None) -> str:
    """Return the literal, or nothing where its count is 0 (at least 0 is always true)."""
    return f"{letter}{index}" if (index if present is None else present) else ""


_PAIR = ("~u d1", "~v d1", "~u ~v d2", "u v ~d1", "u ~d2", "v ~d2")

PAIR = LetterTemplate(_PAIR)
"""d = u + v: at least one, both."""

PAIR_ONCE = LetterTemplate(_PAIR[:-1])
"""The same where u and v are both outside, without printing ``~d2`` a second time."""

SUM = LetterTemplate(_sum_of_pairs())
"""b = d + e; with other names also c = f + g."""

COPY = LetterTemplate(("~g1 c1", "g1 ~c1", "~g2 c2", "g2 ~c2", "~c3", "~c4"))
"""c = g, where f is certainly zero."""

TOTAL = LetterTemplate(_sum_of_fours())
"""a = b + c, the number of live neighbours."""

SUCCESSOR = LetterTemplate(
    ("~a4 ~w", "a2 ~w", "a3 z ~w", "~a3 a4 w", "x ~a2 a4", "~x ~z w"),
)
"""The next state w of z, by three-literal clauses; x stands for "two or three, or more"."""


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
