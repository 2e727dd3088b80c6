"""Formulas in conjunctive normal form, held as flat arrays.

A clause is a run of literals that ends with 0, as in DIMACS; a :class:`Block` is one int32
array of such runs with a word that says where they come from; a :class:`Formula` is a tuple of
blocks. Nothing is kept per clause or per literal, so fifty million clauses are one array of
some hundred megabytes. This module knows no file format (see :mod:`satlife.sat.files`) and no
solver.

>>> formula = Formula.from_clauses([(1, -2), (2, 3), (-1,)])
>>> formula
<Formula: 3 variables, 3 clauses, 5 literals>
>>> list(formula)
[(1, -2), (2, 3), (-1,)]
>>> formula.literals().tolist()
[1, -2, 0, 2, 3, 0, -1, 0]
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from typing import Self

IntArray = npt.NDArray[np.int32]
"""Literals: variables are 1, 2, …; a negative number is a negation; 0 ends a clause."""

NameArray = npt.NDArray[np.bytes_]
"""Names of variables: entry ``v - 1`` is the name of variable ``v``, ``b""`` if it has none."""

LARGEST_VARIABLE = 2**31 - 1


def as_literals(values: npt.ArrayLike) -> IntArray:
    """Turn numbers into an int32 array, without a copy if they are one already.

    >>> as_literals([1, -2, 0]).dtype
    dtype('int32')
    """
    array = np.asarray(values)
    if array.dtype == np.int32:
        literals: IntArray = array
    elif array.size == 0:
        literals = np.zeros(array.shape, np.int32)
    elif array.dtype.kind not in "iu":
        raise UsageError(f"literals are whole numbers, got {array.dtype}")
    else:
        if int(array.max()) > LARGEST_VARIABLE or int(array.min()) < -LARGEST_VARIABLE:
            raise UsageError(f"a literal lies beyond ±{LARGEST_VARIABLE}")
        literals = array.astype(np.int32)
    return literals


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Clauses with one origin: a flat int32 array in which every clause ends with 0.

    >>> Block("cage", np.array([-1, 0, -2, 0], np.int32))
    <Block 'cage': 2 clauses>
    """

    origin: str
    """Where the clauses come from (transition, cage, period …); ``""`` if nobody said."""
    literals: IntArray
    clauses: int = field(init=False)
    """The number of clauses."""
    largest: int = field(init=False)
    """The largest variable, 0 if there is none."""

    def __post_init__(self) -> None:
        literals = as_literals(self.literals)
        if literals.ndim != 1:
            raise UsageError(f"a block is a flat array, got shape {literals.shape}; try from_rows")
        if literals.size and literals[-1] != 0:
            raise UsageError("every clause of a block ends with 0, the last one too")
        low, high = (int(literals.min()), int(literals.max())) if literals.size else (0, 0)
        if low < -LARGEST_VARIABLE:
            raise UsageError(f"a literal lies beyond ±{LARGEST_VARIABLE}")
        if "\n" in self.origin or "\r" in self.origin:
            raise UsageError("a block's origin is one line")
        # A view, so that the caller's own array stays writable; the block's is not.
        literals = literals.view()
        literals.flags.writeable = False
        object.__setattr__(self, "literals", literals)
        object.__setattr__(self, "clauses", literals.size - int(np.count_nonzero(literals)))
        object.__setattr__(self, "largest", max(-low, high))

    @classmethod
    def from_rows(cls, origin: str, rows: npt.ArrayLike) -> Self:
        """Make a block of clauses of one length, the rows of an array of shape (n, k).

        >>> Block.from_rows("edge", [[1, 2], [-1, 3]]).literals.tolist()
        [1, 2, 0, -1, 3, 0]
        """
        array = as_literals(rows)
        if array.ndim != 2:
            raise UsageError(f"rows have the shape (clauses, literals), got {array.shape}")
        if np.count_nonzero(array) != array.size:
            raise UsageError("a literal is 0; give clauses of several lengths as a flat array")
        flat = np.zeros((array.shape[0], array.shape[1] + 1), np.int32)
        flat[:, :-1] = array
        return cls(origin, flat.reshape(-1))

    @classmethod
    def from_clauses(cls, origin: str, clauses: Iterable[Iterable[int]]) -> Self:
        """Make a block of any clauses, one Python object per literal: for small use."""
        flat: list[int] = []
        for clause in clauses:
            literals = [int(literal) for literal in clause]
            if 0 in literals:
                raise UsageError(f"0 is no literal, in the clause {literals}")
            flat.extend(literals)
            flat.append(0)
        return cls(origin, as_literals(flat))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        clause: list[int] = []
        for literal in self.literals.tolist():
            if literal:
                clause.append(literal)
            else:
                yield tuple(clause)
                clause.clear()

    def __len__(self) -> int:
        return self.clauses

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Block):
            return NotImplemented
        return self.origin == other.origin and np.array_equal(self.literals, other.literals)

    def __hash__(self) -> int:
        return hash((self.origin, self.literals.size, self.clauses, self.largest))

    def __repr__(self) -> str:
        return f"<Block {self.origin!r}: {_count(self.clauses, 'clause')}>"


@dataclass(frozen=True, eq=False)
class Formula:
    """Clauses in blocks, the number of variables, their names, and comments.

    Two formulas are equal when they have the same clauses in the same order, as many variables
    and the same names; comments and the cut into blocks are only words about them.
    """

    blocks: tuple[Block, ...] = ()
    variables: int = 0
    """How many variables there are, those in no clause too; at least the largest that is used."""
    names: NameArray | None = None
    comments: tuple[str, ...] = ()
    """One line each, without the file format's comment sign."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(self.blocks))
        object.__setattr__(self, "comments", tuple(self.comments))
        largest = max((block.largest for block in self.blocks), default=0)
        if not largest <= self.variables <= LARGEST_VARIABLE:
            raise UsageError(f"a formula with variable {largest} cannot have {self.variables}")
        if self.names is not None:
            object.__setattr__(self, "names", as_names(self.names, self.variables))
        for comment in self.comments:
            if "\n" in comment or "\r" in comment:
                raise UsageError(f"a comment is one line, got {comment!r}")

    @classmethod
    def from_arrays(
        cls,
        *arrays: npt.ArrayLike,
        variables: int | None = None,
        names: NameArray | Sequence[str] | None = None,
        comments: Iterable[str] = (),
        origin: str = "",
    ) -> Self:
        """Make a formula of flat arrays, each a sequence of clauses that end with 0.

        >>> Formula.from_arrays([1, 2, 0, -1, 0], [-2, 0]).clauses
        3
        """
        blocks = tuple(Block(origin, as_literals(array)) for array in arrays)
        largest = max((block.largest for block in blocks), default=0)
        count = largest if variables is None else variables
        known = None if names is None else as_names(names, count)
        return cls(blocks, count, known, tuple(comments))

    @classmethod
    def from_clauses(
        cls,
        clauses: Iterable[Iterable[int]],
        *,
        variables: int | None = None,
        names: NameArray | Sequence[str] | None = None,
        comments: Iterable[str] = (),
        origin: str = "",
    ) -> Self:
        """Make a formula of Python numbers: for small use and for tests."""
        block = Block.from_clauses(origin, clauses)
        return cls.from_arrays(
            block.literals, variables=variables, names=names, comments=comments, origin=origin
        )

    @classmethod
    def from_dimacs(cls, text: str | bytes) -> Formula:
        """Read a text in DIMACS form; :mod:`satlife.sat.files` reads files."""
        return _read("dimacs", text)

    @classmethod
    def from_knuth(cls, text: str | bytes) -> Formula:
        r"""Read a text in the form of Knuth's SAT programs.

        >>> list(Formula.from_knuth("~ an example\na ~b\nb c\n"))
        [(1, -2), (2, 3)]
        """
        return _read("knuth", text)

    def to_dimacs(self) -> str:
        r"""Give the formula as one DIMACS text.

        >>> Formula.from_clauses([(1, -2), (2,)]).to_dimacs()
        'p cnf 2 2\n1 -2 0\n2 0\n'
        """
        return _write("dimacs", self)

    def to_knuth(self) -> str:
        r"""Give the formula as one text in Knuth's form, a space ahead of every literal.

        >>> Formula.from_clauses([(1, -2), (2,)], names=["a", "b"]).to_knuth()
        ' a ~b\n b\n'
        """
        return _write("knuth", self)

    @cached_property
    def clauses(self) -> int:
        """The number of clauses."""
        return sum(block.clauses for block in self.blocks)

    def literals(self) -> IntArray:
        """All clauses as one flat array; no copy if there is one block."""
        if len(self.blocks) == 1:
            return self.blocks[0].literals
        arrays = [block.literals for block in self.blocks]
        return np.concatenate(arrays) if arrays else np.zeros(0, np.int32)

    def name(self, variable: int) -> str:
        """Give the variable's name; a variable without one is called by its number.

        >>> formula = Formula(variables=2, names=np.array([b"3a4", b""]))
        >>> formula.name(1), formula.name(2)
        ('3a4', '2')
        """
        if not 1 <= variable <= self.variables:
            raise UsageError(f"no variable {variable}: they are 1 to {self.variables}")
        known = b"" if self.names is None else bytes(self.names[variable - 1])
        return known.decode("ascii") if known else str(variable)

    def variable(self, name: str) -> int:
        """Give the variable of a name, the inverse of :meth:`name`."""
        found = self._index.get(name.encode("utf-8", "replace"))
        if found is None and name.isascii() and name.isdigit() and not name.startswith("0"):
            number = int(name)
            if 1 <= number <= self.variables and self.name(number) == name:
                found = number
        if found is None:
            raise UsageError(f"no variable is named {name!r}")
        return found

    @cached_property
    def _index(self) -> dict[bytes, int]:
        if self.names is None:
            return {}
        return {name: v for v, name in enumerate(self.names.tolist(), 1) if name}

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for block in self.blocks:
            yield from block

    def __len__(self) -> int:
        return self.clauses

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Formula):
            return NotImplemented
        return (
            (self.variables, self.clauses) == (other.variables, other.clauses)
            and _same_names(self.names, other.names)
            and np.array_equal(self.literals(), other.literals())
        )

    def __hash__(self) -> int:
        return hash((self.variables, self.clauses))

    def __repr__(self) -> str:
        literals = sum(block.literals.size for block in self.blocks) - self.clauses
        counts = (
            _count(self.variables, "variable"),
            _count(self.clauses, "clause"),
            _count(literals, "literal"),
        )
        return f"<Formula: {', '.join(counts)}>"


def as_names(names: NameArray | Sequence[str], variables: int) -> NameArray:
    """Check names: one for each variable, of visible ASCII characters, not opening with ``~``."""
    try:
        array: NameArray = np.asarray(names, dtype=np.bytes_)
    except UnicodeEncodeError as error:
        raise UsageError(f"names are ASCII, got {error.object!r}") from None
    if array.shape != (variables,):
        raise UsageError(f"{variables} variables need as many names, got shape {array.shape}")
    if not variables:
        return array
    letters = np.ascontiguousarray(array).view(np.uint8).reshape(variables, -1)
    # NumPy ends a name at its last byte that is not 0: a 0 before that is a letter, and wrong.
    inside = np.arange(letters.shape[1]) < np.char.str_len(array)[:, None]
    wrong = ((letters < 33) | (letters > 126)) & inside
    if wrong.any() or (letters[:, 0] == ord("~")).any():
        row = int(np.argmax(wrong.any(axis=1) | (letters[:, 0] == ord("~"))))
        raise UsageError(
            f"the name {array[row]!r} is not made of visible ASCII characters, the first not ~"
        )
    array = array.view()
    array.flags.writeable = False
    return array


def _same_names(one: NameArray | None, other: NameArray | None) -> bool:
    """Compare names; no names at all and only empty ones are the same."""
    if one is None or other is None:
        known = one if one is not None else other
        return known is None or not np.any(known != b"")
    return np.array_equal(one, other)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _read(name: str, text: str | bytes) -> Formula:
    # The formats need this module, so they are imported when they are asked for.
    from satlife.sat.files import find_format  # noqa: PLC0415

    try:
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise FormatError(f"{error.object[error.start]!r} is no character of a file") from None
    return find_format(name).read(io.BytesIO(data))


def _write(name: str, formula: Formula) -> str:
    from satlife.sat.files import find_format  # noqa: PLC0415

    file = io.BytesIO()
    find_format(name).write(formula, file)
    return file.getvalue().decode("utf-8", "surrogateescape")
